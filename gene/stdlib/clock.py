"""What time it is."""

from __future__ import annotations

from time import time_ns


def seconds() -> int:
    """``(time/now)``: whole seconds since 1970-01-01 UTC."""
    return time_ns() // 1_000_000_000


def microseconds() -> int:
    """``(time/now_us)``: microseconds since 1970-01-01 UTC."""
    return time_ns() // 1000
