"""Environments: evaluating data where it was written, with the variables of that place."""

from __future__ import annotations

from gene.data.atoms import VOID, PathSymbol, Symbol
from gene.data.forms import Gene, SpreadKey, Unquote
from gene.runtime.exceptions import GeneException

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Accessors = dict[str, tuple[Callable[[], Any], Callable[[Any], None] | None]]


class Environment:
    """A place in a program whose variables can be read and assigned by name.

    Attributes:
        module: The module that the place is in.
        outer: The environment that this one's code was itself evaluated in, or None.
        thunks: Data that was written at this place, by identity, with what evaluates it.
    """

    __slots__ = ("_accessors", "_make", "module", "outer", "thunks")

    def __init__(self, module: Any, make: Callable[[], Accessors], outer: Environment | None) -> None:
        self.module = module
        self.outer = outer
        self.thunks: dict[int, tuple[Any, Callable[[], Any]]] = {}
        self._make = make
        self._accessors: Accessors | None = None

    @property
    def accessors(self) -> Accessors:
        """The functions that read and assign each variable, by name."""
        if self._accessors is None:
            made = self._make()
            self._accessors = {**self.outer.accessors, **made} if self.outer is not None else made
        return self._accessors

    def evaluate(self, datum: Any) -> Any:
        """The value of a datum at this place."""
        known = self.thunks.get(id(datum))
        if known is not None and known[0] is datum:
            return known[1]()
        if type(datum) in _SELF_EVALUATING:
            return datum
        interpreter = self.module.members["__builtins__"]["%gene"]
        return interpreter.evaluate(datum, self)

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


def evaluate(environment: Environment, *data: Any) -> Any:
    """The value of the last of some data."""
    value = None
    for datum in data:
        value = environment.evaluate(datum)
    return value


def environment_get(environment: Environment, name: str) -> Any:
    """The value of a variable of the place that evaluated code belongs to."""
    return environment.get(name)


def environment_set(environment: Environment, name: str, value: Any) -> Any:
    """Assign a variable of the place that evaluated code belongs to."""
    return environment.set(name, value)


def call_macro(
    callee: Any,
    environment: Environment,
    data: tuple[Any, ...],
    thunks: tuple[Any, ...],
    names: tuple[str, ...],
) -> Any:
    """Call a macro with its arguments as data; call anything else with their values."""
    first = len(data) - len(names)
    defaults = getattr(callee, "__kwdefaults__", None) or ()
    if "%caller" not in defaults:
        keywords = {name: thunk() for name, thunk in zip(names, thunks[first:], strict=True)}
        return callee(*[thunk() for thunk in thunks[:first]], **keywords)
    environment.thunks.update((id(datum), (datum, thunk)) for datum, thunk in zip(data, thunks, strict=True))
    keywords = dict(zip(names, data[first:], strict=True))
    return callee(*data[:first], **keywords, **{"%caller": environment})


def make_gene(head: Any, props: dict[str, Any], children: list[Any]) -> Gene:
    """A gene made of its parts."""
    return Gene(head, props or None, children)


def render(environment: Environment, template: Any) -> Any:
    """A copy of a template with the value of each unquoted datum in its place."""
    if type(template) is Unquote:
        return environment.evaluate(template.datum)
    if type(template) is Gene:
        props = {_key(key): render(environment, value) for key, value in template.props.items()}
        children = _items(environment, template.children)
        return Gene(render(environment, template.type), props or None, children, frozen=template.frozen)
    if isinstance(template, list):
        return _items(environment, template)
    if isinstance(template, dict):
        return {_key(key): render(environment, value) for key, value in template.items()}
    if type(template) is Symbol:
        return Symbol(template.name, template.source, template.start, template.end)
    if type(template) is PathSymbol:
        return PathSymbol(template.parts, template.source, template.start, template.end)
    return template


def _items(environment: Environment, items: list[Any]) -> list[Any]:
    kept = [item for item in items if not (type(item) is Unquote and item.discard)]
    return [render(environment, item) for item in kept]


def _key(key: Any) -> Any:
    return SpreadKey() if type(key) is SpreadKey else key
