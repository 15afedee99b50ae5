"""Calls out of a model's message: names mapped back, ids unique, arguments parsed, cut-off answers marked."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ai_tools.arguments import read
from ai_tools.errors import InvalidArgumentsError
from ai_tools.formats.nulls import drop_added_nulls
from ai_tools.formats.plain import kind
from ai_tools.types import ToolCall

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ai_tools.formats.names import NameRule
    from ai_tools.types import ToolDefinition

SYNTHETIC_ID = "call_local_"
"""How ids begin that are made up where a provider gave none; providers that need no ids never see them."""

STOP, TOOL_CALLS, LENGTH, REFUSAL, PAUSE, ERROR, UNKNOWN = (
    "stop",
    "tool_calls",
    "length",
    "refusal",
    "pause",
    "error",
    "",
)

_STOP_REASONS = {
    STOP: ("stop", "end_turn", "stop_sequence", "completed", "eos", "eos_token", "finish_reason_unspecified"),
    TOOL_CALLS: ("tool_calls", "tool_use", "function_call", "requires_action"),
    LENGTH: (
        "length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded",
    ),
    REFUSAL: (
        "refusal", "content_filter", "safety", "recitation", "blocklist", "prohibited_content", "spii",
        "model_armor",
    ),
    PAUSE: ("pause_turn",),
    ERROR: (
        "error", "failed", "cancelled", "canceled", "incomplete", "malformed_function_call",
        "malformed_response", "unexpected_tool_call", "too_many_tool_calls", "missing_thought_signature",
        "language", "other",
        "insufficient_system_resource",
    ),
}  # fmt: skip
_NORMAL = {spelling: normal for normal, spellings in _STOP_REASONS.items() for spelling in spellings}

_NOT_RUN = {
    LENGTH: "The answer was cut off by the token limit, so none of its tool calls was run. "
    "Make the call again, with shorter arguments or fewer calls at once.",
    REFUSAL: "The answer was stopped by a refusal or a content filter, so none of its tool calls was run.",
    ERROR: "The answer ended with an error, so none of its tool calls was run. Make the call again.",
}


def normal_stop_reason(reason: object) -> str:
    """Return ``stop, tool_calls, length, refusal, pause`` or ``error`` for a provider's word; else ""."""
    return _NORMAL.get(reason.lower(), UNKNOWN) if isinstance(reason, str) else UNKNOWN


def history_arguments(call: ToolCall) -> dict[str, Any]:
    """Return the arguments to write into the history; broken ones become an empty object.

    Providers refuse every later request whose history holds arguments that are no JSON object.
    """
    return call.arguments or {}


def history_text(call: ToolCall) -> str:
    """Return `history_arguments` as JSON text: the model's own wherever it can stand."""
    if not call.arguments:
        return "{}"
    return call.raw_arguments or json.dumps(call.arguments, ensure_ascii=False)


def own_metadata(call: ToolCall, provider: str) -> dict[str, Any]:
    """Return what the provider wants back with this call; nothing where the call came from another one."""
    metadata = call.metadata or {}
    return dict(metadata.get("fields") or {}) if metadata.get("format") == provider else {}


def keep(provider: str, fields: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the metadata that `own_metadata` reads back."""
    present = {key: value for key, value in fields.items() if value is not None}
    return {"format": provider, "fields": present} if present else None


def is_synthetic(call_id: str | None) -> bool:
    """Whether an id was made up here, or is missing."""
    return not call_id or call_id.startswith(SYNTHETIC_ID)


class CallReader:
    """Builds the `ToolCall`s of one message.

    Args:
        rule: The provider's rule for names.
        definitions: The tools that were offered, as an iterable or by name. Only with them can names that
            were cut to a provider's limit be mapped back, and the nulls be dropped that strict mode asks for.
        stop_reason: Why the answer ended, in the words of `normal_stop_reason`.
    """

    __slots__ = ("_seen", "known", "rule", "stop_reason")

    def __init__(
        self,
        rule: NameRule,
        definitions: Iterable[ToolDefinition] | Mapping[str, ToolDefinition] | None = None,
        stop_reason: str = UNKNOWN,
    ) -> None:
        self.rule = rule
        self.known = definitions if isinstance(definitions, Mapping) else by_name(definitions)
        self.stop_reason = stop_reason
        self._seen: set[str] = set()

    def call(
        self,
        call_id: object,
        name: object,
        arguments: object,
        *,
        metadata: Mapping[str, Any] | None = None,
        error: str | None = None,
    ) -> ToolCall:
        """Return one call; whatever is wrong with it is its `error`, never an exception.

        Args:
            call_id: The provider's id, if it gave one.
            name: The name as it was sent.
            arguments: JSON text, an object, or nothing.
            metadata: What the provider wants back with the call.
            error: What the format itself found wrong.
        """
        registered = self.rule.restore(name, self.known) if isinstance(name, str) else ""
        parsed, problem = self._arguments(arguments, registered)
        return ToolCall(
            self._unique(call_id),
            registered,
            parsed,
            raw_arguments=arguments if isinstance(arguments, str) else None,
            error=error or _NOT_RUN.get(self.stop_reason) or problem,
            metadata=metadata,
        )

    def unreadable(self, item: object) -> ToolCall:
        """Return the call that stands for something that is no call at all."""
        return self.call(None, None, None, error=f"The tool call must be a JSON object, not {kind(item)}.")

    def _arguments(self, raw: object, tool: str) -> tuple[dict[str, Any] | None, str | None]:
        if not tool:
            return None, "The call does not name a tool."
        try:
            parsed = read(dict(raw) if isinstance(raw, Mapping) else raw, tool)
        except InvalidArgumentsError as error:
            return None, error.reason
        definition = self.known.get(tool) if self.known else None
        return (drop_added_nulls(parsed, definition.parameters) if definition else parsed), None

    def _unique(self, call_id: object) -> str:
        text = str(call_id) if isinstance(call_id, (str, int)) else ""
        if not text or text in self._seen:
            text = f"{SYNTHETIC_ID}{os.urandom(12).hex()}"
        self._seen.add(text)
        return text


def by_name(definitions: Iterable[ToolDefinition] | None) -> Mapping[str, ToolDefinition] | None:
    """Index definitions by registered name; None stays None."""
    return None if definitions is None else {definition.name: definition for definition in definitions}
