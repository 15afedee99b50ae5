"""Random numbers. They are fit for games and sampling, not for secrets."""

from __future__ import annotations

from _random import Random  # the C half of the module random, which takes 1 ms longer to import

from gene.runtime.exceptions import ArgumentException
from gene.stdlib.arguments import MISSING

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final

_GENERATOR: Final = Random()  # seeded by the operating system


def random() -> float:
    """``(random)``: a Float r with 0 ≤ r < 1."""
    return _GENERATOR.random()


def random_int(maximum: Any = MISSING, minimum: Any = 0) -> int:
    """``(random_int max min?)``: an Int r with min ≤ r < max; min is 0 by default.

    Every value is equally likely: draws beyond the range are repeated instead of folded back.
    """
    if type(maximum) is not int or type(minimum) is not int:
        raise ArgumentException("random_int requires integer arguments: max, then an optional min")
    if maximum <= minimum:
        raise ArgumentException("random_int max must be greater than min")
    span = maximum - minimum
    bits = span.bit_length()
    draw = _GENERATOR.getrandbits(bits)
    while draw >= span:
        draw = _GENERATOR.getrandbits(bits)
    return minimum + draw
