"""Operators at their edges: kinds, 64 bits, Floats, logic, chains."""

import math

import pytest
from support import fails, output, value, warnings

MAX, MIN = 2**63 - 1, -(2**63)
ROLES = {
    "literals": "({a} {op} {b})",
    "locals": "(fn f [] (var a {a}) (var b {b}) (a {op} b)) (f)",
    "parameters": "(fn f [a b] (a {op} b)) (f {a} {b})",
    "a literal on the right": "(fn f [a] (a {op} {b})) (f {a})",
    "a literal on the left": "(fn f [b] ({a} {op} b)) (f {b})",
    "globals": "(var a {a}) (var b {b}) (a {op} b)",
    "a loop variable": "(fn f [b] (for a in [{a}] (return (a {op} b)))) (f {b})",
    "an element": "(fn f [xs] (xs/0 {op} xs/1)) (f [{a} {b}])",
}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    ("a", "op", "b", "expected"),
    [
        (MAX, "+", 0, MAX),
        (MAX, "+", 1, "Integer overflow in addition"),
        (MIN, "+", -1, "Integer overflow in addition"),
        (MIN, "-", 1, "Integer overflow in subtraction"),
        (0, "-", MIN, "Integer overflow in subtraction"),
        (-1, "-", MIN, MAX),
        (MIN, "*", -1, "Integer overflow in multiplication"),
        (3037000500, "*", 3037000500, "Integer overflow in multiplication"),
        (3037000499, "*", 3037000499, 3037000499**2),
        (MIN, "*", 1, MIN),
        (MAX, "+", 1.0, float(2**63)),
        (6, "/", 2, 3.0),
        (1, "/", 0, math.inf),
        (-1, "/", 0, -math.inf),
        (7, "%", 3, 1),
        (-7, "%", 3, -1),
        (7, "%", -3, 1),
        (MIN, "%", -1, 0),
        (7, "%", 0, "Modulo by zero"),
        (-7.5, "%", 2, -1.5),
        (1, "<", 1.5, True),
        (MAX, "<", 9.3e18, True),
        ("true", "+", 1, "Cannot add values of type: VkBool"),
        (1, "+", "true", "Cannot add VkInt and VkBool"),
        ("nil", "<", 1, "Cannot compare VkNil < VkInt"),
        ("true", "<", 2, "Cannot compare VkBool < VkInt"),
        ('"a"', "<", '"b"', "Cannot compare VkString < VkString"),
        (1, "==", "true", False),
        ("true", "==", 1, False),
        (0, "==", "false", False),
        ("nil", "==", "false", False),
        ('"a"', "==", '"a"', True),
        ("[1 [2]]", "==", "[1 [2]]", True),
        ("[1]", "==", "[1.0]", False),
        ("[1]", "==", "[true]", False),
        ("{^a 1}", "!=", "{^a 1}", False),
        (1, "==", '"1"', False),
        (6, "&&", 3, 2),
        (5, "||", 8, 13),
        (0, "&&", 3, 0),
        (0, "||", 3, 3),
        (6, "&|&", 3, 5),
        ("true", "&&", 3, 3),
        ("nil", "||", 3, 3),
        ("false", "&|&", "true", True),
        ('""', "&&", 1, 1),
        (1, "<<", 62, 1 << 62),
        (1, "<<", 63, MIN),
        (MIN, ">>", 63, -1),
        ('"a"', "++", '"b"', "ab"),
        ('"a"', "++", 1, "++ expects String arguments"),
    ],
)
def test_operators_in_every_role(role, a, op, b, expected):
    """An operator gives the same whatever its operands are written as."""
    text = ROLES[role].format(a=a, op=op, b=b)
    if isinstance(expected, str) and expected != "ab":
        message = fails(text)
        named = role == "a literal on the right" and isinstance(b, int | float)
        assert message == (expected.replace("values", "variable") if named else expected)
        return
    made = value(text)
    assert made == expected
    assert type(made) is type(expected)


@pytest.mark.parametrize(
    "text", ["(1 == 1.0)", "(do (var x 1) (var y 1.0) (x == y))", "(do (var x 1) (1.0 == x))"]
)
def test_int_and_float_are_not_equal(text):
    """An Int equals no Float ..."""
    assert value(text) is False


def test_a_variable_and_a_literal_compare_as_numbers():
    """... but a variable compared with a literal does, and what is no number does not raise."""
    assert value('(fn f [x] (x == 1.0)) [(f 1) (f 1.0) (f true) (f nil) (f "1")]') == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert value("(fn f [x] (x == 1)) [(f 1.0) (f true) (f nil)]") == [True, False, False]
    assert value("(fn f [x] (x != 1.0)) (f 1)") is True


