"""What the parameters of a Gene function are: names, declared types, defaults.

A compiled function is a Python function whose code object knows the names; what it does not know the
compiler keeps beside the module's globals.
"""

from __future__ import annotations

from gene.data.names import gene_name

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Parameter:
    """A parameter of a Gene function.

    Attributes:
        name: Its name in Gene.
        kind: "positional", "rest", "keyword" or "keywords".
        type: The declared type as it is written, such as ``Int`` or ``(String | Nil)``; None without one.
        has_default: Whether it may be left out.
        default: The value of a constant default, else None.
    """

    __slots__ = ("default", "has_default", "kind", "name", "type")

    def __init__(self, name: str, kind: str, *kept: Any) -> None:
        self.name = name
        self.kind = kind
        self.type, self.has_default, self.default = kept or (None, False, None)


def parameters_of(function: Callable[..., Any]) -> list[Parameter]:
    """The parameters of a function that Gene code defined, in order.

    Raises:
        TypeError: It is no such function.
    """
    code = getattr(function, "__code__", None)
    if code is None or "%gene" not in getattr(function, "__builtins__", ()):
        raise TypeError("not a function that Gene code defined")
    kept = _kept(function, (code.co_name, code.co_firstlineno))
    if kept is not None:
        return [Parameter(*fields) for fields in kept]
    positional = code.co_varnames[: code.co_argcount]
    keyword = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    found = [Parameter(gene_name(name), "positional") for name in positional]
    return found + [Parameter(name, "keyword") for name in keyword if not name.startswith("%")]


def _kept(function: Any, key: tuple[str, int]) -> Any:
    """What the compiler kept of a function; the latest where a REPL defined several of one name and line."""
    names = [name for name in function.__globals__ if name.startswith("%signatures")]
    for name in reversed(names):
        for known, fields in function.__globals__[name]:
            if known == key:
                return fields
    return None
