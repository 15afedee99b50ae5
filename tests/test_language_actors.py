"""Actors: state, replies, isolation, ends."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest
from gene_command import gene
from support import error, fails, output, value

from gene.interpreter import Interpreter
from gene.runtime.exceptions import ConcurrencyException
from gene.stdlib.capabilities import ALL

COUNTER = "(var a (gene/actor/spawn ^state 0 (fn [ctx n total] (ctx .reply (total + n)) (total + n))))"


def threads():
    return [thread for thread in threading.enumerate() if thread.name == "gene actor"]


def all_end_within(seconds):
    limit = time.monotonic() + seconds
    while threads() and time.monotonic() < limit:
        time.sleep(0.005)
    return not threads()


# -- messages --------------------------------------------------------------------------------------------


def test_request_and_reply():
    """The handler replies, and its value is the next state."""
    text = (
        COUNTER
        + "[(await (a .send_expect_reply 1)) (await (a .send_expect_reply 5)) (await (a .send_expect_reply -2))]"
    )
    assert value(text) == [1, 6, 4]


def test_enabling_is_not_needed():
    """Programs that enable actors first work like those that do not."""
    assert (
        value(
            f"(gene/actor/enable) (gene/actor/enable ^workers 4) {COUNTER} (await (a .send_expect_reply 3))"
        )
        == 3
    )


def test_messages_are_handled_in_order():
    """One after the other, in the order in which they were sent, whatever they take."""
    text = """
        (var a (gene/actor/spawn ^state [] (fn [ctx n seen]
            (sleep (n % 3))
            (seen .push n)
            (ctx .reply seen)
            seen)))
        (for n in (0 .. 29) (a .send n))
        (await (a .send_expect_reply 30))
    """
    assert value(text) == list(range(31))


def test_senders_in_many_threads():
    """No message of many senders is lost, and the state is never torn."""
    gene = Interpreter(capabilities=ALL)
    actor = gene.eval(COUNTER + " a")
    senders = [threading.Thread(target=lambda: [actor.send(1) for _ in range(500)]) for _ in range(8)]
    for thread in senders:
        thread.start()
    for thread in senders:
        thread.join()
    assert gene.eval("(await (a .send_expect_reply 0))") == 4000


def test_actors_work_side_by_side():
    """Twenty actors that sleep take as long as one."""
    start = time.monotonic()
    text = """
        (var replies [])
        (repeat 20
            (var a (gene/actor/spawn (fn [ctx msg _] (sleep 100) (ctx .reply msg) nil)))
            (replies .push (a .send_expect_reply 1)))
        (await replies...)
    """
    assert value(text) == [1] * 20
    assert time.monotonic() - start < 1


def test_actors_wait_for_each_other():
    """A chain of actors, each of which waits for the next one's reply, needs no spare threads."""
    text = """
        (var next nil)
        (repeat 50
            (var target next)
            (next = (gene/actor/spawn ^state target (fn [ctx msg target]
                (ctx .reply (if target ((await (target .send_expect_reply msg)) + 1) else msg))
                target))))
        (await (next .send_expect_reply 0))
    """
    assert value(text) == 49


def test_actors_send_to_themselves():
    """A message to itself comes after the one that is being handled."""
    text = """
        (var a nil)
        (a = (gene/actor/spawn ^state 0 (fn [ctx n total]
            (println n)
            (if (n > 0) (a .send (n - 1)))
            (total + n))))
        (a .send 3)
    """
    assert output(text) == "3\n2\n1\n0\n"


# -- isolation -------------------------------------------------------------------------------------------


def test_messages_states_and_replies_are_copied():
    """Neither side sees what the other one changes later."""
    text = """
        (var state {^seen []})
        (var a (gene/actor/spawn ^state state (fn [ctx msg state]
            (state/seen .push msg/0)
            (msg .push "changed")
            (ctx .reply state)
            state)))
        (var message ["m"])
        (var first (await (a .send_expect_reply message)))
        (first/seen .push "mine")
        (var second (await (a .send_expect_reply message)))
        [state message first second]
    """
    assert value(text) == [{"seen": []}, ["m"], {"seen": ["m", "mine"]}, {"seen": ["m", "m"]}]


def test_a_message_is_copied_when_it_is_sent():
    """What the sender changes afterwards does not arrive."""
    text = """
        (var a (gene/actor/spawn (fn [ctx msg _] (sleep 20) (ctx .reply msg) nil)))
        (var message [1])
        (var reply (a .send_expect_reply message))
        (message .push 2)
        (await reply)
    """
    assert value(text) == [1]


def test_frozen_messages_are_shared():
    """What cannot change arrives as it is, and so do functions and futures."""
    gene = Interpreter()
    gene.eval("(var a (gene/actor/spawn (fn [ctx msg _] (ctx .reply msg) nil)))")
    for text in ("(freeze [1 {^a [2]}])", "(fn [] 1)", "(new Future)", "a"):
        assert gene.eval(f"(var m {text}) ((await (a .send_expect_reply m)) == m)"), text
    sent = gene.eval("(var m (freeze [1]))m")
    assert gene.eval("(await (a .send_expect_reply m))") is sent
    assert gene.eval("(var f (new Future)) (a .send_expect_reply f) (f .complete 1) (await f)") == 1


