"""A server that breaks: each connection gets what a script says, byte by byte, and is cut where it says."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import Any, Self

CUT = object()
"""Ends a connection with a reset, as a crash does."""


def head(
    status: int = 200, *, kind: str = "text/event-stream", chunked: bool = True, **headers: Any
) -> bytes:
    """Return the head of an answer."""
    lines = [f"HTTP/1.1 {status} X", f"content-type: {kind}", "connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    lines += ["transfer-encoding: chunked"] if chunked else []
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def chunk(content: bytes) -> bytes:
    """Return content as one chunk of the chunked encoding."""
    return f"{len(content):x}\r\n".encode() + content + b"\r\n" if content else b""


END = b"0\r\n\r\n"


def answer(body: bytes, status: int = 200, kind: str = "application/json", **headers: Any) -> list[bytes]:
    """Return the script of a whole answer."""
    return [head(status, kind=kind, chunked=False, content_length=len(body), **headers) + body]


class FaultyServer:
    """Serves scripts, one for each connection in turn, the last one again and again; a context manager.

    A script is a list of bytes to send, numbers of seconds to wait, and `CUT`.

    Attributes:
        url: The base URL, without a slash at the end.
        connections: How many connections there have been.
        gone: Set as soon as a client has closed a connection while it was being served.
    """

    def __init__(self, *scripts: list[Any]) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self.load(*scripts)

    def load(self, *scripts: list[Any]) -> None:
        """Begin anew, with other scripts."""
        self._scripts = list(scripts)
        self.connections = 0
        self.gone = threading.Event()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(5)

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            script = self._scripts[min(self.connections, len(self._scripts) - 1)]
            self.connections += 1
            arguments = (connection, script, self.gone)
            threading.Thread(target=self._play, args=arguments, daemon=True).start()

    def _play(self, connection: socket.socket, script: list[Any], gone: threading.Event) -> None:
        with connection, contextlib.suppress(OSError):
            _read_request(connection)
            for step in script:
                if step is CUT:
                    linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                    return
                if isinstance(step, bytes):
                    connection.sendall(step)
                elif self._wait(connection, step, gone):
                    return

    def _wait(self, connection: socket.socket, seconds: float, gone: threading.Event) -> bool:
        """Wait; return whether there is nobody left to serve."""
        end = time.monotonic() + seconds
        connection.settimeout(0.01)
        while time.monotonic() < end and not self._stop.is_set():
            with contextlib.suppress(TimeoutError):
                if connection.recv(1) == b"":
                    gone.set()
                    return True
        connection.settimeout(None)
        return self._stop.is_set()


def _read_request(connection: socket.socket) -> None:
    content = b""
    while b"\r\n\r\n" not in content:
        content += connection.recv(65_536)
    top, _, body = content.partition(b"\r\n\r\n")
    length = next(
        (
            int(line.split(b":")[1])
            for line in top.lower().split(b"\r\n")
            if line.startswith(b"content-length")
        ),
        0,
    )
    while len(body) < length:
        body += connection.recv(65_536)
