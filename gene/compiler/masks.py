"""Masks: which kinds of values a node can have, as bits. What the flow analysis knows saves checks."""

from __future__ import annotations

NATURAL = 1
"""An Int that is not negative, but for the largest one."""
NEGATIVE = 2
"""An Int that is negative."""
LARGEST = 1024
"""The largest Int, to which nothing can be added."""
NOT_NEGATIVE = NATURAL | LARGEST
INT = NOT_NEGATIVE | NEGATIVE
FLOAT = 4
NUMBER = INT | FLOAT
BOOL = 8
NIL = 16
VOID = 32
STRING = 64
ARRAY = 128
"""A Python list, exactly: not a frozen array."""
MAP = 256
"""A Python dict, exactly: not a frozen map."""
OTHER = 512
ALL = 2047

FALSY = BOOL | NIL | VOID
"""The kinds that have a value which is not true."""


def mask_of_constant(value: object) -> int:
    """The mask of a constant."""
    if value is None:
        return NIL
    if value is True or value is False:
        return BOOL
    if isinstance(value, int):
        return NEGATIVE if value < 0 else LARGEST if value == (1 << 63) - 1 else NATURAL
    if isinstance(value, float):
        return FLOAT
    return STRING if isinstance(value, str) else OTHER
