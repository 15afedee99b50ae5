"""Scopes: what opens one, shadowing, and variables that are read before they have a value."""

import pytest
from support import fails, output, value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(var x 1) (if true (var x 2)) x", 1),
        ("(var x 1) (if nil 1 elif true (var x 2)) x", 1),
        ("(var x 1) (if nil 1 else (var x 2)) x", 1),
        ("(var x 1) (ifel true (var x 2)) x", 1),
        ("(var x 1) (if_not nil (var x 2)) x", 1),
        ("(var x 1) (for y in [1] (var x 2)) x", 1),
        ("(var x 1) (repeat 1 (var x 2)) x", 1),
        ("(var x 1) (case 1 when 1 (var x 2)) x", 1),
        ("(var x 1) (try (throw 1) catch * (var x 2)) x", 1),
        ("(var x 1) (try (throw 1) catch x 2) x", 1),
        ("(var x 1) (for x in [5] x) x", 1),
        ("(var x 1) (do (var x 2)) x", 2),
        ("(var x 1) (var i 0) (while (i < 1) (var x 2) (i += 1)) x", 2),
        ("(var x 1) (loop (var x 2) (break)) x", 2),
        ("(var x 1) (try (var x 2) catch * nil) x", 2),
        ("(var x 1) (var x 2) x", 2),
        ("(var x 1) (if true (x = 2)) x", 2),
        ("(var x 1) (if true (var x (x + 10)) x)", 11),
        ("(var x 1) (if true (var x 2) (if true (var x 3)) x)", 2),
        ("(var x 1) [(if true (var x 2) x) (if true (var x 3) x) x]", [2, 3, 1]),
        ("(var x 1) (var f (fn [] x)) (if true (var x 2) (f))", 1),
        ("(var x 1) (for x in [x] (var x (x + 1)) (x += 1)) x", 1),
    ],
)
@pytest.mark.parametrize("place", ["{}", "(fn go [] {}) (go)", "(class A (method go [] {})) ((new A) .go)"])
def test_what_opens_a_scope(place, text, expected):
    """Branches, iterations, arms and catch bodies open a scope; do, while, loop and try bodies do not."""
    assert value(place.format(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "(if nil 1 elif (do (var x 5) nil) 2) 9",
        "(nil && (do (var x 5) x)) x",
        "(1.5 || (do (var x 5) x)) x",
        "(try (throw 1) (var x 5) catch * nil) x",
        "(try (do (throw 1) (var x 5)) catch * x)",
        "(while false (var x 5)) x",
        "(loop (break) (var x 5)) x",
        "(case 1 when 1 2 when (do (var x 5) 3) 4) x",
        "(2 < 1 < (do (var x 5) x)) x",
        "(for y in [1] (if nil 1) (while false (var x 5)) (z = x)) z",
    ],
)
def test_variables_whose_declaration_was_skipped_are_nil(text):
    """A declaration that did not run leaves nil, and no error."""
    assert value(f"(fn go [] {text}) (go)") in (None, 9)
    *statements, last = text.rpartition(" ")
    assert output(f"{''.join(statements)} (println {last})" if last != "x)" else text) in ("nil\n", "9\n", "")


def test_each_turn_of_a_for_starts_anew():
    """A variable that a turn did not assign has not the value of the turn before."""
    assert value(
        '(fn f [xs] (var r []) (for x in xs (try (var n (x .to_i)) catch * nil) (r .push n)) r) (f ["1" "a" "3"])'
    ) == [1, None, 3]


def test_shadowing_of_globals_and_functions():
    """Locals and parameters hide names of the module and of the language."""
    assert value("(fn f [len] (len + 1)) [(f 1) (len [1 2])]") == [2, 2]
    assert value("(fn g [] 1) (fn f [] (var g (fn [] 2)) (g)) [(f) (g)]") == [2, 1]
    assert value("(fn f [f] f) (f 3)") == 3
    assert value("(var println 5) println") == 5
    assert value("(fn f [x] (fn g [x] (fn h [x] x) (h (x + 1))) (g (x + 1))) (f 1)") == 3


def test_assignments_reach_the_nearest_variable():
    """An inner function assigns the variable around it, not one of the module."""
    assert value("(var x 1) (fn f [] (var x 2) (fn g [] (x = 3)) (g) x) [(f) x]") == [3, 1]
    assert value("(var x 1) (fn f [] (fn g [] (x = 3)) (g) x) [(f) x]") == [3, 3]
    assert value("(fn f [x] (fn g [] (fn h [] (x = 3)) (h)) (g) x) (f 1)") == 3


def test_names_of_branches_stay_inside():
    """What a branch declares is unknown outside of it."""
    assert fails("(fn f [] (if true (var inside 1)) inside) (f)") == "inside is not defined"
    assert fails("(if true (var inside 1)) inside") == "inside is not defined"


def test_catch_names_and_patterns_bind_in_their_clause():
    """The name of a clause is a variable of its body."""
    assert value(
        '(fn f [] (try (throw "a") catch e (do (var m e/message) (fn [] [m e/message])))) ((f))'
    ) == ["a", "a"]
