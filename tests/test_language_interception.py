"""Interception: advice around methods and functions."""

from __future__ import annotations

import pytest
from support import error, fails, output, run, value

from gene.runtime.text import inspect

FULL = """
    (class A (method m [x] (println "m" x) (x * 2)))
    (interceptor Log [run]
      (after run [x result] (println "after" x result) 99)
      (invariant run [x] (println "invariant"))
      (around run [x proceed] (println "in") (var r (proceed)) (println "out") (r + 1))
      (before run [x] (println "before" x))
      (before_filter run [x] (println "filter") (x > 0)))
    (var w (Log A "m"))
"""


def test_order():
    """Filter, before, invariant, around with the call in it, invariant, after; however they are written."""
    assert output(f"{FULL} (println ((new A) .m 5))") == (
        "filter\nbefore 5\ninvariant\nin\nm 5\nout\ninvariant\nafter 5 11\n11\n"
    )


def test_a_filter_stops_the_call():
    """Its answer is not true: the call gives nil, and nothing else runs."""
    assert output(f"{FULL} (println ((new A) .m 0))") == "filter\nnil\n"


def test_disable_and_enable():
    """What the application returned switches the advice off and on."""
    assert output(
        f"{FULL} (w .disable) (println ((new A) .m 5)) w/.enable w/.disable (println ((new A) .m 1))"
    ) == ("m 5\n10\nm 1\n2\n")


def test_functions_are_wrapped():
    """The function itself stays as it is."""
    text = "(fn f [x] (x + 1)) (fn-interceptor Times [g] (around g [x proceed] (proceed (x * 10)))) (var w (Times f))"
    assert value(f"{text} [(w 1) (f 1) ([1 2] .map w) (w .call 2)]") == [11, 2, [11, 21], 21]
    assert value(f"{text} (w .disable) (w 1)") == 2
    assert value(f"{text} (var w2 (Times w)) (w2 1)") == 101


def test_after_may_replace_the_result():
    """With ``^^replace_result``; otherwise its value is dropped."""
    text = (
        "(fn f [x] (x + 1)) (fn-interceptor After [g] (after g {0} [x result] (result * 100))) ((After f) 1)"
    )
    assert value(text.format("^^replace_result")) == 200
    assert value(text.format("")) == 2


def test_proceed():
    """Without arguments it passes those of the call; others replace them, keywords by name."""
    text = "(fn f [a b = 0 ^k = 0] [a b k]) (fn-interceptor I [g] (around g [a b proceed ^k = 0] {0})) ((I f) 1 2 ^k 3)"
    assert value(text.format("(proceed)")) == [1, 2, 3]
    assert value(text.format("(proceed 8 9)")) == [8, 9, 3]
    assert value(text.format("(proceed 8 9 ^k 7)")) == [8, 9, 7]
    assert value(text.format('"instead"')) == "instead"
    assert value(text.format("[(proceed) (proceed 5 6)]")) == [[1, 2, 3], [5, 6, 3]]


def test_methods_keep_their_receiver():
    """Advice of a class's methods knows self, and ``proceed`` needs no receiver."""
    text = "(class A (ctor [/k]) (method m [x] (x + /k))) (interceptor I [m] (around m [x proceed] [/k (proceed) (proceed 100)])) (I A)"
    assert value(f"{text} ((new A 5) .m 1)") == [5, 6, 105]


def test_properties_of_self_in_advice():
    """Self may be of any class, so advice reads and assigns properties that the class does not name."""
    text = "(class A (method m [] 1)) (interceptor I [m] (around m [go] (/calls = ((/calls || 0) + 1)) [/calls /nope (go)])) (I A) (var a (new A))"
    assert inspect(value(f"{text} (a .m)")) == "[1 void 1]"
    assert inspect(value(f"{text} (a .m) (a .m) [a/calls (a .m)]")) == "[2 [3 void 1]]"
    assert (
        value(
            "(class A (method m [] 1)) (interceptor I [m] (before m [] (/n += 1))) (I A) (var a (new A)) (a/n = 1) (a .m) a/n"
        )
        == 2
    )


def test_all_methods_or_none():
    """A method that is not there leaves the others as they are."""
    text = '(class A (method m [] 1)) (interceptor I [a b] (before a [] (throw "x")))'
    assert value(f'{text} (try (I A "m" "zz") catch * nil) ((new A) .m)') == 1


def test_several_methods():
    """Names in the interceptor stand for the methods that it is applied to, in order."""
    text = """
        (class A (method m [x] x) (method n [x] x))
        (interceptor I [a b] (before a [x] (println "a" x)) (before b [x] (println "b" x)))
        (var w (I A "m" `n))
        ((new A) .m 1) ((new A) .n 2) (w/0 .disable) ((new A) .m 3) ((new A) .n 4)
    """
    assert run(text)[1] == "a 1\nb 2\nb 4\n"


def test_interceptors_stack():
    """The last one applied is the outermost; advice of one kind runs in the order of its definition."""
    text = """
        (class A (method m [x] x))
        (interceptor Plus [m] (after m ^^replace_result [x r] (r + 1)))
        (interceptor Times [m] (after m ^^replace_result [x r] (r * 10)) (after m ^^replace_result [x r] (r + 3)))
        (Plus A) (Times A) ((new A) .m 1)
    """
    assert value(text) == 23


