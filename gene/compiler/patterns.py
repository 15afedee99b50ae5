"""Patterns: what takes a value apart in declarations and loops, and what a ``when`` asks of it besides.

A pattern is a name; ``_``, which takes anything; an array of patterns, one of which may be ``rest...``; or
a map, ``{^key pattern ^^key ^... rest}``. In a ``when`` there are also variants of enums with a pattern for
each field, and anything else is a value to compare with, the true of ``^^key`` too, and in arrays and maps
the name of a variable that is there already: what has a value without patterns keeps it. Either way the names
get their values last, when all of the value has been taken apart: what does not fit changes nothing.
"""

from __future__ import annotations

from gene.compiler.nodes import Block, Const, Equal, LocalGet, Logic, Node, Run
from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import Gene, SpreadKey, Unquote, span_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer
    from gene.compiler.scope import Variable

BUILT_IN = frozenset({"Ok", "Err", "Some", "None"})
"""Variants that patterns name without their enum."""

_NO_NAMES = ("$", ":", "@")
"""How symbols start that mean a value wherever they stand."""


class Taking:
    """A value that is taken apart: first the steps, then the names.

    Attributes:
        steps: What takes the value apart. For a ``when``: the conditions, in order.
        names: The names with the nodes of their values.
    """

    def __init__(self, analyzer: Analyzer, *, matching: bool) -> None:
        self.analyzer = analyzer
        self.matching = matching
        self.steps: list[Node] = []
        self.names: list[tuple[str, Node]] = []
        self._held: list[Node] = []

    def take(self, form: Any, variable: Variable) -> None:
        """Take the value of a variable apart as a pattern says."""
        if isinstance(form, list) and _takes_apart(self, form):
            self._array(form, variable)
        elif isinstance(form, dict) and _takes_apart(self, form):
            self._map(form, variable)
        elif not self.matching:
            raise self.analyzer.error(
                "a pattern has names, arrays and maps in it, no values",
                form,
                hint="[a [b c] {^key d} rest...]",
            )
        elif is_variant_pattern(self.analyzer, form):
            self._variant(form, variable)
        else:
            self._compare(form, variable)

    def condition(self) -> Node:
        """All the steps of a ``when`` as one condition."""
        if self._held:
            self._ask(Const(self.analyzer.span, True))
        condition = self.steps[0]
        for step in self.steps[1:]:
            condition = Logic(self.analyzer.span, "&&", condition, step)
        return condition

    def _part(self, form: Any, value: Node) -> None:
        """Go on with a part: it gets its name, or is taken apart itself."""
        if not is_name(form):
            self.take(form, self._hold(value))
        elif form.name != "_":
            self.names.append((self._name(form), value))

    def _element(self, form: Any, value: Node) -> None:
        """Go on with an element of an array or an entry of a map, which in a ``when`` can be a variable."""
        if self.matching and is_name(form) and _is_variable(self.analyzer, form):
            self._compare(form, self._hold(value))
        else:
            self._part(form, value)

    def _name(self, form: Symbol) -> str:
        if form.name.endswith(":"):
            raise self.analyzer.error("a name in a pattern has no type", form, hint="(var n: Int x)")
        if form.name == "self":
            raise self.analyzer.error("self cannot be declared", form)
        return form.name

    def _hold(self, value: Node) -> Variable:
        made, variable = self.analyzer.temporary(value)
        (self._held if self.matching else self.steps).append(made)
        return variable

    def _ask(self, condition: Node) -> None:
        self.steps.append(Block(condition.span, [*self._held, condition]) if self._held else condition)
        self._held = []

    def _array(self, form: list[Any], variable: Variable) -> None:
        span = span_of(form) or self.analyzer.span
        forms, rest = self._elements(form)
        count = [Const(span, len(forms)), Const(span, rest)]
        if self.matching:
            self._ask(Run(span, "can_unpack", [LocalGet(span, variable), *count]))
        parts = self._hold(Run(span, "unpack", [LocalGet(span, variable), *count]))
        for position, item in enumerate(forms):
            self._element(item, Run(span, "item", [LocalGet(span, parts), Const(span, position)]))

    def _elements(self, form: list[Any]) -> tuple[list[Any], int]:
        """The patterns of an array, and the position of the one that takes the rest, or -1."""
        rests = [position for position, item in enumerate(form) if is_name(item) and _is_rest(item.name)]
        if len(rests) > 1:
            raise self.analyzer.error(
                "only one name can take the rest", form[rests[1]], hint="[first rest...]"
            )
        items = list(form)
        for position in rests:
            items[position] = Symbol(items[position].name.removesuffix("..."))
        return items, rests[0] if rests else -1

    def _map(self, form: dict[Any, Any], variable: Variable) -> None:
        span = span_of(form) or self.analyzer.span
        keys = tuple(key for key in form if isinstance(key, str))
        for key, item in form.items():
            rest = type(key) is SpreadKey
            function, wanted = ("unpack_rest", keys) if rest else ("unpack_key", key)
            if self.matching:
                self._ask(Run(span, f"can_{function}", [LocalGet(span, variable), Const(span, wanted)]))
            name = Symbol(key) if item is True and not self.matching else item
            self._element(name, Run(span, function, [LocalGet(span, variable), Const(span, wanted)]))

    def _variant(self, form: Gene, variable: Variable) -> None:
        span = span_of(form)
        head = self.analyzer.maybe(form.type)
        count = Const(span, len(form.children))
        self._ask(Run(span, "is_variant", [LocalGet(span, variable), head, count]))
        for index, field in enumerate(form.children):
            self._part(field, Run(span, "variant_field", [LocalGet(span, variable), Const(span, index)]))

    def _compare(self, form: Any, variable: Variable) -> None:
        span = span_of(form) or self.analyzer.span
        value = LocalGet(span, variable)
        if type(form) is Unquote:
            self._ask(Equal(span, value, self.analyzer.maybe(form.datum), False, False))
        elif is_variant_name(form):
            self._ask(Run(span, "matches_case", [value, self.analyzer.maybe(form)]))
        else:
            self._ask(Equal(span, value, self.analyzer.maybe(form), False, False))


