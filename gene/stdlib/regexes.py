"""The methods of regular expressions and what a match answers. Positions count characters from 0."""

from __future__ import annotations

from gene.errors import GeneError
from gene.runtime.classes import Instance
from gene.runtime.exceptions import ArgumentException, GeneException
from gene.stdlib.arguments import MISSING, integer, tag_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import Any, Final

    from gene.data.regex import Regex


class RegexMatch(Instance):
    """A match.

    Attributes:
        value: The matched text.
        captures: An array of what the groups matched, nil for a group that took no part.
        named_captures: A map of what the named groups matched.
        start: Where the match starts.
        end: Where it ends, exclusive.
        pre_match: The text before it.
        post_match: The text after it.
    """

    def __init__(self, found: re.Match[str]) -> None:
        self.value = found[0]
        self.captures = list(found.groups())
        self.named_captures = found.groupdict()
        self.start = found.start()
        self.end = found.end()
        self.pre_match = found.string[: self.start]
        self.post_match = found.string[self.end :]


def compiled(regex: Regex) -> re.Pattern[str]:
    """The pattern, ready to search with.

    Raises:
        GeneException: It is malformed.
    """
    try:
        return regex.compiled
    except GeneException:
        raise
    except GeneError as error:
        raise GeneException(error.message) from None


def first(regex: Regex, text: Any = MISSING, start: int = 0) -> re.Match[str] | None:
    """The first match that begins at ``start`` or later, as Python has it."""
    return compiled(regex).search(_text(text), start)


def last(regex: Regex, text: str) -> int:
    """Where the last match begins, or -1."""
    search = compiled(regex).search
    position, found = -1, search(text)
    while found is not None:
        position = found.start()
        found = search(text, position + 1) if position < len(text) else None
    return position


def match(regex: Regex, text: Any = MISSING) -> RegexMatch | None:
    """The first match, or nil."""
    found = first(regex, text)
    return None if found is None else RegexMatch(found)


def is_match(regex: Regex, text: Any = MISSING) -> bool:
    """Whether there is a match."""
    return first(regex, text) is not None


def process(regex: Regex, text: Any = MISSING) -> RegexMatch | str | None:
    """The text with its first match replaced if the expression carries a replacement, else that match."""
    return match(regex, text) if regex.replacement is None else replace(regex, text)


def find(regex: Regex, text: Any = MISSING) -> str | None:
    """The text of the first match, or nil."""
    found = first(regex, text)
    return None if found is None else found[0]


def find_all(regex: Regex, text: Any = MISSING) -> list[str]:
    """An array of the texts of all matches."""
    return [found[0] for found in compiled(regex).finditer(_text(text))]


def split(regex: Regex, text: Any = MISSING, limit: Any = 0) -> list[str]:
    """The parts between matches, at most ``limit`` of them. An empty match at either end does not count."""
    subject, most = _text(text), integer(limit, "Regexp.split limit")
    parts: list[str] = []
    begin = 0
    for found in compiled(regex).finditer(subject):
        if len(parts) == most - 1:
            break
        if found.end() > found.start() or 0 < found.start() < len(subject):
            parts.append(subject[begin : found.start()])
            begin = found.end()
    return [*parts, subject[begin:]]


def replace(regex: Regex, text: Any = MISSING, replacement: Any = None) -> str:
    """The text with the first match replaced."""
    return substitute(regex, _text(text), replacement, 1, "Regexp.replace")


def replace_all(regex: Regex, text: Any = MISSING, replacement: Any = None) -> str:
    """The text with every match replaced."""
    return substitute(regex, _text(text), replacement, 0, "Regexp.replace_all")


def substitute(regex: Regex, text: str, replacement: Any, count: int, method: str) -> str:
    r"""Replace matches.

    Args:
        regex: What to look for.
        text: Where.
        replacement: What takes the place of a match: ``\1`` and ``\k<name>`` stand for groups, ``\0`` for the
            whole match, ``\\`` for a backslash. None for the one that the expression carries.
        count: How many matches to replace, 0 for all.
        method: Who asks, for messages.

    Raises:
        ArgumentException: There is no replacement, or it names a group that the expression does not have.
    """
    chosen = regex.replacement if replacement is None else replacement
    if chosen is None:
        raise ArgumentException(f"{method} requires target and replacement")
    if not isinstance(chosen, str):
        raise ArgumentException(f"{method} expects a replacement string, got {tag_of(chosen)}")
    pattern = compiled(regex)
    return pattern.sub(_expansion(chosen, pattern, method), text, count)


def _expansion(replacement: str, pattern: re.Pattern[str], method: str) -> Callable[[re.Match[str]], str]:
    """The function that makes the replacement of a match."""
    if "\\" not in replacement:
        return lambda _found: replacement
    pieces: list[str | tuple[int | str, str]] = []
    begin = 0
    for reference in _references().finditer(replacement):
        pieces.append(replacement[begin : reference.start()])
        pieces.append(_reference(reference, pattern, method))
        begin = reference.end()
    pieces.append(replacement[begin:])

    def expand(found: re.Match[str]) -> str:
        return "".join(
            [piece if isinstance(piece, str) else (found[piece[0]] or "") + piece[1] for piece in pieces]
        )

    return expand


def _reference(
    reference: re.Match[str], pattern: re.Pattern[str], method: str
) -> str | tuple[int | str, str]:
    """A group and the text after it, or plain text. Of two digits the second may be text."""
    digits, name = reference["digits"], reference["name"]
    if digits is not None:
        taken = digits if int(digits) <= pattern.groups else digits[:1]
        if int(taken) <= pattern.groups:
            return int(taken), digits[len(taken) :]
    elif name is None:
        return "\\"
    elif name in pattern.groupindex:
        return name, ""
    raise ArgumentException(f"{method}: the pattern has no group {digits or name}")


def _references() -> re.Pattern[str]:
    import re

    return re.compile(r"\\(?:(?P<digits>\d\d?)|k<(?P<name>\w+)>|\\)")


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    raise ArgumentException(f"Regexp requires a string to search, got {tag_of(value)}")


METHODS: Final = {
    "match": match,
    "match?": is_match,
    "process": process,
    "find": find,
    "find_all": find_all,
    "scan": find_all,
    "split": split,
    "replace": replace,
    "sub": replace,
    "replace_all": replace_all,
    "gsub": replace_all,
}
