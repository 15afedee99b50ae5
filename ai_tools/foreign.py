"""JSON forms of values of the standard library and of common others, found without importing them."""

from __future__ import annotations

import sys
from typing import Any, Literal, TypeAlias

Form: TypeAlias = tuple[Literal["object", "array", "value"], Any]
"""How to convert a value: as an object of (key, value) pairs, as an array of items, or as another value."""

_TEXT = {
    "datetime": ("datetime", "date", "time"),
    "decimal": ("Decimal",),
    "uuid": ("UUID",),
    "fractions": ("Fraction",),
    "pathlib": ("PurePath",),
    "ipaddress": ("IPv4Address", "IPv6Address", "IPv4Network", "IPv6Network"),
}
"""Kinds whose standard text is their form. datetime's has a "T" between date and time (RFC 3339)."""


def form_of(value: Any) -> Form | None:
    """Return how a value becomes JSON, None if it cannot."""
    return _standard(value) or _structured(value) or _iterable(value)


def _standard(value: Any) -> Form | None:
    if _is_a(value, "enum", "Enum"):
        return "value", value.value
    if _is_a(value, "datetime", "timedelta"):
        return "value", value.total_seconds()
    for module, names in _TEXT.items():
        if any(_is_a(value, module, name) for name in names):
            return "value", value.isoformat() if module == "datetime" else str(value)
    return None


def _structured(value: Any) -> Form | None:
    if isinstance(value, type):
        return None
    if callable(method := getattr(value, "to_jsonable", None)):
        return "value", method()
    if _is_a(value, "pydantic", "BaseModel"):
        return "object", [(name, getattr(value, name)) for name in _pydantic_fields(value)]
    if fields := getattr(value, "__dataclass_fields__", None):
        # Pseudo-fields (ClassVar, InitVar) are listed too, told apart by a private marker's name.
        names = [name for name, field in fields.items() if field._field_type.name == "_FIELD"]  # noqa: SLF001
        return "object", [(name, getattr(value, name)) for name in names]
    if fields := getattr(value, "__attrs_attrs__", None):
        return "object", [(field.name, getattr(value, field.name)) for field in fields]
    return None


def _pydantic_fields(value: Any) -> list[str]:
    return [*type(value).model_fields, *(value.model_extra or ()), *type(value).model_computed_fields]


def _iterable(value: Any) -> Form | None:
    if isinstance(value, (set, frozenset)):
        try:
            return "array", sorted(value)
        except TypeError:
            return "array", sorted(value, key=repr)
    if isinstance(value, _SEQUENCES) or _is_a(value, "collections", "deque"):
        return "array", value
    if _is_a(value, "collections.abc", "Mapping"):
        return "object", value.items()
    if isinstance(value, BaseException):
        return "value", {"error": f"{type(value).__name__}: {value}"}
    return None


_SEQUENCES: tuple[type, ...] = (
    range,
    map,
    filter,
    zip,
    enumerate,
    reversed,
    type({}.keys()),
    type({}.values()),
    type({}.items()),
    type(_ for _ in range(0)),
)


def _is_a(value: Any, module: str, name: str) -> bool:
    """Whether a value is an instance of a class whose module, if not loaded, cannot have made it."""
    kind = getattr(sys.modules.get(module), name, None)
    return isinstance(kind, type) and isinstance(value, kind)