def match(analyzer: Analyzer, form: Any, variable: Variable) -> tuple[Node, list[tuple[str, Node]]]:
    """The condition under which a variable's value matches the pattern of a ``when``, and what it names."""
    taking = Taking(analyzer, matching=True)
    taking.take(form, variable)
    return taking.condition(), taking.names


def is_name(form: Any) -> bool:
    """Whether a part of a pattern is a name to declare, or ``_``."""
    return type(form) is Symbol and form.name not in BUILT_IN and not form.name.startswith(_NO_NAMES)


def _is_variable(analyzer: Analyzer, form: Symbol) -> bool:
    known = analyzer.globals.get(form.name)
    return (
        analyzer.scope.find(form.name) is not None
        or form.name in analyzer.outer
        or (known is not None and known.declared)
    )


def _is_rest(name: str) -> bool:
    return name.endswith("...") and len(name) > 3


def _takes_apart(taking: Taking, form: Any) -> bool:
    """Whether an array or a map is a pattern: always in declarations, else if there is something to name."""
    return not taking.matching or _names_something(taking.analyzer, form)


def _names_something(analyzer: Analyzer, form: Any) -> bool:
    if isinstance(form, list):
        return any(_names_something(analyzer, item) for item in form)
    if isinstance(form, dict):
        spread = any(type(key) is SpreadKey for key in form)
        return spread or any(_names_something(analyzer, item) for item in form.values())
    if is_name(form):
        return not _is_variable(analyzer, Symbol(form.name.removesuffix("...") or form.name))
    return type(form) is Unquote or is_variant_pattern(analyzer, form)


def is_variant_pattern(analyzer: Analyzer, form: Any) -> bool:
    """Whether a ``when`` names a variant and its fields: ``(Shape/Rect w h)``, ``(Ok v)``.

    The enum may be unknown here, when it is imported. Then it is told from a call by its capital letter, and
    by names that nothing declares.
    """
    if type(form) is not Gene or form.props or form.frozen or type(form.type) not in (Symbol, PathSymbol):
        return False
    *path, name = form.type.name.split("/")
    known = name in analyzer.enums.get(path[-1], ()) or name[:1].isupper() if path else name in BUILT_IN
    capital = (path[-1] if path else name)[:1].isupper()
    return known or (capital and _names_something(analyzer, form.children))


def is_variant_name(form: Any) -> bool:
    """Whether a ``when`` may name a variant without its fields: ``Shape/Rect``, ``None``."""
    return type(form) is PathSymbol or (type(form) is Symbol and form.name in BUILT_IN)


def check_exhaustive(analyzer: Analyzer, patterns: list[Any], form: Gene) -> None:
    """Warn of a ``case`` without ``else`` over the variants of one enum that leaves some of them out."""
    heads = [pattern.type if type(pattern) is Gene else pattern for pattern in patterns]
    if not heads or not all(type(head) is PathSymbol and len(head.parts) == 2 for head in heads):
        return
    names = {head.parts[0] for head in heads}
    variants = analyzer.enums.get(heads[0].parts[0])
    if len(names) != 1 or variants is None:
        return
    handled = {head.parts[1] for head, pattern in zip(heads, patterns, strict=True) if _takes_all(pattern)}
    left = [variant for variant in variants if variant not in handled]
    if left:
        missing = ", ".join(f"{heads[0].parts[0]}/{variant}" for variant in left)
        analyzer.warn(f"this case does not handle {missing}; handle it, or add else", form)


def _takes_all(pattern: Any) -> bool:
    """Whether the pattern of a variant takes it whatever its fields are."""
    return type(pattern) is not Gene or all(is_name(field) for field in pattern.children)