# -- errors ----------------------------------------------------------------------------------------------


def test_an_error_fails_the_reply():
    """Whoever waits gets the exception; the state stays, and the actor goes on."""
    text = """
        (var a (gene/actor/spawn ^state 1 (fn [ctx msg state]
            (if (msg == "bad") (throw "refused"))
            (ctx .reply state)
            (state + 1))))
        [(await (a .send_expect_reply "x"))
         (try (await (a .send_expect_reply "bad")) catch * $ex/message)
         (await (a .send_expect_reply "x"))]
    """
    assert value(text) == [1, "refused", 2]


def test_the_report_of_an_error_leads_to_the_handler():
    """An exception that crosses to another thread keeps the place where it was thrown."""
    failed = error(
        '(var a (gene/actor/spawn (fn [ctx msg _]\n  (throw "deep"))))\n(await (a .send_expect_reply 1))'
    )
    assert failed.location == "t.gene:2:3"


def test_errors_that_nobody_waits_for_are_told(capsys):
    """An error in the handling of a plain message goes to standard error, with its place."""
    Interpreter().run_text('(var a (gene/actor/spawn (fn [c m s] (throw "lost"))))\n(a .send 1)', "t.gene")
    assert capsys.readouterr().err == "t.gene:1:38: error in an actor: lost\n"


def test_an_error_after_the_reply_is_told(capsys):
    """The reply stands, and the error is told."""
    text = '(var a (gene/actor/spawn (fn [c m s] (c .reply 1) (throw "after"))))\n(println (await (a .send_expect_reply 1)))'
    Interpreter().run_text(text, "t.gene")
    out, err = capsys.readouterr()
    assert out == "1\n"
    assert err == "t.gene:1:51: error in an actor: after\n"


def test_handlers_that_do_not_reply():
    """Whoever waits is told at once that there will be none."""
    failed = error("(var a (gene/actor/spawn (fn [ctx msg _] nil))) (await (a .send_expect_reply 1))")
    assert isinstance(failed, ConcurrencyException)
    assert (str(failed), failed.code) == (
        "the actor handled the message without a reply",
        "GENE.ACTOR.NO_REPLY",
    )


def test_replies_may_come_later():
    """A handler may keep its context, answer the next messages, and reply in a callback."""
    text = """
        (var a (gene/actor/spawn (fn [ctx msg _]
            ((gene/sleep_async msg) .on_success (fn [v] (ctx .reply msg)))
            nil)))
        (var slow (a .send_expect_reply 40))
        (var quick (a .send_expect_reply 1))
        [(await quick) (slow .state) (await slow)]
    """
    quick, state, slow = value(text)
    assert (quick, str(state), slow) == (1, "pending", 40)


def test_a_second_reply_is_an_error(capsys):
    """Only one reply counts; one that nobody waits for any more does no harm."""
    Interpreter().run_text(
        "(var a (gene/actor/spawn (fn [c m s] (c .reply 1) (c .reply 2))))"
        "(println (await (a .send_expect_reply 1)))(a .send 1)"
        "(var b (gene/actor/spawn (fn [c m s] (sleep 20) (c .reply 1) nil)))((b .send_expect_reply 1) .cancel)"
    )
    out, err = capsys.readouterr()
    assert out == "1\n"
    assert err.count("cannot complete a future in state success") == 1
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(gene/actor/spawn)", "gene/actor/spawn requires a handler: (fn [ctx msg state] …)"),
        ("(gene/actor/spawn 5)", "gene/actor/spawn callback must be a function, got VkInt"),
        ("(gene/actor/enable ^workers 0)", "gene/actor/enable requires a positive Int as ^workers, got 0"),
        (COUNTER + "(a .tell 1)", "Method tell not found on VkActor"),
        (
            "(var a (gene/actor/spawn (fn [ctx] nil))) (await (a .send_expect_reply 1))",
            "Expected 1 arguments, got 3",
        ),
    ],
)
def test_mistakes(text, message):
    """Each mistake has a message that says what would be right."""
    assert fails(text) == message


def test_deep_recursion_in_an_actor():
    """A handler may recurse as deep as any code, and endless recursion is an error, not a crash."""
    text = """
        (fn depth [n] (if (n == 0) 0 else (1 + (depth (n - 1)))))
        (class Endless (method call [x] (1 + (self x))))
        (var endless (new Endless))
        (var a (gene/actor/spawn (fn [ctx msg _] (ctx .reply (if msg (depth msg) else (endless 1))) nil)))
        [(await (a .send_expect_reply 90000)) (try (await (a .send_expect_reply nil)) catch * $ex/code)]
    """
    assert value(text) == [90_000, "GENE.VM.STACK_OVERFLOW"]


# -- waits that nothing could end -------------------------------------------------------------------------

NEVER = "await would never end: the future is pending, and nothing runs that could complete it"


