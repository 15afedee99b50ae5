"""What Gene raises to Python: the base of every error, and errors of syntax."""

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

    def render(self) -> str:
        """The error as a person wants it: place and message, the source line with a caret, and the hint."""
        from gene.excerpts import render

        return render(str(self), self.span, self.hint)


class GeneSyntaxError(GeneError, SyntaxError):
    """Text that is not Gene.

    Attributes:
        incomplete: Whether more text could make it right, as after an opening bracket.
        related: Other places that matter, each with what is there.
    """

    def __init__(
        self,
        message: str,
        span: Span,
        hint: str | None = None,
        *,
        incomplete: bool = False,
        related: tuple[tuple[str, Span], ...] = (),
    ) -> None:
        super().__init__(message, span, hint)
        self.incomplete = incomplete
        self.related = related
        end_line, end_column = span.source.position(span.end)
        self.msg = message
        self.filename, self.lineno, self.offset = span.file, span.line, span.column
        self.text = span.source.line(span.line)
        self.end_lineno, self.end_offset = end_line, end_column
        self.args = (message, span, hint)

    def render(self) -> str:
        """The error as a person wants it; related places follow the first one."""
        from gene.excerpts import render

        return render(self.message, self.span, self.hint, self.related)


class LimitError(GeneError):
    """A program has spent what it was given; it cannot catch this.

    Attributes:
        limit: What it ran out of: "steps", "seconds" or "output".
        allowed: How much it was given.
        location: Where it was at the end, ``"file:line:column"``, or None when no place is known.
    """

    def __init__(self, limit: str, allowed: float) -> None:
        unit = "characters of output" if limit == "output" else limit
        super().__init__(f"the program was stopped: it may take {allowed:,} {unit}")
        self.limit = limit
        self.allowed = allowed
        self.location: str | None = None
