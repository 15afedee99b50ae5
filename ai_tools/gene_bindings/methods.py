"""What Gene programs call on a registry. All methods take and give Gene values, which are Python's own."""

from __future__ import annotations

from typing import Any, Final

from ai_tools import making
from ai_tools.errors import InvalidArgumentsError, NotAvailableError, NotFoundError
from ai_tools.gene_bindings.errors import to_exception, translated
from ai_tools.gene_bindings.handlers import adapt
from ai_tools.gene_bindings.messages import FORMAT, reason_of
from ai_tools.gene_bindings.values import plain
from ai_tools.registry import ToolRegistry
from ai_tools.tool import Tool, invalid
from ai_tools.types import ToolCall, ToolResult
from gene.data.atoms import VOID, Symbol
from gene.data.kinds import kind_of
from gene.runtime.exceptions import ArgumentException
from gene.stdlib.arguments import MISSING, tag_of

_PARTS = ("name", "description", "parameters", "handler")
_WANTED = "ToolRegistry.register requires a Map with name, description, parameters and handler, or a function"
_CALLERS_FAULT = (NotFoundError, NotAvailableError, InvalidArgumentsError)


@translated
def make_registry(**options: Any) -> ToolRegistry:
    """``(ai/tools/registry ^timeout 30 ^max_result 100000)``: an empty registry; see `ToolRegistry`.

    Args:
        **options: `timeout`, seconds that a call may take; `max_result`, characters that reach the model.
    """
    return ToolRegistry(**options)


def register(registry: ToolRegistry, *parts: Any, **options: Any) -> ToolRegistry:
    """``(registry .register {^name … ^description … ^parameters … ^handler …})``: add a tool.

    The four may also be written as arguments, in this order, or as properties of the call:
    ``(registry .register "name" ^description … ^handler …)``. Other options: see `ToolRegistry.register`.
    A function by itself, ``(registry .register fn)``, is a tool as `ai_tools.gene_bindings.functions` says.

    Args:
        registry: The registry.
        *parts: A map, or the parts of a tool in order, or a function, or a tool of Python's.
        **options: More entries of the map.

    Returns:
        The registry, so that calls can be chained.

    Raises:
        ToolException: ``InvalidDefinitionError``, the message names the place; ``AlreadyExistsError``.
    """
    registry.register(_tool(parts, options))
    return registry


def register_function(registry: ToolRegistry, function: Any = MISSING, **options: Any) -> ToolRegistry:
    """``(registry .register_function fn ^name … ^description …)``: add a tool that a function defines.

    Args:
        registry: The registry.
        function: A function of Gene or of Python. Its parameters are the tool's.
        **options: What replaces its name or its description, and the options of `ToolRegistry.register`.

    Returns:
        The registry, so that calls can be chained.

    Raises:
        ToolException: ``InvalidDefinitionError``, the message names the parameter; ``AlreadyExistsError``.
    """
    if function is MISSING or not callable(function):
        got = "nothing" if function is MISSING else tag_of(function)
        raise ArgumentException(f"ToolRegistry.register_function requires a function, got {got}")
    registry.register(function, **options)
    return registry


def _tool(parts: tuple[Any, ...], options: dict[str, Any]) -> Tool:
    first = parts[0] if parts else None
    if isinstance(first, dict):
        return _defined({**first, **options})
    if isinstance(first, str | Symbol) or (options and not parts):
        return _defined({**dict(zip(_PARTS, parts, strict=False)), **options})
    if not parts or kind_of(first).name not in ("Tool", "Function", "Foreign"):
        raise ArgumentException(f"{_WANTED}, got {tag_of(first) if parts else 'nothing'}")
    return making.as_tool(first, **options)


def _defined(entries: dict[str, Any]) -> Tool:
    tool = making.of_mapping(_entries(entries))
    adapt(tool, by_hand=isinstance(entries.get("parameters"), list))
    return tool


def _entries(entries: dict[str, Any]) -> dict[str, Any]:
    """Return a definition as Python takes it: plain data, and a handler that can be called."""
    handler = entries.pop("handler", None)
    made: dict[str, Any] = plain(entries)
    if handler is None or handler is VOID:
        return made
    if not callable(handler):
        raise invalid(made.get("name"), f"handler must be a function, got {tag_of(handler)}")
    return {**made, "handler": handler}


def names(registry: ToolRegistry) -> list[str]:
    """``(registry .list)``: the names of all tools, in the order of registration."""
    return list(registry.names())


def definitions(registry: ToolRegistry) -> list[dict[str, Any]]:
    """``(registry .definitions)``: name, description and parameters (JSON Schema) of the enabled tools."""
    return [
        {"name": each.name, "description": each.description, "parameters": plain(each.parameters)}
        for each in registry.definitions()
    ]


def to_format(registry: ToolRegistry, format: Any = FORMAT, strict: Any = False) -> list[dict[str, Any]]:  # noqa: A002, FBT002 - the keywords that programs write
    """``(registry .to_format "anthropic" ^^strict)``: the enabled tools as a provider takes them.

    Args:
        registry: The registry.
        format: The wire format, one of `ai_tools.formats.catalog.FORMATS`.
        strict: Ask for strict mode for every tool.
    """
    from ai_tools.formats.catalog import get

    made: list[dict[str, Any]] = plain(get(format).export(registry.definitions(), strict=strict is True))
    return made


