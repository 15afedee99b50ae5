"""JSON objects out of a stream of bytes: server-sent events, or one object a line.

Source: https://html.spec.whatwg.org/multipage/server-sent-events.html. Lines are split as bytes: text that is
split the way of ``str.splitlines`` breaks where a string holds U+2028.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ai_tools.providers.errors import InvalidResponseError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_LINE = 64 * 1024 * 1024
"""Bytes of one line, beyond which a stream is taken for broken; images come as one line of a few MB."""

DONE: dict[str, Any] = {"type": "[DONE]"}
"""Stands for OpenAI's ``data: [DONE]``; compare by identity."""


def lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a stream without their ends, the unfinished last one included."""
    pieces: list[bytes] = []
    size = 0
    for chunk in chunks:
        *whole, rest = chunk.split(b"\n")
        for line in whole:
            yield b"".join((*pieces, line)).removesuffix(b"\r")
            pieces, size = [], 0
        pieces.append(rest)
        size += len(rest)
        if size > MAX_LINE:
            raise InvalidResponseError(f"A line of the answer is longer than {MAX_LINE:,} bytes.")
    if last := b"".join(pieces).removesuffix(b"\r"):
        yield last


def events(chunks: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the objects of server-sent events; `DONE` for OpenAI's end mark.

    Servers that leave out the blank lines between events, or answer with bare JSON, are understood as well.

    Raises:
        InvalidResponseError: An event is not JSON, or no object.
    """
    data: list[bytes] = []
    for line in lines(chunks):
        piece = _data(line)
        if piece:
            data.append(piece)
        elif line or not data:  # a comment, another field, or nothing to end
            continue
        if data == [b"[DONE]"]:
            yield DONE
        elif (found := _parsed(b"\n".join(data))) is not None:
            yield found
        elif piece:  # more lines of data may follow
            continue
        else:
            raise _unreadable(b"\n".join(data))
        data = []
    if data:
        raise _unreadable(b"\n".join(data))


def objects(chunks: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Yield the objects of newline-delimited JSON.

    Raises:
        InvalidResponseError: A line is not JSON, or no object.
    """
    for line in lines(chunks):
        if line.strip():
            found = _parsed(line)
            if found is None:
                raise _unreadable(line)
            yield found


def _data(line: bytes) -> bytes:
    if line.startswith(b"data:"):
        return line[5:].strip()
    return line.strip() if line[:1] in (b"{", b"}", b" ", b"\t") else b""


def _parsed(data: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _unreadable(data: bytes) -> InvalidResponseError:
    text = data[:200].decode("utf-8", "replace")
    return InvalidResponseError(f"A piece of the answer is no JSON object, or only half of one: {text!r}.")
