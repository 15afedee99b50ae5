"""Futures, callbacks, timers, and what a program waits for before it ends."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
import time

import pytest
from support import error, fails, output, run, value

from gene.interpreter import Interpreter
from gene.runtime.exceptions import (
    CancellationException,
    ConcurrencyException,
    IOException,
    PermissionException,
    TimeoutException,
)
from gene.runtime.futures import Future
from gene.stdlib.capabilities import ALL


def gene(text, *options, timeout=30, **streams):
    """A program as a process: exit status, standard output, standard error, seconds."""
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "gene", "eval", *options, text],
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
        **streams,
    )
    return done.returncode, done.stdout, done.stderr, time.monotonic() - start


@contextlib.contextmanager
def started(text):
    """A program as a process that has printed "go" and still runs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "gene", "eval", text], stdout=subprocess.PIPE, text=True
    )
    with process:
        try:
            assert process.stdout.readline() == "go\n"
            yield process
        finally:
            process.kill()


def threads():
    """The threads that futures and actors have started."""
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("gene ")]


def all_end_within(seconds):
    limit = time.monotonic() + seconds
    while threads() and time.monotonic() < limit:
        time.sleep(0.005)
    return not threads()


# -- outcomes --------------------------------------------------------------------------------------------


def test_async_runs_at_once():
    """``async`` evaluates at once and keeps the value, or what was thrown."""
    assert output('(var f (async (println "in") 2)) (println "after" (f .state) (f .value))') == (
        "in\nafter success 2\n"
    )
    assert output('(var f (async (throw "no"))) (println (f .state) (f .value))') == "failure nil\n"


def test_await_gives_values():
    """One future gives its value, several an array."""
    assert value("(await (async 1))") == 1
    assert value("(await (async 1) (async 2))") == [1, 2]


def test_await_throws_what_the_future_failed_with():
    """The exception itself comes out, of the class and with the properties that it was thrown with."""
    text = """
        (class Offline < Exception (ctor [code] (/code = code) (/message = "offline")))
        (var f (async (throw (new Offline 7))))
        [(try (await f) catch Offline $ex/code) (try (await f) catch Offline $ex/message)]
    """
    assert value(text) == [7, "offline"]


def test_a_failure_keeps_its_traceback():
    """The report leads to where it was thrown, however often it is awaited."""
    failed = error('(fn work [] (throw "x"))\n(var f (async (work)))\n(try (await f) catch * 1)\n(await f)')
    assert failed.location == "t.gene:1:13"
    depth = 0
    trace = failed.__traceback__
    while trace is not None:
        depth, trace = depth + 1, trace.tb_next
    assert depth < 20


def test_futures_are_completed_by_hand():
    """A new future is pending until the program completes it."""
    text = (
        '(var f (new gene/Future)) (println f (f .state)) (f .complete "v") (println f (f .state) (await f))'
    )
    assert output(text) == "<Future FsPending> pending\n<Future FsSuccess> success v\n"


def test_futures_fail_as_throw_does():
    """``.fail`` takes what ``throw`` takes."""
    made = value("""
        (fn outcome [v] (var f (new Future)) (f .fail v) (try (await f) catch * [$ex/message $ex/cause (f .state)]))
        [(outcome "text") (outcome {^code 1}) (try (throw "inner") catch * (outcome $ex))]
    """)
    assert [entry[0] for entry in made] == ["text", "{^code 1}", "inner"]
    assert made[1][1] == {"code": 1}
    assert [str(entry[2]) for entry in made] == ["failure"] * 3


@pytest.mark.parametrize("action", ["complete 2", 'fail "x"', "cancel"])
@pytest.mark.parametrize(
    ("end", "state"), [("complete 1", "success"), ('fail "x"', "failure"), ("cancel", "cancelled")]
)
def test_settled_futures_do_not_change(action, end, state):
    """Each second settlement is refused and changes nothing."""
    verb = action.split()[0]
    failed = error(f"(var f (new gene/Future)) (f .{end}) (f .{action})")
    assert str(failed) == f"GENE.ASYNC.ALREADY_TERMINAL: cannot {verb} a future in state {state}"
    assert failed.code == "GENE.ASYNC.ALREADY_TERMINAL"
    assert isinstance(failed, ConcurrencyException)


