"""From forms to nodes: what each form means.

How a parenthesised form is decided is the heart of the language; :meth:`Analyzer.gene` asks the questions
in the language's own order. What a special word means stands in the tables of :mod:`gene.compiler.specials`.
"""

from __future__ import annotations

from gene.compiler import calls, infix, paths
from gene.compiler.errors import CompileWarning, GeneCompileError
from gene.compiler.names import Names
from gene.compiler.nodes import (
    Array,
    Block,
    Builtin,
    Call,
    Class,
    Const,
    Fn,
    LocalGet,
    LocalSet,
    Map,
    Node,
    Run,
    Send,
    Spread,
)
from gene.compiler.quoting import is_hash_map, is_literal, literal, quote
from gene.compiler.scope import Function, Global, Scope, Variable
from gene.data.atoms import NOT_FOUND, VOID, PathSymbol, Symbol
from gene.data.forms import ArrayForm, Gene, HashMapForm, MapForm, Quote, SpreadKey, Unquote, span_of
from gene.data.kinds import kind_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from gene.data.source import Source, Span

_CONSTANTS = (type(None), bool, int, float, str)


class Analyzer(Names):
    """Turns the forms of one source into nodes.

    Attributes:
        source: The source, for errors.
        forms: The forms of the top level, by identity.
        interactive: Whether later sources may redefine what this one defines, as in a REPL.
        warnings: What the program's author should know.
        functions: All functions, inner ones before those around them.
        calls: All calls with their forms.
        sends: All method calls with their forms, and the classes that they are in.
        inside: The class around, or None.
        operators: The operators that stand where a value should, unless the module gives them one.
        constants: The names that ``let`` declared in what the module has run before.
        assigned: The names of the module that are assigned, each with the form of the name.
        quoted: Those that arguments of macros assign, which may be data: each with the functions that
            evaluate the arguments of the call, and the position of this one.
        labels: The loops around the form being analysed, with the functions that they are in.
        type_names: Names that stand for any type, in generic functions.
        properties: The properties of self that the class around names; None where self is of any class.
        exports: The names that the module offers for import.
        heads: The global names that paths start from.
        enums: The variants of the enums that the source defines, by the enum's name.
        classes: The classes that the source defines, with their forms.
        typed: Whether the source declares the type of anything.
        members: What the source defines in each namespace, by the namespace's path.
        environment: The variable that holds that place, or None.
        values: The number of each value in evaluated code that no literal writes, by identity.
    """

    def __init__(
        self,
        source: Source,
        *,
        interactive: bool = False,
        outer: frozenset[str] | None = None,
        local: bool = False,
        values: Sequence[Any] = (),
    ) -> None:
        super().__init__(outer or frozenset())
        self.source = source
        self.forms: frozenset[int] = frozenset()
        self.interactive = interactive
        self.warnings: list[CompileWarning] = []
        self.span: Span | None = None
        self.functions: list[Fn] = []
        self.calls: list[tuple[Call, Gene]] = []
        self.sends: list[tuple[Send, Any, Class | None]] = []
        self.inside: Class | None = None
        self.operators: list[Symbol] = []
        self.constants: frozenset[str] = frozenset()
        self.assigned: list[tuple[Global, Symbol]] = []
        self.quoted: list[tuple[Global, list[Node], int]] = []
        self.labels: list[tuple[Function, str | None]] = []
        self.type_names: frozenset[str] = frozenset()
        self.properties: dict[str, None] | None = {}
        self.exports: dict[str, None] = {}
        self.heads: dict[str, None] = {}
        self.enums: dict[str, list[str]] = {}
        self.classes: list[tuple[Class, Gene]] = []
        self.typed = False
        self.members: dict[str, dict[str, None]] = {}
        self.environment: Variable | None = None
        self.values: dict[int, int] = {id(value): number for number, value in enumerate(values)}
        if outer is not None:
            self.environment = self.declare_own("%place")
        if local:
            self.scope = Scope(self.top, self.scope)

    # -- forms ---------------------------------------------------------------------------------------

    def node(self, form: Any) -> Node:
        """The node of any form."""
        kind = type(form)
        if kind is Gene:
            return self.gene(form)
        if kind is Symbol:
            return self.symbol(form)
        if kind in _CONSTANTS:
            return Const(self.span, form)
        if kind is PathSymbol:
            return paths.read(self, form)
        if isinstance(form, HashMapForm):
            maker = "frozen_hash_map" if getattr(form, "frozen", False) else "hash_map"
            return Run(span_of(form), maker, self.items(form))
        if isinstance(form, list):
            return Array(span_of(form) or self.span, self.items(form), getattr(form, "frozen", False))
        if isinstance(form, dict):
            return self.map(form)
        if kind is Quote:
            return quote(form.datum, span_of(form))
        if form is VOID or form is NOT_FOUND:
            return Builtin(self.span, repr(form))
        if kind is Unquote:
            raise self.error("an unquote has a meaning only inside of $render", form)
        return literal(form, self.span) if is_literal(form) else self.held(form)

    def held(self, value: Any) -> Node:
        """The node of a value that a program put into code: a hash map, or what no literal writes."""
        if is_hash_map(value):
            maker = "frozen_hash_map" if value.frozen else "hash_map"
            return Run(self.span, maker, self.items(value.gene_contents()))
        if id(value) not in self.values:
            raise self.error(f"code cannot hold {kind_of(value).tag} here")
        place, index = self.read("%place", self.span), Const(self.span, self.values[id(value)])
        return Run(self.span, "environment_value", [place, index])

    def gene(self, form: Gene) -> Node:
        """The node of a form in parentheses, decided in the order of the language."""
        outer, self.span = self.span, span_of(form) or self.span
        try:
            return self._decide(form)
        finally:
            self.span = outer

    def _decide(self, form: Gene) -> Node:
        head, children = form.type, form.children
        first = children[0] if children else None
        word = head.name if type(head) is Symbol else None
        name = first.name if type(first) is Symbol else None
        if name == "..":
            return calls.build_range(self, form)
        if not children and not form.props and (head is None or isinstance(head, int | float)):
            return Const(self.span, head)
        if word == "super":
            return calls.super_call(self, form)
        if form.frozen or type(head) is Quote or (word == "_" and name != "->"):
            return calls.build_gene(self, form)
        if name in infix.PRECEDENCE and word not in infix.NOT_OPERANDS:
            return infix.analyse(self, form)
        if name == ".":
            return calls.computed_send(self, form)
        if calls.is_method(first):
            return calls.send(self, form)
        if word is not None:
            if word in infix.PREFIX:
                return infix.prefix(self, form)
            if word.startswith(".") and len(word) > 1 and word != "...":
                return calls.self_send(self, form)
        if name in infix.ASSIGNMENTS:
            return infix.assign(self, form)
        if name == "?" and len(children) == 1:
            from gene.compiler.specials.enums import unwrap

            return unwrap(self, form)
        if name == "->" or word == "->":
            return calls.block_function(self, form)
        if word is not None:
            from gene.compiler.specials import handler

            special = handler(word)
            if special is not None and (self.scope.find(word) is None or word in infix.NOT_OPERANDS):
                return special(self, form)
        if name == "|":
            from gene.compiler.types import type_value

            return type_value(self, form)
        if _is_literal(head):
            return calls.build_gene(self, form)
        return calls.call(self, form)

    def symbol(self, form: Symbol) -> Node:
        """The node of a name."""
        name, span = form.name, span_of(form) or self.span
        if name.startswith("$") and len(name) > 1:
            return self.dollar(name, span)
        if name == "self":
            return self.self_node(span)
        if name.startswith("@") and len(name) > 1:
            return paths.selector(self, (name,), span)
        if name.startswith(":") and len(name) > 1 and not self.is_known(name):
            return quote(form, span)
        if name in infix.PRECEDENCE and self.scope.find(name) is None:
            self.operators.append(form)
        return self.read(name, span)

    def dollar(self, name: str, span: Span | None) -> Node:
        """The node of a name that starts with a dollar sign."""
        if name == "$ns" and self.space is not None:
            self.mention(self.space[0])
            return LocalGet(span, self.space[0])
        if name == "$ns":
            return self.internal("%ns", span)
        if name == "$pkg":
            return Run(span, "package", [self.internal("%ns", span)])
        if name == "$ex":
            caught = self.scope.find("$ex")
            return Run(span, "current_exception", []) if caught is None else self.read("$ex", span)
        return Run(span, "dollar", [Const(span, name)])

    def items(self, forms: Sequence[Any]) -> list[Node]:
        """The nodes of elements or arguments; ``xs...`` and ``(f)...`` become spreads."""
        made: list[Node] = []
        for form in forms:
            if type(form) is Symbol and form.name == "...":
                if not made or type(made[-1]) is Spread:
                    raise self.error("... follows what it spreads", form, hint="[xs... (f)...]")
                made[-1] = Spread(made[-1].span, made[-1])
            else:
                made.append(calls.argument(self, form))
        return made

    def map(self, form: dict[Any, Any]) -> Node:
        """The node of a map literal."""
        outer, self.span = self.span, span_of(form) or self.span
        frozen = getattr(form, "frozen", False)
        made = Map(self.span, self.entries(form), frozen)
        self.span = outer
        return made

    def entries(self, props: dict[Any, Any]) -> list[tuple[str | None, Node]]:
        """Pairs of a key, None for a spread map, and a node."""
        return [(None if type(key) is SpreadKey else key, self.node(value)) for key, value in props.items()]

    def body(self, forms: Sequence[Any]) -> Node:
        """The node of forms in order. Functions that they name can mention each other."""
        for form in forms:
            self._announce(form)
        nodes = [self.node(form) for form in forms]
        return nodes[0] if len(nodes) == 1 else Block(self.span, nodes)

    def _announce(self, form: Any) -> None:
        """Declare what a ``fn`` form names, so that functions of one block can call each other."""
        if self.at_top() or type(form) is not Gene or type(form.type) is not Symbol:
            return
        if form.type.name == "fn" and form.children and type(form.children[0]) is Symbol:
            name = form.children[0].name.partition(":")[0]
            if name not in self.scope.names:
                self.declare(name).ready = False

    # -- what else the source says -------------------------------------------------------------------

    def export(self, name: str) -> None:
        """Note that the module offers a member for import."""
        self.exports[name] = None

    def note_property(self, name: str) -> None:
        """Note that the class around names a property of self."""
        if self.properties is not None:
            self.properties[name] = None

    # -- blocks --------------------------------------------------------------------------------------

    def scoped(self, forms: Sequence[Any], *, looped: bool = False) -> Node:
        """The node of forms in a block of their own."""
        with self.block(looped=looped):
            return self.opened(self.body(forms))

    def opened(self, body: Node) -> Node:
        """The body of the current block. What may be read in it before it is assigned is nil at first."""
        made: list[Node] = []
        for variable in self.scope.names.values():
            if variable.unset and variable.looped:
                variable.assignments += 1
                made.append(LocalSet(self.span, variable, Const(self.span, None), True))
        return Block(self.span, [*made, body]) if made else body

    def maybe(self, form: Any) -> Node:
        """The node of a form that is not always evaluated although what follows it is."""
        self.function.unsure += 1
        made = self.node(form)
        self.function.unsure -= 1
        return made

    # -- faults --------------------------------------------------------------------------------------

    def error(self, message: str, form: Any = None, hint: str | None = None) -> GeneCompileError:
        """The error to raise for a form."""
        return GeneCompileError(message, span_of(form) or self.span, hint)

    def warn(self, message: str, form: Any = None) -> None:
        """Note something that is legal and probably not meant."""
        self.warnings.append(CompileWarning(message, span_of(form) or self.span))

    def unchecked(self, form: Gene, what: str) -> None:
        """Warn of a contract where nothing checks it."""
        if form.props.keys() & {"pre", "post"}:
            self.warn(f"{what} has no contract: ^pre and ^post belong to functions and methods", form)

    def ignored(self, forms: Sequence[Any], what: str) -> None:
        """Warn of forms that the language ignores."""
        if forms:
            self.warn(
                f"{what} takes one value and ignores what follows; an operator needs parentheses of its own",
                forms[0],
            )


def _is_literal(head: Any) -> bool:
    """Whether a head is a literal, which with children makes data and never calls."""
    return isinstance(head, int | float | str | ArrayForm | MapForm) and not isinstance(head, bool)
