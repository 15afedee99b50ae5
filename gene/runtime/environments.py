"""Environments: evaluating data where it was written, with the variables of that place."""

from __future__ import annotations

from gene.data.atoms import VOID, PathSymbol, Symbol
from gene.data.forms import Gene, SpreadKey, Unquote
from gene.runtime.calls import spread, spread_map
from gene.runtime.exceptions import ArgumentException, GeneException
from gene.runtime.quoting import decode, is_unchanged

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from gene.data.source import Source
    from gene.runtime.namespaces import Namespace

    Accessors = dict[str, tuple[Callable[[], Any], Callable[[Any], None] | None]]


class Environment:
    """A place in a program whose variables can be read and assigned by name.

    Attributes:
        module: The module that the place is in.
        outer: The environment that this one's code was itself evaluated in, or None.
        top: Whether it is the top level of the module, where definitions become members.
        data: What a macro was given that is called at this place.
        encoded: How that is encoded there.
        evaluators: The functions that evaluate it, None for what is no code.
        values: Values that the evaluated code holds although no literal writes them, such as functions.
    """

    __slots__ = (
        "_accessors",
        "_make",
        "_spaces",
        "data",
        "encoded",
        "evaluators",
        "module",
        "outer",
        "top",
        "values",
    )

    def __init__(
        self,
        module: Any,
        make: Callable[[], Accessors],
        outer: Environment | None,
        top: bool,  # noqa: FBT001 - compiled code passes it
        *spaces: Namespace,
    ) -> None:
        self.module = module
        self.outer = outer
        self.top = top
        self.data: Sequence[Any] = ()
        self.values: Sequence[Any] = ()
        self._make = make
        self._spaces = spaces
        self._accessors: Accessors | None = None
        self.encoded: tuple[Any, ...]
        self.evaluators: tuple[Callable[[], Any] | None, ...]

    @property
    def accessors(self) -> Accessors:
        """The functions that read and assign each variable, by name."""
        if self._accessors is None:
            made = {} if self.outer is None else dict(self.outer.accessors)
            for space in self._spaces:
                made.update((name, _member(space, name)) for name in space.members)
            self._accessors = {**made, **self._make()}
        return self._accessors

    def evaluate(self, datum: Any, *, local: bool) -> Any:
        """The value of a datum at this place.

        Args:
            datum: The datum; what is no code is its own value.
            local: Whether what it defines is its own; otherwise that becomes members of the module.
        """
        if type(datum) in _SELF_EVALUATING:
            return datum
        interpreter = self.module.members["__builtins__"]["%gene"]
        return interpreter.evaluate(datum, self, local=local)

    def holding(self, values: Sequence[Any]) -> Environment:
        """The same place for code that holds these values."""
        made = Environment(self.module, dict, self, self.top)
        made.values = values
        return made

    def get(self, name: str) -> Any:
        """The value of a variable."""
        return self.accessors[name][0]()

    def set(self, name: str, value: Any) -> Any:
        """Assign a variable."""
        write = self.accessors[name][1]
        if write is None:
            raise GeneException(f"Cannot reassign 'let' binding '{name}'")
        write(value)
        return value


_SELF_EVALUATING = frozenset({type(None), bool, int, float, str, type(VOID)})


def _member(space: Namespace, name: str) -> tuple[Callable[[], Any], Callable[[Any], None]]:
    """The accessors of a member of a namespace."""
    return lambda: space.get(name), lambda value: space.set(name, value)


def evaluate(environment: Environment, *data: Any) -> Any:
    """The value of the last of some data."""
    value = None
    for datum in data:
        value = environment.evaluate(datum, local=not environment.top)
    return value


def caller_evaluate(environment: Environment, datum: Any) -> Any:
    """The value of a datum where a macro was called; what it defines there does not survive.

    What was written there and has not changed since is code there already.

    Raises:
        GeneException: The macro was called as a function.
    """
    if environment is None:
        raise GeneException("$caller_eval has no caller: the macro was called as a function")
    number = 0
    for each in environment.data:
        if each is datum:
            evaluator = environment.evaluators[number]
            untouched = type(datum) is Gene and datum.pending is not None
            if evaluator is not None and (untouched or is_unchanged(datum, environment.encoded[number])):
                return evaluator()
            break
        number += 1  # noqa: SIM113 - three times as fast as enumerate for so few
    return environment.evaluate(datum, local=True)


def environment_value(environment: Environment, index: int) -> Any:
    """A value that evaluated code holds."""
    return environment.values[index]


def environment_get(environment: Environment, name: str) -> Any:
    """The value of a variable of the place that evaluated code belongs to."""
    return environment.get(name)


def environment_set(environment: Environment, name: str, value: Any) -> Any:
    """Assign a variable of the place that evaluated code belongs to."""
    return environment.set(name, value)


