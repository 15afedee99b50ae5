"""What can go wrong with a request to a model service, one class per way to fail.

A program needs two facts: may the same request be sent again (`is_retryable`), and when (`retry_after`).
"""

from __future__ import annotations


class ProviderError(Exception):
    """A request to a model service failed.

    Args:
        message: What went wrong, in the service's words where it gave any; never with a key in it.
        provider: The provider's name.
        status: The HTTP status, where there was one.
        retry_after: Seconds that the service asks to wait before the next try, where it said so.

    Attributes:
        code: A stable word for programs.
        is_retryable: Whether the same request may succeed later.
    """

    code = "provider_error"
    is_retryable = False

    def __init__(
        self,
        message: str,
        *,
        provider: str = "",
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.provider = provider
        self.status = status
        self.retry_after = retry_after

    def __str__(self) -> str:
        place = " ".join(str(part) for part in (self.provider, self.status) if part)
        return f"{place}: {self.message}" if place else self.message


class RateLimitedError(ProviderError):
    """Too many requests or tokens for now (429)."""

    code = "rate_limited"
    is_retryable = True


class QuotaExceededError(ProviderError):
    """The account has no credit left; waiting does not help."""

    code = "quota_exceeded"


class OverloadedError(ProviderError):
    """The service cannot take the request now, or failed on its side (5xx, Anthropic's 529)."""

    code = "overloaded"
    is_retryable = True


class ConnectionFailedError(ProviderError, ConnectionError):
    """The service could not be reached, or the connection broke."""

    code = "connection_failed"
    is_retryable = True


class RequestTimeoutError(ProviderError, TimeoutError):
    """The service took longer than the request allowed."""

    code = "timeout"
    is_retryable = True


class AuthenticationError(ProviderError, PermissionError):
    """The key is missing, wrong, or does not allow this (401, 403)."""

    code = "authentication"


class BadRequestError(ProviderError, ValueError):
    """The service refuses the request as it is (400, 404, 422)."""

    code = "bad_request"


class ContextTooLongError(BadRequestError):
    """The conversation does not fit into the model's context."""

    code = "context_too_long"


class RefusedError(ProviderError):
    """The service refuses to answer: a content filter or a policy. The same request will be refused again."""

    code = "refused"


class InvalidResponseError(ProviderError):
    """The service answered with something that is no answer of its protocol."""

    code = "invalid_response"
    is_retryable = True


class RequestCancelledError(ProviderError):
    """The request's `CancelToken` was cancelled."""

    code = "cancelled"
