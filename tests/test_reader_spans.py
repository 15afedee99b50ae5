"""Where forms were read: every form knows its place, in characters, to the end."""

from __future__ import annotations

import pytest
from form_shapes import shape, sub_forms

from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import ArrayForm, Gene, HashMapForm, MapForm, Quote, Unquote, span_of
from gene.data.source import Source
from gene.reader import read_all, read_one

SPANNED = (Symbol, PathSymbol, Gene, ArrayForm, MapForm, HashMapForm, Quote, Unquote)

# A line break comes first, so that a span that is left at its default is wrong; what is not ASCII follows, so
# that offsets in bytes are wrong too.
LEADING = '\n# é 😀\n"ü" '


def texts_by_form(text):
    """The text that each form in a text was read from, the outer before the inner."""
    source = Source(LEADING + text, "spans.gene")
    found = [form for datum in read_all(source)[1:] for form in sub_forms(datum) if isinstance(form, SPANNED)]
    assert all(form.source is source for form in found)
    return sorted((form.start - len(LEADING), source.text[form.start : form.end]) for form in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", ["a"]),
        ("a/b/<c>", ["a/b/<c>"]),
        ("(a b/c)", ["(a b/c)", "a", "b/c"]),
        ("[a [b]]", ["[a [b]]", "a", "[b]", "b"]),
        ("#[a] #{^k b} #{{c 1}} #(d)", ["#[a]", "a", "#{^k b}", "b", "#{{c 1}}", "c", "#(d)", "d"]),
        ("{^k {^j a}}", ["{^k {^j a}}", "{^j a}", "a"]),
        ("{{a {^k 1}}}", ["{{a {^k 1}}}", "a", "{^k 1}"]),
        ("` a", ["` a", "a"]),
        ("%(a)", ["%(a)", "(a)", "a"]),
        ("%_a", ["%_a", "a"]),
        ("`1", ["`1"]),
        ("#@f (x)", ["#@f (x)", "f", "(x)", "x"]),
        ("#@ f #@g 'x'", ["#@ f #@g 'x'", "f", "#@g 'x'", "g"]),
        ("(a b; c d ; e)", ["(a b", "(a b; c d ", "(a b; c d ; e)", "a", "b", "c", "d", "e"]),
        ("(f ^^a ^... b ^...c d)", ["(f ^^a ^... b ^...c d)", "f", "b", "c", "d"]),
        ("[^a ^^b ^a^b/c ^...]", ["[^a ^^b ^a^b/c ^...]", "^a", "^^b", "^a^b/c", "^..."]),
        ("{^a^b^c x ^d 1}", ["{^a^b^c x ^d 1}", "^b^c x", "^c x", "x"]),
        ("{^a^b x ^a^c^d y}", ["{^a^b x ^a^c^d y}", "^b x ^a^c^d y", "x", "^d y", "y"]),
        ("{^a^^b^c}", ["{^a^^b^c}", "^^b^c", "^c"]),
        ('#"x #{ a } y"', ['#"', '#"x #{ a } y"', "a"]),
        ('#"é #(a b) #[c] #{^k d} #{{^k e}}"', ['#"', '#"é #(a b) #[c] #{^k d} #{{^k e}}"', "(a b)", "a", "b", "[c]", "c", "{^k d}", "d", "{^k e}", "e"]),
        ('#"""\n #{a/b}\n """', ['#"""', '#"""\n #{a/b}\n """', "a/b"]),
        ('#"#{#"#{a}"}"', ['#"', '#"#{#"#{a}"}"', '#"', '#"#{a}"', "a"]),
        ("a\\ b", ["a\\ b"]),
        ("()", ["()"]),
    ],
)  # fmt: skip
def test_places(text, expected):
    """Each form covers the text that it was read from, and nothing else."""
    assert sorted(found for _, found in texts_by_form(text)) == sorted(expected)


def test_lines_and_columns():
    """The span of a form gives file, line and column, and prints as them."""
    source = Source("\n  (a\r\n\t{^k\n b})", "dir/x.gene")
    form = read_one(source)
    places = [repr(span_of(inner)) for inner in sub_forms(form) if isinstance(inner, SPANNED)]
    assert sorted(places) == ["dir/x.gene:2:3", "dir/x.gene:2:4", "dir/x.gene:3:2", "dir/x.gene:4:2"]
    span = span_of(form)
    assert (span.file, span.line, span.column, span.start, span.end) == (
        "dir/x.gene",
        2,
        3,
        3,
        len(source.text),
    )


@pytest.mark.parametrize(
    "text",
    [
        '(a b ^c [1 {^d "x" ^e^f (g)}] h/i)',
        '#"a #{(b #"c #{d}")} #(e)"',
        "`(a %b %_c #@d e)",
        "#{{1 a}} #(b) #[c]",
        "[^a ^b/c]",
    ],
)
def test_text_of_a_form_reads_as_the_form(text):
    """The text of a form, read again, gives the same form; maps that ``^a^b`` made have no text of their own."""
    source = Source(LEADING + text)
    for datum in read_all(source)[1:]:
        for form in sub_forms(datum):
            found = source.text[form.start : form.end] if isinstance(form, SPANNED) else ""
            if found and form != Symbol("#Str") and not (isinstance(form, MapForm) and found[0] == "^"):
                assert shape(read_one(found)) == shape(form)


def test_byte_order_mark_counts():
    """Offsets count from the start of the text, a byte order mark included."""
    assert read_one("\ufeffa").start == 1


def test_literals_have_no_place():
    """Literals are plain data, for which no place is known."""
    assert [span_of(form) for form in read_all("1 nil \"a\" 'b'")] == [None] * 4
