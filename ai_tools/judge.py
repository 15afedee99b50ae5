"""jsonschema as the judge of arguments: its verdict, its messages in plain words, its repairs."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.validators import extend
from referencing import Registry

from ai_tools import patterns
from ai_tools.schema import path_text

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_PROBLEMS = 5
"""Faults that one message lists. A model repairs a few at a time, and each costs tokens."""

_SHOWN = 60
"""Characters of a wrong value that a message repeats."""


def _pattern(_validator: Any, pattern: str, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not patterns.matches(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(
    validator: Any, properties: dict[str, Any], instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for pattern, subschema in properties.items():
            for name, value in instance.items():
                if patterns.matches(pattern, name):
                    yield from validator.descend(value, subschema, path=name, schema_path=pattern)


@cache
def _validator_class() -> Any:
    return extend(  # type: ignore[no-untyped-call]
        Draft202012Validator, {"pattern": _pattern, "patternProperties": _pattern_properties}
    )


class Judge:
    """The judge of one schema.

    Args:
        parameters: A schema that `check_parameters` has passed.
    """

    def __init__(self, parameters: dict[str, Any]) -> None:
        # An empty registry: a reference out of the schema is an error, not a request to some host.
        self._validator = _validator_class()(parameters, registry=Registry())

    def problems(self, arguments: dict[str, Any]) -> list[tuple[str, str]]:
        """Return what is wrong with arguments as (field, reason) pairs; [] if nothing is."""
        found: list[tuple[str, str]] = []
        for error in self._validator.iter_errors(arguments):
            for problem in _describe(error):
                if problem not in found:
                    found.append(problem)
            if len(found) >= MAX_PROBLEMS:
                break
        return found[:MAX_PROBLEMS]

    def decode_strings(self, arguments: dict[str, Any]) -> dict[str, Any] | None:
        """Return arguments with strings decoded where an object or array is wanted, None if there are none.

        Only strings that break the schema's `type` are touched, and only if their JSON is an object or array.
        """
        repaired: Any = None
        for error in self._validator.iter_errors(arguments):
            path = list(error.absolute_path)
            decoded = _decode(error) if path else None
            if decoded is not None:
                repaired = _copy(arguments) if repaired is None else repaired
                parent = repaired
                for step in path[:-1]:
                    parent = parent[step]
                parent[path[-1]] = decoded
        return repaired  # type: ignore[no-any-return]  # a copy of a dict


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value


def _decode(error: ValidationError) -> Any:
    """Return the object or array that a wrong string holds, None if it holds none or none is wanted."""
    text = error.instance
    if not isinstance(text, str) or not text.lstrip().startswith(("{", "[")) or not _wants_container(error):
        return None
    from ai_tools import arguments
    from ai_tools.errors import InvalidArgumentsError

    try:
        return arguments.parse(text, "")
    except InvalidArgumentsError:
        return None


def _value(error: ValidationError) -> Any:
    """Return the value of the keyword that is broken."""
    return error.validator_value


def _instance(error: ValidationError) -> Any:
    """Return the value that is wrong."""
    return error.instance


def _wants_container(error: ValidationError) -> bool:
    if error.validator == "type":
        types = _value(error)
        return bool({"object", "array"} & set([types] if isinstance(types, str) else types))
    if error.validator in ("anyOf", "oneOf"):
        return any(_wants_container(inner) for inner in error.context or () if not inner.relative_path)
    return False


def _describe(error: ValidationError) -> list[tuple[str, str]]:
    """Return the fault as (field, reason) pairs; the reason says what would be right."""
    if error.validator in ("anyOf", "oneOf") and error.context:
        return _describe_alternatives(error)
    field = path_text(error.absolute_path).removeprefix(".")
    describe = _REASONS.get(str(error.validator))
    if describe is None:
        return [(field, _cut(error.message, 300))]
    return [(_join(field, name), reason) for name, reason in describe(error)]


def _join(field: str, name: str) -> str:
    return f"{field}.{name}" if field and name else field or name


def _describe_alternatives(error: ValidationError) -> list[tuple[str, str]]:
    """Describe the alternative that the value came nearest to; say what types are right if none is near."""
    field = path_text(error.absolute_path).removeprefix(".")
    context = error.context or []
    wrong_kind = [e for e in context if e.validator == "type" and not e.relative_path]
    if len(wrong_kind) == len(context) and wrong_kind:
        wanted = " or ".join(dict.fromkeys(_types(_value(e)) for e in wrong_kind))
        return [(field, f"must be {wanted}, not {_show(error.instance)}")]
    nearest = best_match([e for e in context if e not in wrong_kind] or context)
    if nearest is None or nearest is error:
        return [(field, _cut(error.message, 300))]
    return _describe(nearest)


def _types(value: Any) -> str:
    names = [value] if isinstance(value, str) else list(value)
    return " or ".join(_ARTICLES.get(name, name) for name in names)


_ARTICLES = {
    "object": "an object",
    "array": "an array",
    "string": "a string",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
}


def _show(value: Any) -> str:
    """Return a wrong value for a message, short."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=lambda item: f"<{type(item).__name__}>")
    except (ValueError, TypeError, RecursionError):
        text = f"<{type(value).__name__}>"
    return _cut(text, _SHOWN)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _choices(error: ValidationError) -> list[tuple[str, str]]:
    choices = [_show(choice) for choice in _value(error)]
    listed = ", ".join(choices[:20]) + (f" and {len(choices) - 20} more" if len(choices) > 20 else "")
    return [("", f"must be one of {listed}, not {_show(error.instance)}")]


