"""Python types as JSON Schema, and the way back from JSON values to those types."""

from __future__ import annotations

import enum
import sys
import types
import typing
from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal, Union, get_args, get_origin

from ai_tools.fields import NONE, Field, fields_of
from ai_tools.serialization import NoJsonFormError, to_jsonable

Convert = Callable[[Any], Any]


class Form:
    """A type's JSON Schema, and the conversion of a JSON value to it; None where the value stays as it is."""

    __slots__ = ("convert", "schema")

    def __init__(self, schema: dict[str, Any], convert: Convert | None = None) -> None:
        self.schema = schema
        self.convert = convert


class NoFormError(TypeError):
    """A type has no JSON form."""


_SIMPLE: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    None: {"type": "null"},
    type(None): {"type": "null"},
    Any: {},
    object: {},
}


def _base64(text: str) -> bytes:
    from base64 import b64decode

    return b64decode(text, validate=True)


def _decimal(value: Any) -> Any:
    from decimal import Decimal, InvalidOperation

    try:
        return Decimal(str(value))
    except InvalidOperation:
        raise ValueError(f"{value!r} is not a decimal number") from None


class Forms:
    """Finds the forms of the types in one signature.

    Attributes:
        definitions: The ``$defs`` that recursive classes need.

    Args:
        namespace: What names in annotations that are strings mean.
    """

    def __init__(self, namespace: Mapping[str, Any] | None = None) -> None:
        self._namespace = dict(namespace or {})
        self._open: dict[Any, Form] = {}
        self._recursive: set[Any] = set()
        self.definitions: dict[str, Any] = {}

    def of(self, annotation: Any) -> Form:
        """Return the form of a type.

        Raises:
            NoFormError: It has none.
        """
        annotation = self._resolve(annotation)
        if (
            annotation is None
            or annotation is Any
            or (isinstance(annotation, type) and annotation in _SIMPLE)
        ):
            # 7.0 is an integer and 7 a number in JSON Schema; the function gets what it asks for.
            return Form(dict(_SIMPLE[annotation]), annotation if annotation in (int, float) else None)
        origin = get_origin(annotation) or annotation
        arguments = get_args(annotation)
        if origin is typing.Annotated:
            return self._annotated(arguments)
        if origin in (typing.Required, typing.NotRequired, typing.ClassVar, typing.Final):
            return self.of(arguments[0])
        if origin is Literal:
            return Form(_enumeration(arguments))
        if origin is Union or origin is types.UnionType:
            return self._union([self.of(argument) for argument in arguments])
        if isinstance(origin, type):
            return self._class(origin, arguments)
        raise NoFormError(f"{annotation!r} has no JSON form")

    def _resolve(self, annotation: Any) -> Any:
        """Return what names and aliases stand for."""
        if isinstance(annotation, typing.ForwardRef):
            annotation = annotation.__forward_arg__
        if isinstance(annotation, str):
            try:
                annotation = eval(annotation, self._namespace)  # noqa: S307 - the author's own annotation
            except Exception as error:  # noqa: BLE001 - an annotation may be any expression
                raise NoFormError(f"{annotation!r} cannot be resolved ({error})") from None
            return self._resolve(annotation)
        if isinstance(annotation, typing.TypeVar):
            return self._resolve(annotation.__bound__ or Any)
        if isinstance(annotation, typing.NewType):
            return self._resolve(annotation.__supertype__)
        if type(annotation).__name__ == "TypeAliasType":
            return self._resolve(annotation.__value__)
        return annotation

    def _annotated(self, arguments: tuple[Any, ...]) -> Form:
        form = self.of(arguments[0])
        schema = dict(form.schema)
        for note in arguments[1:]:
            _apply(note, schema)
        return Form(schema, form.convert)

    def _union(self, forms: list[Form]) -> Form:
        schema = {"anyOf": [form.schema for form in forms]}
        if all(form.convert in (None, int, float) for form in forms):
            return Form(schema)
        return Form(schema, _Choice(forms, self.definitions))

    def _class(self, kind: type, arguments: tuple[Any, ...]) -> Form:
        if issubclass(kind, enum.Enum):
            return Form(_enumeration([member.value for member in kind]), kind)
        scalar = _scalar(kind)
        if scalar is not None:
            return scalar
        if kind is tuple:
            return self._tuple(arguments)
        if _is_pydantic(kind):
            return self._pydantic(kind)
        fields = fields_of(kind)
        if fields is not None:
            return self._structure(kind, fields)
        if issubclass(kind, Mapping):
            return self._mapping(arguments)
        if issubclass(kind, Collection) or kind.__module__ == "collections.abc":
            return self._array(kind, arguments)
        raise NoFormError(f"{kind.__qualname__} has no JSON form")

    def _tuple(self, arguments: tuple[Any, ...]) -> Form:
        if not arguments or arguments[-1] is Ellipsis:
            form = self._array(tuple, arguments[:1])
            return Form(form.schema, form.convert)
        forms = [self.of(argument) for argument in arguments]
        size = len(forms)
        schema = {
            "type": "array",
            "prefixItems": [form.schema for form in forms],
            "minItems": size,
            "maxItems": size,
        }
        return Form(schema, lambda items: tuple(_back(f, item) for f, item in zip(forms, items, strict=True)))

    def _array(self, kind: type, arguments: tuple[Any, ...]) -> Form:
        item = self.of(arguments[0]) if arguments else Form({})
        schema: dict[str, Any] = {"type": "array"}
        if item.schema:
            schema["items"] = item.schema
        wanted = next((made for made in (list, tuple, set, frozenset) if issubclass(made, kind)), None)
        if wanted is None:
            raise NoFormError(f"{kind.__qualname__} has no JSON form")
        if wanted in (set, frozenset):
            schema["uniqueItems"] = True
        if wanted is list and item.convert is None:
            return Form(schema)
        return Form(schema, lambda items: wanted(_back(item, value) for value in items))

    def _mapping(self, arguments: tuple[Any, ...]) -> Form:
        if arguments and arguments[0] not in (str, Any):
            raise NoFormError("JSON objects have string keys only")
        value = self.of(arguments[1]) if len(arguments) > 1 else Form({})
        schema: dict[str, Any] = {"type": "object"}
        if value.schema:
            schema["additionalProperties"] = value.schema
        if value.convert is None:
            return Form(schema)
        return Form(schema, lambda items: {key: _back(value, item) for key, item in items.items()})

    def _structure(self, kind: type, fields: dict[str, Field]) -> Form:
        """Return the form of a class with named fields; a recursive one stands in ``$defs``."""
        if kind in self._open:
            self._recursive.add(kind)
            form = self._open[kind]
            return Form({"$ref": f"#/$defs/{kind.__name__}"}, lambda value: _back(form, value))
        self._open[kind] = form = Form({})
        forms = {name: self._field(field) for name, field in fields.items()}
        del self._open[kind]
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {name: inner.schema for name, inner in forms.items()},
            "additionalProperties": False,
        }
        required = [name for name, field in fields.items() if field.required]
        if required:
            schema["required"] = required
        form.schema = schema
        if not (typing.is_typeddict(kind) and all(inner.convert is None for inner in forms.values())):
            form.convert = lambda value: kind(**{k: _back(forms[k], v) for k, v in value.items()})
        if kind not in self._recursive:
            return form
        self.definitions[kind.__name__] = schema
        return Form({"$ref": f"#/$defs/{kind.__name__}"}, form.convert)

    def _field(self, field: Field) -> Form:
        form = self.of(field.annotation)
        if field.required or field.default is NONE:
            return form
        return Form(with_default(form.schema, field.default), form.convert)

    def _pydantic(self, kind: Any) -> Form:
        schema = kind.model_json_schema()
        self.definitions.update(schema.pop("$defs", {}))
        return Form(schema, kind.model_validate)


