"""Types: names of kinds, is, typed parameters, results and variables."""

import pytest
from support import fails, value


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("nil", "Nil"), ("void", "VkVoid"), ("true", "Bool"), ("7", "Int"), ("7.0", "Float"), ('"x"', "String"),
        ("'x'", "VkChar"), ("`x", "Symbol"), ("[1]", "Array"), ("{^a 1}", "Map"), ("`(f 1)", "Gene"),
        ("(0 .. 3)", "VkRange"), ("#/x/", "VkRegex"), ("(fn [])", "Function"), ("println", "Function"),
        ("{{1 2}}", "HashMap"), ("$ns", "VkNamespace"), ("String", "Class"),
    ],
)  # fmt: skip
def test_names_of_kinds(text, name):
    """typeof gives a String with the name of the kind."""
    assert value(f"(typeof {text})") == name


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(1 is Int)", True), ("(true is Int)", False), ("(1.0 is Int)", False), ("(nil is Nil)", True),
        ("(void is Nil)", False), ("([] is Array)", True), ('("a" is (Int | String))', True),
        ("((fn []) is Function)", True), ("(println is Function)", True), ("(var s `a) (s is Symbol)", True),
        ("(class A) (class B < A) ((new B) is A)", True), ("(class A) (class B < A) ((new A) is B)", False),
        ("((5 .class) == Int)", True), ("((1 .class) .name)", "Int"),
    ],
)  # fmt: skip
def test_is(text, expected):
    """is looks at the kind, a Bool is no Int, subclasses count."""
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(fn f [n: Int] n) (f 5)", 5),
        ("(fn f [n: Int] n) (f nil)", None),
        ("(fn f [n: Float] n) (f 5)", 5.0),
        ("(fn f [n: Int] n) (f 5.9)", 5),
        ('(fn f [n: Any] n) (f "x")', "x"),
        ('(fn f [n: (Int | String)] n) (f "x")', "x"),
        ('(fn f [xs: (Array Int)] xs) (f ["x"])', ["x"]),
        ("(fn f [g: (Fn [Int] -> Int)] (g 1)) (f (fn [x] x))", 1),
        ("(fn f [^n: Int = 3] n) (f)", 3),
        ("(fn f [] -> Float 5) (f)", 5.0),
        ("(fn f [] (var x: Float 5) x) (f)", 5.0),
        ("(fn id:T [x: T] -> T x) (id 5)", 5),
        ("(class A) (fn f [a: A] 1) (f (new A))", 1),
    ],
)
def test_types_that_fit(text, expected):
    """nil fits anywhere; Int and Float are converted; elements are not looked at."""
    made = value(text)
    assert made == expected
    assert type(made) is type(expected)


@pytest.mark.parametrize(
    ("text", "expected", "got", "where"),
    [
        ('(fn f [n: Int] n) (f "x")', "Int", "String", "n"),
        ("(fn f [n: Int] n) (f true)", "Int", "Bool", "n"),
        ("(fn f [n: String] n) (f 5)", "String", "Int", "n"),
        ("(fn f [n: (String | Nil)] n) (f 5)", "(Nil | String)", "Int", "n"),
        ('(fn f [^n: Int] n) (f ^n "x")', "Int", "String", "n"),
        ('(fn f [] -> Int "x") (f)', "Int", "String", "return value of f"),
        ("(class A) (class B) (fn f [a: A] 1) (f (new B))", "A", "B", "a"),
        ('(fn f [] -> Int (if true (return "x")) 1) (f)', "Int", "String", "return value of f"),
    ],
)
def test_types_that_do_not_fit(text, expected, got, where):
    """The message names both types and the place."""
    assert fails(text) == f"Type error [GENE_TYPE_MISMATCH]: expected {expected}, got {got} in {where}"


def test_typed_variables_are_checked_at_each_assignment():
    """A typed local takes nothing else later."""
    assert "expected Int, got String in variable" in fails('(fn f [] (var x: Int 1) (x = "a")) (f)')
    assert "expected Int, got String in variable" in fails('(fn f [] (var x: Int "a")) (f)')
