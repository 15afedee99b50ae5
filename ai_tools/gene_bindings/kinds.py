"""Registries, tools, calls and results as kinds of Gene values: their methods, members and text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ai_tools.gene_bindings.messages import reason_of
from ai_tools.gene_bindings.methods import METHODS, make_registry
from ai_tools.gene_bindings.values import plain
from ai_tools.registry import ToolRegistry
from ai_tools.tool import Tool
from ai_tools.types import ExecutionContext, ToolCall, ToolResult
from gene.data.atoms import VOID
from gene.data.kinds import Kind
from gene.runtime.exceptions import ArgumentException

if TYPE_CHECKING:
    from collections.abc import Callable

    Members = dict[str, Callable[[Any], Any]]

_CALL: Members = {
    "id": lambda call: call.id,
    "name": lambda call: call.name,
    "arguments": lambda call: call.arguments,
    "raw_arguments": lambda call: call.raw_arguments,
    "error": lambda call: call.error,
    "metadata": lambda call: call.metadata,
}
_RESULT: Members = {
    "id": lambda result: result.call_id,
    "name": lambda result: result.name,
    "value": lambda result: result.value,
    "text": lambda result: result.text,
    "full_text": lambda result: result.full_text,
    "ok": lambda result: result.error is None,
    "error": lambda result: None if result.error is None else reason_of(result.error),
    "code": lambda result: None if result.error is None else result.error.code,
    "duration": lambda result: result.duration,
}
_TOOL: Members = {
    "name": lambda tool: tool.name,
    "description": lambda tool: tool.description,
    "parameters": lambda tool: plain(tool.parameters),
    "handler": lambda tool: tool.source,
    "timeout": lambda tool: tool.timeout,
    "tags": lambda tool: list(tool.definition.tags),
    "strict": lambda tool: tool.definition.strict,
}
_CONTEXT: Members = {
    "channel": lambda context: context.channel,
    "chat_id": lambda context: context.chat_id,
    # The agent's state is read when a program asks, so that it is always the current one.
    **{
        name: lambda context, name=name: getattr(context.agent, name, None)  # type: ignore[misc]
        for name in ("system_prompt", "session_context", "session_context_file_path")
    },
}


def _reader(members: Members) -> Callable[[Any, str], Any]:
    def read(value: Any, name: str) -> Any:
        member = members.get(name)
        return VOID if member is None else member(value)

    return read


def _printer(name: str, members: Members, shown: tuple[str, ...]) -> Callable[[Any], Any]:
    """Print like a gene: the name, then the members that are there."""

    def parts(value: Any) -> tuple[str, list[tuple[str, Any]], str, bool]:
        present = [(key, members[key](value)) for key in shown]
        return f"({name}", [(f" ^{key} ", item) for key, item in present if item is not None], ")", True

    return parts


def make_call(name: Any = None, arguments: Any = None, id: Any = None) -> ToolCall:  # noqa: A002 - the field
    """``(new ai/tools/ToolCall name arguments ^id id)``: a call as if a model had asked for it."""
    if type(name) is not str:
        raise ArgumentException("ToolCall requires the tool's name as a String")
    if isinstance(arguments, str):
        return ToolCall(id, name, raw_arguments=arguments)
    return ToolCall(id, name, {} if arguments is None else arguments)


REGISTRY: Final = Kind(
    "ToolRegistry",
    "VkToolRegistry",
    ToolRegistry,
    methods=METHODS,
    construct=make_registry,
)
TOOL: Final = Kind(
    "Tool",
    "VkTool",
    Tool,
    members=_reader(_TOOL),
    parts=_printer("Tool", _TOOL, ("name", "description", "parameters")),
)
TOOL_CALL: Final = Kind(
    "ToolCall",
    "VkToolCall",
    ToolCall,
    construct=make_call,
    members=_reader(_CALL),
    parts=_printer("ToolCall", _CALL, ("id", "name", "arguments", "error")),
)
TOOL_RESULT: Final = Kind(
    "ToolResult",
    "VkToolResult",
    ToolResult,
    members=_reader(_RESULT),
    parts=_printer("ToolResult", _RESULT, ("id", "name", "value", "error")),
)
EXECUTION_CONTEXT: Final = Kind(
    "ExecutionContext",
    "VkExecutionContext",
    ExecutionContext,
    members=_reader(_CONTEXT),
    parts=_printer("ExecutionContext", _CONTEXT, ("channel", "chat_id")),
)
