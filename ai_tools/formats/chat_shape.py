"""The shape of OpenAI's chat messages, which Ollama and Backboard share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.formats.calls import STOP, TOOL_CALLS, UNKNOWN, history_text, keep, own_metadata
from ai_tools.formats.plain import items, to_dict, to_plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ai_tools.formats.calls import CallReader
    from ai_tools.formats.names import NameRule
    from ai_tools.types import ToolCall, ToolDefinition

_KNOWN_KEYS = frozenset(("id", "type", "function", "custom", "index"))


def chat_tool(wire: str, definition: ToolDefinition, parameters: dict[str, Any]) -> dict[str, Any]:
    """Return ``{"type": "function", "function": {name, description, parameters}}``."""
    function = {"name": wire, "description": definition.description, "parameters": parameters}
    return {"type": "function", "function": function}


def read_message(message: dict[str, Any], reader: CallReader, provider: str) -> list[ToolCall]:
    """Return the calls of an assistant message, the old ``function_call`` included."""
    calls = [read_call(item, reader, provider) for item in items(message.get("tool_calls"))]
    if not calls and message.get("function_call"):
        calls.append(read_call({"function": message["function_call"]}, reader, provider))
    return calls


def read_call(item: Any, reader: CallReader, provider: str) -> ToolCall:
    """Return one element of ``tool_calls``."""
    if isinstance(item, (str, int, float, list)) or item is None:
        return reader.unreadable(item)
    entry = to_dict(item)
    if custom := entry.get("custom"):
        error = "A custom tool call carries free text; tools here take a JSON object."
        return reader.call(entry.get("id"), to_dict(custom).get("name"), None, error=error)
    function = entry.get("function")
    if function is None or isinstance(function, (str, int, float, list)):
        return reader.unreadable(function)
    function = to_dict(function)
    extra = {
        key: to_plain(value) if isinstance(value, dict) else value
        for key, value in entry.items()
        if key not in _KNOWN_KEYS
    }
    return reader.call(
        entry.get("id"), function.get("name"), function.get("arguments"), metadata=keep(provider, extra)
    )


def assistant_message(calls: Iterable[ToolCall], text: str, rule: NameRule, provider: str) -> dict[str, Any]:
    """Return the assistant message that made these calls."""
    entries = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": rule.encode(call.name), "arguments": history_text(call)},
            **own_metadata(call, provider),
        }
        for call in calls
    ]
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    if entries:
        message["tool_calls"] = entries
    else:
        message["content"] = text
    return message


def effective_stop(reason: str, *, has_calls: bool) -> str:
    """Return ``tool_calls`` where a server says ``stop``, or nothing, about an answer that holds calls."""
    return TOOL_CALLS if has_calls and reason in (STOP, UNKNOWN) else reason
