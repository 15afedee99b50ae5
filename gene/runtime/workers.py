"""Threads that exist while there is work for them.

An idle program has none, so there is nothing to shut down; and as they are daemons, a program that wants to
end at once does. (``concurrent.futures`` keeps its threads, and Python waits for them when it exits.)
"""

from __future__ import annotations

import threading
from collections import deque

from gene.runtime.exceptions import ThreadException

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

LINGER: Final = 0.02
"""Seconds that a thread waits for another job: starting a new one takes 0.1 ms, 10 times what a job needs."""

_starting: Final = threading.RLock()


class Workers:
    """Up to ``limit`` threads that run jobs in the order in which they came.

    Args:
        name: What the threads are called.
        limit: How many run at once; with 1, jobs run one after the other.
        stack: Bytes of their stacks, 0 for the system's default.
    """

    __slots__ = ("_change", "_idle", "_jobs", "_limit", "_name", "_running", "_stack")

    def __init__(self, name: str, limit: int, *, stack: int = 0) -> None:
        self._name = name
        self._limit = limit
        self._stack = stack
        self._running = 0
        self._idle = 0
        self._jobs: deque[Callable[[], None]] = deque()
        # Reentrant, as conditions are: a signal may arrive, or an object be freed, while it is held.
        self._change = threading.Condition()

    def submit(self, job: Callable[[], None]) -> None:
        """Have a job run by a thread; it must not raise.

        Raises:
            ThreadException: The system refused the thread that the job needs.
        """
        with self._change:
            self._jobs.append(job)
            if len(self._jobs) <= self._idle:
                self._change.notify()
                return
            if self._running == self._limit:
                return
            self._running += 1
        try:
            self._start()
        except RuntimeError as error:
            if self._given_up(job):
                raise ThreadException(f"Failed to start a thread: {error}") from None

    def _start(self) -> None:
        thread = threading.Thread(target=self._work, name=self._name, daemon=True)
        with _starting:  # the size is the process's, for all threads that start
            usual = threading.stack_size(self._stack)
            try:
                thread.start()
            finally:
                threading.stack_size(usual)

    def _given_up(self, job: Callable[[], None]) -> bool:
        """Whether nobody runs a job because its thread did not start; other threads may still take it."""
        with self._change:
            self._running -= 1
            if self._running or job not in self._jobs:
                return False
            self._jobs.remove(job)
            return True

    def _work(self) -> None:
        while (job := self._next()) is not None:
            job()
            del job  # what it holds must not wait for the next one

    def _next(self) -> Callable[[], None] | None:
        """The next job; None when none came for a while, and the thread is to end."""
        with self._change:
            if not self._jobs:
                self._idle += 1
                self._change.wait(LINGER)
                self._idle -= 1
            if self._jobs:
                return self._jobs.popleft()
            self._running -= 1
            return None
