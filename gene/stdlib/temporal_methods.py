"""The methods of dates, times and date-times."""

from __future__ import annotations

from operator import attrgetter

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Final

    from gene.data.temporal import DateTime


def timezone(moment: DateTime) -> str | None:
    """The name of the time zone, ``UTC`` for no offset from it, or nil."""
    if moment.timezone is None and moment.offset == 0:
        return "UTC"
    return moment.timezone


def to_i(moment: DateTime) -> int:
    """Milliseconds since 1970 began in UTC, of the whole second."""
    return moment.to_i()


DATE: Final = {name: attrgetter(name) for name in ("year", "month", "day")}
TIME: Final = {name: attrgetter(name) for name in ("hour", "minute", "second", "microsecond")}
DATE_TIME: Final = {**DATE, **TIME, "offset": attrgetter("offset"), "timezone": timezone, "to_i": to_i}
