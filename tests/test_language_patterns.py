"""``case``: values, variants and wildcards."""

from __future__ import annotations

import pytest
from support import fails, run, value, warnings

from gene.interpreter import Interpreter
from gene.stdlib.capabilities import ALL

SHAPE = "(enum Shape (Circle r) (Rect w h) Dot)"


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ('(case 2 when 1 "one" when 2 "two" else "many")', "two"),
        ('(case 3 when 1 "one" when 2 "two" else "many")', "many"),
        ("(case 9 when 1 2)", None),
        ('(case "x" when "y" 1 when "x" 2)', 2),
        ("(case nil when nil 1 else 2)", 1),
        ("(case true when 1 1 when true 2)", 2),
        ("(case `a when `b 1 when `a 2)", 2),
        ("(case 1.0 when 1 1 when 1.0 2)", 2),
        ("(case [1 2] when [1 2] 1)", 1),
        ("(case {^a 1} when {^a 1} 1)", 1),
        ("(case 2 when (1 + 1) 1)", 1),
        ("(var x 5) (case 5 when x 1 else 2)", 1),
        ("(var m {^k 5}) (case 5 when m/k 1 else 2)", 1),
        ('(case "s" when String 1 else 2)', 2),
        ("(case String when String 1 else 2)", 1),
        ("(case 1 when 1 2 3 4)", 4),
        ("(case 1 when 1 then 2 3)", 3),
        ("(case 1 when _ then 2)", 2),
        ("(var then 5) (case 1 when 1 then)", 5),
        ("(case 1 when 1)", None),
        ("(case 5 when 1 2 else)", None),
    ],
)
def test_values(case, expected):
    """Patterns are expressions, compared with ``==`` in order; the first match decides."""
    assert value(case) == expected


def test_the_value_is_evaluated_once_and_patterns_as_needed():
    """Those after the match are not looked at."""
    text = "(var n 0) (fn f [] (n += 1) n) (case (f) when 5 1 when 1 2 when (f) 3)"
    assert value(f"{text} n") == 1


def test_a_wildcard_matches_anything():
    """``_`` is like ``else``."""
    assert value('(case 5 when 1 "one" when _ "any")') == "any"
    assert value(f'{SHAPE} (case Shape/Dot when (Shape/Circle _) "c" when _ "other")') == "other"
    assert warnings(f"{SHAPE} (case Shape/Dot when Shape/Dot 1 when _ 2)") == []


def test_variants():
    """By name with names for the fields, or by name alone."""
    text = f"""{SHAPE}
        (fn f [s] (case s when (Shape/Circle r) ["circle" r] when (Shape/Rect _ h) ["rect" h] when Shape/Dot "dot"))"""
    assert value(f"{text} [(f (Shape/Circle 1)) (f (Shape/Rect 2 3)) (f Shape/Dot) (f 5) (f nil)]") == [
        ["circle", 1],
        ["rect", 3],
        "dot",
        None,
        None,
    ]
    assert value(f'{SHAPE} (case (Shape/Rect 1 2) when Shape/Circle "c" when Shape/Rect "r")') == "r"
    assert value("(enum e (low v) none) (case (e/low 3) when (e/low x) x)") == 3


def test_result_and_option_need_no_path():
    """``Ok Err Some None`` stand for themselves, with and without fields."""
    text = (
        '(fn f [r] (case r when (Ok v) v when (Err e) ["err" e] when (Some s) ["some" s] when None "none"))'
    )
    assert value(f"{text} [(f (Ok 1)) (f (Err 2)) (f (Some 3)) (f None)]") == [
        1,
        ["err", 2],
        ["some", 3],
        "none",
    ]
    assert value("(case (Ok 1) when Err 1 when Ok 2)") == 2


def test_fields_are_bound_in_the_arm():
    """They hide names around it, and are gone after it."""
    assert value(f"{SHAPE} (var r 9) [(case (Shape/Circle 1) when (Shape/Circle r) r) r]") == [1, 9]
    assert value(f"{SHAPE} (fn f [r] (case (Shape/Circle 1) when (Shape/Circle r) (r = 5)) r) (f 9)") == 9
    assert value(
        f"{SHAPE} (var fs []) (for i in [1 2] (case (Shape/Circle i) when (Shape/Circle r) (fs .push (fn [] r)))) (fs .map (x -> (x)))"
    ) == [1, 2]


