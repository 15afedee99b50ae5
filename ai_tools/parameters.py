"""The short list form of parameters, and its JSON Schema.

``[{"name": "location", "type": "string", "required": True, "description": "…"}]`` is what a person writes by
hand; a model is told ``{"type": "object", "properties": {"location": …}, "required": ["location"]}``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ai_tools.errors import InvalidDefinitionError
from ai_tools.types import no_parameters

_TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
_ALIASES = {
    "str": "string",
    "int": "integer",
    "float": "number",
    "double": "number",
    "bool": "boolean",
    "list": "array",
    "map": "object",
    "dict": "object",
    "nil": "null",
    "none": "null",
}


def to_schema(parameters: Any, tool: str) -> dict[str, Any]:
    """Return the JSON Schema of a tool's parameters, as a copy of its own.

    Args:
        parameters: A JSON Schema (a mapping), the list form, or None or empty for no parameters.
        tool: The tool's name, for errors.

    Raises:
        InvalidDefinitionError: It is none of these, or an entry of a list form is wrong.
    """
    try:
        return _to_schema(parameters, tool)
    except RecursionError:
        raise _wrong(tool, "parameters", "are nested too deeply, or contain themselves") from None


def _to_schema(parameters: Any, tool: str) -> dict[str, Any]:
    if parameters is None or (isinstance(parameters, (Mapping, list, tuple)) and not parameters):
        return no_parameters()
    if isinstance(parameters, Mapping):
        return _copy(parameters)  # type: ignore[no-any-return]  # a mapping's copy is a dict
    if isinstance(parameters, Sequence) and not isinstance(parameters, (str, bytes)):
        return _object(parameters, tool, "parameters")
    raise InvalidDefinitionError(
        f"Invalid tool {tool!r}: parameters must be a JSON Schema object or a list of parameters, "
        f"not {type(parameters).__name__}",
        tool=tool,
        path="parameters",
    )


def _object(entries: Sequence[Any], tool: str, path: str) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    required: list[str] = []
    for i, entry in enumerate(entries):
        place = f"{path}[{i}]"
        name = _name(entry, tool, place)
        if name in properties:
            raise _wrong(tool, place, f"repeats the name {name!r}")
        needed = False if entry.get("required") is None else entry["required"]
        if not isinstance(needed, bool):
            raise _wrong(tool, place, f"required must be true or false, not {needed!r}")
        properties[name] = _schema(entry, tool, place)
        if needed:
            required.append(name)
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required
    return schema


def _name(entry: Any, tool: str, place: str) -> str:
    if not isinstance(entry, Mapping):
        raise _wrong(tool, place, f"must be an object with name and type, not {type(entry).__name__}")
    name = entry.get("name")
    if not isinstance(name, str) or not name:
        raise _wrong(tool, place, "lacks a name")
    if entry.get("type") is None:
        raise _wrong(tool, place, f"({name!r}) lacks a type; one of {', '.join(_TYPES)}")
    return name


def _schema(entry: Mapping[str, Any], tool: str, place: str) -> dict[str, Any]:
    """Return the schema of one entry. Keywords that the list form does not know pass through unchanged."""
    schema = {key: _copy(value) for key, value in entry.items() if key not in ("name", "required")}
    if "type" in schema:
        schema["type"] = _type(schema["type"], tool, place)
    for key in ("properties", "items"):
        inner = schema.pop(key, None)
        if inner is None:
            continue
        if key == "properties" and isinstance(inner, list):
            schema.update(_object(inner, tool, f"{place}.properties"))
        elif key == "items" and isinstance(inner, str):
            schema[key] = {"type": _type(inner, tool, f"{place}.items")}
        elif key == "items" and isinstance(inner, dict):
            schema[key] = _schema(inner, tool, f"{place}.items")
        else:
            schema[key] = inner
    return schema


def _type(value: Any, tool: str, place: str) -> Any:
    if isinstance(value, list):
        return [_type(item, tool, place) for item in value]
    name = _ALIASES.get(value.lower(), value.lower()) if isinstance(value, str) else value
    if name not in _TYPES:
        raise _wrong(tool, f"{place}.type", f"must be one of {', '.join(_TYPES)}, not {value!r}")
    return name


def _copy(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, (list, tuple)) else value


def _wrong(tool: str, place: str, reason: str) -> InvalidDefinitionError:
    return InvalidDefinitionError(f"Invalid tool {tool!r}: {place}: {reason}", tool=tool, path=place)
