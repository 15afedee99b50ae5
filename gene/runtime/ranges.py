"""Ranges: ``(0 .. 3)``, ``(range 1 9 4)``. Both ends are included."""

from __future__ import annotations

from gene.data.kinds import Kind, kind_of
from gene.runtime.exceptions import ArgumentException, TypeException
from gene.runtime.text import display

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final


class Range:
    """The numbers from ``start`` to ``end``, both included, ``step`` apart; empty when the step leads away.

    Raises:
        TypeException: A bound or the step is not a number.
        ArgumentException: The step is zero.
    """

    __slots__ = ("end", "start", "step")

    def __init__(self, start: float, end: float, step: float = 1) -> None:
        if type(start) is not int or type(end) is not int or type(step) is not int or step == 0:
            _check(start, end, step)
        self.start = start
        self.end = end
        self.step = step

    def gene_values(self) -> Iterable[float]:
        """What a loop runs over, see :mod:`gene.runtime.iteration`."""
        start, end, step = self.start, self.end, self.step
        if type(start) is int and type(end) is int and type(step) is int:
            return range(start, end + (1 if step > 0 else -1), step)
        return self._floats()

    def __iter__(self) -> Iterator[float]:
        return iter(self.gene_values())

    def _floats(self) -> Iterator[float]:
        """Multiply instead of adding up, so that rounding errors do not add up either."""
        count = 0
        while True:
            value = self.start + count * self.step
            if not (value <= self.end if self.step > 0 else value >= self.end):
                return
            yield value
            count += 1

    def __repr__(self) -> str:
        text = f"{display(self.start)}..{display(self.end)}"
        return text if self.step == 1 else f"{text} step {display(self.step)}"


def _check(start: object, end: object, step: object) -> None:
    for role, value in (("start", start), ("end", end), ("step", step)):
        if type(value) is not int and type(value) is not float:
            raise TypeException(f"Range {role} must be a number, got {kind_of(value).tag}")
        if value != value or value in (_INFINITE, -_INFINITE):  # noqa: PLR0124 - nan differs from itself
            raise ArgumentException(f"Range {role} must be finite, got {value}")
    if step == 0:
        raise ArgumentException("Range step must not be zero")


_INFINITE: Final = float("inf")
RANGE: Final = Kind("Range", "VkRange", Range, typeof="VkRange", methods="gene.stdlib.ranges")
