"""Looking at values and types while a program runs."""

from __future__ import annotations

import sys

from gene.runtime.exceptions import ArgumentException
from gene.runtime.text import inspect
from gene.runtime.typetests import Union, type_text
from gene.stdlib.core import write

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any


def debug(*values: Any) -> Any:
    """``(debug values…)``: write the values as the REPL shows them to standard error; gives the last one."""
    write(sys.stderr, " ".join([inspect(value) for value in values]) + "\n")
    return values[-1] if values else None


def types_equivalent(*types: Any) -> bool:
    """``(types_equivalent a b)``: whether two types, or names of types, admit the same values."""
    if len(types) != 2:
        raise ArgumentException("types_equivalent requires two types")
    first, second = map(_members, types)
    if any(isinstance(member, str) for member in first | second):
        return {type_text(member) for member in first} == {type_text(member) for member in second}
    return first == second


def _members(of: Any) -> set[Any]:
    if isinstance(of, Union):
        return {member for part in of.members for member in _members(part)}
    return {of}
