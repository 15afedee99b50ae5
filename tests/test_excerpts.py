"""Errors as people see them: the source line, carets under the place, and nothing that upsets a terminal."""

from __future__ import annotations

import pytest

from gene.data.source import Source, Span
from gene.errors import GeneError, GeneSyntaxError
from gene.excerpts import WIDTH, excerpt, render


def excerpt_of(text, start, end):
    return excerpt(Span(Source(text), start, end))


@pytest.mark.parametrize(
    ("text", "start", "end", "lines"),
    [
        ("(a b)", 1, 2, ["  (a b)", "   ^"]),
        ("(a bc)", 3, 5, ["  (a bc)", "     ^^"]),
        ("a\n(b\nc)", 2, 6, ["  (b", "  ^^"]),
        ("\tx\ty", 3, 4, ["  \tx\ty", "  \t \t^"]),
        ("日本 x", 3, 4, ["  日本 x", "       ^"]),
        ("日本", 1, 2, ["  日本", "    ^^"]),
        ("e\u0301x", 2, 3, ["  e\u0301x", "   ^"]),
        ("🙂x", 1, 2, ["  🙂x", "    ^"]),
        ("ab", 2, 2, ["  ab", "    ^"]),
        ("ab\r\nc", 1, 2, ["  ab", "   ^"]),
        ("a\x1b[1m\x00b", 1, 2, ["  a\ufffd[1m\ufffdb", "   ^"]),
        ("\ud800b", 1, 2, ["  \ufffdb", "   ^"]),
        ("", 0, 0, []),
        ("a\n", 2, 2, ["  ", "  ^"]),
    ],
)
def test_excerpts(text, start, end, lines):
    """Carets stand under the marked characters, whatever their width; control characters are not passed on."""
    assert excerpt_of(text, start, end) == lines


@pytest.mark.parametrize("start", [0, 10, 60, 500, 940, 998])
def test_long_lines(start):
    """Of a long line the part around the place is shown."""
    text = "".join(chr(ord("a") + number % 26) for number in range(1000))
    line, carets = excerpt_of(text, start, start + 2)
    assert len(line) <= WIDTH + 4
    assert line[carets.index("^")] == text[start]
    assert line.startswith("  …") == (start > WIDTH // 2)
    assert line.endswith("…") == (start < 950)


def test_long_marks():
    """Carets end where the line does."""
    assert excerpt_of("x" * 5000, 100, 5000)[1].count("^") == WIDTH // 2


def test_render():
    """Place and message come first, then the excerpt, related places, and the hint."""
    source = Source("(a\n b]", "x.gene")
    text = render("wrong", Span(source, 5, 6), "do it right", (("opened here", Span(source, 0, 1)),))
    assert text == ("x.gene:2:3: wrong\n   b]\n    ^\nx.gene:1:1: opened here\n  (a\n  ^\nhint: do it right")


def test_errors_render_themselves():
    """Errors with and without a place, a hint, and related places can be shown."""
    assert GeneError("wrong").render() == "wrong"
    assert GeneError("wrong", None, "right").render() == "wrong\nhint: right"
    span = Span(Source("ab", "x.gene"), 1, 2)
    assert GeneError("wrong", span).render() == "x.gene:1:2: wrong\n  ab\n   ^"
    error = GeneSyntaxError("wrong", span, related=(("see", Span(span.source, 0, 1)),))
    assert error.render() == "x.gene:1:2: wrong\n  ab\n   ^\nx.gene:1:1: see\n  ab\n  ^"
