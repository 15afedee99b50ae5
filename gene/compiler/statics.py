"""Static types: of which types a node's value can be, and which types pass a declaration.

The flow analysis knows the kinds of values; here they get names, and declarations, classes and enums of the
source are added. What is not certain is None, and nothing is concluded from it.
"""

from __future__ import annotations

from gene.compiler.calls import known_function
from gene.compiler.known import ancestry, constructed, method_of, only_value
from gene.compiler.masks import ARRAY, BOOL, FLOAT, INT, MAP, NIL, OTHER, STRING, VOID
from gene.compiler.nodes import (
    Array,
    Block,
    Call,
    Class,
    Fn,
    GlobalGet,
    If,
    Literal,
    LocalGet,
    Map,
    Member,
    Node,
    Quoted,
    Run,
    SelfMember,
    Send,
)

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from gene.compiler.analyzer import Analyzer
    from gene.compiler.scope import Function, Global, Variable

CORE = frozenset({"Int", "Float", "Bool", "String", "Array", "Map", "Symbol", "Nil"})
"""The kinds whose names no program gives to something else."""
BUILT_IN = CORE | {
    *("Char", "HashMap", "HashSet", "Gene", "Range", "Regexp", "Date", "Time", "DateTime", "Bytes"),
    *("Function", "Class", "Namespace", "Future", "Generator", "Result", "Option", "Exception"),
}
"""The types of the language that are told apart by name."""
_NUMBERS = ("Int", "Float")
_BITS = (
    (INT, "Int"),
    (FLOAT, "Float"),
    (BOOL, "Bool"),
    (NIL, "Nil"),
    (VOID, "Void"),
    (STRING, "String"),
    (ARRAY, "Array"),
    (MAP, "Map"),
)
_VARIANTS = {"Ok": "Result", "Err": "Result", "Some": "Option", "None": "Option"}
_RUNS = {
    "make_range": "Range",
    "hash_map": "HashMap",
    "frozen_hash_map": "HashMap",
    "run_async": "Future",
}
"""The types of what runtime functions return."""
_DATA = {"s": "Symbol", "g": "Gene", "a": "Array", "m": "Map", "c": "Char"}
"""The types of quoted data and of literals, by the letter of their encoding."""
_MADE = {"gene.data.octets:Octets": "Bytes", "gene.data.regex:Regex": "Regexp"}
"""Those of rarer literals, by what makes them."""


class Type:
    """A type by its name: one of the language's, or what the source defines.

    Attributes:
        name: Its name.
        definition: The class, or the making of the enum or the interface; None for a type of the language.
        exact: Whether a value is of this class and of none below it.
    """

    __slots__ = ("definition", "exact", "name")

    def __init__(self, name: str, definition: Node | None = None, *, exact: bool = False) -> None:
        self.name = name
        self.definition = definition
        self.exact = exact


