"""``let``, and declarations that take arrays, genes and maps apart."""

from __future__ import annotations

import pytest
from support import fails, output, value, warnings

from gene.runtime.text import inspect


def shown(text):
    """The value of a program as the REPL shows it."""
    return inspect(value(text))


# -- let -------------------------------------------------------------------------------------------------


def test_let_declares():
    """Like ``var``, and its value is the value declared."""
    assert value("(let x 5)") == 5
    assert value("(fn f [x] (let y (x + 1)) (fn [] y)) ((f 3))") == 4
    assert output("(fn f [] (for i in [1 2] (let y i) (println y))) (f)") == "1\n2\n"


@pytest.mark.parametrize(
    "program",
    [
        "(let x 1) (x = 2)",
        "(let x 1) (x += 2)",
        "(let x 1) (fn f [] (x = 2))",
        "(fn f [] (x = 2)) (let x 1)",
        "(fn f [] (let x 1) (x = 2))",
        "(fn f [] (let x 1) (fn [] (x = 2)))",
        "(let [x y] [1 2]) (x = 2)",
        "(fn f [] (let {^k x} {^k 1}) (x = 2))",
    ],
)
def test_let_refuses_assignment(program):
    """Before anything runs."""
    assert fails(f'(println "ran") {program}') == "Cannot reassign 'let' binding 'x'"


def test_let_protects_the_name_only():
    """What the name stands for may change, and another declaration replaces it."""
    assert value("(let m {^a 1}) (m/a = 2) m") == {"a": 2}
    assert value("(let x 1) (var x 2) (x = 3) x") == 3
    assert value("(let x 1) (fn f [] (var x 2) (x = 3) x) (f)") == 3


def test_let_of_a_member_warns():
    """Members of namespaces and process-global names can be assigned from anywhere."""
    assert warnings("(let $ns/x 1)") == [
        "$ns/x can be assigned from elsewhere, so let protects it no more than var"
    ]
    assert warnings("(let $x 1)") == [
        "$x can be assigned from elsewhere, so let protects it no more than var"
    ]


# -- arrays ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "items", "names", "expected"),
    [
        ("[a b]", "[1 2]", "[a b]", "[1 2]"),
        ("[a rest...]", "[1 2 3]", "[a rest]", "[1 [2 3]]"),
        ("[a rest...]", "[1]", "[a rest]", "[1 []]"),
        ("[first... a]", "[1 2 3]", "[first a]", "[[1 2] 3]"),
        ("[a middle... z]", "[1 2 3 4]", "[a middle z]", "[1 [2 3] 4]"),
        ("[a _ c]", "[1 2 3]", "[a c]", "[1 3]"),
        ("[a _...]", "[1 2 3]", "a", "1"),
        ("[a b]", "`(f ^k 0 1 2)", "[a b]", "[1 2]"),
        ("[a rest...]", "#[1 2]", "[a rest]", "[1 [2]]"),
        ("[]", "[]", "1", "1"),
    ],
)
def test_arrays_are_taken_apart(pattern, items, names, expected):
    """By position; one name may take what is left over. Genes give their children."""
    assert shown(f"(var {pattern} {items}) {names}") == expected
    assert shown(f"(fn f [] (var {pattern} {items}) {names}) (f)") == expected


def test_the_value_is_nil():
    """A declaration of several names has no value of its own."""
    assert value("(var [a b] [1 2])") is None


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("(var [a b] [1])", "Destructuring pattern mismatch: Expected 2 arguments, got 1"),
        ("(var [a b] [1 2 3])", "Destructuring pattern mismatch: Expected 2 arguments, got 3"),
        ("(var [a b rest...] [1])", "Destructuring pattern mismatch: Expected 2 arguments, got 1"),
        ("(var [a] 5)", "Cannot destructure VkInt"),
        ("(var [a] nil)", "Cannot destructure VkNil"),
        ('(var [a b] "xy")', "Cannot destructure VkString"),
        ("(var [a [b]] [1 2])", "Cannot destructure VkInt"),
        ("(var {^k [a]} {})", "Cannot destructure VkVoid"),
        ("(var {^... a} [1])", "Cannot destructure VkArray"),
        ("(var [a 1] [1 1])", "a pattern has names, arrays and maps in it, no values"),
        ("(var [a... b...] [1])", "only one name can take the rest"),
        ("(var [a: Int b] [1 2])", "a name in a pattern has no type"),
        ("(var [self] [1])", "self cannot be declared"),
        ("(var [a b])", "a pattern needs a value to take apart"),
    ],
)
def test_what_does_not_fit_fails(program, message):
    """The wrong count, what has no parts, and patterns that mean nothing."""
    assert fails(program) == message


