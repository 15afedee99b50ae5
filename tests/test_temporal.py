"""Dates, times and both together: fields, order, and what is no such literal."""

from __future__ import annotations

import datetime as dt

import pytest

from gene.data.temporal import Date, DateTime, Time, parse


def test_dates():
    """A date has year, month and day."""
    day = parse("2024-02-03")
    assert type(day) is Date
    assert (day.year, day.month, day.day) == (2024, 2, 3)
    assert day.value == dt.date(2024, 2, 3)


def test_times():
    """A time has hour, minute, second, microsecond, and perhaps an offset and a zone."""
    time = parse("09:30:15.25-05:30[America/New_York]")
    assert type(time) is Time
    assert (time.hour, time.minute, time.second, time.microsecond) == (9, 30, 15, 250_000)
    assert (time.offset, time.timezone) == (-330, "America/New_York")
    assert (parse("09:30").offset, parse("09:30").timezone) == (None, None)
    assert parse("09:30[Europe/Paris]").timezone == "Europe/Paris"


def test_date_times():
    """A date-time has the fields of both, and milliseconds since the epoch."""
    moment = parse("2024-02-03T09:30:15.9+01:00[Europe/Paris]")
    assert type(moment) is DateTime
    assert (moment.year, moment.month, moment.day, moment.hour, moment.minute) == (2024, 2, 3, 9, 30)
    assert (moment.second, moment.microsecond, moment.offset, moment.timezone) == (
        15,
        900_000,
        60,
        "Europe/Paris",
    )
    assert moment.to_i() == 1_706_949_015_000


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [("1970-01-01T00:00Z", 0), ("1970-01-01T00:00", 0), ("1970-01-01T01:00:01.999+01:00", 1000), ("1969-12-31T23:59:59Z", -1000)],
)  # fmt: skip
def test_epoch(text, milliseconds):
    """The epoch counts whole seconds, and what has no offset counts as UTC."""
    assert parse(text).to_i() == milliseconds


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [
        ("2024-02-03", "2024-10-01"),
        ("09:30", "09:30:00.5"),
        ("09:30+01:00", "09:30"),
        ("2024-02-03T23:00Z", "2024-02-03T23:00-01:00"),
        ("2024-02-03T23:00", "2024-02-03T23:00:01Z"),
    ],
)
def test_order(smaller, larger):
    """Values of one kind are ordered by the moment that they denote."""
    first, second = parse(smaller), parse(larger)
    assert first < second
    assert first <= second
    assert second > first
    assert second >= first
    assert first != second


@pytest.mark.parametrize(
    ("text", "same"), [("09:30", "09:30:00"), ("10:30+01:00", "09:30Z"), ("2024-02-03T09:30Z", "2024-02-03T10:30+01:00")]
)  # fmt: skip
def test_equality(text, same):
    """Values are equal when they denote the same moment, however they are written."""
    assert parse(text) == parse(same)
    assert hash(parse(text)) == hash(parse(same))
    assert parse(text) <= parse(same)
    assert str(parse(text)) == text


def test_kinds_do_not_mix():
    """Values of different kinds are neither equal nor ordered."""
    assert parse("2024-02-03") != parse("2024-02-03T00:00")
    with pytest.raises(TypeError):
        _ = parse("2024-02-03") < parse("2024-02-03T00:00")
    with pytest.raises(TypeError):
        _ = parse("09:30") <= 5


def test_values_of_python():
    """Python's own values print in the same notation."""
    assert str(Date(dt.date(2024, 2, 3))) == "2024-02-03"
    assert str(DateTime(dt.datetime(2024, 2, 3, 9, 30, tzinfo=dt.UTC))) == "2024-02-03T09:30:00+00:00"
    assert str(Time(dt.time(9, 30, 1))) == "09:30:01"


@pytest.mark.parametrize(
    "text",
    ["2024-02-30", "2024-13-01", "24-01-01", "2024-1-1", "2024-01-011", "20240101", "24:00", "9:30", "09:3", "0930:00", "09:30:60", "09:30+25:00", "2024-02-03T", "2024-02-03T9:30", "2024-02-03T09:30[UTC]", "2024-02-03[UTC]", "+2024-01-01", "2024-01-01T10:00Zx", "", "x"],
)  # fmt: skip
def test_refused(text):
    """What is no date, time or date-time is refused with a reason."""
    with pytest.raises(ValueError, match=r"Date literal requires|Malformed"):
        parse(text)
