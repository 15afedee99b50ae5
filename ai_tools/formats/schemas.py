"""JSON Schemas as providers want them: references replaced by what they name, roots without combinators.

Nothing here changes its input; what needs no change is returned as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BY_NAME = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
"""Keywords (draft 2020-12 and older) whose value is an object of schemas."""

IN_LIST = ("anyOf", "oneOf", "allOf", "prefixItems")
"""Keywords whose value is a list of schemas."""

SINGLE = (
    "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
    "unevaluatedItems", "unevaluatedProperties",
)  # fmt: skip
"""Keywords whose value is a schema."""

ANNOTATIONS = frozenset(
    ("title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "$comment")
)
"""Keywords that say something about a value, but do not restrict it."""

MAX_INLINED = 2_000
"""References replaced in one schema at most: n definitions that each name the next one twice make 2**n."""


def subschemas(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the direct subschemas (without ``true`` and ``false``) with their path below `schema`."""
    for keyword in BY_NAME:
        if isinstance(group := schema.get(keyword), dict):
            for name, child in group.items():
                if isinstance(child, dict):
                    yield f".{keyword}.{name}", child
    for keyword in IN_LIST:
        if isinstance(children := schema.get(keyword), list):
            for position, child in enumerate(children):
                if isinstance(child, dict):
                    yield f".{keyword}[{position}]", child
    for keyword in SINGLE:
        if isinstance(child := schema.get(keyword), dict):
            yield f".{keyword}", child


