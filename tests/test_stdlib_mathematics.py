"""Mathematical functions and random numbers."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gene.runtime.exceptions import ArgumentException, RuntimeException
from gene.stdlib import mathematics as m
from gene.stdlib.randomness import random, random_int


def test_documented_examples():
    """The examples of the language reference, types included."""
    results = [m.absolute(-4), m.minimum(3, 1, 2), m.maximum(1, 9), m.floor(2.7), m.ceil(2.1), m.round_(2.5)]
    assert repr(results) == "[4, 1, 9, 2.0, 3.0, 3.0]"
    assert repr([m.round_(-2.5), m.sqrt(9), m.pow_(2, 5)]) == "[-3.0, 3.0, 32.0]"


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_rounding_agrees_with_whole_numbers(x):
    """floor, ceil and round give the Float of what integer arithmetic gives."""
    assert m.floor(x) == math.floor(x)
    assert m.ceil(x) == math.ceil(x)
    whole, part = divmod(abs(x), 1)
    assert m.round_(x) == math.copysign(whole + (part >= 0.5), x)
    assert {type(f(x)) for f in (m.floor, m.ceil, m.round_)} == {float}


@pytest.mark.parametrize("x", [math.inf, -math.inf])
def test_rounding_infinities(x):
    """An infinity stays what it is, and so does nan."""
    assert [f(x) for f in (m.floor, m.ceil, m.round_)] == [x, x, x]
    assert all(math.isnan(f(math.nan)) for f in (m.floor, m.ceil, m.round_))


def test_rounding_edges():
    """Integers stay Ints; the largest number below a half is not rounded up; zero keeps its sign."""
    assert repr([m.floor(5), m.ceil(-5), m.round_(2**62)]) == f"[5, -5, {2**62}]"
    assert m.round_(0.49999999999999994) == 0.0
    assert repr([m.round_(-0.2), m.ceil(-0.5)]) == "[-0.0, -0.0]"


def test_absolute_overflow():
    """The magnitude of the least Int does not fit in 64 bits."""
    with pytest.raises(RuntimeException, match=r"Integer overflow in abs"):
        m.absolute(-(2**63))
    assert m.absolute(-2.5) == 2.5


def test_out_of_range_follows_c():
    """What has no real result is nan or an infinity, no error."""
    assert math.isnan(m.sqrt(-1))
    assert math.isnan(m.pow_(-8, 1 / 3))
    assert m.pow_(10, 400) == math.inf
    assert m.pow_(-10, 401) == -math.inf
    assert m.pow_(0, -1) == math.inf
    assert m.pow_(-0.0, -3) == -math.inf
    assert m.pow_(-0.0, -2) == math.inf
    assert m.log(0) == -math.inf
    assert math.isnan(m.log10(-1))
    assert math.isnan(m.sin(math.inf))


def test_constants_and_trigonometry():
    """sin, cos, tan, log, log10 take numbers of both kinds and give Floats."""
    assert (m.sin(0), m.cos(0), m.tan(0), m.log(1), m.log10(1000)) == (0.0, 1.0, 0.0, 0.0, 3.0)
    assert (math.pi, math.e) == (m.PI, m.E)


@pytest.mark.parametrize(
    "name", ["abs", "floor", "ceil", "round", "sqrt", "sin", "cos", "tan", "log", "log10"]
)
@pytest.mark.parametrize("args", [(), ("4",), (None,), (True,)])
def test_numbers_are_required(name, args):
    """Anything but an Int or Float is refused, and so is nothing."""
    function = {"abs": m.absolute, "round": m.round_}.get(name) or getattr(m, name)
    with pytest.raises(ArgumentException, match=rf"^{name} requires a numeric argument$"):
        function(*args)


def test_min_max_and_pow_arguments():
    """min and max take two or more numbers, pow exactly two."""
    for function, name in ((m.minimum, "min"), (m.maximum, "max")):
        with pytest.raises(ArgumentException, match=rf"{name} requires at least 2 arguments"):
            function(1)
        with pytest.raises(ArgumentException, match=rf"{name} requires numeric arguments"):
            function(1, "2")
    with pytest.raises(ArgumentException, match=r"pow requires base and exponent"):
        m.pow_(2)
    with pytest.raises(ArgumentException, match=r"pow requires a numeric argument"):
        m.pow_(2, "3")


def test_random_is_a_fraction():
    """``(random)`` is a Float from 0 up to but without 1, and not always the same."""
    draws = [random() for _ in range(200)]
    assert all(type(draw) is float and 0 <= draw < 1 for draw in draws)
    assert len(set(draws)) > 100


def test_random_int_bounds():
    """All numbers of the range come up, and no others; max stands first."""
    assert {random_int(3) for _ in range(300)} == {0, 1, 2}
    assert {random_int(3, -2) for _ in range(500)} == {-2, -1, 0, 1, 2}
    assert random_int(1) == 0
    assert all(-(2**63) <= random_int(2**63 - 1, -(2**63)) < 2**63 for _ in range(50))


@pytest.mark.parametrize("args", [(0,), (-3,), (2, 2), (1, 5)])
def test_random_int_needs_room(args):
    """An empty range is refused with the documented message."""
    with pytest.raises(ArgumentException, match=r"^random_int max must be greater than min$"):
        random_int(*args)


@pytest.mark.parametrize("args", [(), (2.5,), ("3",), (3, None), (True,)])
def test_random_int_needs_integers(args):
    """Bounds of another kind are refused."""
    with pytest.raises(ArgumentException, match=r"random_int requires integer arguments"):
        random_int(*args)
