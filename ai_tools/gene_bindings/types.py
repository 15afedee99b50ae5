"""Gene's type expressions as JSON Schema, and the way from JSON values to what such a parameter takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gene.data.atoms import Char, Symbol
from gene.data.forms import Gene
from gene.data.kinds import Kind
from gene.data.names import python_name
from gene.reader import read_one
from gene.runtime.enums import Enum
from gene.runtime.typetests import Union, type_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Convert = Callable[[Any], Any]

KNOWN = (
    "Int, Float, String, Bool, Symbol, Char, Date, Time, DateTime, Array, Map, Nil, Any, an enum, or a union"
)


class NoFormError(TypeError):
    """A type has no JSON form."""


class Form:
    """A type's JSON Schema, and the conversion of a value that obeys it; None where the value stays."""

    __slots__ = ("convert", "schema")

    def __init__(self, schema: dict[str, Any], convert: Convert | None = None) -> None:
        self.schema = schema
        self.convert = convert

    def back(self, value: Any) -> Any:
        """Return a JSON value as the type has it."""
        return value if self.convert is None else self.convert(value)


def _temporal(name: str) -> Convert:
    def convert(text: str) -> Any:
        from gene.data import temporal

        value = temporal.parse(text)
        if type(value).__name__ != name:
            raise ValueError(f"must be a {name} such as {_SAMPLES[name]}, not {text!r}")
        return value

    return convert


def _int(value: Any) -> int:
    made = int(value)
    if not -(2**63) <= made < 2**63:
        raise ValueError(f"must be an Int, of 64 bits, not {made}")
    return made


_SAMPLES = {"Date": "2024-02-03", "Time": "09:30:00", "DateTime": "2024-02-03T09:30:00Z"}
# 7.0 is an integer in JSON Schema, and 7 a number. Gene converts them where a plain Int or Float is declared,
# but neither in unions nor in arrays.
_FORMS = {
    "Int": Form({"type": "integer"}, _int),
    "Float": Form({"type": "number"}, float),
    "String": Form({"type": "string"}),
    "Bool": Form({"type": "boolean"}),
    "Nil": Form({"type": "null"}),
    "Any": Form({}),
    "Array": Form({"type": "array"}),
    "Map": Form({"type": "object"}),
    "Symbol": Form({"type": "string"}, Symbol),
    "Char": Form({"type": "string", "minLength": 1, "maxLength": 1}, Char),
    "Date": Form({"type": "string", "format": "date"}, _temporal("Date")),
    "Time": Form({"type": "string", "format": "time"}, _temporal("Time")),
    "DateTime": Form({"type": "string", "format": "date-time"}, _temporal("DateTime")),
}


def form_of(text: str | None, names: Mapping[str, Any]) -> Form:
    """Return the form of a declared type.

    Args:
        text: The type as it is written, such as ``(Array Int)``; None for a parameter without one.
        names: The globals of the function's module, for its enums and aliases.

    Raises:
        NoFormError: It has none.
    """
    return Form({}) if text is None else _of(read_one(text), names)


def _of(form: Any, names: Mapping[str, Any]) -> Form:
    if isinstance(form, Gene):
        if len(form.children) >= 2 and getattr(form.children[0], "name", None) == "|":
            return _union([_of(member, names) for member in (form.type, *form.children[1::2])])
        return _container(form, names)
    name = getattr(form, "name", None)
    if isinstance(form, Symbol) and python_name(form.name) in names:
        return _of_value(names[python_name(form.name)], form.name)
    if isinstance(name, str) and name in _FORMS:
        return _FORMS[name]
    raise _none(form)


def _of_value(value: Any, name: str) -> Form:
    """Return the form of what a program's own type name stands for."""
    if isinstance(value, Enum):
        return _enum(value)
    if isinstance(value, Union):
        return _union([_of_value(member, type_text(member)) for member in value.members])
    if isinstance(value, Kind) and value.name in _FORMS:
        return _FORMS[value.name]
    raise _none(name)


def _none(name: Any) -> NoFormError:
    return NoFormError(f"the type {name} has no JSON form; use {KNOWN} of these")


def _container(form: Gene, names: Mapping[str, Any]) -> Form:
    kind = getattr(form.type, "name", None)
    if kind not in ("Array", "Map") or not form.children:
        raise _none(form)
    inner = _of(form.children[-1], names)
    back = inner.convert
    if kind == "Array":
        return _holding("array", "items", inner, back and (lambda items: [back(each) for each in items]))
    if getattr(form.children[0], "name", None) not in ("String", "Symbol", "Any") and len(form.children) > 1:
        raise NoFormError(f"the keys of {form} must be strings, as all keys of JSON objects are")
    convert = back and (lambda items: {key: back(each) for key, each in items.items()})
    return _holding("object", "additionalProperties", inner, convert)


def _holding(kind: str, keyword: str, inner: Form, convert: Convert | None) -> Form:
    return Form({"type": kind, keyword: inner.schema} if inner.schema else {"type": kind}, convert)


def _enum(enum: Enum) -> Form:
    """Return the form of an enum: the names of its variants."""
    carrying = [variant.path for variant in enum.variants.values() if variant.fields]
    if carrying:
        raise NoFormError(f"the enum {enum.name} has no JSON form: {', '.join(carrying)} carries values")
    return Form({"type": "string", "enum": list(enum.members)}, enum.members.__getitem__)


def _union(members: Sequence[Form]) -> Form:
    schemas = [member.schema for member in members]
    if {} in schemas:
        return Form({})
    schema: dict[str, Any] = {"anyOf": schemas}
    if all(each.keys() == {"type"} for each in schemas):
        schema = {"type": list(dict.fromkeys(each["type"] for each in schemas))}
    if all(member.convert is None for member in members):
        return Form(schema)
    return Form(schema, _Choice(members))


class _Choice:
    """The conversion of a union: that of the first member that the value can belong to."""

    __slots__ = ("_members", "_ready")

    def __init__(self, members: Sequence[Form]) -> None:
        self._members = members
        kinds = [member.schema.get("type") for member in members]
        self._ready = {kind for kind, name in ((int, "integer"), (float, "number")) if name in kinds}

    def __call__(self, value: Any) -> Any:
        if type(value) in self._ready:  # 7.0 stays a Float in (Int | Float), and 7 an Int in (Float | Int)
            return value
        for member in self._members:
            if _may_be(value, member.schema):
                try:
                    return member.back(value)
                except ValueError:  # such as text that is no Date, in (Date | String)
                    continue
        return value


_TYPES: dict[str, tuple[type, ...]] = {
    "integer": (int,),
    "number": (int, float),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
}


def _may_be(value: Any, schema: dict[str, Any]) -> bool:
    """Whether a value has the JSON type of a schema, and is among its enum's values."""
    if "anyOf" in schema:
        return any(_may_be(value, each) for each in schema["anyOf"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    fits = any(type(value) in _TYPES[kind] for kind in kinds) or (
        "integer" in kinds and type(value) is float and value.is_integer()
    )
    return fits and ("enum" not in schema or value in schema["enum"])
