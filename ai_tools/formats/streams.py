"""Calls out of a streamed answer: pieces are gathered, nothing may run before the answer has ended well."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ai_tools.formats.calls import ERROR, PAUSE, UNKNOWN, CallReader
from ai_tools.formats.plain import to_event
from ai_tools.types import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ai_tools.formats.names import NameRule
    from ai_tools.types import ToolCall, ToolDefinition

STARTED, ARGUMENTS, FINISHED = "started", "arguments", "finished"


class OpenCall:
    """A call of which more may follow."""

    __slots__ = ("arguments", "call", "error", "id", "index", "metadata", "name", "pieces", "position")

    def __init__(self, position: int, index: object, call_id: object, name: str) -> None:
        self.position = position
        self.index = index
        self.id = call_id
        self.name = name
        self.pieces: list[str] = []
        self.arguments: Mapping[str, Any] | None = None  # where they come whole, as an object
        self.metadata: dict[str, Any] | None = None
        self.error: str | None = None
        self.call: ToolCall | None = None

    def text(self) -> str:
        """Return the argument text so far."""
        return "".join(self.pieces)

    def is_complete(self) -> bool:
        """Whether the arguments so far are a whole JSON value."""
        try:
            json.loads(self.text())
        except (ValueError, RecursionError):
            return self.arguments is not None
        return True


class CallEvent(Record):
    """Something that happened to one call of a stream.

    Attributes:
        kind: ``"started"``, ``"arguments"`` (a piece arrived) or ``"finished"`` (only now `call` may be run).
        position: The place of the call among the calls of this answer, from 0.
        name: The tool's registered name.
        delta: The piece of argument text that arrived; "" unless `kind` is ``"arguments"``.
        call: The finished call; None before.
    """

    __slots__ = ("_count", "_open", "call", "delta", "kind", "name", "position")

    def __init__(self, kind: str, source: OpenCall, name: str, delta: str = "") -> None:
        self.kind = kind
        self.position = source.position
        self.name = name
        self.delta = delta
        self.call = source.call
        self._open = source
        self._count = len(source.pieces)

    @property
    def arguments_text(self) -> str:
        """All argument text up to this event; for showing only, since it is usually no valid JSON yet."""
        return "".join(self._open.pieces[: self._count])


class CallStream:
    """Gathers the calls of one streamed answer. Each format's ``StreamParser`` is a subclass.

    Args:
        definitions: The tools that were offered, as for ``parse_calls``.

    Attributes:
        stop_reason: Why the answer ended (``"stop"``, ``"tool_calls"``, ``"length"``, ``"refusal"``,
            ``"pause"`` or ``"error"``); "" as long as it has not, or where the provider gave no reason.
    """

    rule: NameRule

    def __init__(
        self, definitions: Iterable[ToolDefinition] | Mapping[str, ToolDefinition] | None = None
    ) -> None:
        self.stop_reason = UNKNOWN
        self._reader = CallReader(self.rule, definitions)
        self._open: list[OpenCall] = []
        self._events: list[CallEvent] = []
        self._current: OpenCall | None = None

    @property
    def calls(self) -> list[ToolCall]:
        """The finished calls, in the order in which they began."""
        return [entry.call for entry in self._open if entry.call is not None]

    def feed(self, chunk: Any) -> list[CallEvent]:
        """Take one chunk and return what it brought.

        Args:
            chunk: A dict, an SDK's event object, JSON text, or a line of the raw stream. Chunks that carry no
                call (text, usage, keep-alives) are welcome and bring nothing.

        Raises:
            MessageFormatError: The chunk is not readable.
        """
        event = to_event(chunk)
        self._events = []
        if event is not None:
            self._read(event)
        return self._events

    def finish(self) -> list[ToolCall]:
        """End the stream and return all its calls.

        A stream that broke off without a reason is judged by its text: a call with incomplete arguments, or
        without any, carries an error.
        """
        self._events = []
        self._end(self.stop_reason, broke_off=self.stop_reason == UNKNOWN)
        return self.calls

    def _read(self, event: dict[str, Any]) -> None:
        """Take one event of the format; the subclass's part."""
        raise NotImplementedError

    def _start(self, index: object, call_id: object, name: object) -> OpenCall:
        entry = OpenCall(len(self._open), index, call_id, name if isinstance(name, str) else "")
        self._open.append(entry)
        self._current = entry
        self._emit(STARTED, entry)
        return entry

    def _append(self, entry: OpenCall, piece: object) -> None:
        self._current = entry
        if isinstance(piece, str) and piece:
            entry.pieces.append(piece)
            self._emit(ARGUMENTS, entry, piece)
        elif isinstance(piece, dict):
            entry.arguments = piece

    def _end(self, stop_reason: str, *, broke_off: bool = False) -> None:
        self.stop_reason = self._reader.stop_reason = stop_reason
        if stop_reason == PAUSE:  # the answer goes on; its calls are not for us yet
            return
        for entry in self._open:
            if entry.call is None:
                entry.call = self._close(entry, broke_off=broke_off)
                self._emit(FINISHED, entry)

    def _close(self, entry: OpenCall, *, broke_off: bool) -> ToolCall:
        arguments = entry.arguments if entry.arguments is not None and not entry.pieces else entry.text()
        error = entry.error
        if broke_off and not arguments and entry.arguments is None:
            error = "The answer broke off before the call's arguments. Make the call again."
        return self._reader.call(entry.id, entry.name, arguments, metadata=entry.metadata, error=error)

    def _fail(self) -> None:
        self._end(ERROR)

    def _emit(self, kind: str, entry: OpenCall, delta: str = "") -> None:
        name = self._reader.rule.restore(entry.name, self._reader.known)
        self._events.append(CallEvent(kind, entry, name, delta))
