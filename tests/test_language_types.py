"""Declared types: what is checked and when, what is converted, and how types are written."""

from __future__ import annotations

import pytest
from support import fails, value

from gene.runtime.text import inspect


def shown(text):
    """The value of a program as the REPL shows it."""
    return inspect(value(text))


def mismatch(expected, got, where):
    return f"Type error [GENE_TYPE_MISMATCH]: expected {expected}, got {got} in {where}"


# -- where types are checked -----------------------------------------------------------------------------


def test_parameters():
    """All kinds of them, at each call, after defaults are filled in."""
    assert fails('(fn f [x: Int] x) (f "s")') == mismatch("Int", "String", "x")
    assert fails('(fn f [^k: Int = 3] k) (f ^k "s")') == mismatch("Int", "String", "k")
    assert fails('(fn f [x: Int = "s"] x) (f)') == mismatch("Int", "String", "x")
    assert fails('(class A (ctor [/x: Int])) (new A "s")') == mismatch("Int", "String", "x")
    assert value(
        "(fn f [x: Int ^k: (String | Nil) = nil] [x k]) [(f 1) (f 1 ^k `s)]".replace("`s", '"s"')
    ) == [[1, None], [1, "s"]]


def test_rest_parameters_say_what_they_hold():
    """The type is of each item, and not checked."""
    assert value('(fn f [xs...: Int] xs) (f 1 "s")') == [1, "s"]
    assert value("(fn f [^opts...: Map] opts) (f ^a 1)") == {"a": 1}
    assert fails("(fn f [xs: Int...] xs)") == "the dots belong to the parameter"


def test_results():
    """The value of the last form, and of every ``return``."""
    assert fails('(fn f [] -> Int "s") (f)') == mismatch("Int", "String", "return value of f")
    assert fails('(fn f [x] -> Int (if x (return "s")) 1) (f true)') == mismatch(
        "Int", "String", "return value of f"
    )
    assert fails('((fn [] -> Int "s"))') == mismatch("Int", "String", "return value of fn")
    assert fails('(class A (method m [] -> Int "s")) ((new A) .m)') == mismatch(
        "Int", "String", "return value of m"
    )


def test_results_of_asynchronous_functions():
    """The declared type is that of what ``await`` gives; ``(Future T)`` says the same."""
    text = '(fn f ^^async [x] -> {0} x) [(await (f 1)) (try (await (f "s")) catch * $ex/message)]'
    assert value(text.format("Int")) == [1, mismatch("Int", "String", "return value of f")]
    assert value(text.format("(Future Int)")) == [1, "s"]


def test_variables_in_functions():
    """At the declaration and at each assignment, also from inner functions."""
    assert fails('(fn f []\n  (var x: Int "s")) (f)') == mismatch("Int", "String", "variable @ t.gene:2:3")
    assert fails('(fn f [] (var x: Int 1)\n  (x = "s")) (f)') == mismatch(
        "Int", "String", "variable @ t.gene:2:3"
    )
    assert "expected Int, got String" in fails('(fn f [] (var x: Int 1) ((fn [] (x = "s")))) (f)')
    assert "expected Int, got String" in fails('(fn f [x: Int] (x = "s")) (f 1)')
    assert value("(fn f [] (var x: Int) (x = 5) (x += 1) x) (f)") == 6


@pytest.mark.parametrize(
    "type_", ["Int", "Float", "Bool", "String", "Array", "Map", "Symbol", "(Int | Array)"]
)
def test_what_is_known_of_a_value_does_not_spoil_its_check(type_):
    """The compiler leaves out checks that cannot fail, and no others."""
    samples = {
        "Int": "1",
        "Float": "1.5",
        "Bool": "true",
        "String": '"s"',
        "Array": "[]",
        "Map": "{}",
        "Symbol": "`s",
    }
    good = next(sample for kind, sample in samples.items() if kind in type_)
    assert value(f"(fn f [] (var x: {type_} {good}) (x = {good}) (x = nil) x) (f)") is None
    for kind, sample in samples.items():
        converts = (kind, type_) == ("Int", "Float") or (kind == "Float" and "Int" in type_)
        if kind not in type_ and not converts:
            assert "expected" in fails(f"(fn f [] (var x: {type_} {sample})) (f)")
            assert "expected" in fails(f"(fn f [x: {type_}] (x = {sample})) (f {good})")


