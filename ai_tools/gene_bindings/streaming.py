"""Server-sent events in Gene: ``(var sse (ai/streaming/sse_writer stdout))``, ``(sse .send "Hi")``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ai_tools.event_stream import EventWriter
from ai_tools.gene_bindings.chat_errors import explaining
from ai_tools.gene_bindings.words import given, word
from gene.runtime.classes import Instance
from gene.runtime.exceptions import ArgumentException
from gene.runtime.methods import send as send_message
from gene.stdlib.arguments import MISSING, tag_of
from gene.stdlib.streams import IOHandle

if TYPE_CHECKING:
    from collections.abc import Callable


@explaining
def sse_writer(stream: Any = MISSING) -> EventWriter:
    """``(ai/streaming/sse_writer stream)``: what writes ``data: …`` events, each at once.

    Args:
        stream: ``stdout`` or ``stderr``, a file of the host's (of text or of bytes), a function of the text,
            or an object with the method ``write`` (and ``flush``, if it has to be).

    Raises:
        ArgumentException: Nothing can be written to it.
    """
    if isinstance(stream, IOHandle):
        return EventWriter(stream.write, stream.flush)
    if isinstance(stream, Instance):
        return EventWriter(lambda text: send_message(stream, "write", text), _flush_of(stream))
    if callable(getattr(stream, "write", None)):
        return EventWriter(_writes(stream), getattr(stream, "flush", None))
    if callable(stream):
        return EventWriter(stream)
    raise ArgumentException(
        "ai/streaming/sse_writer requires a stream to write to, or a function of the text, "
        f"got {tag_of(stream)}"
    )


def _flush_of(stream: Instance) -> Callable[[], Any] | None:
    from gene.runtime.classes import find_method

    return (lambda: send_message(stream, "flush")) if find_method(type(stream), "flush") else None


def _writes(stream: Any) -> Callable[[str], Any]:
    import io

    if isinstance(stream, io.RawIOBase | io.BufferedIOBase) or "b" in str(getattr(stream, "mode", "")):
        return lambda text: stream.write(text.encode("utf-8", "replace"))
    write: Callable[[str], Any] = stream.write
    return write


def send(writer: EventWriter, value: Any = MISSING, event: Any = None, id: Any = None) -> EventWriter:  # noqa: A002 - the field's name
    """``(sse .send value ^event :token ^id "7")``: send a String as it is, anything else as JSON."""
    if value is MISSING:
        raise ArgumentException("EventWriter.send requires what to send")
    kind = word(event, "EventWriter.send: ^event must be a String") if given(event) else ""
    writer.send(value, event=kind, id=str(id) if given(id) else "")
    return writer


def comment(writer: EventWriter, text: Any = "") -> EventWriter:
    """``(sse .comment "…")``: send what readers ignore, to keep a connection open."""
    writer.comment(str(text))
    return writer


def done(writer: EventWriter) -> EventWriter:
    """``(sse .done)``: send ``data: [DONE]``, the end that many readers wait for."""
    writer.done()
    return writer


_METHODS: dict[str, Any] = {"send": send, "comment": comment, "done": done}
METHODS: Final = {name: explaining(method) for name, method in _METHODS.items()}
