"""Strict mode: schemas rewritten to the subset that a provider enforces while the model writes.

The rewritten schema must not refuse what the tool accepts in a way that matters. Where that cannot be had (an
object with free keys would be left accepting only ``{}``), there is no rewritten schema, but reasons.
Restrictions outside the subset are moved into the description, as ``anthropic.transform_schema`` does; the
registry still enforces them.
"""

from __future__ import annotations

import json
from typing import Any

from ai_tools.formats.schemas import flatten_root, inline_references, is_recursive, walk

_COMMON = ("type", "title", "description", "enum", "const", "properties", "items", "anyOf", "$ref", "$defs")
_FORMATS = frozenset(("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"))
_SILENT = ("$schema", "$id", "$comment", "$anchor", "definitions", "deprecated", "readOnly", "writeOnly")
_HANDLED = ("additionalProperties", "required", "oneOf", "allOf", "format")
_REFUSED = {
    "patternProperties": "has patternProperties",
    "dependentSchemas": "has dependentSchemas",
    "prefixItems": "has prefixItems",
    "if": "has if/then/else",
    "$dynamicRef": "has a $dynamicRef",
}


class StrictRules:
    """What one provider's strict mode allows.

    Args:
        keywords: Restrictions that it enforces besides the common ones.
        all_required: Whether every parameter must be required (an optional one then becomes "or null").
        recursion: Whether a schema may refer to itself.
        max_depth: Levels of objects in each other.
        max_properties: Properties in a whole schema.
        max_enum_values: Enum values in a whole schema.
        max_characters: Characters of all names, enum values and constants in a whole schema.
    """

    __slots__ = (
        "all_required", "keywords", "max_characters", "max_depth", "max_enum_values", "max_properties",
        "recursion",
    )  # fmt: skip

    def __init__(
        self,
        keywords: tuple[str, ...] = (),
        *,
        all_required: bool,
        recursion: bool,
        max_depth: int = 10,
        max_properties: int = 5_000,
        max_enum_values: int = 1_000,
        max_characters: int = 120_000,
    ) -> None:
        self.keywords = frozenset((*_COMMON, *keywords))
        self.all_required = all_required
        self.recursion = recursion
        self.max_depth = max_depth
        self.max_properties = max_properties
        self.max_enum_values = max_enum_values
        self.max_characters = max_characters


def strict_schema(parameters: dict[str, Any], rules: StrictRules) -> tuple[dict[str, Any] | None, list[str]]:
    """Rewrite a tool's parameters for strict mode.

    Args:
        parameters: The tool's schema; changed nowhere.
        rules: The provider's subset.

    Returns:
        The rewritten schema and no reasons, or None and why there is none, each with its place in the schema.
    """
    rewriter = _Rewriter(rules)
    recursive = is_recursive(parameters)
    if recursive and not rules.recursion:
        return None, ["parameters: refers to itself"]
    schema = flatten_root(parameters if recursive else inline_references(parameters))
    if schema.get("properties") is None and schema.get("additionalProperties") is None:
        schema = {**schema, "properties": {}}  # by convention, a bare object is a tool without parameters
    result = rewriter.rewrite(schema, "parameters", is_root=True)
    problems = rewriter.problems or _exceeded(result, rules)
    return (None, problems) if problems else (result, [])