def _missing(error: ValidationError) -> list[tuple[str, str]]:
    properties = error.schema.get("properties") or {} if isinstance(error.schema, dict) else {}
    return [
        (name, "is required" + _expected(properties.get(name)))
        for name in _value(error)
        if name not in _instance(error)
    ]


def _expected(schema: Any) -> str:
    kind = schema.get("type") if isinstance(schema, dict) else None
    return f" ({_types(kind)})" if kind else ""


def _unknown(error: ValidationError) -> list[tuple[str, str]]:
    import difflib

    schema = error.schema if isinstance(error.schema, dict) else {}
    if _value(error) is not False or schema.get("patternProperties"):
        return [("", _cut(error.message, 300))]
    known = list(schema.get("properties") or {})
    problems = []
    for name in [name for name in _instance(error) if name not in known][:MAX_PROBLEMS]:
        near = difflib.get_close_matches(str(name), known, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are: {', '.join(known[:20]) or 'none'}"
        problems.append((_cut(str(name), _SHOWN), f"is not a parameter; {hint}"))
    return problems


_REASONS: dict[str, Any] = {
    "type": lambda e: [("", f"must be {_types(_value(e))}, not {_show(e.instance)}")],
    "enum": _choices,
    "const": lambda e: [("", f"must be {_show(_value(e))}, not {_show(e.instance)}")],
    "required": _missing,
    "additionalProperties": _unknown,
    "minimum": lambda e: [("", f"must be at least {_value(e)}, not {_show(e.instance)}")],
    "maximum": lambda e: [("", f"must be at most {_value(e)}, not {_show(e.instance)}")],
    "exclusiveMinimum": lambda e: [("", f"must be more than {_value(e)}, not {_show(e.instance)}")],
    "exclusiveMaximum": lambda e: [("", f"must be less than {_value(e)}, not {_show(e.instance)}")],
    "minLength": lambda e: [("", f"must have {_value(e)} characters or more, not {len(e.instance)}")],
    "maxLength": lambda e: [("", f"must have {_value(e)} characters or fewer, not {len(e.instance)}")],
    "minItems": lambda e: [("", f"must have {_value(e)} items or more, not {len(e.instance)}")],
    "maxItems": lambda e: [("", f"must have {_value(e)} items or fewer, not {len(e.instance)}")],
    "uniqueItems": lambda _: [("", "must not repeat an item")],
    "multipleOf": lambda e: [("", f"must be a multiple of {_value(e)}, not {_show(e.instance)}")],
    "pattern": lambda e: [("", f"must match the pattern {_value(e)!r}, not {_show(e.instance)}")],
}
