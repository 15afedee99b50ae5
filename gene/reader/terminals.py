"""What each terminal of ``gene.lark`` denotes.

A function here is called with the source, the token, and the token's start and end in the source. What it
returns is what the parser hands to the functions of :mod:`gene.reader.actions`.
"""

from __future__ import annotations

import re
from sys import intern

from gene.data.atoms import NOT_FOUND, VOID, Char, PathSymbol, Symbol
from gene.data.forms import INTERPOLATION, NO_PROPS, ArrayForm, Gene, HashMapForm, MapForm, Quote, Unquote
from gene.errors import GeneError
from gene.reader.faults import malformed
from gene.reader.numerals import read_float, read_int, read_number, read_temporal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from gene.data.source import Source

_KEYWORDS: Final[dict[str, Any]] = {
    "nil": None, "true": True, "false": False, "void": VOID, "not_found": NOT_FOUND
}  # fmt: skip


def read_name(source: Source, token: str, start: int, end: int) -> Any:
    """A token without slash and backslash: a keyword or a symbol."""
    if token in _KEYWORDS:
        return _KEYWORDS[token]
    return Symbol(token, source, start, end)


def read_symbol(source: Source, token: str, start: int, end: int) -> Symbol | PathSymbol:
    """Any other symbol: a path when it has a slash that no backslash precedes."""
    parts = split_path(token)
    if len(parts) == 1 or token in ("/", "/=", "./"):
        return Symbol(unescape_token(token), source, start, end)
    return PathSymbol(tuple(parts), source, start, end)


def is_symbol(token: str) -> bool:
    """Whether a token is a symbol or a keyword, going by how it starts."""
    return re.match(r"[0-9'^#]|[+-][0-9]", token) is None


def split_path(token: str) -> list[str]:
    """The parts of a path. A dynamic part keeps its angle brackets, and the slashes between them."""
    if "\\" not in token:
        parts = token.split("/")
    else:
        parts = re.findall(r"(?:\A|/)((?:[^/\\]|\\.)*)", token, re.DOTALL)
    if "<" in token:
        parts = _join_dynamic(parts)
    return parts if "\\" not in token else [unescape_token(part) for part in parts]


def _join_dynamic(parts: list[str]) -> list[str]:
    """Joins the parts that an angle bracket holds together; one that nothing closes is ordinary text."""
    closed: dict[int, int] = {}
    opened: list[int] = []
    for number, part in enumerate(parts):
        if part.startswith("<"):
            opened.append(number)
        for _ in range(min(len(opened), len(part) - len(part.rstrip(">")))):
            closed[opened.pop()] = number
    joined: list[str] = []
    number = 0
    while number < len(parts):
        past = closed.get(number, number) + 1
        joined.append("/".join(parts[number:past]))
        number = past
    return joined


def unescape_token(token: str) -> str:
    """A token without its backslashes, each of which takes the next character literally."""
    return re.sub(r"\\(.)", r"\1", token, flags=re.DOTALL) if "\\" in token else token


# ------------------------------------------------------------------------------------- strings, characters

_ESCAPE: Final = (
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"  # a surrogate pair
    r"|u(?![dD][89a-fA-F])([0-9a-fA-F]{4})"
    r"|(.))"
)
_CONTROL: Final = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def unescape(source: Source, raw: str, start: int) -> str:
    r"""The text that a stretch of a string denotes.

    Raises:
        GeneSyntaxError: ``\u`` without four hexadecimal digits, or with half of a surrogate pair.
    """

    def replace(match: re.Match[str]) -> str:
        high, low, unit, other = match.groups()
        if unit:
            return chr(int(unit, 16))
        if high:
            return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
        if other == "u":
            at = start + match.start()
            hint = "\\u takes four hexadecimal digits, and characters beyond \\uFFFF take a surrogate pair"
            raise malformed(source, at, at + 2, "Malformed \\u escape", hint)
        return _CONTROL.get(other, other)

    return re.sub(_ESCAPE, replace, raw, flags=re.DOTALL) if "\\" in raw else raw


def read_string(_source: Source, token: str, _start: int, _end: int) -> str:
    """A string without escapes."""
    return token[1:-1]


def read_escaped_string(source: Source, token: str, start: int, _end: int) -> str:
    """A string with escapes."""
    return unescape(source, token[1:-1], start + 1)


def read_triple_string(source: Source, token: str, start: int, _end: int) -> str:
    """A string in triple quotes, without blanks before the first and after the last line break."""
    raw = token[3:-3]
    body = re.sub(r"\n[ \t]+\Z", "\n", raw)
    body = body[leading_blanks(body) :]
    return unescape(source, body, start + 3 + leading_blanks(raw))


def leading_blanks(text: str) -> int:
    """How many blanks stand before a line break at the start of a text; 0 without one."""
    rest = text.lstrip(" \t")
    return len(text) - len(rest) if rest.startswith(("\n", "\r\n")) else 0


