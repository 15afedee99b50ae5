"""What ends a request from outside: its deadline, and the token of whoever cancels it."""

from __future__ import annotations

import contextlib
import threading
from time import monotonic
from typing import TYPE_CHECKING

from ai_tools.cancellation import CancelToken
from ai_tools.providers.errors import ProviderError, RequestCancelledError, RequestTimeoutError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Control:
    """Watches over one request, its retries included.

    Args:
        provider: The provider's name, for errors.
        seconds: Seconds that the request may take.
        cancel: The caller's token; None where nobody will cancel.

    Attributes:
        sent: Whether an attempt's request may have reached the service.
    """

    def __init__(self, provider: str, seconds: float, cancel: CancelToken | None) -> None:
        self.provider = provider
        self.seconds = seconds
        self.sent = False
        self._cancel = cancel or CancelToken()
        self._deadline = monotonic() + seconds

    @property
    def remaining(self) -> float:
        """Seconds until the deadline; 0 after it."""
        return max(0.0, self._deadline - monotonic())

    def ended(self) -> ProviderError | None:
        """Return why the request is over; None as long as it may go on."""
        if self._cancel.is_cancelled:
            return RequestCancelledError("The request was cancelled.", provider=self.provider)
        if not self.remaining:
            message = f"The request took longer than the {self.seconds:g} s that it may take."
            return RequestTimeoutError(message, provider=self.provider)
        return None

    def check(self) -> None:
        """Raise if the request is over.

        Raises:
            RequestCancelledError: It was cancelled.
            RequestTimeoutError: Its time is up.
        """
        if (error := self.ended()) is not None:
            raise error

    @contextlib.contextmanager
    def watching(self, abort: Callable[[], object]) -> Iterator[None]:
        """Return a context in which cancellation or the deadline call `abort`, in another thread.

        Sockets' own timeouts do not do: they begin anew with every byte, so a slow drip would never end.
        """
        timer = threading.Timer(min(self.remaining, threading.TIMEOUT_MAX), abort)
        timer.daemon = True
        timer.start()
        try:
            with self._cancel.closing(abort):
                yield
        finally:
            timer.cancel()

    def pause(self, seconds: float) -> None:
        """Wait before the next attempt; cancellation ends the wait.

        Raises:
            RequestCancelledError: It was cancelled.
        """
        woken = threading.Event()
        with self._cancel.closing(woken.set):
            woken.wait(seconds)
        self.check()
