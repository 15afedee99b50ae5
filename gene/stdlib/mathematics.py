"""Mathematical functions. They follow C: out of range gives an infinity or nan instead of an error."""

from __future__ import annotations

import math

from gene.runtime.exceptions import ArgumentException, RuntimeException
from gene.stdlib.arguments import MISSING

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    Number = int | float

PI: Final = math.pi
E: Final = math.e


def _number(value: Any, name: str) -> Number:
    if type(value) is int or type(value) is float:
        return value
    raise ArgumentException(f"{name} requires a numeric argument")


def absolute(value: Any = MISSING) -> Number:
    """``(abs x)``: the magnitude, of the same type as ``x``."""
    result = abs(_number(value, "abs"))
    if result == 2**63 and type(result) is int:
        raise RuntimeException("Integer overflow in abs")
    return result


def minimum(*values: Any) -> Number:
    """``(min a b …)``: the smallest of two or more numbers."""
    return min(_several(values, "min"))


def maximum(*values: Any) -> Number:
    """``(max a b …)``: the largest of two or more numbers."""
    return max(_several(values, "max"))


def _several(values: tuple[Any, ...], name: str) -> tuple[Number, ...]:
    if len(values) < 2:
        raise ArgumentException(f"{name} requires at least 2 arguments")
    for value in values:
        if type(value) is not int and type(value) is not float:
            raise ArgumentException(f"{name} requires numeric arguments")
    return values


def floor(value: Any = MISSING) -> Number:
    """``(floor x)``: the next whole number below, a Float for a Float."""
    number = _number(value, "floor")
    return number if type(number) is int or number - number != 0 else number // 1.0


def ceil(value: Any = MISSING) -> Number:
    """``(ceil x)``: the next whole number above, a Float for a Float."""
    number = _number(value, "ceil")
    return number if type(number) is int or number - number != 0 else -(-number // 1.0)


def round_(value: Any = MISSING) -> Number:
    """``(round x)``: the nearest whole number, halves away from zero, a Float for a Float."""
    number = _number(value, "round")
    if type(number) is int or number - number != 0:
        return number
    magnitude = abs(number)
    whole = magnitude // 1.0
    return math.copysign(whole + 1.0 if magnitude - whole >= 0.5 else whole, number)


def sqrt(value: Any = MISSING) -> float:
    """``(sqrt x)``: the square root as a Float; nan of a negative number."""
    number = _number(value, "sqrt")
    return math.sqrt(number) if number >= 0 else math.nan


def pow_(base: Any = MISSING, exponent: Any = MISSING) -> float:
    """``(pow base exponent)``: the power as a Float."""
    if exponent is MISSING:
        raise ArgumentException("pow requires base and exponent")
    x, y = float(_number(base, "pow")), float(_number(exponent, "pow"))
    odd = y % 2 == 1
    try:
        return math.pow(x, y)
    except OverflowError:
        return -math.inf if x < 0 and odd else math.inf
    except ValueError:  # a pole at zero, or a root of a negative number
        return math.nan if x != 0 else math.copysign(math.inf, x) if odd else math.inf


def _of_one_number(name: str, function: Callable[[float], float]) -> Callable[..., float]:
    def call(value: Any = MISSING) -> float:
        try:
            return function(float(_number(value, name)))
        except ValueError:  # outside of where the function is defined
            return -math.inf if value == 0 else math.nan

    return call


sin = _of_one_number("sin", math.sin)
cos = _of_one_number("cos", math.cos)
tan = _of_one_number("tan", math.tan)
log = _of_one_number("log", math.log)
log10 = _of_one_number("log10", math.log10)
