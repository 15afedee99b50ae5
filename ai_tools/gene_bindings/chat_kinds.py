"""Conversations, agents and what belongs to them as kinds of Gene values: methods, members and text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ai_tools.agent import Agent
from ai_tools.agent_events import Answer, Pending
from ai_tools.conversation import Conversation
from ai_tools.event_stream import EventWriter
from ai_tools.gene_bindings import agents, conversations, providers, streaming
from ai_tools.gene_bindings.kinds import _printer, _reader
from ai_tools.gene_bindings.values import plain
from ai_tools.messages import Message
from ai_tools.providers.protocol import Provider, Request, Usage
from gene.data.kinds import Kind

if TYPE_CHECKING:
    from ai_tools.gene_bindings.kinds import Members

_MESSAGE: Members = {
    "role": lambda message: message.role,
    "text": lambda message: message.text,
    "calls": lambda message: list(message.calls),
    "call_id": lambda message: message.call_id,
    "name": lambda message: message.name,
    "is_error": lambda message: message.is_error,
    "parts": lambda message: [
        {name: value for name in part.__slots__ if (value := getattr(part, name))} for part in message.parts
    ],
    "extras": lambda message: plain(message.extras),
}
_SHOWN: Members = {name: lambda message, read=read: read(message) or None for name, read in _MESSAGE.items()}  # type: ignore[misc]
_ANSWER: Members = {
    "text": lambda answer: answer.text,
    "stop_reason": lambda answer: answer.stop_reason,
    "usage": lambda answer: answer.usage,
    "steps": lambda answer: answer.steps,
    "tool_calls": lambda answer: answer.tool_calls,
    "pending": lambda answer: list(answer.pending),
}
_USAGE: Members = {
    "input_tokens": lambda usage: usage.input_tokens,
    "output_tokens": lambda usage: usage.output_tokens,
    "cached_tokens": lambda usage: usage.cached_tokens,
    "total_tokens": lambda usage: usage.total_tokens,
}
_PENDING: Members = {
    "call": lambda pending: pending.call,
    "key": lambda pending: pending.key,
}
_REQUEST: Members = {
    "messages": lambda request: list(request.messages),
    "system": lambda request: request.system,
    "tools": lambda request: [tool.name for tool in request.tools],
    "model": lambda request: request.settings.model,
}
_AGENT: Members = {
    "registry": lambda agent: agent.tools,
    "conversation": lambda agent: agent.conversation,
    "provider": lambda agent: agent.provider,
}
_CONVERSATION: Members = {
    "messages": lambda conversation: list(conversation.messages),
    "system_prompt": lambda conversation: conversation.system_prompt,
}
_PROVIDER: Members = {
    "name": lambda provider: provider.name,
    "model": lambda provider: getattr(provider, "model", None),
}


def _text(answer: Any) -> tuple[str, list[tuple[str, Any]], str, bool]:
    """Print an answer as its text."""
    return answer.text, [], "", False


def _kind(name: str, python_type: type, members: Members, shown: tuple[str, ...] = (), **more: Any) -> Kind:
    printer = _printer(name, members, shown)
    return Kind(name, f"Vk{name}", python_type, **{"members": _reader(members), "parts": printer, **more})


CONVERSATION: Final = _kind(
    "Conversation", Conversation, _CONVERSATION, methods=conversations.METHODS, construct=conversations.new
)
AGENT: Final = _kind("Agent", Agent, _AGENT, methods=agents.METHODS)
MESSAGE: Final = _kind(
    "Message",
    Message,
    _MESSAGE,
    construct=conversations.message_of,
    parts=_printer("Message", _SHOWN, ("role", "text", "calls", "call_id", "name", "is_error", "parts")),
)
ANSWER: Final = _kind("Answer", Answer, _ANSWER, parts=_text)
USAGE: Final = _kind("Usage", Usage, _USAGE, ("input_tokens", "output_tokens", "cached_tokens"))
PENDING: Final = _kind("Pending", Pending, _PENDING, ("key", "call"))
REQUEST: Final = _kind("Request", Request, _REQUEST, ("system", "messages"))
PROVIDER: Final = _kind(
    "Provider", Provider, _PROVIDER, ("name", "model"), methods={"requests": providers.requests}
)
EVENT_WRITER: Final = Kind("EventWriter", "VkEventWriter", EventWriter, methods=streaming.METHODS)
