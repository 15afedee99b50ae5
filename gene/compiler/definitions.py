"""The order in which a module makes its definitions: before all else, what others are made of first."""

from __future__ import annotations

from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import Gene

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

_DEFINING = frozenset({"fn", "class", "enum", "ns", "type", "object", "interface", "implement", "import"})
_MADE_OF_OTHERS = frozenset({"class", "ns", "type", "object", "implement"})
"""Definitions that look at what they mention when they are made: parents, interfaces, values of members."""
_LATER = frozenset({"fn", "method", "on_method_missing", "field", "ctor"})
"""Forms that mention what they need only when they are called."""


def in_order(forms: list[Any]) -> list[Any]:
    """The forms of a module in the order in which they run.

    After what ``$dep`` declares come the definitions, in the order in which they are written, but each after
    those that it needs: a class after its parent, a type after those that it consists of.
    """
    packages = [form for form in forms if type(form) is Gene and form.type == _PACKAGE]
    definitions = [form for form in forms if _is_definition(form)]
    makers: dict[str, list[Gene]] = {}
    for form in definitions:
        for name in _made(form):
            makers.setdefault(name, []).append(form)
    ordered: list[Any] = []
    seen: set[int] = set()

    def place(form: Gene) -> None:
        if id(form) not in seen:
            seen.add(id(form))
            for name in _needed(form):
                for maker in makers.get(name, ()):
                    place(maker)
            ordered.append(form)

    for form in definitions:
        place(form)
    first = {id(form) for form in (*packages, *ordered)}
    return [*packages, *ordered, *(form for form in forms if id(form) not in first)]


def _is_definition(form: Any) -> bool:
    """Whether a form defines something, and does not only look so: ``(type = 5)`` assigns a variable."""
    if type(form) is not Gene or type(form.type) is not Symbol or form.type.name not in _DEFINING:
        return False
    first = form.children[0] if form.children else None
    return type(first) is not Symbol or first.name != "="


def _made(form: Gene) -> Iterator[str]:
    """The names that a definition gives a meaning, or adds members to."""
    if form.type == _IMPORT:
        yield from (name.rpartition(":")[2].rpartition("/")[2] for name in _names(form.children))
    elif form.children and form.type != _IMPLEMENT:
        target = form.children[0]
        own = type(target) is PathSymbol and target.parts[0] in ("", "$ns")
        name = target.parts[1] if own else next(mentioned(target), "")
        yield name.partition(":")[0]


def _needed(form: Gene) -> Iterator[str]:
    """The names that must have their meaning before a definition is made."""
    yield from mentioned(form.children[:1])
    if form.type.name in _MADE_OF_OTHERS:
        later = _LATER - {"ctor"} if form.type.name == "object" else _LATER
        yield from mentioned(form.children[1:], later)


def mentioned(datum: Any, later: frozenset[str] = frozenset()) -> Iterator[str]:
    """The names that a datum mentions, or the first parts of its paths.

    Args:
        datum: The datum.
        later: Heads of forms that are left out.
    """
    return (name.removesuffix("...").partition("/")[0] for name in _names(datum, later))


def _names(datum: Any, later: frozenset[str] = _LATER) -> Iterator[str]:
    if type(datum) in (Symbol, PathSymbol):
        yield datum.name
    elif type(datum) is Gene:
        if type(datum.type) is not Symbol or datum.type.name not in later:
            yield from _names([datum.type, *datum.props.values(), *datum.children], later)
    elif isinstance(datum, list | dict):
        for each in datum.values() if isinstance(datum, dict) else datum:
            yield from _names(each, later)


_PACKAGE = Symbol("$dep")
_IMPORT = Symbol("import")
_IMPLEMENT = Symbol("implement")
