"""What the compiler refuses, and what it warns of."""

from __future__ import annotations

from gene.errors import GeneError

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from gene.data.source import Span


class GeneCompileError(GeneError):
    """A program that reads well but cannot be compiled. Nothing of it has run."""


class CompileWarning:
    """Something that is legal and probably not meant.

    Attributes:
        message: What it is and what to write instead.
        span: Where it is.
    """

    __slots__ = ("message", "span")

    def __init__(self, message: str, span: Span | None) -> None:
        self.message = message
        self.span = span
