"""Errors of syntax: what each says, where it points, and whether more text could make the text right."""

from __future__ import annotations

from pathlib import Path

import pytest

from gene.errors import GeneError, GeneSyntaxError
from gene.reader import read_all, read_one

CASES = [
    block.split("\n")
    for block in Path(__file__)
    .with_name("reader_errors.txt")
    .read_text(encoding="utf-8")
    .strip()
    .split("\n\n")
    if not block.startswith("==")
]
"""What follows ``>>> ``, or ``... `` when more text could make it right, is the text; then what is shown for it."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_rendering(case):
    """An error names file, line and column, shows the place, and says what would be right."""
    head, *lines = case
    text = head[4:].encode("ascii").decode("unicode_escape")
    with pytest.raises(GeneSyntaxError) as caught:
        read_all(f"\n{text}", "t.gene")
    assert caught.value.render().split("\n") == lines
    assert caught.value.incomplete is head.startswith("...")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(println (1 + 2)", "EOF while reading list ) t.gene 1"),
        ("(println\n (1 + 2)\n", "EOF while reading list ) t.gene 3"),
        ("(f\n ^a 1 2\n ^b 3)", "properties found in wrong place while reading list ) t.gene 3"),
        (" )", "Unmatched delimiter: ) at t.gene:1:2"),
        ('"', "read_string failure: ErrQuoteExpected"),
        ("{^k}", "Expect value for k"),
        ("{^k 1 ^k 2}", "Bad input at 6 (conflict with property shortcut found earlier.)"),
        ("9223372036854775808", "Parsed integer outside of valid range"),
        ("5px", "TODO: number with unit"),
        ("1/2", "TODO: ratio"),
        ("(5-3)", "Date literal requires 4-digit year, got: 5"),
    ],
)
def test_messages_of_the_language(text, message):
    """The messages that the language defines are used to the letter."""
    with pytest.raises(GeneSyntaxError) as caught:
        read_all(text, "t.gene")
    assert caught.value.message == str(caught.value) == message


@pytest.mark.parametrize("text", ["", " \n", "# nothing", "\ufeff"])
def test_read_one_of_nothing(text):
    """Reading the first datum of a text without data is an error."""
    with pytest.raises(GeneSyntaxError, match="there is no datum to read") as caught:
        read_one(text)
    assert caught.value.incomplete


def test_python_sees_a_syntax_error():
    """The error is one of Gene's and one of Python's, with all that Python shows of a SyntaxError."""
    with pytest.raises(SyntaxError) as caught:
        read_all("(a\n  [b c)\n", "dir/x.gene")
    error = caught.value
    assert isinstance(error, GeneError)
    assert (error.filename, error.lineno, error.offset) == ("dir/x.gene", 2, 7)
    assert (error.text, error.end_lineno, error.end_offset) == ("  [b c)", 2, 8)
    assert error.msg == error.message == "Unmatched delimiter: ) at dir/x.gene:2:7"
    assert error.hint == "close [ with ] first"
    assert [(text, repr(span)) for text, span in error.related] == [("[ opened here", "dir/x.gene:2:3")]
