"""Values on their way between Gene and tools: definitions made plain, results given a JSON form."""

from __future__ import annotations

from typing import Any

from ai_tools import serialization
from ai_tools.errors import InvalidDefinitionError
from ai_tools.types import ToolResult
from gene.data.atoms import VOID, Char, PathSymbol, Symbol
from gene.data.kinds import CLASS, FOREIGN, FUNCTION, kind_of
from gene.runtime.classes import Instance
from gene.runtime.text import to_s

_NO_FORM = frozenset({FOREIGN, FUNCTION, CLASS})


def plain(value: Any, depth: int = serialization.MAX_DEPTH) -> Any:
    """Return a copy of data in JSON's own kinds, as schemas and messages need it.

    Symbols and characters become their text, entries that are void are left out, as if not written. What is
    no data stays as it is, for the check that names its place.

    Raises:
        InvalidDefinitionError: It is nested too deeply, or contains itself.
    """
    if isinstance(value, dict | list) and depth == 0:
        raise InvalidDefinitionError(f"Invalid tool: nested deeper than {serialization.MAX_DEPTH} levels")
    if isinstance(value, dict):
        return {key: plain(item, depth - 1) for key, item in value.items() if item is not VOID}
    if isinstance(value, list):
        return [plain(item, depth - 1) for item in value]
    if isinstance(value, Symbol | PathSymbol):
        return value.name
    return value.value if isinstance(value, Char) else value


def to_jsonable(value: Any) -> Any:
    """Return the JSON form of a Gene value that JSON has no kind for.

    An instance becomes an object of its properties, an iterator an array; everything else its text, as
    ``.to_json`` writes it. Functions, classes and the host's objects have none: their text would tell a model
    nothing.
    """
    if isinstance(value, Instance):
        return {name.removeprefix("/"): item for name, item in value.__dict__.items()}
    kind = kind_of(value)
    if kind in _NO_FORM:
        return NotImplemented
    if kind.name in ("Iterator", "Generator"):
        return (item for item in value)
    return to_s(value)


def _result_form(result: ToolResult) -> Any:
    """Return the JSON form of a result that another tool returns: its value, or its error as a map."""
    return result.value if result.error is None else {"error": result.text}


serialization.register(object, to_jsonable)
serialization.register(ToolResult, _result_form)
