"""Generators: functions that hand out values one by one."""

from __future__ import annotations

import gc

import pytest
from support import fails, output, run, value

from gene.data.atoms import NOT_FOUND
from gene.runtime.text import inspect


def shown(text):
    """The value of a program as the REPL shows it."""
    return inspect(value(text))


COLLECT = "(fn all [g] (var out []) (for x in g (out .push x)) out)"


# -- making and asking -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "definition",
    [
        "(fn count* [n] (for i in (1 .. n) (yield i))) (var g (count* 3))",
        "(fn count ^^generator [n] (for i in (1 .. n) (yield i))) (var g (count 3))",
        "(fn ^^generator count [n] (for i in (1 .. n) (yield i))) (var g (count 3))",
        "(var count (fn ^^generator [n] (for i in (1 .. n) (yield i)))) (var g (count 3))",
        "(class C (method count* [n] (for i in (1 .. n) (yield i)))) (var g ((new C) .count* 3))",
        "(fn outer [] (fn count* [n] (for i in (1 .. n) (yield i))) (count* 3)) (var g (outer))",
        "(ns /n (fn /count* [n] (for i in (1 .. n) (yield i)))) (var g (n/count* 3))",
    ],
)
def test_what_makes_a_generator(definition):
    """A name that ends in ``*``, or the property ``^^generator``; functions and methods alike."""
    assert value(f"{COLLECT} {definition} (all g)") == [1, 2, 3]


def test_next_and_the_end():
    """``next`` gives values, then ``not_found``, again and again."""
    assert shown("(fn f* [] (yield 1) (yield 2)) (var g (f*)) [(g .next) (g .next) (g .next) (g .next)]") == (
        "[1 2 not_found not_found]"
    )


def test_has_next_looks_ahead():
    """It runs the body up to the next ``yield``, and keeps the value."""
    text = '(fn f* [] (println "one") (yield 1) (println "two")) (var g (f*))'
    assert run(f"{text} (println (g .has_next) (g .has_next) (g .next) (g .has_next))")[1] == (
        "one\ntwo\ntrue true 1 false\n"
    )


def test_the_body_starts_when_it_is_asked():
    """Calling runs nothing, but checks the arguments."""
    assert (
        run('(fn f* [a] (println "in") (yield a)) (var g (f* 1)) (println "made") (g .next)')[1]
        == "made\nin\n"
    )
    assert fails("(fn f* [a] (yield a)) (f*)") == "Expected 1 arguments, got 0"
    assert "expected Int, got String in a" in fails('(fn f* [a: Int] (yield a)) (f* "s")')


def test_pairs():
    """``next_pair`` and loops over two names count the values."""
    assert (
        shown('(fn f* [] (yield "a")) (var g (f*)) [(g .next_pair) (g .next_pair)]') == '[[0 "a"] not_found]'
    )
    assert output('(fn f* [] (yield "a") (yield "b")) (for i x in (f*) (println i x))') == "0 a\n1 b\n"


def test_generators_are_values():
    """Of a kind of their own."""
    assert run("(fn f* [] (yield 1)) (var g (f*)) (println g (typeof g))")[1] == "VkGenerator Generator\n"
    assert fails("(fn f* [] (yield 1)) ((f*) .nope)") == "Method nope not found on VkGenerator"


def test_a_generator_runs_once():
    """A second loop finds nothing left."""
    assert value(f"{COLLECT} (fn f* [] (yield 1)) (var g (f*)) [(all g) (all g)]") == [[1], []]


def test_objects_with_iter_spread():
    """What a loop runs over through a method ``iter`` can be spread like a generator."""
    assert value("(class A (method iter [] [1 2])) (var a (new A)) [0 a... (a .iter)...]") == [0, 1, 2, 1, 2]


def test_generators_spread():
    """Into arrays, calls and interpolated code."""
    assert value("(fn f* [] (yield 1) (yield 2)) (var g (f*)) [0 g... 3]") == [0, 1, 2, 3]
    assert value("(fn f* [] (yield 1) (yield 2)) (var g (f*)) (max g...)") == 2


# -- bodies ----------------------------------------------------------------------------------------------


