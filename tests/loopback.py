"""An HTTP server on the loopback interface that answers as scripted and records what it was asked.

Official clients talk to it as to their service, so tests exercise real sockets, headers, bodies and streams.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping


class Request:
    """One request as it arrived: method, path (with query), headers, and the body as JSON (None without one)."""

    def __init__(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> None:
        self.method = method
        self.path = path
        self.headers = {name.lower(): value for name, value in headers.items()}
        self.raw = body
        self.body: Any = json.loads(body) if body[:1] in (b"{", b"[") else None


class _Reply:
    def __init__(self, status: int, content_type: str, chunks: list[bytes], *, is_stream: bool) -> None:
        self.status = status
        self.content_type = content_type
        self.chunks = chunks
        self.is_stream = is_stream


class Loopback:
    """A scripted server; use it as a context manager. Replies are given in the order in which they were added.

    Attributes:
        requests: What was asked, in order.
        url: The server's base URL, without a slash at the end.
    """

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._replies: list[Callable[[Request], _Reply]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def reply(self, body: Any, *, status: int = 200) -> None:
        """Answer the next request with a JSON body."""
        self.reply_with(lambda _request: body, status=status)

    def reply_with(self, answer: Callable[[Request], Any], *, status: int = 200) -> None:
        """Answer the next request with the JSON body that a function makes of it (None: an empty body)."""

        def make(request: Request) -> _Reply:
            body = answer(request)
            content = b"" if body is None else json.dumps(body).encode()
            return _Reply(status, "application/json", [content], is_stream=False)

        self._replies.append(make)

    def reply_sse(self, events: Iterable[Any], *, named: bool = False, done: bool = False) -> None:
        """Answer the next request with server-sent events.

        Args:
            events: The data of the events, as JSON values.
            named: Whether each event has an ``event:`` line with its ``type``.
            done: Whether ``data: [DONE]`` ends the stream.
        """
        chunks = [
            (f"event: {event['type']}\n" if named else "").encode()
            + f"data: {json.dumps(event)}\n\n".encode()
            for event in events
        ]
        if done:
            chunks.append(b"data: [DONE]\n\n")
        self._replies.append(lambda _request: _Reply(200, "text/event-stream", chunks, is_stream=True))

    def reply_lines(self, values: Iterable[Any]) -> None:
        """Answer the next request with newline-delimited JSON."""
        chunks = [json.dumps(value).encode() + b"\n" for value in values]
        self._replies.append(lambda _request: _Reply(200, "application/x-ndjson", chunks, is_stream=True))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _next(self, request: Request) -> _Reply:
        self.requests.append(request)
        if self._replies:
            return self._replies.pop(0)(request)
        content = json.dumps({"error": {"message": f"unexpected request: {request.path}"}}).encode()
        return _Reply(500, "application/json", [content], is_stream=False)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        loopback = self

        class Handler(BaseHTTPRequestHandler):
            def _serve(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                self._answer(loopback._next(Request(self.command, self.path, self.headers, body)))

            do_GET = do_POST = do_PUT = do_DELETE = _serve

            def _answer(self, reply: _Reply) -> None:
                self.send_response(reply.status)
                self.send_header("content-type", reply.content_type)
                if not reply.is_stream:
                    self.send_header("content-length", str(sum(map(len, reply.chunks))))
                self.end_headers()
                for chunk in reply.chunks:
                    self.wfile.write(chunk)
                    self.wfile.flush()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
                """Keep the test output clean."""

        return Handler
