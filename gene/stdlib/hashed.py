"""The methods of hash maps.

Text and Ints, which are keys as they are, are told apart right here: nearly all keys are of these kinds.
"""

from __future__ import annotations

from gene.runtime.equality import hash_key
from gene.runtime.exceptions import ArgumentException
from gene.runtime.iteration import make_iterator
from gene.stdlib.arguments import MISSING

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final

    from gene.runtime.hashed import HashMap, HashSet


def get(entries: HashMap, key: Any = MISSING, default: Any = None) -> Any:
    """The value of a key; the default when the key is absent."""
    kind = type(key)
    if kind is not str and kind is not int:
        key = hash_key(_given(key, "HashMap.get requires a key"))
    return entries.entries.get(key, default)


def set_(entries: HashMap, key: Any = MISSING, value: Any = MISSING) -> HashMap:
    """Enter a value under a key; the map."""
    kind = type(key)
    if (kind is str or kind is int) and value is not MISSING and not entries.frozen:
        entries.entries[key] = value
    else:
        entries.set(key, _given(value, "HashMap.set requires key and value"))
    return entries


def has(entries: HashMap | HashSet, key: Any = MISSING) -> bool:
    """Whether the key, or the value of a set, is there."""
    kind = type(key)
    if kind is not str and kind is not int:
        key = hash_key(_given(key, "has requires an argument"))
    return key in entries.entries


def delete(entries: HashMap | HashSet, key: Any = MISSING) -> Any:
    """Remove a key and return its value, or a value of a set and return it; nil when it is not there."""
    return entries.remove(_given(key, "delete requires an argument"))


def clear(entries: HashMap | HashSet) -> HashMap | HashSet:
    """Remove everything; the collection."""
    entries.clear()
    return entries


def is_empty(entries: HashMap | HashSet) -> bool:
    """Whether there is nothing in it."""
    return not len(entries)


def is_not_empty(entries: HashMap | HashSet) -> bool:
    """Whether there is something in it."""
    return len(entries) > 0


def is_immutable(entries: HashMap | HashSet) -> bool:
    """Whether the collection is frozen."""
    return entries.frozen


def keys(entries: HashMap) -> list[Any]:
    """An array of the keys."""
    return [key for key, _ in entries.gene_items()]


def values(entries: HashMap) -> list[Any]:
    """An array of the values."""
    return entries.gene_values()


def pairs(entries: HashMap) -> list[Any]:
    """An array of keys with values."""
    return [[key, value] for key, value in entries.gene_items()]


def _given(value: Any, message: str) -> Any:
    if value is MISSING:
        raise ArgumentException(message)
    return value


METHODS: Final = {
    "get": get,
    "set": set_,
    "has": has,
    "contains": has,
    "delete": delete,
    "del": delete,
    "size": len,
    "empty?": is_empty,
    "empty": is_empty,
    "not_empty?": is_not_empty,
    "clear": clear,
    "immutable?": is_immutable,
    "keys": keys,
    "values": values,
    "pairs": pairs,
    "iter": make_iterator,
}
