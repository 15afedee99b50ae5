"""``genex/http``, the server: requests are handled in the thread that started it, one after the other.

A thread takes in each request and waits for its answer. The program's handler is called when the program
waits, as in ``(run_forever)``, so it needs no locks. Other requests are handled meanwhile where it awaits
something, or returns a future.
"""

from __future__ import annotations

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from threading import Thread
from urllib.parse import parse_qsl, unquote, urlsplit

from gene.data.atoms import VOID
from gene.data.kinds import Kind
from gene.runtime.events import current, report
from gene.runtime.exceptions import ArgumentException, NetworkException, TimeoutException
from gene.runtime.futures import FAILURE, Future, await_futures, settle_with
from gene.stdlib.arguments import MISSING, callback, tag_of
from gene.stdlib.http import Response, check_headers, encode_body

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

PATIENCE: Final = 60.0
"""Seconds that a client waits for the program to answer before it is told to come back later."""

STALLED: Final = 30.0
"""Seconds that a client may keep silent in the middle of its request."""

LARGEST: Final = 10 << 20
"""Bytes of a request body that are accepted: requests come from anywhere, and each is held in memory."""

_OWN_HEADERS: Final = frozenset({"connection", "content-length", "date", "server", "transfer-encoding"})
"""Headers that the connection decides on, not the program."""


def start_server(port: Any = MISSING, handler: Any = MISSING, *, host: Any = "127.0.0.1") -> Server:
    """``(start_server port handler ^host h)``: answer HTTP requests.

    Args:
        port: The port; 0 for any that is free.
        handler: Called with each request, a Map of ``method``, ``path``, ``url`` (path and query as sent),
            ``params`` (of the query), ``headers`` (names in lower case) and ``body`` (Bytes where it is no
            text). What it returns is the answer: what :func:`respond` makes or takes as a body, a response of
            another server, or a future of these; nil stands for "404 Not Found".
        host: The address to listen at. Only this machine reaches the default; "0.0.0.0" is for everybody.

    Returns:
        The server. It goes on until it is stopped or the program ends, and does not keep it from ending.

    Raises:
        NetworkException: The port is taken or not allowed.
    """
    if type(port) is not int or not 0 <= port <= 65535:
        got = port if type(port) is int else tag_of(port)
        raise ArgumentException(f"start_server requires a port from 0 to 65535, got {got}")
    if type(host) is not str:
        raise ArgumentException(f"start_server requires a String as ^host, got {tag_of(host)}")
    return Server(host, port, callback(handler, "start_server"))


def respond(first: Any = MISSING, body: Any = None, headers: Any = None) -> Response:
    """``(respond body)``, ``(respond status)``, ``(respond status body headers?)``: an answer.

    Args:
        first: The status, an Int; or the body, and then the status is 200.
        body: A String, Bytes, or nil; anything else is sent as JSON.
        headers: A map of headers.
    """
    if type(first) is not int:
        return respond(200, None if first is MISSING else first)
    if not 200 <= first <= 599:
        raise ArgumentException(f"respond requires a status from 200 to 599, got {first}")
    content, content_type = encode_body(body)
    given = {name.lower(): value for name, value in check_headers(headers, "respond").items()}
    if content is not None:
        given.setdefault("content-type", content_type)
    return Response(first, given, content or b"", "utf-8")


