"""Arguments of a call on the command line: ``name=value``, read as the tool's schema says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ai_tools.formats.schemas import inline_references

if TYPE_CHECKING:
    from collections.abc import Iterable


def read_pairs(pairs: Iterable[str], parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments that ``name=value`` pairs give.

    Text is taken as it is where the schema wants a string; anything else is JSON. What fits no type stays
    text, for the validation that says what would be right.

    Args:
        pairs: The pairs; everything behind the first ``=`` is the value.
        parameters: JSON Schema of the tool's arguments.

    Raises:
        ValueError: A pair has no name or no ``=``, or a name comes twice.
    """
    properties = inline_references(parameters).get("properties") or {}
    made: dict[str, Any] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise ValueError(f"{pair!r} is no argument; write name=value, or --args with a JSON object")
        if name in made:
            raise ValueError(f"the argument {name!r} comes twice")
        made[name] = _typed(text, _types(properties.get(name)))
    return made


def _typed(text: str, types: set[str]) -> Any:
    """Return the value of a text: a JSON value of one of the types, else the text."""
    if types == {"string"}:
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return text
    if not types:
        return value
    fits = _JSON_TYPES[type(value)]
    return value if fits & types or "string" not in types else text


_JSON_TYPES: dict[type, set[str]] = {
    str: {"string"},
    bool: {"boolean"},
    int: {"integer", "number"},
    float: {"number"},
    type(None): {"null"},
    list: {"array"},
    dict: {"object"},
}


def _types(schema: Any) -> set[str]:
    """Return the JSON types that a schema allows, empty for any."""
    if not isinstance(schema, dict):
        return set()
    if "type" in schema:
        return {schema["type"]} if isinstance(schema["type"], str) else set(schema["type"])
    if "enum" in schema or "const" in schema:
        values = schema.get("enum") or [schema.get("const")]
        return {kind for value in values for kind in _JSON_TYPES.get(type(value), ())}
    for keyword in ("anyOf", "oneOf"):
        found = [_types(each) for each in schema.get(keyword, ())]
        if found and all(found):
            return set.union(*found)
    return set()