def test_yield_is_an_expression():
    """Its value is nil, and it may stand anywhere in the body."""
    assert shown("(fn f* [] (var x (yield 1)) (yield x)) (var g (f*)) [(g .next) (g .next) (g .next)]") == (
        "[1 nil not_found]"
    )
    assert run("(fn f* [] (println (yield 1) (yield 2))) (for x in (f*) (println x))")[1] == "1\n2\nnil nil\n"
    assert value(f"{COLLECT} (fn f* [] (yield (yield 1))) (all (f*))") == [1, None]
    assert value(
        f"{COLLECT} (fn f* [n] (if (n > 0) (yield 1) else (yield 2)) (case n when 1 (yield 3)) (do (yield 4))) (all (f* 1))"
    ) == [1, 3, 4]


def test_any_value_can_be_yielded():
    """Also nil and void."""
    assert shown(
        "(fn f* [] (yield nil) (yield void) (yield)) (var g (f*)) [(g .next) (g .next) (g .next) (g .next)]"
    ) == ("[nil void nil not_found]")


def test_endless_generators():
    """Values are made as they are asked for."""
    fib = "(fn fib* [] (var a 0) (var b 1) (loop (yield a) (var t (a + b)) (a = b) (b = t)))"
    assert value(f"{fib} (var g (fib*)) (var r []) (repeat 10 (r .push (g .next))) r") == [
        0,
        1,
        1,
        2,
        3,
        5,
        8,
        13,
        21,
        34,
    ]
    assert value(f"{fib} (var r []) (for x in (fib*) (if (x > 5) (break)) (r .push x)) r") == [
        0,
        1,
        1,
        2,
        3,
        5,
    ]


def test_return_ends_a_generator():
    """Its value is dropped, like that of the last form."""
    assert value(f"{COLLECT} (fn f* [] (yield 1) (return 5) (yield 2)) (all (f*))") == [1]
    assert value(f"{COLLECT} (fn f* [] (for x in [1 2 3] (if (x == 3) (return)) (yield x))) (all (f*))") == [
        1,
        2,
    ]
    assert value(f"{COLLECT} (fn f* [] (yield 1) 7) (all (f*))") == [1]


def test_generators_of_generators():
    """A generator hands on what others make, to any depth."""
    text = """
        (fn inner* [] (yield 1) (yield 2))
        (fn outer* [] (for x in (inner*) (yield (x * 10))) (yield "end"))
    """
    assert value(f"{COLLECT} {text} (all (outer*))") == [10, 20, "end"]
    deep = "(fn down* [n] (if (n > 0) (do (yield n) (for x in (down* (n - 1)) (yield x)))))"
    assert value(f"{COLLECT} {deep} (len (all (down* 100)))") == 100


def test_a_tree():
    """Recursive generators as methods; ``iter`` makes the object itself iterable."""
    text = """
        (class Tree (ctor [/value /left = nil /right = nil])
          (method items* []
            (for x in /left (yield x))
            (yield /value)
            (for x in /right (yield x)))
          (method iter [] (.items*)))
        (all (new Tree 2 (new Tree 1) (new Tree 4 (new Tree 3))))
    """
    assert value(f"{COLLECT} {text}") == [1, 2, 3, 4]


def test_closures_in_generators():
    """Each turn of a loop has its variables, as everywhere."""
    assert value(
        f"{COLLECT} (fn f* [] (for i in [1 2] (yield (fn [] i)))) ((all (f*)) .map (fn [g] (g)))"
    ) == [1, 2]


def test_several_at_once():
    """Each call has a state of its own."""
    text = "(fn n* [] (var i 0) (loop (yield i) (i += 1))) (var a (n*)) (var b (n*))"
    assert value(f"{text} [(a .next) (a .next) (b .next) (a .next)]") == [0, 1, 0, 2]


# -- try -------------------------------------------------------------------------------------------------


def test_errors_leave_at_next():
    """Where the value was asked for; the generator has ended then."""
    text = '(fn f* [] (yield 1) (throw "boom") (yield 2)) (var g (f*)) (g .next)'
    assert shown(f"{text} [(try (g .next) catch * $ex/message) (g .next)]") == '["boom" not_found]'


