"""Scripts for `ScriptedProvider` as plain data, so that a file or a program without Python can hold one.

A script is an array of turns. A turn is a text, an array of calls, or an object with the fields of `Turn`:

    ["Hello.", {"text": "Let me look.", "calls": [{"name": "find", "arguments": {"n": 4}}], "chunk": 6},
     {"error": {"code": "rate_limited", "message": "slow down"}}]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ai_tools.providers import errors
from ai_tools.providers.protocol import Usage
from ai_tools.providers.scripted import Turn

if TYPE_CHECKING:
    import os

ERRORS = {
    kind.code: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, errors.ProviderError)
}
"""The errors that a turn may have, by their codes."""

_NUMBERS = {"delay": (int, float), "chunk": (int,)}
_TEXTS = ("text", "reasoning", "stop_reason")


class ScriptError(ValueError):
    """Data is no script; the message names the turn and says what would be right."""


def read(path: str | os.PathLike[str]) -> list[Turn]:
    """Return the script in a JSON file.

    Raises:
        OSError: It cannot be read.
        ScriptError: It holds no script.
    """
    import json

    with open(path, encoding="utf-8-sig") as file:
        try:
            data = json.load(file)
        except (ValueError, RecursionError) as error:
            raise ScriptError(f"{path}: it is not JSON: {error}") from error
    try:
        return script_of(data)
    except ScriptError as error:
        raise ScriptError(f"{path}: {error}") from error


def script_of(data: Any) -> list[Turn]:
    """Return the turns of a script.

    Raises:
        ScriptError: It is none.
    """
    if not isinstance(data, (list, tuple)):
        raise ScriptError(f"a script is an array of turns, not {_kind(data)}")
    return [turn_of(item, f"turn {number}") for number, item in enumerate(data, 1)]


def turn_of(data: Any, place: str = "a turn") -> Turn:
    """Return one turn.

    Args:
        data: What stands for it.
        place: What an error calls it.

    Raises:
        ScriptError: It stands for none.
    """
    if isinstance(data, Turn):
        return data
    if isinstance(data, str):
        return Turn(data)
    if isinstance(data, Sequence):
        return Turn(calls=_calls(data, place))
    if not isinstance(data, Mapping):
        raise ScriptError(f"{place} is a text, an array of calls or an object, not {_kind(data)}")
    if unknown := sorted(map(str, data.keys() - set(Turn.__slots__))):
        known = ", ".join(sorted(Turn.__slots__))
        raise ScriptError(f"{place} has unknown fields: {', '.join(unknown)}; there are: {known}")
    return Turn(**{name: _field(name, value, place) for name, value in data.items() if value is not None})


def _field(name: str, value: Any, place: str) -> Any:
    where = f"{place}: {name}"
    if name == "calls":
        return _calls(value, place)
    if name == "error":
        return _error(value, where)
    if name == "usage":
        return _usage(value, where)
    if name in _TEXTS and not isinstance(value, str):
        raise ScriptError(f"{where} must be a text, not {_kind(value)}")
    if name in _NUMBERS and (type(value) not in _NUMBERS[name] or value < (name == "chunk")):
        raise ScriptError(f"{where} must be {'seconds' if name == 'delay' else 'a number of characters'}")
    return value


def _calls(data: Any, place: str) -> list[dict[str, Any]]:
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise ScriptError(f"{place}: calls must be an array, not {_kind(data)}")
    return [_call(item, f"{place}: call {number}") for number, item in enumerate(data, 1)]


def _call(data: Any, place: str) -> dict[str, Any]:
    if not isinstance(data, Mapping) or not isinstance(data.get("name"), str):
        raise ScriptError(f"{place} must be an object with the tool's name")
    if unknown := sorted(map(str, data.keys() - {"name", "arguments", "id"})):
        raise ScriptError(f"{place} has unknown fields: {', '.join(unknown)}; there are: name, arguments, id")
    if not isinstance(data.get("arguments", {}), (Mapping, str, type(None))):
        raise ScriptError(f"{place}: arguments must be an object, or text as a model would write it")
    return dict(data)


def _error(data: Any, place: str) -> errors.ProviderError:
    if isinstance(data, errors.ProviderError):
        return data
    fields = {"message": data} if isinstance(data, str) else data
    if not isinstance(fields, Mapping) or not isinstance(fields.get("message"), str):
        raise ScriptError(f"{place} must be a text, or an object with message")
    code = fields.get("code", "provider_error")
    if code not in ERRORS:
        raise ScriptError(f"{place}: there is no error {code!r}; there are: {', '.join(ERRORS)}")
    rest: dict[str, Any] = {key: value for key, value in fields.items() if key not in ("message", "code")}
    if unknown := sorted(map(str, rest.keys() - {"status", "retry_after"})):
        raise ScriptError(f"{place} has unknown fields: {', '.join(unknown)}")
    return ERRORS[code](fields["message"], provider="scripted", **rest)


def _usage(data: Any, place: str) -> Usage:
    if isinstance(data, Usage):
        return data
    if not isinstance(data, Mapping) or not data.keys() <= set(Usage.__slots__):
        raise ScriptError(f"{place} must be an object of {', '.join(Usage.__slots__)}")
    if any(type(value) is not int or value < 0 for value in data.values()):
        raise ScriptError(f"{place}: tokens are whole numbers")
    return Usage(**data)


def _kind(value: Any) -> str:
    names = {str: "a text", bool: "a boolean", type(None): "null", dict: "an object", list: "an array"}
    return names.get(type(value), type(value).__name__)
