"""Strict nil: declared types are checked also where the value is nil.

An interpreter with ``strict_nil`` has these functions in place of those that let nil pass, so that the others
pay nothing for the choice.
"""

from __future__ import annotations

import sys

from gene.data.kinds import NIL
from gene.runtime import checks
from gene.runtime.enums import OPTION, make_enum
from gene.runtime.exceptions import TypeException
from gene.runtime.failures import is_gene_frame, place_at
from gene.runtime.typetests import Union, is_instance

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Final

RULE: Final = "strict nil mode admits nil only for Any, Nil, Option[T], or unions containing Nil"


def admits_nil(type_: Any) -> bool:
    """Whether nil is a value of a declared type."""
    if type(type_) is Union:
        return any(admits_nil(member) for member in type_.members)
    return type_ is OPTION or is_instance(None, type_)


def coerce(value: Any, type_: Any, where: str) -> Any:
    """A value as the declared type wants it, as :func:`gene.runtime.checks.coerce` makes it.

    Args:
        value: Any value.
        type_: A kind, a class or a union.
        where: What the value is for, for the error; perhaps with a place behind ``@``.

    Raises:
        TypeException: The value is of another type, or nil where the type does not name it.
    """
    if value is not None:
        return checks.coerce(value, type_, where)
    if admits_nil(type_):
        return None
    what, _, place = where.partition(" @ ")
    place = place or _place()
    raise TypeException(
        f"Type error [GENE_TYPE_MISMATCH]: expected {checks.expected(type_)}, got {NIL.name} in {what};"
        f" {RULE}" + (f" @ {place}" if place else "")
    )


def _place() -> str:
    """Where the Gene code is that has a value checked."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the documented way to one's caller
    while frame is not None and not is_gene_frame(frame):
        frame = frame.f_back
    place = None if frame is None else place_at(frame, frame.f_lasti)
    return "" if place is None else ":".join(map(str, place))


def _check_result(value: Any, type_: Any, name: str) -> Any:
    return coerce(value, type_, f"return value of {name}")


def _check_variable(value: Any, type_: Any, _name: str, place: str) -> Any:
    return coerce(value, type_, f"variable @ {place}")


def _make_enum(*args: Any) -> Any:
    made = make_enum(*args)
    for variant in made.variants.values():
        variant.coerce = coerce
    return made


STRICT: Final[dict[str, Any]] = {
    "%check_result": _check_result,
    "%check_variable": _check_variable,
    "%coerce": coerce,
    "%make_enum": _make_enum,
}
"""What a strict interpreter's code calls, under the names that it uses."""
