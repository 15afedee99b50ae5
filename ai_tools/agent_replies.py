"""How answers and refused calls go into the conversation: calls of an answer that was cut off are not run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_tools.types import ToolCall, ToolResult

if TYPE_CHECKING:
    from ai_tools.errors import ToolError
    from ai_tools.messages import Message
    from ai_tools.providers.protocol import Reply

_CUT_OFF = {
    "length": "The answer was cut off by the token limit",
    "refusal": "The answer was stopped by a refusal or a content filter",
    "error": "The answer ended with an error",
}


def to_message(reply: Reply) -> Message:
    """Return an answer's message. Where it did not end well, each of its calls carries an error.

    Arguments that were cut off can still be valid JSON, and a delete with half of its filter is worse than
    none; so the reason why an answer ended counts, not the look of a call.
    """
    message = reply.to_message()
    if reply.stop_reason in _CUT_OFF:
        reason = f"{_CUT_OFF[reply.stop_reason]}, so none of its tool calls was run. Make the call again."
        message.calls = tuple(call if call.error else _with_error(call, reason) for call in message.calls)
    return message


def error_result(call: ToolCall, error: ToolError) -> ToolResult:
    """Return the result of a call that was not run."""
    return ToolResult(None, str(error), error, call.id, call.name)


def _with_error(call: ToolCall, error: str) -> ToolCall:
    return ToolCall(
        call.id,
        call.name,
        call.arguments,
        raw_arguments=call.raw_arguments,
        error=error,
        metadata=call.metadata,
    )
