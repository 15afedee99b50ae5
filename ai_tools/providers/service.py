"""The base of all providers that talk to a service: one policy for retries, deadlines and errors."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

from ai_tools.providers import diagnosis
from ai_tools.providers.control import Control
from ai_tools.providers.errors import (
    BadRequestError,
    ProviderError,
    RequestCancelledError,
)
from ai_tools.providers.http import without_password
from ai_tools.providers.keys import Key
from ai_tools.providers.protocol import Provider
from ai_tools.providers.retry import RetryPolicy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ai_tools.cancellation import CancelToken
    from ai_tools.providers.assembly import Assembly
    from ai_tools.providers.protocol import Event, Reply, Request

DEFAULT_TIMEOUT = 600.0
"""Seconds that a request may take: models that reason are silent for minutes."""


class ModelService(Provider):
    """A model service on the network.

    Subclasses write the request's body (`_body`), send it (`_send`, `_open`) and make the `Assembly` that
    reads what comes back.

    Args:
        model: The model to ask where a request names none.
        timeout: Seconds that a request may take, retries included, where it does not say.
        retry: When to try again; None for the default policy.

    Raises:
        ValueError: `timeout` is not positive.
    """

    is_idempotent = True
    """Whether a request that arrived twice does no more than one. If not, it is sent again only where the
    service cannot have begun to work on it."""

    def __init__(
        self, model: str | None = None, *, timeout: float = DEFAULT_TIMEOUT, retry: RetryPolicy | None = None
    ) -> None:
        if not timeout > 0:
            raise ValueError(f"timeout is a positive number of seconds, not {timeout!r}")
        self.model = model
        self.timeout = timeout
        self.retry = retry or RetryPolicy()
        self.base_url = ""
        self._key = Key("")

    def __repr__(self) -> str:
        place = f", base_url={without_password(self.base_url)!r}" if self.base_url else ""
        return f"{type(self).__name__}(model={self.model!r}{place})"

    # The subclass's part

    def _body(self, request: Request) -> dict[str, Any]:
        """Return the request's body."""
        raise NotImplementedError

    def _send(self, body: dict[str, Any], control: Control) -> dict[str, Any]:
        """Send the body and return the whole answer. May raise whatever its client raises."""
        raise NotImplementedError

    def _open(self, body: dict[str, Any], control: Control) -> Iterator[dict[str, Any]]:
        """Send the body and yield the pieces of the answer; closing the iterator closes the connection."""
        raise NotImplementedError

    def _assembly(self, request: Request) -> Assembly:
        """Return what gathers one answer."""
        raise NotImplementedError

    # What all share

    def complete(self, request: Request) -> Reply:
        """Ask and return the whole reply, not as a stream; see `Provider.complete`."""
        control = self._control(request.timeout, request.cancel)
        body = self._sendable(request)

        def attempt() -> Reply:
            with self._translating(control):
                return self._assembly(request).whole(self._send(body, control))

        return self.retry.run(attempt, control, is_idempotent=self.is_idempotent)

    def stream(self, request: Request) -> Iterator[Event]:
        """Ask and yield events as they come; see `Provider.stream`."""
        control = self._control(request.timeout, request.cancel)
        body = self._sendable(request)

        def attempt() -> tuple[Event, Iterator[Event]]:
            events = self._attempt(request, body, control)
            return next(events), events

        first, events = self.retry.run(attempt, control, is_idempotent=self.is_idempotent)
        with contextlib.closing(events):  # type: ignore[type-var]  # it is a generator
            yield first
            yield from events

    def _attempt(self, request: Request, body: dict[str, Any], control: Control) -> Iterator[Event]:
        assembly = self._assembly(request)
        try:
            with self._translating(control), contextlib.closing(self._open(body, control)) as pieces:  # type: ignore[type-var]
                for piece in pieces:
                    control.check()
                    yield from assembly.feed(piece)
                control.check()  # a connection that was shut down looks like one that has ended
        except ProviderError as error:
            if not assembly.has_ended or isinstance(error, RequestCancelledError):
                raise
        yield from assembly.finish()

    def _control(self, timeout: float | None = None, cancel: CancelToken | None = None) -> Control:
        return Control(self.name, self.timeout if timeout is None else timeout, cancel)

    def _sendable(self, request: Request) -> dict[str, Any]:
        try:
            body = self._body(request)
            try:
                json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
            except UnicodeEncodeError:  # lone surrogates, which SDKs cannot send and services refuse
                body = _without_surrogates(body)
        except (TypeError, ValueError, RecursionError) as error:
            if isinstance(error, BadRequestError):
                raise
            raise BadRequestError(f"The request cannot be written: {error}", provider=self.name) from error
        return body

    def _model(self, request: Request) -> str:
        model = request.settings.model or self.model
        if not model:
            raise BadRequestError(
                "No model is named: pass model to the provider, or settings.model in the request.",
                provider=self.name,
            )
        return model

    @contextlib.contextmanager
    def _translating(self, control: Control) -> Iterator[None]:
        """Return a context whose exceptions are `ProviderError`s, without the key in them."""
        try:
            yield
        except Exception as error:
            found = control.ended() or self._typed_error(error)
            found.provider = found.provider or self.name
            found.message = self._key.redact(found.message)
            found.args = (found.message,)
            if found is error:
                raise
            # The SDK's exception is the cause, unless it would show the key in a traceback.
            raise found from (error if self._key.redact(str(error)) == str(error) else None)

    def _typed_error(self, error: Exception) -> ProviderError:
        if isinstance(error, ProviderError):
            return error
        return diagnosis.from_exception(error, self.name)


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    return [_without_surrogates(item) for item in value] if isinstance(value, list) else value
