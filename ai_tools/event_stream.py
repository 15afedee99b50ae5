"""Server-sent events to whoever reads them, such as a browser: the other direction of `providers.sse`.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

MEDIA_TYPE = "text/event-stream"
DONE = "[DONE]"
"""What ends a stream where the reader expects it, as OpenAI's readers do."""


def event_text(data: str, *, event: str = "", id: str = "") -> str:  # noqa: A002 - the field's name
    """Return one event as it is sent.

    Args:
        data: The text; each of its lines becomes a ``data`` line, which readers join again.
        event: The event's type; "" for ``message``.
        id: What the reader sends back as ``Last-Event-ID`` when it connects again.

    Raises:
        ValueError: The type or the id has a line's end (or the id a NUL), which would begin another field.
    """
    fields = [(name, value) for name, value in (("event", event), ("id", id)) if value]
    for name, value in fields:
        if any(character in value for character in "\r\n\0"):
            raise ValueError(f"the {name} of an event is one line, not {value!r}")
    lines = data.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return (
        "".join(f"{name}: {value}\n" for name, value in (*fields, *(("data", line) for line in lines))) + "\n"
    )


class EventWriter:
    """Writes server-sent events.

    Args:
        write: Takes the text of an event.
        flush: Called after each event, so that it arrives at once.
        encode: Makes text of data that is none; JSON by default.
    """

    gene_kind = "ai_tools.gene_bindings.chat_kinds:EVENT_WRITER"

    def __init__(
        self,
        write: Callable[[str], Any],
        flush: Callable[[], Any] | None = None,
        encode: Callable[[Any], str] | None = None,
    ) -> None:
        self._write = write
        self._flush = flush
        self._encode = encode or _json

    def send(self, data: Any, *, event: str = "", id: str = "") -> None:  # noqa: A002 - the field's name
        """Send an event; a text as it is, anything else as JSON. See `event_text`."""
        text = data if isinstance(data, str) else self._encode(data)
        self._put(event_text(text, event=event, id=id))

    def comment(self, text: str = "") -> None:
        """Send a comment, which readers ignore; it keeps a connection open."""
        self._put("".join(f": {line}\n" for line in text.splitlines() or [""]) + "\n")

    def done(self) -> None:
        """Send ``data: [DONE]``."""
        self.send(DONE)

    def _put(self, text: str) -> None:
        self._write(text)
        if self._flush is not None:
            self._flush()


def _json(value: Any) -> str:
    from ai_tools.serialization import to_text

    return to_text(value)
