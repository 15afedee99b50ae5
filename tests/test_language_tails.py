"""Depth: recursion a hundred thousand deep, and tail calls without end in constant memory."""

import tracemalloc

import pytest
from support import value

DEEP = [
    "(fn f [n] (if (n == 0) 0 else (1 + (f (n - 1))))) (f 100000)",
    "(fn go [] (fn f [n] (if (n == 0) 0 else (1 + (f (n - 1))))) (f 100000)) (go)",
    "(class A (method m [n] (if (n == 0) 0 else (1 + (.m (n - 1)))))) ((new A) .m 100000)",
    "(fn a [n] (if (n == 0) 0 else (1 + (b (n - 1))))) (fn b [n] (if (n == 0) 0 else (1 + (a (n - 1))))) (a 100000)",
    "(fn f [g n] (if (n == 0) 0 else (1 + (g g (n - 1))))) (f f 100000)",
]
LONG = {
    "itself": "(fn f [n] (if (n == 0) 0 else (f (n - 1)))) (f {n})",
    "itself, typed": "(fn f [n: Int] -> Int (if (n == 0) 0 else (f (n - 1)))) (f {n})",
    "out of a loop": "(fn f [n] (for x in [1] (if (n == 0) (return 0)) (return (f (n - 1))))) (f {n})",
    "by return": "(fn f [n] (if (n == 0) (return 0)) (return (f (n - 1)))) (f {n})",
    "in a case": "(fn f [n] (case n when 0 0 else (f (n - 1)))) (f {n})",
    "each other": "(fn a [n] (if (n == 0) 0 else (b (n - 1)))) (fn b [n] (if (n == 0) 0 else (a (n - 1)))) (a {n})",
    "through a parameter": "(fn f [g n] (if (n == 0) 0 else (g g (n - 1)))) (f f {n})",
    "through a closure": "(fn make [] (var f nil) (f = (fn [n] (if (n == 0) 0 else (f (n - 1))))) f) ((make) {n})",
    "through a map": "(var m {{}}) (fn f [n] (if (n == 0) 0 else (m/f (n - 1)))) (m/f = f) (f {n})",
    "inner functions": "(fn go [k] (fn a [n] (if (n == 0) 0 else (b (n - 1)))) (fn b [n] (if (n == 0) 0 else (a (n - 1)))) (a k)) (go {n})",
    "each other, typed": "(fn a [n: Int] -> Int (if (n == 0) 0 else (b (n - 1)))) (fn b [n: Int] -> Int (if (n == 0) 0 else (a (n - 1)))) (a {n})",
    "by keyword": "(fn f [^n ^step = 1] (if (n == 0) 0 else (f ^n (n - step)))) (f ^n {n})",
    "with a spread": "(fn f [n rest...] (if (n == 0) 0 else (var m (n - 1)) (f m rest...))) (f {n} 1 2)",
    "by keyword, out of a closure": "(fn make [] (var f nil) (f = (fn [^n] (if (n == 0) 0 else (f ^n (n - 1))))) f) ((make) ^n {n})",
    "a method": "(class A (method m [n] (if (n == 0) 0 else (.m (n - 1))))) ((new A) .m {n})",
    "a method, typed": "(class A (method m [n] -> Int (if (n == 0) 0 else (.m (n - 1))))) ((new A) .m {n})",
    "methods of each other": "(class A (method a [n] (if (n == 0) 0 else (.b (n - 1)))) (method b [n] (.a n))) ((new A) .a {n})",
    "methods of two objects": "(class A (ctor [/next]) (method m [n] (if (n == 0) 0 else (/next .m (n - 1) self)))"
    " (method link [/next] self)) (class B (method m [n a] (a .m n))) ((new A (new B)) .m {n})",
    "a method's keyword": "(class A (method m [^n] (if (n == 0) 0 else (.m ^n (n - 1))))) ((new A) .m ^n {n})",
    "a method without arguments": "(class A (ctor [/n]) (method m [] (if (/n == 0) 0 else (/n -= 1) self/.m))) ((new A {n}) .m)",
    "the parent's method": "(class A (method m [n] (if (n == 0) 0 else (.m (n - 1)))))"
    " (class B < A (method m [n] (super .m n))) ((new B) .m {n})",
    "a method and a function": "(class A (method m [n] (f n))) (var a (new A)) (fn f [n] (if (n == 0) 0 else (a .m (n - 1)))) (f {n})",
    "a function of a class": "(class A (fn /f [n] (if (n == 0) 0 else (A/f (n - 1))))) (A/f {n})",
    "an adapter": "(interface I (method m [n])) (class A) (implement I for A (method m [n] (if (n == 0) 0 else (.m (n - 1))))) ((I (new A)) .m {n})",
    "with a captured parameter": "(fn f [n] (var g (fn [] n)) (if (n == 0) (g) else (f (n - 1)))) (f {n})",
}


@pytest.mark.parametrize("program", DEEP)
def test_recursion_is_deep(program):
    """100,000 calls inside of each other are nothing special."""
    assert value(program) == 100_000


@pytest.mark.parametrize("how", LONG)
def test_tail_calls_are_long(how):
    """Half a million tail calls, more than there is stack for, run, however they reach the next function."""
    assert value(LONG[how].format(n=500_000)) == 0


@pytest.mark.parametrize("how", ["itself", "each other", "through a closure"])
def test_tail_calls_need_no_memory(how):
    """The stack does not grow: twenty times the calls need no more memory."""
    peaks = []
    for count in (1_000, 20_000):
        tracemalloc.start()
        value(LONG[how].format(n=count))
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 100_000


def test_a_tail_call_of_itself_assigns_its_parameters_at_once():
    """New arguments are evaluated before any parameter changes."""
    assert value("(fn f [a b n] (if (n == 0) [a b] else (f b a (n - 1)))) (f 1 2 3)") == [2, 1]
    assert (
        value("(fn fibs [a b n] (if (n == 0) a else (fibs b (a + b) (n - 1)))) (fibs 0 1 50)") == 12586269025
    )


def test_closures_of_each_turn_keep_their_values():
    """A function that a turn of a tail call made sees that turn's parameters."""
    assert value(
        "(fn f [n fs] (fs .push (fn [] n)) (if (n == 0) (fs .map (fn [g] (g))) else (f (n - 1) fs))) (f 3 [])"
    ) == [3, 2, 1, 0]


def test_a_call_under_try_is_no_tail_call():
    """Its errors belong to the clauses, its end to finally."""
    assert value('(fn f [n] (if (n == 0) (throw "end")) (try (f (n - 1)) catch * ($ "c" n))) (f 3)') == "c1"
    assert value("(var l []) (fn f [n] (try (if (n > 0) (f (n - 1))) finally (l .push n))) (f 3) l") == [
        0,
        1,
        2,
        3,
    ]


def test_tail_calls_check_their_arguments():
    """Counts, types and defaults hold in each turn."""
    assert value("(fn f [n: Int] (if (n == 0) n else (f 0.0))) (f 5)") == 0
    assert value("(fn f [n acc = 7] (if (n == 0) acc else (f (n - 1)))) (f 3 0)") == 7
