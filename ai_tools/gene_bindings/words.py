"""Words in calls: ``:user``, ``user`` as a quoted symbol, and ``"user"`` mean the same."""

from __future__ import annotations

from typing import Any

from ai_tools.gene_bindings.values import plain
from gene.data.atoms import VOID, PathSymbol, Symbol
from gene.runtime.exceptions import ArgumentException
from gene.stdlib.arguments import tag_of


def word(value: Any, what: str) -> str:
    """Return the text of a word.

    Args:
        value: A String or a Symbol; a colon in front is dropped.
        what: What an error says of it, such as ``"Agent.remove_tool requires a tool's name"``.

    Raises:
        ArgumentException: It is no word.
    """
    if isinstance(value, Symbol | PathSymbol):
        return value.name.removeprefix(":")
    if isinstance(value, str) and value:
        return value.removeprefix(":")
    raise ArgumentException(f"{what}, got {'an empty String' if value == '' else tag_of(value)}")


def data(value: Any) -> Any:
    """Return data in JSON's own kinds, with words as their text; see `values.plain`."""
    plain(value)  # refuses what is nested too deeply, or contains itself
    return _bare(value)


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _bare(item) for key, item in value.items() if item is not VOID}
    if isinstance(value, list):
        return [_bare(item) for item in value]
    return value.name.removeprefix(":") if isinstance(value, Symbol | PathSymbol) else plain(value)


def given(value: Any) -> bool:
    """Whether an option was written: nil and void count as not written."""
    return value is not None and value is not VOID
