"""Freezing: deep copies of data that do not change."""

from __future__ import annotations

from gene.data.forms import NO_PROPS, Gene
from gene.data.frozen import FrozenArray, FrozenMap
from gene.data.kinds import FOREIGN, kind_of
from gene.runtime.classes import GeneClass, Instance
from gene.runtime.exceptions import TypeException

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any


def freeze(value: Any) -> Any:
    """A deep copy of a value that does not change; values that never change are returned as they are.

    Args:
        value: Any data; it may contain itself and be nested to any depth.

    Raises:
        TypeException: The value, or one inside it, can change and has no frozen form, such as an instance.
    """
    copies: dict[int, Any] = {}
    todo = [(value, False)]
    while todo:
        item, ready = todo.pop()
        if ready:
            _fill(item, copies)
        elif id(item) not in copies:
            made = copies[id(item)] = _empty_copy(item)
            if made is not item:
                todo.append((item, True))
                todo.extend((part, False) for part in _contents(item))
    return copies[id(value)]


def _empty_copy(value: Any) -> Any:
    if isinstance(value, list):
        return FrozenArray()
    if isinstance(value, dict):
        return FrozenMap()
    if isinstance(value, Gene):
        return Gene(None, NO_PROPS, FrozenArray(), value.source, value.start, value.end, frozen=True)
    make = getattr(type(value), "gene_frozen", None)
    if make is None:
        return _unchangeable(value)
    return make()


def _unchangeable(value: Any) -> Any:
    if isinstance(value, Instance) or (kind_of(value) is FOREIGN and not callable(value)):
        cls = type(value)
        what = cls.__gene__.name if isinstance(cls, GeneClass) else kind_of(value).tag
        raise TypeException(f"Cannot freeze {what}: only data can be frozen")
    return value


def _contents(value: Any) -> list[Any]:
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, Gene):
        return [value.type, value.props, *value.children]
    contents: list[Any] = value.gene_contents()
    return contents


def _fill(source: Any, copies: dict[int, Any]) -> None:
    """Fill a frozen copy past its own refusals, which the base classes do not know."""
    copy = copies[id(source)]
    if isinstance(copy, FrozenArray):
        list.extend(copy, [copies[id(item)] for item in source])
    elif isinstance(copy, FrozenMap):
        dict.update(copy, {key: copies[id(item)] for key, item in source.items()})
    elif isinstance(copy, Gene):
        copy.type = copies[id(source.type)]
        copy.props = copies[id(source.props)]
        list.extend(copy.children, [copies[id(item)] for item in source.children])
    else:
        copy.gene_fill([copies[id(item)] for item in source.gene_contents()])
