"""Choices and loops, and leaving them from every position."""

import pytest
from support import fails, output, run, value, warnings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(if 1 2 3 else 4)", 3),
        ("(if nil 2 else 4 5)", 5),
        ("(if nil 2)", None),
        ("(if nil 1 elif 0 2 else 3)", 2),
        ("(if nil 1 elif void 2 elif false 3 else 4)", 4),
        ("(if 1 then 2 else 3)", 2),
        ("(if not nil then 2 else 3)", 2),
        ("(if nil 1 else)", None),
        ("(if nil nil else 1)", 1),
        ("(ifel 1 2 3)", 2),
        ("(ifel nil 2)", None),
        ("(if_not nil 1 2)", 2),
        ("(if_not true 2)", None),
        ("(if_not 0 2)", 2),
        ("(do)", None),
        ("(do 1 2)", 2),
        ('(case 2 when 1 "a" when 2 "b" else "c")', "b"),
        ('(case 9 when 1 "a")', None),
        ("(case nil when nil 1 else 2)", 1),
        ("(var x 3) (case 3 when (x + 1) 1 when x 2)", 2),
        ("(case `a when `b 1 when `a 2)", 2),
        ('(case 1 when 1.0 "f" when 1 "i")', "i"),
        ("(while false 1)", None),
        ("(var i 0) (while (i < 3) (i += 1))", None),
        ("(for x in [1] (break 5))", None),
        ("(repeat 3 (break 5))", None),
        ("(loop (break))", None),
        ("(loop (break 5))", 5),
    ],
)
def test_values_of_choices_and_loops(text, expected):
    """Choices give their last value; loops give nil, but for loop."""
    assert value(text) == expected


@pytest.mark.parametrize(
    ("loop", "printed"),
    [
        ("(for x in [1 2] (print x))", "12"),
        ("(for x in {^a 1 ^b 2} (print x))", "12"),
        ("(for k x in {^a 1 ^b 2} (print k x))", "a 1b 2"),
        ("(for i x in [7 8] (print i x))", "0 71 8"),
        ("(for [a b] in [[1 2] [3 4]] (print a b))", "1 23 4"),
        ("(for k [a b] in {^x [1 2]} (print k a b))", "x 1 2"),
        ("(for x in (1 .. 3) (print x))", "123"),
        ("(for x in (range 3 0 -1) (print x))", "3210"),
        ("(for x in (range 0 9 4) (print x))", "048"),
        ("(for x in (3 .. 0) (print x))", ""),
        ("(var r (0 .. 2)) (for x in r (print x))", "012"),
        ("(var xs [1]) (for x in xs (print x) (if (x < 3) (xs .push (x + 1))))", "123"),
        ('(for c in ("ab" .chars) (print c))', "ab"),
        ("(for _ in [1 2] (print 0))", "00"),
        ("(repeat 3 (print 1))", "111"),
        ("(repeat 0 (print 1))", ""),
        ("(repeat -1 (print 1))", ""),
        ("(for x in nil (print x))", ""),
        ("(for x in {{1 2}} (print x))", "2"),
    ],
)
def test_loops_over_every_kind(loop, printed):
    """What each kind of collection gives."""
    assert run(loop)[1] == printed


