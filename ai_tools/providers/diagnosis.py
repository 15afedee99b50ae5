"""What a failure means: HTTP answers, error events and the exceptions of SDKs as typed errors."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from ai_tools.providers import errors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ai_tools.providers.errors import ProviderError

MAX_MESSAGE = 2000
"""Characters of a service's message that an error keeps; some answer with a whole web page."""

_WORDS: tuple[tuple[type[ProviderError], tuple[str, ...]], ...] = (
    (
        errors.QuotaExceededError,
        ("insufficient_quota", "quota_exceeded", "billing", "credit balance", "out of credits", "payment"),
    ),
    (
        errors.ContextTooLongError,
        (
            "context_length_exceeded",
            "maximum context length",
            "context window",
            "exceed_context_size",
            "prompt is too long",
            "input token count.*exceeds",
            "request_too_large",
        ),
    ),
    (
        errors.RefusedError,
        ("content_filter", "content management policy", "responsibleaipolicy", "safety_violation"),
    ),
    (
        errors.AuthenticationError,
        ("api[_ ]key[_ ](not valid|invalid)", "invalid_api_key", "authentication_error", "unauthenticated"),
    ),
)
"""What tells failures apart that services report under one status. Looked for in code, type and message."""

_TYPES: tuple[tuple[type[ProviderError], tuple[str, ...]], ...] = (
    (errors.RateLimitedError, ("rate_limit", "resource_exhausted", "too_many_requests")),
    (errors.AuthenticationError, ("permission",)),
    (errors.RequestTimeoutError, ("timeout", "deadline")),
    (errors.BadRequestError, ("invalid_request", "invalid_argument", "bad_request", "not_found")),
)
"""The types of error events within a stream, which have no status."""


def from_status(
    status: int, body: Any, headers: Mapping[str, str] | None = None, provider: str = ""
) -> ProviderError:
    """Return the error for an HTTP answer that is none.

    Args:
        status: The HTTP status.
        body: The body: JSON as dict or list, else text.
        headers: The headers, under lower-case names or in a mapping that ignores case.
        provider: The provider's name.
    """
    message, words = _message(body)
    kind = _by_words(words, _WORDS) if 400 <= status < 500 else None
    if 300 <= status < 400:
        target = (headers or {}).get("location") or "another address"
        message = f"The service redirects to {target}. If that is right, set base_url to it."
    return (kind or _by_status(status))(
        message or f"The service answered with HTTP status {status}.",
        provider=provider,
        status=status,
        retry_after=retry_after(headers or {}),
    )


def from_event(body: Any, provider: str = "") -> ProviderError:
    """Return the error for an error event within a stream; an unknown one counts as the service's failure."""
    message, words = _message(body)
    code = body.get("code") if isinstance(body, dict) else None
    if isinstance(body, dict) and isinstance(inner := body.get("error"), dict):
        code = inner.get("code", code)
    if isinstance(code, int) and 400 <= code < 600:
        return from_status(code, body, None, provider)
    kind = _by_words(words, (*_WORDS, *_TYPES)) or errors.OverloadedError
    return kind(message or "The service reported an error without saying which.", provider=provider)


def from_exception(error: Exception, provider: str) -> ProviderError:
    """Return the error for an exception of an SDK, of the HTTP client under it, or of reading its answer.

    Duck-typed: the SDKs share the names of their attributes and classes, and none is imported for this.
    """
    response = getattr(error, "response", None)
    body = getattr(error, "body", None) or getattr(error, "details", None) or str(error)
    status = getattr(error, "status_code", None) or getattr(error, "code", None)
    if isinstance(status, int) and status >= 300:
        return from_status(status, body, getattr(response, "headers", None), provider)
    names = {kind.__name__ for kind in type(error).__mro__}
    text = f"{str(error)[:MAX_MESSAGE] or type(error).__name__}"
    if names & {"APITimeoutError", "TimeoutException", "TimeoutError"}:
        return errors.RequestTimeoutError(f"The service did not answer in time: {text}", provider=provider)
    if names & {"APIConnectionError", "TransportError", "HTTPException", "OSError", "StreamError"}:
        reason = f" ({error.__cause__})" if error.__cause__ and str(error.__cause__) not in text else ""
        return errors.ConnectionFailedError(f"The connection failed: {text}{reason}", provider=provider)
    if names & {"APIError", "APIStatusError"} and "APIResponseValidationError" not in names:
        return from_event(body, provider)
    return errors.InvalidResponseError(f"The service's answer is not readable: {text}", provider=provider)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return how many seconds a service asks to wait, None where it does not say.

    Source: RFC 9110, section 10.2.3 (seconds or a date); ``retry-after-ms`` is OpenAI's.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name) or "") * unit
        except ValueError:
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    return _until(headers.get("retry-after"))


def _until(date: str | None) -> float | None:
    if not date:
        return None
    import time
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, parsedate_to_datetime(date).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def _by_status(status: int) -> type[ProviderError]:
    if status in (401, 403):
        return errors.AuthenticationError
    if status == 402:
        return errors.QuotaExceededError
    if status == 408:
        return errors.RequestTimeoutError
    if status == 413:
        return errors.ContextTooLongError
    if status == 429:
        return errors.RateLimitedError
    return errors.OverloadedError if status >= 500 else errors.BadRequestError


def _by_words(
    words: str, table: tuple[tuple[type[ProviderError], tuple[str, ...]], ...]
) -> type[ProviderError] | None:
    return next((kind for kind, signs in table if re.search("|".join(signs), words, re.IGNORECASE)), None)


def _message(body: Any) -> tuple[str, str]:
    """Return the service's message, and all words of its error to search in."""
    if isinstance(body, list):
        body = body[0] if len(body) == 1 else {"message": str(body)} if body else {}
    if not isinstance(body, dict):
        text = str(body or "").strip()[:MAX_MESSAGE]
        return text, text
    inner = body.get("error") or body.get("detail") or body
    if not isinstance(inner, dict):
        inner = {"message": inner}
    message = str(inner.get("message") or body.get("message") or "")[:MAX_MESSAGE]
    keys = ("code", "type", "status", "param", "details", "innererror")
    return message, " ".join([message, *(str(inner[key])[:MAX_MESSAGE] for key in keys if key in inner)])