def to_openai_format(registry: ToolRegistry, strict: Any = False) -> list[dict[str, Any]]:  # noqa: FBT002 - the keyword that programs write
    """``(registry .to_openai_format)``: the enabled tools in the OpenAI function calling format."""
    return to_format(registry, FORMAT, strict)


def execute(registry: ToolRegistry, name: Any = MISSING, args: Any = None, timeout: Any = None) -> Any:
    """``(registry .execute name args)``: call a tool and return its handler's value.

    Args:
        registry: The registry.
        name: The tool's name, or a `ToolCall`.
        args: The arguments, a map or JSON text.
        timeout: Seconds it may take, in place of the tool's or the registry's limit.

    Returns:
        The value; if the handler fails or takes too long, a map with ``^error``, the message.

    Raises:
        ToolException: ``NotFoundError``, ``NotAvailableError``, ``InvalidArgumentsError``.
    """
    result = call(registry, name, args, timeout)
    error = result.error
    if error is None:
        return result.value
    if isinstance(error, _CALLERS_FAULT):
        raise to_exception(error) from error
    return {"error": reason_of(error), "code": error.code, "tool": error.tool}


def call(registry: ToolRegistry, name: Any = MISSING, args: Any = None, timeout: Any = None) -> ToolResult:
    """``(registry .call name args)``: call a tool; whatever goes wrong is the result's ``error``."""
    if isinstance(name, ToolCall):
        return registry.call(name, timeout=timeout)
    text = name.name if isinstance(name, Symbol) else name
    if not isinstance(text, str):
        raise ArgumentException(f"a call requires a tool's name or a ToolCall, got {tag_of(name)}")
    return registry.call(text, given(args), timeout=timeout)


def execute_all(
    registry: ToolRegistry, calls: Any = MISSING, parallel: Any = 1, timeout: Any = None
) -> list[ToolResult]:
    """``(registry .execute_all calls)``: make all calls of a turn, in order.

    Args:
        registry: The registry.
        calls: What ``parse_tool_calls`` returned; maps with ``^id ^name ^arguments`` serve as well.
        parallel: How many calls may run at once.
        timeout: Seconds that each may take.

    Returns:
        One result for each call, in their order.
    """
    if not isinstance(calls, list):
        raise ArgumentException(
            f"execute_all requires ToolCalls, as parse_tool_calls returns them, got {tag_of(calls)}"
        )
    made = [_call(each, index) for index, each in enumerate(calls)]
    return registry.call_all(made, parallel=parallel, timeout=timeout)


def _call(value: Any, index: int) -> ToolCall:
    if isinstance(value, ToolCall):
        return value
    if isinstance(value, dict) and isinstance(value.get("name"), str):
        arguments = given(value.get("arguments"))
        if isinstance(arguments, str):
            return ToolCall(value.get("id"), value["name"], raw_arguments=arguments)
        return ToolCall(value.get("id"), value["name"], arguments or {})
    what = "a Map without a name" if isinstance(value, dict) else tag_of(value)
    raise ArgumentException(f"execute_all requires ToolCalls, got {what} at index {index}")


def given(args: Any) -> Any:
    """Return the arguments of a call: void means none, and entries that are void were not given."""
    if args is VOID or args is None:
        return {}
    if isinstance(args, dict) and any(item is VOID for item in args.values()):
        return {name: item for name, item in args.items() if item is not VOID}
    return args


def merge(registry: ToolRegistry, other: Any = MISSING, prefix: Any = "") -> ToolRegistry:
    """``(registry .merge other ^prefix "x_")``: add all tools of another registry, or none."""
    if not isinstance(other, ToolRegistry):
        raise ArgumentException(f"ToolRegistry.merge requires a ToolRegistry, got {tag_of(other)}")
    registry.merge(other, prefix)
    return registry


def _by_name(method: str, function: Any, *, chained: bool = False) -> Any:
    """Make a method that takes a tool's name; a chained one returns the registry."""

    def call(registry: ToolRegistry, name: Any = MISSING) -> Any:
        text = name.name if isinstance(name, Symbol) else name
        if not isinstance(text, str):
            raise ArgumentException(f"ToolRegistry.{method} requires a tool's name, got {tag_of(name)}")
        value = function(registry, text)
        return registry if chained else value

    return call


_METHODS: dict[str, Any] = {
    "register": register,
    "register_function": register_function,
    "unregister": _by_name("unregister", ToolRegistry.unregister, chained=True),
    "enable": _by_name("enable", ToolRegistry.enable, chained=True),
    "disable": _by_name("disable", ToolRegistry.disable, chained=True),
    "enabled?": _by_name("enabled?", ToolRegistry.is_enabled),
    "merge": merge,
    "list": names,
    "get": _by_name("get", ToolRegistry.get),
    "contains": _by_name("contains", ToolRegistry.contains),
    "size": ToolRegistry.__len__,
    "definitions": definitions,
    "to_format": to_format,
    "to_openai_format": to_openai_format,
    "execute": execute,
    "call": call,
    "execute_all": execute_all,
}
METHODS: Final = {name: translated(method) for name, method in _METHODS.items()}
