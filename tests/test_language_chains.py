"""Chains with ``;``, computed method names and ``call``."""

from __future__ import annotations

import pytest
from support import fails, value

from gene.runtime.text import inspect


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("(a b; c d; e)", "(((a b) c d) e)"),
        ("(a; b)", "((a) b)"),
        ("(a ^k 1; b ^j 2 c)", "((a ^k 1) ^j 2 b c)"),
        ("(a;)", "((a))"),
        ("(a (b; c); d)", "((a ((b) c)) d)"),
    ],
)
def test_chains_read_from_left_to_right(text, read):
    """What stands before ``;`` becomes the head of what follows."""
    assert inspect(value(f"`{text}")) == read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('(" a,b " .trim; .split ","; .join "-")', "a-b"),
        ("([1 2 3] .map (fn [x] (x * 2)); .filter (x -> (x > 2)); .size)", 2),
        ("([1 2 3] .size; + 1)", 4),
        ('(var s "ab") (s .to_upper; .reverse)', "BA"),
        ('("x" .append "y"; .append "z"; .length)', 3),
        ("(class P (method a [x] (/x = x) self) (method b [] /x)) ((new P) .a 5; .b)", 5),
        ("(var m {^f (fn [x] (fn [y] [x y]))}) (m/f 1; 2)", [1, 2]),
    ],
)
def test_chains_are_pipelines(text, expected):
    """Each method is called on the value so far."""
    assert value(text) == expected


def test_a_chain_stands_in_parentheses():
    """Elsewhere a semicolon is a mistake."""
    assert fails("1; 2") == "Unexpected ;"
    assert fails("[1; 2]") == "Unexpected ;"


# -- computed names --------------------------------------------------------------------------------------


def test_method_names_can_be_computed():
    """After a dot of its own stands an expression, a String or a Symbol."""
    assert value('(var m "to_upper") ("x" . m)') == "X"
    assert value('("x" . `to_upper)') == "X"
    assert value('("x" . ($ "app" "end") "y" "z")') == "xyz"
    assert value('(class C (method m [a ^k] [a k])) (var name "m") ((new C) . name 1 ^k 2)') == [1, 2]
    assert value('(class C (on_method_missing [name args...] [name args])) ((new C) . "zz" 1)') == ["zz", [1]]


def test_computed_names_must_be_names():
    """Anything else is refused, and so is a missing name."""
    assert fails('("x" . 5)') == "A method name must be a String or a Symbol, got VkInt"
    assert fails('("x" . nil)') == "A method name must be a String or a Symbol, got VkNil"
    assert fails('("x" .)') == "a method name is missing after the dot"
    assert fails('("x" . "nope")') == "Method nope not found on VkString"


# -- functions as objects --------------------------------------------------------------------------------


def test_functions_answer_to_call():
    """With all kinds of arguments."""
    assert value("(fn f [a b = 2 ^k = 1] [a b k]) [(f .call 1 ^k 5) ((fn [] 7) .call)]") == [[1, 2, 5], 7]
    assert value("(var f (fn [] 3)) f/.call") == 3


def test_functions_keep_what_is_said_of_them():
    """Properties before the parameter list are metadata; ``intent`` and ``examples`` have methods."""
    text = '(fn add ^intent "adds" ^examples [[1 2]] [a] a)'
    assert value(f"{text} [(add .intent) (add .examples)]") == ["adds", [[1, 2]]]
    assert value("(fn f [] 1) [(f .intent) f/.examples]") == [None, None]
