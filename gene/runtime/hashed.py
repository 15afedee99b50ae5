"""Hash maps and hash sets: collections whose keys may be any value."""

from __future__ import annotations

from gene.data.frozen import sealed
from gene.data.kinds import Kind
from gene.runtime.equality import hash_key, keyed
from gene.runtime.exceptions import ArgumentException
from gene.runtime.text import to_s

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, Final


class HashMap:
    """A map with keys of any kind, in insertion order.

    Args:
        *items: Keys and values in turn.

    Attributes:
        entries: The values by what :func:`hash_key` makes of their keys.

    Raises:
        ArgumentException: The last key has no value.
    """

    __slots__ = ("entries",)
    frozen = False

    def __init__(self, *items: Any) -> None:
        if len(items) % 2:
            raise ArgumentException("HashMap requires a value for every key")
        self.entries: dict[Any, Any] = {}
        self.gene_fill(items)

    def gene_fill(self, items: Iterable[Any]) -> None:
        """Enter keys and values, given in turn, past all refusals of a frozen map."""
        flat = iter(items)
        for key, value in zip(flat, flat, strict=True):
            self.entries[hash_key(key)] = value

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, or ``default``."""
        return self.entries.get(hash_key(key), default)

    def set(self, key: Any, value: Any) -> None:
        """Enter a value under a key; an equal key that is there stays as it is."""
        self.entries[hash_key(key)] = value

    def remove(self, key: Any) -> Any:
        """Remove a key and return its value; None when there is none."""
        return self.entries.pop(hash_key(key), None)

    def clear(self) -> None:
        """Remove everything."""
        self.entries.clear()

    def __contains__(self, key: Any) -> bool:
        return hash_key(key) in self.entries

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Any]:
        return iter([keyed(key) for key in list(self.entries)])

    def gene_items(self) -> list[tuple[Any, Any]]:
        """The keys with their values, as they are now."""
        return [(keyed(key), value) for key, value in list(self.entries.items())]

    def gene_values(self) -> list[Any]:
        """What a loop runs over, see :mod:`gene.runtime.iteration`."""
        return list(self.entries.values())

    def gene_parts(self) -> tuple[str, Iterable[tuple[str, Any]], str, bool]:
        """How the map prints, see :mod:`gene.runtime.text`."""
        parts = [(" ", part) for entry in self.gene_items() for part in entry]
        return "#{{" if self.frozen else "{{", _unspaced(parts), "}}", False

    def gene_pairs(self, other: HashMap) -> Iterable[tuple[Any, Any]] | None:
        """What must be equal for the maps to be equal, see :mod:`gene.runtime.equality`."""
        mine, others = self.entries, other.entries
        if len(mine) != len(others) or any(key not in others for key in mine):
            return None
        return [(value, others[key]) for key, value in mine.items()]

    @staticmethod
    def gene_frozen() -> FrozenHashMap:
        """An empty frozen counterpart, for :func:`gene.runtime.freezing.freeze`."""
        return FrozenHashMap()

    def gene_contents(self) -> list[Any]:
        """Keys and values in turn."""
        return [part for entry in self.gene_items() for part in entry]

    def __repr__(self) -> str:
        return to_s(self)


class FrozenHashMap(HashMap):
    """A hash map that does not change."""

    __slots__ = ()
    frozen = True

    set = sealed("set item on sealed hash map")
    remove = sealed("remove from sealed hash map")
    clear = sealed("clear sealed hash map")


class HashSet:
    """A set of values of any kind, in insertion order.

    Attributes:
        entries: The values by what :func:`hash_key` makes of them.
    """

    __slots__ = ("entries",)
    frozen = False

    def __init__(self, *items: Any) -> None:
        self.entries: dict[Any, Any] = {}
        self.gene_fill(items)

    def gene_fill(self, items: Iterable[Any]) -> None:
        """Add values, past all refusals of a frozen set."""
        for item in items:
            self.entries.setdefault(hash_key(item), item)

    def add(self, item: Any) -> None:
        """Add a value, unless an equal one is there."""
        self.entries.setdefault(hash_key(item), item)

    def remove(self, item: Any) -> Any:
        """Remove a value and return it; None when it is not there."""
        return self.entries.pop(hash_key(item), None)

    def clear(self) -> None:
        """Remove everything."""
        self.entries.clear()

    def __contains__(self, item: Any) -> bool:
        return hash_key(item) in self.entries

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self.entries.values()))

    def gene_values(self) -> list[Any]:
        """What a loop runs over, see :mod:`gene.runtime.iteration`."""
        return list(self.entries.values())

    def gene_parts(self) -> tuple[str, Iterable[tuple[str, Any]], str, bool]:
        """How the set prints, see :mod:`gene.runtime.text`."""
        return "#(HashSet" if self.frozen else "(HashSet", [(" ", item) for item in self], ")", False

    def gene_pairs(self, other: HashSet) -> Iterable[tuple[Any, Any]] | None:
        """What must be equal for the sets to be equal, see :mod:`gene.runtime.equality`."""
        return () if self.entries.keys() == other.entries.keys() else None

    @staticmethod
    def gene_frozen() -> FrozenHashSet:
        """An empty frozen counterpart, for :func:`gene.runtime.freezing.freeze`."""
        return FrozenHashSet()

    def gene_contents(self) -> list[Any]:
        """The values."""
        return list(self)

    def __repr__(self) -> str:
        return to_s(self)


class FrozenHashSet(HashSet):
    """A hash set that does not change."""

    __slots__ = ()
    frozen = True

    add = sealed("add to sealed hash set")
    remove = sealed("remove from sealed hash set")
    clear = sealed("clear sealed hash set")


def _unspaced(parts: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """The parts without the blank before the first."""
    return [("", parts[0][1]), *parts[1:]] if parts else parts


_METHODS = "gene.stdlib.hashed"
HASH_MAP: Final = Kind("HashMap", "VkHashMap", HashMap, FrozenHashMap, methods=_METHODS, construct=HashMap)
HASH_SET: Final = Kind(
    "HashSet", "VkHashSet", HashSet, FrozenHashSet, methods=_METHODS + "_sets", construct=HashSet
)
