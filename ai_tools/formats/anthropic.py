"""Anthropic Messages.

Source: the types of the ``anthropic`` package and https://docs.anthropic.com/en/docs/agents-and-tools/tool-use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.formats.calls import (
    PAUSE,
    STOP,
    TOOL_CALLS,
    UNKNOWN,
    CallReader,
    history_arguments,
    keep,
    normal_stop_reason,
    own_metadata,
)  # fmt: skip
from ai_tools.formats.names import NameRule, with_wire_names
from ai_tools.formats.plain import items, refuse, to_dict, to_plain
from ai_tools.formats.rules import Rules
from ai_tools.formats.schemas import flatten_root, inline_references, walk
from ai_tools.formats.streams import CallStream
from ai_tools.formats.strict import StrictRules, strict_schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ai_tools.types import ToolCall, ToolDefinition, ToolResult

RULES = Rules(
    NameRule("a-zA-Z0-9_-", 128),
    properties=NameRule("a-zA-Z0-9_.-", 64),
    plain_root=True,
    inlines=True,
    strict=StrictRules(all_required=False, recursion=False),
)

STRICT_TOOLS, STRICT_OPTIONALS, STRICT_UNIONS = 20, 24, 16
"""How many strict tools one request may have, and how many optional and several-typed parameters they."""

_ID = NameRule("a-zA-Z0-9_-", 1_000_000)
"""What ids of calls may consist of. Ids that other providers gave may need mapping."""


def export(definitions: Iterable[ToolDefinition], *, strict: bool = False) -> list[dict[str, Any]]:
    """Return the ``tools`` of a request.

    Args:
        definitions: The tools, in the order to send.
        strict: Ask for strict mode for every tool, not only for those that ask for it themselves. Tools whose
            schema has no strict form, or that come after the request's limits are used up, are sent without.

    Raises:
        InvalidDefinitionError: Two tools would be sent under one name.
    """
    budget = _StrictBudget()
    return [
        _tool(wire, definition, budget if strict or definition.strict else None)
        for wire, definition in with_wire_names(definitions, RULES.names)
    ]


def _tool(wire: str, definition: ToolDefinition, budget: _StrictBudget | None) -> dict[str, Any]:
    tool: dict[str, Any] = {"name": wire, "description": definition.description}
    rewritten = budget.admit(definition.parameters) if budget else None
    if rewritten is not None:
        return {**tool, "input_schema": rewritten, "strict": True}
    parameters = inline_references(definition.parameters, keep_recursive=True)
    return {**tool, "input_schema": flatten_root(parameters)}


class _StrictBudget:
    """Counts what the strict tools of one request use up."""

    def __init__(self) -> None:
        self.left = [STRICT_TOOLS, STRICT_OPTIONALS, STRICT_UNIONS]

    def admit(self, parameters: dict[str, Any]) -> dict[str, Any] | None:
        assert RULES.strict is not None
        schema = strict_schema(parameters, RULES.strict)[0]
        if schema is None:
            return None
        left = [have - need for have, need in zip(self.left, (1, *strict_costs(schema)), strict=True)]
        if min(left) < 0:
            return None
        self.left = left
        return schema


def strict_costs(schema: dict[str, Any]) -> tuple[int, int]:
    """Return how many optional and how many several-typed parameters a schema has."""
    optionals = unions = 0
    for _, part in walk(schema):
        optionals += len(part.get("properties") or {}) - len(part.get("required") or ())
        unions += "anyOf" in part or isinstance(part.get("type"), list)
    return optionals, unions


def parse_calls(
    message: Any, definitions: Iterable[ToolDefinition] | Mapping[str, ToolDefinition] | None = None
) -> list[ToolCall]:
    """Return the calls of an answer.

    An answer that stopped with ``pause_turn`` has none: it is to be sent back unchanged.

    Args:
        message: A response or assistant message, the list of its content blocks, or one block.
        definitions: The tools that were offered (see `CallReader`).

    Raises:
        MessageFormatError: It is none of these.
    """
    blocks, reason = _locate(message)
    if reason == PAUSE:
        return []
    reader = CallReader(RULES.names, definitions, reason)
    return [_call(block, reader) for block in blocks if block.get("type") == "tool_use"]


def _locate(message: Any) -> tuple[list[dict[str, Any]], str]:
    """Return the content blocks in what was given, and why the answer ended."""
    plain = to_plain(message)
    if isinstance(plain, dict):
        reason = normal_stop_reason(plain.get("stop_reason"))
        if isinstance(plain.get("content"), str):
            return [], reason
        if "content" in plain and plain.get("type", "message") == "message":
            plain = items(plain["content"])
        elif "type" in plain and plain["type"] != "error":
            plain = [plain]
        else:
            raise refuse(plain, "an Anthropic message (with 'content') or content block (with 'type')")
        return [to_dict(block) for block in plain], reason
    if isinstance(plain, list):
        return [to_dict(block) for block in plain], UNKNOWN
    raise refuse(plain, "an Anthropic message, its content blocks, or one block")


def _call(block: dict[str, Any], reader: CallReader) -> ToolCall:
    return reader.call(block.get("id"), block.get("name"), block.get("input"), metadata=_metadata(block))


def _metadata(block: dict[str, Any]) -> dict[str, Any] | None:
    return keep("anthropic", {key: block.get(key) for key in ("caller", "toolset_name")})


def stop_reason(response: Any) -> str:
    """Return why the answer ended; ``"pause"`` means: send it back unchanged."""
    blocks, reason = _locate(response)
    has_calls = any(block.get("type") == "tool_use" for block in blocks)
    return TOOL_CALLS if has_calls and reason in (STOP, UNKNOWN) else reason


def format_results(
    results: Iterable[ToolResult],
    calls: Iterable[ToolCall] = (),  # noqa: ARG001 - other formats need them
) -> list[dict[str, Any]]:
    """Return the one user message that answers all calls of a turn; none for no results.

    Whatever the user says in the same turn has to be appended to its content: results come first.
    """
    content = [_result(result) for result in results]
    return [{"role": "user", "content": content}] if content else []


def _result(result: ToolResult) -> dict[str, Any]:
    block = {"type": "tool_result", "tool_use_id": _ID.encode(result.call_id or ""), "content": result.text}
    return {**block, "is_error": True} if result.is_error else block


def assistant_message(calls: Iterable[ToolCall], text: str = "") -> dict[str, Any]:
    """Return the assistant message that made these calls; broken arguments become ``{}``."""
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text.strip() else []
    content += [
        {
            "type": "tool_use",
            "id": _ID.encode(call.id or ""),
            "name": RULES.names.encode(call.name),
            "input": history_arguments(call),
            **own_metadata(call, "anthropic"),
        }
        for call in calls
    ]
    return {"role": "assistant", "content": content}


class StreamParser(CallStream):
    """Gathers the calls of a message stream's events."""

    rule = RULES.names

    def _read(self, event: dict[str, Any]) -> None:
        kind, index = event.get("type"), event.get("index")
        if kind == "content_block_start":
            self._block(to_dict(event.get("content_block") or {}), index)
        elif kind == "content_block_delta":
            delta = to_dict(event.get("delta") or {})
            entry = next((e for e in reversed(self._open) if e.index == index), None)
            if delta.get("type") == "input_json_delta" and entry is not None:
                self._append(entry, delta.get("partial_json"))
        elif kind == "message_delta":
            if reason := to_dict(event.get("delta") or {}).get("stop_reason"):
                self._end(normal_stop_reason(reason) or STOP)
        elif kind == "error":
            self._fail()

    def _block(self, block: dict[str, Any], index: object) -> None:
        if block.get("type") != "tool_use":
            return
        entry = self._start(index, block.get("id"), block.get("name"))
        entry.metadata = _metadata(block)
        if block.get("input"):  # usually empty here; some gateways send the whole input at once
            self._append(entry, block["input"])