def test_a_failed_pattern_declares_nothing():
    """Names keep the values that they had."""
    assert value("(var a 1) (var b 2) (try (var [a b] [7]) catch * nil) [a b]") == [1, 2]
    assert value("(var a 1) (var b 2) (try (var [a [b]] [7 8]) catch * nil) [a b]") == [1, 2]


# -- maps ------------------------------------------------------------------------------------------------


def test_maps_are_taken_apart():
    """``^key name`` names the value of a key, ``^^key`` does so with the key's own name; others are left."""
    assert value("(var {^x a ^y b} {^x 1 ^y 2 ^z 3}) [a b]") == [1, 2]
    assert value("(var {^^x ^y b} {^x 1 ^y 2}) [x b]") == [1, 2]
    assert value("(class P (ctor [/x])) (var {^^x} (new P 4)) x") == 4
    assert value("(var {^^k} `(f ^k 1)) k") == 1


def test_a_missing_key_gives_void():
    """As the path to it does."""
    assert shown("(var {^x a} {}) a") == "void"


def test_one_name_takes_the_other_entries():
    """Of a map, and the properties of a gene; the rest is a new map."""
    assert value("(var m {^x 1 ^y 2 ^z 3}) (var {^x a ^... others} m) (others/y = 9) [a others m/y]") == [
        1,
        {"y": 9, "z": 3},
        2,
    ]
    assert value("(var {^... all} `(f ^k 1)) all") == {"k": 1}


@pytest.mark.parametrize("pattern", ["{^x 5}", "{^!x}", '{^x "y"}', "{^x (f)}"])
def test_map_patterns_name_keys(pattern):
    """Values in them are refused."""
    assert fails(f"(var {pattern} {{}})") == "a pattern has names, arrays and maps in it, no values"


# -- patterns in patterns --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "items", "names", "expected"),
    [
        ("[a [b c]]", "[1 [2 3]]", "[a b c]", "[1 2 3]"),
        ("[[a b] [c rest...] d]", "[[1 2] [3 4 5] 6]", "[a b c rest d]", "[1 2 3 [4 5] 6]"),
        ("[a {^k b ^^c}]", "[1 {^k 2 ^c 3}]", "[a b c]", "[1 2 3]"),
        ("{^p [x y] ^^name}", '{^p [1 2] ^name "n"}', "[x y name]", '[1 2 "n"]'),
        ("{^a {^b {^c [d]}}}", "{^a^b^c [5]}", "d", "5"),
        ("[_ [_ a]]", "[1 [2 3]]", "a", "3"),
        ("[a [b]]", "`(f 1 (g 2))", "[a b]", "[1 2]"),
    ],
)
def test_patterns_nest(pattern, items, names, expected):
    """To any depth, in declarations of modules and functions, and in loops."""
    assert shown(f"(var {pattern} {items}) {names}") == expected
    assert shown(f"(fn f [] (let {pattern} {items}) {names}) (f)") == expected
    assert shown(f"(var r nil) (for {pattern} in [{items}] (r = {names})) r") == expected


def test_inner_names_are_variables_like_others():
    """They are captured, assigned, and protected by ``let``."""
    assert value("(fn f [p] (var [a [b]] p) (fn [] (b += 1) [a b])) (var g (f [1 [2]])) (g) (g)") == [1, 4]
    assert fails("(let [a [b]] [1 [2]]) (b = 1)") == "Cannot reassign 'let' binding 'b'"


# -- loops -----------------------------------------------------------------------------------------------


def test_loops_take_items_apart():
    """With and without the index or key before the pattern."""
    assert output("(for [k v] in [[1 2] [3 4]] (println k v))") == "1 2\n3 4\n"
    assert output("(for i [a rest...] in [[1 2 3]] (println i a rest))") == "0 1 [2 3]\n"
    assert output("(for k [a b] in {^z [1 2]} (println k a b))") == "z 1 2\n"
    assert output("(for {^^a ^b c} in [{^a 1 ^b 2}] (println a c))") == "1 2\n"


def test_each_turn_has_its_own_names():
    """Closures keep the names of their turn."""
    assert value(
        "(var fs []) (for [a b] in [[1 2] [3 4]] (fs .push (fn [] (a + b)))) (fs .map (fn [f] (f)))"
    ) == [3, 7]


def test_items_that_do_not_fit_fail():
    """In loops as in declarations."""
    assert fails("(for [a b] in [[1]] a)") == "Destructuring pattern mismatch: Expected 2 arguments, got 1"
