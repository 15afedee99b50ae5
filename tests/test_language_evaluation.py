"""``eval``: data that runs as code, with the variables of the place where it stands."""

from __future__ import annotations

import pytest
from support import error, fails, output, value

from gene.compiler.compile import compile_forms
from gene.errors import GeneError
from gene.interpreter import Interpreter
from gene.runtime.text import inspect
from gene.stdlib.capabilities import ALL


def shown(text):
    """The value of a program as the REPL shows it."""
    return inspect(value(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(eval `(1 + 2))", 3),
        ("(eval 5)", 5),
        ('(eval "x")', "x"),
        ("(eval nil)", None),
        ("(var x 4) (eval `x)", 4),
        ("(var m {^a [1]}) (eval `m/a/0)", 1),
        ("(eval `[1 (1 + 1)])", [1, 2]),
        ("(eval `{^k (1 + 1)})", {"k": 2}),
        ("(eval ``x)", None),
        ('(eval ($parse "(2 * 21)"))', 42),
        ("(eval `(var a 1) `(a + 1))", 2),
    ],
)
def test_data_runs_as_code(text, expected):
    """Each argument is a datum; the value is that of the last."""
    if expected is None and "``" in text:
        assert shown(text) == "x"
    else:
        assert value(text) == expected


def test_values_that_are_no_code_are_their_own_value():
    """Dates, bytes, functions and instances evaluate to themselves."""
    assert shown("[(eval 2024-02-03) (eval 0#ff) (eval #/x/)]") == "[2024-02-03 0#ff #/x/]"
    assert value("(class A (ctor [/v])) (var a (new A 3)) ((eval a) == a)") is True
    assert value("(var f (fn [] 1)) ((eval f))") == 1


def test_collections_are_code():
    """Evaluating a collection makes a new one, of what its items evaluate to."""
    assert shown("(var x 1) (eval `[x {^k x} {{x x}} #[x] #{^k x} #{{x x}}])") == (
        "[1 {^k 1} {{1 1}} #[1] #{^k 1} #{{1 1}}]"
    )
    assert value("(var m {^a 1}) (var made (eval m)) (made/a = 2) m/a") == 1


def test_code_may_hold_any_value():
    """Rendered code holds functions and objects themselves; they need no spelling."""
    assert value("(fn f [x] (x + 1)) (eval ($render `(%f 3)))") == 4
    assert value("(class A (ctor [/v])) (var a (new A 3)) (eval ($render `(%a .v)))") == 3
    assert value("(var f (fn [x] x)) (var g (eval ($render `(fn [y] (%f (y * 2)))))) (g 4)") == 8


def test_code_that_looks_alike_is_told_apart():
    """Equal numbers of different kinds, and different objects in the same places, are different code."""
    assert value("(fn g [x] (eval ($render `(typeof %x)))) [(g 1) (g 1.0) (g true) (g 1)]") == [
        "Int",
        "Float",
        "Bool",
        "Int",
    ]
    text = "(fn call [a b] (eval ($render `[(%a) (%b)]))) (fn x [] 1) (fn y [] 2) [(call x x) (call x y) (call y x)]"
    assert value(text) == [[1, 1], [1, 2], [2, 1]]


# -- variables -------------------------------------------------------------------------------------------


def test_code_sees_the_variables_of_its_place():
    """Of functions, blocks, turns of a loop, functions around, and the module."""
    assert value("(fn f [x] (if true (var y 2) (eval `(x + y)))) (f 1)") == 3
    assert value("(var out []) (for i in [1 2] (out .push (eval `(i * 10)))) out") == [10, 20]
    assert value("(fn f [x] (fn [] (eval `x))) ((f 7))") == 7
    assert value("(var x 1) (fn f [] (eval `x)) (f)") == 1


def test_code_assigns_the_variables_of_its_place():
    """An assignment changes the variable itself."""
    assert value("(fn f [x] (eval `(x = (x + 1))) (eval `(x += 10)) x) (f 1)") == 12
    assert value("(fn f [m] (eval `(m/a = 5)) m/a) (f {^a 1})") == 5
    assert value("(var x 1) (fn f [] (eval `(x = 2))) (f) x") == 2
    assert value(
        "(fn f [] (var fs []) (for i in [1 2] (var t i) (eval `(t *= 10)) (fs .push (fn [] t))) fs) (var g (f)) [(g/0) (g/1)]"
    ) == [10, 20]