class _Rewriter:
    def __init__(self, rules: StrictRules) -> None:
        self.rules = rules
        self.problems: list[str] = []

    def refuse(self, path: str, reason: str) -> None:
        self.problems.append(f"{path}: {reason}")

    def rewrite(self, schema: Any, path: str, *, is_root: bool = False) -> dict[str, Any]:
        if not isinstance(schema, dict):
            self.refuse(path, "accepts any value" if schema is not False else "accepts no value")
            return {}
        for keyword in _REFUSED.keys() & schema.keys():
            self.refuse(path, _REFUSED[keyword])
        if (reference := schema.get("$ref")) is not None:
            if reference != "#" and not reference.startswith("#/$defs/"):
                self.refuse(path, f"refers to {reference!r}, which is not in $defs")
            return {"$ref": reference}
        schema = self.without_combinators(schema, path)
        kept = {key: value for key, value in schema.items() if key in self.rules.keywords}
        self.describe(kept, schema)
        self.parts(kept, schema, path, is_root=is_root)
        return kept

    def without_combinators(self, schema: dict[str, Any], path: str) -> dict[str, Any]:
        """Turn ``oneOf`` into ``anyOf`` (which accepts more) and a single ``allOf`` into its branch."""
        branches = schema.get("allOf")
        if branches is not None:
            rest = {key: value for key, value in schema.items() if key != "allOf"}
            if len(branches) != 1 or not isinstance(branches[0], dict):
                self.refuse(path, "has allOf")
                return rest
            return self.without_combinators({**branches[0], **rest}, path)
        if "oneOf" in schema:
            if "anyOf" in schema:
                self.refuse(path, "has both oneOf and anyOf")
            return {("anyOf" if key == "oneOf" else key): value for key, value in schema.items()}
        return schema

    def describe(self, kept: dict[str, Any], schema: dict[str, Any]) -> None:
        """Say in the description what strict mode cannot enforce."""
        if (form := schema.get("format")) in _FORMATS:
            kept["format"] = form
        if schema.get("minItems") in (0, 1):  # the only values that every strict mode knows
            kept["minItems"] = schema["minItems"]
        left = {
            key: value
            for key, value in schema.items()
            if key not in kept and key not in _SILENT and (key not in _HANDLED or key == "format")
        }
        if left:
            note = ", ".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in left.items())
            kept["description"] = f"{schema.get('description', '')}\n\n{{{note}}}".strip()

    def parts(self, kept: dict[str, Any], schema: dict[str, Any], path: str, *, is_root: bool) -> None:
        kinds = schema.get("type", ())
        kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds)
        if not kinds and not {"enum", "const", "anyOf"} & schema.keys():
            self.refuse(path, "has no type")
        if "anyOf" in kept:
            kept["anyOf"] = [self.rewrite(s, f"{path}.anyOf[{i}]") for i, s in enumerate(kept["anyOf"])]
        if "$defs" in kept:
            kept["$defs"] = {n: self.rewrite(s, f"{path}.$defs.{n}") for n, s in kept["$defs"].items()}
        if "object" in kinds or "properties" in schema:
            self.close(kept, schema, path, is_root=is_root)
        if "array" in kinds or "items" in schema:
            kept["items"] = self.rewrite(schema.get("items", True), f"{path}.items")

    def close(self, kept: dict[str, Any], schema: dict[str, Any], path: str, *, is_root: bool) -> None:
        properties = schema.get("properties") or {}
        required = schema.get("required") or []
        if schema.get("additionalProperties", False) is not False:
            self.refuse(path, "accepts additional properties")
        elif not properties and not is_root and schema.get("additionalProperties") is not False:
            self.refuse(path, "is an object with free keys")
        if missing := [name for name in required if name not in properties]:
            self.refuse(path, f"requires {missing[0]!r}, which is not among its properties")
        kept["properties"] = {}
        for name, child in properties.items():
            rewritten = self.rewrite(child, f"{path}.properties.{name}")
            optional = self.rules.all_required and name not in required
            kept["properties"][name] = _or_null(rewritten) if optional else rewritten
        kept["required"] = list(properties) if self.rules.all_required else list(required)
        kept["additionalProperties"] = False


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that also accepts null."""
    kinds = schema.get("type")
    if "anyOf" in schema:
        branches = schema["anyOf"]
        null: list[dict[str, Any]] = [] if {"type": "null"} in branches else [{"type": "null"}]
        return {**schema, "anyOf": [*branches, *null]}
    if kinds is None or "const" in schema:
        notes = {key: schema[key] for key in ("description",) if key in schema}
        bare = {key: value for key, value in schema.items() if key not in notes}
        return {"anyOf": [bare, {"type": "null"}], **notes}
    kinds = [kinds] if isinstance(kinds, str) else list(kinds)
    result = {**schema, "type": kinds if "null" in kinds else [*kinds, "null"]}
    if "enum" in schema and None not in schema["enum"]:
        result["enum"] = [*schema["enum"], None]
    return result


def _exceeded(schema: dict[str, Any], rules: StrictRules) -> list[str]:
    """Return which limits of the provider a rewritten schema exceeds."""
    names, values = 0, 0
    characters = 0
    for _, part in walk(schema):
        properties = part.get("properties") or {}
        literals = [*(part.get("enum") or ()), *([part["const"]] if "const" in part else ())]
        names += len(properties)
        values += len(part.get("enum") or ())
        characters += sum(map(len, properties)) + sum(len(v) for v in literals if isinstance(v, str))
        characters += sum(map(len, part.get("$defs") or ()))
    counts = (
        ("levels of objects", object_depth(schema), rules.max_depth),
        ("properties", names, rules.max_properties),
        ("enum values", values, rules.max_enum_values),
        ("characters of names and values", characters, rules.max_characters),
    )
    return [
        f"parameters: has {n:,} {what}; at most {limit:,} are allowed"
        for what, n, limit in counts
        if n > limit
    ]


def object_depth(schema: Any) -> int:
    """Return how many objects of a schema lie within each other at most."""
    from ai_tools.formats.schemas import subschemas

    below = max((object_depth(child) for _, child in subschemas(schema)), default=0)
    return below + ("properties" in schema)
