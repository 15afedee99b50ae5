"""Paths: reading and writing one step of ``a/b/0``."""

from __future__ import annotations

from gene.data.atoms import VOID, Char, Symbol, is_index
from gene.data.forms import Gene
from gene.data.kinds import kind_of
from gene.data.names import attribute
from gene.runtime.classes import GeneClass, Instance
from gene.runtime.exceptions import GeneException, TypeException
from gene.runtime.namespaces import Namespace

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def get(value: Any, name: str) -> Any:
    """The named member of a value; nil of nil, void where there is none."""
    read = READERS.get(type(value))
    if read is not None:
        return read(value, name)
    if value is None:
        return None
    if isinstance(value, dict):
        return value.get(name, VOID)
    if isinstance(value, Instance):
        return _instance_member(value, name)
    if isinstance(value, GeneClass):
        return _class_member(value, name)
    if isinstance(value, Namespace):
        return value.get(name)
    members = getattr(type(value), "gene_members", None) or kind_of(value).members
    return VOID if members is None else members(value, name)


def _gene_member(value: Gene, name: str) -> Any:
    return value.props.get(name, VOID)


def _namespace_member(value: Namespace, name: str) -> Any:
    return value.get(name, VOID)


def _instance_member(value: Any, name: str) -> Any:
    key = attribute(name)
    found = value.__dict__.get(key, VOID)
    if found is VOID and isinstance(value, GeneException) and not name.startswith("_"):
        default = getattr(type(value), key, VOID)
        return VOID if callable(default) or default is None else default
    return found


def _class_member(value: GeneClass, name: str) -> Any:
    for base in value.__mro__:
        info = base.__dict__.get("__gene__")
        if info is not None and name in info.members:
            return info.members[name]
    return VOID


READERS: dict[type, Callable[[Any, str], Any]] = {Gene: _gene_member, Namespace: _namespace_member}
"""How a named member of a value is read, for types where that is worth a shortcut."""


def get_index(value: Any, index: int) -> Any:
    """The element or child at an index, negative ones from the end; on a map the key of that spelling."""
    items = value.children if type(value) is Gene else value
    if isinstance(items, list):
        return items[index] if -len(items) <= index < len(items) else VOID
    return get(value, str(index))


def get_dynamic(value: Any, key: Any) -> Any:
    """The member that a computed key names."""
    if type(key) is str:
        if isinstance(value, list) or type(value) is Gene:
            return get_index(value, int(key)) if is_index(key) else get(value, key)
        return get(value, key)
    if type(key) is int:
        return get_index(value, key)
    if isinstance(key, Symbol | Char):
        return get(value, key.name if isinstance(key, Symbol) else key.value)
    if key is None:
        raise TypeException("Dynamic selector segment cannot be nil")
    if value is None:
        return None
    lookup = getattr(type(value), "gene_lookup", None)
    if lookup is not None:
        return lookup(value, key)
    raise TypeException(f"Invalid property type: {kind_of(key).tag}")


def get_or_index(value: Any, name: str, index: Any) -> Any:
    """The member ``name``; of an array the element that the variable of that name counts to."""
    if isinstance(value, list):
        return get_dynamic(value, index) if type(index) is int else VOID
    return get(value, name)


def strict(value: Any) -> Any:
    """``/!``: the value, which must be there."""
    if value is VOID:
        raise GeneException("Selector did not match (VOID)")
    if value is None:
        raise GeneException("Selector matched but value is nil")
    return value


def set_(target: Any, key: Any, value: Any) -> Any:
    """Assign the member ``key`` of ``target`` and return the value."""
    if type(key) is Symbol:
        key = key.name
    if target is None:
        raise GeneException(f"Cannot set member '{key}' on nil (namespace or object doesn't exist)")
    write = _WRITERS.get(type(target))
    if write is None:
        write = _writer(target)
    write(target, key, value)
    return value


def _writer(target: Any) -> Callable[[Any, Any, Any], None]:
    if isinstance(target, Instance):
        return _set_instance
    if isinstance(target, GeneClass):
        return _set_class
    if isinstance(target, Namespace):
        return _set_namespace
    if isinstance(target, dict):
        return _set_map
    if isinstance(target, list):
        return _set_array
    raise TypeException(f"Cannot set member on value of type: {kind_of(target).tag}")


def _set_map(target: dict[str, Any], key: Any, value: Any) -> None:
    from gene.data.frozen import FrozenMap

    if type(target) is FrozenMap:
        raise GeneException("Cannot set item on sealed map")
    target[_text_key(key)] = value