def read_text(source: Source, token: str, start: int, _end: int) -> str:
    """Literal text of an interpolated string."""
    return unescape(source, token, start)


def read_char(source: Source, token: str, start: int, end: int) -> Char:
    """A character literal."""
    value = unescape(source, token[1:-1], start + 1)
    if len(value) != 1:
        raise malformed(source, start, end, f"Not one character: {token}")
    return Char(value)


def read_regex(source: Source, token: str, start: int, end: int) -> Any:
    """A regular expression with its flags, and its replacement."""
    from gene.data.regex import Regex

    pattern, *rest, flags = re.findall(r"(?:\A#|(?<!\A#))/((?:[^/\\]|\\.)*)", token)
    replacement = _unescape_slashes(rest[0]) if rest else None
    regex = Regex(_unescape_slashes(pattern), flags, replacement)
    try:
        _ = regex.compiled
    except GeneError as error:
        raise malformed(source, start, end, error.message) from None
    return regex


def _unescape_slashes(text: str) -> str:
    return re.sub(r"\\([\\/])", r"\1", text)


# ------------------------------------------------------------------------------------------- opening tokens


def open_array(source: Source, opening: str, start: int, _end: int) -> ArrayForm:
    """``[`` or ``#[``."""
    form = ArrayForm()
    form.source, form.start, form.frozen = source, start, opening != "["
    return form


def open_map(source: Source, opening: str, start: int, _end: int) -> MapForm:
    """``{`` or ``#{``."""
    form = MapForm()
    form.source, form.start, form.frozen = source, start, opening != "{"
    return form


def open_hash_map(source: Source, opening: str, start: int, _end: int) -> HashMapForm:
    """``{{`` or ``#{{``."""
    form = HashMapForm()
    form.source, form.start, form.frozen = source, start, opening != "{{"
    return form


def open_gene(source: Source, opening: str, start: int, _end: int) -> Gene:
    """``(`` or ``#(``."""
    return Gene(None, NO_PROPS, [], source, start, start, opening != "(")


def open_interpolation(source: Source, _token: str, start: int, end: int) -> Gene:
    """``#"`` in any number."""
    return Gene(Symbol(INTERPOLATION, source, start, end), NO_PROPS, [], source, start, start)


def open_quote(source: Source, _token: str, start: int, _end: int) -> Quote:
    """A backquote."""
    return Quote(None, source, start)


def open_unquote(source: Source, opening: str, start: int, _end: int) -> Unquote:
    """``%`` or ``%_``."""
    return Unquote(None, opening != "%", source, start)


# ------------------------------------------------------------------------------------------- all terminals


def read_caret(source: Source, token: str, start: int, _end: int) -> tuple[str, int, Source]:
    """A token that starts with ``^``: what follows the caret, and where the caret is."""
    return intern(token[1:]), start, source  # data repeats its keys


def start_of(_source: Source, _token: str, start: int, _end: int) -> int:
    """Where a token of no value starts."""
    return start


def end_of(_source: Source, _token: str, _start: int, end: int) -> int:
    """Where a closing token ends."""
    return end


TERMINALS: Final[dict[str, Callable[[Source, str, int, int], Any]]] = {
    "NAME": read_name,
    "SYMBOL": read_symbol,
    "PERCENT": read_symbol,
    "KEY": read_caret,
    "KEY_PATH": read_caret,
    "FLAG": read_caret,
    "SPREAD": read_caret,
    "SPREAD_NAME": read_caret,
    "STRING": read_string,
    "ESCAPED_STRING": read_escaped_string,
    "TRIPLE_STRING": read_triple_string,
    "CHAR": read_char,
    "REGEX": read_regex,
    "REPLACING_REGEX": read_regex,
    "INT": read_int,
    "FLOAT": read_float,
    "NUMBER": read_number,
    "TEMPORAL": read_temporal,
    "ARRAY": open_array,
    "FROZEN_ARRAY": open_array,
    "RBRACKET": end_of,
    "MAP": open_map,
    "FROZEN_MAP": open_map,
    "HASH_MAP": open_hash_map,
    "FROZEN_HASH_MAP": open_hash_map,
    "RBRACE": end_of,
    "GENE": open_gene,
    "FROZEN_GENE": open_gene,
    "RPAR": end_of,
    "SEMICOLON": end_of,
    "QUOTE": open_quote,
    "UNQUOTE": open_unquote,
    "UNQUOTE_DISCARD": open_unquote,
    "DECORATOR": open_gene,
    "STRING_START": open_interpolation,
    "TRIPLE_STRING_START": open_interpolation,
    "TEXT": read_text,
    "TRIPLE_TEXT": read_text,
    "TEXT_COMMENT": start_of,
    "TRIPLE_TEXT_COMMENT": start_of,
    "EMBEDDED": start_of,
    "TRIPLE_EMBEDDED": start_of,
    "HOLE": start_of,
    "TRIPLE_HOLE": start_of,
    "STRING_END": end_of,
    "TRIPLE_STRING_END": end_of,
    "$END": start_of,
}
