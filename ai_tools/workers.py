"""Threads for the calls of those who could not leave a blocked tool otherwise."""

from __future__ import annotations

import os
import sys
import threading
from queue import SimpleQueue
from time import monotonic
from typing import TYPE_CHECKING, Any

from ai_tools.watchdog import Guard, deadline_of_thread, expire

if TYPE_CHECKING:
    from collections.abc import Callable

GRACE = 0.5
"""Seconds that code gets to unwind after its deadline before it counts as one that cannot be interrupted."""

MAX_IDLE = 32
"""Threads that wait for work. More may run; those that then find enough waiting end."""

USUAL_RECURSION = 10_000
"""A recursion limit up to which the usual stack of a thread is large enough."""

LARGE_STACK = 256 << 20
"""Bytes of stack for a thread under a higher limit. It is address space; memory is taken as it is used."""

_idle: list[_Worker] = []
_members: set[int] = set()


class AbandonedError(Exception):
    """The code could not be interrupted; its thread is given up, and ends when the code does."""


class Job:
    """Work for a worker thread: ``guard.run(work, *args)`` in the submitter's context variables."""

    __slots__ = ("args", "context", "error", "guard", "notify", "value", "work")

    def __init__(self, guard: Guard, work: Callable[..., Any], args: tuple[Any, ...]) -> None:
        from contextvars import copy_context

        self.guard = guard
        self.work = work
        self.args = args
        self.context = copy_context()
        self.value: Any = None
        self.error: BaseException | None = None
        self.notify: Callable[[], Any] = _nothing

    def start(self, notify: Callable[[], Any]) -> None:
        """Begin the work in a waiting thread or a new one; `notify` is called there when it has ended."""
        self.notify = notify
        try:
            worker = _idle.pop()
        except IndexError:
            worker = _Worker()
            _start(worker)
        worker.jobs.put(self)

    def perform(self) -> None:
        """Do the work in this thread."""
        try:
            self.value = self.context.run(self.guard.run, self.work, *self.args)
        except BaseException as error:  # noqa: BLE001 - it is handed to the waiting caller
            self.error = error
        self.notify()

    def outcome(self) -> Any:
        """Return the value of work that has ended, or raise its error."""
        if self.error is not None:
            raise self.error
        return self.value


def _nothing() -> None:
    pass


def _start(worker: _Worker) -> None:
    """Start a thread, with a stack that fits a recursion limit that the host has raised far.

    Python 3.11 recurses on the C stack where code calls itself through C and overruns it, with the process;
    later versions count such calls and stop in time.
    """
    if sys.version_info >= (3, 12) or sys.getrecursionlimit() <= USUAL_RECURSION:
        worker.start()
        return
    before = threading.stack_size(LARGE_STACK)
    try:
        worker.start()
    finally:
        threading.stack_size(before)


class _Worker(threading.Thread):
    def __init__(self) -> None:
        super().__init__(name="ai_tools worker", daemon=True)
        self.jobs: SimpleQueue[Job] = SimpleQueue()

    def run(self) -> None:
        me = threading.get_ident()
        _members.add(me)
        while True:
            self.jobs.get().perform()
            if len(_idle) >= MAX_IDLE:
                _members.discard(me)
                return
            _idle.append(self)


def is_worker() -> bool:
    """Whether the calling thread is one of these, which its own caller can give up."""
    return threading.get_ident() in _members


def run(guard: Guard, work: Callable[..., Any], *args: Any) -> Any:
    """Run work under a guard in another thread and wait for it.

    Raises:
        TimeoutError: The deadline passed and the work has ended.
        AbandonedError: The deadline passed and the work could not be ended.
        BaseException: Whatever the work raises.
    """
    ended = threading.Lock()
    ended.acquire()
    job = Job(guard, work, args)
    job.start(ended.release)
    try:
        if not ended.acquire(timeout=seconds_until(min(guard.deadline, deadline_of_thread())) + GRACE):
            raise AbandonedError  # noqa: TRY301 - ends the work like any other exit from here
    except BaseException:  # Ctrl-C, or an outer deadline: the work ends too
        expire(guard)
        raise
    return job.outcome()


def seconds_until(deadline: float) -> float:
    """Return the seconds until a deadline, as `Lock.acquire` takes them."""
    return min(max(0.0, deadline - monotonic()), threading.TIMEOUT_MAX - 10)


def forget() -> None:
    """Start anew in a forked child, where these threads do not exist."""
    _idle.clear()
    _members.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget)