def _text_key(key: Any) -> str:
    if type(key) is str:
        return key
    if type(key) is int:
        return str(key)
    raise TypeException(f"Invalid property type: {kind_of(key).tag}")


def _set_array(target: list[Any], key: Any, value: Any) -> None:
    from gene.data.frozen import FrozenArray

    if type(target) is FrozenArray:
        raise GeneException("Cannot set item on sealed array")
    if type(key) is not int:
        raise TypeException(f"Invalid array index type: {kind_of(key).tag}")
    if not 0 <= key < len(target):
        raise GeneException(f"Array index out of bounds: {key} (len={len(target)})")
    target[key] = value


def _set_gene(target: Gene, key: Any, value: Any) -> None:
    if target.frozen:
        raise GeneException("Cannot set item on sealed gene")
    if type(key) is int:
        _set_array(target.children, key, value)
    else:
        target.own_props()[_text_key(key)] = value


def _set_instance(target: Any, key: Any, value: Any) -> None:
    target.__dict__[attribute(_text_key(key))] = value


def _set_class(target: GeneClass, key: Any, value: Any) -> None:
    if target.__gene__.native:
        raise GeneException(f"Cannot set member '{key}' on the built-in class {target.__gene__.name}")
    target.__gene__.members[_text_key(key)] = value


def _set_namespace(target: Namespace, key: Any, value: Any) -> None:
    target.set(_text_key(key), value)


_WRITERS: dict[type, Callable[[Any, Any, Any], None]] = {
    dict: _set_map,
    list: _set_array,
    Gene: _set_gene,
    Namespace: _set_namespace,
}


def get_existing(target: Any, key: Any) -> Any:
    """The member that a compound assignment changes, which must be there."""
    if target is None:
        raise GeneException(f"Cannot set member '{key}' on nil (namespace or object doesn't exist)")
    if isinstance(target, list):
        if type(key) is int and not 0 <= key < len(target):
            raise GeneException(f"Array index out of bounds: {key} (len={len(target)})")
        return get_dynamic(target, key)
    if type(target) not in _WRITERS:
        _writer(target)
    value = get_dynamic(target, key)
    if value is VOID and not isinstance(target, Instance):
        raise GeneException(f"key not found: {key}")
    return value


def unpack(value: Any, count: int, rest: int) -> list[Any]:
    """The ``count`` parts of an array or a gene's children; the one at ``rest`` takes what is left over."""
    if type(value) is list and len(value) == count and rest < 0:
        return value
    items = _parts(value)
    if items is None:
        raise TypeException(f"Cannot destructure {kind_of(value).tag}")
    if not _fits(items, count, rest):
        wanted = count if rest < 0 else count - 1
        raise GeneException(f"Destructuring pattern mismatch: Expected {wanted} arguments, got {len(items)}")
    if rest < 0:
        return items
    after = count - rest - 1
    end = len(items) - after
    return [*items[:rest], list(items[rest:end]), *items[end:]]


def can_unpack(value: Any, count: int, rest: int) -> bool:
    """Whether :func:`unpack` would succeed."""
    items = _parts(value)
    return items is not None and _fits(items, count, rest)


def _parts(value: Any) -> list[Any] | None:
    items = value.children if type(value) is Gene else value
    return items if isinstance(items, list) else None


def _fits(items: list[Any], count: int, rest: int) -> bool:
    return len(items) == count if rest < 0 else len(items) >= count - 1


def unpack_key(value: Any, key: str) -> Any:
    """The member that a map pattern names."""
    return get(value, key)


def can_unpack_key(value: Any, key: str) -> bool:
    """Whether a value has the member that a map pattern names."""
    return value is not None and get(value, key) is not VOID


def unpack_rest(value: Any, keys: tuple[str, ...]) -> dict[str, Any]:
    """A map of the entries, or of a gene's properties, that a map pattern does not name."""
    entries = _entries(value)
    if entries is None:
        raise TypeException(f"Cannot destructure {kind_of(value).tag}")
    return {key: item for key, item in entries.items() if key not in keys}


def can_unpack_rest(value: Any, _keys: tuple[str, ...]) -> bool:
    """Whether :func:`unpack_rest` would succeed."""
    return _entries(value) is not None


def _entries(value: Any) -> dict[str, Any] | None:
    entries = value.props if type(value) is Gene else value
    return entries if isinstance(entries, dict) else None
