"""Block functions: ``(x -> body)``, ``([a b] -> body)`` and ``(-> body)``."""

from __future__ import annotations

import pytest
from support import fails, value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("((x -> (x + 1)) 2)", 3),
        ("((-> 5))", 5),
        ("(([a b] -> (a + b)) 1 2)", 3),
        ("(([] -> 5))", 5),
        ("((x ->) 1)", None),
        ("((->))", None),
        ("([1 2] .map (x -> (x * 2)))", [2, 4]),
        ("([3 1 2] .sort ([a b] -> (a - b)))", [1, 2, 3]),
        ("([1 2 3] .reduce 0 ([sum x] -> (sum + x)))", 6),
        ("({^a 1} .map ([k v] -> [k v]))", {"a": ["a", 1]}),
    ],
)
def test_blocks_are_functions(text, expected):
    """One name needs no brackets; several stand in an array."""
    assert value(text) == expected


def test_a_body_has_many_forms():
    """The value is that of the last."""
    assert value("(var seen []) (var f (x -> (seen .push x) (x + 1))) [(f 1) seen]") == [2, [1]]


def test_brackets_take_what_parameter_lists_take():
    """Defaults, rest, keywords and types."""
    assert value("(([a b = 2 rest... ^k = 3] -> [a b rest k]) 1)") == [1, 2, [], 3]
    assert value("(([a rest...] -> rest) 1 2 3)") == [2, 3]
    assert "expected Int, got String in x" in fails('(([x: Int] -> x) "s")')


def test_blocks_are_closures():
    """They share the variables around."""
    assert value("(var n 1) (var add (x -> (n += x))) (add 2) (add 3) n") == 6
    assert value("(fn adder [n] (x -> (x + n))) ((adder 2) 3)") == 5
    assert value("(((x -> (y -> (x * y))) 3) 4)") == 12


def test_return_leaves_the_block():
    """A block is a function of its own."""
    assert value("(fn f [] ([1 2] .map (x -> (return (x * 10)) 0))) (f)") == [10, 20]


def test_counts_are_checked():
    """As for any function."""
    assert fails("((x -> x))") == "Expected 1 arguments, got 0"
    assert value("((-> 5) 1 2)") == 5


def test_several_parameters_need_brackets():
    """Without them the arrow is out of place, and the form no call."""
    assert fails("(var f (a b -> (a + b)))") == "-> follows one parameter, or several in brackets"


def test_the_placeholder_ignores_the_argument():
    """Elsewhere a form whose head is ``_`` is data."""
    assert value("[((_ -> 1) 5) (([_] -> 2) 5)]") == [1, 2]
    assert str(value("(_ 1 (1 + 1))")) == "(_ 1 2)"
