"""Atoms that Python has no kind for: void, not_found, symbols and characters."""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Final

    from gene.data.source import Source


BIT_TYPES: Final[set[type]] = {int}
"""The types whose values ``&&`` and ``||`` combine bit by bit."""


class Void:
    """The kind of ``void``: no such entry."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "void"

    def __bool__(self) -> bool:
        return False

    def __reduce__(self) -> str:
        return "VOID"


class NotFound:
    """The kind of ``not_found``: the end of an iteration."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "not_found"

    def __reduce__(self) -> str:
        return "NOT_FOUND"


VOID: Final = Void()
NOT_FOUND: Final = NotFound()


class Symbol:
    """A name as data.

    Symbols are equal by name; ``start`` and ``end`` are the character offsets in ``source`` where this one
    was read, and ``source`` is None for symbols that a program made.
    """

    __slots__ = ("end", "name", "source", "start")

    def __init__(self, name: str, source: Source | None = None, start: int = 0, end: int = 0) -> None:
        self.name = name
        self.source = source
        self.start = start
        self.end = end

    def __eq__(self, other: object) -> bool:
        return type(other) is Symbol and other.name == self.name

    def __hash__(self) -> int:
        return hash((Symbol, self.name))

    def __repr__(self) -> str:
        return self.name


class PathSymbol:
    """A symbol that contains slashes, split at them: ``a/b/0`` has the parts ``("a", "b", "0")``.

    Empty parts are kept: ``/x`` has the parts ``("", "x")``.
    """

    __slots__ = ("end", "parts", "source", "start")

    def __init__(
        self, parts: tuple[str, ...], source: Source | None = None, start: int = 0, end: int = 0
    ) -> None:
        self.parts = parts
        self.source = source
        self.start = start
        self.end = end

    @property
    def name(self) -> str:
        """The path as it is written."""
        return "/".join(self.parts)

    def __eq__(self, other: object) -> bool:
        return type(other) is PathSymbol and other.parts == self.parts

    def __hash__(self) -> int:
        return hash((PathSymbol, self.parts))

    def __repr__(self) -> str:
        return self.name


def is_index(part: str) -> bool:
    """Whether a part of a path is an index in digits. One with more digits than any index is a name."""
    digits = part.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 20


class Char:
    """One character, a kind of its own and never equal to a string."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return type(other) is Char and other.value == self.value

    def __hash__(self) -> int:
        return hash((Char, self.value))

    def __repr__(self) -> str:
        return f"'{self.value}'"
