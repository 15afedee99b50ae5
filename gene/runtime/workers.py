"""Threads that exist while there is work for them.

An idle program has none, so there is nothing to shut down; and as they are daemons, a program that wants to
end at once does. Starting a thread takes 0.1 ms. (``concurrent.futures`` keeps its threads, and Python waits
for them when it exits.)
"""

from __future__ import annotations

import threading
from collections import deque

from gene.runtime.exceptions import ThreadException

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

_starting: Final = threading.RLock()


class Workers:
    """Up to ``limit`` threads that run jobs in the order in which they came.

    Args:
        name: What the threads are called.
        limit: How many run at once; with 1, jobs run one after the other.
        stack: Bytes of their stacks, 0 for the system's default.
    """

    __slots__ = ("_jobs", "_limit", "_lock", "_name", "_running", "_stack")

    def __init__(self, name: str, limit: int, *, stack: int = 0) -> None:
        self._name = name
        self._limit = limit
        self._stack = stack
        self._running = 0
        self._jobs: deque[Callable[[], None]] = deque()
        self._lock = (
            threading.RLock()
        )  # reentrant: a signal may arrive, or an object be freed, while it is held

    def submit(self, job: Callable[[], None]) -> None:
        """Have a job run by a thread; it must not raise.

        Raises:
            ThreadException: The system refused the thread that the job needs.
        """
        with self._lock:
            self._jobs.append(job)
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
        with self._lock:
            self._running -= 1
            if self._running or job not in self._jobs:
                return False
            self._jobs.remove(job)
            return True

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._jobs:
                    self._running -= 1
                    return
                job = self._jobs.popleft()
            job()
            del job  # what it holds must not wait for the next one
