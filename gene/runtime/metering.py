"""Limits on what a program may spend: steps, seconds, output.

Code that is compiled with metering takes a step at the start of each function and of each turn of a loop.
A step is one call into an iterator of C; once in a block of them, Python code here counts and looks at the
clock. A program cannot catch what ends it (:func:`gene.runtime.failures.caught` hands it on), and whatever it
still does while it is on its way out meets the same limit again.
"""

from __future__ import annotations

from itertools import chain, repeat
from time import monotonic

from gene.errors import LimitError

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, NoReturn, Self

BLOCK = 1000
"""Steps between two looks at the clock: some ten microseconds of work at least, some hundred usually."""


class Limits:
    """What a program may spend from one entry into its interpreter to the end of that entry.

    Args:
        steps: Function calls and turns of loops. The same program takes the same steps each time.
        seconds: Time. It is looked at while the program takes steps, so a call of the host, or one that
            blocks, comes to its end first.
        output: Characters that are printed.

    Raises:
        ValueError: A limit is not a positive number.
    """

    __slots__ = ("output", "seconds", "steps")

    def __init__(
        self, *, steps: int | None = None, seconds: float | None = None, output: int | None = None
    ) -> None:
        for name, value in (("steps", steps), ("seconds", seconds), ("output", output)):
            if value is not None and not value > 0:
                raise ValueError(f"the limit of {name} must be positive, not {value!r}")
        self.steps = steps
        self.seconds = seconds
        self.output = output


class Meter:
    """Counts for one interpreter.

    Args:
        limits: What may be spent.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._entries = 0
        self._steps = self._output = 0
        self._end = 0.0

    def enter(self, builtins: dict[str, Any]) -> None:
        """Begin to run code; an entry that is not within another one gets the full limits."""
        self._entries += 1
        if self._entries == 1:
            limits = self._limits
            self._steps = -1 if limits.steps is None else limits.steps
            self._output = 0
            self._end = float("inf") if limits.seconds is None else monotonic() + limits.seconds
            builtins["%step"] = chain.from_iterable(map(self._block, repeat(None))).__next__

    def leave(self) -> None:
        """Note that code has ended."""
        self._entries -= 1

    def _block(self, _: None) -> Iterable[None]:
        if self._steps == 0:
            return _Exhausted("steps", self._limits.steps)
        if monotonic() >= self._end:
            return _Exhausted("seconds", self._limits.seconds)
        if self._steps < 0:
            return repeat(None, BLOCK)
        size = min(BLOCK, self._steps)
        self._steps -= size
        return repeat(None, size)

    def charge(self, characters: int) -> None:
        """Count output that is about to be written.

        Raises:
            LimitError: It is too much.
        """
        self._output += characters
        limit = self._limits.output
        if limit is not None and self._output > limit:
            raise LimitError("output", limit)


class _Exhausted:
    """An iterable that raises, again and again: an exception would end the iterator around it."""

    def __init__(self, limit: str, allowed: float | None) -> None:
        self._error = (limit, allowed)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> NoReturn:
        limit, allowed = self._error
        raise LimitError(limit, allowed or 0)
