"""Limits on what a program may spend: steps, seconds, output.

Code that is compiled with metering takes a step at the start of each function and of each turn of a loop.
A step is one call into an iterator of C; once in a block of them, Python code here counts and looks at the
clock. A program cannot catch what ends it (:func:`gene.runtime.failures.caught` hands it on), and whatever it
still does while it is on its way out meets the same limit again.
"""

from __future__ import annotations

from _thread import allocate_lock, get_ident
from itertools import chain, repeat
from time import monotonic

from gene.errors import LimitError

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
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
    """Counts for one interpreter; threads that are in it at the same time have budgets of their own.

    Args:
        limits: What may be spent.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = allocate_lock()
        self._budgets: dict[int, _Budget] = {}
        self._last = _Budget(limits)

    def enter(self, builtins: dict[str, Any]) -> None:
        """Begin to run code; an entry that is not within another one gets the full limits."""
        with self._lock:
            budget = self._budgets.get(get_ident())
            if budget is None:
                budget = self._last = self._budgets[get_ident()] = _Budget(self._limits)
                builtins["%step"] = budget.step if len(self._budgets) == 1 else self._step
            budget.entries += 1

    def leave(self) -> None:
        """Note that code has ended."""
        with self._lock:
            budget = self._budgets[get_ident()]
            budget.entries -= 1
            if not budget.entries:
                del self._budgets[get_ident()]

    def _budget(self) -> _Budget:
        """That of this thread; for actors, and what a program leaves to be done, the last one given out."""
        return self._budgets.get(get_ident(), self._last)

    def _step(self) -> None:
        self._budget().step()

    def charge(self, characters: int) -> None:
        """Count output that is about to be written.

        Raises:
            LimitError: It is too much.
        """
        self._budget().charge(characters)


class _Budget:
    """What one thread may spend from its entry to the end of that.

    Attributes:
        entries: How many entries within each other it has made.
        step: Takes a step.
    """

    def __init__(self, limits: Limits) -> None:
        self.entries = 0
        self.step: Callable[[], None] = chain.from_iterable(map(self._block, repeat(None))).__next__
        self._limits = limits
        self._steps = -1 if limits.steps is None else limits.steps
        self._output = 0
        self._end = float("inf") if limits.seconds is None else monotonic() + limits.seconds

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
        """Count output."""
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
