"""Equality as ``==`` has it, and keys for hash maps and hash sets that agree with it.

Numbers, text, symbols, dates and bytes are equal by value and kind (``1`` is not ``1.0``, ``true`` not ``1``,
a symbol not a string); arrays, maps, hash maps and sets by what they contain; everything else by identity.
Instances are equal by identity unless their class has a method ``==``. The containers of the standard library
say how they compare with a method ``gene_pairs(self, other)``: the pairs of contained values (stored ones,
none made for the occasion) that must be equal, or None when the two differ already.
"""

from __future__ import annotations

from gene.data.atoms import VOID, Char, NotFound, PathSymbol, Symbol, Void
from gene.data.kinds import FOREIGN, kind_of
from gene.runtime.classes import Instance, find_method

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Final

_BY_VALUE: Final = frozenset(
    {str, int, float, bool, type(None), Void, NotFound, Symbol, PathSymbol, Char, bytes}
)
"""Types whose instances equal exactly those of the same type that Python calls equal."""

_KINDS_BY_VALUE: Final = frozenset({"VkDate", "VkTime", "VkDateTime"})
"""Tags of the kinds that are equal by value, but whose modules are loaded only when a program needs them."""

_EXTENSIBLE: Final[tuple[Any, ...]] = (
    (str, str.__str__),
    (int, int.__int__),
    (float, float.__float__),
    (bytes, bytes),
)
"""Types with subclasses, such as a host's enumerations; those compare as what they extend."""

_HASHED_ITEMS: Final = 64
"""How many values the hash of a container looks at: enough to tell data apart, few enough to be quick."""


def equal(a: Any, b: Any) -> bool:
    """Whether ``(a == b)``."""
    kind = type(a)
    if kind in _BY_VALUE:
        return (kind is type(b) and a == b) or (type(b) not in _BY_VALUE and _same(a, b))
    return _same(a, b)


def _same(a: Any, b: Any) -> bool:
    """Compare without recursion: data may be nested deeper than the stack, or contain itself."""
    todo = [(a, b)]
    assumed: set[tuple[int, int]] = set()
    while todo:
        a, b = todo.pop()
        kind = type(a)
        if kind in _BY_VALUE and kind is type(b):
            if a != b:
                return False
            continue
        if a is b and not isinstance(a, float):
            continue
        pairs = _pairs(a, b)
        if pairs is None:
            return False
        if (id(a), id(b)) not in assumed:
            assumed.add((id(a), id(b)))
            todo.extend(pairs)
    return True


def _pairs(a: Any, b: Any) -> Iterable[tuple[Any, Any]] | None:
    """The pairs that must be equal for a to equal b; None when a does not equal b."""
    if isinstance(b, Instance) and not isinstance(a, Instance):
        a, b = b, a  # what an instance equals, equals the instance
    if isinstance(a, list):
        both = isinstance(b, list) and len(a) == len(b)
        return zip(a, b, strict=False) if both else None
    if isinstance(a, dict):
        if not isinstance(b, dict) or len(a) != len(b) or any(key not in b for key in a):
            return None
        return [(value, b[key]) for key, value in a.items()]
    return () if _atoms_equal(a, b) else _own_pairs(a, b)


def _own_pairs(a: Any, b: Any) -> Iterable[tuple[Any, Any]] | None:
    compare = getattr(type(a), "gene_pairs", None)
    return None if compare is None or kind_of(a) is not kind_of(b) else compare(a, b)


def _atoms_equal(a: Any, b: Any) -> bool:
    if isinstance(a, Instance):
        method = find_method(type(a), "==")
        result = None if method is None else method(a, b)
        return result is not None and result is not False and result is not VOID
    plain, other = _plain(a), _plain(b)
    if plain is not a or other is not b:
        return type(plain) is type(other) and bool(plain == other)
    kind = kind_of(a)
    if kind is FOREIGN or kind.tag in _KINDS_BY_VALUE:
        return kind is kind_of(b) and bool(a == b)
    return False


def hash_key(value: Any) -> Any:
    """A hashable Python object that equals another one exactly when the two values are equal in Gene."""
    kind = type(value)
    if kind in _BY_VALUE:
        return (kind, value) if kind is bool or kind is float else value
    return HashKey(value)


def keyed(key: Any) -> Any:
    """The value of which :func:`hash_key` made a key."""
    kind = type(key)
    return key[1] if kind is tuple else key.value if kind is HashKey else key


def _plain(value: Any) -> Any:
    """A value of a subclass of a basic type as that type; any other value itself."""
    if type(value) in _BY_VALUE:
        return value
    for base, convert in _EXTENSIBLE:
        if isinstance(value, base):
            return convert(value)
    return value


class HashKey:
    """A value as a key, with Gene's equality. Changing the value afterwards makes the entry unreachable."""

    __slots__ = ("hash", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        plain = _plain(value)
        self.hash = _hash(value) if plain is value else hash(hash_key(plain))

    def __eq__(self, other: object) -> bool:
        if type(other) is HashKey:
            return equal(self.value, other.value)
        plain = _plain(self.value)
        return plain is not self.value and equal(plain, keyed(other))

    def __hash__(self) -> int:
        return self.hash


def _hash(value: Any) -> int:
    """Hash the first values in breadth-first order, so that neither depth nor cycles matter."""
    found: list[Any] = []
    todo = [value]
    for item in todo:
        found.append(_shallow_hash(item))
        if len(found) == _HASHED_ITEMS:
            break
        if isinstance(item, list):
            todo.extend(item[:_HASHED_ITEMS])
        elif isinstance(item, dict):
            todo.extend(item[key] for key in sorted(item, key=str)[:_HASHED_ITEMS])
    return hash(tuple(found))


def _shallow_hash(value: Any) -> int:
    if isinstance(value, list):
        return hash(("[", len(value)))
    if isinstance(value, dict):
        return hash(("{", frozenset(value)))
    value = _plain(value)
    if type(value) in _BY_VALUE:
        return hash((type(value), value))
    if isinstance(value, Instance):
        return id(value) if find_method(type(value), "==") is None else 0
    if hasattr(type(value), "gene_pairs"):
        return hash((kind_of(value).tag, len(value) if hasattr(type(value), "__len__") else 0))
    kind = kind_of(value)
    by_value = kind is FOREIGN or kind.tag in _KINDS_BY_VALUE
    try:
        return hash(value) if by_value else id(value)
    except TypeError:  # a host's object that Python cannot hash; its equality decides alone
        return 0
