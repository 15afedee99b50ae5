"""Waiting in short slices, so that a time limit or Ctrl-C ends the wait at once.

A limit interrupts a program between two steps of Python code; a wait in C code would put that off to its end.
"""

from __future__ import annotations

import sys
from time import monotonic
from time import sleep as _sleep

from gene.data.kinds import kind_of
from gene.runtime.exceptions import ArgumentException

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final

SLICE: Final = 0.05
"""Seconds that a wait lasts at most before Python code runs again."""


def sleep(duration: Any = None) -> None:
    """``(sleep n)``: wait; an Int counts milliseconds, a Float seconds. Callbacks that fall due are made."""
    if type(duration) not in (int, float) or not duration >= 0:
        got = duration if type(duration) in (int, float) else kind_of(duration).tag
        raise ArgumentException(f"sleep requires milliseconds (Int) or seconds (Float), got {got}")
    seconds = duration / 1000 if type(duration) is int else duration
    clock = Deadline(seconds)
    events = sys.modules.get("gene.runtime.events")  # not loaded: nothing can fall due
    if events is not None:
        events.current().sleep(seconds)
    while not clock.passed():
        _sleep(clock.slice())


class Deadline:
    """A moment in the future.

    Args:
        seconds: How far from now.
    """

    __slots__ = ("_end",)

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds

    def passed(self) -> bool:
        """Whether the moment is over."""
        return monotonic() >= self._end

    def slice(self) -> float:
        """Seconds to wait now: what remains, but no more than SLICE."""
        return max(0.0, min(self._end - monotonic(), SLICE))


def timeout_of(value: Any, name: str) -> Deadline:
    """The deadline that a required ``^timeout`` in seconds sets, for the method ``name``."""
    if value is None:
        raise ArgumentException(f"{name} requires ^timeout")
    if type(value) not in (int, float) or not value >= 0:
        got = value if type(value) in (int, float) else kind_of(value).tag
        raise ArgumentException(f"{name} requires ^timeout in seconds, got {got}")
    return Deadline(value)
