"""Contracts: conditions on arguments and results."""

from __future__ import annotations

from support import error, fails, value, warnings

from gene.runtime.exceptions import AssertionException


def test_preconditions():
    """They are checked in order, before the body runs."""
    text = "(fn f ^pre [(n > 0) (n < 10)] [n] n)"
    assert value(f"{text} (f 5)") == 5
    assert fails(f"{text} (f 0)") == "ContractViolation: f precondition #1 failed: (n > 0) | args=[n=0]"
    assert fails(f"{text} (f 11)") == "ContractViolation: f precondition #2 failed: (n < 10) | args=[n=11]"


def test_postconditions():
    """They know ``result``, and the parameters."""
    text = "(fn f ^post [(result > n)] [n] (n + 1))"
    assert value(f"{text} (f 1)") == 2
    assert fails("(fn f ^post [(result > n)] [n] (n - 1)) (f 5)") == (
        "ContractViolation: f postcondition #1 failed: (result > n) | args=[n=5] | result=4"
    )


def test_every_way_out_is_checked():
    """The last form, ``return``, and ``?``."""
    assert value("(fn f ^post [(result > n)] [n] (if (n == 1) (return 100)) (n + 1)) [(f 1) (f 2)]") == [
        100,
        3,
    ]
    assert "result=0" in fails("(fn f ^post [(result > 0)] [] (for x in [1] (return 0)) 1) (f)")
    assert "postcondition" in fails("(fn f ^post [(result == 1)] [] ((Err 2) ?) 1) (f)")


def test_a_throw_is_no_result():
    """Postconditions are not asked."""
    assert fails('(fn f ^post [false] [] (throw "x")) (f)') == "x"


def test_conditions_are_tested_by_their_truth():
    """Any value but nil, false and void holds."""
    assert value("(fn f ^pre [n] [n] n) [(f 0) (f 5) (f true)]") == [0, 5, True]
    assert "precondition #1 failed" in fails("(fn f ^pre [n] [n] n) (f nil)")


def test_one_condition_needs_no_array():
    """It may stand alone."""
    assert (
        fails("(fn f ^pre (n > 0) [n] n) (f 0)")
        == "ContractViolation: f precondition #1 failed: (n > 0) | args=[n=0]"
    )


def test_all_kinds_of_parameters_are_shown():
    """Keyword and rest parameters with what they hold after defaults."""
    text = "(fn f ^pre [(k > 0)] [a b = 2 rest... ^k = 1 ^opts...] a)"
    assert fails(f"{text} (f 1 ^k 0 ^z 9)") == (
        "ContractViolation: f precondition #1 failed: (k > 0) | args=[a=1, b=2, rest=[], k=0, opts={^z 9}]"
    )


def test_conditions_and_values_show_as_they_are_written():
    """In Gene's own spelling: strings quoted, nil as nil."""
    assert fails('(fn f ^pre [(s == "a")] [s t] s) (f "b\\"c" nil)') == (
        'ContractViolation: f precondition #1 failed: (s == "a") | args=[s="b\\"c", t=nil]'
    )
    assert fails('(fn f ^post [(["a" true] .contains result)] [x] "b") (f [`s \'c\'])') == (
        'ContractViolation: f postcondition #1 failed: (["a" true] .contains result)'
        " | args=[x=[s 'c']] | result=\"b\""
    )


def test_parameters_show_what_they_are_by_then():
    """A body that assigns its parameter changes what postconditions see."""
    assert fails("(fn f ^post [(result > 0)] [n] (n = (n - 1)) n) (f 1)").endswith("args=[n=0] | result=0")


def test_contracts_of_methods():
    """Conditions see self."""
    text = "(class A (ctor [/n]) (method m ^pre [(x > /n)] ^post [(result > 0)] [x] (x - 5)))"
    assert value(f"{text} ((new A 1) .m 6)") == 1
    assert (
        fails(f"{text} ((new A 1) .m 1)")
        == "ContractViolation: m precondition #1 failed: (x > /n) | args=[x=1]"
    )
    assert "postcondition #1" in fails(f"{text} ((new A 1) .m 2)")
    assert "ctor precondition #1" in fails("(class B (ctor ^pre [(x > 0)] [/x])) (new B 0)")


def test_contracts_that_nothing_checks():
    """Where only a method is promised, or around one, the compiler warns."""
    belongs = "has no contract: ^pre and ^post belong to functions and methods"
    assert warnings("(interface I (method m ^pre [(x > 0)] [x]))") == [f"a method of an interface {belongs}"]
    assert warnings("(fn-interceptor I [f] (before f ^post [true] [x] 1))") == [f"advice {belongs}"]
    assert warnings("(interface I (method m [x]))") == []


def test_an_overriding_method_has_its_own_contract():
    """It does not inherit the one of the parent."""
    text = "(class A (method m ^pre [(x > 0)] [x] x)) (class B < A (method m [x] x)) (class C < A (method m [x] (super .m x)))"
    assert value(f"{text} ((new B) .m 0)") == 0
    assert "m precondition #1" in fails(f"{text} ((new C) .m 0)")


def test_contracts_of_other_functions():
    """Without a name they are called fn; asynchronous ones fail their future."""
    assert fails("((fn ^pre [(x > 0)] [x] x) 0)").startswith("ContractViolation: fn precondition #1")
    assert value("(fn f ^^async ^post [(result > 0)] [n] n) (try (await (f 0)) catch * $ex/message)") == (
        "ContractViolation: f postcondition #1 failed: (result > 0) | args=[n=0] | result=0"
    )
    assert value("(fn f ^^async ^pre [(n > 0)] [n] n) (var made (f 0)) (made .state)").name == "failure"


def test_conditions_are_code():
    """They call functions, and what they throw comes out."""
    assert value("(fn small [n] (n < 10)) (fn f ^pre [(small n)] [n] n) (f 1)") == 1
    assert fails('(fn f ^pre [(throw "no")] [] 1) (f)') == "no"


def test_violations_are_assertions():
    """Of class AssertionException, at the place of the condition."""
    failed = error("(fn f ^pre [\n  (n > 0)] [n] n)\n(f 0)")
    assert isinstance(failed, AssertionException)
    assert failed.location == "t.gene:2:3"
    assert value("(fn f ^pre [false] [] 1) (try (f) catch AssertionException 2)") == 2


def test_recursion_with_contracts():
    """Each call is checked."""
    assert (
        value("(fn f ^pre [(n > 0)] ^post [(result > 0)] [n] (if (n > 1) (f (n - 1)) else n)) (f 5000)") == 1
    )
