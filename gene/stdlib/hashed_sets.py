"""The methods of hash sets."""

from __future__ import annotations

from gene.runtime.exceptions import ArgumentException
from gene.runtime.hashed import HashSet
from gene.runtime.iteration import make_iterator
from gene.stdlib.arguments import MISSING, tag_of
from gene.stdlib.hashed import clear, delete, has, is_empty, is_immutable, is_not_empty

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final


def add(entries: HashSet, value: Any = MISSING) -> HashSet:
    """Add a value; the set."""
    kind = type(value)
    if (kind is str or kind is int) and not entries.frozen:
        entries.entries.setdefault(value, value)
    elif value is MISSING:
        raise ArgumentException("HashSet.add requires a value")
    else:
        entries.add(value)
    return entries


def to_array(entries: HashSet) -> list[Any]:
    """An array of the values."""
    return entries.gene_values()


def union(entries: HashSet, other: Any = MISSING) -> HashSet:
    """A new set of the values in either."""
    return HashSet(*entries, *_set(other, "union"))


def intersect(entries: HashSet, other: Any = MISSING) -> HashSet:
    """A new set of the values in both."""
    others = _set(other, "intersect")
    return HashSet(*(value for value in entries if value in others))


def diff(entries: HashSet, other: Any = MISSING) -> HashSet:
    """A new set of the values that the other does not have."""
    others = _set(other, "diff")
    return HashSet(*(value for value in entries if value not in others))


def is_subset(entries: HashSet, other: Any = MISSING) -> bool:
    """Whether the other set has all values of this one."""
    others = _set(other, "subset?")
    return all(value in others for value in entries)


def _set(value: Any, method: str) -> HashSet:
    if not isinstance(value, HashSet):
        raise ArgumentException(f"HashSet.{method} requires a HashSet, got {tag_of(value)}")
    return value


METHODS: Final = {
    "has": has,
    "contains": has,
    "add": add,
    "delete": delete,
    "del": delete,
    "size": len,
    "empty?": is_empty,
    "empty": is_empty,
    "not_empty?": is_not_empty,
    "clear": clear,
    "immutable?": is_immutable,
    "to_array": to_array,
    "union": union,
    "intersect": intersect,
    "diff": diff,
    "subset?": is_subset,
    "iter": make_iterator,
}