def test_let_variables_stay():
    """What ``let`` declares cannot be assigned by evaluated code either."""
    assert fails("(fn f [] (let c 1) (eval `(c = 2))) (f)") == "Cannot reassign 'let' binding 'c'"


def test_definitions_in_functions_belong_to_the_code():
    """A ``var``, ``fn`` or class that is evaluated in a function is gone when the code ends."""
    for definition in ("(var zz 1)", "(fn zz [] 1)", "(class zz)"):
        assert fails(f"(fn f [] (eval `{definition}) zz) (f)") == "zz is not defined"
        assert fails(f"(fn f [x] (eval `{definition}) zz) (f 1)") == "zz is not defined"
        assert fails(f"(fn f [] (eval `{definition})) (f) zz") == "zz is not defined"
    assert value("(fn f [x] (eval `(do (var y 5) (fn g [] (x + y)) (g)))) (f 1)") == 6


def test_definitions_at_the_top_level_are_the_modules():
    """There evaluated code defines what written code would."""
    assert value("(eval `(var zz 9)) zz") == 9
    assert value("(eval `(fn zz [] 9)) (zz)") == 9
    assert value("(eval `(class Z (method m [] 9))) ((new Z) .m)") == 9


def test_functions_from_evaluated_code_are_closures():
    """They keep and share the variables of the place, and have their own."""
    assert value("(fn f [x] (var g (eval `(fn [y] (x = (x + y)) x))) (g 1) (g 2) x) (f 10)") == 13
    assert value("(fn f [x] (eval `(do (var own 5) (fn [] (own += x) own)))) (var g (f 10)) (g) (g)") == 25


def test_eval_in_eval():
    """The inner code sees the variables of all places around it."""
    assert value("(fn f [x] (eval `(eval `(x + 1)))) (f 2)") == 3
    assert (
        value("(fn f [x] (eval `(do (var y 10) (eval `(do (var z 100) (eval `(x + (y + z)))))))) (f 1)")
        == 111
    )
    assert value("(fn f [x] (eval `(do (var y 1) (eval `(y = 5)) (eval `(x = y)))) x) (f 1)") == 5


def test_eval_in_methods():
    """Code sees self and its properties, and may assign them and call methods."""
    text = """
        (class A (ctor [/x])
          (method get [] (eval `/x))
          (method path [] (eval `self/x))
          (method add [n] (eval `(/x = (/x + n))) /x)
          (method more [] (eval `(/x += 1)) (eval `(.get)))
          (method fresh [] (eval `(/made = 7)) (eval `/made)))
        (var a (new A 3))
        [(a .get) (a .path) (a .add 4) (a .more) (a .fresh) a/made]
    """
    assert value(text) == [3, 3, 7, 8, 7, 7]


def test_eval_in_namespaces():
    """Code sees and assigns the members of the namespaces around by their names."""
    assert value("(ns /n (var /x 1) (fn /f [] (eval `x)) (fn /g [] (eval `(x = 5)))) (n/g) [(n/f) n/x]") == [
        5,
        5,
    ]
    assert value("(ns /a (var /x 1) (var /y 1) (ns /b (var /y 2) (fn /f [] (eval `[x y])))) (a/b/f)") == [
        1,
        2,
    ]


def test_recursion_through_eval():
    """Evaluated code calls the function that evaluates it."""
    assert value("(fn g [n] (if (n == 0) 0 else (eval `(g (n - 1))))) (g 400)") == 0


def test_evaluated_code_is_compiled_once(monkeypatch):
    """Evaluating the same again and again costs no compilation, and no memory."""
    compiled = []

    def count(forms, *args, **kwargs):
        compiled.append(forms)
        return compile_forms(forms, *args, **kwargs)

    monkeypatch.setattr("gene.compiler.compile.compile_forms", count)
    interpreter = Interpreter(capabilities=ALL)
    assert interpreter.eval("(var s 0) (for i in (1 .. 3000) (s += (eval `(i * 2)))) s") == 9003000
    assert len(compiled) == 2  # the text, and what it evaluates


