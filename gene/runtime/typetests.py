"""``is``: whether a value is of a type. Types are kinds, classes, unions of types, or the name of one."""

from __future__ import annotations

from gene.data.kinds import ANY, FOREIGN, OBJECT, Kind, kind_of
from gene.runtime.classes import GeneClass, Instance
from gene.runtime.exceptions import TypeException

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final


class Union:
    """The type of values that are of one of several types: ``(Int | String)``.

    Attributes:
        members: The types.
    """

    __slots__ = ("members",)

    def __init__(self, *members: Any) -> None:
        self.members = members

    def gene_accepts(self, value: Any) -> bool:
        """Whether a value is of one of the types."""
        return any(is_instance(value, member) for member in self.members)

    def __repr__(self) -> str:
        return f"({' | '.join(type_text(member) for member in self.members)})"


UNION: Final = Kind("Union", "VkType", Union, typeof="VkType", has_class=False)


def is_instance(value: Any, of: Any) -> bool:
    """Whether ``(value is of)``.

    Args:
        value: Any value.
        of: A kind, a class (its subclasses count), an object with a method ``gene_accepts(value)`` such as a
            union, or the name of a type as a string.

    Raises:
        TypeException: ``of`` is not a type.
    """
    if type(of) is Kind:
        return _is_of_kind(value, of)
    if isinstance(of, GeneClass):
        return isinstance(value, of)
    if isinstance(of, str):
        return of in _names(value)
    accepts = getattr(type(of), "gene_accepts", None)
    if accepts is None:
        raise TypeException("is requires a type value on the right side")
    return bool(accepts(of, value))


def class_of(value: Any) -> Any:
    """The class of a value: its Gene class, or its kind."""
    return type(value) if isinstance(value, Instance) else kind_of(value)


def type_name(value: Any) -> str:
    """What messages call the type of a value: ``Int``, ``Nil``, the name of its class."""
    return type_text(class_of(value))


def type_text(of: Any) -> str:
    """The name of a type."""
    if isinstance(of, Kind):
        return of.name
    return of.__gene__.name if isinstance(of, GeneClass) else str(of)


def _is_of_kind(value: Any, of: Kind) -> bool:
    if isinstance(value, Instance):
        return of is OBJECT or of is ANY
    kind: Kind | None = kind_of(value)
    if kind is FOREIGN and of.tag == "VkFunction":
        return callable(value)
    while kind is not None:
        if kind is of:
            return True
        kind = kind.parent
    return of is ANY


def _names(value: Any) -> set[str]:
    """The names of all types that a value is of."""
    if isinstance(value, Instance):
        return {base.__gene__.name for base in type(value).__mro__ if isinstance(base, GeneClass)} | {"Any"}
    names = {"Any"}
    kind: Kind | None = kind_of(value)
    while kind is not None:
        names |= {kind.name, kind.typeof}
        kind = kind.parent
    return names