def test_cancelled_futures():
    """Awaiting one throws, with class, message and code."""
    failed = error("(var f (new gene/Future)) (f .cancel) (await f)")
    assert (type(failed), str(failed)) == (CancellationException, "Future cancelled")
    assert failed.code == "GENE.ASYNC.CANCELLED"


@pytest.mark.parametrize(("timeout", "least"), [("30", 0.03), ("0.05", 0.05), ("0", 0)])
def test_await_gives_up_after_a_timeout(timeout, least):
    """An Int counts milliseconds, a Float seconds; the future goes on."""
    start = time.monotonic()
    failed = error(f"(var f (new gene/Future)) (await ^timeout {timeout} f)")
    assert least <= time.monotonic() - start < least + 0.5
    assert (type(failed), str(failed)) == (TimeoutException, "await timed out")
    assert failed.code == "GENE.ASYNC.TIMEOUT"
    assert (
        value('(var f (new Future)) (try (await ^timeout 1 f) catch * 0) (f .complete "late") (await f)')
        == "late"
    )


def test_a_timeout_counts_for_all_futures_together():
    """Several futures share one deadline, and nil sets none."""
    start = time.monotonic()
    text = "(var f (gene/sleep_async 5000)) (try (await ^timeout 60 (gene/sleep_async 50) f) catch * (f .cancel) $ex/message)"
    assert value(text) == "await timed out"
    assert time.monotonic() - start < 1
    assert value("(await ^timeout nil (async 1))") == 1


def test_the_first_failure_ends_a_wait_for_several():
    """A failure is thrown at once, even where an earlier future is pending."""
    start = time.monotonic()
    assert (
        fails(
            '(var f (gene/sleep_async 5000)) (try (await f (async (throw "x"))) catch * (f .cancel) (throw $ex))'
        )
        == "x"
    )
    assert fails('(await (new Future) (async (throw "x")))') == "x"
    assert time.monotonic() - start < 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(await 5)", "await expects a Future, got: VkInt"),
        ("(await (async 1) nil)", "await expects a Future, got: VkNil"),
        ("(await)", "await requires a Future"),
        (
            "(await ^timeout -1 (async 1))",
            "await ^timeout requires milliseconds (Int) or seconds (Float), got -1",
        ),
        (
            '(await ^timeout "1" (async 1))',
            "await ^timeout requires milliseconds (Int) or seconds (Float), got VkString",
        ),
        (
            "(await ^timeout true (async 1))",
            "await ^timeout requires milliseconds (Int) or seconds (Float), got VkBool",
        ),
        ("(await ^timout 1 (async 1))", "Unexpected keyword argument: timout"),
        ("((async 1) .on_success 5)", "on_success callback must be a function, got VkInt"),
        ("((async 1) .on_failure)", "on_failure callback must be a function, got VkNil"),
        ("((async 1) .then 5)", "Method then not found on VkFuture"),
        ("(gene/sleep_async)", "gene/sleep_async requires milliseconds (Int) or seconds (Float), got VkNil"),
        ("(gene/sleep_async -5)", "gene/sleep_async requires milliseconds (Int) or seconds (Float), got -5"),
        ("(new Future 1)", "Expected 0 arguments, got 1"),
    ],
)
def test_mistakes(text, message):
    """Each mistake has a message that says what would be right."""
    assert fails(text) == message


def test_a_wait_that_could_never_end_is_an_error():
    """Where no thread is left that could complete a future, waiting for it fails instead of hanging."""
    text = "(try (await (new gene/Future)) catch ConcurrencyException (println $ex/code $ex/message))"
    status, out, _, _ = gene(text)
    assert status == 0
    assert out == (
        "GENE.ASYNC.NEVER await would never end: the future is pending,"
        " and nothing runs that could complete it\n"
    )


