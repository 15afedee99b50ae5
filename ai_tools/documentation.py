"""What the tools can do, as text: for a system prompt, or a model that takes no tool definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ai_tools.registry import ToolRegistry
    from ai_tools.types import ToolDefinition


def document(registry: ToolRegistry) -> str:
    """Return the documentation of a registry's enabled tools; made once until a tool changes."""
    return registry.cached("documentation", document_all)


def document_all(definitions: Iterable[ToolDefinition]) -> str:
    """Return Markdown with a section for each tool; "" for no tools.

    A section gives the name, the description, and each parameter with its type, whether it is required, and
    its description.
    """
    sections = [_section(definition) for definition in definitions]
    return "\n\n".join(["# Tools", *sections]) if sections else ""


def _section(definition: ToolDefinition) -> str:
    properties = definition.parameters.get("properties") or {}
    required = definition.parameters.get("required") or ()
    lines = [_parameter(name, schema, name in required) for name, schema in properties.items()]
    heading = f"## {definition.name}\n{definition.description}".rstrip()
    return "\n".join([heading, "Parameters:" if lines else "No parameters.", *lines])


def _parameter(name: str, schema: Any, required: bool) -> str:  # noqa: FBT001 - private
    schema = schema if isinstance(schema, dict) else {}
    facts = [type_of(schema), "required" if required else "optional"]
    if "default" in schema:
        facts.append(f"default {_json(schema['default'])}")
    text = f"- {name} ({', '.join(facts)})"
    return f"{text}: {schema['description']}" if schema.get("description") else text


def type_of(schema: dict[str, Any]) -> str:
    """Return the type that a schema allows, in words: ``string``, ``array of integer``, ``"a" | "b"``."""
    if "enum" in schema:
        return " | ".join(_json(value) for value in schema["enum"])
    kind = schema.get("type", "any")
    if isinstance(kind, list):
        return " or ".join(kind)
    items = schema.get("items")
    if kind == "array" and isinstance(items, dict) and "type" in items:
        return f"array of {type_of(items)}"
    return str(kind)


def _json(value: Any) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