def test_variables_of_the_module_are_not_checked():
    """There a type documents."""
    assert value('(var x: Int "s") x') == "s"


def test_fields_of_classes_are_not_checked():
    """``field`` documents; typed parameters of the constructor check."""
    assert value('(class A (field x Int)) (var a (new A)) (a/x = "s") a/x') == "s"


def test_generators_check_their_arguments():
    """When they are called; a declared result says what they yield, and is not checked."""
    assert fails('(fn f* [x: Int] -> Int (yield x)) (f* "s")') == mismatch("Int", "String", "x")


# -- what passes and what is converted -------------------------------------------------------------------


def test_nil_passes_every_check():
    """Absence has no type of its own."""
    assert value("(fn f [x: Int] -> String (var y: Array nil) x) (f nil)") is None


def test_void_passes_none():
    """What is missing by path is no value of a type."""
    assert fails("(fn f [x: Int] x) (f {}/a)".replace("{}/a", "void")) == mismatch("Int", "Void", "x")


def test_numbers_convert(capsys):
    """Ints become Floats; Floats are cut to Ints, which is said on standard error if something is lost."""
    assert shown("(fn f [x: Float] x) [(f 1) (f 2.5)]") == "[1.0 2.5]"
    assert shown("(fn f [x: (Float | Nil)] x) (f 1)") == "1.0"
    assert shown("(fn f [x] -> Float x) (f 1)") == "1.0"
    assert shown("(fn f [] (var x: Float 1) x) (f)") == "1.0"
    assert shown("(fn f [x: Int] x) (f 2.0)") == "2"
    assert capsys.readouterr().err == ""
    assert shown("(fn f [x: Int] x) [(f 2.9) (f -2.9)]") == "[2 -2]"
    assert capsys.readouterr().err == (
        "Warning: 2.9 converted to Int loses its fraction\nWarning: -2.9 converted to Int loses its fraction\n"
    )
    assert fails("(fn f [x: Int] x) (f 1e300)") == mismatch("Int", "Float", "x")


def test_bools_are_no_numbers():
    """In either direction."""
    assert fails("(fn f [x: Int] x) (f true)") == mismatch("Int", "Bool", "x")
    assert fails("(fn f [x: Bool] x) (f 1)") == mismatch("Bool", "Int", "x")


def test_any_accepts_all():
    """As does a parameter without a type."""
    assert shown("(fn f [x: Any] -> Any x) [(f 1) (f void)]") == "[1 void]"


@pytest.mark.parametrize(
    ("type_", "good", "bad"),
    [
        ("Int", "1", "1.5e300"),
        ("Float", "1.5", '"s"'),
        ("String", '"s"', "`s"),
        ("Symbol", "`s", '"s"'),
        ("Char", "'c'", '"c"'),
        ("Bool", "true", "1"),
        ("Array", "[1]", "{}"),
        ("Map", "{}", "[]"),
        ("HashMap", "{{}}", "{}"),
        ("HashSet", "(new HashSet)", "[]"),
        ("Gene", "`(f)", "`f"),
        ("Range", "(1 .. 2)", "[1]"),
        ("Regexp", "#/x/", '"x"'),
        ("Date", "2024-01-01", "09:30"),
        ("Time", "09:30", "2024-01-01"),
        ("DateTime", "2024-01-01T09:30", "09:30"),
        ("Bytes", "0#00", '"00"'),
        ("Function", "println", "5"),
        ("Class", "Int", "5"),
        ("Namespace", "$ns", "{}"),
        ("Future", "(async 1)", "1"),
        ("Exception", "(new Exception)", '"s"'),
        ("(Int | String)", '"s"', "[]"),
        ("(Array Int)", '["unchecked"]', "5"),
        ("(Map String Int)", "{}", "5"),
        ("(Fn [Int String] -> Int)", "println", "5"),
        ("(Future Int)", "(async 1)", "5"),
    ],
)
def test_types(type_, good, bad):
    """Built-in types, unions, and types with parameters, of which only the outermost is checked."""
    assert value(f"(fn f [x: {type_}] 1) (f {good})") == 1
    assert "Type error [GENE_TYPE_MISMATCH]: expected" in fails(f"(fn f [x: {type_}] 1) (f {bad})")