def with_default(schema: dict[str, Any], default: Any) -> dict[str, Any]:
    """Return a schema that names a default, if that has a JSON form."""
    if isinstance(default, tuple) and hasattr(default, "_asdict"):
        default = default._asdict()
    try:
        return {**schema, "default": to_jsonable(default)}
    except NoJsonFormError:
        return schema


def _back(form: Form, value: Any) -> Any:
    return value if form.convert is None else form.convert(value)


class _Choice:
    """The conversion of a union: that of the first alternative whose schema the value obeys."""

    __slots__ = ("_definitions", "_forms", "_judges")

    def __init__(self, forms: list[Form], definitions: dict[str, Any]) -> None:
        self._forms = forms
        self._definitions = definitions
        self._judges: list[Any] = []

    def __call__(self, value: Any) -> Any:
        if not self._judges:
            from ai_tools.judge import Judge

            self._judges = [Judge({**form.schema, "$defs": self._definitions}) for form in self._forms]
        for form, judge in zip(self._forms, self._judges, strict=True):
            if not judge.problems(value):
                return _back(form, value)
        return value


def _enumeration(values: Any) -> dict[str, Any]:
    listed = [value.value if isinstance(value, enum.Enum) else value for value in values]
    names = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}
    kinds = {names.get(type(value)) for value in listed}
    schema: dict[str, Any] = {"enum": listed}
    if len(kinds) == 1 and None not in kinds:
        schema = {"type": kinds.pop(), **schema}
    return schema


def _scalar(kind: type) -> Form | None:
    """Return the form of a class of the standard library that JSON writes as text."""
    if kind in (bytes, bytearray):
        return Form({"type": "string", "contentEncoding": "base64"}, lambda text: kind(_base64(text)))
    module, name = kind.__module__, kind.__qualname__
    if module == "datetime" and name in _TIMES:
        return Form({"type": "string", "format": _TIMES[name]}, kind.fromisoformat)  # type: ignore[attr-defined]
    if (module, name) == ("uuid", "UUID"):
        return Form({"type": "string", "format": "uuid"}, kind)
    if name == "Decimal" and module in ("decimal", "_pydecimal"):
        return Form({"type": ["number", "string"]}, _decimal)
    pure_path = getattr(sys.modules.get("pathlib"), "PurePath", None)
    if pure_path is not None and issubclass(kind, pure_path):
        return Form({"type": "string"}, kind)
    return None


_TIMES = {"datetime": "date-time", "date": "date", "time": "time"}


def _is_pydantic(kind: type) -> bool:
    model = getattr(sys.modules.get("pydantic"), "BaseModel", None)
    return model is not None and issubclass(kind, model)


_CONSTRAINTS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
}


def _apply(note: Any, schema: dict[str, Any]) -> None:
    """Add what a note of ``Annotated`` says: text, keywords, or annotated-types' constraints."""
    if isinstance(note, str):
        schema["description"] = note
        return
    if isinstance(note, Mapping):
        schema.update(note)
        return
    if isinstance(description := getattr(note, "description", None), str):
        schema["description"] = description
    for attribute, keyword in _CONSTRAINTS.items():
        if (value := getattr(note, attribute, None)) is not None:
            schema[keyword] = value
    suffix = {"string": "Length", "array": "Items", "object": "Properties"}.get(schema.get("type", ""))
    for bound in ("min", "max"):
        value = getattr(note, f"{bound}_length", None)
        if suffix and value is not None:
            schema[f"{bound}{suffix}"] = value
    for inner in getattr(note, "metadata", None) or ():
        _apply(inner, schema)
