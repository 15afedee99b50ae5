"""``genex/http``, the client: requests that are made in the background and give futures of responses."""

from __future__ import annotations

from time import monotonic

from gene.data.atoms import VOID
from gene.data.kinds import Kind
from gene.runtime.exceptions import ArgumentException, NetworkException
from gene.runtime.futures import Future, background, seconds
from gene.runtime.text import to_s
from gene.stdlib.arguments import MISSING, tag_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from http.client import HTTPMessage, HTTPResponse
    from typing import Any, Final
    from urllib.request import OpenerDirector, Request

TIMEOUT: Final = 30.0
"""Seconds that a request may take where the program says nothing."""

LARGEST: Final = 100 << 20
"""Bytes of a response body that are accepted: more than any API answers, less than fills the memory."""

_CHUNK: Final = 1 << 16


class Response:
    """The answer to a request.

    Attributes:
        status: The status code, such as 200.
        headers: The headers, names in lower case; values of repeated ones are joined with commas.
        content: The body as bytes.
        charset: How its text is encoded.
    """

    __slots__ = ("_text", "charset", "content", "headers", "status")

    def __init__(self, status: int, headers: dict[str, str], content: bytes, charset: str) -> None:
        self.status = status
        self.headers = headers
        self.content = content
        self.charset = charset
        self._text: str | None = None

    @property
    def text(self) -> str:
        """The body as text; what is no text in its encoding becomes replacement characters."""
        if self._text is None:
            try:
                self._text = self.content.decode(self.charset, "replace")
            except LookupError:  # an encoding that nobody knows
                self._text = self.content.decode("utf-8", "replace")
        return self._text

    def json(self) -> Any:
        """``(resp .json)``: the value that the body is the JSON of.

        Raises:
            GeneException: It is no JSON.
        """
        from gene.stdlib.json import parse

        return parse(self.text)

    def gene_members(self, name: str) -> Any:
        """``resp/status``, ``resp/headers``, ``resp/body`` as a String and ``resp/bytes``."""
        read = _MEMBERS.get(name)
        return VOID if read is None else read(self)

    def __repr__(self) -> str:
        return f"<Response {self.status}>"


_MEMBERS: Final[dict[str, Any]] = {
    "status": lambda response: response.status,
    "headers": lambda response: response.headers,
    "body": lambda response: response.text,
    "bytes": lambda response: response.content,
}
RESPONSE: Final = Kind(
    "Response", "VkResponse", Response, methods={**_MEMBERS, "json": lambda response: response.json()}
)


def http_get(url: Any = MISSING, headers: Any = None, *, timeout: Any = TIMEOUT) -> Future:
    """``(http_get url headers? ^timeout n)``: fetch a URL.

    Args:
        url: An http or https URL.
        headers: A map of headers to send.
        timeout: How long to wait for a connection, for each part of the answer, and for its whole body: Int
            milliseconds, Float seconds.

    Returns:
        The future of a :class:`Response`, whatever its status; it fails with a NetworkException where there
        is none.
    """
    return _send("http_get", "GET", url, None, headers, timeout)


def http_post(url: Any = MISSING, body: Any = None, headers: Any = None, *, timeout: Any = TIMEOUT) -> Future:
    """``(http_post url body headers? ^timeout n)``: send a body to a URL; see :func:`http_get`.

    Args:
        url: An http or https URL.
        body: A String, Bytes, or nil; anything else is sent as JSON.
        headers: A map of headers to send.
        timeout: As for :func:`http_get`.
    """
    return _send("http_post", "POST", url, body, headers, timeout)


def http_request(
    method: Any = MISSING,
    url: Any = MISSING,
    body: Any = None,
    headers: Any = None,
    *,
    timeout: Any = TIMEOUT,
) -> Future:
    """``(http_request "PUT" url body? headers? ^timeout n)``: any other request; see :func:`http_post`."""
    if type(method) is not str or not (method.isascii() and method.isalpha()):
        raise ArgumentException('http_request requires a method such as "PUT"')
    return _send("http_request", method.upper(), url, body, headers, timeout)


def _send(name: str, method: str, url: Any, body: Any, headers: Any, timeout: Any) -> Future:
    from urllib.request import Request

    limit = seconds(timeout, f"{name} ^timeout")
    _check_url(url, name)
    content, content_type = encode_body(body)
    sent = {"User-Agent": "gene", **({"Content-Type": content_type} if content_type else {})}
    for key, value in check_headers(headers, name).items():
        sent[key.title()] = value
    if method in ("POST", "PUT", "PATCH") and content is None:
        content = b""  # or nothing says how long the body is
    request = Request(url, content, sent, method=method)  # noqa: S310 - _check_url refuses other schemes
    return background(_fetch, request, limit)


