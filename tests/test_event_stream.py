"""Server-sent events as they are written, read back by the reader that providers use."""

from __future__ import annotations

import pytest

from ai_tools.event_stream import DONE, EventWriter, event_text
from ai_tools.providers import sse


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_each_line_of_text_becomes_a_line_of_data(end):
    """Whatever ends the lines, none of them can begin another field."""
    assert event_text(f"a{end}id: 5", event="e", id="7") == "event: e\nid: 7\ndata: a\ndata: id: 5\n\n"


def test_an_empty_text_is_an_event_too():
    """A reader gets an event with empty data."""
    assert event_text("") == "data: \n\n"


@pytest.mark.parametrize("field", ["event", "id"])
@pytest.mark.parametrize("value", ["a\nb", "a\rb", "a\0b"])
def test_a_field_is_one_line(field, value):
    """What would begin another field is refused."""
    with pytest.raises(ValueError, match=f"the {field} of an event is one line"):
        event_text("x", **{field: value})


def test_what_is_written_reads_back():
    """Objects arrive as they were sent, comments not at all; each event is flushed."""
    written, flushed = [], []
    writer = EventWriter(written.append, lambda: flushed.append(len(written)))
    writer.send({"token": "é\n\u2028"})
    writer.comment("ping\npong")
    writer.send([1])  # no object: for readers of text
    writer.done()
    assert flushed == [1, 2, 3, 4]
    assert written[1:] == [": ping\n: pong\n\n", "data: [1]\n\n", f"data: {DONE}\n\n"]
    read = list(sse.events(text.encode() for text in (*written[:2], written[3])))
    assert read == [{"token": "é\n\u2028"}, sse.DONE]