def test_children_and_parents():
    """Applied to a child, an inherited method is intercepted there only; ``super`` sees what the parent has."""
    text = "(class A (method m [x] x)) (class B < A) (interceptor I [m] (after m ^^replace_result [x r] (r + 10)))"
    assert value(f"{text} (I B) [((new B) .m 1) ((new A) .m 1)]") == [11, 1]
    assert value(
        f"{text} (class C < A (method m [x] (super .m x))) (I A) [((new C) .m 1) ((new B) .m 1)]"
    ) == [11, 11]


def test_instances_made_before():
    """They are of the same class, so their calls are intercepted as well."""
    text = "(class A (method m [] 1)) (var a (new A)) (a .m) (interceptor I [m] (after m ^^replace_result [r] 2)) (I A)"
    assert value(f"{text} (a .m)") == 2


def test_invariants():
    """They run before and after the call; false is an error, any other answer is dropped."""
    text = '(class A (ctor [/n]) (method take [x] (/n -= x) /n)) (interceptor I [m] (invariant m [x] (/n >= 0))) (I A "take") (var a (new A 5))'
    assert value(f"{text} (a .take 2)") == 3
    failed = error(f"{text} (a .take 9)")
    assert str(failed) == "[GENE.INTERCEPT.INVARIANT] an invariant of I is false after the call"
    assert type(failed).__name__ == "AssertionException"
    assert (
        fails(f"{text} (a/n = -1) (a .take 0)")
        == "[GENE.INTERCEPT.INVARIANT] an invariant of I is false before the call"
    )
    assert value("(fn f [x] x) (fn-interceptor I [g] (invariant g [x] nil)) ((I f) 1)") == 1


def test_wrapped_functions_are_functions():
    """They print as such, and have names of their own once they are assigned."""
    text = '(fn f [x] (x + 1)) (fn-interceptor Log [g] (before g [x] (println "call" x)))'
    assert run(f"{text} (println (Log f) (typeof (Log f)) Log) (f = (Log f)) (f 1)") == (
        2,
        "VkFunction Function Log\ncall 1\n",
    )
    assert run(
        "(fn f* [x] (yield x)) (fn-interceptor I [g] (before g [x] (println x))) (((I f*) 1) .next)"
    ) == (1, "1\n")


def test_advice_takes_the_arguments_of_the_call():
    """As they are given: without defaults of the function; a rest parameter takes any."""
    text = "(fn f [a b = 9] [a b]) (fn-interceptor I [g] (around g [args... proceed] [(len args) (proceed args...)]))"
    assert value(f"{text} (var w (I f)) [(w 1) (w 1 2)]") == [[1, [1, 9]], [2, [1, 2]]]
    assert value("(fn f [a] a) (fn-interceptor I [g] (before g [x] (x = 100))) ((I f) 1)") == 1


def test_errors_pass_through():
    """From advice and from the call."""
    assert (
        value(
            '(fn f [] 1) (fn-interceptor I [g] (before g [] (throw "no"))) (try ((I f)) catch * $ex/message)'
        )
        == "no"
    )
    assert (
        value('(fn f [] (throw "x")) (fn-interceptor I [g] (around g [p] (try (p) catch * "safe"))) ((I f))')
        == "safe"
    )


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("(interceptor I 5)", "interceptor needs a name and an array of names"),
        ("(interceptor I [5])", "interceptor needs a name and an array of names"),
        ("(interceptor I [a a])", "interceptor needs a name and an array of names"),
        ("(fn-interceptor I [a b])", "I: a function has one name"),
        ("(fn-interceptor I [a]) (fn f []) (I f f)", "[GENE.INTERCEPT.ARITY] I is for 1 function, got 2"),
        ("(fn-interceptor I [a]) (I)", "[GENE.INTERCEPT.TARGET] I expects a function, got VkVoid"),
        ("(interceptor I [a] (nope a [] 1))", "I: advice is expected, (before name [args] …)"),
        ("(interceptor I [a] (before b [] 1))", "I: b is not among its names"),
        (
            '(class A) (interceptor I [a] (before a [] 1)) (I A "m")',
            "[GENE.INTERCEPT.METHOD] A has no method m",
        ),
        (
            "(interceptor I [trim]) (I String)",
            "[GENE.INTERCEPT.TARGET] I expects a class, and String is built in",
        ),
        ("(interceptor I [a] (before a [] 1)) (I 5)", "[GENE.INTERCEPT.TARGET] I expects a class, got VkInt"),
        (
            "(fn-interceptor I [a] (before a [] 1)) (I 5)",
            "[GENE.INTERCEPT.TARGET] I expects a function, got VkInt",
        ),
        (
            '(class A (method m [] 1)) (interceptor I [a b] (before a [] 1)) (I A "m")',
            "[GENE.INTERCEPT.ARITY] I is for 2 methods (a, b), got 1",
        ),
    ],
)
def test_mistakes(program, message):
    """Each says what is expected."""
    assert fails(program) == message
