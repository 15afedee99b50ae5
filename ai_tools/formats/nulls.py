"""Nulls that strict mode makes a model write for parameters it wants to leave out.

OpenAI's strict mode requires every parameter, so an optional one is offered as "or null". The tool's own
schema knows no such null: it is dropped before the arguments are validated.
"""

from __future__ import annotations

from typing import Any

from ai_tools.formats.schemas import resolve_pointer


def drop_added_nulls(arguments: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments without nulls for optional parameters whose schema does not accept null.

    Args:
        arguments: A call's arguments; changed nowhere.
        schema: The tool's own parameters, not the ones that were sent.
    """
    if not _holds_null(arguments):
        return arguments
    try:
        cleaned: dict[str, Any] = _clean(arguments, schema, schema)
    except RecursionError:  # a schema that was never registered may refer to itself without end
        return arguments
    return cleaned


def _holds_null(value: Any) -> bool:
    pending = [value]
    while pending:
        value = pending.pop()
        if value is None:
            return True
        if isinstance(value, dict):
            pending.extend(value.values())
        elif isinstance(value, list):
            pending.extend(value)
    return False


def _clean(value: Any, schema: Any, root: dict[str, Any]) -> Any:
    schema = _resolve(schema, root)
    if isinstance(value, list):
        return [_clean(item, schema.get("items"), root) for item in value]
    if not isinstance(value, dict):
        return value
    properties = schema.get("properties") or {}
    required = schema.get("required") or ()
    return {
        name: _clean(item, properties.get(name), root)
        for name, item in value.items()
        if item is not None
        or name in required
        or name not in properties
        or accepts_null(properties[name], root)
    }


def _resolve(schema: Any, root: dict[str, Any]) -> dict[str, Any]:
    """Follow references, and a union with null to its one other branch."""
    for _ in range(20):
        if not isinstance(schema, dict):
            return {}
        if isinstance(reference := schema.get("$ref"), str) and reference.startswith("#"):
            schema = resolve_pointer(root, reference[1:])
            continue
        branches = [b for b in schema.get("anyOf") or schema.get("oneOf") or () if b != {"type": "null"}]
        if len(branches) != 1:
            return schema
        schema = branches[0]
    return {}


def accepts_null(schema: Any, root: dict[str, Any]) -> bool:
    """Whether a schema allows null, as far as it says so without being run: in doubt, yes."""
    if not isinstance(schema, dict):
        return schema is not False
    if isinstance(reference := schema.get("$ref"), str):
        target = resolve_pointer(root, reference[1:]) if reference.startswith("#") else None
        return target is None or target is schema or accepts_null(target, root)
    if "const" in schema:
        return schema["const"] is None
    if "enum" in schema:
        return None in schema["enum"]
    if (kinds := schema.get("type")) is not None:
        return "null" in kinds if isinstance(kinds, list) else kinds == "null"
    branches = schema.get("anyOf") or schema.get("oneOf")
    return not branches or any(accepts_null(branch, root) for branch in branches)