@pytest.mark.parametrize(
    "start",
    [
        "_thread.start_new_thread(lambda: (time.sleep(0.2), future.complete(5)), ())",
        "signal.signal(signal.SIGALRM, lambda *_: future.complete(5)); signal.setitimer(signal.ITIMER_REAL, 0.2)",
    ],
    ids=["thread", "signal"],
)
def test_a_host_may_end_a_wait_in_ways_of_its_own(start):
    """A thread that ``threading`` does not know, and a handler of a signal, can complete a future."""
    text = f"""
import _thread, signal, time
from gene.interpreter import Interpreter
gene = Interpreter()
future = gene.eval("(var f (new gene/Future)) f")
{start}
print(gene.eval("(await f)"))
"""
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.stdout == "5\n", done.stderr


def test_kinds():
    """Futures have a class, and are equal to themselves only."""
    assert value("[(typeof (async 1)) ((async 1) is Future) ((async 1) == (async 1))]") == [
        "Future",
        True,
        False,
    ]


def test_asynchronous_functions():
    """A call of an ``^^async`` function gives a future, also of what it throws."""
    assert value("(fn add ^^async [a b = 1] (a + b)) (await (add 1) (add 1 5))") == [2, 6]
    assert value('(var f (fn ^^async [] (throw "x"))) ((f) .state)').name == "failure"


# -- callbacks -------------------------------------------------------------------------------------------


def test_callbacks_run_when_the_program_waits():
    """Not before, once, in the order in which they were registered."""
    text = """
        (var f (new gene/Future))
        (f .on_success (fn [v] (println "one" v)))
        (f .on_success (fn [v] (println "two" v)))
        (f .complete 5)
        (println "not yet")
        (await f) (await f)
        (println "end")
    """
    assert output(text) == "not yet\none 5\ntwo 5\nend\n"


def test_callbacks_of_failures():
    """They get the exception, of a cancellation too; those of successes are not called."""
    text = """
        (fn watch [f] (f .on_success (fn [v] (println "no"))) (f .on_failure (fn [e] (println e/message))) f)
        (watch (async (throw "bad")))
        ((watch (new Future)) .cancel)
    """
    assert output(text) == "bad\nFuture cancelled\n"


def test_late_callbacks_run_later():
    """A callback of a finished future is called, but not at once."""
    assert output('((async 1) .on_success (fn [v] (println "later" v))) (println "now")') == "now\nlater 1\n"


def test_callbacks_may_register_and_wait():
    """What callbacks lead to is done before the program ends, even where they wait themselves."""
    text = """
        (var f (new Future))
        ((gene/sleep_async 5) .on_success (fn [v]
            ((async 1) .on_success (fn [w] (println "inner")))
            (await (gene/sleep_async 5))
            (f .complete "done")))
        (println (await f))
    """
    assert sorted(output(text).split()) == ["done", "inner"]


def test_sleep_makes_callbacks():
    """A program that sleeps until a callback has set a variable comes to its end."""
    text = """
        (var ready false)
        ((gene/sleep_async 10) .on_success (fn [v] (ready = true)))
        (while (! ready) (sleep 5))
        "ready"
    """
    assert value(text) == "ready"


def test_errors_in_callbacks_are_told(capsys):
    """They go to standard error with their place, and nothing else is kept from running."""
    text = """(fn bad [v] (throw "oops"))
        ((async 1) .on_success bad)
        ((async 1) .on_success (fn [v] (println "fine")))
        (println (await (async 2)))"""
    value(text)
    out, err = capsys.readouterr()
    assert out == "fine\n2\n"
    assert err == "t.gene:1:13: error in a callback: oops\n"


# -- time, input and output ------------------------------------------------------------------------------


def test_timers_end_in_the_order_of_their_times():
    """However they are started, the shortest comes first."""
    text = """
        (for n in [600 200 400] (var m n) ((gene/sleep_async m) .on_success (fn [v] (println m))))
        (println "started")
    """
    assert output(text) == "started\n200\n400\n600\n"


def test_timers_run_side_by_side():
    """A thousand of them take as long as one, and one thread."""
    start = time.monotonic()
    text = """
        (var all [])
        (repeat 1000 (all .push (gene/sleep_async 0.2)))
        (await all...)
        nil
    """
    value(text)
    assert 0.2 <= time.monotonic() - start < 2


