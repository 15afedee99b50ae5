"""Looking at values and types while a program runs."""

from __future__ import annotations

import sys

from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import Gene
from gene.data.kinds import Kind
from gene.runtime.classes import GeneClass
from gene.runtime.exceptions import ArgumentException
from gene.runtime.text import inspect
from gene.runtime.typetests import Union, type_text
from gene.stdlib.arguments import tag_of
from gene.stdlib.core import write

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any


def debug(*values: Any) -> Any:
    """``(debug values…)``: write the values as the REPL shows them to standard error; gives the last one."""
    write(sys.stderr, " ".join([inspect(value) for value in values]) + "\n")
    return values[-1] if values else None


def types_equivalent(*types: Any) -> bool:
    """``(types_equivalent a b)``: whether two types admit the same values.

    A type is a class, a union, the name of a type, or a quoted type such as `` `(Array (Int | String)) ``.
    """
    if len(types) != 2:
        raise ArgumentException("types_equivalent requires two types")
    first, second = map(_alternatives, types)
    if any(isinstance(member, str) for member in first | second):
        return _written(first) == _written(second)
    return first == second


def _alternatives(of: Any) -> set[Any]:
    """The types that a type is one of: classes as they are, what is quoted as text."""
    if isinstance(of, Union):
        return {each for part in of.members for each in _alternatives(part)}
    if isinstance(of, Gene):
        parts = [of.type, *of.children]
        if len(parts) > 1 and all(isinstance(sign, Symbol) and sign.name == "|" for sign in parts[1::2]):
            return {each for part in parts[::2] for each in _alternatives(part)}
        return {f"({' '.join(_written(_alternatives(part)) for part in parts)})"}
    if isinstance(of, list):
        return {f"[{' '.join(_written(_alternatives(part)) for part in of)}]"}
    if isinstance(of, (Symbol, PathSymbol)):
        return {of.name}
    if isinstance(of, (str, Kind, GeneClass)) or hasattr(type(of), "gene_accepts"):
        return {of}
    raise ArgumentException(f"types_equivalent requires types, got {tag_of(of)}")


def _written(alternatives: set[Any]) -> str:
    return " | ".join(sorted(map(type_text, alternatives)))
