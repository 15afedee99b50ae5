"""The methods of maps. Keys are one space of names: strings and symbols name the same entries."""

from __future__ import annotations

from gene.data.atoms import VOID
from gene.runtime.exceptions import ArgumentException, GeneException
from gene.runtime.iteration import make_iterator
from gene.stdlib.arguments import MISSING, callback, map_key

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final


def is_empty(entries: dict[str, Any]) -> bool:
    """Whether there are no entries."""
    return not entries


def is_not_empty(entries: dict[str, Any]) -> bool:
    """Whether there are entries."""
    return bool(entries)


def get(entries: dict[str, Any], key: Any = MISSING, default: Any = None) -> Any:
    """The value of a key; the default when the key is absent."""
    return entries.get(key if key.__class__ is str else map_key(key, "Map.get"), default)


def set_(entries: dict[str, Any], key: Any = MISSING, value: Any = MISSING) -> dict[str, Any]:
    """Enter a value under a key; the map."""
    if value is MISSING:
        raise ArgumentException("Map.set expects key and value arguments")
    entries[key if key.__class__ is str else map_key(key, "Map.set")] = value
    return entries


def has(entries: dict[str, Any], key: Any = MISSING) -> bool:
    """Whether the key is there, whatever its value."""
    return (key if key.__class__ is str else map_key(key, "Map.has")) in entries


def contains(entries: dict[str, Any], key: Any = MISSING) -> bool:
    """Whether the key is there, whatever its value."""
    return (key if key.__class__ is str else map_key(key, "Map.contains")) in entries


def del_(entries: dict[str, Any], *keys: Any) -> Any:
    """Remove keys; the last value removed, or nil."""
    if not keys:
        raise ArgumentException("Map.del requires a key")
    removed = None
    for name in [map_key(key, "Map.del") for key in keys]:
        if name in entries:
            removed = entries.pop(name)
    return removed


def keys(entries: dict[str, Any]) -> list[str]:
    """An array of the keys, as strings."""
    return list(entries)


def values(entries: dict[str, Any]) -> list[Any]:
    """An array of the values."""
    return list(entries.values())


def pairs(entries: dict[str, Any]) -> list[Any]:
    """An array of keys with values."""
    return [[key, value] for key, value in entries.items()]


def clear(entries: dict[str, Any]) -> dict[str, Any]:
    """Remove all entries; the map."""
    entries.clear()
    return entries


def each(entries: dict[str, Any], function: Any = MISSING) -> dict[str, Any]:
    """Call the function with each key and value; the map."""
    call = callback(function, "each")
    for key, value in list(entries.items()):
        call(key, value)
    return entries


def map_(entries: dict[str, Any], function: Any = MISSING) -> dict[str, Any]:
    """A new map of the same keys with what the function makes of each key and value."""
    call = callback(function, "map")
    return {key: call(key, value) for key, value in list(entries.items())}


def filter_(entries: dict[str, Any], function: Any = MISSING) -> dict[str, Any]:
    """A new map of the entries for which the function gives something true."""
    call = callback(function, "filter")
    return {
        key: value
        for key, value in list(entries.items())
        if (answer := call(key, value)) is not None and answer is not False and answer is not VOID
    }


def reduce(entries: dict[str, Any], initial: Any = MISSING, function: Any = MISSING) -> Any:
    """Fold the entries: function(result so far, key, value)."""
    if function is MISSING:
        raise ArgumentException("Map.reduce requires an initial value and a reducer function")
    call = callback(function, "reduce")
    result = initial
    for key, value in list(entries.items()):
        result = call(result, key, value)
    return result


def merge(entries: dict[str, Any], other: Any = MISSING) -> dict[str, Any]:
    """Enter all entries of another map; the map."""
    if not isinstance(other, dict):
        raise GeneException("Map.merge argument must be a map")
    entries.update(other)
    return entries


def to_json(entries: dict[str, Any]) -> Any:
    """The map as JSON text."""
    from gene.stdlib.json import stringify

    return stringify(entries)


def is_immutable(entries: dict[str, Any]) -> bool:
    """Whether the map is frozen."""
    return getattr(entries, "frozen", False)


METHODS: Final = {
    "size": len,
    "empty?": is_empty,
    "empty": is_empty,
    "not_empty?": is_not_empty,
    "get": get,
    "set": set_,
    "has": has,
    "contains": contains,
    "del": del_,
    "keys": keys,
    "values": values,
    "pairs": pairs,
    "clear": clear,
    "each": each,
    "map": map_,
    "filter": filter_,
    "reduce": reduce,
    "merge": merge,
    "to_json": to_json,
    "immutable?": is_immutable,
    "iter": make_iterator,
}