def test_a_cancelled_timer_keeps_nothing_waiting():
    """A program that has called off an hour's timer ends at once, and so does its thread."""
    start = time.monotonic()
    assert output("(var f (gene/sleep_async 3600.0)) (f .cancel) (println (f .state))") == "cancelled\n"
    assert time.monotonic() - start < 1
    assert all_end_within(1)


def test_times_beyond_those_of_the_system():
    """A timer may be set to any time."""
    text = "(var far [(gene/sleep_async 9223372036854775807) (gene/sleep_async (1.0 / 0))]) (await (gene/sleep_async 1))"
    assert value(text + "(for f in far (f .cancel))") is None


def test_files_are_read_and_written_in_the_background(tmp_path):
    """The futures have the text of the file, and the errors of the functions that wait."""
    path = f'"{tmp_path}/f"'
    assert value(f'(await (gene/io/write_async {path} "text")) (await (gene/io/read_async {path}))') == "text"
    failed = error(f'(await (gene/io/read_async "{tmp_path}/none"))')
    assert isinstance(failed, IOException)
    assert "Failed to read file" in str(failed)
    many = f"(var fs []) (repeat 200 (fs .push (gene/io/read_async {path}))) ((await fs...) .size)"
    assert value(many) == 200


def test_files_need_their_capability():
    """Without it there is no way around through a future."""
    with pytest.raises(PermissionException, match="gene/io/read_async needs the capability 'files'"):
        Interpreter().eval('(gene/io/read_async "x")')


# -- ends ------------------------------------------------------------------------------------------------


def test_a_program_ends_when_its_work_is_done(tmp_path):
    """Timers, files and callbacks are waited for; no thread is left."""
    path = tmp_path / "f"
    text = f"""
        ((gene/sleep_async 30) .on_success (fn [v] (println "timer")
            ((gene/io/write_async "{path}" "x") .on_success (fn [v] (println "written")))))
        (println "body")
    """
    assert output(text) == "body\ntimer\nwritten\n"
    assert path.read_text() == "x"
    assert all_end_within(1)


def test_pending_futures_keep_no_program():
    """A future that nobody completes does not keep a program from ending."""
    assert output('(var f (new Future)) (f .on_success println) (println "end")') == "end\n"


def test_a_timer_without_callbacks_keeps_no_program():
    """Nothing would happen at its end, so nobody waits for it; a callback that comes later counts."""
    start = time.monotonic()
    text = "(var f (gene/sleep_async 60000)) (try (await ^timeout 5 f) catch TimeoutException (println $ex/message))"
    assert output(text) == "await timed out\n"
    assert time.monotonic() - start < 5
    late = "(var f (gene/sleep_async 30)) (await (gene/sleep_async 5)) (f .on_success (fn [v] (println f/.state)))"
    assert output(late) == "success\n"


def test_the_command_ends_likewise():
    """``gene eval`` waits for timers, and ``exit`` in a callback sets the status at once."""
    assert gene('((gene/sleep_async 30) .on_success (fn [v] (println "late")))')[:3] == (0, "late\n", "")
    status, out, err, seconds = gene(
        "(gene/sleep_async 60000) ((gene/sleep_async 20) .on_success (fn [v] (exit 3)))"
    )
    assert (status, out, err) == (3, "", "")
    assert seconds < 10


def test_an_error_ends_a_program_at_once():
    """An uncaught error does not wait for timers."""
    status, _, err, seconds = gene('(gene/sleep_async 60000) (throw "stop")')
    assert status == 1
    assert "stop" in err
    assert seconds < 10


def test_an_interrupt_ends_a_wait():
    """Ctrl-C ends a program that waits."""
    with started('(println "go") (flush) (await (gene/sleep_async 60000))') as process:
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130


def test_run_forever_ends_on_demand():
    """It makes callbacks until one stops it; what is left is done still."""
    text = """
        (var n 0)
        (fn tick [v] (n += 1) (println n) (if (n < 3) ((gene/sleep_async 2) .on_success tick) else (stop_scheduler)))
        (tick nil)
        (run_forever)
        (println "stopped")
    """
    assert output(text) == "1\n2\n3\nstopped\n"


