"""Where a form comes from: source texts, and spans in them."""

from __future__ import annotations


class Source:
    """One source text and the name it goes by.

    Args:
        text: The whole text; None for that of the file ``name``, read when it is asked for.
        name: The file name, or a name in angle brackets such as ``<eval>``.
    """

    __slots__ = ("_starts", "_text", "name")

    def __init__(self, text: str | None, name: str = "<string>") -> None:
        self._text = text
        self.name = name
        self._starts: list[int] | None = None

    @property
    def text(self) -> str:
        """The whole text; empty if its file cannot be read any more."""
        if self._text is None:
            try:
                with open(self.name, encoding="utf-8") as file:
                    self._text = file.read()
            except (OSError, ValueError):
                self._text = ""
        return self._text

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character offset, both counted from 1."""
        from bisect import bisect_right  # a program that runs without errors never asks for a position

        starts = self._line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def span_at(self, line: int, column: int) -> Span:
        """The empty span at a line and a column, both from 1."""
        offset = self._line_starts()[line - 1] + column - 1
        return Span(self, offset, offset)

    def line(self, number: int) -> str:
        """The text of a line counted from 1, without its end; empty outside of the text."""
        starts = self._line_starts()
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r")

    def _line_starts(self) -> list[int]:
        starts = self._starts
        if starts is None:
            starts = [0]
            find = self.text.find
            at = find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = find("\n", at + 1)
            self._starts = starts
        return starts


class Span:
    """A stretch of a source text, from the offset ``start`` up to but without ``end``."""

    __slots__ = ("end", "source", "start")

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.start = start
        self.end = end

    @property
    def file(self) -> str:
        """The name of the source."""
        return self.source.name

    @property
    def line(self) -> int:
        """The line on which the span starts, from 1."""
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        """The column at which the span starts, in characters from 1."""
        return self.source.position(self.start)[1]

    def __repr__(self) -> str:
        line, column = self.source.position(self.start)
        return f"{self.source.name}:{line}:{column}"
