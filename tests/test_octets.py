"""Bytes: how they read and print."""

from __future__ import annotations

import pytest

from gene.data.octets import Octets


@pytest.mark.parametrize(
    ("literal", "printed"),
    [("0#dead", "0#dead"), ("0#DE~ad", "0#dead"), ("0!1010", "0#0a"), ("0!11111111~1", "0#ff01"), ("0*AQI=", "0#0102"), ("0#abc", "0#0abc"), ("0#", "0#"), ("0*AQ~Ag==", "0#0102"), ("0!~1~", "0#01"), ("0!" + "1" * 12, "0#0fff")],
)  # fmt: skip
def test_literals(literal, printed):
    """Bits, hexadecimal digits and base64 read as bytes, which print in hexadecimal and read the same again."""
    octets = Octets.parse(literal)
    assert repr(octets) == str(octets) == f"{octets}" == printed
    assert Octets.parse(printed) == octets


def test_they_are_bytes():
    """They are Python's bytes: equal by value, and of use wherever bytes are."""
    octets = Octets.parse("0#0102")
    assert octets == b"\1\2"
    assert hash(octets) == hash(b"\1\2")
    assert list(octets) == [1, 2]


@pytest.mark.parametrize(
    "literal", ["0!2", "0!1_0", "0#g", "0#0_1", "0*A", "0*A?==", "0*=", "0x12", "", "0#é", "0!١"]
)
def test_refused(literal):
    """Digits that do not belong there are refused."""
    with pytest.raises(ValueError, match="Malformed bytes"):
        Octets.parse(literal)
