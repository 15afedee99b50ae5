"""Making tools of whatever can be registered: parts, objects, mappings, functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ai_tools.errors import InvalidDefinitionError
from ai_tools.tool import Tool, check_name, context_arguments, context_kind, invalid, is_coroutine_function
from ai_tools.types import ToolDefinition

if TYPE_CHECKING:
    from collections.abc import Callable

    from ai_tools.types import ExecutionContext


def as_tool(tool: Any, **options: Any) -> Tool:
    """Return the tool that a value describes; see `ToolRegistry.register` for what can be one.

    Raises:
        InvalidDefinitionError: It describes none.
    """
    if isinstance(tool, Tool):
        if options:
            raise InvalidDefinitionError("options belong to the making of a Tool", tool=tool.name)
        return tool
    if isinstance(tool, Mapping):
        return of_mapping(tool, **options)
    if callable(tool) and not isinstance(tool, type) and not hasattr(tool, "execute"):
        return _of_gene(tool, options) if is_gene(tool) else of_function(tool, **options)
    return of_object(tool, **options)


def is_gene(function: Any) -> bool:
    """Whether Gene code defines a function: the language marks the builtins that such code runs with."""
    return "%gene" in getattr(function, "__builtins__", ())


def _of_gene(function: Callable[..., Any], options: dict[str, Any]) -> Tool:
    from ai_tools.gene_bindings.functions import of_function as of_gene_function  # the way to the language

    return of_gene_function(function, **options)


def make(
    name: str,
    description: str,
    parameters: Any,
    handler: Callable[..., Any],
    *,
    strict: bool = False,
    tags: Any = (),
    annotations: Mapping[str, Any] | None = None,
    returns: dict[str, Any] | None = None,
    **options: Any,
) -> Tool:
    """Return a tool whose handler takes one dict of arguments.

    Args:
        name: The tool's name.
        description: What it does, for the model.
        parameters: A JSON Schema, or the short list form (see `ai_tools.parameters`), or None for no
            parameters.
        handler: Called as ``handler(args)``; as ``handler(args, context)`` if a parameter of it is annotated
            `ExecutionContext` or `ToolContext`.
        strict: Whether providers are asked to enforce the schema strictly.
        tags: Labels to filter by.
        annotations: Hints, as in MCP.
        returns: JSON Schema of the result.
        **options: `timeout`, `max_result`, `isolated`, `sequential` of `Tool`.

    Raises:
        InvalidDefinitionError: Something of this is not as it has to be.
    """
    from ai_tools.parameters import to_schema

    check_name(name)
    if not callable(handler):
        raise invalid(name, f"handler must be callable, not {type(handler).__name__}")
    definition = ToolDefinition(
        name,
        description,
        to_schema(parameters, name),
        strict=strict,
        tags=tags,
        annotations=annotations,
        returns=returns,
    )
    invoke, takes_context = _with_context(handler)
    return Tool(definition, invoke, takes_context=takes_context, source=handler, **options)


def of_object(tool: Any, **options: Any) -> Tool:
    """Return the tool that an object is.

    Args:
        tool: It has name, description, parameters and execute, or name, get_schema and execute.
        **options: As for `make`; attributes of the object with these names serve as well.

    Raises:
        InvalidDefinitionError: A member is missing or of the wrong kind.
    """
    described = callable(getattr(tool, "get_schema", None))
    needed = ("name", "execute") if described else ("name", "description", "parameters", "execute")
    missing = [member for member in needed if not hasattr(tool, member)]
    name = getattr(tool, "name", "")
    if missing:
        kind = type(tool).__name__
        raise invalid(name, f"{kind} lacks {' and '.join(repr(member) for member in missing)}")
    if isinstance(tool, type):
        raise invalid(name, f"{tool.__name__} is a class; register an instance of it")
    if not callable(tool.execute):
        raise invalid(name, "execute must be a method that takes the arguments")
    for option in (
        "timeout",
        "max_result",
        "isolated",
        "sequential",
        "strict",
        "tags",
        "annotations",
        "returns",
    ):
        if hasattr(tool, option):
            options.setdefault(option, getattr(tool, option))
    if described:
        return _of_schema(tool, options)
    return make(name, tool.description, tool.parameters, tool.execute, **options)


def _of_schema(tool: Any, options: dict[str, Any]) -> Tool:
    schema = tool.get_schema()
    function = schema.get("function") if isinstance(schema, Mapping) else None
    if not isinstance(function, Mapping):
        raise invalid(tool.name, 'get_schema() must return {"type": "function", "function": {…}}')
    if function.get("name") != tool.name:
        raise invalid(tool.name, f"get_schema() names it {function.get('name')!r}; the names must be equal")
    options.setdefault("strict", bool(function.get("strict")))
    description = str(function.get("description") or getattr(tool, "description", ""))
    return make(tool.name, description, function.get("parameters"), tool.execute, **options)


def of_mapping(tool: Mapping[str, Any], **options: Any) -> Tool:
    """Return the tool that a mapping describes.

    Args:
        tool: It has name, description and handler; parameters and the options of `make` if wanted.
        **options: More of its entries.

    Raises:
        InvalidDefinitionError: A key is missing or unknown, or a value is of the wrong kind.
    """
    entries = {**tool, **options}
    name = entries.get("name", "")
    missing = [key for key in ("name", "description", "handler") if entries.get(key) is None]
    if missing:
        raise invalid(name, f"lacks {' and '.join(repr(key) for key in missing)}")
    unknown = entries.keys() - _KEYS
    if unknown:
        raise invalid(name, f"has unknown entries: {', '.join(sorted(map(str, unknown)))}")
    entries.setdefault("parameters", None)
    return make(**entries)


_KEYS = frozenset(
    [
        "name",
        "description",
        "parameters",
        "handler",
        "strict",
        "tags",
        "annotations",
        "returns",
        "timeout",
        "max_result",
        "isolated",
        "sequential",
    ]
)


def of_function(function: Callable[..., Any], **options: Any) -> Tool:
    """Return a tool whose definition comes from a function's signature and docstring.

    Args:
        function: Its parameters are the tool's, except those annotated `ExecutionContext` or `ToolContext`.
        **options: `name` and `description` to replace the function's, and the options of `make`.

    Raises:
        InvalidDefinitionError: A parameter has no JSON form.
    """
    from ai_tools.signature import Binding, Signature, define

    signature = Signature(function, options.pop("name", None))
    behaviour = {
        k: options.pop(k) for k in ("timeout", "max_result", "isolated", "sequential") if k in options
    }
    return Tool(
        define(signature, **options),
        Binding(function, signature.name, signature),
        takes_context=True,
        is_async=is_coroutine_function(function),
        source=function,
        **behaviour,
    )


class _WithContext:
    """Calls a handler with arguments and context. A class, so that a worker process can receive it."""

    __slots__ = ("func", "wanted")

    def __init__(self, func: Callable[..., Any], wanted: dict[str, str]) -> None:
        self.func = func
        self.wanted = wanted

    def __call__(self, args: dict[str, Any], context: ExecutionContext) -> Any:
        return self.func(args, **context_arguments(self.wanted, context))


def _with_context(handler: Callable[..., Any]) -> tuple[Callable[..., Any], bool]:
    """Return what to call and whether it takes the execution context."""
    annotations = getattr(handler, "__annotations__", None) or {}
    wanted = {
        name: kind for name, note in annotations.items() if name != "return" and (kind := context_kind(note))
    }
    return (_WithContext(handler, wanted), True) if wanted else (handler, False)
