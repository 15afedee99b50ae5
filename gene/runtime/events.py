"""Events: how work that ended in another thread comes back to the code that waits for it.

Every thread that runs Gene code has :class:`Events`, and so has every actor: a queue of calls that are to be
made there and nowhere else, such as the callbacks of futures. They are made when that code waits, and at the
end of a program. So a program's own code never runs in two threads at once unless it spawns actors.
"""

from __future__ import annotations

import sys
import threading
from queue import Empty, SimpleQueue
from time import monotonic

from gene.runtime.failures import caught

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    Job = Callable[[], Any]

_waiting: Final[set[Events]] = set()
"""The events of threads that wait without a limit. Whoever posts something takes them out."""

SLICE: Final = 0.05
"""Seconds that a wait lasts at most before Python code runs again, so that a time limit can end it."""


class Program:
    """What a program has to wait for before it ends.

    Args:
        events: The events of the code that was started first.

    Attributes:
        events: The same.
        is_stopped: Whether ``(stop_scheduler)`` is to end ``(run_forever)``.
        pending: How much work is under way.
        closing: What to call when the program ends, last one first.
    """

    __slots__ = ("_lock", "closing", "events", "is_stopped", "pending")

    def __init__(self, events: Events) -> None:
        self.events = events
        self.is_stopped = False
        self.pending = 0
        self.closing: list[Job] = []
        # Reentrant: a signal may arrive, or an object be freed, while it is held.
        self._lock = threading.RLock()

    def begin(self) -> None:
        """Note that there is work that must be done before the program ends."""
        with self._lock:
            self.pending += 1

    def end(self) -> None:
        """Note that such work is done."""
        with self._lock:
            self.pending -= 1
        if not self.pending:
            self.events.wake()

    def stop(self) -> None:
        """``(stop_scheduler)``: end :meth:`Events.run_forever`."""
        self.is_stopped = True
        self.events.wake()

    def close(self) -> None:
        """End what would otherwise go on, such as servers."""
        while self.closing:
            self.closing.pop()()


