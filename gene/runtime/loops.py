"""What ``for`` and ``repeat`` run over when the range or the count is written out."""

from __future__ import annotations

from gene.data.kinds import kind_of
from gene.runtime.exceptions import ArgumentException, TypeException

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def count(start: Any, end: Any, step: Any = 1) -> Iterable[Any]:
    """The numbers of a range, both ends included."""
    if type(start) is type(end) is type(step) is int and step:
        return range(start, end + 1 if step > 0 else end - 1, step)
    made: Iterable[Any] = make_range(start, end, step)
    return made


def make_range(*bounds: Any) -> Any:
    """``(range start end step)``: a range."""
    from gene.runtime.ranges import Range

    if len(bounds) < 2:
        raise ArgumentException("range requires at least 2 arguments")
    return Range(*bounds[:3])


def times(number: Any) -> range:
    """The turns of ``repeat``."""
    if type(number) is int:
        return range(number)
    if number is None:
        return range(0)
    raise TypeException(f"repeat expects an Int, got {kind_of(number).tag}")
