"""The typed errors as Gene sees them: ``catch ai/tools/NotFoundError``, ``$ex/tool``, ``$ex/suggestion``."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, cast

from ai_tools.errors import ToolError
from gene.runtime.classes import GeneClass
from gene.runtime.exceptions import GeneException

if TYPE_CHECKING:
    from collections.abc import Callable


class ToolException(GeneException):
    """Anything wrong with a tool or a call; ``ai/tools/ToolError`` in Gene."""

    gene_name = "ToolError"


_NAMES = (
    "InvalidDefinitionError",
    "AlreadyExistsError",
    "NotFoundError",
    "NotAvailableError",
    "InvalidArgumentsError",
    "MessageFormatError",
    "UnknownProviderError",
)

CLASSES: dict[str, GeneClass] = {
    "ToolError": ToolException,
    **{name: GeneClass(name, (ToolException,), {"gene_name": name}) for name in _NAMES},
}
"""The classes by name. Each stands for the error of the same name in this package."""

_DETAILS = ("code", "tool", "field", "path", "suggestion", "known")


def to_exception(error: Exception) -> GeneException:
    """Return the Gene exception for one of this package's errors; the error is its cause in Python.

    Args:
        error: A `ToolError`, or an `UnknownProviderError` of the formats.
    """
    name = next((base.__name__ for base in type(error).__mro__ if base.__name__ in CLASSES), "ToolError")
    made = cast("GeneException", CLASSES[name](str(error)))
    for detail in _DETAILS:
        if value := getattr(error, detail, None):
            setattr(made, detail, list(value) if isinstance(value, tuple) else value)
    made.__cause__ = error
    return made


def translated(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function that Gene calls raise Gene's exceptions in place of this package's errors."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except ToolError as error:
            raise to_exception(error) from error
        except LookupError as error:
            if type(error).__name__ != "UnknownProviderError":
                raise
            raise to_exception(error) from error

    return call
