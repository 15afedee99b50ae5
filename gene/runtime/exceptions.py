"""The exceptions of Gene programs. They are Python exceptions and instances of Gene classes at once."""

from __future__ import annotations

from gene.data.atoms import VOID
from gene.errors import GeneError
from gene.runtime.classes import Instance

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any


class GeneException(Instance, GeneError):  # noqa: N818 - the class is called Exception in Gene
    """What a Gene program throws and catches; the class that Gene calls ``Exception``.

    Attributes:
        message: What went wrong.
        cause: The value that was thrown where that is no exception itself, else void.
        code: A code such as ``GENE.ASYNC.TIMEOUT``, else void.
        location: ``file:line:column`` of a ``throw``, else void.
    """

    gene_name = "Exception"
    span = None
    hint = None
    message: Any = VOID
    cause: Any = VOID
    code: Any = VOID
    location: Any = VOID

    def __init__(
        self, message: Any = VOID, *, code: Any = VOID, cause: Any = VOID, hint: str | None = None
    ) -> None:
        Exception.__init__(self, message)
        if message is not VOID:
            self.message = message
        if code is not VOID:
            self.code = code
        if cause is not VOID:
            self.cause = cause
        if hint is not None:
            self.hint = hint

    def __str__(self) -> str:
        """The message; the name of the class where there is none."""
        from gene.runtime.text import to_s

        return to_s(self.message) if has_message(self) else type(self).__gene__.name


def has_message(error: GeneException) -> bool:
    """Whether an exception says more than the name of its class."""
    return error.message is not VOID and error.message is not None


class RuntimeException(GeneException):
    """Arithmetic and other failures of running code."""


class TypeException(GeneException):
    """A value of the wrong kind."""


class ArgumentException(GeneException):
    """A wrong argument."""


class IOException(GeneException):
    """A failure of input or output."""

    gene_name = "IOError"


class ParseException(GeneException):
    """Text that cannot be read."""


class AssertionException(GeneException):
    """A failed assertion."""


class PermissionException(GeneException):
    """A capability that the embedding program did not grant."""


class ConcurrencyException(GeneException):
    """A failure of concurrent work."""


class TimeoutException(ConcurrencyException):
    """Something took too long."""


class CancellationException(ConcurrencyException):
    """Work that was called off."""


class ThreadException(ConcurrencyException):
    """A failure of a thread."""


class NetworkException(GeneException):
    """A failure of the network."""


class ProviderException(GeneException):
    """A failure of a model service."""


EXCEPTION_CLASSES = (
    GeneException,
    RuntimeException,
    TypeException,
    ArgumentException,
    IOException,
    ParseException,
    AssertionException,
    PermissionException,
    ConcurrencyException,
    TimeoutException,
    CancellationException,
    ThreadException,
    NetworkException,
    ProviderException,
)