class Events:
    """The calls that wait to be made in one thread, or for one actor.

    Args:
        program: The program that they belong to, None for a program of their own.
        notify: Told after each call that was posted, for actors, which do not wait by themselves.

    Attributes:
        thread: The thread that waits here, if one does.
    """

    __slots__ = ("_depth", "_jobs", "notify", "program", "thread")

    def __init__(self, program: Program | None = None, notify: Callable[[Job], None] | None = None) -> None:
        self.program = Program(self) if program is None else program
        self.notify = notify
        self.thread = 0
        self._depth = 0
        self._jobs: SimpleQueue[Job] = SimpleQueue()

    def post(self, job: Job) -> None:
        """Have something called here; from any thread."""
        self._jobs.put(job)
        _waiting.discard(self)
        if self.notify is not None:
            self.notify(self.run_ready)

    def wake(self) -> None:
        """Have whoever waits here look again."""
        self._jobs.put(_nothing)
        _waiting.discard(self)

    def is_idle(self) -> bool:
        """Whether the program has nothing left to do, now or later."""
        return not self.program.pending and self._jobs.empty()

    def can_never_end(self) -> bool:
        """Whether no thread is left that could do something for the code that waits here.

        All threads wait then, without a limit and with nothing to do. Where actors are among them, it is for
        those to give up first: whoever waits for an actor learns from it what went wrong.
        """
        others = [each for each in list(_waiting) if each is not self]
        known = {threading.get_ident(), *(each.thread for each in others)}
        # A thread that a C library or _thread started is not among those of threading, but it has a frame.
        running = {*sys._current_frames(), *(thread.ident for thread in threading.enumerate())}  # noqa: SLF001 - public
        if not running <= known:
            return False
        is_first = self.notify is not None or all(each.notify is None for each in others)
        return is_first and self._jobs.empty() and not _handles_signals()

    # -- making the calls ------------------------------------------------------------------------------

    def run_ready(self) -> None:
        """Make the calls that are waiting now, and not those that they lead to."""
        for _ in range(self._jobs.qsize()):
            try:
                job = self._jobs.get_nowait()
            except Empty:  # a call that is being made waited, and made the rest meanwhile
                return
            self._call(job)

    def run_until(
        self, done: Callable[[], bool], deadline: float | None = None, *, idle: Job | None = None
    ) -> bool:
        """Make calls as they come until ``done()``.

        Args:
            done: Asked after every call, and every SLICE seconds.
            deadline: When to give up, in terms of ``time.monotonic()``; None for never.
            idle: Called after SLICE seconds in which nothing came. All other threads had time to begin.

        Returns:
            Whether it is done.
        """
        self.run_ready()
        try:
            while not done():
                left = SLICE if deadline is None else min(SLICE, deadline - monotonic())
                if left <= 0:
                    return False
                try:
                    job = self._wait(left, endless=deadline is None)
                except Empty:
                    if idle is not None:
                        idle()
                    continue
                self._call(job)
        finally:
            _waiting.discard(self)
        self.run_ready()
        return True

    def _wait(self, seconds: float, *, endless: bool) -> Job:
        """The next job; while there is none, other threads may know that this one only waits."""
        if endless:
            self.thread = threading.get_ident()
            _waiting.add(self)
            if not self._jobs.empty():  # whoever posted it may not have seen that this thread waits
                _waiting.discard(self)
        return self._jobs.get(timeout=seconds)

    def run_forever(self) -> None:
        """``(run_forever)``: make calls as they come until ``(stop_scheduler)``, perhaps an earlier one."""
        program = self.program
        self.run_until(lambda: program.is_stopped)
        program.is_stopped = False

    def drain(self, deadline: float | None = None) -> bool:
        """Do all that the program started and has not done yet.

        Args:
            deadline: When to give up, in terms of ``time.monotonic()``; None for never.

        Returns:
            Whether nothing is left.
        """
        return self.run_until(self.is_idle, deadline)

    def sleep(self, seconds: float) -> None:
        """Make calls as they come for some time; not while one is being made, which then is not disturbed."""
        if not self._depth:
            self.run_until(_never, monotonic() + seconds)

    def _call(self, job: Job) -> None:
        """Make a call; nobody waits for it, so an error is told to people, and work goes on."""
        self._depth += 1
        try:
            job()
        except Exception as error:  # noqa: BLE001 - see above
            report(error, "a callback")
        finally:
            self._depth -= 1


def _nothing() -> None:
    """What wakes up, and nothing else."""


def _never() -> bool:
    return False


def report(error: Exception, where: str) -> None:
    """Tell of an error that no code can catch, on standard error."""
    known = caught(error)
    place = f"{known.location}: " if type(known.location) is str else ""
    sys.stdout.flush()
    sys.stderr.write(f"{place}error in {where}: {known}\n")


def _handles_signals() -> bool:
    """Whether a signal, such as that of Ctrl-C or of a timer, calls a function, which could do anything."""
    from signal import NSIG, default_int_handler, getsignal

    handlers = (getsignal(number) for number in range(1, NSIG))
    return any(callable(handler) and handler is not default_int_handler for handler in handlers)


# -- whose events --------------------------------------------------------------------------------------


class _Local(threading.local):
    events: Events | None = None


_local: Final = _Local()


def current() -> Events:
    """The events of the code that runs: its actor's, or its thread's."""
    events = _local.events
    if events is None:
        events = _local.events = Events()
    return events


def enter(events: Events | None) -> Events | None:
    """Make events those of this thread, None for new ones when they are needed.

    Returns:
        Those that it had before.
    """
    before, _local.events = _local.events, events
    return before


def drain(timeout: float | None) -> bool:
    """:meth:`Events.drain` for this thread, with a timeout in seconds; 0 makes the calls that are due."""
    events = _local.events
    if events is None:
        return True
    return events.drain(None if timeout is None else monotonic() + timeout)


def leave(outer: Events | None) -> None:
    """End the program of this thread's events, and go back to those of an outer one."""
    if _local.events is not None:
        _local.events.program.close()
    enter(outer)
