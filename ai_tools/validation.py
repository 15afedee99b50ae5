"""Validation of arguments against a tool's schema.

jsonschema (draft 2020-12) is the judge and writes the messages. jsonschema-rs is 50 times faster and says yes
for the calls that are right, where the two are known to agree: schemas of the keywords in `_AGREED`,
arguments of plain JSON. On any doubt the judge decides. Neither ever fetches a reference or runs a regular
expression that explodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.errors import InvalidArgumentsError
from ai_tools.schema import subschemas
from ai_tools.serialization import MAX_DEPTH, is_plain

if TYPE_CHECKING:
    from collections.abc import Callable

_AGREED = frozenset(
    [
        "type",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "prefixItems",
        "enum",
        "const",
        "anyOf",
        "allOf",
        "oneOf",
        "not",
        "$ref",
        "$defs",
        "definitions",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "minProperties",
        "maxProperties",
        "title",
        "description",
        "default",
        "examples",
        "example",
        "$schema",
        "$id",
        "$comment",
        "deprecated",
        "readOnly",
        "writeOnly",
        "nullable",
        "strict",
    ]
)
"""Keywords on which the two validators give the same verdict for plain JSON. Out: format, pattern, multipleOf
and patternProperties (they differ), and the rarer ones that were not compared."""


class Validator:
    """The schema of one tool, compiled at the first call: most tools of a large set are never called.

    Args:
        parameters: A schema that `check_parameters` has passed.
        tool: The tool's name, for errors.
    """

    __slots__ = ("_fast", "_judge", "_parameters", "_tool")

    def __init__(self, parameters: dict[str, Any], tool: str) -> None:
        self._parameters = parameters
        self._tool = tool
        self._fast: Callable[[Any], bool] | None = None
        self._judge: Any = None

    def check(self, arguments: dict[str, Any], *, plain: bool = False) -> dict[str, Any]:
        """Return the arguments if they obey the schema.

        Nested objects and arrays that arrive as JSON strings are decoded where the schema wants an object or
        array there, and only after validation has failed: models send them, and `str` parameters must not
        change.

        Args:
            arguments: The arguments; they are not changed.
            plain: Whether they are known to come from JSON text.

        Raises:
            InvalidArgumentsError: They break the schema; the tool must not be called.
        """
        try:
            if (plain or is_plain(arguments)) and (self._fast or self._compile())(arguments):
                return arguments
        except (ValueError, OverflowError, RecursionError):
            pass  # lone surrogates, depth: the judge decides
        return self._ask_judge(arguments)

    def _compile(self) -> Callable[[Any], bool]:
        if all(part.keys() <= _AGREED or _is_mapping(path) for part, path in subschemas(self._parameters)):
            import jsonschema_rs

            self._fast = jsonschema_rs.Draft202012Validator(
                self._parameters, retriever=_never_fetch, validate_formats=False
            ).is_valid
        else:
            self._fast = _doubt
        return self._fast

    def _ask_judge(self, arguments: dict[str, Any]) -> dict[str, Any]:
        from ai_tools.judge import Judge

        if self._judge is None:
            self._judge = Judge(self._parameters)
        if is_deep(arguments):
            raise InvalidArgumentsError(self._tool, "", f"are nested deeper than {MAX_DEPTH} levels")
        try:
            problems = self._judge.problems(arguments)
            if problems and (repaired := self._judge.decode_strings(arguments)) is not None:
                arguments, problems = repaired, self._judge.problems(repaired)
        except RecursionError:
            problems = [("", "are nested too deeply to be checked")]
        if problems:
            field, reason = problems[0]
            raise InvalidArgumentsError(self._tool, field, reason, problems)
        return arguments


def _doubt(_arguments: Any) -> bool:
    return False


def _never_fetch(uri: str) -> Any:
    raise ValueError(f"{uri} is outside the schema; references are never fetched")


def _is_mapping(path: str) -> bool:
    """Whether the object at a path maps names to schemas, so that its keys are no keywords."""
    return path.endswith((".properties", ".$defs", ".definitions"))


def is_deep(value: Any) -> bool:
    """Whether a value nests deeper than `MAX_DEPTH` levels, found without recursion."""
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [
            item
            for outer in level
            for item in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(item, (dict, list, tuple))
        ]
        if not level:
            return False
    return True
