"""Dates, times and bytes: literals, parts, order, bit operations."""

from __future__ import annotations

import pytest
from support import fails, output, value

from gene.runtime.text import inspect


def shown(text):
    """The value of a program as the REPL shows it."""
    return inspect(value(text))


@pytest.mark.parametrize(
    ("literal", "kind"),
    [
        ("2024-02-03", "VkDate"),
        ("09:30", "VkTime"),
        ("09:30:15", "VkTime"),
        ("09:30:15.25", "VkTime"),
        ("09:30Z", "VkTime"),
        ("09:30+05:30", "VkTime"),
        ("09:30:15[Europe/Berlin]", "VkTime"),
        ("2024-02-03T09:30", "VkDateTime"),
        ("2024-02-03T09:30:15", "VkDateTime"),
        ("2024-02-03T09:30:15.25-08:00", "VkDateTime"),
        ("2024-02-03T09:30Z", "VkDateTime"),
        ("2024-02-03T09:30Z[Europe/Berlin]", "VkDateTime"),
        ("2024-02-03T09:30+01:00[Europe/Berlin]", "VkDateTime"),
    ],
)
def test_literals_print_as_written(literal, kind):
    """A date, a time or a date-time keeps its spelling."""
    assert output(f"(println {literal} [{literal}] (typeof {literal}))") == f"{literal} [{literal}] {kind}\n"
    assert value(f'(({literal} .to_s) == "{literal}")') is True


def test_parts():
    """Year to microsecond by method; the offset in minutes, the zone by name, nil where there is none."""
    assert value("[(2024-02-03 .year) (2024-02-03 .month) (2024-02-03 .day)]") == [2024, 2, 3]
    assert value(
        "[(09:30:15.25 .hour) (09:30:15.25 .minute) (09:30:15.25 .second) (09:30:15.25 .microsecond)]"
    ) == [
        9,
        30,
        15,
        250000,
    ]
    when = "(var t 2024-02-03T09:30:15+05:30[Asia/Kolkata])"
    assert value(f"{when} [(t .year) (t .day) (t .hour) (t .second) (t .offset) (t .timezone)]") == [
        2024,
        3,
        9,
        15,
        330,
        "Asia/Kolkata",
    ]
    assert value("[(2024-02-03T09:30 .offset) (2024-02-03T09:30 .timezone)]") == [None, None]


def test_milliseconds_since_the_epoch():
    """``to_i`` of a date-time counts in milliseconds, in whole seconds."""
    assert value("(1970-01-01T00:00:01.75Z .to_i)") == 1000
    assert value("(2024-02-03T09:30:15+05:30 .to_i)") == 1706932815000


def test_order():
    """Dates, times and date-times are ordered among themselves."""
    assert (
        value("[(2024-02-03 < 2024-02-04) (09:30 >= 09:30) (2024-02-03T09:30Z > 2024-02-03T09:29Z)]")
        == [True] * 3
    )
    assert fails("(2024-02-03 < 09:30)") == "Cannot compare VkDate < VkTime"
    assert fails("(2024-02-03 < 5)") == "Cannot compare VkDate < VkInt"


def test_equality():
    """By value."""
    assert value('[(2024-02-03 == 2024-02-03) (09:30 == 09:31) (2024-02-03 == "2024-02-03")]') == [
        True,
        False,
        False,
    ]


def test_there_is_no_arithmetic():
    """The language has none on dates."""
    assert fails("(2024-02-03 + 1)") == "Cannot add values of type: VkDate"
    assert fails("(2024-02-03 .format)") == "Unified method call not supported for VkDate"


@pytest.mark.parametrize(
    "literal", ["2024-13-01", "2024-02-30", "24-02-03", "09:60", "25:00", "2024-02-03T09"]
)
def test_impossible_dates_are_refused(literal):
    """Before the program runs."""
    assert fails(literal)


def test_is():
    """The classes are Date, Time and DateTime."""
    assert value("[(2024-02-03 is Date) (09:30 is Time) (2024-02-03T09:30 is DateTime) (09:30 is Date)]") == [
        True,
        True,
        True,
        False,
    ]


# -- bytes -----------------------------------------------------------------------------------------------


def test_bytes_literals():
    """From bits, hexadecimal digits and base64; groups that are too short get zeros on the left."""
    assert (
        shown("[0!1010 0!1~1 0#dead 0#d 0#de~ad 0*AQI= 0*AQI]")
        == "[0#0a 0#0101 0#dead 0#0d 0#dead 0#0102 0#0102]"
    )
    assert value("[(typeof 0#00) (0#00 is Bytes)]") == ["VkBytes", True]


def test_bytes_methods():
    """Size, one byte as bytes, and all of them as Ints."""
    assert shown("[(0#dead .size) (0#dead .get 0) (0#dead .get 9) (0#dead .to_array) (len 0#dead)]") == (
        "[2 0#de nil [222 173] 2]"
    )
    assert value("[(0#01 == 0#01) (0#01 == 0#0001)]") == [True, False]


def test_bit_operations():
    """Byte by byte; the shorter operand gets zeros on the left."""
    assert shown("[(0#f0f0 && 0#ff00) (0#f000 || 0#000f) (0#ff00 &|& 0#0ff0) (not 0#00ff) (! 0#0f)]") == (
        "[0#f000 0#f00f 0#f0f0 0#ff00 0#f0]"
    )
    assert shown("[(0#ffff && 0#0f) (0#0f || 0#f000)]") == "[0#000f 0#f00f]"


def test_shifts():
    """The size stays, bits that leave are lost."""
    assert shown("[(0#0102 << 4) (0#0102 >> 4) (0#01 << 8) (0#ff >> 1000) (0#ff << 1000)]") == (
        "[0#1020 0#0010 0#00 0#00 0#00]"
    )
    assert fails('(0#01 << "1")') == "Cannot shift by VkString"


def test_bytes_and_other_kinds_are_combined_by_truth():
    """Bit operations need bytes on both sides."""
    assert shown("[(0#00 && 5) (0#00 || 5) (5 && 0#01) (nil || 0#01)]") == "[5 0#00 0#01 0#01]"
