"""What is known of a source before it runs: the types of values and of declarations.

The flow analysis knows the kinds of values; here they get names, and declarations, classes and enums of the
source are added. What is not certain is None, and nothing is concluded from it.
"""

from __future__ import annotations

from gene.compiler.calls import known_function
from gene.compiler.known import ancestry, constructed, is_made, method_of, only_value, variant_of
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
from gene.compiler.static_types import BUILT_IN, CORE, Type

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from gene.compiler.analyzer import Analyzer
    from gene.compiler.scope import Function, Global, Variable

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


class Types:
    """What the types of an analysed source are.

    Attributes:
        names: The types of the language that are known by name.
        owners: The class that each method or constructor is of.
    """

    def __init__(self, analyzer: Analyzer) -> None:
        self.names = CORE if analyzer.interactive else BUILT_IN
        self._looking: set[Global | Variable] = set()
        self.owners: dict[Function, Class] = {}
        self._replaced: set[tuple[Class, str]] = set()
        for cls, _ in analyzer.classes:
            for name, fn in [*cls.methods, *([("", cls.constructor)] if cls.constructor else [])]:
                self.owners[fn.function] = cls
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
        return self.guarded(node, lambda: self.declared(value))  # the name of another type

    def optional(self, node: Node | None) -> list[Type] | None:
        """The types of what is declared so and may be nil."""
        found = self.declared(node)
        return None if found is None else [*found, Type("Nil")]

    def guarded(self, node: GlobalGet | LocalGet, look: Callable[[], list[Type] | None]) -> list[Type] | None:
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


# -- what each kind of node says ------------------------------------------------------------------------


def _name(types: Types, node: GlobalGet | LocalGet) -> list[Type] | None:
    name = node.name if isinstance(node, GlobalGet) else node.variable
    if name.type is not None:
        return types.optional(name.type)
    if isinstance(node, LocalGet) and node.variable is node.variable.function.receiver:
        cls = types.owners.get(node.variable.function)
        return None if cls is None else [Type(cls.name, cls)]
    if isinstance(node, GlobalGet) and not node.name.assignments:
        return [Type("Option")] if node.name.name == "None" and "Option" in types.names else None
    if known_function(node) is not None:
        return [Type("Function")]
    value = only_value(node)
    return None if value is None else types.guarded(node, lambda: types.of(value))


def _call(types: Types, node: Call) -> list[Type] | None:
    cls = constructed(node)
    if cls is not None:
        return [Type(cls.name, cls, exact=True)]
    fn = node.callee if isinstance(node.callee, Fn) else known_function(node.callee)
    if fn is not None:
        return _result(types, fn.function)
    if isinstance(node.callee, GlobalGet) and not node.callee.name.assignments:
        name = _VARIANTS.get(node.callee.name.name)
        return [Type(name)] if name in types.names else None
    enum = variant_of(node.callee)
    return None if enum is None else [Type(enum[0].args[0].value, enum[0])]  # type: ignore[attr-defined]


def _send(types: Types, node: Send) -> list[Type] | None:
    fn = types.method(node.receiver, node.method)
    return None if fn is None else _result(types, fn.function)


def _result(types: Types, function: Function) -> list[Type] | None:
    return [Type("Generator")] if function.generator else types.optional(function.result)


def _member(types: Types, node: Member) -> list[Type] | None:
    enum = variant_of(node)
    if enum is not None:
        made, fields, _ = enum
        return None if fields else [Type(made.args[0].value, made)]  # type: ignore[attr-defined]
    return types.optional(types.field(node.object, node.key)) if isinstance(node.key, str) else None


def _self_member(types: Types, node: SelfMember) -> list[Type] | None:
    return types.optional(types.field(node.object, node.name))


def _run(types: Types, node: Run) -> list[Type] | None:
    if node.function == "check_variable":
        return types.optional(node.args[1])
    name = _RUNS.get(node.function)
    return None if name is None else [Type(name)]


def _if(types: Types, node: If) -> list[Type] | None:
    return _all(types.of(branch) for branch in (node.then, node.otherwise) if branch.mask)


def _block(types: Types, node: Block) -> list[Type] | None:
    return types.of(node.items[-1]) if node.items else None


def _data(_types: Types, node: Quoted | Literal) -> list[Type] | None:
    encoded = node.encoded if isinstance(node, Quoted) else node.args[0]
    name = _MADE.get(encoded[1]) if encoded[0] == "x" else _DATA.get(encoded[0])
    return None if name is None else [Type(name)]


_LOOKS: dict[type, Callable[[Types, Any], list[Type] | None]] = {
    Array: lambda _types, _node: [Type("Array")],
    Block: _block,
    Call: _call,
    Class: lambda _types, _node: [Type("Class")],
    Fn: lambda _types, _node: [Type("Function")],
    GlobalGet: _name,
    If: _if,
    Literal: _data,
    LocalGet: _name,
    Map: lambda _types, _node: [Type("Map")],
    Member: _member,
    Quoted: _data,
    Run: _run,
    SelfMember: _self_member,
    Send: _send,
}


def _all(found: Iterable[list[Type] | None]) -> list[Type] | None:
    """The types of several nodes together, if all are known."""
    together: list[Type] = []
    for each in found:
        if each is None:
            return None
        together += each
    return together
