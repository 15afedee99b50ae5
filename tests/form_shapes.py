"""Forms as plain data, to be compared: equality of forms is identity for genes, and takes 1 for true."""

from __future__ import annotations

from typing import Any

from gene.data.atoms import Char, PathSymbol, Symbol
from gene.data.forms import ArrayForm, Gene, HashMapForm, MapForm, Quote, SpreadKey, Unquote
from gene.reader import read_all


def shape(form: Any) -> Any:
    """What a form is and holds, without where it was read."""
    if isinstance(form, Symbol):
        return ("symbol", form.name)
    if isinstance(form, PathSymbol):
        return ("path", *form.parts)
    if isinstance(form, Gene):
        children = [shape(child) for child in form.children]
        return ("gene", form.frozen, shape(form.type), entries(form.props), children)
    if isinstance(form, HashMapForm):
        return ("hash map", form.frozen, [shape(item) for item in form])
    if isinstance(form, ArrayForm):
        return ("array", form.frozen, [shape(item) for item in form])
    if isinstance(form, MapForm):
        return ("map", form.frozen, entries(form))
    if isinstance(form, Quote):
        return ("quote", shape(form.datum))
    if isinstance(form, Unquote):
        return ("unquote", form.discard, shape(form.datum))
    if isinstance(form, Char):
        return ("char", form.value)
    return (type(form).__name__, repr(form))


def entries(props: dict[Any, Any]) -> list[Any]:
    """The entries of a map or of properties, in order."""
    return [("..." if isinstance(key, SpreadKey) else key, shape(value)) for key, value in props.items()]


def shapes(text: str) -> list[Any]:
    """The shapes of all data of a text."""
    return [shape(form) for form in read_all(text)]


def sub_forms(form: Any) -> list[Any]:
    """A form and all forms in it, the outer before the inner."""
    found, todo = [], [form]
    while todo:
        form = todo.pop()
        found.append(form)
        if isinstance(form, Gene):
            todo += [form.type, *form.props.values(), *form.children]
        elif isinstance(form, dict):
            todo += form.values()
        elif isinstance(form, list):
            todo += form
        elif isinstance(form, Quote | Unquote):
            todo.append(form.datum)
    return found
