"""The text of a result: strings as they are, everything else as compact JSON.

A value that JSON can hold is encoded as it stands. Others are converted first (see `to_jsonable`), or refused
with the place of the part that has no JSON form. Size is charged before anything is copied, depth before the
encoder recurses, so neither a huge nor a cyclic value can bring the process down.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MAX_SIZE = 32_000_000
"""Characters of JSON (about) that a result may have: more than a model reads, less than memory holds."""

MAX_DEPTH = 200
"""Levels of nesting in arguments and results: deeper than real data, far from the end of the C stack."""

_FLAT = frozenset({bool, int, float, type(None)})

_converters: dict[type, Callable[[Any], Any]] = {}


class NoJsonFormError(TypeError):
    """A value cannot be written as JSON. `path` is the place (``[0].name``), `reason` what is there."""

    def __init__(self, reason: str, path: str = "") -> None:
        super().__init__(f"{path or 'the value'} {reason}")
        self.reason = reason
        self.path = path


def register(kind: type, to_jsonable: Callable[[Any], Any]) -> None:
    """Teach the package the JSON form of a kind of value, subclasses included.

    Args:
        kind: The class; `object` for the values that nothing else knows.
        to_jsonable: Takes an instance; returns a value made of JSON kinds or of other known kinds, or, where
            it serves for `object`, NotImplemented to decline.
    """
    _converters[kind] = to_jsonable


def to_text(value: Any) -> str:
    """Return the text of a result.

    Raises:
        NoJsonFormError: The value, or a part of it, has no JSON form or is too large.
    """
    if type(value) is str:
        return value if value.isascii() else _well_formed(value)
    if not is_plain(value):
        value = to_jsonable(value)
        if type(value) is str:
            return _well_formed(value)
    return encode(value)


def encode(value: Any) -> str:
    """Return compact JSON of a value for which `is_plain` holds."""
    try:
        text = "".join(_encoder()(value, 0))
    except ValueError as error:  # NaN, infinity, or an integer of more digits than Python writes
        converted = to_jsonable(value)
        if converted == value:
            raise NoJsonFormError(f"cannot be written as JSON: {error}") from None
        return to_text(converted)
    return text if text.isascii() else _well_formed(text)


def is_plain(value: Any) -> bool:
    """Whether a value consists of the exact types of JSON, small and shallow enough to encode as it is."""
    try:
        return _charge(value, MAX_DEPTH, MAX_SIZE) >= 0
    except _NotPlainError:
        return False


class _NotPlainError(Exception):
    pass


def _charge(value: Any, depth: int, budget: int) -> int:
    """Return what is left of a budget of characters after a plain value."""
    kind = type(value)
    if kind in _FLAT:
        return budget - 1
    if kind is str:
        budget -= len(value)
    elif depth == 0:
        raise _NotPlainError
    elif kind is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise _NotPlainError
            budget = (
                budget - len(key) - 1 if type(item) in _FLAT else _charge(item, depth - 1, budget - len(key))
            )
    elif kind is list:
        for item in value:
            budget = budget - 1 if type(item) in _FLAT else _charge(item, depth - 1, budget)
    else:
        raise _NotPlainError
    if budget < 0:
        raise _NotPlainError
    return budget


_encode: Callable[..., Iterable[str]] | None = None


def _encoder() -> Callable[..., Iterable[str]]:
    """Return the C encoder without its per-call set-up, which is half of the cost of a small result.

    It runs without a check for cycles: `is_plain` bounds the depth first.
    """
    global _encode  # noqa: PLW0603 - made once
    if _encode is None:
        import json.encoder as j

        make = getattr(j, "c_make_encoder", None)
        quote = j.encode_basestring
        if make is not None:
            _encode = make(None, _refuse, quote, None, ":", ",", False, False, False)
        else:
            _encode = j.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).iterencode
    return _encode


def _refuse(value: Any) -> Any:
    raise NoJsonFormError(f"is {describe(value)}, which has no JSON form")


def _well_formed(text: str) -> str:
    """Return text that UTF-8 can hold: halves of surrogate pairs are joined, lone ones replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def to_jsonable(value: Any, *, max_size: int = MAX_SIZE) -> Any:
    """Return a value as JSON kinds: dict with string keys, list, str, int, float, bool, None.

    Bytes become base64; dates, times and paths their standard text; Decimal and UUID text; enums their value;
    sets lists, in sorted order where they have one; tuples, generators and other finite iterables lists;
    dataclasses, attrs classes and pydantic models objects of their fields; other kinds what `register` or a
    ``to_jsonable()`` method says. NaN and the infinities become ``"NaN"``, ``"Infinity"`` and
    ``"-Infinity"``, as in the JSON mapping of Protocol Buffers.

    Raises:
        NoJsonFormError: A part has no JSON form, contains itself, or is too large.
    """
    from ai_tools.conversion import Converter

    return Converter(_converters, max_size).convert(value, "", 0)


def describe(value: Any) -> str:
    """Return a kind of value in words, without its content: "a Socket"."""
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def truncate(text: str, limit: int) -> str:
    """Return text cut to about `limit` characters: head, a marker that counts what is missing, tail."""
    if len(text) <= limit:
        return text
    tail = limit // 4
    head = limit - tail
    marker = f"\n… [{len(text) - limit} of {len(text)} characters omitted] …\n"
    return f"{text[:head]}{marker}{text[-tail:] if tail else ''}"
