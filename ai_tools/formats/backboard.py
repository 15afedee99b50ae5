"""Backboard: OpenAI's tools and calls; runs that wait for outputs.

Source: the ``backboard-sdk`` package and https://app.backboard.io/docs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.formats import chat_shape
from ai_tools.formats.calls import CallReader, normal_stop_reason
from ai_tools.formats.names import NameRule, with_wire_names
from ai_tools.formats.plain import items, refuse, to_dict, to_plain
from ai_tools.formats.rules import Rules
from ai_tools.formats.schemas import flatten_root, inline_references
from ai_tools.formats.streams import CallStream

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ai_tools.types import ToolCall, ToolDefinition, ToolResult

# Backboard hands tools on to the models of several providers: what all of them accept is safe.
RULES = Rules(
    NameRule("a-zA-Z0-9_-", 64, first="a-zA-Z_"),
    properties=NameRule("a-zA-Z0-9_", 64, first="a-zA-Z_"),
    max_tools=128,
    max_description=1024,
    plain_root=True,
    inlines=True,
)


def export(
    definitions: Iterable[ToolDefinition],
    *,
    strict: bool = False,  # noqa: ARG001 - Backboard has no strict mode
) -> list[dict[str, Any]]:
    """Return the ``tools`` of an assistant or a message, in OpenAI's shape, without references.

    Raises:
        InvalidDefinitionError: Two tools would be sent under one name.
    """
    return [
        chat_shape.chat_tool(wire, definition, _parameters(definition.parameters))
        for wire, definition in with_wire_names(definitions, RULES.names)
    ]


def _parameters(parameters: dict[str, Any]) -> dict[str, Any]:
    """Write the parameters so that Backboard's types take them: one type each, enums of strings."""
    schema = flatten_root(inline_references(parameters))
    properties = schema.get("properties") or {}
    plain = {name: _parameter(child) for name, child in properties.items()}
    return schema if plain == properties else {**schema, "properties": plain}


def _parameter(schema: Any) -> dict[str, Any]:
    if not isinstance(schema, dict):
        return {} if schema else {"not": {}}
    branches = []
    if isinstance(kinds := schema.get("type"), list):
        branches.append([{"type": kind} for kind in kinds])
        schema = {key: value for key, value in schema.items() if key != "type"}
    if not all(isinstance(value, str) for value in schema.get("enum") or ()):
        branches.append([{"const": value} for value in schema["enum"]])
        schema = {key: value for key, value in schema.items() if key != "enum"}
    if len(branches) == 1 and "anyOf" not in schema:
        return {**schema, "anyOf": branches[0]}
    return (
        {**schema, "allOf": [*schema.get("allOf", ()), *({"anyOf": b} for b in branches)]}
        if branches
        else schema
    )


def parse_calls(
    message: Any, definitions: Iterable[ToolDefinition] | Mapping[str, ToolDefinition] | None = None
) -> list[ToolCall]:
    """Return the calls that a run waits for; none where it has ended.

    Args:
        message: A response (its last message counts), a message, a ``tool_submit_required`` event, or the
            list of tool calls.
        definitions: The tools that were offered (see `CallReader`).

    Raises:
        MessageFormatError: It is none of these.
    """
    found = _locate(message)
    if _status(found) not in ("", "tool_calls"):
        return []
    return chat_shape.read_message(found, CallReader(RULES.names, definitions), "backboard")


def _locate(message: Any) -> dict[str, Any]:
    plain = to_plain(message)
    if isinstance(plain, list):
        return {"tool_calls": plain}
    if isinstance(plain, dict):
        if "messages" in plain:
            found = items(plain["messages"])
            return to_dict(found[-1]) if found else {}
        if {"tool_calls", "status", "run_id", "role"} & plain.keys():
            return plain
    raise refuse(plain, "a Backboard response (with 'messages'), message, or tool_submit_required event")


def _status(message: dict[str, Any]) -> str:
    return normal_stop_reason(message.get("status"))


def stop_reason(response: Any) -> str:
    """Return why the run stopped; ``"tool_calls"`` where it waits for outputs."""
    message = _locate(response)
    return _status(message) or ("tool_calls" if message.get("tool_calls") else "")


def run_of(response: Any) -> tuple[str | None, str | None]:
    """Return the ids of the thread and of the run that a response or event belongs to."""
    message = _locate(response)
    return message.get("thread_id"), message.get("run_id")


def format_results(
    results: Iterable[ToolResult],
    calls: Iterable[ToolCall] = (),  # noqa: ARG001 - other formats need them
) -> list[dict[str, Any]]:
    """Return the ``tool_outputs`` of a turn. All of them belong into one request (see `submission`)."""
    return [{"tool_call_id": result.call_id or "", "output": result.text} for result in results]


def submission(results: Iterable[ToolResult], thread_id: str, *, stream: bool = False) -> dict[str, Any]:
    """Return the body of ``POST /threads/tool-outputs``, which submits all outputs of a turn.

    Args:
        results: The results of all calls of the turn.
        thread_id: The thread whose run waits; the server finds the run.
        stream: Whether the rest of the run is to be streamed.
    """
    return {"thread_id": thread_id, "tool_outputs": format_results(results), "stream": stream}


def assistant_message(calls: Iterable[ToolCall], text: str = "") -> dict[str, Any]:
    """Return the assistant message that made these calls, for a history of one's own."""
    return chat_shape.assistant_message(calls, text, RULES.names, "backboard")


class StreamParser(CallStream):
    """Gathers the calls of a run's events.

    Attributes:
        thread_id: The thread, as soon as an event has named it.
        run_id: The run that waits for the outputs.
    """

    rule = RULES.names

    def __init__(
        self, definitions: Iterable[ToolDefinition] | Mapping[str, ToolDefinition] | None = None
    ) -> None:
        super().__init__(definitions)
        self.thread_id: str | None = None
        self.run_id: str | None = None

    def _read(self, event: dict[str, Any]) -> None:
        self.thread_id = event.get("thread_id") or self.thread_id
        self.run_id = event.get("run_id") or self.run_id
        kind = event.get("type")
        if kind == "tool_submit_required":
            for item in items(event.get("tool_calls")):
                self._whole(to_dict(item))
            self._end("tool_calls")
        elif kind == "run_ended":
            self._end(normal_stop_reason(event.get("status")) or "stop")
        elif kind in ("run_failed", "run_cancelled", "error"):
            self._fail()

    def _whole(self, item: dict[str, Any]) -> None:
        function = to_dict(item.get("function") or {})
        entry = self._start(len(self._open), item.get("id"), function.get("name"))
        self._append(entry, function.get("arguments") or {})
