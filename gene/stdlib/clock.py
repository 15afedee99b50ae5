"""What time it is."""

from __future__ import annotations

from time import time_ns

from gene.data.temporal import Date, DateTime

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from datetime import date


def now() -> DateTime:
    """``(gene/now)``: this moment, in local time with its offset from UTC."""
    from datetime import datetime

    return DateTime(datetime.now().astimezone())


def today() -> Date:
    """``(gene/today)``: the day in local time."""
    return Date(_day(0))


def yesterday() -> Date:
    """``(gene/yesterday)``: the day before today."""
    return Date(_day(-1))


def tomorrow() -> Date:
    """``(gene/tomorrow)``: the day after today."""
    return Date(_day(1))


def _day(ahead: int) -> date:
    from datetime import datetime, timedelta

    return datetime.now().astimezone().date() + timedelta(days=ahead)


def seconds() -> int:
    """``(time/now)``: whole seconds since 1970-01-01 UTC."""
    return time_ns() // 1_000_000_000


def microseconds() -> int:
    """``(time/now_us)``: microseconds since 1970-01-01 UTC."""
    return time_ns() // 1000
