"""Gemini's two ways to say what a tool's parameters are: its own Schema, and JSON Schema with gaps."""

from __future__ import annotations

from typing import Any

from ai_tools.formats.schemas import inline_references, rebuild

_FORMATS = {
    "string": ("enum", "date-time"),
    "integer": ("int32", "int64"),
    "number": ("float", "double"),
}
_SAME = frozenset(
    (
        "description", "title", "default", "minItems", "maxItems", "minLength", "maxLength", "minProperties",
        "maxProperties", "minimum", "maximum", "pattern", "required", "nullable",
    )
)  # fmt: skip
_CONVERTED = frozenset(("type", "enum", "format", "items", "anyOf", "properties"))


def to_json_schema(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return a schema for ``parametersJsonSchema``: without references, ``const`` written as ``enum``."""
    schema: dict[str, Any] = _without_const(inline_references(parameters))
    return schema


def _without_const(schema: Any) -> Any:
    if not isinstance(schema, dict):
        return schema
    schema = rebuild(schema, _without_const)
    schema.pop("$schema", None)
    if isinstance(schema.get("const"), (str, int, float)) and "enum" not in schema:
        schema["enum"] = [schema.pop("const")]
    return schema


def to_gemini_schema(schema: Any) -> dict[str, Any] | None:
    """Return Gemini's Schema for a JSON Schema without references; None where it cannot say the same.

    Gemini refuses objects without properties, arrays without items, enums of anything but strings, type
    lists, and formats other than its own.
    """
    if not isinstance(schema, dict) or not schema.keys() <= _SAME | _CONVERTED:
        return None
    schema = _with_scalar_type(schema)
    kind = schema.get("type")
    if not isinstance(kind, str):
        return _union(schema)
    if not _is_expressible(schema, kind):
        return None
    result = {key: value for key, value in schema.items() if key in _SAME or key in ("enum", "format")}
    result = {"type": kind.upper(), **result}
    if "items" in schema:
        result["items"] = to_gemini_schema(schema["items"])
        if result["items"] is None:
            return None
    if "properties" in schema:
        children = {name: to_gemini_schema(child) for name, child in schema["properties"].items()}
        result["properties"] = children
        if None in children.values():
            return None
    return result


def _with_scalar_type(schema: dict[str, Any]) -> dict[str, Any]:
    """Write ``[T, "null"]`` as a nullable T."""
    kinds = schema.get("type")
    if isinstance(kinds, list) and "null" in kinds and len(kinds) == 2:
        values = {"enum": [v for v in schema["enum"] if v is not None]} if "enum" in schema else {}
        return {**schema, **values, "type": next(k for k in kinds if k != "null"), "nullable": True}
    return schema


def _is_expressible(schema: dict[str, Any], kind: str) -> bool:
    if "anyOf" in schema or schema.get("format") not in (None, *_FORMATS.get(kind, ())):
        return False
    if "enum" in schema and not (kind == "string" and all(v and isinstance(v, str) for v in schema["enum"])):
        return False
    properties = schema.get("properties")
    if kind == "object":
        return bool(properties) and set(schema.get("required") or ()) <= set(properties or ())
    return properties is None and ("items" in schema) == (kind == "array")


def _union(schema: dict[str, Any]) -> dict[str, Any] | None:
    """Return the Schema of ``anyOf``; a branch for null makes it nullable."""
    if not schema.keys() <= {"anyOf", "description", "title", "default"} or "anyOf" not in schema:
        return None
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    branches = [branch for branch in schema["anyOf"] if branch != {"type": "null"}]
    converted = [to_gemini_schema(branch) for branch in branches]
    if None in converted or not converted:
        return None
    nullable = {"nullable": True} if len(branches) < len(schema["anyOf"]) else {}
    if len(converted) == 1 and converted[0] is not None:
        return {**converted[0], **rest, **nullable}
    return {"anyOf": converted, **rest, **nullable}