# -- errors ----------------------------------------------------------------------------------------------


def test_mistakes_show_when_the_code_runs():
    """Code that means nothing fails where it is evaluated, and can be caught like any failure."""
    assert fails("(eval `(if))") == "if: missing condition"
    assert value("(try (eval `(if)) catch * $ex/message)") == "if: missing condition"
    assert fails("(eval `nowhere)") == "nowhere is not defined"


def test_errors_name_the_place_of_the_datum():
    """Quoted code has a place in the source, and errors lead there."""
    assert error('(fn f []\n  (eval `(throw "x")))\n(f)').location == "t.gene:2:10"


def test_eval_needs_a_datum():
    """Without one the program is refused."""
    assert fails("(eval)") == "eval needs a datum"


def test_data_that_contains_itself_is_no_code():
    """It is refused, not run for ever."""
    assert fails("(var a [1]) (a .push a) (eval a)") == "Data that contains itself is no code"


def test_deep_code_does_not_end_the_process():
    """Code nested 100,000 deep is an error that a program can catch."""
    assert "too deep" in value("(var x 1) (repeat 100000 (x = (`do x))) (try (eval x) catch * $ex/message)")


def test_leaving_ends_the_code():
    """``return`` gives the value of the evaluated code; loops outside cannot be left from inside."""
    assert value("(fn f [] [(eval `(return 5)) 6]) (f)") == [5, 6]
    assert fails("(for i in [1] (eval `(break)))") == "break used outside of a loop"


def test_eval_is_an_ordinary_argument():
    """It may stand anywhere."""
    assert output("(println (eval `(1 + 1)) (eval `[3]))") == "2 [3]\n"


# -- what let declares, and what is never reached --------------------------------------------------------


@pytest.mark.parametrize(
    "program",
    [
        "(let x 1) (eval `(x = 2))",
        "(let x 1) (eval `(x += 2))",
        "(let x 1) (fn f [] (eval `(x = 2))) (f)",
        "(let x 1) (fn f [] (eval `(fn [] (x = 2)))) (f)",
        "(let [x y] [1 2]) (eval `(x = 2))",
        "(eval `(let x 1)) (eval `(x = 2))",
        "(fn f [] (let x 1) (eval `(x = 2))) (f)",
    ],
)
def test_evaluated_code_respects_let(program):
    """Of the module and of functions; the error is caught like others."""
    assert fails(program) == "Cannot reassign 'let' binding 'x'"
    assert output(f"(try {program} catch * (println $ex/message))") == "Cannot reassign 'let' binding 'x'\n"


def test_later_pieces_respect_let():
    """In a REPL and for a host; another declaration makes it a variable again."""
    interpreter = Interpreter()
    interpreter.eval("(var x 0) (fn f [] (x = 9))")
    assert interpreter.eval("(x = 3)") == 3
    interpreter.eval("(let x 1)")
    with pytest.raises(GeneError, match="Cannot reassign 'let' binding 'x'"):
        interpreter.eval("(x = 3)")
    assert interpreter.eval("(var x 5) (x = 6)") == 6
    assert interpreter.eval("(x = 3)") == 3
    assert interpreter.eval("(let y 1) (fn g [y] (y = 2)) (g 0)") == 2


@pytest.mark.parametrize(
    "program",
    ["(while false (var y 1))", "(try (throw 1) (var y 1) catch * 2)", "(true || (var y 1))"],
)
def test_a_declaration_that_is_not_reached_leaves_nil(program):
    """In files, in pieces of a program, and in code that is evaluated; what has a value keeps it."""
    assert output(f"{program} (println y)") == "nil\n"
    assert value(f"{program} y") is None
    assert value(f"(eval `{program}) y") is None
    assert value(f"(fn f [] (eval `(do {program} y))) (f)") is None
    interpreter = Interpreter()
    interpreter.eval("(var y 5)")
    assert interpreter.eval(f"{program} y") == 5
