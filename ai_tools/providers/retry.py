"""When a failed request is sent again, and how long to wait before: one policy for all providers."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, TypeVar

from attrs import field, frozen

from ai_tools.providers.errors import ProviderError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ai_tools.providers.control import Control

    Outcome = TypeVar("Outcome")

REFUSED_STATUSES = (429, 503)
"""With these a service says that it has not begun to work on the request."""


@frozen(weakref_slot=False)
class RetryPolicy:
    """How often to try, and how long to wait: exponential backoff with full jitter.

    Source: https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/.

    Attributes:
        attempts: Tries altogether; 1 for no retries.
        base: Seconds of the first wait, at most; every further one may be twice as long.
        longest: Seconds that a wait never exceeds. A service that asks for more gets no retry: the caller
            sees the error, with `retry_after`, at once.
    """

    attempts: int = 4
    base: float = field(default=0.5, kw_only=True)
    longest: float = field(default=30.0, kw_only=True)

    def __attrs_post_init__(self) -> None:
        if self.attempts < 1 or self.base < 0 or self.longest < 0:
            raise ValueError("a retry policy has at least one attempt and no negative waits")

    def run(self, attempt: Callable[[], Outcome], control: Control, *, is_idempotent: bool = True) -> Outcome:
        """Call `attempt` until it succeeds, or fails for good.

        Args:
            attempt: Makes one attempt; its `ProviderError`s are looked at, others pass.
            control: The request's deadline and cancellation, which waits respect.
            is_idempotent: Whether sending the request twice does no more than sending it once. If not, it is
                repeated only where the service cannot have begun to work on it.

        Raises:
            ProviderError: The last attempt's error.
        """
        number = 1
        while True:
            control.sent = False
            try:
                return attempt()
            except ProviderError as error:
                wait = self.wait(error, number)
                repeatable = is_idempotent or error.status in REFUSED_STATUSES or not control.sent
                if wait is None or not repeatable or wait >= control.remaining:
                    raise
            control.pause(wait)
            number += 1

    def wait(self, error: ProviderError, number: int) -> float | None:
        """Return the seconds to wait after an attempt, None for no further attempt.

        Args:
            error: Why the attempt failed.
            number: Which attempt it was, from 1.
        """
        if number >= self.attempts or not error.is_retryable:
            return None
        if error.retry_after is not None:
            # The jitter spreads out clients that were all told the same moment.
            wait = error.retry_after + random.uniform(0, min(self.base, error.retry_after))  # noqa: S311 - no secret
            return wait if error.retry_after <= self.longest else None
        return random.uniform(0, min(self.longest, self.base * 2.0 ** min(number - 1, 60)))  # noqa: S311 - no secret