def test_signals_end_run_forever():
    """A handler of Ctrl-C can end the program in its own way."""
    text = """(on_signal "INT" (fn [name] (println name) (stop_scheduler))) (println "go") (flush) (run_forever) (println "end")"""
    with started(text) as process:
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=10)[0] == "INT\nend\n"
        assert process.returncode == 0


# -- hosts -----------------------------------------------------------------------------------------------


def test_eval_does_not_wait(capsys):
    """An embedded evaluation makes what is due; ``drain`` does the rest, within a limit if there is one."""
    gene = Interpreter(capabilities=ALL)
    start = time.monotonic()
    gene.eval(
        '((gene/sleep_async 100) .on_success (fn [v] (println "timer"))) ((async 1) .on_success println)'
    )
    assert time.monotonic() - start < 0.09
    assert capsys.readouterr().out == "1\n"
    assert gene.drain(0.001) is False
    assert gene.drain() is True
    assert capsys.readouterr().out == "timer\n"


def test_run_leaves_other_work_of_the_thread_alone():
    """A program that is run waits for its own timers, not for those of earlier evaluations."""
    gene = Interpreter(capabilities=ALL)
    timer = gene.eval("((gene/sleep_async 3600.0) .on_success println)")
    start = time.monotonic()
    assert output("(await (gene/sleep_async 1)) (println 1)") == "1\n"
    assert time.monotonic() - start < 1
    assert not gene.drain(0)
    timer.cancel()
    assert gene.drain(0)


def test_a_failed_program_leaves_nothing_to_the_next(capsys):
    """Callbacks of a program that failed are not made by another one."""
    fails_program = '((async 1) .on_success (fn [v] (println "stale"))) (throw "x")'
    with pytest.raises(Exception, match="x"):
        Interpreter(capabilities=ALL).run_text(fails_program)
    Interpreter(capabilities=ALL).run_text("(await (async 1))")
    assert capsys.readouterr().out == ""


def test_hosts_settle_futures_from_any_thread():
    """A future that another thread completes wakes the program at once; callbacks run in the program's thread."""
    gene = Interpreter()
    future = Future()
    seen = []
    gene.define("future", future)
    gene.define("note", lambda _value: seen.append(threading.current_thread()))
    threading.Timer(0.05, future.complete, (42,)).start()
    start = time.monotonic()
    assert gene.eval("(future .on_success note) (await future)") == 42
    assert time.monotonic() - start < 1
    assert seen == [threading.main_thread()]


def test_many_threads_race_to_complete():
    """Exactly one of many completions counts, and every callback is called once."""
    for _ in range(20):
        gene, future, won, called = Interpreter(), Future(), [], []
        gene.define("future", future)
        gene.define("note", called.append)
        barrier = threading.Barrier(8)

        def complete(number, future=future, barrier=barrier, won=won):
            barrier.wait()
            try:
                future.complete(number)
            except ConcurrencyException:
                return
            won.append(number)

        racing = [threading.Thread(target=complete, args=(number,)) for number in range(8)]
        for thread in racing:
            thread.start()
        gene.eval("(repeat 50 (future .on_success note))")
        for thread in racing:
            thread.join()
        assert gene.drain(5)
        assert len(won) == 1
        assert called == won * 50


def test_interpreters_in_threads():
    """Each thread makes its own callbacks."""
    results = {}

    def work(number):
        text = f"(var seen []) (repeat 20 ((gene/sleep_async 1) .on_success (fn [v] (seen .push {number})))) (sleep 50) seen"
        results[number] = Interpreter(capabilities=ALL).eval(text)

    started = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    assert results == {number: [number] * 20 for number in range(4)}


def test_start_up_loads_nothing_of_this():
    """A program without futures loads no module of theirs, and no threads."""
    code = (
        "import sys; before = set(sys.modules); from gene.interpreter import Interpreter;"
        "Interpreter().run_text('(println 1)');"
        "print(*sorted(set(sys.modules) - before))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    for name in (
        "gene.runtime.events",
        "gene.runtime.futures",
        "asyncio",
        "queue",
        "sched",
        "urllib",
        "http",
    ):
        assert name not in loaded


def test_run_gives_value_and_output():
    """The helper of these tests sees what callbacks print during an evaluation."""
    assert run("((async 1) .on_success println) 5") == (5, "1\n")