def test_unions_print_sorted():
    """So that messages do not depend on the spelling."""
    assert fails("(fn f [n: (String | Nil)] n) (f 1)") == mismatch("(Nil | String)", "Int", "n")
    assert fails("(class A) (fn f [n: (String | A | Int)] n) (f [])") == mismatch(
        "(A | Int | String)", "Array", "n"
    )


def test_user_classes():
    """Children pass, parents do not; the message names the class."""
    text = "(class A) (class B < A) (fn f [x: A] 1) (fn g [x: B] 1)"
    assert value(f"{text} (f (new B))") == 1
    assert fails(f"{text} (g (new A))") == mismatch("B", "A", "x")


# -- names of types --------------------------------------------------------------------------------------


def test_aliases():
    """``(type Name T)`` names a type; it works in ``is`` and inside of other types."""
    assert value("(type T (Int | String)) [(1 is T) (1.0 is T)]") == [True, False]
    assert fails('(type T Int) (type U (T | Nil)) (fn f [x: U] x) (f "s")') == mismatch(
        "(Int | Nil)", "String", "x"
    )
    assert value("(type Anything Any) (fn f [x: Anything] x) (f 1)") == 1


def test_generic_functions():
    """Names after the function's name stand for any type."""
    assert value('(fn id:T [x: T] -> T x) [(id 1) (id "s")]') == [1, "s"]
    assert value('(fn pair:A:B [a: A b: B] -> (Array A) [b a]) (pair 1 "s")') == ["s", 1]


def test_generic_classes_methods_and_aliases():
    """Likewise; applied to types they are checked by their head."""
    text = "(class Box:T (ctor [/v: T]) (method get [] -> T /v) (method map:U [f: (Fn [T] -> U)] -> (Box U) (new Box (f /v))))"
    assert value(f"{text} (fn open [b: (Box Int)] (b .get)) (open ((new Box 3) .map (x -> (x + 1))))") == 4
    assert value("(type Pair:T (Array T)) (fn f [x: (Pair Int)] x) (f [1])") == [1]
    assert value("(type Maybe:T (T | Nil)) (fn f [x: (Maybe Int)] x) (f 1)") == 1


def test_types_may_be_defined_later():
    """They are looked up when they are needed."""
    assert value("(fn f [x: A] 1) (class A) (f (new A))") == 1
    assert fails("(fn f [x: Nope] x) (f 1)") == "Nope is not defined"


def test_types_without_blanks():
    """The colon belongs to the name."""
    assert fails("(fn f [x : Int] x)") == "a type follows its parameter without a blank"
    assert fails("(var x : Int 1)") == "a type follows its name without a blank"
    assert fails("(fn f [x:] x)") == "a type is missing after x:"
    assert fails("(for i: Int in [1] i)") == "for: a loop variable has no type"


def test_is():
    """Kinds, classes, unions and names of types; anything else is no type."""
    assert value(
        '[(1 is Int) (1 is (Int | String)) (true is Int) (nil is Nil) (1 is "Int") ((fn [] 1) is Function)]'
    ) == [
        True,
        True,
        False,
        True,
        True,
        True,
    ]
    assert fails("(1 is 5)") == "is requires a type value on the right side"
    assert fails("(1 is Nope)") == "Nope is not defined"


def test_tail_calls_of_typed_functions():
    """Checks do not cost stack."""
    assert value("(fn f [n: Int] -> Int (if (n == 0) 0 else (f (n - 1)))) (f 100000)") == 0
