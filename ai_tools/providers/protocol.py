"""What a model service has to offer: one request in, one reply out, whole or as a stream of events.

Sync or async: the protocol is **sync first**. A provider implements `Provider.stream`, an ordinary iterator
of events that ends with `Done`; everything else has a default built on it. `complete` returns the reply of
that stream, and the asynchronous twins run the synchronous ones in a thread. A provider that can do better
(fetch a whole reply at once, talk over asyncio) overrides the method concerned. So the smallest provider is
one method, programs without an event loop never import asyncio, and nobody is forced to write everything
twice.

Rules for every provider:

- Events come in the order in which the service sent them; exactly one `Done` comes last. It carries the whole
  reply, with the calls of all `CallEvent`s of kind ``"finished"``.
- Whatever fails is raised as a `ProviderError` (`ai_tools.providers.errors`), also in the middle of a stream.
  What is wrong with a *call* of the model is not an error of the provider: the call carries its `error`.
- Retries happen inside of the provider and only before the first event, so that no event comes twice.
- Closing the iterator early closes the connection. ``request.cancel.closing(connection.close)`` lets another
  thread do so; the provider then raises `RequestCancelledError`.
- A provider keeps no state of a conversation and may be used by several threads at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from ai_tools.messages import ASSISTANT, Message
from ai_tools.providers.errors import InvalidResponseError
from ai_tools.types import Record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Mapping

    from ai_tools.cancellation import CancelToken
    from ai_tools.formats.streams import CallEvent
    from ai_tools.types import ToolCall, ToolDefinition


class Settings(Record):
    """How to answer. None leaves a setting to the provider.

    Attributes:
        model: The model's name.
        max_tokens: Tokens that the answer may have.
        temperature: 0 for the most likely answer; greater for more variety.
        tool_choice: ``"auto"``, ``"none"``, ``"required"``, or the registered name of the one tool to call.
        parallel_tool_calls: Whether one answer may hold several calls.
        extra: Further fields of the provider's request body, put in as they are.
    """

    __slots__ = ("extra", "max_tokens", "model", "parallel_tool_calls", "temperature", "tool_choice")

    def __init__(
        self,
        model: str | None = None,
        *,
        max_tokens: int | None = None,
        temperature: float | None = None,
        tool_choice: str | None = None,
        parallel_tool_calls: bool | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        self.model = model
        self.max_tokens = max_tokens
        self.temperature = temperature
        self.tool_choice = tool_choice
        self.parallel_tool_calls = parallel_tool_calls
        self.extra = dict(extra or {})


class Request(Record):
    """What a model is asked.

    Attributes:
        messages: The conversation, oldest first, without the system prompt: user, assistant and tool
            messages. Every call is answered by a ``tool`` message before the next message of another role.
        system: The system prompt; "" for none.
        tools: The tools on offer, in a stable order.
        settings: How to answer.
        timeout: Seconds that the whole request may take; None for the provider's own limit.
        cancel: Lets another thread end the request; None where nobody will.
    """

    __slots__ = ("cancel", "messages", "settings", "system", "timeout", "tools")
    gene_kind = "ai_tools.gene_bindings.chat_kinds:REQUEST"

    def __init__(
        self,
        messages: Iterable[Message],
        *,
        system: str = "",
        tools: Iterable[ToolDefinition] = (),
        settings: Settings | None = None,
        timeout: float | None = None,
        cancel: CancelToken | None = None,
    ) -> None:
        self.messages = tuple(messages)
        self.system = system
        self.tools = tuple(tools)
        self.settings = settings or Settings()
        self.timeout = timeout
        self.cancel = cancel


class Usage(Record):
    """Tokens that requests have used; adds up with ``+``.

    Attributes:
        input_tokens: Tokens of the requests, the cached ones included.
        output_tokens: Tokens of the answers, reasoning included.
        cached_tokens: Those of `input_tokens` that the service had in its cache.
    """

    __slots__ = ("cached_tokens", "input_tokens", "output_tokens")
    gene_kind = "ai_tools.gene_bindings.chat_kinds:USAGE"

    def __init__(self, input_tokens: int = 0, output_tokens: int = 0, cached_tokens: int = 0) -> None:
        self.input_tokens = input_tokens
        self.output_tokens = output_tokens
        self.cached_tokens = cached_tokens

    @property
    def total_tokens(self) -> int:
        """Tokens in and out."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
        )


