"""The methods of strings. Strings do not change; positions count characters from 0."""

from __future__ import annotations

from gene.data.atoms import Char
from gene.data.kinds import kind_of
from gene.runtime.exceptions import ArgumentException, GeneException, RuntimeException
from gene.runtime.text import to_s
from gene.stdlib.arguments import MISSING, callback, integer, tag_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final

    from gene.data.octets import Octets

_DIGITS_OF_INT: Final = 30
"""Numbers with more digits than this cannot be Ints; converting millions of digits takes long."""


def is_empty(text: str) -> bool:
    """Whether there are no characters."""
    return not text


def is_not_empty(text: str) -> bool:
    """Whether there are characters."""
    return bool(text)


def bytesize(text: str) -> int:
    """The number of bytes of the text in UTF-8."""
    return len(_encode(text))


def to_i(text: str) -> int:
    """The Int that the text writes: digits, perhaps with a sign.

    Raises:
        ArgumentException: It writes none.
        RuntimeException: The number does not fit 64 bits.
    """
    digits = text[1:] if text.startswith(("-", "+")) else text
    if not (digits.isascii() and digits.isdigit()):
        raise ArgumentException("to_i requires a numeric string")
    digits = digits.lstrip("0")
    number = int(text) if len(digits) < _DIGITS_OF_INT else 2**63
    if not -(2**63) <= number < 2**63:
        raise RuntimeException(f"Integer overflow in to_i: {_shortened(text)}")
    return number


def to_f(text: str) -> float:
    """The Float that the text writes; blanks around it and exponents are fine.

    Raises:
        ArgumentException: It writes none.
    """
    try:
        if "_" not in text and text.strip().isascii():
            return float(text)
    except ValueError:
        pass
    raise ArgumentException("to_f requires a numeric string")


def to_upper(text: str) -> str:
    """The text in upper case."""
    return text.upper()


def to_lower(text: str) -> str:
    """The text in lower case."""
    return text.lower()


def capitalize(text: str) -> str:
    """The first character in upper case, the others in lower case."""
    return text.capitalize()


def trim(text: str) -> str:
    """The text without the white space around it."""
    return text.strip()


def lstrip(text: str) -> str:
    """The text without the white space before it."""
    return text.lstrip()


def rstrip(text: str) -> str:
    """The text without the white space after it."""
    return text.rstrip()


def append(text: str, *values: Any) -> str:
    """The text followed by the texts of the values."""
    return "".join([text, *[value if value.__class__ is str else to_s(value) for value in values]])


def reverse(text: str) -> str:
    """The characters in reverse order."""
    return text[::-1]


def substr(text: str, start: Any = MISSING, end: Any = MISSING) -> str:
    """The characters from start to end, **both included**; negatives count from the end, all is clamped."""
    if start is MISSING:
        raise ArgumentException("String.substr requires start index")
    length = len(text)
    low = integer(start, "String.substr start")
    low = max(low + length, 0) if low < 0 else low
    if end is MISSING:
        return text[low:]
    high = integer(end, "String.substr end")
    return text[low : max((high + length if high < 0 else high) + 1, 0)]


def split(text: str, separator: Any = MISSING, limit: Any = MISSING) -> list[str]:
    """The parts between separators, at most ``limit`` of them; empty parts are kept."""
    most = 0 if limit is MISSING else integer(limit, "String.split limit")
    if separator.__class__ is str:
        return text.split(separator, most - 1 if most > 0 else -1) if separator else [text]
    if separator is MISSING:
        raise ArgumentException("String.split requires separator")
    return _regex(separator, "String.split").split(separator, text, most)  # type: ignore[no-any-return]


def index(text: str, pattern: Any = MISSING, start: Any = 0) -> int:
    """The position of the first match, from ``start`` on; -1 when there is none."""
    at = integer(start, "String.index start")
    if pattern.__class__ is str:
        return text.find(pattern, at)
    found = _regex(pattern, "String.index").first(pattern, text, at + len(text) if at < 0 else at)
    return -1 if found is None else found.start()


def rindex(text: str, pattern: Any = MISSING) -> int:
    """The position of the last match; -1 when there is none."""
    if pattern.__class__ is str:
        return text.rfind(pattern)
    return _regex(pattern, "String.rindex").last(pattern, text)  # type: ignore[no-any-return]


def contains(text: str, part: Any = MISSING) -> bool:
    """Whether the part occurs in the text."""
    if part.__class__ is str:
        return part in text
    return includes(text, part)


def includes(text: str, pattern: Any = MISSING) -> bool:
    """Whether the pattern, a string or a regular expression, occurs in the text."""
    if isinstance(pattern, str):
        return pattern in text
    return _regex(pattern, "String.contain").first(pattern, text) is not None


def starts_with(text: str, start: Any = MISSING) -> bool:
    """Whether the text starts so."""
    if not isinstance(start, str):
        raise ArgumentException("starts_with expects string arguments")
    return text.startswith(start)


def ends_with(text: str, end: Any = MISSING) -> bool:
    """Whether the text ends so."""
    if not isinstance(end, str):
        raise ArgumentException("ends_with expects string arguments")
    return text.endswith(end)


def replace(text: str, target: Any = MISSING, replacement: Any = MISSING) -> str:
    """The text with the first match replaced."""
    return _replaced(text, target, replacement, "String.replace", 1)


