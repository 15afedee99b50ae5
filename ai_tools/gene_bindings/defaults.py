"""Defaults of parameters: which are fit to use, and filling them in.

JSON Schema leaves a default unchecked, and schemas found in the field have a boolean default "false" and the
like. A handler must not get what its schema would refuse from a model, so such a default is not used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.errors import InvalidArgumentsError
from ai_tools.gene_bindings.values import plain
from ai_tools.tool import invalid
from ai_tools.validation import Validator

if TYPE_CHECKING:
    from collections.abc import Callable

    from ai_tools.tool import Tool

    Tree = dict[str, Any]
    """The parts of a schema that lead to usable defaults: ``default``, ``properties``, ``items``."""


class WithDefaults:
    """Calls a handler with the arguments of a call and the defaults of those that it leaves out."""

    __slots__ = ("func", "tree")

    def __init__(self, func: Callable[..., Any], tree: Tree) -> None:
        self.func = func
        self.tree = tree

    def __call__(self, args: dict[str, Any], *context: Any) -> Any:
        """Return what the handler returns. The caller's arguments are not changed."""
        return self.func(fill(args, self.tree), *context)


def usable(tool: Tool, *, strict: bool) -> Tree:
    """Return the usable defaults of a tool's parameters, empty if there are none.

    Args:
        tool: The tool.
        strict: Whether an unusable default is an error, because the tool's author wrote it by hand.

    Raises:
        InvalidDefinitionError: A default breaks its own parameter's schema.
    """

    def tree(schema: Any, place: str) -> Tree:
        if not isinstance(schema, dict):
            return {}
        made: Tree = {}
        parts = (schema.get("properties") or {}).items()
        if found := {name: inner for name, part in parts if (inner := tree(part, _join(place, name)))}:
            made["properties"] = found
        if found := tree(schema.get("items"), f"{place}[]"):
            made["items"] = found
        if place and "default" in schema and _fits(tool, schema, place, strict=strict):
            made["default"] = schema["default"]
        return made

    return tree(tool.parameters, "")


def _join(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _fits(tool: Tool, schema: Any, place: str, *, strict: bool) -> bool:
    checked: dict[str, Any] = {"type": "object", "properties": {"default": schema}}
    checked.update((key, tool.parameters[key]) for key in ("$defs", "definitions") if key in tool.parameters)
    try:
        Validator(checked, tool.name).check({"default": schema["default"]})
    except InvalidArgumentsError as error:
        if strict and schema["default"] is not None:  # nil: written as "no default"
            raise invalid(tool.name, f"parameter {place!r}: {error.field} {error.reason}") from error
        return False
    return True


def fill(value: Any, tree: Tree) -> Any:
    """Return arguments with defaults in place of what is missing, copied as far as they differ."""
    if isinstance(value, dict) and "properties" in tree:
        made = dict(value)
        for name, part in tree["properties"].items():
            if name in made:
                made[name] = fill(made[name], part)
            elif "default" in part:
                made[name] = plain(part["default"])
        return made
    if isinstance(value, list) and "items" in tree:
        return [fill(item, tree["items"]) for item in value]
    return value
