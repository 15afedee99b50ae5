"""Threads that exist while there is work for them."""

from __future__ import annotations

import threading
import time

import pytest
from support import error, value

from gene.runtime.exceptions import ThreadException
from gene.runtime.workers import LINGER, Workers


def threads(name):
    return [thread for thread in threading.enumerate() if thread.name == name]


def test_jobs_run_in_order():
    """With one thread, jobs run one after the other in the order in which they came."""
    workers, seen, done = Workers("test order", 1), [], threading.Event()
    for number in range(1000):
        workers.submit(lambda number=number: seen.append(number))
    workers.submit(done.set)
    assert done.wait(10)
    assert seen == list(range(1000))


def test_no_more_threads_than_allowed():
    """Jobs beyond the limit wait for their turn, and all are done."""
    workers, most, done = Workers("test limit", 3), [], threading.Semaphore(0)

    def job():
        most.append(len(threads("test limit")))
        time.sleep(0.01)
        done.release()

    for _ in range(20):
        workers.submit(job)
    for _ in range(20):
        assert done.acquire(timeout=10)
    assert max(most) == 3


def test_threads_end_without_work():
    """A thread waits a little for the next job, takes it, and ends when none comes."""
    workers, seen = Workers("test end", 4), []
    for _ in range(3):
        workers.submit(lambda: seen.append(threading.get_ident()))
        time.sleep(LINGER / 4)
    assert len(set(seen)) == 1
    limit = time.monotonic() + 5
    while threads("test end"):
        assert time.monotonic() < limit
        time.sleep(LINGER)


def test_a_system_without_threads(monkeypatch):
    """A thread that the system refuses is an error for who needs it, and leaves nothing to wait for."""

    def refuse(_thread):
        raise RuntimeError("can't start new thread")

    spawn = "(var a (gene/actor/spawn (fn [ctx msg _] (ctx .reply msg) nil)))"
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refuse)
        workers, seen = Workers("test refused", 1), []
        with pytest.raises(ThreadException, match="Failed to start a thread: can't start new thread"):
            workers.submit(lambda: seen.append(1))
        assert isinstance(error(spawn + "(a .send 1)"), ThreadException)
        assert isinstance(error('(await (gene/io/read_async "x"))'), ThreadException)
        assert isinstance(error("(await (gene/sleep_async 1))"), ThreadException)
    done = threading.Event()
    workers.submit(done.set)
    assert done.wait(10)
    assert seen == []
    assert value(spawn + "(await (a .send_expect_reply 2))") == 2