class Types:
    """What the types of an analysed source are."""

    def __init__(self, analyzer: Analyzer) -> None:
        self.names = CORE if analyzer.interactive else BUILT_IN
        self._looking: set[Global | Variable] = set()
        self._owners: dict[Function, Class] = {}
        self._replaced: set[tuple[Class, str]] = set()
        for cls, _ in analyzer.classes:
            for name, fn in [*cls.methods, *([("", cls.constructor)] if cls.constructor else [])]:
                self._owners[fn.function] = cls
                self._replaced |= {(above, name) for above in ancestry(cls)[0][1:]}

    # -- declarations --------------------------------------------------------------------------------

    def declared(self, node: Node | None) -> list[Type] | None:
        """The types that pass a declared type; None if all values may."""
        if isinstance(node, GlobalGet) and not node.name.assignments:
            return [Type(node.name.name)] if node.name.name in self.names else None
        if isinstance(node, Run) and node.function == "make_union":
            return _all(self.declared(member) for member in node.args)
        value = only_value(node) if isinstance(node, GlobalGet | LocalGet) else None
        if isinstance(value, Class):
            return [Type(value.name, value)]
        if is_made(value, "make_enum") or is_made(value, "make_interface"):
            return [Type(value.args[0].value, value)]  # type: ignore[union-attr]
        if value is None or not isinstance(node, GlobalGet | LocalGet):
            return None
        return self._guarded(node, lambda: self.declared(value))  # the name of another type

    def _optional(self, node: Node | None) -> list[Type] | None:
        """The types of what is declared so and may be nil."""
        found = self.declared(node)
        return None if found is None else [*found, Type("Nil")]

    def _guarded(
        self, node: GlobalGet | LocalGet, look: Callable[[], list[Type] | None]
    ) -> list[Type] | None:
        """What can be said of a name whose value may mention it again."""
        name = node.name if isinstance(node, GlobalGet) else node.variable
        if name in self._looking:
            return None
        self._looking.add(name)
        found = look()
        self._looking.discard(name)
        return found

    # -- values --------------------------------------------------------------------------------------

    def of(self, node: Node) -> list[Type] | None:
        """The types that the value of a node can have; None if that is not known."""
        if node.mask and not node.mask & OTHER:
            return [Type(name) for bits, name in _BITS if node.mask & bits]
        look = _LOOKS.get(type(node))
        return None if look is None or not node.mask else look(self, node)

    def instance(self, node: Node) -> Type | None:
        """The type of a node whose value is of one class of the source, or nil."""
        found = [each for each in self.of(node) or () if each.name != "Nil"]
        return found[0] if len(found) == 1 and isinstance(found[0].definition, Class) else None

    def field(self, node: Node, name: str) -> Node | None:
        """The node of the declared type of a property."""
        found = self.instance(node)
        if found is not None:
            for cls in ancestry(found.definition)[0]:  # type: ignore[arg-type]
                if name in cls.fields:
                    return cls.fields[name]
        return None

    def method(self, node: Node, name: Any) -> Fn | None:
        """The method that a call finds, unless a class below has another one."""
        found = self.instance(node)
        if found is None or not isinstance(name, str):
            return None
        cls = found.definition
        assert isinstance(cls, Class)
        return None if (cls, name) in self._replaced and not found.exact else method_of(cls, name)

    def _name(self, node: GlobalGet | LocalGet) -> list[Type] | None:
        name = node.name if isinstance(node, GlobalGet) else node.variable
        if name.type is not None:
            return self._optional(name.type)
        if isinstance(node, LocalGet) and node.variable is node.variable.function.receiver:
            cls = self._owners.get(node.variable.function)
            return None if cls is None else [Type(cls.name, cls)]
        if isinstance(node, GlobalGet) and not node.name.assignments:
            return [Type("Option")] if node.name.name == "None" and "Option" in self.names else None
        if known_function(node) is not None:
            return [Type("Function")]
        value = only_value(node)
        return None if value is None else self._guarded(node, lambda: self.of(value))

    def _call(self, node: Call) -> list[Type] | None:
        cls = constructed(node)
        if cls is not None:
            return [Type(cls.name, cls, exact=True)]
        fn = node.callee if isinstance(node.callee, Fn) else known_function(node.callee)
        if fn is not None:
            return None if fn.function.generator else self._optional(fn.function.result)
        if isinstance(node.callee, GlobalGet) and not node.callee.name.assignments:
            name = _VARIANTS.get(node.callee.name.name)
            return [Type(name)] if name in self.names else None
        enum = variant_of(node.callee)
        return None if enum is None else [Type(enum[0].args[0].value, enum[0])]  # type: ignore[attr-defined]

    def _send(self, node: Send) -> list[Type] | None:
        fn = self.method(node.receiver, node.method)
        return None if fn is None or fn.function.generator else self._optional(fn.function.result)

    def _member(self, node: Member) -> list[Type] | None:
        enum = variant_of(node)
        if enum is not None:
            made, fields, _ = enum
            return None if fields else [Type(made.args[0].value, made)]  # type: ignore[attr-defined]
        return self._optional(self.field(node.object, node.key)) if isinstance(node.key, str) else None

    def _self_member(self, node: SelfMember) -> list[Type] | None:
        return self._optional(self.field(node.object, node.name))

    def _run(self, node: Run) -> list[Type] | None:
        if node.function == "check_variable":
            return self._optional(node.args[1])
        name = _RUNS.get(node.function)
        return None if name is None else [Type(name)]

    def _if(self, node: If) -> list[Type] | None:
        return _all(self.of(branch) for branch in (node.then, node.otherwise) if branch.mask)

    def _block(self, node: Block) -> list[Type] | None:
        return self.of(node.items[-1]) if node.items else None

    def _data(self, node: Quoted | Literal) -> list[Type] | None:
        encoded = node.encoded if isinstance(node, Quoted) else node.args[0]
        name = _MADE.get(encoded[1]) if encoded[0] == "x" else _DATA.get(encoded[0])
        return None if name is None else [Type(name)]


