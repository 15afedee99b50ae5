"""A conversation in neutral messages as the messages of a wire format.

Calls and results are the wire format's business (`ai_tools.formats`); here is what all providers share: the
order, the groups of results, and that a conversation which was moved from another provider, or was cut short
by an error, is still one that a service accepts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ai_tools.messages import ASSISTANT, SYSTEM, TOOL, grouped, to_result
from ai_tools.providers.errors import BadRequestError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ai_tools.messages import Message, Part
    from ai_tools.providers.protocol import Request
    from ai_tools.types import ToolResult


class Writer(NamedTuple):
    """How one provider writes messages.

    Attributes:
        results: Returns the messages for the results of a turn.
        user: Returns a user's message.
        assistant: Returns an assistant's message; None to leave it out.
    """

    results: Callable[[Iterable[ToolResult]], list[dict[str, Any]]]
    user: Callable[[Message], dict[str, Any]]
    assistant: Callable[[Message], dict[str, Any] | None]


def system_prompt(request: Request) -> str:
    """Return the system prompt, with what system messages within the conversation add to it."""
    added = [message.text for message in request.messages if message.role == SYSTEM]
    return "\n\n".join(text for text in (request.system, *added) if text)


def write(messages: Iterable[Message], writer: Writer) -> list[dict[str, Any]]:
    """Return the messages on the wire, without system messages."""
    written: list[dict[str, Any]] = []
    for group in grouped(messages):
        role = group[0].role
        if role == TOOL:
            written += writer.results([to_result(message) for message in group])
        elif role == ASSISTANT:
            if (message := writer.assistant(group[0])) is not None:
                written.append(message)
        elif role != SYSTEM:
            written.append(writer.user(group[0]))
    return written


def joined(messages: list[dict[str, Any]], role: str, field: str) -> list[dict[str, Any]]:
    """Return the messages with neighbours of one role made into one.

    Args:
        messages: Messages whose `field` is a list.
        role: The role concerned; Anthropic and Gemini want results and what the user adds to them together.
        field: Where a message has its content.
    """
    result: list[dict[str, Any]] = []
    for message in messages:
        if result and message["role"] == role == result[-1]["role"]:
            result[-1] = {**result[-1], field: [*result[-1][field], *message[field]]}
        else:
            result.append(message)
    return result


def extras(message: Message, provider: str) -> dict[str, Any]:
    """Return what a provider wants back with a message of its own; nothing with another's."""
    found = message.extras.get(provider)
    return dict(found) if isinstance(found, dict) else {}


def unsupported(part: Part, provider: str) -> BadRequestError:
    """Return the error for a part of a message that a provider does not take."""
    kind = f"{part.kind} ({part.media_type})" if part.media_type else part.kind
    given = "by its address" if part.url else "with its content"
    return BadRequestError(
        f"A message holds a part that is not supported: {kind}, {given}.", provider=provider
    )