class Server:
    """A server that listens.

    Attributes:
        port: Its port.
        url: Its address, without a slash at the end.
    """

    def __init__(self, host: str, port: int, handler: Callable[[Any], Any]) -> None:
        self._handler = handler
        self._events = current()
        self._open: set[Future] = set()
        try:
            self._listener = _Listener((host, port), _connection(self))
        except OSError as error:
            reason = error.strerror or error
            raise NetworkException(f"start_server failed to listen on {host}:{port}: {reason}") from None
        self.port: int = self._listener.server_address[1]
        self.url = f"http://{host}:{self.port}"
        self._thread = Thread(
            target=self._listener.serve_forever, args=(0.05,), name="gene http server", daemon=True
        )
        self._thread.start()
        self._events.program.closing.append(self.stop)

    def stop(self) -> None:
        """``(server .stop)``: take no more requests; stopping twice does no harm."""
        if self._thread.is_alive():
            self._listener.shutdown()
            self._thread.join()
            self._listener.server_close()
        for reply in list(self._open):
            reply.settle(FAILURE, error=TimeoutException("the server was stopped"))

    def answer(self, request: dict[str, Any]) -> Response:
        """The program's answer to a request; called in the thread of a connection."""
        reply = Future()
        self._open.add(reply)
        self._events.post(lambda: settle_with(reply, self._handler, request))
        try:
            value = await_futures(reply, timeout=PATIENCE)
            if type(value) is Future:
                value = await_futures(value, timeout=PATIENCE)
            return _answer(value)
        except TimeoutException:
            return respond(503, "Service Unavailable")
        except Exception as error:  # noqa: BLE001 - the client learns that it failed, the operator why
            report(error, "a request handler")
            return respond(500, "Internal Server Error")
        finally:
            self._open.discard(reply)

    def gene_members(self, name: str) -> Any:
        """``server/port`` and ``server/url``."""
        return {"port": self.port, "url": self.url}.get(name, VOID)

    def __repr__(self) -> str:
        return f"<Server {self.url}>"


SERVER: Final = Kind(
    "Server",
    "VkServer",
    Server,
    methods={"port": lambda server: server.port, "url": lambda server: server.url, "stop": Server.stop},
)


def _answer(value: Any) -> Response:
    if isinstance(value, Response):
        return value
    if value is None or value is VOID:
        return respond(404, "Not Found")
    return respond(value)


# -- connections -----------------------------------------------------------------------------------------


class _Listener(ThreadingHTTPServer):
    """Connections, each in a thread of its own."""

    def server_bind(self) -> None:
        """Bind without asking the network for this machine's name, which the base class does."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that go away are no errors of the program."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _RefusalError(Exception):
    """A request that the program does not get to see: a status and a reason."""


def _connection(server: Server) -> type[BaseHTTPRequestHandler]:
    """The class that handles the connections of a server."""

    class Connection(BaseHTTPRequestHandler):
        timeout = STALLED

        def serve(self) -> None:
            """Answer one request."""
            try:
                answer = server.answer(self._request())
            except _RefusalError as refused:
                answer = respond(*refused.args)
            self._send(answer)

        do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = serve  # noqa: N815 - http.server's names

        def _request(self) -> dict[str, Any]:
            parts = urlsplit(self.path)
            return {
                "method": self.command,
                "path": unquote(parts.path),
                "url": self.path,
                "params": dict(parse_qsl(parts.query, keep_blank_values=True)),
                "headers": {name.lower(): value for name, value in self.headers.items()},
                "body": self._body(),
            }

        def _body(self) -> str | bytes:
            if "transfer-encoding" in self.headers:
                raise _RefusalError(411, "Length Required")
            length = self.headers.get("content-length") or "0"
            if not (length.isascii() and length.isdigit()):
                raise _RefusalError(400, "Bad Request: Content-Length must be a number")
            if len(length) > 20 or int(length) > LARGEST:
                raise _RefusalError(413, f"Content Too Large: no more than {LARGEST} bytes")
            content = self.rfile.read(int(length))
            if len(content) < int(length):
                raise ConnectionError
            try:
                return content.decode()
            except UnicodeDecodeError:
                return content

        def _send(self, answer: Response) -> None:
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                if name not in _OWN_HEADERS:
                    self.send_header(name, value)
            if answer.status not in (204, 304):
                self.send_header("content-length", str(len(answer.content)))
            self.end_headers()
            if self.command != "HEAD" and answer.status not in (204, 304):
                self.wfile.write(answer.content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class's name
            """Programs log what they want to."""

    return Connection