def test_try_in_generators():
    """Clauses and ``finally`` work around ``yield``, and may yield themselves."""
    text = """
        (fn f* [] (try (yield 1) (throw "e") (yield 2) catch * (yield $ex/message) finally (yield 9)))
    """
    assert value(f"{COLLECT} {text} (all (f*))") == [1, "e", 9]


def test_finally_runs_when_a_loop_is_left():
    """An abandoned generator is closed."""
    text = '(fn f* [] (try (yield 1) (yield 2) finally (println "closed")))'
    _, printed = run(f'{text} (fn g [] (for x in (f*) (println x) (break)) (println "after")) (g)')
    gc.collect()
    assert printed == "1\nclosed\nafter\n"


def test_abandoned_generators_do_no_harm(capsys):
    """Nothing is reported, though the body never ends; a ``yield`` while it is closed is not reached."""
    value("(fn f* [] (try (loop (yield 1)) finally (yield 2))) (fn g [] (var i (f*)) (i .next)) (g)")
    gc.collect()
    assert capsys.readouterr() == ("", "")


def test_a_loop_may_look_ahead_in_its_own_generator():
    """What was looked at is still among the items, and nothing comes twice."""
    text = """
        (fn f* [] (yield 1) (yield 2) (yield 3))
        (fn joined [] (var g (f*)) (var out "")
          (for x in g (out = ($ out x (if (g .has_next) ", " else "."))))
          out)
        (fn skipping [] (var g (f*)) (var out []) (for x in g (out .push x) (out .push (g .next_pair))) out)
    """
    assert value(f"{text} (joined)") == "1, 2, 3."
    assert value(f"{text} (skipping)") == [1, [1, 2], 3, NOT_FOUND]


def test_a_generator_goes_on_after_a_loop_was_left():
    """Indices go on too, and looking ahead before a loop loses nothing."""
    text = """
        (fn f* [] (yield "a") (yield "b") (yield "c") (yield "d"))
        (fn go []
          (var g (f*)) (g .has_next)
          (for x in g (break))
          (var out [(g .next_pair)])
          (for i x in g (out .push [i x]))
          [out (g .next)])
    """
    assert value(f"{text} (go)") == [[[1, "b"], [2, "c"], [3, "d"]], NOT_FOUND]


def test_a_generator_is_closed_when_an_error_or_a_return_leaves_the_loop():
    """Its ``finally`` runs then, once."""
    text = """
        (fn f* [] (try (yield 1) (yield 2) finally (println "closed")))
        (fn thrown [] (try (for x in (f*) (throw "e")) catch * (println $ex/message)))
        (fn returned [] (for x in (f*) (return x)))
        (thrown) (println (returned))
    """
    _, printed = run(text)
    gc.collect()
    assert sorted(printed.split()) == ["1", "closed", "closed", "e"]


# -- refusals --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "program",
    [
        "(yield 1)",
        "(fn f [] (yield 1))",
        "(fn f* [] ([1] .each (fn [x] (yield x))))",
        "(fn f* [] (-> (yield 1)))",
    ],
)
def test_yield_belongs_to_generators(program):
    """Not to functions inside of them either."""
    assert fails(program) == "yield used outside of generator function"


def test_the_value_of_a_call_is_the_generator():
    """The compiler does not take what the body ends with for the value of the call."""
    assert (
        fails("(fn f* [] (yield 1) 5) (fn g [] (f*)) ((g) + 1)") == "Cannot add values of type: VkGenerator"
    )
    assert value("(fn f* [] (yield 1) nil) (fn g [] (if (f*) 1 else 2)) (g)") == 1


def test_generators_that_cannot_be():
    """A generator is not asynchronous, and does not ask itself for a value while it makes one."""
    assert fails("(fn g* ^^async [] (yield 1))") == "a generator cannot be asynchronous"
    itself = "(var g nil) (fn f* [] (yield (g .next))) (g = (f*))"
    assert fails(f"{itself} (g .next)") == "A generator cannot ask itself for a value while it makes one"


def test_contracts_of_generators():
    """Preconditions are checked when the first value is asked for; there is no result to check."""
    assert "precondition #1 failed: (n > 0)" in fails("(fn f* ^pre [(n > 0)] [n] (yield n)) ((f* 0) .next)")
    assert fails("(fn f* ^post [true] [n] (yield n))") == "a generator has no result that ^post could look at"
