"""OpenAI Chat Completions, and the many servers that speak the same.

Source: the types of the ``openai`` package (``openai.types.chat``) and
https://platform.openai.com/docs/guides/function-calling.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.formats import chat_shape
from ai_tools.formats.calls import STOP, CallReader, keep, normal_stop_reason
from ai_tools.formats.names import NameRule, with_wire_names
from ai_tools.formats.openai_strict import STRICT, strict_or_plain
from ai_tools.formats.plain import items, refuse, to_dict, to_plain
from ai_tools.formats.rules import Rules
from ai_tools.formats.streams import CallStream, OpenCall

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ai_tools.types import ToolCall, ToolDefinition, ToolResult

RULES = Rules(
    NameRule("a-zA-Z0-9_-", 64),
    max_tools=128,
    max_description=1024,  # lifted for some models in 2025, still refused by deployments such as Azure's
    plain_root=True,
    strict=STRICT,
)


def export(definitions: Iterable[ToolDefinition], *, strict: bool = False) -> list[dict[str, Any]]:
    """Return the ``tools`` of a request.

    Args:
        definitions: The tools, in the order to send.
        strict: Ask for strict mode for every tool, not only for those that ask for it themselves. A tool
            whose schema has no strict form is sent with ``"strict": false``; `ai_tools.lint` says why.

    Raises:
        InvalidDefinitionError: Two tools would be sent under one name.
    """
    return [
        _tool(wire, definition, strict=strict or definition.strict)
        for wire, definition in with_wire_names(definitions, RULES.names)
    ]


def _tool(wire: str, definition: ToolDefinition, *, strict: bool) -> dict[str, Any]:
    parameters, is_strict = strict_or_plain(definition.parameters, strict=strict)
    tool = chat_shape.chat_tool(wire, definition, parameters)
    tool["function"]["strict"] = is_strict
    return tool


def parse_calls(
    message: Any, definitions: Iterable[ToolDefinition] | Mapping[str, ToolDefinition] | None = None
) -> list[ToolCall]:
    """Return the calls of an assistant message.

    Args:
        message: An assistant message, a whole response (its first choice counts), a run of the Assistants API
            that requires action, a list of tool calls or one; as dicts, JSON text or SDK objects.
        definitions: The tools that were offered (see `CallReader`).

    Raises:
        MessageFormatError: It is none of these.
    """
    found, reason = _locate(message)
    return chat_shape.read_message(
        found, CallReader(RULES.names, definitions, normal_stop_reason(reason)), "openai"
    )


def _locate(message: Any) -> tuple[dict[str, Any], object]:
    """Return the assistant message in what was given, and its finish reason."""
    plain = to_plain(message)
    if isinstance(plain, list):
        return {"tool_calls": plain}, None
    if isinstance(plain, dict):
        if "choices" in plain and not plain.get("error"):
            choice = to_dict((items(plain["choices"]) or [{}])[0])
            return to_dict(choice.get("message") or {}), choice.get("finish_reason")
        if action := plain.get("required_action"):
            return to_dict(to_dict(action).get("submit_tool_outputs") or {}), None
        if "tool_calls" in plain or "role" in plain:
            return plain, None
        if "function" in plain:
            return {"tool_calls": [plain]}, None
    raise refuse(plain, "an OpenAI assistant message or response (with 'tool_calls', 'choices' or 'role')")


def stop_reason(response: Any) -> str:
    """Return why the answer ended; ``"tool_calls"`` whenever it holds calls and ended well."""
    message, reason = _locate(response)
    has_calls = bool(message.get("tool_calls") or message.get("function_call"))
    return chat_shape.effective_stop(normal_stop_reason(reason), has_calls=has_calls)


def format_results(
    results: Iterable[ToolResult],
    calls: Iterable[ToolCall] = (),  # noqa: ARG001 - other formats need them
) -> list[dict[str, Any]]:
    """Return one ``tool`` message for each result."""
    return [
        {"role": "tool", "tool_call_id": result.call_id or "", "content": result.text} for result in results
    ]


def assistant_message(calls: Iterable[ToolCall], text: str = "") -> dict[str, Any]:
    """Return the assistant message that made these calls; broken arguments become ``{}``."""
    return chat_shape.assistant_message(calls, text, RULES.names, "openai")


class StreamParser(CallStream):
    """Gathers the calls of ``chat.completion.chunk`` events.

    Servers leave out indexes, repeat them, number all calls 0, or send no ids. A piece belongs to the call
    with its id, else to the latest call with its index, else to the call that is being written; a piece that
    names a tool begins a new call, unless it continues a nameless or incomplete one.
    """

    rule = RULES.names

    def _read(self, event: dict[str, Any]) -> None:
        if event.get("error"):
            self._fail()
            return
        for choice in map(to_dict, items(event.get("choices"))):
            if not choice.get("index"):  # only the first of several answers is followed
                self._choice(choice)

    def _choice(self, choice: dict[str, Any]) -> None:
        delta = to_dict(choice.get("delta") or choice.get("message") or {})
        for piece in items(delta.get("tool_calls")):
            self._take(to_dict(piece))
        if delta.get("function_call"):
            self._take({"index": 0, "function": delta["function_call"]})
        if reason := choice.get("finish_reason"):
            self._end(normal_stop_reason(reason) or STOP)

    def _take(self, piece: dict[str, Any]) -> None:
        function = to_dict(piece.get("function") or {})
        call_id, index = piece.get("id") or None, piece.get("index")
        name = named if isinstance(named := function.get("name"), str) and named else None
        entry = self._route(call_id, index, name)
        if entry is None:
            entry = self._start(index, call_id, name)
        entry.id = entry.id or call_id
        entry.name = entry.name or name or ""
        extra = {key: value for key, value in piece.items() if key not in ("id", "type", "function", "index")}
        entry.metadata = keep("openai", extra) or entry.metadata
        self._append(entry, function.get("arguments"))

    def _route(self, call_id: object, index: object, name: object) -> OpenCall | None:
        """Return the call that a piece continues; None where it begins a new one."""
        if call_id is not None:
            for entry in self._open:
                if entry.id == call_id and entry.call is None:
                    return entry
        same_index = [entry for entry in self._open if entry.index == index and index is not None]
        latest = same_index[-1] if same_index else self._current
        if latest is None or latest.call is not None:
            return None
        if name is None or _continues(latest, call_id, index, name):
            return latest
        return None


def _continues(entry: OpenCall, call_id: object, index: object, name: object) -> bool:
    """Whether a piece that names a tool still belongs to a call: some servers name it in every piece."""
    if (call_id is not None and entry.id is not None) or entry.index != index or entry.name not in ("", name):
        return False
    return not (entry.pieces and entry.is_complete())
