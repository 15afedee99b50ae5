"""Plain dicts out of whatever a program holds: dicts, JSON text, lines of a stream, objects of an SDK."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ai_tools.errors import ToolError


class MessageFormatError(ToolError, ValueError):
    """What was to be read is no message, response or chunk of this format."""

    code = "invalid_message"


def to_plain(value: Any) -> Any:
    """Return the dicts and lists that `value` stands for.

    Args:
        value: A dict or list, JSON text (str or bytes), an SDK object with ``model_dump``, or an iterable of
            them.

    Raises:
        MessageFormatError: It is none of these, or text that is not JSON.
    """
    if isinstance(value, dict):
        return value
    if isinstance(value, (str, bytes, bytearray)):
        return _from_text(value)
    if hasattr(value, "model_dump"):
        return _dump(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable):
        return [item if isinstance(item, str) else to_plain(item) for item in value]
    raise MessageFormatError(f"Expected a dict, JSON text or an SDK object, not {type(value).__name__}.")


def to_dict(value: Any) -> dict[str, Any]:
    """Like `to_plain`, for what has to be an object.

    Raises:
        MessageFormatError: It is something else.
    """
    plain = to_plain(value)
    if not isinstance(plain, dict):
        raise MessageFormatError(f"Expected a JSON object, not {kind(plain)}.")
    return plain


def to_event(chunk: Any) -> dict[str, Any] | None:
    """Return one chunk of a stream; None for what carries nothing (blank lines, comments, ``[DONE]``).

    Args:
        chunk: What `to_plain` takes, or one line of server-sent events or of newline-delimited JSON.

    Raises:
        MessageFormatError: The chunk is not readable.
    """
    if isinstance(chunk, (bytes, bytearray)):
        chunk = chunk.decode("utf-8", "replace")
    if isinstance(chunk, str):
        line = chunk.strip()
        if line.startswith("data:"):
            line = line[5:].strip()
        if not line or line == "[DONE]" or line.startswith((":", "event:", "id:", "retry:")):
            return None
        return to_dict(line)
    return to_dict(chunk)


def refuse(plain: Any, expected: str) -> MessageFormatError:
    """Return the error for what a format cannot read; it quotes a provider's error."""
    if isinstance(plain, dict):
        if error := plain.get("error"):
            message = error.get("message") if isinstance(error, dict) else error
            return MessageFormatError(f"The provider answered with an error: {message or error}")
        found = f"an object with the keys {', '.join(map(repr, list(plain)[:8])) or '(none)'}"
    else:
        found = kind(plain)
    return MessageFormatError(f"Expected {expected}, got {found}.")


def items(value: Any) -> list[Any]:
    """Return the elements of an optional list.

    Raises:
        MessageFormatError: It is there, but no list.
    """
    if value is None:
        return []
    if isinstance(value, (list, tuple)):
        return list(value)
    raise MessageFormatError(f"Expected a list, not {kind(value)}.")


def kind(value: Any) -> str:
    """Return JSON's word for the kind of a value, with its article."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    for types, word in (
        (str, "a string"),
        ((int, float), "a number"),
        ((list, tuple), "an array"),
        (Mapping, "an object"),
    ):
        if isinstance(value, types):
            return word
    return type(value).__name__


def _from_text(text: str | bytes | bytearray) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise MessageFormatError(f"The text is not JSON: {error}.") from error


def _dump(value: Any) -> Any:
    try:
        # The serializer's warnings are about what SDKs put into their own fields; they tell a user nothing.
        return value.model_dump(mode="json", by_alias=True, warnings=False)
    except TypeError:  # a look-alike of pydantic's method with fewer options
        return value.model_dump()
