"""Ollama ``/api/chat``.

Source: https://github.com/ollama/ollama/blob/main/docs/api.md and ``api/types.go`` there. Use the raw HTTP
API: the types of the ``ollama`` package (0.6) drop nested properties, unions and the ids of calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.formats import chat_shape
from ai_tools.formats.calls import CallReader, history_arguments, is_synthetic, normal_stop_reason
from ai_tools.formats.gemini_schema import to_json_schema
from ai_tools.formats.names import NameRule, with_wire_names
from ai_tools.formats.plain import items, refuse, to_dict, to_plain
from ai_tools.formats.rules import Rules
from ai_tools.formats.streams import CallStream

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ai_tools.types import ToolCall, ToolDefinition, ToolResult

_DROPPED = (
    "does not reach the model: the server keeps type, description, enum, items, anyOf, properties, required"
)

RULES = Rules(
    NameRule(),
    inlines=True,
    dropped=dict.fromkeys(
        (
            "default", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
            "minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems",
            "prefixItems", "contains", "minProperties", "maxProperties", "additionalProperties",
            "patternProperties", "propertyNames", "oneOf", "allOf", "not", "if", "then", "else",
            "dependentRequired", "dependentSchemas", "title",
        ),
        _DROPPED,
    ),
)  # fmt: skip


def export(
    definitions: Iterable[ToolDefinition],
    *,
    strict: bool = False,  # noqa: ARG001 - Ollama has no strict mode
) -> list[dict[str, Any]]:
    """Return the ``tools`` of a request, in OpenAI's shape, without references.

    Raises:
        InvalidDefinitionError: Two tools have the same name.
    """
    return [
        chat_shape.chat_tool(wire, definition, to_json_schema(definition.parameters))
        for wire, definition in with_wire_names(definitions, RULES.names)
    ]


def parse_calls(
    message: Any, definitions: Iterable[ToolDefinition] | Mapping[str, ToolDefinition] | None = None
) -> list[ToolCall]:
    """Return the calls of an answer.

    Args:
        message: A response, its message, or the list of tool calls.
        definitions: The tools that were offered (see `CallReader`).

    Raises:
        MessageFormatError: It is none of these.
    """
    found, reason = _locate(message)
    return chat_shape.read_message(found, CallReader(RULES.names, definitions, reason), "ollama")


def _locate(message: Any) -> tuple[dict[str, Any], str]:
    plain = to_plain(message)
    if isinstance(plain, list):
        return {"tool_calls": plain}, ""
    if isinstance(plain, dict):
        if "message" in plain and not plain.get("error"):
            return to_dict(plain["message"] or {}), normal_stop_reason(plain.get("done_reason"))
        if "role" in plain or "tool_calls" in plain:
            return plain, ""
        if "function" in plain:
            return {"tool_calls": [plain]}, ""
    raise refuse(plain, "an Ollama response (with 'message') or assistant message (with 'role')")


def stop_reason(response: Any) -> str:
    """Return why the answer ended: ``"tool_calls"`` for an answer with calls, where Ollama says "stop"."""
    message, reason = _locate(response)
    return chat_shape.effective_stop(reason, has_calls=bool(message.get("tool_calls")))


def format_results(
    results: Iterable[ToolResult],
    calls: Iterable[ToolCall] = (),  # noqa: ARG001 - other formats need them
) -> list[dict[str, Any]]:
    """Return one ``tool`` message for each result."""
    return [_result(result) for result in results]


def _result(result: ToolResult) -> dict[str, Any]:
    message = {"role": "tool", "tool_name": result.name, "content": result.text}
    return message if is_synthetic(result.call_id) else {**message, "tool_call_id": result.call_id}


def assistant_message(calls: Iterable[ToolCall], text: str = "") -> dict[str, Any]:
    """Return the assistant message that made these calls; broken arguments become ``{}``."""
    entries = []
    for call in calls:
        entry: dict[str, Any] = {"function": {"name": call.name, "arguments": history_arguments(call)}}
        entries.append(entry if is_synthetic(call.id) else {"id": call.id, **entry})
    message: dict[str, Any] = {"role": "assistant", "content": text}
    return {**message, "tool_calls": entries} if entries else message


class StreamParser(CallStream):
    """Gathers the calls of the lines of a streamed answer; each call comes whole."""

    rule = RULES.names

    def _read(self, event: dict[str, Any]) -> None:
        if event.get("error"):
            self._fail()
            return
        for item in items(to_dict(event.get("message") or {}).get("tool_calls")):
            entry = to_dict(item)
            function = to_dict(entry.get("function") or {})
            started = self._start(len(self._open), entry.get("id"), function.get("name"))
            self._append(started, function.get("arguments") or {})
        if event.get("done"):
            self._end(normal_stop_reason(event.get("done_reason")) or "stop")
