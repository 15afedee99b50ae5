"""The functions that almost every program uses."""

from __future__ import annotations

import io
import sys

import pytest

from gene.data.atoms import NOT_FOUND, VOID, Char, Symbol
from gene.data.forms import Gene
from gene.runtime.classes import GeneClass, Instance
from gene.runtime.exceptions import ArgumentException, AssertionException, GeneException, TypeException
from gene.runtime.hashed import HashMap, HashSet
from gene.runtime.namespaces import Namespace
from gene.runtime.ranges import Range
from gene.stdlib.core import assert_, exit_, flush, length, print_, println, readline, typeof


class Counting(io.StringIO):
    """A stream that counts its write calls."""

    writes = 0

    def write(self, text):
        self.writes += 1
        return super().write(text)


def test_println_joins_with_blanks(capsys):
    """Values are shown in display form, joined with one blank, ended with a newline; the result is nil."""
    assert println("x", [1, "a b", None], 2.0, None, VOID, Char("q")) is None
    assert capsys.readouterr().out == "x [1 a b nil] 2.0 nil void q\n"


def test_println_without_values(capsys):
    """Without arguments it prints an empty line."""
    println()
    assert capsys.readouterr().out == "\n"


def test_print_adds_nothing(capsys):
    """``print`` does the same without the newline."""
    print_("a", "")
    print_("b")
    assert capsys.readouterr().out == "a b"


def test_printing_to_standard_error(capsys):
    """``^^stderr`` writes to standard error; false, nil and void mean standard output."""
    println("e", stderr=True)
    print_("f", stderr=1)
    println("o", stderr=False)
    println("p", stderr=None)
    println("q", stderr=VOID)
    captured = capsys.readouterr()
    assert captured.err == "e\nf"
    assert captured.out == "o\np\nq\n"


def test_output_goes_to_the_stream_of_the_moment(monkeypatch):
    """A host that replaces sys.stdout gets the output, in one write call a line."""
    stream = Counting()
    monkeypatch.setattr(sys, "stdout", stream)
    println("a", 1, [2])
    assert stream.getvalue() == "a 1 [2]\n"
    assert stream.writes == 1


def test_characters_that_the_stream_lacks(monkeypatch):
    """What the encoding of the stream cannot express becomes a question mark instead of an error."""
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, "ascii", write_through=True))
    println("é!", "\ud83d")
    assert raw.getvalue() == b"?! ?\n"


def test_flush(monkeypatch):
    """``flush`` hands buffered output on."""
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BufferedWriter(raw), "utf-8"))
    println("kept")
    assert raw.getvalue() == b""
    flush()
    assert raw.getvalue() == b"kept\n"


def test_readline(monkeypatch):
    """Lines come without their ends; after the last one comes nil."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("one\n\ntwo\r\nlast"))
    assert [readline() for _ in range(5)] == ["one", "", "two", "last", None]


@pytest.mark.parametrize("condition", [True, 0, "", [], {}, NOT_FOUND, 0.0])
def test_assert_accepts_what_is_truthy(condition):
    """Everything but false, nil and void passes."""
    assert assert_(condition) is None


@pytest.mark.parametrize("condition", [False, None, VOID])
def test_assert_raises(condition):
    """A failed assertion raises the documented message, or its own."""
    with pytest.raises(AssertionException, match=r"^Assertion failed$"):
        assert_(condition)
    with pytest.raises(AssertionException, match=r"^numbers differ$"):
        assert_(condition, "numbers differ")


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ("héllo", 5),
        ([1, 2], 2),
        ({"a": 1}, 1),
        (Gene(Symbol("f"), {"k": 1}, [1, 2, 3]), 3),
        (None, 0),
        (VOID, 0),
        (HashMap(1, 2, 3, 4), 2),
        (HashSet(1), 1),
    ],
)
def test_len(value, size):
    """Characters, elements, entries, children; nothing in nil."""
    assert length(value) == size


@pytest.mark.parametrize(
    ("value", "tag"), [(5, "VkInt"), (True, "VkBool"), (len, "VkFunction"), (Symbol("x"), "VkSymbol")]
)
def test_len_of_what_has_no_length(value, tag):
    """Other kinds are refused by name."""
    with pytest.raises(TypeException, match=rf"len is not supported for {tag}"):
        length(value)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "Nil"),
        (VOID, "VkVoid"),
        (True, "Bool"),
        (7, "Int"),
        (7.0, "Float"),
        ("x", "String"),
        (Char("x"), "VkChar"),
        (Symbol("x"), "Symbol"),
        ([], "Array"),
        ({}, "Map"),
        (Gene(), "Gene"),
        (Range(0, 1), "VkRange"),
        (println, "Function"),
        (len, "Function"),
        (Instance, "Class"),
        (Namespace("x"), "VkNamespace"),
        (GeneException("x"), "Exception"),
        (GeneClass("Box", (Instance,), {})(), "Box"),
    ],
)
def test_typeof(value, name):
    """``typeof`` gives the documented name as a String."""
    assert typeof(value) == name


def test_exit():
    """``exit`` raises SystemExit with the status, 0 by default; other kinds are refused."""
    for args, code in ([(), 0], [(3,), 3]):
        with pytest.raises(SystemExit) as caught:
            exit_(*args)
        assert caught.value.code == code
    for wrong in ("3", True, 1.5):
        with pytest.raises(ArgumentException, match=r"exit requires an integer exit code"):
            exit_(wrong)
