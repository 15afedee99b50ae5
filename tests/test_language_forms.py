"""How a form in parentheses is decided: the rules in their order, each before those after it."""

from __future__ import annotations

import pytest
from support import fails, value

from gene.runtime.text import inspect

DECLARED = '(var m {^a {^b [5 6]}}) (var k "a") (var xs [1 2 3]) (fn f [args...] args) (class C)'


def shown(text):
    """The value of a program as the REPL shows it."""
    return inspect(value(f"{DECLARED} {text}"))


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("(m ./ k ./ `b ./ 1)", "6"),
        ("(1 .. (1 + 2))", "1..3"),
        ("(5)", "5"),
        ("(-1.5)", "-1.5"),
        ("()", "nil"),
        ("(`div ^id (1 + 1) (2 * 3))", "(div ^id 2 6)"),
        ("#(f (1 + 1))", "#(VkFunction 2)"),
        ("(_ ^k (1 + 1) 2)", "(_ ^k 2 2)"),
        ("(1 + 2 * 3)", "7"),
        ("(k ++ k)", '"aa"'),
        ("(xs . `size)", "3"),
        ('(xs . "get" 0)', "1"),
        ("(xs .get 0)", "1"),
        ("(m .@a/b/0)", "5"),
        ("(- 5)", "-5"),
        ("(+ 1 2 3)", "6"),
        ("(var n 1) (n = 4)", "4"),
        ("(var n 1) (n += 4)", "5"),
        ("((Some 3) ?)", "3"),
        ("((x -> (x + 1)) 2)", "3"),
        ("(1 1)", "(1 1)"),
        ('("a" 1)', '("a" 1)'),
        ("(f 1 2)", "[1 2]"),
        ("((fn [x] x) 2)", "2"),
        ("(var t {^f f}) (t/f 1)", "[1]"),
        ("(var t {^f f}) (var n `f) (t/<n> 1)", "[1]"),
        ("(C)", "VkInstance"),
        ("(@a/b m)", "[5 6]"),
    ],
)
def test_each_rule(form, expected):
    """One form for each."""
    assert shown(form) == expected


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("(var if 5) [(if + 1) (if true 1)]", "(1 + 1) is no sum"),
        ("(var while 5) while", "5"),
        ("(fn g [do] do) (g 3)", "3"),
        ("(var t {^if {^for 2}}) t/if/for", "2"),
    ],
)
def test_special_words_are_names_elsewhere(form, expected):
    """A word is special as the head only."""
    if "no sum" in expected:
        assert fails(form) == "+ is not defined"
    else:
        assert shown(form) == expected


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("(var q `(f 1)) (`a == `b)", "== is not defined"),
        ("(`(f 1) .to_s)", ".to_s is not defined"),
        ("(1 .. 2 3)", "a range has two ends"),
        ("(1 ..)", "a range has two ends"),
        ("(1 +)", "Incomplete infix expression"),
        ("(1 + 2 3)", "Incomplete infix expression"),
        ("(xs .)", "a method name is missing after the dot"),
        ("(xs . (1 + 1))", "A method name must be a String or a Symbol, got VkInt"),
        ("(< 1 2 3)", "< requires exactly 2 arguments"),
        ("(var n 1) (n =)", "= needs a value"),
        ("(5 = 1)", "Only a name or a path can be assigned"),
        ("(2 ** 3)", "** is not defined"),
        ("(nil 1)", "IkUnifiedCall1 requires a callable, got VkNil"),
        ("(var n 5) (n)", "IkUnifiedCall0 requires a callable, got VkInt"),
        ("(m/zz 1)", "IkUnifiedCall1 requires a callable, got VkVoid"),
        ("(f (m/zz 1 2))", "IkUnifiedCall requires a callable, got VkVoid"),
    ],
)
def test_forms_that_mean_nothing(form, message):
    """Each says what is missing."""
    assert fails(f"{DECLARED} {form}") == message


def test_the_order_of_evaluation():
    """The head, then the keyword arguments, then the others from left to right."""
    text = """
        (var log [])
        (fn note [x] (log .push x) x)
        (fn target [] (log .push "head") (fn [a b ^k ^l] nil))
        ((target) (note 1) ^k (note "k") ^l (note "l") (note 2))
        log
    """
    assert value(text) == ["head", "k", "l", 1, 2]
    method = text.replace("((target) (note 1)", "((target) .call (note 1)")
    assert value(method) == ["head", "k", "l", 1, 2]
    assert value(method.replace(".call", '. (do (log .push "name") "call")')) == [
        "head",
        "k",
        "l",
        "name",
        1,
        2,
    ]
    assert value("(fn f [x] ((do (x = 2) (fn [^k] k)) ^k (x + 1))) (f nil)") == 3


def test_the_middle_of_a_chain_is_evaluated_once():
    """``(a < b <= c)`` asks for both pairs, the second only if the first holds."""
    assert value("(var n 0) (fn f [] (n += 1) 2) [(1 < (f) <= 2) n]") == [True, 1]
    assert value("(var n 0) (fn f [] (n += 1) 9) [(5 < 1 < (f)) n]") == [False, 0]


def test_shifts_count_within_64_bits():
    """Bits that leave an Int are gone, and the count is taken modulo 64."""
    assert value("[(1 << 4) (-16 >> 2) (1 << 63) (1 << 64) (3 << 65)]") == [16, -4, -(2**63), 1, 6]