def test_floats_at_their_edges():
    """Infinities, NaN and negative zero behave as IEEE says."""
    inf, nan = "(1.0 / 0)", "(0.0 / 0)"
    assert value(f"[({nan} == {nan}) ({nan} < 1) ({inf} > {MAX}) (- {inf} {inf})]")[:3] == [
        False,
        False,
        True,
    ]
    assert math.isnan(value(f"({inf} - {inf})"))
    assert math.copysign(1, value("(- 0.0)")) == -1
    assert value("(1 / -0.0)") == -math.inf
    assert math.isnan(value("(0 / 0)"))
    assert math.isnan(value("(5.0 % 0)"))
    assert value("(5 % (1.0 / 0))") == 5.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(- -9223372036854775808)", "Integer overflow in negation"),
        ('(- "a")', "Cannot negate value of type: VkString"),
        (
            '(fn f [x] (x += 1)) (f "a")',
            "Cannot increment variable of type: VkString (only integers supported)",
        ),
        ("(fn f [x] (x += 1) x) (f 9223372036854775807)", "Integer overflow in addition"),
        ("(fn f [x] (x -= 1) x) (f -9223372036854775808)", "Integer overflow in subtraction"),
        ("(fn f [x y] (x *= y) x) (f 9223372036854775807 2)", "Integer overflow in multiplication"),
        ("(var x 9223372036854775807) (x += 1)", "Integer overflow in addition"),
        ("(var m {^a 9223372036854775807}) (m/a += 1)", "Integer overflow in addition"),
        ("(for i in (9223372036854775807 .. 9223372036854775807) (i + 1))", "Integer overflow in addition"),
        ("(println 1 + 2)", "+ is not defined"),
        ("(2 ** 3)", "** is not defined"),
        ("(1 +)", "Incomplete infix expression"),
        ("(1 + 2 3 4)", "Incomplete infix expression"),
        ("(not 1 2)", "not expects exactly 1 argument"),
        ("(< 1)", "< requires exactly 2 arguments"),
        ("(1 is 2)", "is requires a type value on the right side"),
        ("(1 is Nope)", "Nope is not defined"),
    ],
)
def test_operators_that_fail(text, message):
    """Messages of operators that cannot be evaluated."""
    assert fails(text) == message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(1 + 2 * 3 - 4)", 3),
        ("(2 * 3 + 4 * 5)", 26),
        ("(1 + 2 == 3 && 2 > 1)", True),
        ("(1 << 2 + 1)", 8),
        ("(nil || false && 1)", False),
        ("(8 - 3 - 2)", 3),
        ("(+)", 0),
        ("(*)", 1),
        ("(+ 1 2 3)", 6),
        ("(- 5)", -5),
        ("(- 10 1 2)", 7),
        ("(/ 2)", 0.5),
        ("(&& 1.5 2.5 3.5)", 3.5),
        ("(|| nil false 3)", 3),
        ("(1 < 2 < 3)", True),
        ("(1 < 3 < 2)", False),
        ("(3 == 3 != 4)", True),
        ("(not 0)", -1),
        ("(not nil)", True),
        ("(! 5)", -6),
        ("(if not 0 1 else 2)", 1),
        ('($ 1 nil true "a" [1 "b"])', '1truea[1 "b"]'),
        ("(1 is Int)", True),
        ("(true is Int)", False),
        ('("a" is (Int | String))', True),
        ("(nil is Nil)", True),
        ('(1 is "Int")', True),
    ],
)
def test_precedence_prefix_forms_and_chains(text, expected):
    """Operators bind as the table says; prefix forms take any number; chains compare neighbours."""
    made = value(text)
    assert made == expected
    assert type(made) is type(expected)


def test_logic_evaluates_no_more_than_it_needs():
    """The right side of && and || is evaluated only if it decides; a middle operand of a chain once."""
    assert value("(var n nil) ((n != nil) && (n > 3))") is False
    assert value('(var n "x") (n || (throw "no"))') == "x"
    assert value("(var c 0) (fn t [] (c += 1) 5) (1 < (t) < 9) c") == 1


def test_what_is_false():
    """Only nil, void and false are."""
    assert (
        value('((["" 0 0.0 [] {} not_found nil void false] .map (fn [x] (if x 1 else 0))) .join "")')
        == "111111000"
    )


def test_a_number_as_default_warns():
    """Of two Ints ``||`` is bitwise; with 0 that makes no difference."""
    assert len(warnings("(var n 3) (println (n || 10))")) == 1
    assert warnings("(var n 3) (println (n || 0) (n || 1.5))") == []
    assert output("(var n 3) (println (n || 10) (n || 0) (nil || 0))") == "11 3 0\n"
