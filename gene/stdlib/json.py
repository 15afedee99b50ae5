"""``gene/json``: JSON text to values and back.

Plain data goes through the C code of Python's json module. Where that differs from Gene (floats with an
exponent, numbers out of range) or would overflow the C stack (data nested very deeply), cheap checks notice
it, and :mod:`gene.stdlib.json_deep` does the work.
"""

from __future__ import annotations

import re
from itertools import accumulate
from json import JSONDecodeError, JSONDecoder, JSONEncoder

from gene.data.kinds import kind_of
from gene.runtime.exceptions import ArgumentException, ParseException, TypeException
from gene.runtime.text import to_s
from gene.stdlib.arguments import MISSING
from gene.stdlib.json_deep import NumberError, read, write

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final, NoReturn

MAX_C_DEPTH: Final = 200
"""How deeply nested data is left to C code, which needs C stack for every level."""


def parse(text: Any = MISSING) -> Any:
    """``(gene/json/parse text)``: the value that a JSON text denotes.

    Objects become Maps (of a repeated key the last value counts), null becomes nil. Integers must fit in 64
    bits and floats in a double, since other numbers would silently become different ones.

    Raises:
        ParseException: The text is no JSON: ``Invalid JSON: input(line, column) Error: …``.
        ArgumentException: ``text`` is no String.
    """
    if type(text) is not str:
        raise ArgumentException("json.parse expects a string")
    decoder = _CHECKED if _may_be_out_of_range(text) else _PLAIN
    try:
        if _bracket_depth(text) > MAX_C_DEPTH:
            return read(text, decoder)
        try:
            return decoder.decode(text)
        except (JSONDecodeError, NumberError):
            return read(text, decoder)  # says where a number is, and the same in all versions of Python
    except JSONDecodeError as error:
        place = f"input({error.lineno}, {error.colno})"
        raise ParseException(f"Invalid JSON: {place} Error: {error.msg}") from None


def stringify(value: Any = MISSING) -> str:
    r"""``(gene/json/stringify value)``: the value as compact JSON text.

    Whatever JSON has no form for becomes a string of its text: a symbol its name, a range ``"0..3"``, void
    ``"void"``. Floats keep their point, ``1.0``. Lone surrogates are written as ``\udxxx``.

    Raises:
        ArgumentException: nan or an infinity, which JSON cannot express, or a value that contains itself.
        TypeException: A map of the host with keys that are no Strings.
    """
    if value is MISSING:
        raise ArgumentException("json.stringify requires a value")
    text = _encode(value) if _is_shallow(value) else None
    if text is None or (("e-" in text or "e+" in text) and _EXPONENT.search(text)):
        text = write(value, to_s)
    return text if text.isascii() else _escape_surrogates(text)


def _encode(value: Any) -> str:
    try:
        return _ENCODER.encode(value)
    except ValueError:
        return write(value, to_s)  # meets the same value again, and names it
    except TypeError:
        _refuse_keys(value)


def _refuse_keys(value: Any) -> NoReturn:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            for key in item:
                if type(key) is not str:
                    raise TypeException(f"json.stringify requires String keys, got {kind_of(key).tag}")
            stack.extend(item.values())
        elif isinstance(item, (list, tuple)):
            stack.extend(item)
    raise AssertionError("only a key of the wrong kind makes the encoder raise TypeError")


def _is_shallow(value: Any) -> bool:
    """Whether the value is nested less than MAX_C_DEPTH deep; if so it cannot contain itself."""
    level = [value]
    for _ in range(MAX_C_DEPTH):
        inner = {
            id(item): item
            for container in level
            if isinstance(container, (list, dict, tuple))
            for item in (container.values() if isinstance(container, dict) else container)
            if type(item) not in _SCALARS
        }
        if not inner:
            return True
        level = list(inner.values())
    return False


def _may_be_out_of_range(text: str) -> bool:
    """Whether there are as many digits, or so large an exponent, that a number could be out of range.

    Ten times as fast as a regular expression, which would take longer than reading the text.
    """
    shape = text.encode("utf-8", "surrogatepass").translate(_SHAPES)
    return _LONG_DIGITS in shape or b"e000" in shape or b"e+000" in shape


def _bracket_depth(text: str) -> int:
    """The nesting depth of JSON text, or a number that is not too small where that is cheaper to say."""
    opening = text.count("[") + text.count("{")
    if opening <= MAX_C_DEPTH:
        return opening
    data = text.encode("utf-8", "surrogatepass").replace(b"\\\\", b"").replace(b'\\"', b"")
    brackets = _STRINGS.sub(b"", data.translate(None, _NO_BRACKETS).replace(b'""', b""))
    return max(accumulate(map(_STEP.__getitem__, brackets)), default=0)


def _escape_surrogates(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    return text


def _int(digits: str) -> int:
    if len(digits) > 20 or not -(2**63) <= int(digits) < 2**63:
        raise NumberError(f"the integer {_short(digits)} does not fit in 64 bits")
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits)
    if number - number != 0:
        raise NumberError(f"the number {_short(digits)} does not fit in a 64-bit float")
    return number


def _constant(name: str) -> NoReturn:
    raise NumberError(f"{name} is not a JSON value")


def _short(digits: str) -> str:
    return digits if len(digits) <= 40 else digits[:40] + "…"


_PLAIN: Final = JSONDecoder(parse_constant=_constant)
_CHECKED: Final = JSONDecoder(parse_constant=_constant, parse_int=_int, parse_float=_float)
_ENCODER: Final = JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, separators=(",", ":"), default=to_s
)
_SCALARS: Final = frozenset({str, int, float, bool, type(None)})
_LONG_DIGITS: Final = b"0" * 19
_SHAPES: Final = bytes(ord("0") if chr(byte) in "0123456789" else byte | 32 for byte in range(256))
_EXPONENT: Final = re.compile(r"[0-9]e[+-][0-9]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_STRINGS: Final = re.compile(rb'"[^"]*"?')
_STEP: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_NO_BRACKETS: Final = bytes(byte for byte in range(256) if byte not in b'"[]{}')
