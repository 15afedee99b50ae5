"""What the providers that talk through an official SDK share: importing it, and its connections."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Any

from ai_tools.formats.plain import to_dict
from ai_tools.providers.http import CONNECT_TIMEOUT, keep_alive, shut

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ai_tools.providers.control import Control

_current = threading.local()


class MissingExtraError(ImportError):
    """A provider needs a package that is not installed. `extra` is the extra that brings it."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"The provider {extra!r} needs the package {package!r}: pip install 'gene-tools[{extra}]'",
            name=package,
        )
        self.extra = extra


def load(module: str, extra: str, package: str = "") -> Any:
    """Import an SDK's module.

    Args:
        module: The module's full name.
        extra: The extra of this package that installs the SDK.
        package: The SDK's package, where it is not the first part of `module`.

    Raises:
        MissingExtraError: It is not installed.
    """
    from importlib import import_module

    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = package or module.partition(".")[0]
        if not f"{package}.".startswith(f"{error.name}."):
            raise  # the SDK is there, but something that it needs itself is not
        raise MissingExtraError(package, extra) from error


def plain(value: Any) -> dict[str, Any]:
    """Return what an SDK's object holds, just as the service sent it.

    Raises:
        MessageFormatError: It is no object; SDKs hand on what they cannot make sense of.
    """
    if hasattr(value, "model_dump"):
        value = value.model_dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)
    return to_dict(value)


def http_client() -> Any:
    """Return the ``httpx2.Client`` for an SDK: one connection for each request, no redirects.

    The connection that a request runs over can be found only while it is made. Therefore none is kept for the
    next request; that one would often find it dead, after a tool has run for a while. Redirects would carry a
    key in a header to another host.
    """
    import httpx2

    return httpx2.Client(
        event_hooks={"request": [_watch]},
        limits=httpx2.Limits(max_keepalive_connections=0),
        timeout=httpx2.Timeout(None, connect=CONNECT_TIMEOUT),
        follow_redirects=False,
    )


@contextlib.contextmanager
def line(control: Control) -> Iterator[Line]:
    """Return a context in which this thread's requests end when `control` says so."""
    control.check()
    found = Line()
    with control.watching(found.abort):
        yield found


class Line:
    """The network connection of one request."""

    def __init__(self) -> None:
        self._wire: Any = None
        self._aborted = False

    @contextlib.contextmanager
    def opening(self) -> Iterator[None]:
        """Return a context for the SDK's call: connections made in this thread are this request's."""
        _current.line = self
        try:
            yield
        finally:
            _current.line = None

    def follow(self, response: Any) -> None:
        """Take the connection of a response, for clients that were not made by `http_client`."""
        if self._wire is None and (stream := response.extensions.get("network_stream")):
            self._take(stream)

    def trace(self, event: str, info: dict[str, Any]) -> None:
        """Take the connection when it is made; the ``trace`` extension of httpx."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._take(info["return_value"])

    def _take(self, stream: Any) -> None:
        self._wire = stream.get_extra_info("socket")
        keep_alive(self._wire)
        if self._aborted:
            self.abort()

    def abort(self) -> None:
        """Shut the connection down, now or as soon as it is there; whoever reads from it wakes up."""
        self._aborted = True
        if self._wire is not None:
            shut(self._wire)


def _watch(request: Any) -> None:
    if (found := getattr(_current, "line", None)) is not None:
        request.extensions["trace"] = found.trace
