"""What goes wrong with conversations, agents and model services, as Gene's exceptions.

Each class of `ai_tools.providers.errors` has one of its name under ``ai/providers``, and all of them extend
``ProviderException``; those of agents and conversations are under ``ai/agent`` and ``ai/conversation``.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, cast

from ai_tools.agent import AgentBusyError
from ai_tools.agent_limits import LimitReachedError
from ai_tools.conversation import ContextLimitError, ConversationError
from ai_tools.errors import ToolError
from ai_tools.gene_bindings.errors import to_exception
from ai_tools.providers import errors
from ai_tools.providers.errors import ProviderError
from ai_tools.providers.scripted import ScriptEndedError
from gene.runtime.classes import GeneClass
from gene.runtime.exceptions import (
    ArgumentException,
    GeneException,
    IOException,
    ProviderException,
    RuntimeException,
)
from gene.runtime.exceptions import PermissionException as Denied
from gene.runtime.failures import gene_frames

if TYPE_CHECKING:
    from collections.abc import Callable


def _class(name: str, base: type) -> GeneClass:
    return GeneClass(name, (base,), {"gene_name": name})


def _provider_classes() -> dict[str, GeneClass]:
    """Return a class for each error of providers, a base before what extends it."""
    made: dict[str, Any] = {"ProviderError": ProviderException}
    for name, kind in (*vars(errors).items(), ("ScriptEndedError", ScriptEndedError)):
        if isinstance(kind, type) and issubclass(kind, ProviderError) and name not in made:
            made[name] = _class(name, made[kind.__mro__[1].__name__])
    return made


PROVIDER_CLASSES = _provider_classes()
"""The classes under ``ai/providers``, by name."""

AGENT_CLASSES = {
    "LimitReachedError": _class("LimitReachedError", RuntimeException),
    "AgentBusyError": _class("AgentBusyError", RuntimeException),
}
_CONVERSATION_ERROR = _class("ConversationError", ArgumentException)
CONVERSATION_CLASSES = {
    "ConversationError": _CONVERSATION_ERROR,
    "ContextLimitError": _class("ContextLimitError", _CONVERSATION_ERROR),
}
_CLASSES = {**PROVIDER_CLASSES, **AGENT_CLASSES, **CONVERSATION_CLASSES}
_KNOWN = (ProviderError, LimitReachedError, AgentBusyError, ConversationError, ContextLimitError)
_DETAILS = ("code", "provider", "status", "retry_after", "limit", "value", "answer", "needed")


def explained(error: Exception) -> GeneException:
    """Return the Gene exception for an error; the error is its cause in Python.

    A provider's has ``code``, ``provider``, ``status``, ``retry_after`` and ``retryable``, a reached limit
    ``limit``, ``value`` and ``answer``.
    """
    if isinstance(error, GeneException):
        return error
    if isinstance(error, ToolError):
        return to_exception(error)
    made = _made(error)
    for detail in _DETAILS if isinstance(error, _KNOWN) else ():
        if (value := getattr(error, detail, None)) not in (None, ""):
            setattr(made, detail, value)
    if isinstance(error, ProviderError):
        made.retryable = error.is_retryable  # type: ignore[attr-defined]  # a property of the exception in Gene
    made.__cause__ = error
    return made


def _made(error: Exception) -> GeneException:
    if isinstance(error, _KNOWN):
        name = next(base.__name__ for base in type(error).__mro__ if base.__name__ in _CLASSES)
        return cast("GeneException", _CLASSES[name](str(error)))
    if type(error).__name__ == "MissingExtraError":
        return ProviderException(str(error), code="missing_extra")
    if isinstance(error, PermissionError):
        return Denied(str(error))
    if isinstance(error, OSError):
        return IOException(str(error))
    return ArgumentException(str(error))


def explaining(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function that Gene calls raise Gene's exceptions in place of this package's errors."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except _EXPECTED as error:
            if not isinstance(error, _KNOWN) and gene_frames(error):
                raise  # of a callback: it is the program's own, and keeps its place there
            raise explained(error) from error

    return call


_EXPECTED = (*_KNOWN, ToolError, OSError, ImportError, LookupError, ValueError, TypeError)