def alone(text):
    """What a program prints, and what it tells of errors, in a process without other threads."""
    done = gene("run", text=text, timeout=20)
    return done.stdout, done.stderr


def test_an_actor_that_waits_for_itself():
    """Its wait fails, and with it the reply that the program waits for."""
    text = """
        (var me nil)
        (me = (gene/actor/spawn (fn [ctx m s] (if (m == "go") (await (me .send_expect_reply "again"))))))
        (try (await (me .send_expect_reply "go")) catch * (println $ex/code $ex/message))
    """
    assert alone(text)[0] == f"GENE.ASYNC.NEVER {NEVER}\n"


def test_actors_that_wait_for_each_other():
    """They give up before the program does, which learns of it by the reply."""
    text = """
        (var b nil)
        (var a (gene/actor/spawn (fn [ctx m s] (if (m == "go") (await (b .send_expect_reply m))))))
        (b = (gene/actor/spawn (fn [ctx m s] (await (a .send_expect_reply "back")))))
        (try (await (a .send_expect_reply "go")) catch * (println $ex/message))
    """
    assert alone(text)[0] == f"{NEVER}\n"


def test_a_program_does_not_wait_for_actors_that_nothing_could_wake():
    """It ends, and tells why the message was not handled."""
    text = "(var f (new Future)) (var a (gene/actor/spawn (fn [ctx m s] (await m)))) (a .send f)"
    printed, told = alone(text + ' (println "end")')
    assert printed == "end\n"
    assert f"error in an actor: {NEVER}" in told


def test_waits_that_end_are_not_given_up():
    """However the threads take turns, who completes a future is seen in time."""
    text = """
        (var n 0)
        (repeat 100
          (var f (new Future))
          (var a (gene/actor/spawn (fn [ctx m s] (m .complete 1))))
          (var b (gene/actor/spawn (fn [ctx m s] (ctx .reply (1 + (await m))))))
          (var r (b .send_expect_reply f))
          (a .send f)
          (n += (await r)))
        n
    """
    assert value(text) == 200


# -- ends ------------------------------------------------------------------------------------------------


def test_stop_refuses_further_messages():
    """What was sent before is handled still; stopping twice does no harm."""
    text = (
        COUNTER
        + """
        (var replies [(a .send_expect_reply 1) (a .send_expect_reply 2)])
        (a .stop) (a .stop)
        [(await replies...) (try (a .send 1) catch * [$ex/message $ex/code])
         (try (a .send_expect_reply 1) catch ConcurrencyException "refused")]
    """
    )
    stopped = ["the actor was stopped and takes no more messages", "GENE.ACTOR.STOPPED"]
    assert value(text) == [[1, 3], stopped, "refused"]


def test_an_actor_stops_itself():
    """After that message it handles none, and whoever waits for one is told."""
    text = """
        (var a (gene/actor/spawn ^state 0 (fn [ctx msg n] (sleep 20) (ctx .stop) (ctx .reply "last") nil)))
        (var first (a .send_expect_reply 1))
        (var second (a .send_expect_reply 2))
        [(await first) (try (await second) catch * $ex/message) (try (a .send 3) catch * $ex/message)]
    """
    assert value(text) == [
        "last",
        "the actor was stopped before it handled the message",
        "the actor was stopped and takes no more messages",
    ]


def test_a_program_ends_when_all_messages_are_handled():
    """Also those that actors send each other meanwhile; actors need not be stopped, and no thread is left."""
    text = """
        (var log (gene/actor/spawn (fn [ctx msg _] (println msg) nil)))
        (var worker (gene/actor/spawn (fn [ctx msg _] (sleep 20) (log .send #"did #{msg}") nil)))
        (worker .send 1) (worker .send 2)
        (println "body")
    """
    assert output(text) == "body\ndid 1\ndid 2\n"
    assert all_end_within(1)


def test_ten_thousand_actors():
    """An actor without messages costs no thread."""
    text = """
        (var all [])
        (repeat 10000 (all .push (gene/actor/spawn ^state 1 (fn [ctx msg n] (ctx .reply n) n))))
        (await (all/9999 .send_expect_reply 1))
    """
    text = text.replace("(all/9999 .send", "((all .get 9999) .send")
    assert value(text) == 1
    assert len(threads()) <= 1


def test_exit_in_an_actor_ends_the_program():
    """The process ends with that status, although another actor is busy."""
    text = """
        (var sleeper (gene/actor/spawn (fn [ctx msg _] (sleep 60000))))
        (sleeper .send 1)
        ((gene/actor/spawn (fn [ctx msg _] (exit msg))) .send 4)
    """
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "gene", "eval", text], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (4, "", "")
    assert time.monotonic() - start < 10


def test_eval_lets_actors_work_on():
    """An embedded evaluation does not wait for messages; the host may."""
    gene = Interpreter(capabilities=ALL)
    start = time.monotonic()
    gene.eval(
        "(var seen []) (var a (gene/actor/spawn (fn [ctx msg _] (sleep 50) (seen .push msg) nil))) (a .send 1)"
    )
    assert time.monotonic() - start < 0.05
    assert gene.drain()
    assert gene.eval("seen") == [1]