class Reply(Record):
    """A model's answer.

    Attributes:
        text: Its text.
        calls: The calls it makes, ids and arguments as ``parse_calls`` of the wire format gives them.
        stop_reason: Why it ended: ``"stop"``, ``"tool_calls"``, ``"length"``, ``"refusal"``, ``"pause"``
            (send the conversation again, unchanged), ``"error"`` or "" (unknown).
        usage: The tokens used; None where the service does not say.
        reasoning: The reasoning it shows; for people, it is not sent back.
        extras: What the provider wants back with this answer: becomes ``Message.extras[provider]``.
        provider: The format name under which `extras` are kept.
        raw: The service's answer as it came, where the provider has it.
    """

    __slots__ = ("calls", "extras", "provider", "raw", "reasoning", "stop_reason", "text", "usage")

    def __init__(
        self,
        text: str = "",
        calls: Iterable[ToolCall] = (),
        *,
        stop_reason: str = "",
        usage: Usage | None = None,
        reasoning: str = "",
        extras: Mapping[str, Any] | None = None,
        provider: str = "",
        raw: Any = None,
    ) -> None:
        self.text = text
        self.calls = tuple(calls)
        self.stop_reason = stop_reason
        self.usage = usage
        self.reasoning = reasoning
        self.extras = dict(extras or {})
        self.provider = provider
        self.raw = raw

    def to_message(self) -> Message:
        """Return the answer as a message for the conversation."""
        extras = {self.provider: self.extras} if self.extras else None
        return Message(ASSISTANT, self.text, calls=self.calls, extras=extras)


class TextDelta(Record):
    """A piece of the answer's text."""

    __slots__ = ("text",)
    kind = "text"

    def __init__(self, text: str) -> None:
        self.text = text


class ReasoningDelta(TextDelta):
    """A piece of the reasoning that the model shows."""

    __slots__ = ()
    kind = "reasoning"


class UsageEvent(Record):
    """The tokens used so far by this request (not since the last such event)."""

    __slots__ = ("usage",)
    kind = "usage"

    def __init__(self, usage: Usage) -> None:
        self.usage = usage


class Done(Record):
    """The end of a stream, with the whole reply."""

    __slots__ = ("reply",)
    kind = "done"

    def __init__(self, reply: Reply) -> None:
        self.reply = reply


Event: TypeAlias = "TextDelta | ReasoningDelta | CallEvent | UsageEvent | Done"
"""What a stream yields. A `CallEvent` (kind ``"started"``, ``"arguments"`` or ``"finished"``) is what the
``StreamParser.feed`` of a wire format returns."""


class Provider:
    """A model service. Subclasses implement `stream`; see the module for the rules.

    Attributes:
        name: The provider's name: that of its wire format where it has one.
    """

    gene_kind = "ai_tools.gene_bindings.chat_kinds:PROVIDER"

    name = "provider"

    def stream(self, request: Request) -> Iterator[Event]:
        """Ask and yield events as they come; the last one is `Done`.

        Raises:
            ProviderError: The request failed, before or within the stream.
        """
        raise NotImplementedError

    def complete(self, request: Request) -> Reply:
        """Ask and return the whole reply.

        Raises:
            ProviderError: The request failed.
        """
        for event in self.stream(request):
            if event.kind == "done":
                return event.reply  # type: ignore[union-attr]  # only Done is of this kind
        raise InvalidResponseError("the answer broke off", provider=self.name)

    async def acomplete(self, request: Request) -> Reply:
        """Ask and await the whole reply; see `complete`."""
        from ai_tools.providers import threads

        return await threads.complete(self, request)

    def astream(self, request: Request) -> AsyncIterator[Event]:
        """Ask and yield events asynchronously; see `stream`."""
        from ai_tools.providers import threads

        return threads.stream(self, request)

    def close(self) -> None:
        """Give back connections. The provider may be used again; it opens new ones."""
