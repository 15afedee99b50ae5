"""Reading the argument text of a call: one JSON object, or a reason why it is none.

The text comes from a model, so it may be anything. Depth and size are bounded before the scanner sees it:
CPython 3.11's scanner recurses on the C stack, which overflows where the host has raised the recursion limit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.errors import InvalidArgumentsError
from ai_tools.serialization import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_TEXT = 16_000_000
"""Characters that an argument text may have."""


def read(arguments: Any, tool: str) -> dict[str, Any]:
    """Return the arguments of a call as a dict.

    Args:
        arguments: JSON text, a dict, or None. Blank text and None mean no arguments.
        tool: The tool's name, for the error.

    Raises:
        InvalidArgumentsError: The text is not JSON, or not an object.
    """
    if type(arguments) is str:
        arguments = parse(arguments, tool) if arguments else {}
    if type(arguments) is dict:
        return arguments
    if arguments is None:
        return {}
    if isinstance(arguments, dict):
        return dict(arguments)
    raise InvalidArgumentsError(tool, "", f"must be a JSON object, not {_kind(arguments)}")


def parse(text: str, tool: str) -> Any:
    """Return the value of a JSON text from a model; blank text means an empty object.

    Raises:
        InvalidArgumentsError: The text is not JSON, too long or too deep.
    """
    if len(text) > MAX_TEXT:
        reason = f"the text has {len(text):,} characters; at most {MAX_TEXT:,} are allowed"
    elif len(text) > MAX_DEPTH and is_deep(text):
        reason = f"the text is nested deeper than {MAX_DEPTH} levels"
    else:
        try:
            return (_decode or _make_decoder())(text)
        except ValueError as error:
            if not text.strip():
                return {}
            reason = _explain(error, text)
    raise InvalidArgumentsError(tool, "", reason)


_decode: Callable[[str], Any] | None = None


def _make_decoder() -> Callable[[str], Any]:
    """Return the decoder: no NaN; of repeated keys the last one counts, as in every common reader."""
    global _decode  # noqa: PLW0603 - made once
    from json import JSONDecoder

    _decode = JSONDecoder(parse_constant=_refuse_constant).decode
    return _decode


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def is_deep(text: str) -> bool:
    """Whether JSON text nests deeper than `MAX_DEPTH`: by a cheap upper bound, exactly where needed."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return False
    import re

    depth = 0
    # Strings first, so that brackets inside them do not count; an unclosed string ends the text.
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', text, re.DOTALL):
        char = match[0][0]
        if char != '"':
            depth += 1 if char in "[{" else -1
        if depth > MAX_DEPTH:
            return True
    return False


def _explain(error: ValueError, text: str) -> str:
    """Say what is wrong with a JSON text, with the place and its surroundings."""
    message = getattr(error, "msg", str(error))
    position = getattr(error, "pos", None)
    if position is None:
        return f"the text is not valid JSON: {message}"
    if position >= len(text.rstrip()) or message.startswith("Unterminated"):
        return f"the text is not valid JSON: it ends too early, after {text[-30:]!r}"
    near = text[max(0, position - 15) : position + 15]
    return f"the text is not valid JSON: {message} at character {position}, near {near!r}"


def _kind(value: Any) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
    return names.get(type(value)) or f"a value of type {type(value).__name__}"
