"""Literals that start with a digit: integers, floats, bytes, dates and times."""

from __future__ import annotations

import re

from gene.reader.faults import last_backslash, malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from gene.data.source import Source
    from gene.errors import GeneSyntaxError

INT_MIN: Final = -(2**63)
INT_MAX: Final = 2**63 - 1
_SURE_DIGITS: Final = 18
"""So many decimal digits always fit into 64 bits."""


def read_int(source: Source, token: str, start: int, end: int) -> int:
    """A decimal integer.

    Raises:
        GeneSyntaxError: It does not fit into 64 bits.
    """
    if len(token) <= _SURE_DIGITS:
        return int(token)
    digits = token.lstrip("+-").lstrip("0")
    value = int(digits[: _SURE_DIGITS + 2] or "0")  # so many are enough to see that it is too much
    return _checked(source, -value if token[0] == "-" else value, start, end)


def _checked(source: Source, value: int, start: int, end: int) -> int:
    if not INT_MIN <= value <= INT_MAX:
        hint = f"an Int lies between {INT_MIN} and {INT_MAX}"
        raise malformed(source, start, end, "Parsed integer outside of valid range", hint)
    return value


def read_float(_source: Source, token: str, _start: int, _end: int) -> float:
    """A number with a point or an exponent."""
    return float(token)


def read_number(source: Source, token: str, start: int, end: int) -> Any:
    """A hexadecimal integer or bytes.

    Raises:
        GeneSyntaxError: It is neither, but only starts like a number.
    """
    if re.fullmatch(r"0[xX][0-9a-fA-F_]*[0-9a-fA-F]_*", token):
        digits = token[2:].replace("_", "").lstrip("0")
        return _checked(source, int(digits[:17] or "0", 16), start, end)
    if token[:2] in ("0!", "0#", "0*"):
        from gene.data.octets import Octets

        return _literal(Octets.parse, source, token, start, end)
    raise _no_number(source, token, start, end)


def read_temporal(source: Source, token: str, start: int, end: int) -> Any:
    """A date, a time, or both.

    Raises:
        GeneSyntaxError: There is no such day or time, or it only starts like one.
    """
    from gene.data.temporal import parse

    return _literal(parse, source, token, start, end)


def _literal(parse: Any, source: Source, token: str, start: int, end: int) -> Any:
    try:
        return parse(token)
    except ValueError as error:
        raise malformed(source, start, end, str(error), _hint(token)) from None


def _no_number(source: Source, token: str, start: int, end: int) -> GeneSyntaxError:
    rest = token[len(_number_part(token)) :]
    if not rest:
        return last_backslash(source, end)  # which alone keeps the token from being a number
    message = f"Malformed number: {token}"
    if rest.startswith("/"):
        message = "TODO: ratio"
    elif rest[0].isalpha():
        message = "TODO: number with unit"
    return malformed(source, start, end, message, _hint(token))


def _number_part(token: str) -> str:
    match = re.match(r"[+-]?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?", token)
    return match[0] if match else ""


def _hint(token: str) -> str | None:
    """What a person may have meant by a token that starts like a number."""
    number = _number_part(token)
    rest = token[len(number) :]
    if re.fullmatch(r"[+-]?[0-9]+(_[0-9]+)+", token):
        return f"write {token.replace('_', '')}; only hexadecimal numbers take _ between digits"
    if re.fullmatch(r"[+-]?[0-9]+\.\.[+-]?[0-9]+", token):
        first, _, last = token.partition("..")
        return f"a range is written ({first} .. {last})"
    if token[0] == "0" and token[1:2] in ("x", "X"):
        return "a hexadecimal number is 0x and the digits 0 to 9, a to f"
    operator = re.match(r"[-+*/<>=!&|]+", rest)
    if token[:2] in ("0!", "0#", "0*"):
        return "0! takes bits, 0# hexadecimal digits, 0* base64"
    if operator and not re.match(r"[+-]?[0-9]{4}-[0-9]+-", token):
        return f"put blanks around the operator: ({number} {operator[0]} {rest[operator.end() :] or '…'})"
    if rest[:1].isalpha():
        return f'a number has no unit: put a blank between {number} and {rest}, or write the string "{token}"'
    return None