def walk(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a schema and everything below it, with paths, in the order of reading."""
    pending = [(path, schema)]
    while pending:
        path, schema = pending.pop()
        yield path, schema
        pending.extend(reversed([(path + step, child) for step, child in subschemas(schema)]))


def rebuild(schema: dict[str, Any], convert: Callable[[Any], Any]) -> dict[str, Any]:
    """Return a copy of `schema` with every direct subschema replaced by ``convert(subschema)``."""
    result = dict(schema)
    for keyword, value in schema.items():
        if keyword in BY_NAME and isinstance(value, dict):
            result[keyword] = {name: convert(child) for name, child in value.items()}
        elif keyword in IN_LIST and isinstance(value, list):
            result[keyword] = [convert(child) for child in value]
        elif keyword in SINGLE and isinstance(value, dict):
            result[keyword] = convert(value)
    return result


def has_references(schema: dict[str, Any]) -> bool:
    """Whether the schema refers to a part of itself anywhere."""
    return any("$ref" in part or "$dynamicRef" in part for _, part in walk(schema))


def inline_references(schema: dict[str, Any], *, keep_recursive: bool = False) -> dict[str, Any]:
    """Return the schema with every ``$ref`` replaced by what it names, and without definitions.

    A reference that leads back into itself becomes a schema of the same type without further restrictions, as
    does any reference after the first 2,000, and one that names nothing becomes a schema that accepts
    everything: the result accepts at least what the schema accepts.

    Args:
        schema: The schema; changed nowhere.
        keep_recursive: Return the schema as it is where a reference would have to be cut.
    """
    if not has_references(schema):
        return schema
    inliner = _Inliner(schema)
    flat = inliner.result()
    return schema if keep_recursive and inliner.was_cut else flat


def is_recursive(schema: dict[str, Any]) -> bool:
    """Whether `inline_references` has to cut the schema somewhere."""
    return has_references(schema) and inline_references(schema, keep_recursive=True) is schema


class _Inliner:
    def __init__(self, root: dict[str, Any]) -> None:
        self.root = root
        self.anchors = {part[key]: part for _, part in walk(root) for key in _ANCHORS if key in part}
        self.active: list[int] = []
        self.left = MAX_INLINED
        self.was_cut = False

    def result(self) -> dict[str, Any]:
        flat: dict[str, Any] = self.convert(self.root)
        return flat

    def convert(self, schema: Any) -> Any:
        if not isinstance(schema, dict):
            return schema
        reference = schema.get("$ref", schema.get("$dynamicRef"))
        if isinstance(reference, str):
            return self.merge(
                self.expand(reference), {k: v for k, v in schema.items() if k not in _REFERENCES}
            )
        self.active.append(id(schema))
        flat = rebuild({k: v for k, v in schema.items() if k not in _DEFINITIONS}, self.convert)
        self.active.pop()
        return flat

    def expand(self, reference: str) -> Any:
        target = self.resolve(reference)
        if not isinstance(target, dict):
            return {}
        self.left -= 1
        if id(target) in self.active or self.left < 0:
            self.was_cut = True
            return {key: target[key] for key in ("type", "title", "description") if key in target}
        self.active.append(id(target))
        flat = self.convert(target)
        self.active.pop()
        return flat

    def merge(self, target: Any, siblings: dict[str, Any]) -> Any:
        siblings = rebuild({k: v for k, v in siblings.items() if k not in _DEFINITIONS}, self.convert)
        if all(key in ANNOTATIONS or key not in target for key in siblings):
            return {**target, **siblings}
        return {"allOf": [target], **siblings}

    def resolve(self, reference: str) -> Any:
        if not reference.startswith("#"):
            return None
        if not reference.startswith("#/"):
            return self.anchors.get(reference[1:]) if reference != "#" else self.root
        return resolve_pointer(self.root, reference[1:])


_ANCHORS = ("$anchor", "$dynamicAnchor")
_REFERENCES = ("$ref", "$dynamicRef")
_DEFINITIONS = ("$defs", "definitions", "$schema", "$id", *_ANCHORS)


def resolve_pointer(document: Any, pointer: str) -> Any:
    """Return the part of a document that a JSON Pointer (RFC 6901, URI-encoded or not) names, or None."""
    from urllib.parse import unquote

    for token in unquote(pointer).split("/")[1:]:
        step = token.replace("~1", "/").replace("~0", "~")
        if isinstance(document, list) and step.isdecimal() and int(step) < len(document):
            document = document[int(step)]
        elif isinstance(document, dict):
            document = document.get(step)
        else:
            return None
    return document


def flatten_root(schema: dict[str, Any]) -> dict[str, Any]:
    """Return an object schema without ``anyOf``, ``oneOf``, ``allOf``, ``not`` and ``enum`` at its root.

    OpenAI and Anthropic refuse every request that offers one tool with such a root. The alternatives'
    properties come together; what all of them require stays required. The result accepts at least what the
    schema accepts.
    """
    if not any(keyword in schema for keyword in (*_COMBINATORS, *_ROOT_ONLY)):
        return schema
    flat = {key: value for key, value in schema.items() if key not in (*_COMBINATORS, *_ROOT_ONLY)}
    flat["properties"] = dict(schema.get("properties") or {})
    required = list(schema.get("required") or ())
    for keyword in _COMBINATORS:
        branches = [_branch(schema, branch) for branch in schema.get(keyword) or ()]
        for branch in branches:
            _add_properties(flat["properties"], branch.get("properties") or {})
        required += _common_required(branches, every=keyword == "allOf")
    if required:
        flat["required"] = list(dict.fromkeys(required))
    return flat


_COMBINATORS = ("allOf", "anyOf", "oneOf")
_ROOT_ONLY = ("not", "enum", "const", "if", "then", "else")


def _branch(root: dict[str, Any], branch: Any) -> dict[str, Any]:
    if isinstance(branch, dict) and isinstance(reference := branch.get("$ref"), str):
        branch = _Inliner(root).resolve(reference)
    return flatten_root(branch) if isinstance(branch, dict) else {}


def _add_properties(properties: dict[str, Any], more: dict[str, Any]) -> None:
    for name, schema in more.items():
        known = properties.setdefault(name, schema)
        if known != schema:
            properties[name] = {"anyOf": [known, schema]}


def _common_required(branches: list[dict[str, Any]], *, every: bool) -> list[str]:
    lists = [branch.get("required") or [] for branch in branches]
    if every:
        return [name for names in lists for name in names]
    return [name for name in (lists[0] if lists else ()) if all(name in names for names in lists)]
