"""Checking of a tool's parameter schema when the tool is registered.

The rules are JSON Schema draft 2020-12's, plus three of our own: the root is an object schema, every
reference stays within the schema (nothing is ever fetched), and no chain of references returns to itself
without consuming input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.errors import InvalidDefinitionError
from ai_tools.serialization import is_plain

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_SCHEMA_DEPTH = 60
"""Levels of nesting in a schema, in JSON values: jsonschema-rs stops at 127, providers at 10 objects."""

_TYPES = ("string", "integer", "number", "boolean", "object", "array", "null")
_IN_PLACE = ("allOf", "anyOf", "oneOf")
_LITERAL = frozenset({"enum", "const", "default", "examples", "example"})


def check_parameters(parameters: Any, tool: str) -> None:
    """Check that a value is a JSON Schema for a tool's arguments.

    Raises:
        InvalidDefinitionError: It is not; the message says what is wrong and where.
    """

    def fail(reason: str, path: str = "") -> InvalidDefinitionError:
        where = f"parameters{path}"
        return InvalidDefinitionError(f"Invalid tool {tool!r}: {where}: {reason}", tool=tool, path=where)

    if not isinstance(parameters, dict):
        raise fail(f"must be a JSON Schema object, not {type(parameters).__name__}")
    if parameters.get("type") != "object":
        raise fail(f'must be "object", not {parameters.get("type")!r}', ".type")
    if (deep := _too_deep(parameters)) is not None:
        raise fail(f"is nested deeper than {MAX_SCHEMA_DEPTH} levels", deep)
    if not is_plain(parameters):
        raise fail("must consist of JSON values (dict with string keys, list, str, int, float, bool, None)")
    _check_draft(parameters, fail)
    _check_patterns(parameters, fail)
    if _mentions_reference(parameters):
        _check_references(parameters, fail)


def _check_draft(parameters: dict[str, Any], fail: Any) -> None:
    import jsonschema_rs

    try:
        # Ten microseconds where jsonschema takes milliseconds, on all tools of a large set.
        if _asks_for_2020(parameters) and jsonschema_rs.meta.is_valid(parameters):
            return
    except (ValueError, OverflowError, RecursionError):
        pass
    from jsonschema import Draft202012Validator, SchemaError

    try:
        Draft202012Validator.check_schema(parameters)
    except SchemaError as error:
        reason = error.message[:500]
        if list(error.absolute_path)[-1:] == ["type"]:
            reason = f"must be one of {', '.join(_TYPES)}, not {error.instance!r}"
        raise fail(reason, path_text(error.absolute_path)) from None
    except RecursionError:
        raise fail("is nested too deeply") from None


def _check_patterns(parameters: dict[str, Any], fail: Any) -> None:
    for part, path in subschemas(parameters):
        found = {f"{path}.pattern": part.get("pattern")}
        if isinstance(by_name := part.get("patternProperties"), dict):
            found |= {f"{path}.patternProperties": name for name in by_name}
        for place, pattern in found.items():
            if isinstance(pattern, str):
                from ai_tools import patterns

                if reason := patterns.check(pattern):
                    raise fail(reason, place)


def _asks_for_2020(parameters: dict[str, Any]) -> bool:
    return "$schema" not in parameters or "2020-12" in str(parameters["$schema"])


def path_text(path: Any) -> str:
    """Return a place in a JSON value as text: ``.items[0].name``."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)


def _too_deep(schema: Any) -> str | None:
    """Return the path of a value that is nested too deeply, None if there is none."""
    stack: list[tuple[Any, str, int]] = [(schema, "", 0)]
    while stack:
        value, path, depth = stack.pop()
        if depth > MAX_SCHEMA_DEPTH:
            return path[:120] + "…"
        if type(value) is dict:
            stack += [(v, f"{path}.{k}", depth + 1) for k, v in value.items() if type(v) in (dict, list)]
        elif type(value) is list:
            stack += [(v, f"{path}[{i}]", depth + 1) for i, v in enumerate(value) if type(v) in (dict, list)]
    return None


def subschemas(schema: Any, path: str = "") -> Iterator[tuple[dict[str, Any], str]]:
    """Yield every object of a schema that may be a schema, with its path; literal values are left out."""
    if isinstance(schema, dict):
        yield schema, path
        for key, value in schema.items():
            if key not in _LITERAL or path.endswith(".properties"):
                yield from subschemas(value, f"{path}.{key}")
    elif isinstance(schema, list):
        for i, value in enumerate(schema):
            yield from subschemas(value, f"{path}[{i}]")


def _mentions_reference(parameters: dict[str, Any]) -> bool:
    return any("$ref" in part or "$dynamicRef" in part for part, _ in subschemas(parameters))


def _check_references(parameters: dict[str, Any], fail: Any) -> None:
    resolver = _resolver(parameters)
    for part, path in subschemas(parameters):
        for keyword in ("$ref", "$dynamicRef"):
            reference = part.get(keyword)
            if not isinstance(reference, str):  # a property that is called "$ref"
                continue
            try:
                resolver.lookup(reference)
            except Exception:  # noqa: BLE001 - referencing has a dozen kinds, all mean this
                raise fail(
                    f"{reference!r} does not name a place in this schema; references are never fetched",
                    f"{path}.{keyword}",
                ) from None
            if _returns_to_itself(part, resolver):
                raise fail(f"{reference!r} leads back to itself", f"{path}.{keyword}")


def _resolver(parameters: dict[str, Any]) -> Any:
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    resource = DRAFT202012.create_resource(parameters)
    base = resource.id() or ""
    return Registry().with_resource(base, resource).resolver(base)


def _returns_to_itself(start: dict[str, Any], resolver: Any) -> bool:
    """Whether a validator could go round from this schema without descending into the instance."""
    seen: set[int] = set()
    stack: list[dict[str, Any]] = [start]
    while stack:
        for following in _in_place(stack.pop(), resolver):
            if following is start:
                return True
            if id(following) not in seen:
                seen.add(id(following))
                stack.append(following)
    return False


def _in_place(schema: dict[str, Any], resolver: Any) -> list[dict[str, Any]]:
    """Return the schemas that apply to the same instance as `schema`."""
    found: list[Any] = [item for key in _IN_PLACE for item in schema.get(key) or ()]
    found += [schema.get(key) for key in ("not", "if", "then", "else")]
    if isinstance(reference := schema.get("$ref"), str):
        try:
            found.append(resolver.lookup(reference).contents)
        except Exception:  # noqa: BLE001 - reported where it stands
            return []
    return [item for item in found if isinstance(item, dict)]
