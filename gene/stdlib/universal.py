"""The methods that every value answers: ``to_s``, ``class``, ``is``, ``to``."""

from __future__ import annotations

from gene.data.kinds import FLOAT, INT
from gene.runtime.checks import warn_of_lost_fraction
from gene.runtime.exceptions import RuntimeException, TypeException
from gene.runtime.text import format_float, to_s
from gene.runtime.typetests import class_of, is_instance, type_name, type_text
from gene.stdlib.arguments import MISSING

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final

INT_MIN: Final = -(2**63)
INT_MAX: Final = 2**63 - 1


def is_(value: Any, of: Any = MISSING) -> bool:
    """Whether the value is of a type."""
    return is_instance(value, of)


def to(value: Any, of: Any = MISSING) -> Any:
    """The value as the type says: Ints and Floats convert, a value of that type already stays, nil too.

    Raises:
        TypeException: There is no such conversion.
    """
    if value is None or (of is not MISSING and is_instance(value, of)):
        return value
    if type(value) is int and of in (FLOAT, FLOAT.name):
        return float(value)
    if type(value) is float and of in (INT, INT.name):
        warn_of_lost_fraction(value)
        return truncate(value)
    if of is MISSING:
        raise TypeException("to requires a type")
    raise TypeException(f"Type error: cannot convert {type_name(value)} to {type_text(of)}")


def truncate(number: float) -> int:
    """A Float as Int, towards zero.

    Raises:
        RuntimeException: It is not a number or does not fit 64 bits.
    """
    if number != number or not INT_MIN <= number < -float(INT_MIN):  # noqa: PLR0124 - nan differs from itself
        raise RuntimeException(f"Integer overflow in conversion of {format_float(number)}")
    return int(number)


METHODS: Final = {"to_s": to_s, "class": class_of, "is": is_, "to": to}
