"""Plain HTTP with the standard library, for services whose SDK loses data (Ollama, Backboard).

One connection for each request: a connection that idled while a tool ran is often dead, and one that belongs
to a single request can be shut down from another thread at any moment.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ai_tools.providers import diagnosis
from ai_tools.providers.errors import InvalidResponseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from urllib.parse import SplitResult

    from ai_tools.providers.control import Control

CONNECT_TIMEOUT = 10.0
"""Seconds for making the connection: nobody answers later than that."""

MAX_BODY = 256 * 1024 * 1024
"""Bytes of an answer that is read whole."""

_MAX_ERROR_BODY = 65_536

_PROBE_INTERVAL = 60  # seconds, as the official SDKs have it


class HttpClient:
    """Sends JSON to one service.

    Args:
        base_url: Where the service is; paths are appended to it.
        headers: Sent with every request. They may hold a key, so this object prints without them.

    Raises:
        ValueError: `base_url` is no http or https address.
    """

    def __init__(self, base_url: str, headers: Mapping[str, str]) -> None:
        self._parts = urlsplit(checked(base_url))
        self._headers = {"content-type": "application/json", "accept": "*/*", **headers}

    @property
    def base_url(self) -> str:
        """The address without user and password."""
        return without_password(self._parts.geturl())

    def __repr__(self) -> str:
        return f"<HttpClient {self.base_url}>"

    def send(self, method: str, path: str, body: Any, control: Control) -> dict[str, Any]:
        """Send a request and return the JSON object that answers it; an empty one for an empty answer.

        Args:
            method: The HTTP method.
            path: Appended to the base URL; with its query.
            body: The request's JSON body; None for none.
            control: The request's deadline and cancellation.

        Raises:
            ProviderError: The service answered with an error status, or with something that is no object.
            OSError: The connection failed.
            http.client.HTTPException: It broke, or HTTP was not spoken.
        """
        with self.open(method, path, body, control) as answer:
            content = answer.read(MAX_BODY)
        control.check()
        return _object(content)

    @contextlib.contextmanager
    def open(self, method: str, path: str, body: Any, control: Control) -> Iterator[http.client.HTTPResponse]:
        """Send a request and return a context with its answer, ready to read; see `send`."""
        control.check()
        connection, target, headers = self._connection(path)
        try:
            connection.connect()
            wire = connection.sock  # http.client forgets it as soon as the headers are there
            keep_alive(wire)
            with control.watching(lambda: shut(wire)):
                wire.settimeout(control.remaining + 1.0)
                control.sent = True
                connection.request(method, target, _encoded(body), headers)
                answer = connection.getresponse()
                with answer:
                    if answer.status >= 300:
                        raise _refusal(answer)
                    yield answer
        finally:
            connection.close()

    def _connection(self, path: str) -> tuple[http.client.HTTPConnection, str, dict[str, str]]:
        """Return a connection, not yet made, what to ask it for, and the headers to send.

        Proxies are those of the environment.
        """
        from urllib.request import getproxies, proxy_bypass

        parts = self._parts
        secure = parts.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        host, target = parts.hostname or "", parts.path.rstrip("/") + path
        headers = {**self._headers, **_login(parts, "authorization")}
        proxy = None if proxy_bypass(parts.netloc) else getproxies().get(parts.scheme)
        if not proxy:
            return kind(host, parts.port, timeout=CONNECT_TIMEOUT), target, headers
        via = urlsplit(proxy if "//" in proxy else f"//{proxy}")
        connection = kind(via.hostname or "", via.port, timeout=CONNECT_TIMEOUT)
        if secure:
            connection.set_tunnel(host, parts.port, _login(via, "proxy-authorization"))
            return connection, target, headers
        whole = f"http://{parts.netloc.rpartition('@')[2]}{target}"
        return connection, whole, {**headers, **_login(via, "proxy-authorization")}


def chunks(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    """Yield an answer's bytes as they arrive."""
    while chunk := answer.read1(65_536):
        yield chunk


def checked(base_url: str) -> str:
    """Return a base URL without a slash at its end.

    Raises:
        ValueError: It is no http or https address.
    """
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(
            f"base_url must be an address such as https://example.org/v1, not {without_password(base_url)!r}"
        )
    return base_url.rstrip("/")


def without_password(url: str) -> str:
    """Return an address without user and password, for showing."""
    head, slashes, rest = url.partition("//")
    netloc, slash, path = rest.partition("/")
    return head + slashes + netloc.rpartition("@")[2] + slash + path


def _login(parts: SplitResult, header: str) -> dict[str, str]:
    """Return the header for the user and password of an address; nothing where it has none."""
    if parts.username is None:
        return {}
    from base64 import b64encode
    from urllib.parse import unquote

    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return {header: "Basic " + b64encode(pair.encode()).decode()}


def _encoded(body: Any) -> bytes | None:
    return None if body is None else json.dumps(body).encode()


def _object(content: bytes) -> dict[str, Any]:
    try:
        value = json.loads(content) if content else {}
    except (ValueError, RecursionError) as error:
        raise InvalidResponseError(f"The answer is not JSON: {error}.") from error
    if not isinstance(value, dict):
        raise InvalidResponseError(f"The answer is not a JSON object but {type(value).__name__}.")
    return value


def _refusal(answer: http.client.HTTPResponse) -> Exception:
    content = answer.read(_MAX_ERROR_BODY)
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        body = content.decode("utf-8", "replace")
    headers = {name.lower(): value for name, value in answer.getheaders()}
    return diagnosis.from_status(answer.status, body, headers)


def keep_alive(wire: socket.socket) -> None:
    """Probe a silent connection: a model may reason for longer than a router remembers who talks to whom."""
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name in ("TCP_KEEPIDLE", "TCP_KEEPINTVL"):  # not every system has both
        if (option := getattr(socket, name, None)) is not None:
            wire.setsockopt(socket.IPPROTO_TCP, option, _PROBE_INTERVAL)


def shut(wire: socket.socket) -> None:
    """End a connection that another thread may be reading from; that thread wakes up."""
    # Closing would not wake it. The plain socket's method, since TLS's own first tears down the state that
    # the reading thread is using.
    with contextlib.suppress(OSError):
        socket.socket.shutdown(wire, socket.SHUT_RDWR)