_LOOKS: dict[type, Callable[[Types, Any], list[Type] | None]] = {
    Array: lambda _types, _node: [Type("Array")],
    Block: Types._block,  # noqa: SLF001 - the table of what the class knows of each node
    Call: Types._call,  # noqa: SLF001
    Class: lambda _types, _node: [Type("Class")],
    Fn: lambda _types, _node: [Type("Function")],
    GlobalGet: Types._name,  # noqa: SLF001
    If: Types._if,  # noqa: SLF001
    Literal: Types._data,  # noqa: SLF001
    LocalGet: Types._name,  # noqa: SLF001
    Map: lambda _types, _node: [Type("Map")],
    Member: Types._member,  # noqa: SLF001
    Quoted: Types._data,  # noqa: SLF001
    Run: Types._run,  # noqa: SLF001
    SelfMember: Types._self_member,  # noqa: SLF001
    Send: Types._send,  # noqa: SLF001
}


def _all(found: Iterable[list[Type] | None]) -> list[Type] | None:
    """The types of several nodes together, if all are known."""
    together: list[Type] = []
    for each in found:
        if each is None:
            return None
        together += each
    return together


def is_made(node: Node | None, function: str) -> bool:
    """Whether a node is what a definition of this sort becomes."""
    return isinstance(node, Run) and node.function == function


def variant_of(node: Node) -> tuple[Run, tuple[str, ...], Node] | None:
    """The enum, the names of the fields, and what gives their types, of ``Enum/Variant``."""
    enum = only_value(node.object) if isinstance(node, Member) else None
    if not isinstance(node, Member) or not isinstance(enum, Run) or enum.function != "make_enum":
        return None
    variants, types = enum.args[1].value, enum.args[2:]  # type: ignore[attr-defined]
    for (name, fields), declared in zip(variants, types, strict=True):
        if name == node.key:
            return enum, fields, declared
    return None


# -- what passes -----------------------------------------------------------------------------------------


def may_pass(value: Type, wanted: Type) -> bool:
    """Whether a value of one type can be one of another, or is converted to it."""
    if value.definition is None:
        both_numbers = value.name in _NUMBERS and wanted.name in _NUMBERS
        return wanted.definition is None and (value.name == wanted.name or both_numbers)
    if value.definition is wanted.definition:
        return True
    if isinstance(value.definition, Class):
        return _may_be(value, value.definition, wanted)
    if is_made(value.definition, "make_interface"):  # it may be an instance of any class
        return isinstance(wanted.definition, Class) or is_made(wanted.definition, "make_interface")
    return False


def _may_be(value: Type, cls: Class, wanted: Type) -> bool:
    """Whether an instance of a class can pass; a class below it, or parents that are not known, may do so."""
    chain, complete = ancestry(cls)
    if is_made(wanted.definition, "make_enum"):
        return False
    if wanted.definition is None:
        return not complete and wanted.name not in CORE
    if isinstance(wanted.definition, Class):
        above, known = ancestry(wanted.definition)
        below = not value.exact and (cls in above or not known)
        return below or not complete or wanted.definition in chain
    if not value.exact or not complete:
        return True
    promised = [only_value(node) for each in chain for node in each.interfaces]
    return any(each is None or each is wanted.definition for each in promised)


def text(types: Iterable[Type]) -> str:
    """How messages write types: ``Int``, ``(Int | String)``."""
    names = sorted({each.name for each in types})
    return names[0] if len(names) == 1 else f"({' | '.join(names)})"
