"""One answer, gathered from its pieces: text, reasoning, calls and usage become events and a `Reply`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from ai_tools.formats import catalog
from ai_tools.formats.calls import REFUSAL, UNKNOWN
from ai_tools.formats.chat_shape import effective_stop
from ai_tools.providers.errors import ConnectionFailedError, InvalidResponseError
from ai_tools.providers.protocol import Done, ReasoningDelta, Reply, TextDelta, Usage, UsageEvent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ai_tools.formats.streams import CallStream
    from ai_tools.providers.protocol import Event
    from ai_tools.types import ToolCall, ToolDefinition


class Assembly:
    """Gathers one answer. Each provider has a subclass that reads its pieces.

    Args:
        tools: The tools that were offered.

    Attributes:
        parser: Gathers the calls of a stream.
        refused: Whether a piece says that the model refuses.
        extras: What the provider wants back with this answer.
    """

    format: ClassVar[str]

    def __init__(self, tools: Sequence[ToolDefinition]) -> None:
        self._format = catalog.get_chat(self.format)
        self._tools = tools
        self.parser: CallStream = self._format.StreamParser(tools)
        self.refused = False
        self.extras: dict[str, Any] = {}
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._usage: Usage | None = None

    def read(self, piece: dict[str, Any]) -> Iterable[Event]:
        """Yield the text, reasoning and usage in a piece of a stream, or in a whole answer.

        Raises:
            ProviderError: The piece reports an error.
        """
        raise NotImplementedError

    def whole(self, answer: dict[str, Any]) -> Reply:
        """Return the reply that is a whole answer.

        Raises:
            InvalidResponseError: It holds nothing at all, not even a reason.
        """
        self._note(self.read(answer))
        calls = self._format.parse_calls(answer, self._tools)
        reply = self._reply(calls, self._format.stop_reason(answer), raw=answer)
        if not (reply.text or reply.calls or reply.stop_reason):
            raise InvalidResponseError("The answer is empty.", provider=self.format)
        return reply

    def feed(self, piece: dict[str, Any]) -> Iterator[Event]:
        """Take a piece of a stream and yield the events that it brings."""
        yield from self._note(self.read(piece))
        yield from self.parser.feed(piece)

    @property
    def has_ended(self) -> bool:
        """Whether the stream has said how the answer ended; nothing that matters comes after that."""
        return self.parser.stop_reason != UNKNOWN

    def finish(self) -> Iterator[Event]:
        """End the stream: yield `Done`.

        Raises:
            ConnectionFailedError: The stream has not said that the answer is at its end, so part of it may
                be missing.
        """
        if not self.has_ended:
            raise ConnectionFailedError("The answer broke off before its end.", provider=self.format)
        yield Done(self._reply(self.parser.calls, self.parser.stop_reason))

    def returned(self) -> dict[str, Any]:
        """Return what the provider wants back with this answer, once it is complete."""
        return self.extras

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._text)

    def _note(self, found: Iterable[Event]) -> list[Event]:
        events = list(found)
        for event in events:
            if isinstance(event, ReasoningDelta):
                self._reasoning.append(event.text)
            elif isinstance(event, TextDelta):
                self._text.append(event.text)
            elif isinstance(event, UsageEvent):
                self._usage = event.usage
        return events

    def _reply(self, calls: Sequence[ToolCall], stop_reason: str, raw: Any = None) -> Reply:
        reason = REFUSAL if self.refused else effective_stop(stop_reason, has_calls=bool(calls))
        return Reply(
            self.text,
            calls,
            stop_reason=reason,
            usage=self._usage,
            reasoning="".join(self._reasoning),
            extras=self.returned(),
            provider=self.format,
            raw=raw,
        )


def text(value: Any) -> Iterator[TextDelta]:
    """Yield the text in a field that holds a string, nothing, or a list of parts with text."""
    if isinstance(value, str):
        if value:
            yield TextDelta(value)
    elif isinstance(value, list):
        for part in value:
            if isinstance(part, dict) and isinstance(part.get("text"), str):
                yield TextDelta(part["text"])


def reasoning(value: Any) -> Iterator[ReasoningDelta]:
    """Yield the reasoning in a field that holds a string or nothing."""
    if isinstance(value, str) and value:
        yield ReasoningDelta(value)


def usage(given: Any, inputs: Iterable[str], outputs: Iterable[str], cached: Iterable[str] = ()) -> Usage:
    """Return the usage that is the sum of counts by their names; a dot leads into an object."""
    return Usage(_sum(given, inputs), _sum(given, outputs), _sum(given, cached))


def _sum(given: Any, names: Iterable[str]) -> int:
    total = 0
    for name in names:
        value = given
        for key in name.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        total += value if isinstance(value, int) else 0
    return total
