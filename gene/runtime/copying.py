"""Deep copies of data that is handed from one actor to another, so that they share nothing that changes.

What is frozen all the way down is shared instead. So is what is no data: functions, futures, actors, streams,
exceptions, quoted code. Instances of classes that Gene code defines are copied with their properties.

No function here recurses, because data may be nested deeper than the stack.
"""

from __future__ import annotations

from gene.data.forms import NO_PROPS, ArrayForm, Gene, HashMapForm, MapForm
from gene.data.frozen import FrozenArray, FrozenMap
from gene.runtime.classes import Instance, allocate
from gene.runtime.enums import EnumValue

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any


def copied(value: Any) -> Any:
    """A deep copy of a value; the value itself where nothing in it can change.

    Args:
        value: Any value; data in it may contain itself and be nested to any depth.
    """
    order, parents = _explore(value)
    changing = _changing(order, parents)
    if id(value) not in changing:
        return value
    copies = {key: _empty(item) for key, item in order.items() if key in changing}
    for key, copy in copies.items():
        _fill(copy, order[key], copies)
    return copies[id(value)]


_ATOMS = frozenset({str, int, float, bool, type(None)})


def _explore(value: Any) -> tuple[dict[int, Any], dict[int, list[int]]]:
    """All containers in a value by identity, and by which frozen ones each is contained.

    What a container holds stands before it, for hash sets look at what they are filled with.
    """
    order: dict[int, Any] = {}
    parents: dict[int, list[int]] = {}
    seen: set[int] = set()
    todo = [(value, False)]
    while todo:
        item, ready = todo.pop()
        key = id(item)
        if ready:
            order[key] = item
            continue
        contents = None if key in seen else _contents(item)
        if contents is None:
            continue
        seen.add(key)
        todo.append((item, True))
        parts = [part for part in contents if type(part) not in _ATOMS]
        todo += [(part, False) for part in parts]
        if parts and _is_frozen(item):
            for part in parts:
                parents.setdefault(id(part), []).append(key)
    return order, parents


def _changing(order: dict[int, Any], parents: dict[int, list[int]]) -> set[int]:
    """What can change, and what contains something that can."""
    todo = [key for key, item in order.items() if not _is_frozen(item)]
    found = set(todo)
    while todo:
        for parent in parents.get(todo.pop(), ()):
            if parent not in found:
                found.add(parent)
                todo.append(parent)
    return found


def _is_frozen(value: Any) -> bool:
    """Whether a container itself cannot change, whatever it contains."""
    if type(value) is list or type(value) is dict or isinstance(value, Instance):
        return False
    return isinstance(value, EnumValue) or bool(getattr(value, "frozen", False))


def _contents(value: Any) -> Any:
    """What a container contains; None for everything else."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return value.values()
    if isinstance(value, Gene):
        return [value.type, *value.props.values(), *value.children]
    if isinstance(value, Instance):
        return (
            None if type(value).__gene__.native or isinstance(value, Exception) else value.__dict__.values()
        )
    if isinstance(value, EnumValue):
        return value.values
    own = getattr(type(value), "gene_contents", None)
    return None if own is None else own(value)


def _empty(value: Any) -> Any:
    """A container of the same kind with nothing in it."""
    if type(value) is list:
        return []
    if type(value) is dict:
        return {}
    if isinstance(value, (ArrayForm, MapForm, HashMapForm)):
        made = type(value)()
        made.source, made.start, made.end, made.frozen = value.source, value.start, value.end, value.frozen
        return made
    if isinstance(value, list):
        return FrozenArray() if isinstance(value, FrozenArray) else []
    if isinstance(value, dict):
        return FrozenMap() if isinstance(value, FrozenMap) else {}
    if isinstance(value, Gene):
        children: list[Any] = FrozenArray() if isinstance(value.children, FrozenArray) else []
        return Gene(None, None, children, value.source, value.start, value.end, value.frozen)
    if isinstance(value, EnumValue):
        return type(value)(value.variant)
    return allocate(type(value)) if isinstance(value, Instance) else type(value)()


def _fill(copy: Any, value: Any, copies: dict[int, Any]) -> None:
    """Fill a copy past the refusals of frozen kinds, which the base classes do not know."""
    if isinstance(value, list):
        list.extend(copy, [copies.get(id(item), item) for item in value])
    elif isinstance(value, dict):
        dict.update(copy, {key: copies.get(id(item), item) for key, item in value.items()})
    elif isinstance(value, Gene):
        copy.type = copies.get(id(value.type), value.type)
        copy.props = _copied_props(value, copies)
        list.extend(copy.children, [copies.get(id(item), item) for item in value.children])
    elif isinstance(value, EnumValue):
        copy.values = tuple([copies.get(id(item), item) for item in value.values])
    elif isinstance(value, Instance):
        copy.__dict__.update({key: copies.get(id(item), item) for key, item in value.__dict__.items()})
    else:
        copy.gene_fill([copies.get(id(item), item) for item in value.gene_contents()])


def _copied_props(value: Gene, copies: dict[int, Any]) -> dict[Any, Any]:
    if not value.props:
        return NO_PROPS
    props = {key: copies.get(id(item), item) for key, item in value.props.items()}
    return FrozenMap(props) if isinstance(value.props, FrozenMap) else props
