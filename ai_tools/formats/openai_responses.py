"""OpenAI Responses.

Source: the types of the ``openai`` package (``openai.types.responses``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.formats.calls import (
    ERROR,
    LENGTH,
    REFUSAL,
    STOP,
    TOOL_CALLS,
    UNKNOWN,
    CallReader,
    history_text,
    keep,
    normal_stop_reason,
    own_metadata,
)  # fmt: skip
from ai_tools.formats.names import NameRule, with_wire_names
from ai_tools.formats.openai_strict import STRICT, strict_or_plain
from ai_tools.formats.plain import items, refuse, to_dict, to_plain
from ai_tools.formats.rules import Rules
from ai_tools.formats.streams import CallStream, OpenCall

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ai_tools.types import ToolCall, ToolDefinition, ToolResult

RULES = Rules(NameRule("a-zA-Z0-9_-", 64), max_tools=128, plain_root=True, strict=STRICT)

_CUT_OFF = "The call was cut off before it was complete. Make the call again, with shorter arguments."


def export(definitions: Iterable[ToolDefinition], *, strict: bool = False) -> list[dict[str, Any]]:
    """Return the ``tools`` of a request; `strict` as in `ai_tools.formats.openai.export`.

    Raises:
        InvalidDefinitionError: Two tools would be sent under one name.
    """
    return [
        _tool(wire, definition, strict=strict or definition.strict)
        for wire, definition in with_wire_names(definitions, RULES.names)
    ]


def _tool(wire: str, definition: ToolDefinition, *, strict: bool) -> dict[str, Any]:
    parameters, is_strict = strict_or_plain(definition.parameters, strict=strict)
    return {
        "type": "function",
        "name": wire,
        "description": definition.description,
        "parameters": parameters,
        "strict": is_strict,
    }


def parse_calls(
    message: Any, definitions: Iterable[ToolDefinition] | Mapping[str, ToolDefinition] | None = None
) -> list[ToolCall]:
    """Return the calls of a response.

    Args:
        message: A response, the list of its output items, or one ``function_call`` item.
        definitions: The tools that were offered (see `CallReader`).

    Raises:
        MessageFormatError: It is none of these.
    """
    output, reason = _locate(message)
    reader = CallReader(RULES.names, definitions, reason)
    return [
        _call(item, reader) for item in output if item.get("type") in ("function_call", "custom_tool_call")
    ]


def _locate(message: Any) -> tuple[list[dict[str, Any]], str]:
    """Return the output items in what was given, and why the answer ended."""
    plain = to_plain(message)
    if isinstance(plain, list):
        return [to_dict(item) for item in plain], UNKNOWN
    if isinstance(plain, dict):
        if "output" in plain and "type" not in plain:
            return [to_dict(item) for item in items(plain["output"])], _reason(plain)
        if "type" in plain:
            return [plain], UNKNOWN
    raise refuse(plain, "an OpenAI response (with 'output'), its output items, or one item (with 'type')")


def _reason(response: dict[str, Any]) -> str:
    if response.get("status") == "incomplete":
        details = response.get("incomplete_details") or {}
        reason = normal_stop_reason(to_dict(details).get("reason"))
        return reason if reason in (LENGTH, REFUSAL) else ERROR
    return normal_stop_reason(response.get("status"))


def _call(item: dict[str, Any], reader: CallReader) -> ToolCall:
    error = _CUT_OFF if item.get("status") == "incomplete" else None
    arguments = item.get("arguments")
    if item["type"] == "custom_tool_call":
        error, arguments = "A custom tool call carries free text; tools here take a JSON object.", None
    return reader.call(
        item.get("call_id"), item.get("name"), arguments, metadata=_metadata(item), error=error
    )


def _metadata(item: dict[str, Any]) -> dict[str, Any] | None:
    # Not the item's id: an item with an id is refused without the reasoning item that came before it.
    return keep("openai_responses", {key: item.get(key) for key in ("namespace", "caller")})


def stop_reason(response: Any) -> str:
    """Return why the answer ended; ``"tool_calls"`` whenever it holds calls and ended well."""
    output, reason = _locate(response)
    has_calls = any(item.get("type") == "function_call" for item in output)
    return TOOL_CALLS if has_calls and reason in (STOP, UNKNOWN) else reason


def format_results(results: Iterable[ToolResult], calls: Iterable[ToolCall] = ()) -> list[dict[str, Any]]:
    """Return one ``function_call_output`` item for each result.

    Args:
        results: The results.
        calls: The calls they answer; needed where a call has a ``caller``, which the answer has to repeat.
    """
    callers = {call.id: own_metadata(call, "openai_responses").get("caller") for call in calls}
    return [_result(result, callers.get(result.call_id)) for result in results]


def _result(result: ToolResult, caller: Any) -> dict[str, Any]:
    item = {"type": "function_call_output", "call_id": result.call_id or "", "output": result.text}
    return {**item, "caller": caller} if caller else item


def assistant_message(calls: Iterable[ToolCall], text: str = "") -> list[dict[str, Any]]:
    """Return the input items that made these calls; broken arguments become ``{}``.

    For a model that reasons, send the output of its response instead: its reasoning items belong to the
    calls.
    """
    said: list[dict[str, Any]] = [{"role": "assistant", "content": text}] if text else []
    return said + [
        {
            "type": "function_call",
            "call_id": call.id,
            "name": RULES.names.encode(call.name),
            "arguments": history_text(call),
            **own_metadata(call, "openai_responses"),
        }
        for call in calls
    ]


class StreamParser(CallStream):
    """Gathers the calls of a response's events. Items that come without their deltas are taken whole."""

    rule = RULES.names

    def _read(self, event: dict[str, Any]) -> None:
        kind = str(event.get("type", ""))
        if kind in ("response.output_item.added", "response.output_item.done"):
            self._item(
                to_dict(event.get("item") or {}), event.get("output_index"), done=kind.endswith("done")
            )
        elif kind == "response.function_call_arguments.delta":
            self._append(self._find(event), event.get("delta"))
        elif kind == "response.function_call_arguments.done":
            self._complete(self._find(event), event.get("arguments"))
        elif kind in ("response.completed", "response.incomplete", "response.failed"):
            self._response(to_dict(event.get("response") or {}), kind)
        elif kind == "error":
            self._fail()

    def _item(self, item: dict[str, Any], index: object, *, done: bool) -> None:
        if item.get("type") != "function_call":
            return
        entry = self._known(item.get("id"), index)
        if entry is None:
            entry = self._start((item.get("id"), index), item.get("call_id"), item.get("name"))
        entry.id = entry.id or item.get("call_id")
        if not entry.name and isinstance(name := item.get("name"), str):
            entry.name = name
        entry.metadata = _metadata(item)
        if done or item.get("arguments"):
            self._complete(entry, item.get("arguments"))

    def _known(self, item_id: object, index: object) -> OpenCall | None:
        for entry in reversed(self._open):
            known_id, known_index = entry.index if isinstance(entry.index, tuple) else (None, None)
            if (item_id is not None and known_id == item_id) or (index is not None and known_index == index):
                return entry
        return None

    def _find(self, event: dict[str, Any]) -> OpenCall:
        entry = self._known(event.get("item_id"), event.get("output_index")) or self._current
        if entry is None:
            place = (event.get("item_id"), event.get("output_index"))
            entry = self._start(place, None, event.get("name"))
        return entry

    def _complete(self, entry: OpenCall, arguments: object) -> None:
        """Take the whole argument text: the rest of it where pieces came, all of it where none did."""
        text = entry.text()
        if isinstance(arguments, str) and arguments != text:
            if arguments.startswith(text):
                self._append(entry, arguments[len(text) :])
            else:
                entry.pieces = [arguments]

    def _response(self, response: dict[str, Any], kind: str) -> None:
        if not self._open:
            for index, item in enumerate(items(response.get("output"))):
                self._item(to_dict(item), index, done=True)
        reason = _reason(response)
        if not reason:
            reason = STOP if kind == "response.completed" else ERROR
        self._end(reason)
