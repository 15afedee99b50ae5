"""Dates, times, and both together, as Gene data.

Each holds Python's own object for it and prints as it was written. Values of one kind compare; what has no
offset from UTC compares as if it were UTC.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from gene.data.kinds import Kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final


class _Temporal:
    """What the three kinds share: a value of Python's, its text, equality and order."""

    __slots__ = ("text", "value")

    value: Any

    def __init__(self, value: Any, text: str | None = None) -> None:
        self.value = value
        self.text = value.isoformat() if text is None else text

    def _key(self) -> Any:
        return self.value

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._key() == other._key()

    def __lt__(self, other: object) -> bool:
        return self._key() < other._key() if isinstance(other, type(self)) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self._key() <= other._key() if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return self.text


def _field(name: str, doc: str) -> Any:
    return property(lambda self: getattr(self.value, name), doc=doc)


class _WithDay(_Temporal):
    __slots__ = ()

    year = _field("year", "The year.")
    month = _field("month", "The month, from 1.")
    day = _field("day", "The day of the month, from 1.")


class _WithClock(_Temporal):
    __slots__ = ("timezone",)

    hour = _field("hour", "The hour, from 0 to 23.")
    minute = _field("minute", "The minute.")
    second = _field("second", "The second.")
    microsecond = _field("microsecond", "What exceeds the second, in microseconds.")

    def __init__(self, value: time | datetime, text: str | None = None, timezone: str | None = None) -> None:
        super().__init__(value, text)
        self.timezone = timezone

    @property
    def offset(self) -> int | None:
        """Minutes ahead of UTC; None when none is known."""
        offset: timedelta | None = self.value.utcoffset()
        return None if offset is None else offset // timedelta(minutes=1)


class Date(_WithDay):
    """A day: ``2024-02-03``. Its value is a :class:`datetime.date`."""

    __slots__ = ()


class Time(_WithClock):
    """A time of day: ``09:30:15.25+05:30``. Its value is a :class:`datetime.time`."""

    __slots__ = ()

    def _key(self) -> timedelta:
        value = self.value
        clock = timedelta(0, value.second, value.microsecond, 0, value.minute, value.hour)
        return clock - (value.utcoffset() or timedelta(0))


class DateTime(_WithClock, _WithDay):
    """A day and a time: ``2024-02-03T09:30Z``. Its value is a :class:`datetime.datetime`."""

    __slots__ = ()

    def _key(self) -> datetime:
        value: datetime = self.value
        return value if value.tzinfo else value.replace(tzinfo=UTC)

    def to_i(self) -> int:
        """Milliseconds since 1970 began in UTC, of the whole second."""
        return (self._key() - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(seconds=1) * 1000


def parse(literal: str) -> Date | Time | DateTime:
    """Reads a literal.

    Args:
        literal: ``YYYY-MM-DD``; or ``HH:MM[:SS[.fraction]]``, which ``Z`` or an offset such as ``+05:30`` and
            the name of a time zone in brackets may follow; or both with a ``T`` between them.

    Raises:
        ValueError: The literal is malformed, or there is no such day or time; the text says which.
    """
    text, _, zone = literal.removesuffix("]").partition("[")
    head, separator, clock = text.partition("T")
    if ":" in head:
        return Time(_parse_time(text), literal, zone or None)
    day = _parse_date(head)
    if not separator:
        if zone:
            raise ValueError(f"Malformed date: {literal} (a date has no time zone)")
        return Date(day, literal)
    value = datetime.combine(day, _parse_time(clock))
    if zone and value.tzinfo is None:
        raise ValueError(f"Malformed date-time: {literal} (before the name of a zone comes Z or an offset)")
    return DateTime(value, literal, zone or None)


def _parse_date(text: str) -> date:
    year, _, _rest = text[1:].partition("-")
    year = text[:1] + year
    if len(year) != 4 or not year.isdecimal():
        raise ValueError(f"Date literal requires 4-digit year, got: {year}")
    try:
        return date.fromisoformat(text if len(text) == 10 else "")
    except ValueError as error:
        raise ValueError(f"Malformed date: {text} ({_reason(error, 'YYYY-MM-DD')})") from None


def _parse_time(text: str) -> time:
    try:
        return time.fromisoformat(text if text[2:3] == ":" else "")
    except ValueError as error:
        raise ValueError(f"Malformed time: {text} ({_reason(error, 'HH:MM:SS')})") from None


def _reason(error: ValueError, form: str) -> str:
    text = str(error)
    return f"write {form}" if text.startswith("Invalid isoformat") else text


_METHODS: Final = "gene.stdlib.temporal_methods"
DATE: Final = Kind("Date", "VkDate", Date, typeof="VkDate", methods=_METHODS + ":DATE", has_class=False)
TIME: Final = Kind("Time", "VkTime", Time, typeof="VkTime", methods=_METHODS + ":TIME", has_class=False)
DATE_TIME: Final = Kind(
    "DateTime", "VkDateTime", DateTime, typeof="VkDateTime", methods=_METHODS + ":DATE_TIME", has_class=False
)