@pytest.mark.parametrize(
    ("pattern", "matches", "names", "others"),
    [
        ("(Ok (Some x))", "(Ok (Some 3))", 3, ["(Ok None)", "(Ok 3)", "(Err (Some 3))", "nil"]),
        ("(Some None)", "(Some None)", None, ["None", "(Some 1)"]),
        ("(Ok 1)", "(Ok 1)", None, ["(Ok 2)", "(Ok 1.0)", "1"]),
        ('(Err "x")', '(Err "x")', None, ['(Err "y")']),
        ("(Ok nil)", "(Ok nil)", None, ["(Ok void)"]),
        ("(Ok [x _])", "(Ok [3 4])", 3, ["(Ok [3])", "(Ok nil)"]),
        ("(Shape/Rect (Ok x) 0)", "(Shape/Rect (Ok 3) 0)", 3, ["(Shape/Rect (Ok 3) 1)"]),
        ("[x]", "[3]", 3, ["[]", "[3 4]", "nil", "3"]),
        ("[0 x]", "[0 3]", 3, ["[1 3]"]),
        ("[_ rest... x]", "[1 2 3]", 3, ["[1]"]),
        ("[Shape/Dot [x 2]]", "[Shape/Dot [3 2]]", 3, ["[Shape/Dot [3 3]]", "[5 [3 2]]"]),
        ("[`a x]", "[`a 3]", 3, ["[`b 3]"]),
        ("[:a x]", "[:a 3]", 3, ["[:b 3]"]),
        ("{^k x}", "{^k 3 ^other 4}", 3, ["{}", "[3]", "nil", "5"]),
        ('{^type "c" ^r x}', '{^type "c" ^r 3}', 3, ['{^type "d" ^r 3}', "{^r 3}"]),
        ("{^^ok ^k x}", "{^ok true ^k 3}", 3, ["{^ok 1 ^k 3}"]),
        ("{^!k ^... _}", "{^k nil ^a 1}", None, ["{^k 1}", "{}"]),
        ("{^k {^^on ^l [x]}}", "{^k {^on true ^l [3]}}", 3, ["{^k {^on true ^l []}}", "{^k 3}"]),
        ("{^k 1 ^... {^l x}}", "{^k 1 ^l 3}", 3, ["{^k 1}"]),
    ],
)
def test_patterns_nest(pattern, matches, names, others):
    """What stands in a pattern is a pattern again: a name, a variant, an array, a map, or a value."""
    named = "x" if names is not None else "nil"
    text = f'{SHAPE} (fn f [v] (case v when {pattern} ["yes" {named}] else "no"))'
    assert value(f"{text} (f {matches})") == ["yes", names]
    assert [value(f"{text} (f {other})") for other in others] == ["no"] * len(others)


def test_patterns_and_values_that_look_alike():
    """An array or a map without new names is compared as a whole; what has a value keeps it."""
    assert value("(case {^a 1 ^b 2} when {^a 1} 1 when {^a 1 ^... _} 2)") == 2
    assert value("(var y 2) [(case [1 2] when [x %y] x) (case [1 3] when [x %(y + 1)] x)]") == [1, 1]
    assert value("(var y 2) (case [1 3] when [x %y] x else y)") == 2
    assert value("(var x 5) (var y 6) (case [1 2] when [x y] 1 when [a b] [a b])") == [1, 2]
    assert value("(var x 1) (case [1 2] when [x y] y)") == 2
    assert value("(var x 5) (case [1 2] when [x y] y else 0)") == 0
    assert value("(var x 5) (case (Ok 1) when (Ok x) x)") == 1
    assert value("(var xs [2 3]) (case [1 2 3] when [1 xs...] 1 else 2)") == 1
    assert value("(fn f [x p] (case p when [x y] y else 0)) [(f 1 [1 2]) (f 2 [1 2])]") == [2, 0]
    assert value("(case `(f ^k 1 2 3) when {^k k} [k] else nil)") == [1]
    assert value("(class P (ctor [/x /y])) (case (new P 0 5) when {^x 0 ^y y} y)") == 5


