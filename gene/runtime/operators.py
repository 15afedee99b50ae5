"""The slow ways of the operators: what compiled code does not do itself, and the errors."""

from __future__ import annotations

from gene.data.atoms import VOID
from gene.data.kinds import kind_of
from gene.runtime.exceptions import ArgumentException, RuntimeException, TypeException
from gene.runtime.text import to_s

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_INT = (1 << 63) - 1
MIN_INT = -(1 << 63)
_ORDERED = frozenset({"VkDate", "VkTime", "VkDateTime"})
_NOUNS = {"+": "addition", "-": "subtraction", "*": "multiplication", "negate": "negation"}
_VERBS = {
    "+": ("add", "Cannot add {0} and {1}"),
    "-": ("subtract from", "Cannot subtract {1} from {0}"),
    "*": ("multiply", "Cannot multiply {0} and {1}"),
    "/": ("divide", "Cannot divide {0} by {1}"),
    "%": ("modulo", "Cannot modulo {0} by {1}"),
}


def is_number(value: object) -> bool:
    """Whether a value is an Int or a Float; a Bool is neither."""
    return type(value) is int or type(value) is float


def overflow(value: Any, operator: str) -> Any:
    """A result outside of 64 bits: an error if it is an Int, right if it is a Float."""
    if type(value) is int and not MIN_INT <= value <= MAX_INT:
        raise RuntimeException(f"Integer overflow in {_NOUNS[operator]}")
    return value


def _bounded(value: Any, operator: str) -> Any:
    return value if type(value) is not int or MIN_INT <= value <= MAX_INT else overflow(value, operator)


def _refuse(operator: str, left: Any, right: Any, wording: str) -> TypeException:
    """The error for operands that are not numbers."""
    verb, both = _VERBS[operator]
    if is_number(left):
        return TypeException(both.format(kind_of(left).tag, kind_of(right).tag))
    tag = kind_of(left).tag
    if wording == "increment":
        return TypeException(f"Cannot increment variable of type: {tag} (only integers supported)")
    return TypeException(f"Cannot {verb} {wording} of type: {tag}")


def _maker(operator: str, compute: Callable[[Any, Any], Any]) -> Callable[[str], Callable[[Any, Any], Any]]:
    """The slow way of an arithmetic operator, for each wording of its error."""

    def make(wording: str) -> Callable[[Any, Any], Any]:
        def slow(left: Any, right: Any) -> Any:
            if is_number(left) and is_number(right):
                return _bounded(compute(left, right), operator)
            raise _refuse(operator, left, right, wording)

        return slow

    return make


def _divide(left: Any, right: Any) -> float:
    """Division, which always gives a Float: by zero infinite, or not a number."""
    if right:
        return float(left / right)
    if left == 0 or left != left:  # noqa: PLR0124 - only a NaN differs from itself
        return float("nan")
    negative = (left < 0) != (str(float(right))[0] == "-")
    return float("-inf") if negative else float("inf")


def _modulo(left: Any, right: Any) -> Any:
    """The remainder of a division that truncates: it has the sign of the dividend."""
    if type(left) is int and type(right) is int:
        if right == 0:
            raise RuntimeException("Modulo by zero")
        rest = abs(left) % abs(right)
        return -rest if left < 0 else rest
    from math import fmod, isinf, nan

    if right == 0 or isinf(left):
        return nan
    return fmod(left, right)


def _table() -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, operator, compute in (
        ("add", "+", lambda left, right: left + right),
        ("subtract", "-", lambda left, right: left - right),
        ("multiply", "*", lambda left, right: left * right),
        ("divide", "/", _divide),
        ("modulo", "%", _modulo),
    ):
        make = _maker(operator, compute)
        made[name] = make("values")
        made[name + ":variable"] = make("variable")
        made[name + ":increment"] = make("increment")
    return made


ARITHMETIC = _table()
"""The slow ways of ``+ - * / %`` under the names that compiled code calls them by."""


def negate(value: Any) -> Any:
    """``(- x)``."""
    if is_number(value):
        return _bounded(-value, "negate")
    raise TypeException(f"Cannot negate value of type: {kind_of(value).tag}")


def _order(left: Any, right: Any, sign: str) -> bool:
    """Whether two values may be ordered: numbers, and dates and times of one kind."""
    if is_number(left) and is_number(right):
        return True
    if type(left) is type(right) and kind_of(left).tag in _ORDERED:
        return True
    raise TypeException(f"Cannot compare {kind_of(left).tag} {sign} {kind_of(right).tag}")


def less(left: Any, right: Any) -> bool:
    """``<``."""
    return bool(_order(left, right, "<") and left < right)


def less_equal(left: Any, right: Any) -> bool:
    """``<=``."""
    return bool(_order(left, right, "<=") and left <= right)


def greater(left: Any, right: Any) -> bool:
    """``>``."""
    return bool(_order(left, right, ">") and left > right)


def greater_equal(left: Any, right: Any) -> bool:
    """``>=``."""
    return bool(_order(left, right, ">=") and left >= right)


def truth(value: Any) -> bool:
    """Whether a value is true: all but nil, void and false are."""
    return value is not None and value is not False and value is not VOID


def _bits(name: str, left: Any, right: Any) -> Any:
    """The bitwise operation of two Ints or two Bytes; NotImplemented for anything else."""
    if type(left) is int and type(right) is int:
        return getattr(int, name)(left, right)
    operation = getattr(type(left), "bitwise", None)
    if operation is not None and type(left) is type(right):
        return operation(left, name, right)
    return NotImplemented


def and_(left: Any, right: Any) -> Any:
    """``&&`` with a true left side: bitwise for two Ints, else the right side."""
    made = _bits("__and__", left, right)
    return right if made is NotImplemented else made


def or_(left: Any, right: Any) -> Any:
    """``||`` with a left side that is false, or may have bits."""
    if not truth(left):
        return right
    made = _bits("__or__", left, right)
    return left if made is NotImplemented else made


def exclusive_or(left: Any, right: Any) -> Any:
    """``&|&``: of the bits of two Ints, else of the truths."""
    made = _bits("__xor__", left, right)
    return truth(left) != truth(right) if made is NotImplemented else made


def not_(value: Any) -> Any:
    """``not``: the complement of an Int or of Bytes, else by truth."""
    if type(value) is int:
        return ~value
    complement = getattr(type(value), "complement", None)
    return not truth(value) if complement is None else complement(value)


def _shift(name: str, left: Any, right: Any) -> Any:
    if type(right) is not int:
        raise TypeException(f"Cannot shift by {kind_of(right).tag}")
    operation = getattr(type(left), "shift", None)
    if operation is not None:
        return operation(left, name, right)
    if type(left) is not int:
        raise TypeException(f"Cannot shift {kind_of(left).tag}")
    amount = right & 63
    shifted = left << amount if name == "left" else left >> amount
    return ((shifted + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)


def shift_left(left: Any, right: Any) -> Any:
    """``<<``: bits that leave 64 bits are lost."""
    return _shift("left", left, right)


def shift_right(left: Any, right: Any) -> Any:
    """``>>``: the sign stays."""
    return _shift("right", left, right)


def join_strings(left: Any, right: Any) -> str:
    """``++``."""
    if type(left) is str and type(right) is str:
        return left + right
    raise ArgumentException("++ expects String arguments")


def concatenate(*parts: Any) -> str:
    """``($ a b …)``."""
    return "".join([part if type(part) is str else to_s(part) for part in parts])
