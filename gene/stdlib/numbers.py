"""The methods of Ints and Floats."""

from __future__ import annotations

from gene.stdlib.universal import truncate

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Final


def to_i(number: float) -> int:
    """The number as Int, truncated towards zero."""
    return number if type(number) is int else truncate(number)


METHODS: Final = {"to_i": to_i, "to_f": float}