@pytest.mark.parametrize("collection", ["5", '"abc"', "void", "`(a b)", "true"])
def test_what_cannot_be_iterated(collection):
    """Strings, numbers, genes and void are no collections."""
    message = fails(f"(for x in {collection} x)")
    assert "Method iter not found" in message or "Unified method call not supported" in message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(fn f [] (len [1 (return 5)])) (f)", 5),
        ("(fn f [] (+ 1 (if true (return 5) else 2))) (f)", 5),
        ("(fn f [x] (x = (return 6))) (f 1)", 6),
        ("(fn f [] (var x (return 7)) 8) (f)", 7),
        ("(fn f [] {^a (return 3)}) (f)", 3),
        ('(fn f [] #"a#{(return 3)}") (f)', 3),
        ("(fn f [] (nil || (return 4))) (f)", 4),
        ("(fn f [] (while (return 4) 1)) (f)", 4),
        ("(fn f [] (for x in (return 4) 1)) (f)", 4),
        ("(fn f [] (for x in [1 2] (for y in [3 4] (if (y == 4) (return [x y]))))) (f)", [1, 4]),
        ("(fn f [] (loop (try (return 1) finally nil))) (f)", 1),
        ("(fn f [] (try (return 1) catch * 2) 3) (f)", 1),
        ("(fn f [] (try (throw 1) catch * (return 2)) 3) (f)", 2),
        ("(fn f [] ([1 2] .each (fn [x] (return x))) 9) (f)", 9),
        ("(fn f [] (return)) (f)", None),
        ("(fn f [] (throw (return 3))) (f)", 3),
        ("(fn f [] (return (return 3))) (f)", 3),
        ("(fn f [] (case (return 3) when 1 2)) (f)", 3),
        ("[(loop (len [(break 5)]))]", [5]),
        ("(len (loop (break [1 2])))", 2),
        ("(var s 0) (for x in [1 2 3] (s += (if (x == 2) (continue) else x))) s", 4),
        ("(var s 0) (for x in [1 2 3] (s += (do (if (x == 3) (break)) x))) s", 3),
        ("(var i 0) (while (do (i += 1) (if (i == 3) (break)) true) (if (i == 1) (continue))) i", 3),
        ("(loop (break (break)))", None),
        ("(var n 0) (loop (try (n += 1) (if (n < 3) (continue)) (break n) finally (n += 10)))", 12),
        ("(var x 1) (x = (loop (try (break 5) finally (x += 1)))) x", 5),
    ],
)
def test_leaving_from_any_position(text, expected):
    """break, continue and return work as arguments, conditions, operands, and inside of try."""
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(for ^name o x in [1 2] (for y in [1 2] (if (y == 2) (break ^from o)) (l .push [x y])))", [[1, 1]]),
        ("(for ^name o x in [1 2] (for y in [1 2] (if (y == 2) (continue ^from o)) (l .push [x y])))", [[1, 1], [2, 1]]),
        ("(for ^name o x in [1 2] (for y in [1 2] (repeat 1 (if (y == 2) (continue ^from o))) (l .push [x y])))", [[1, 1], [2, 1]]),
        ("(var i 0) (while ^name o (i < 3) (i += 1) (loop (if (i == 2) (continue ^from o)) (l .push i) (break)))", [1, 3]),
        ("(l .push (loop ^name o (for x in [1 2] (break ^from o x))))", [1]),
        ("(repeat ^name o 3 (try (loop (break ^from o)) finally (l .push 1)))", [1]),
        ("(for ^name o x in [1 2] (l .push x) (for y in [1] (try (continue ^from o) finally (l .push 9))) (l .push 5))", [1, 9, 2, 9]),
        ("(for ^name o x in [1 2] (for ^name o y in [3 4] (break ^from o)) (l .push x))", [1, 2]),
    ],
)  # fmt: skip
def test_labels(text, expected):
    """A label says which loop is left or continued, through loops and finally between."""
    for program in (f"(var l []) {text} l", f"(fn f [] (var l []) {text} l) (f)"):
        assert value(program) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(break)", "break used outside of a loop"),
        ("(continue)", "continue used outside of a loop"),
        ("(loop (fn [] (break)))", "break used outside of a loop"),
        ("(for x in [1] ([1] .each (fn [y] (continue))))", "continue used outside of a loop"),
        ("(if 1)", "if: missing body after condition"),
        ("(if)", "if: missing condition"),
        ("(ifel 1)", "ifel: expected condition, then expression, and optional else expression"),
        ("(ifel 1 2 3 4)", "ifel: expected condition, then expression, and optional else expression"),
        ("(loop ^name a (loop (break ^from b)))", "break: no loop is named b"),
        ("(if 1 2 else 3 elif 4 5)", "else must be the last branch of an if"),
        ("(if 1 2 elif)", "elif: missing condition"),
        ("(if 1 2 else if 3 4)", "there is no else if"),
        ("(if_not 1 2 else 3)", "if_not has no else"),
        ("(if_not)", "if_not: missing condition"),
        ("(while)", "while: missing condition"),
        ("(repeat)", "repeat: missing count"),
        ("(for x [1])", "for: expected a variable, in, and a collection"),
        ("(for 5 in [1])", "for: a variable is expected before in"),
    ],
)
def test_control_that_cannot_be_compiled(text, message):
    """Faults of form are found before anything runs."""
    assert fails('(println "ran") ' + text) == message


def test_words_of_choices_are_names_elsewhere():
    """Special words are special as heads only; what a program declares is meant."""
    assert value("(var if 5) (if false 1 else if 3)") == 3
    assert value("(var if 5) (if false 1 else if)") == 5
    assert value("(fn f [else] (if_not nil else)) (f 3)") == 3
    assert value("(var then 5) (if true then 1)") == 1


@pytest.mark.parametrize(
    ("text", "operators"),
    [
        ("(if a && b 1)", ["&&"]),
        ("(println 1 + 2)", ["+"]),
        ("[1 + 2 - 3]", ["+", "-"]),
        ("(a .push 1 * 2)", ["*"]),
        ("(fn f [+] (+ 1 2) +)", []),
        ("(var + 1) +", []),
        ("(fn m! [x op y] op) (m! 1 + 2)", []),
        ("`(1 + 2)", []),
    ],
)
def test_operators_without_parentheses_warn(text, operators):
    """Before they fail as unknown names, and where they are never reached."""
    wanted = [f"{each} is no value; an operator needs parentheses of its own" for each in operators]
    assert warnings(f"(var a nil) (var b nil) (fn never [] {text})") == wanted


def test_finally_runs_on_every_way_out():
    """Normal end, error, return, break and continue all pass through finally, innermost first."""
    assert (
        output(
            """
        (fn f [how]
          (try
            (try
              (if (how == "return") (return 1))
              (if (how == "throw") (throw "t"))
            finally (print "a"))
          catch * (print "c")
          finally (print "b")))
        (f "") (f "return") (f "throw")
        (for x in [1 2] (try (if (x == 1) (continue)) (break) finally (print x)))
        """
        )
        == "ababacb12"
    )


def test_a_variable_is_assigned_after_finally():
    """In (x = (try … finally …)) finally still sees the old value."""
    assert run("(fn f [x] (x = (try 5 finally (print x))) (print x)) (f 1)")[1] == "15"
