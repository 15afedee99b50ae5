"""Timers: one thread for all of them, which is there while any of them runs."""

from __future__ import annotations

import sched
from threading import Event
from time import monotonic

from gene.runtime.workers import Workers

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

LONGEST: Final = 3600.0
"""Seconds that are waited at a time: the system has a limit, and timers may be set to any time."""

_changed: Final = Event()


def _wait(seconds: float) -> None:
    """Wait for the next timer, or until there is an earlier one."""
    if seconds > 0:
        _changed.wait(min(seconds, LONGEST))
        _changed.clear()


def _run() -> None:
    _timers.run()


_timers: Final = sched.scheduler(monotonic, _wait)
_thread: Final = Workers("gene timers", 1)


def call_later(seconds: float, action: Callable[[], object]) -> Callable[[], None]:
    """Have something called in the thread of the timers; it must not raise, and not wait.

    Args:
        seconds: When, from now on.
        action: What to call.

    Returns:
        What calls the timer off; calling it too late does nothing.
    """
    timer = _timers.enter(seconds, 0, action)
    _changed.set()
    _thread.submit(_run)

    def cancel() -> None:
        try:
            _timers.cancel(timer)
        except ValueError:  # it has run
            return
        _changed.set()

    return cancel
