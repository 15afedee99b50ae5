"""A model that plays a script: for tests, demonstrations and measurements, without network or key.

A script is a list of turns; each request takes the next one. The provider is as strict as real services are:
a request in which a call is not answered exactly once is refused.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, TypeAlias

from ai_tools.cancellation import CancelToken
from ai_tools.formats.names import NameRule
from ai_tools.formats.streams import CallStream
from ai_tools.messages import check_answered
from ai_tools.providers.errors import (
    BadRequestError,
    ProviderError,
    RequestCancelledError,
    RequestTimeoutError,
)
from ai_tools.providers.protocol import (
    Done,
    Provider,
    ReasoningDelta,
    Reply,
    TextDelta,
    Usage,
    UsageEvent,
)
from ai_tools.types import Record, ToolCall

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping

    from ai_tools.providers.protocol import Event, Request

KEPT_REQUESTS = 100
"""Requests that a provider remembers for whoever wants to look at them."""

Line: TypeAlias = "Turn | str | ProviderError | Mapping[str, Any] | Iterable[Any] | Callable[[Request], Any]"
"""What stands for a turn in a script: see `ScriptedProvider`."""


class ScriptEndedError(ProviderError):
    """There are more requests than the script has turns."""

    code = "script_ended"


class Turn(Record):
    """One answer of a script.

    Attributes:
        text: The text.
        calls: The calls: each a `ToolCall`, or a mapping with `name`, `arguments` (an object, or text as a
            model would write it) and `id`.
        error: Raised after the text and calls have been streamed; right away where there are none.
        delay: Seconds before the answer begins.
        stop_reason: Why it ends; by default what fits.
        usage: The tokens to report.
        reasoning: The reasoning to show.
        chunk: Characters of each streamed piece; None for whole texts.
    """

    __slots__ = ("calls", "chunk", "delay", "error", "reasoning", "stop_reason", "text", "usage")

    def __init__(
        self,
        text: str = "",
        calls: Iterable[ToolCall | Mapping[str, Any]] = (),
        *,
        error: ProviderError | None = None,
        delay: float = 0.0,
        stop_reason: str | None = None,
        usage: Usage | None = None,
        reasoning: str = "",
        chunk: int | None = None,
    ) -> None:
        self.text = text
        self.calls = tuple(calls)
        self.error = error
        self.delay = delay
        self.stop_reason = stop_reason or ("tool_calls" if self.calls else "stop")
        self.usage = usage
        self.reasoning = reasoning
        self.chunk = chunk


class ScriptedProvider(Provider):
    """Plays turns in order; any number of threads may share it.

    Args:
        turns: The script; an iterable that need not end. A turn is a `Turn`, a text, an error to raise, a
            mapping of a turn's fields, a list of calls, or a function that makes one of these of the
            `Request`.

    Attributes:
        requests: The latest requests, oldest first.
    """

    name = "scripted"

    def __init__(self, turns: Iterable[Line]) -> None:
        self.requests: deque[Request] = deque(maxlen=KEPT_REQUESTS)
        self._turns = iter(turns)
        self._count = 0
        self._lock = threading.Lock()

    def stream(self, request: Request) -> Iterator[Event]:
        """Play the next turn.

        Raises:
            ScriptEndedError: There is none.
            BadRequestError: A call in the request is not answered exactly once.
            ProviderError: The turn's own error.
        """
        number, turn = self._next(request)
        if turn.delay:
            self._wait(request, _allowed(turn, request))
            _check_time(turn, request)
        yield from _play(turn, number, request)

    async def astream(self, request: Request) -> AsyncIterator[Event]:
        """Play the next turn asynchronously, without a thread."""
        number, turn = self._next(request)
        if turn.delay:
            await self._await(request, _allowed(turn, request))
            _check_time(turn, request)
        for event in _play(turn, number, request):
            yield event

    async def acomplete(self, request: Request) -> Reply:
        """Play the next turn and return the whole reply."""
        reply = Reply()
        async for event in self.astream(request):
            if isinstance(event, Done):
                reply = event.reply
        return reply

    def _next(self, request: Request) -> tuple[int, Turn]:
        try:
            check_answered(request.messages)
        except ValueError as error:
            raise BadRequestError(str(error), provider=self.name, status=400) from error
        with self._lock:
            self.requests.append(request)
            self._count += 1
            number = self._count
            line = next(self._turns, None)
        if line is None:
            message = f"request {number} came after the end of the script"
            raise ScriptEndedError(message, provider=self.name)
        return number, to_turn(line, request)

    def _wait(self, request: Request, seconds: float) -> None:
        woken, token = threading.Event(), request.cancel or CancelToken()
        with token.closing(woken.set):
            if woken.wait(seconds):
                raise RequestCancelledError("cancelled", provider=self.name)

    async def _await(self, request: Request, seconds: float) -> None:
        import asyncio

        woken, loop = asyncio.Event(), asyncio.get_running_loop()
        token = request.cancel or CancelToken()
        with token.closing(lambda: loop.call_soon_threadsafe(woken.set)):
            try:
                await asyncio.wait_for(woken.wait(), seconds)
            except TimeoutError:
                return
        raise RequestCancelledError("cancelled", provider=self.name)


def to_turn(line: Line, request: Request) -> Turn:
    """Return the turn that a line of a script stands for.

    Raises:
        TypeError: It is none.
    """
    if callable(line):
        return to_turn(line(request), request)
    if isinstance(line, Turn):
        return line
    if isinstance(line, str):
        return Turn(line)
    if isinstance(line, ProviderError):
        return Turn(error=line)
    if isinstance(line, dict):
        return Turn(**line)
    if isinstance(line, (list, tuple)):
        return Turn(calls=line)
    raise TypeError(f"a turn is a text, calls, an error, a mapping or a Turn, not {type(line).__name__}")


def _allowed(turn: Turn, request: Request) -> float:
    return turn.delay if request.timeout is None else min(turn.delay, request.timeout)


def _check_time(turn: Turn, request: Request) -> None:
    if request.timeout is not None and turn.delay >= request.timeout:
        raise RequestTimeoutError(f"no answer within {request.timeout:g} s", provider=ScriptedProvider.name)


def _play(turn: Turn, number: int, request: Request) -> Iterator[Event]:
    """Yield the events of a turn."""
    for piece in _pieces(turn.reasoning, turn.chunk):
        yield ReasoningDelta(piece)
    for piece in _pieces(turn.text, turn.chunk):
        yield TextDelta(piece)
    stream = _Calls(request.tools)
    for position, call in enumerate(turn.calls):
        name, arguments, call_id = _wire(call)
        yield from stream.feed({"name": name, "id": call_id or f"call_{number}_{position + 1}"})
        for piece in _pieces(arguments, turn.chunk):
            yield from stream.feed({"arguments": piece})
    if turn.error is not None:
        raise turn.error
    yield from stream.feed({"stop": turn.stop_reason})
    if turn.usage is not None:
        yield UsageEvent(turn.usage)
    yield Done(
        Reply(
            turn.text,
            stream.calls,
            stop_reason=turn.stop_reason,
            usage=turn.usage,
            reasoning=turn.reasoning,
            provider=ScriptedProvider.name,
        )
    )


def _wire(call: ToolCall | Mapping[str, Any]) -> tuple[str, str, str | None]:
    """Return name, argument text and id of a call."""
    if isinstance(call, ToolCall):
        call = {"name": call.name, "arguments": call.raw_arguments or call.arguments, "id": call.id}
    arguments = call.get("arguments")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments or {}, ensure_ascii=False)
    return call["name"], text, call.get("id")


def _pieces(text: str, size: int | None) -> list[str]:
    step = size or len(text) or 1
    return [text[start : start + step] for start in range(0, len(text), step)]


class _Calls(CallStream):
    """The calls of a turn on their way through the same machinery as those of real services."""

    rule = NameRule()

    def _read(self, event: dict[str, Any]) -> None:
        if "stop" in event:
            self._end(event["stop"])
        elif "name" in event:
            self._start(len(self._open), event["id"], event["name"])
        else:
            assert self._current is not None
            self._append(self._current, event["arguments"])
