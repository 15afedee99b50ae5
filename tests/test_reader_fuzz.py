"""Whatever the text: forms or a syntax error, and forms that read again from their own text."""

from __future__ import annotations

from form_shapes import shape, sub_forms
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import ArrayForm, Gene, HashMapForm, MapForm, Quote, Unquote
from gene.data.source import Source
from gene.errors import GeneSyntaxError
from gene.reader import read_all, read_one

SPANNED = (Symbol, PathSymbol, Gene, ArrayForm, MapForm, HashMapForm, Quote, Unquote)

PROGRAM = r"""
#! the pieces of the language
(fn $ns/f! [a ^b ^c^d ^... rest] #< block >#
  (var m {^x 1 ^y^z "s\n\u00e9" ^^t ^!n ^... a/b/<c/d>})
  #@memo (if (a % 2) `(q %a %_b) else #(frozen ^p 1 2))
  {{1 "one" two [#[3] #{^k 4} #{{5 6}}]}}
  #"text #{a} #(b + 1) #[c] #{{^k "#{d}"}} \" # #< c ># #{#"in #{x}"}"
  #\"\"\"
   triple "quotes" #{a}
  \"\"\"
  (s .trim; .split ","; .join '-') 0xFF -1.5e3 2024-02-03T09:30Z 09:30 0#dead #/a\/b+/i #/a/b/
)
""".replace('\\"\\"\\"', '"""')

# What the language gives a meaning to is what makes trouble, so most of the text is made of that.
PIECES = [
    *"()[]{}#\"'`%^;,\\/<>@!_.-+:0159aexnT \t\r\n\0é😀",
    "#{",
    "#(",
    "#@",
    "#<",
    ">#",
    "#/",
    '"""',
    '#"',
    '#"""',
    "{{",
    "}}",
]
PIECES += [
    "^a",
    "^^b",
    "^!c",
    "^a^b",
    "^...",
    "nil",
    "0x",
    "\\u",
    "\\ud83d",
    "2024-02-03",
    "T09:30",
    "a/b",
    "<a/b>",
    "#{^k 1}",
    "\ufeff",
]
TEXTS = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=40).map("".join))


@st.composite
def mutated_programs(draw):
    """A program in which some stretches are left out, doubled, or replaced."""
    text = PROGRAM
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        text = text[:start] + draw(st.sampled_from([*PIECES, "", text[start:end] * 2])) + text[end:]
    return text


def check(text):
    """A text gives forms that hold, or one error that can be shown."""
    source = Source(text, "fuzz.gene")
    error = outcome(source)
    if error is not None:
        check_error(error, text)
        return
    forms = [inner for datum in read_all(source) for inner in sub_forms(datum)]
    heads = {id(form.type) for form in forms if isinstance(form, Gene) and starts_alike(form, form.type)}
    for form in forms:
        if isinstance(form, SPANNED) and id(form) not in heads:
            check_place(form, source)


def outcome(source):
    """The error that reading a text raises, or None."""
    try:
        read_all(source)
    except GeneSyntaxError as error:
        return error
    return None


def starts_alike(gene, head):
    """Whether a ; made this head."""
    return isinstance(head, Gene) and head.start == gene.start


def check_error(error, text):
    """An error has a place in the text, and shows it."""
    span = error.span
    assert 0 <= span.start <= span.end <= len(text)
    assert error.message
    assert error.render().startswith(f"fuzz.gene:{error.lineno}:{error.offset}: ")
    error.render().encode()


def check_place(form, source):
    """A form reads again from its text, unless that is a part of other syntax."""
    text = source.text[form.start : form.end]
    assert form.source is source
    assert 0 <= form.start < form.end <= len(source.text)
    if form != Symbol("#Str") and not (isinstance(form, MapForm) and text[0] == "^"):
        # A # at the end would be a comment, and a byte order mark at the start is dropped.
        assert shape(read_one(f" {text})")) == shape(form)


@given(TEXTS)
@example("\ud800")
@example('"\ud800" (')
@example("[\ufeffa]")
@example("\x00")
@example("a\x00b")
@example("(a\r\n\r\n]")
@example("\ufeff)")
def test_any_text(text):
    """Reading any text raises nothing but syntax errors."""
    check(text)


@settings(max_examples=300)
@given(mutated_programs())
@example(PROGRAM)
def test_mutated_programs(text):
    """So does reading programs with mistakes."""
    check(text)


@given(TEXTS)
def test_strings_hold_any_text(text):
    """Any text can be written as a string: quotes and backslashes take a backslash."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    assert read_all(f'"{escaped}"') == [text]
    form = read_one(f'#"{escaped.replace("#", chr(92) + "#")}"')
    assert "".join(form.children) == text


@given(st.text(min_size=1, max_size=20))
def test_symbols_hold_any_name(name):
    """Any name can be written as a symbol: every character takes a backslash."""
    assert read_all("".join(f"\\{char}" for char in name)) == [Symbol(name)]


@given(st.integers(-(2**70), 2**70))
def test_integers(value):
    """Integers of 64 bits read as they print; others are refused."""
    if -(2**63) <= value < 2**63:
        assert read_all(str(value)) == [value]
    else:
        assert outcome(str(value)).message == "Parsed integer outside of valid range"


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats(value):
    """Floats read as they print."""
    assert repr(read_all(repr(value))) == repr([value])


@given(TEXTS, st.integers(1, 60))
@example("(a 'b')", 4)
@example("#/a b/", 4)
@example("'\\u00e9'", 5)
def test_incomplete_texts(text, length):
    """A text that begins a right one is never called wrong for good, unless it ends within a token."""
    if outcome(text) is None and any(char in " \t\r\n,()[]" for char in text[length - 1 : length + 1]):
        error = outcome(text[:length])
        assert error is None or error.incomplete