def test_a_pattern_that_fails_on_the_way_binds_nothing():
    """The next one starts afresh."""
    assert value("(case [1 [2]] when [a [b c]] 1 when [a [b]] [a b])") == [1, 2]
    assert value("(var a 7) (case [1 2] when [a 3] a else a)") == 7


def test_recursion_over_arrays():
    """A function by cases, whose last call is a loop."""
    text = "(fn sum [xs acc = 0] (case xs when [] acc when [x rest...] (sum rest (acc + x))))"
    assert value(f"{text} (sum [1 2 3 4])") == 10


def test_arms_have_a_scope():
    """What an arm declares does not survive it."""
    assert fails("(case 1 when 1 (var zz 2)) zz") == "zz is not defined"


def test_arms_leave_functions_and_loops():
    """An arm is no function."""
    assert value("(fn f [x] (case x when 1 (return 5)) 6) [(f 1) (f 2)]") == [5, 6]
    assert run("(for x in [1 2 3] (case x when 2 (continue) when 3 (break)) (println x))")[1] == "1\n"


def test_cases_nest():
    """In arms and as values."""
    assert value("(case (case 1 when 1 2) when 2 (case 3 when 3 4))") == 4


def test_left_out_variants_warn():
    """Where all patterns are variants of one enum and nothing else catches the rest."""
    message = "this case does not handle Shape/Rect, Shape/Dot; handle it, or add else"
    assert warnings(f"{SHAPE} (case Shape/Dot when (Shape/Circle r) 1)") == [message]
    assert warnings(f"{SHAPE} (case Shape/Dot when (Shape/Circle r) 1 else 2)") == []
    several = "(Shape/Circle 0) 1 when (Shape/Rect _ h) 2 when Shape/Dot 3"
    left = "this case does not handle Shape/Circle; handle it, or add else"
    assert warnings(f"{SHAPE} (case Shape/Dot when {several})") == [left]
    assert warnings(f"{SHAPE} (case Shape/Dot when (Shape/Circle r) 0 when {several})") == []


@pytest.mark.parametrize(
    ("case", "message"),
    [
        ("(case)", "case: expected one value before 'when'"),
        ("(case 1 2 when 1 2)", "case: expected one value before 'when'"),
        ("(case 1 when)", "case: missing value after 'when'"),
        (
            f"{SHAPE} (case Shape/Dot when (Shape/Rect w) w)",
            "case: variant Shape/Rect has 2 fields (w, h), the pattern names 1",
        ),
        ("(case (Ok 1) when (Ok v: Int) 1)", "a name in a pattern has no type"),
        ("(case [1 2] when [a... b...] 1)", "only one name can take the rest"),
        ("(case [1] when [self] 1)", "self cannot be declared"),
        ("(case 1 else 2 when 1 3)", "else must be the last branch of a case"),
        ("(case 1 else 2 else 3)", "else must be the last branch of a case"),
        (
            f"{SHAPE} (case 1 when (Shape/Nope x) 1)",
            "case: a pattern with fields needs a variant of an enum, got VkVoid",
        ),
        ("(case 5 when x 1)", "x is not defined"),
    ],
)
def test_mistakes(case, message):
    """Each says what is expected."""
    assert fails(case) == message


def test_variants_of_enums_from_elsewhere(tmp_path):
    """An enum that is imported or was evaluated before is not known, nor is a variant under a name of its own."""
    (tmp_path / "shapes.gene").write_text("(enum Shape (circle r) (Rect w h) dot)")
    (tmp_path / "main.gene").write_text(
        """
        (import Shape Shape/Rect Shape/circle:Round from "shapes")
        (fn area [s] (case s when (Shape/circle r) (r * 3) when (Rect w h) (w * h) when Shape/dot 0 else nil))
        (fn name [s] (case s when (Round _) "round" when (Rect 2 _) "two wide" else "other"))
        (var $ns/result [([(Shape/circle 2) (Rect 2 3) Shape/dot 5] .map area)
                         ([(Shape/circle 2) (Rect 2 3) (Rect 3 3)] .map name)])
        """
    )
    assert Interpreter(capabilities=ALL).run(tmp_path / "main.gene").get("result") == [
        [6, 6, 0, None],
        ["round", "two wide", "other"],
    ]
    typed = Interpreter()
    typed.eval("(enum E (b v))")
    assert typed.eval("(case (E/b 3) when (E/b v) v)") == 3
