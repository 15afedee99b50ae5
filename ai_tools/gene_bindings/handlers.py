"""Handlers of tools that Gene programs register: defaults are filled in, errors say it in Gene's words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.errors import ToolError
from ai_tools.execution import collect
from ai_tools.gene_bindings.values import plain
from gene.runtime.classes import Instance
from gene.runtime.exceptions import GeneException, PermissionException
from gene.runtime.failures import caught
from gene.runtime.futures import Future, await_futures
from gene.runtime.iteration import Iterator
from gene.runtime.text import is_gene_function

if TYPE_CHECKING:
    from collections.abc import Callable

    from ai_tools.tool import Tool


def adapt(tool: Tool) -> None:
    """Put what Gene's handlers need around a tool that was just made."""
    if has_defaults(tool.parameters):
        tool.invoke = WithDefaults(tool.invoke, tool.parameters)
    if is_gene_function(tool.source) or isinstance(tool.source, Instance):
        tool.invoke = GeneHandler(tool.invoke)


class WithDefaults:
    """Fills in the arguments that a call leaves out and the schema has a default for."""

    __slots__ = ("func", "schema")

    def __init__(self, func: Callable[..., Any], schema: dict[str, Any]) -> None:
        self.func = func
        self.schema = schema

    def __call__(self, args: dict[str, Any], *context: Any) -> Any:
        """Call the handler with complete arguments."""
        return self.func(filled(args, self.schema), *context)


class GeneHandler:
    """Calls a Gene function and waits for what it returns."""

    __slots__ = ("func",)

    def __init__(self, func: Callable[..., Any]) -> None:
        self.func = func

    def __call__(self, args: dict[str, Any]) -> Any:
        """Return the function's value, that of its future, or the items of its generator.

        Raises:
            GeneException: The function failed; the traceback leads to the Gene code that did.
            PermissionError: It lacks a capability.
        """
        try:
            value = self.func(args)
            if type(value) is Future:
                value = await_futures(value)
            return collect(item for item in value) if isinstance(value, Iterator) else value
        except PermissionException as error:
            raise PermissionError(str(error)) from error
        except (GeneException, ToolError, PermissionError):  # these say it in words that fit a model
            raise
        except Exception as error:
            raise caught(error) from error


def has_defaults(schema: Any) -> bool:
    """Whether a default stands somewhere in the properties or items of a schema."""
    if not isinstance(schema, dict):
        return False
    properties = schema.get("properties") or {}
    if any(isinstance(part, dict) and "default" in part for part in properties.values()):
        return True
    return any(map(has_defaults, properties.values())) or has_defaults(schema.get("items"))


def filled(value: Any, schema: Any) -> Any:
    """Return arguments with the defaults of a schema in place of what is missing; they are not changed."""
    if not isinstance(schema, dict):
        return value
    if isinstance(value, dict) and "properties" in schema:
        made = dict(value)
        for name, part in schema["properties"].items():
            if name in made:
                made[name] = filled(made[name], part)
            elif isinstance(part, dict) and "default" in part:
                made[name] = plain(part["default"])
        return made
    if isinstance(value, list) and "items" in schema:
        return [filled(item, schema["items"]) for item in value]
    return value
