"""Declared types: what a value must be, and the conversions between numbers."""

from __future__ import annotations

from gene.data.kinds import FLOAT, INT, Kind, kind_of
from gene.runtime.exceptions import AssertionException, GeneException, TypeException
from gene.runtime.text import format_float, inspect
from gene.runtime.typetests import Union, is_instance, type_text

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any


def coerce(value: Any, type_: Any, where: str) -> Any:
    """A value as the declared type wants it.

    nil passes every check; an Int becomes a Float where one is declared, a Float is cut to an Int.

    Args:
        value: Any value.
        type_: A kind, a class or a union.
        where: What the value is for, for the error.

    Raises:
        TypeException: The value is of another type.
    """
    if value is None or is_instance(value, type_):
        return value
    types = type_.members if type(type_) is Union else (type_,)
    if FLOAT in types and type(value) is int:
        return float(value)
    if INT in types and type(value) is float and value == value and abs(value) < 2**63:  # noqa: PLR0124 - not NaN
        warn_of_lost_fraction(value)
        return int(value)
    raise TypeException(
        f"Type error [GENE_TYPE_MISMATCH]: expected {expected(type_)}, got {_got(value)} in {where}"
    )


def warn_of_lost_fraction(number: float) -> None:
    """Say on standard error that a Float becomes an Int, unless nothing is lost."""
    if not number.is_integer():
        import sys

        sys.stderr.write(f"Warning: {format_float(number)} converted to Int loses its fraction\n")


def expected(type_: Any) -> str:
    """How messages write a declared type: the members of a union in order."""
    if type(type_) is Union:
        return f"({' | '.join(sorted(type_text(member) for member in type_.members))})"
    return type_text(type_)


def _got(value: Any) -> str:
    kind: Kind = kind_of(value)
    if kind.name in ("Object", "Foreign"):
        info = getattr(type(value), "__gene__", None)
        return kind.name if info is None else str(info.name)
    return kind.name


def check_result(value: Any, type_: Any, name: str) -> Any:
    """What a function returns, as its declared result type wants it."""
    return coerce(value, type_, f"return value of {name}")


def check_variable(value: Any, type_: Any, name: str, place: str) -> Any:  # noqa: ARG001 - the name is for debuggers
    """What a typed variable is given."""
    return coerce(value, type_, f"variable @ {place}")


def contract_failed(name: str, which: str, condition: str, *values: Any) -> GeneException:
    """The error for a condition of a contract that does not hold.

    Args:
        name: The function's name.
        which: "precondition #1" or the like.
        condition: The condition as it is written.
        *values: Names and values of the arguments in turn, and of the result after a postcondition.
    """
    pairs = list(zip(values[::2], values[1::2], strict=True))
    args = ", ".join(f"{each}={inspect(value)}" for each, value in pairs if each is not None)
    result = "".join(f" | result={inspect(value)}" for each, value in pairs if each is None)
    return AssertionException(
        f"ContractViolation: {name} {which} failed: {condition} | args=[{args}]{result}"
    )