def replace_all(text: str, target: Any = MISSING, replacement: Any = MISSING) -> str:
    """The text with every match replaced."""
    return _replaced(text, target, replacement, "String.replace_all", 0)


def char_at(text: str, position: Any = MISSING) -> Char:
    """The character at a position."""
    at = integer(position, "String.char_at index")
    if not 0 <= at < len(text):
        raise GeneException("char_at index out of bounds")
    return Char(text[at])


def chars(text: str) -> list[Char]:
    """An array of the characters."""
    return [Char(character) for character in text]


def each_char(text: str, function: Any = MISSING) -> str:
    """Call the function with each character; the text."""
    call = callback(function, "each_char")
    for character in text:
        call(Char(character))
    return text


def byte_at(text: str, position: Any = MISSING) -> int:
    """The byte at a position of the text in UTF-8."""
    data = _encode(text)
    at = integer(position, "String.byte_at index")
    if not 0 <= at < len(data):
        raise GeneException("byte_at index out of bounds")
    return data[at]


def each_byte(text: str, function: Any = MISSING) -> str:
    """Call the function with each byte of the text in UTF-8, as an Int; the text."""
    call = callback(function, "each_byte")
    for byte in _encode(text):
        call(byte)
    return text


def to_bytes(text: str) -> Octets:
    """The text in UTF-8."""
    from gene.data.octets import Octets

    return Octets(_encode(text))


def byteslice(text: str, start: Any = MISSING, count: Any = MISSING) -> Octets:
    """As many bytes of the text in UTF-8 as ``count`` says; a negative start counts from the end."""
    from gene.data.octets import Octets

    data = _encode(text)
    low = integer(start, "String.byteslice start")
    low = max(low + len(data), 0) if low < 0 else low
    return Octets(data[low : low + max(integer(count, "String.byteslice count"), 0)])


def match(text: str, pattern: Any = MISSING) -> Any:
    """The first match of a regular expression, or nil."""
    return _regex(pattern, "String.match", strings=False).match(pattern, text)


def is_match(text: str, pattern: Any = MISSING) -> bool:
    """Whether the regular expression matches somewhere."""
    return _regex(pattern, "String.match?", strings=False).first(pattern, text) is not None


def find(text: str, pattern: Any = MISSING) -> str | None:
    """The text of the first match, or nil."""
    if isinstance(pattern, str):
        return pattern if pattern in text else None
    return _regex(pattern, "String.find").find(pattern, text)  # type: ignore[no-any-return]


def find_all(text: str, pattern: Any = MISSING) -> list[str]:
    """An array of the texts of all matches."""
    if isinstance(pattern, str):
        return [pattern] * (text.count(pattern) if pattern else 0)
    return _regex(pattern, "String.find_all").find_all(pattern, text)  # type: ignore[no-any-return]


def _replaced(text: str, target: Any, replacement: Any, method: str, count: int) -> str:
    if target is MISSING:
        raise ArgumentException(f"{method} requires target and replacement")
    if isinstance(target, str):
        if replacement is MISSING:
            raise ArgumentException(f"{method} requires target and replacement")
        if not isinstance(replacement, str):
            raise ArgumentException(f"{method} expects a replacement string, got {tag_of(replacement)}")
        return text.replace(target, replacement, count or -1)
    given = None if replacement is MISSING else replacement
    return _regex(target, method).substitute(target, text, given, count, method)  # type: ignore[no-any-return]


def _regex(pattern: Any, method: str, *, strings: bool = True) -> Any:
    """The module that knows regular expressions, loaded once the pattern is seen to be one."""
    if kind_of(pattern).tag != "VkRegex":
        what = "expects a Regexp or string pattern" if strings else "requires a Regexp"
        raise ArgumentException(f"{method} {what}")
    from gene.stdlib import regexes

    return regexes


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _shortened(text: str) -> str:
    return text if len(text) <= _DIGITS_OF_INT else f"{text[:_DIGITS_OF_INT]}…"


METHODS: Final = {
    "length": len,
    "size": len,
    "bytesize": bytesize,
    "empty?": is_empty,
    "empty": is_empty,
    "not_empty?": is_not_empty,
    "to_i": to_i,
    "to_f": to_f,
    "to_s": to_s,
    "append": append,
    **dict.fromkeys(("to_upper", "to_uppercase", "upper", "upcase"), to_upper),
    **dict.fromkeys(("to_lower", "to_lowercase", "lower", "downcase"), to_lower),
    "capitalize": capitalize,
    "reverse": reverse,
    "trim": trim,
    "strip": trim,
    "lstrip": lstrip,
    "rstrip": rstrip,
    "substr": substr,
    "split": split,
    "index": index,
    "rindex": rindex,
    "contains": contains,
    "include?": includes,
    "contain": includes,
    "starts_with": starts_with,
    "start_with?": starts_with,
    "ends_with": ends_with,
    "end_with?": ends_with,
    "replace": replace,
    "sub": replace,
    "replace_all": replace_all,
    "gsub": replace_all,
    "char_at": char_at,
    "chars": chars,
    "byte_at": byte_at,
    "bytes": to_bytes,
    "to_bytes": to_bytes,
    "byteslice": byteslice,
    "each_char": each_char,
    "each_byte": each_byte,
    "match": match,
    "match?": is_match,
    "find": find,
    "find_all": find_all,
    "scan": find_all,
}
