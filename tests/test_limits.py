"""Limits of embedded programs: what stops them, that they cannot help it, that the interpreter lives on."""

import sys
import threading
import time

import pytest

from gene import GeneError, Interpreter, LimitError, Limits, report

ENDLESS = {
    "loop": "(loop)",
    "while": "(while true)",
    "for": "(for i in (0 .. 1000000000) i)",
    "repeat": "(repeat 1000000000)",
    "recursion": "(fn f [] (+ 1 (f))) (f)",
    "tail call": "(fn f [] (f)) (f)",
    "mutual tail calls": "(fn a [] (b)) (fn b [] (a)) (a)",
    "method": "(class A (method m [] (.m))) ((new A) .m)",
    "generator": "(fn y* [] (loop (yield 1))) (for x in (y*) x)",
    "callback": "([1] .map (fn [x] (loop)))",
    "eval": "(eval `(loop))",
    "macro": "(fn twice! [x] ($caller_eval x)) (twice! (loop))",
    "async": "(await (async (loop)))",
    "actor": "(var a (gene/actor/spawn (fn [ctx m s] (loop)))) (await (a .send_expect_reply 1))",
    "catch": "(loop (try (loop) catch * 1))",
    "catch by name": "(loop (try (loop) catch e 1))",
    "finally": "(try (loop) finally (loop))",
}


@pytest.mark.parametrize("how", ENDLESS)
def test_steps_end_whatever_does_not_end(how):
    """No form keeps a program running, and no handler catches the end."""
    interpreter = Interpreter(limits=Limits(steps=20_000))
    with pytest.raises(LimitError, match="it may take 20,000 steps") as caught:
        interpreter.eval(ENDLESS[how])
    assert (caught.value.limit, caught.value.allowed) == ("steps", 20_000)
    assert interpreter.eval("(+ 1 2)") == 3


def test_steps_are_exact():
    """A step is a call or a turn of a loop; the last one that is allowed still happens."""
    program = "(fn f [] 1) (for i in (1 .. 10) (f))"
    Interpreter(limits=Limits(steps=20)).eval(program)
    with pytest.raises(LimitError):
        Interpreter(limits=Limits(steps=19)).eval(program)


def test_each_entry_gets_the_full_limits():
    """What one evaluation spent is not missing in the next, nor in a call."""
    interpreter = Interpreter(limits=Limits(steps=1_000))
    interpreter.eval("(fn work [] (repeat 900 1))")
    for _ in range(3):
        interpreter.eval("(work)")
        interpreter.call("work")


def test_an_entry_within_another_shares_its_limits():
    """A host function that evaluates more is no way around the limits."""
    interpreter = Interpreter(limits=Limits(steps=1_000))
    interpreter.define("again", lambda: interpreter.eval("(repeat 400 1)"))
    interpreter.eval("(again) (again)")
    with pytest.raises(LimitError):
        interpreter.eval("(again) (again) (again)")


def test_seconds():
    """A program that takes too long is stopped soon after."""
    interpreter = Interpreter(limits=Limits(seconds=0.2))
    start = time.monotonic()
    with pytest.raises(LimitError, match=r"it may take 0\.2 seconds"):
        interpreter.eval("(loop)")
    assert 0.2 <= time.monotonic() - start < 5


@pytest.mark.parametrize(
    "program",
    [
        '(loop (println "0123456789"))',
        '(loop (print "0123456789"))',
        '(loop (println "0123456789" ^^stderr))',
        '(loop (stdout .write "0123456789"))',
        '(loop (stderr .write_line "0123456789"))',
    ],
)
def test_output(program, capsys):
    """Nothing is written beyond the limit, by whatever name."""
    with pytest.raises(LimitError, match="it may take 100 characters of output"):
        Interpreter(limits=Limits(output=100)).eval(program)
    written = capsys.readouterr()
    assert 80 <= len(written.out + written.err) <= 100


def test_modules_are_limited_too(tmp_path):
    """What a program imports draws on the same limits; compiled files of both kinds stay apart."""
    (tmp_path / "helper.gene").write_text("(fn spin [] (loop))")
    (tmp_path / "main.gene").write_text('(import spin from "helper") (fn go [] (spin))')
    for limits in (Limits(steps=100), None, Limits(steps=100)):
        interpreter = Interpreter(limits=limits)
        go = interpreter.run(tmp_path / "main.gene").get("go")
        if limits is not None:
            with pytest.raises(LimitError):
                interpreter.call(go)


def test_the_error_says_where():
    """Place and report lead to the loop."""
    with pytest.raises(GeneError) as caught:
        Interpreter(limits=Limits(steps=100)).eval("(fn spin []\n  (loop))\n(spin)", "job.gene")
    assert caught.value.location == "job.gene:2:3"
    lines = report.text(caught.value).splitlines()
    assert lines[0] == "error[GENE.LIMIT.STEPS]: the program was stopped: it may take 100 steps"
    assert "  --> job.gene:2:3" in lines
    assert "in spin" in "".join(lines)


@pytest.mark.parametrize("limits", [{"steps": 0}, {"seconds": -1.0}, {"output": 0}])
def test_limits_are_positive(limits):
    """A limit that allows nothing is a mistake."""
    with pytest.raises(ValueError, match="must be positive"):
        Limits(**limits)


def test_threads_spend_limits_of_their_own():
    """Calls that overlap do not take from each other, and none goes on because others come."""
    interpreter = Interpreter(limits=Limits(steps=5_000))
    interpreter.eval("(fn count [n] (var i 0) (while (i < n) (i += 1)) i) (fn endless [] (loop))")
    outcomes = []

    def work(number):
        for _ in range(20):
            try:
                outcomes.append(interpreter.call("count", 3_000) if number else interpreter.call("endless"))
            except LimitError as error:
                outcomes.append(error.limit)

    usual = sys.getswitchinterval()
    sys.setswitchinterval(0.00005)
    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(usual)
    assert sorted(outcomes, key=str) == [3_000] * 60 + ["steps"] * 20
