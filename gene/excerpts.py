"""Errors for people: the line of the source that they speak of, with a caret under the place."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from gene.data.source import Span

WIDTH: Final = 100
"""How many characters of a long line are shown: what fits on most screens beside the indentation."""

_INDENT: Final = "  "


def render(
    message: str, span: Span | None, hint: str | None = None, related: tuple[tuple[str, Span], ...] = ()
) -> str:
    """An error in several lines.

    Args:
        message: What went wrong.
        span: Where, or None when no place is known.
        hint: What would be right, or None.
        related: Other places that matter, each with what is there.

    Returns:
        ``file:line:column: message``, the line with carets under the place, the related places, and the
        hint; without a final line break.
    """
    lines = [message] if span is None else [f"{span!r}: {message}", *excerpt(span)]
    for text, place in related:
        lines += [f"{place!r}: {text}", *excerpt(place)]
    if hint:
        lines.append(f"hint: {hint}")
    return "\n".join(lines)


def excerpt(span: Span) -> list[str]:
    """The first line of a span, and carets under its part of it; nothing when the source has no text."""
    line, start = span.source.line(span.line), span.column - 1
    if not line and not span.source.text:
        return []
    end = max(start + 1, min(len(line), start + span.end - span.start))
    before, marked, after = _cut(line, start, end)
    carets = "^" * max(1, sum(map(_columns, marked)))
    blanks = "".join("\t" if char == "\t" else " " * _columns(char) for char in before)
    return [_INDENT + "".join(map(_shown, before + marked + after)).rstrip(), _INDENT + blanks + carets]


def _cut(line: str, start: int, end: int) -> tuple[str, str, str]:
    """What is before, in and behind ``line[start:end]``; an ellipsis stands for what does not fit."""
    if len(line) <= WIDTH:
        return line[:start], line[start:end], line[end:]
    first = max(0, min(start - WIDTH // 2, len(line) - WIDTH))
    last = first + WIDTH
    before = ("…" if first else "") + line[first:start]
    after = line[end:last] + ("…" if last < len(line) else "")
    return before, line[start : min(end, last)], after


def _shown(char: str) -> str:
    """A character as it may go to a terminal: control characters and halves of surrogate pairs may not."""
    return char if char == "\t" or char.isprintable() else "\ufffd"


def _columns(char: str) -> int:
    """How many columns a terminal uses for a character."""
    if char.isascii():
        return 1
    import unicodedata

    if unicodedata.east_asian_width(char) in "WF":
        return 2
    return 0 if unicodedata.combining(char) or char in "\u200d\ufe0e\ufe0f" else 1
