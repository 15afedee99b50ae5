"""What Gene raises to Python: the base of every error."""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from gene.data.source import Span


class GeneError(Exception):
    """The base of everything that Gene raises to Python.

    Attributes:
        message: What went wrong, in one line.
        span: Where in the Gene source, or None when no place is known.
        hint: What would be right, or None.
    """

    message: str
    span: Span | None
    hint: str | None

    def __init__(self, message: str, span: Span | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.hint = hint

    def __str__(self) -> str:
        return self.message