def call_macro(
    callee: Any,
    environment: Environment,
    encoded: tuple[Any, ...],
    source: Source,
    thunks: tuple[Callable[[], Any] | None, ...],
    names: tuple[str, ...],
) -> Any:
    """Call a macro with its arguments as data; call anything else with their values."""
    defaults = getattr(callee, "__kwdefaults__", None)
    if defaults is None or "%caller" not in defaults:
        values, named = _values(environment, encoded, source, thunks, names)
        return callee(*values, **named)
    evaluated = defaults.get("%evaluators", ())
    args: list[Any] = []
    number = 0
    for each in encoded:
        if number in evaluated:
            args.append(thunks[number] or _evaluator(environment, each, source))
        else:
            args.append(decode(each, source))
        number += 1  # noqa: SIM113 - as above
    environment.data, environment.encoded, environment.evaluators = tuple(args), encoded, thunks
    keywords = {"%caller": environment}
    if names:
        if "..." in names:
            raise ArgumentException("^... in the call of a macro spreads nothing: its arguments are data")
        first = len(args) - len(names)
        keywords.update(zip(names, args[first:], strict=True))
        del args[first:]
    return callee(*args, **keywords)


def _values(
    environment: Environment,
    encoded: tuple[Any, ...],
    source: Source,
    thunks: tuple[Callable[[], Any] | None, ...],
    names: tuple[str, ...],
) -> tuple[list[Any], dict[str, Any]]:
    """The arguments for what is no macro: each one's value, or what a function gives that does spreads."""
    whole = thunks[-1] if len(thunks) > len(encoded) else None
    if whole is not None:
        args, keywords = whole()
        return args, keywords
    values = [
        environment.evaluate(decode(each, source), local=True) if thunk is None else thunk()
        for each, thunk in zip(encoded, thunks, strict=False)
    ]
    first = len(encoded) - len(names)
    return values[:first], dict(zip(names, values[first:], strict=True))


def _evaluator(environment: Environment, encoded: Any, source: Source) -> Callable[[], Any]:
    """What evaluates data that is no code as it was written; it may be an error."""
    return lambda: environment.evaluate(decode(encoded, source), local=True)


def make_gene(head: Any, props: dict[str, Any], children: list[Any], frozen: bool) -> Gene:  # noqa: FBT001 - compiled code passes it
    """A gene made of its parts."""
    return Gene(head, props or None, children, frozen=frozen)


def render(environment: Environment, template: Any) -> Any:
    """A copy of a template with the value of each unquoted datum in its place."""
    kind = type(template)
    if kind is Unquote:
        return None if template.discard else environment.evaluate(template.datum, local=True)
    if kind is Gene:
        children = _items(environment, template.children)
        props = _entries(environment, template.props)
        return Gene(render(environment, template.type), props or None, children, frozen=template.frozen)
    if isinstance(template, list):
        return _like(template, _items(environment, template))
    if isinstance(template, dict):
        return _like(template, _entries(environment, template))
    if kind is Symbol:
        return Symbol(template.name, template.source, template.start, template.end)
    if kind is PathSymbol:
        return PathSymbol(template.parts, template.source, template.start, template.end)
    fill = getattr(kind, "gene_fill", None)
    return template if fill is None else kind(*_items(environment, template.gene_contents()))


def _like(template: Any, made: Any) -> Any:
    """The copy of a template, frozen where the template is."""
    return type(template)(made) if getattr(template, "frozen", False) else made


def _items(environment: Environment, items: list[Any]) -> list[Any]:
    made: list[Any] = []
    for position, item in enumerate(items):
        spread_name = spliced(item)
        if splices(items, position):
            made[-1:] = spread(made[-1])
        elif spread_name is not None:
            made += spread(environment.evaluate(spread_name, local=True))
        elif type(item) is not Unquote or not item.discard:
            made.append(render(environment, item))
    return made


def spliced(item: Any) -> Any:
    """The name xs of ``%xs...`` among the items of a template; None for anything else."""
    datum = item.datum if type(item) is Unquote else None
    if type(datum) is Symbol and datum.name.endswith("...") and len(datum.name) > 3:
        return Symbol(datum.name[:-3], datum.source, datum.start, datum.end - 3)
    return None


def splices(items: list[Any], position: int) -> bool:
    """Whether an item of a template is the dots of ``%(f)...``, which splice the value before them."""
    item, before = items[position], items[position - 1] if position else None
    if type(item) is not Symbol or item.name != "..." or type(before) is not Unquote:
        return False
    return not before.discard and spliced(before) is None


def _entries(environment: Environment, entries: dict[Any, Any]) -> dict[Any, Any]:
    made: dict[Any, Any] = {}
    for key, value in entries.items():
        unquoted = type(value) is Unquote
        if type(key) is not SpreadKey:
            if not unquoted or not value.discard:
                made[key] = render(environment, value)
        elif unquoted:
            made.update(spread_map(environment.evaluate(value.datum, local=True)))
        else:
            made[SpreadKey()] = render(environment, value)
    return made
