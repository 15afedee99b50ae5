"""Tokens and comments, found with the patterns of the reader.

The texts that come here have been read, so that every token is known to stand where it may.
"""

from __future__ import annotations

import re

from gene.reader.tables import COMMENT, SCANNERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    Token = tuple[str, int, int]
    """The name of a terminal of the grammar, and where the token starts and ends."""

OPENING: Final = {
    "GENE": 1, "FROZEN_GENE": 1, "ARRAY": 1, "FROZEN_ARRAY": 1, "MAP": 1, "FROZEN_MAP": 1, "HASH_MAP": 2,
    "FROZEN_HASH_MAP": 2,
}  # fmt: skip
"""The opening brackets, each with how many tokens close it."""

CLOSING: Final = frozenset({"RPAR", "RBRACKET", "RBRACE"})

END: Final = "$END"

_COMMENT: Final = re.compile(COMMENT)
_CODE: Final = 0
"""The number of the scanner for everything outside of interpolated strings."""

_PATTERNS: Final = [re.compile(pattern) for pattern, _names in SCANNERS]
_NAMES: Final = [names for _pattern, names in SCANNERS]
_STRINGS: Final = {
    opening: next(number for number, names in enumerate(_NAMES) if closing in names)
    for opening, closing in (("STRING_START", "STRING_END"), ("TRIPLE_STRING_START", "TRIPLE_STRING_END"))
}
"""The scanner for the text of each kind of interpolated string."""


def start_of(text: str) -> int:
    """Where the first token may start: behind a byte order mark."""
    return 1 if text.startswith("\ufeff") else 0


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text, up to and with its end. An interpolated string is one token."""
    name, position = "", start_of(text)
    while name != END:
        name, start, position = _next(text, position, _CODE)
        if name in _STRINGS:
            position = _string_end(text, position, _STRINGS[name])
        yield name, start, position


def comments(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """The comments in the white space between two tokens."""
    return _COMMENT.finditer(text, start, end)


def spellings(text: str) -> list[str]:
    """All that a layout must keep: tokens, and comments but for blanks at their ends, as they are written."""
    found: list[str] = []
    position = start_of(text)
    for _name, start, end in tokens(text):
        found += [match[0].rstrip() for match in comments(text, position, start)]
        found.append(text[start:end])
        position = end
    return found


def _next(text: str, position: int, scanner: int) -> Token:
    match = _PATTERNS[scanner].match(text, position)
    assert match is not None
    assert match.lastindex is not None
    return _NAMES[scanner][match.lastindex - 1], match.start(match.lastindex), match.end()


def _string_end(text: str, position: int, scanner: int) -> int:
    """Where an interpolated string ends whose text starts at a position; it may hold code, that strings."""
    open_: list[list[int]] = [[scanner, 0]]  # each with how many brackets are open in it
    while open_:
        current = open_[-1]
        name, _start, position = _next(text, position, current[0])
        if name in _STRINGS:
            open_.append([_STRINGS[name], 0])
        elif name.endswith("STRING_END"):
            open_.pop()
        elif name.endswith(("EMBEDDED", "HOLE")):
            open_.append([_CODE, int(name.endswith("HOLE"))])
        elif current[0] == _CODE:
            current[1] += OPENING.get(name, 0) - (name in CLOSING)
            if not current[1] and name in CLOSING:
                open_.pop()
    return position
