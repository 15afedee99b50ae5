"""The fields of classes that are records: dataclasses, attrs classes, typed dicts, named tuples."""

from __future__ import annotations

import typing
from typing import Any

NONE = object()


class Field:
    """A field of a class: its type, whether it must be given, its default or `NONE`."""

    __slots__ = ("annotation", "default", "required")

    def __init__(self, annotation: Any, required: bool, default: Any = NONE) -> None:  # noqa: FBT001
        self.annotation = annotation
        self.required = required
        self.default = default


def fields_of(kind: type) -> dict[str, Field] | None:
    """Return the fields of a dataclass, attrs class, TypedDict or named tuple; None for any other class."""
    if typing.is_typeddict(kind):
        hints = typing.get_type_hints(kind, include_extras=True)
        return {name: Field(hint, _is_required(kind, name, hint)) for name, hint in hints.items()}
    if hasattr(kind, "__dataclass_fields__"):
        return _dataclass_fields(kind)
    if hasattr(kind, "__attrs_attrs__"):
        return _attrs_fields(kind)
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        hints = typing.get_type_hints(kind, include_extras=True)
        defaults = kind._field_defaults  # type: ignore[attr-defined]
        names = kind._fields
        return {n: Field(hints.get(n, Any), n not in defaults, defaults.get(n, NONE)) for n in names}
    return None


def _is_required(kind: Any, name: str, hint: Any) -> bool:
    """Whether a typed dict must have a key. Its own list is wrong where annotations are strings."""
    origin = typing.get_origin(hint)
    if origin in (typing.Required, typing.NotRequired):
        return origin is typing.Required
    return name in kind.__required_keys__


def _dataclass_fields(kind: Any) -> dict[str, Field]:
    from dataclasses import MISSING, fields

    hints = typing.get_type_hints(kind, include_extras=True)
    return {
        field.name: Field(
            hints[field.name],
            field.default is MISSING and field.default_factory is MISSING,
            NONE if field.default is MISSING else field.default,
        )
        for field in fields(kind)
        if field.init
    }


def _attrs_fields(kind: Any) -> dict[str, Field]:
    import attrs

    hints = typing.get_type_hints(kind, include_extras=True)
    return {
        field.alias: Field(
            hints.get(field.name, Any),
            field.default is attrs.NOTHING,
            NONE if isinstance(field.default, attrs.Factory) else field.default,  # type: ignore[arg-type]
        )
        for field in attrs.fields(kind)
        if field.init
    }
