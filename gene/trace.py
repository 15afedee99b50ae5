"""Where an error comes from: the Gene calls that it passed through, and their places in the source."""

from __future__ import annotations

from gene.data.names import gene_name
from gene.data.source import Source, Span
from gene.runtime.failures import is_gene_frame, place_in
from gene.sources import offset, sources

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType, TracebackType

_FUNCTION = 0x01
"""The flag of code objects of functions. The code that only calls a module's top level is none."""


class Call:
    """A Gene function, or the top level of a module, at the place where an error left it.

    Attributes:
        name: The function's name; "" for an anonymous one and for the top level.
        kind: "function" or "top level".
        file: The file, or a name in angle brackets.
        line: The line, from 1.
        column: The column, in characters from 1.
        span: The place as a span of the source; None when the source is not there any more.
        frame: The Python frame.
    """

    __slots__ = ("_instruction", "_place", "frame")

    def __init__(self, frame: FrameType, instruction: int) -> None:
        self.frame = frame
        self._instruction = instruction
        self._place: tuple[int, int, Span | None] | None = None

    @property
    def kind(self) -> str:
        """Whether this is a function or the top level of a module."""
        return "top level" if self.frame.f_code.co_name == "<module>" else "function"

    @property
    def name(self) -> str:
        """The function's name in Gene."""
        return function_name(self.frame.f_code.co_name)

    @property
    def file(self) -> str:
        """The file that the function was read from."""
        return self.frame.f_code.co_filename

    @property
    def line(self) -> int:
        """The line of the call, or of whatever else failed."""
        return self._found()[0]

    @property
    def column(self) -> int:
        """The column, in characters."""
        return self._found()[1]

    @property
    def span(self) -> Span | None:
        """The place as a span."""
        return self._found()[2]

    def __repr__(self) -> str:
        return f"{self.name or self.kind} {self.file}:{self.line}:{self.column}"

    def _found(self) -> tuple[int, int, Span | None]:
        if self._place is None:
            self._place = _locate(self.frame, self._instruction)
        return self._place


def calls(error: BaseException) -> list[Call]:
    """The Gene calls that an error passed through, the innermost first.

    Args:
        error: What an interpreter raised, or any exception that passed through Gene functions.
    """
    found = [Call(each.tb_frame, each.tb_lasti) for each in tracebacks(error) if is_call(each.tb_frame)]
    found.reverse()
    return found


def tracebacks(error: BaseException) -> Iterator[TracebackType]:
    """The entries of an exception's traceback, the outermost first."""
    entry = error.__traceback__
    while entry is not None:
        yield entry
        entry = entry.tb_next


def innermost(error: BaseException) -> TracebackType | None:
    """The entry of the traceback where an exception was raised; None if it never was."""
    last = None
    for last in tracebacks(error):  # noqa: B007 - the last one is wanted
        pass
    return last


def function_name(python: str) -> str:
    """The Gene name of a function from the name of its code object; "" where it has none."""
    if python in ("<module>", "<lambda>"):
        return ""
    if not python.startswith("%"):
        return gene_name(python)
    name, colon, _number = python[1:].rpartition(":")
    return gene_name(name) if colon else ""


def is_call(frame: FrameType) -> bool:
    """Whether a frame runs a Gene function or the top level of a module, and not what makes an instance."""
    code = frame.f_code
    return is_gene_frame(frame) and bool(code.co_flags & _FUNCTION) and not code.co_name.startswith("%maker")


def _locate(frame: FrameType, instruction: int) -> tuple[int, int, Span | None]:
    """Line, column and span of an instruction; columns turned from bytes to characters."""
    place = place_in(frame.f_code, instruction)
    if place is None:
        return frame.f_code.co_firstlineno, 1, None
    _file, line, column, end_line, end_column = place
    spans = [
        _span(source, line, column, end_line, end_column) for source in sources(frame.f_code, frame.f_globals)
    ]
    texts = {span.source.line(line) for span in spans if span is not None}
    if len(texts) != 1:
        return line, column, None
    span = next(span for span in spans if span is not None)
    return line, span.column, span


def _span(source: Source, line: int, column: int, end_line: int, end_column: int) -> Span | None:
    """The span between two places that count columns in bytes; None if the source has no such lines."""
    if not source.line(line):
        return None
    start = offset(source, line, column)
    return Span(source, start, max(start, offset(source, end_line, end_column)))
