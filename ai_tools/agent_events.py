"""What a run of an agent tells while it goes on, and its answer.

The events of a stream are those of the provider (`TextDelta`, `ReasoningDelta`, and `CallEvent` for a call
that is being written) and those here. Each has a `kind`, for programs that rather compare words than classes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ai_tools.providers.protocol import ReasoningDelta, TextDelta, Usage, UsageEvent
from ai_tools.types import Record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ai_tools.formats.streams import CallEvent
    from ai_tools.types import ToolCall, ToolResult


class Pending(Record):
    """A call that waits for approval.

    Attributes:
        call: The call with its arguments as they would be run: checked, and repaired where that was possible.
        key: What a decision about it is given under. It stands for the id, the tool and these very arguments,
            so a decision can never reach another call.
    """

    __slots__ = ("call", "key")
    gene_kind = "ai_tools.gene_bindings.chat_kinds:PENDING"

    def __init__(self, call: ToolCall, key: str) -> None:
        self.call = call
        self.key = key


class Answer(Record):
    """How a run ended.

    Attributes:
        text: The model's last text.
        stop_reason: ``"stop"``, ``"length"`` (cut off by the token limit of the answer), ``"refusal"``,
            ``"error"``, ``"paused"`` (see `pending`), ``"cancelled"``, ``"limit"`` or "" (the service does
            not say).
        usage: The tokens of the run.
        steps: The requests of the run.
        tool_calls: The calls that were run.
        pending: The calls that wait for approval.
    """

    __slots__ = ("pending", "steps", "stop_reason", "text", "tool_calls", "usage")
    gene_kind = "ai_tools.gene_bindings.chat_kinds:ANSWER"

    def __init__(
        self,
        text: str,
        stop_reason: str,
        usage: Usage,
        *,
        steps: int = 0,
        tool_calls: int = 0,
        pending: Iterable[Pending] = (),
    ) -> None:
        self.text = text
        self.stop_reason = stop_reason
        self.usage = usage
        self.steps = steps
        self.tool_calls = tool_calls
        self.pending = tuple(pending)

    @property
    def is_paused(self) -> bool:
        """Whether the run waits for decisions about `pending`."""
        return self.stop_reason == "paused"

    def __str__(self) -> str:
        return self.text


class ToolStarted(Record):
    """A call begins to run."""

    __slots__ = ("call",)
    kind = "tool_started"

    def __init__(self, call: ToolCall) -> None:
        self.call = call


class ToolFinished(Record):
    """A call has its result, which may be an error."""

    __slots__ = ("call", "result")
    kind = "tool_finished"

    def __init__(self, call: ToolCall, result: ToolResult) -> None:
        self.call = call
        self.result = result


class ApprovalRequired(Record):
    """Calls wait for approval; the run pauses after this event."""

    __slots__ = ("pending",)
    kind = "approval_required"

    def __init__(self, pending: Iterable[Pending]) -> None:
        self.pending = tuple(pending)


class Finished(Record):
    """The end of the run; the last event."""

    __slots__ = ("answer",)
    kind = "answer"

    def __init__(self, answer: Answer) -> None:
        self.answer = answer


AgentEvent: TypeAlias = (
    "TextDelta | ReasoningDelta | CallEvent | UsageEvent"
    " | ToolStarted | ToolFinished | ApprovalRequired | Finished"
)
"""What a stream of an agent yields. A `UsageEvent` holds the tokens of the run so far."""

__all__ = [
    "AgentEvent",
    "Answer",
    "ApprovalRequired",
    "Finished",
    "Pending",
    "ReasoningDelta",
    "TextDelta",
    "ToolFinished",
    "ToolStarted",
    "UsageEvent",
]