def _check_url(url: Any, name: str) -> None:
    """Only what speaks HTTP: a URL must not open files."""
    from urllib.parse import urlsplit

    if type(url) is not str:
        raise ArgumentException(f"{name} requires a URL as a String, got {tag_of(url)}")
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        known = False
    if not known or not url.isascii() or any(char <= " " or char == "\x7f" for char in url):
        raise ArgumentException(
            f"{name} requires an http or https URL, special characters escaped, got {url}"
        )


def encode_body(body: Any) -> tuple[bytes | None, str]:
    """The bytes of a body, and their content type.

    Args:
        body: A String, Bytes, nil or void for none; anything else becomes JSON.
    """
    if body is None or body is VOID:
        return None, ""
    if isinstance(body, str):
        return body.encode("utf-8", "replace"), "text/plain; charset=utf-8"
    if isinstance(body, bytes):
        return body, "application/octet-stream"
    from gene.stdlib.json import stringify

    return stringify(body).encode("utf-8", "replace"), "application/json"


def check_headers(headers: Any, name: str) -> dict[str, str]:
    """Headers as strings that cannot break out of their line.

    Raises:
        ArgumentException: They are no map of such strings.
    """
    if headers is None or headers is VOID:
        return {}
    if not isinstance(headers, dict):
        raise ArgumentException(f"{name} requires a Map of headers, got {tag_of(headers)}")
    made = {str(key): to_s(value) for key, value in headers.items()}
    for key, value in made.items():
        if not (key.isascii() and key.replace("-", "").replace("_", "").isalnum()):
            raise ArgumentException(f"{name}: {key!r} is no name of a header")
        if not value.isprintable() or not _is_latin(value):
            raise ArgumentException(f"{name}: the header {key} has characters that headers cannot carry")
    return made


def _is_latin(text: str) -> bool:
    return all(char <= "\xff" for char in text)


# -- in the background -----------------------------------------------------------------------------------


def _fetch(request: Request, limit: float) -> Response:
    """Make a request; an error status is a response like any other."""
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError

    deadline = monotonic() + limit
    late = f"no answer within {limit:g} seconds"
    try:
        try:
            answer: Any = _opener().open(request, timeout=max(limit, 0.001))
        except HTTPError as error:
            answer = error
        with answer:
            return _response(answer, deadline)
    except TimeoutError:
        reason = late
    except URLError as error:
        reason = late if isinstance(error.reason, TimeoutError) else _told(error.reason)
    except (HTTPException, OSError, ValueError) as error:
        reason = _told(error)
    raise NetworkException(f"{request.get_method()} {request.full_url} failed: {reason}")


def _told(problem: object) -> str:
    """What went wrong in words: an operating system's error without Python's number."""
    return getattr(problem, "strerror", None) or str(problem) or type(problem).__name__


def _opener() -> OpenerDirector:
    """What opens URLs: with redirects and the proxies of the environment, but nothing except HTTP."""
    from urllib import request

    class Redirects(request.HTTPRedirectHandler):
        """Redirects that do not carry credentials to another server, as browsers do it."""

        def redirect_request(self, req: Request, *args: Any) -> Request | None:
            made = super().redirect_request(req, *args)
            if made is not None and (made.type, made.host) != (req.type, req.host):
                for name in ("Authorization", "Cookie"):
                    made.remove_header(name)
            return made

    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler,
        request.HTTPHandler,
        request.HTTPSHandler,
        Redirects,
        request.HTTPDefaultErrorHandler,
        request.HTTPErrorProcessor,
        request.UnknownHandler,
    ):
        opener.add_handler(handler())
    return opener


def _response(answer: HTTPResponse, deadline: float) -> Response:
    headers: HTTPMessage = answer.headers
    names = {name.lower() for name in headers}
    joined = {name: ", ".join(headers.get_all(name, [])) for name in sorted(names)}
    charset = headers.get_content_charset() or "utf-8"
    return Response(answer.status, joined, _read(answer, deadline), charset)


def _read(answer: HTTPResponse, deadline: float) -> bytes:
    """The body, unless it is too large or comes too slowly."""
    chunks = []
    size = 0
    while chunk := answer.read1(_CHUNK):
        chunks.append(chunk)
        size += len(chunk)
        if size > LARGEST:
            raise ValueError(f"the response is larger than {LARGEST >> 20} MB")
        if monotonic() > deadline:
            raise TimeoutError
    expected = answer.length
    if expected:
        raise ValueError(f"the connection was closed {expected} bytes before the end of the response")
    return b"".join(chunks)
