"""The kinds of values: what they are called, which are true, and what nil and void answer."""

from __future__ import annotations

import pytest
from support import fails, value

from gene.runtime.text import inspect

DECLARED = "(class C) (enum E a (B v)) (ns N) (fn g* [] (yield 1))"


def shown(text):
    """The value of a program as the REPL shows it."""
    return inspect(value(text))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("nil", "Nil"),
        ("void", "VkVoid"),
        ("true", "Bool"),
        ("7", "Int"),
        ("7.0", "Float"),
        ('"x"', "String"),
        ("'x'", "VkChar"),
        ("`x", "Symbol"),
        (":x", "Symbol"),
        ("`x/y", "ComplexSymbol"),
        ("[1]", "Array"),
        ("#[1]", "Array"),
        ("{^a 1}", "Map"),
        ("{{1 2}}", "HashMap"),
        ("(new HashSet 1)", "HashSet"),
        ("`(f 1)", "Gene"),
        ("(0 .. 3)", "VkRange"),
        ("#/x/", "VkRegex"),
        ("2024-02-03", "VkDate"),
        ("09:30", "VkTime"),
        ("2024-02-03T09:30", "VkDateTime"),
        ("0#dead", "VkBytes"),
        ("(fn [] 1)", "Function"),
        ("println", "Function"),
        ("C", "Class"),
        ("Int", "Class"),
        ("N", "VkNamespace"),
        ("$ns", "VkNamespace"),
        ("(async 1)", "Future"),
        ("(g*)", "Generator"),
        ("(new C)", "C"),
        ("E/a", "E"),
        ("(E/B 1)", "E"),
        ("not_found", "VkNotFound"),
    ],
)
def test_typeof(text, name):
    """The name of a value's kind, as a String."""
    assert value(f"{DECLARED} (typeof {text})") == name


@pytest.mark.parametrize(
    ("text", "type_name"),
    [
        ("7", "Int"),
        ("7.0", "Float"),
        ("true", "Bool"),
        ('"x"', "String"),
        (":x", "Symbol"),
        ("nil", "Nil"),
        ("[1]", "Array"),
        ("{^a 1}", "Map"),
        ("(eval ``(f))", "Gene"),
        ("println", "Function"),
        ("Int", "Class"),
        ("N", "Namespace"),
        ("(0 .. 3)", "Range"),
        ("#/x/", "Regexp"),
        ("2024-02-03", "Date"),
        ("09:30", "Time"),
        ("0#dead", "Bytes"),
        ("{{1 2}}", "HashMap"),
        ("(new HashSet)", "HashSet"),
        ("(new C)", "Object"),
        ('(new Exception "m")', "Exception"),
        ("1", "(String | Int)"),
        ("1", '"Int"'),
    ],
)
def test_is(text, type_name):
    """Each kind is a class that ``is`` asks for; also unions, and the name of a type."""
    assert value(f"{DECLARED} ({text} is {type_name})") is True
    assert value(f"{DECLARED} (void is {type_name})") is False


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(1 is 5)", "is requires a type value on the right side"),
        ("(1 is nil)", "is requires a type value on the right side"),
        ("(1 is Nope)", "Nope is not defined"),
        ("(1 is Any)", "Any is not defined"),
        ("(1 is Number)", "Number is not defined"),
    ],
)
def test_what_is_no_type(text, message):
    """Values and unknown names are refused."""
    assert fails(text) == message


@pytest.mark.parametrize("text", ["0", "0.0", '""', "[]", "{}", "not_found", "(new C)", "'x'", "(0 / 0)"])
def test_everything_else_is_true(text):
    """Numbers that are zero and what is empty too."""
    assert value(f"{DECLARED} (if {text} 1 else 2)") == 1


@pytest.mark.parametrize("text", ["false", "nil", "void"])
def test_three_values_are_false(text):
    """In every form that asks."""
    assert value(f"(if {text} 1 else 2)") == 2
    assert value(f"(if_not {text} 3)") == 3
    assert value(f"({text} || 4)") == 4
    assert value(f"(! {text})") is True


@pytest.mark.parametrize(
    "path",
    ["m/zz", "m/zz/y/x", "xs/5", "xs/-5", "xs/zz", "q/zz", "q/7", "s/zz", "s/0", "n/zz", "c/zz", "N/zz"],
)
def test_what_is_not_there_is_void(path):
    """A missing key, an index outside, an unknown member, and members of what has none."""
    declared = f'{DECLARED} (var m {{}}) (var xs [1]) (var q `(f 1)) (var s "s") (var n 5) (var c (new C))'
    assert shown(f"{declared} {path}") == "void"
    assert value(f"{declared} [({path} == nil) ({path} != nil) ({path} == void)]") == [False, True, True]
    assert value(f'{declared} [({path} || "d") {path}/.empty?]') == ["d", True]


def test_methods_that_look_things_up_give_nil():
    """Or their default; a path through nil is nil."""
    assert value('(var m {}) [(m .get "x") (m .get "x" 2) ([1] .get 5) ((m .get "x") == nil)]') == [
        None,
        2,
        None,
        True,
    ]
    assert value("(var n nil) [n/x n/x/y n/x/.trim n/0]") == [None] * 4


def test_nil_answers_every_method():
    """With nil, but for the few that tell something."""
    assert value("(var n nil) [(n .nope 1 ^k 2) (n .to_s) (n .empty?) (n .not_empty?)]") == [
        None,
        "",
        True,
        False,
    ]


def test_void_answers_hardly_any():
    """What it is, and that it is empty."""
    assert value("(var v void) [(v .to_s) (v .empty) (v .empty?) (v .not_empty?) ((v .class) .name)]") == [
        "void",
        True,
        True,
        False,
        "Void",
    ]
    assert fails("(var v void) (v .trim)") == "Unified method call not supported for VkVoid"


def test_not_found_is_a_value():
    """The end of an iteration is true, and equal to itself only."""
    assert value("[(not_found == not_found) (not_found == nil) (not_found == void)]") == [True, False, False]
