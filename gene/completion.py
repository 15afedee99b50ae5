"""Completion: which names could stand where someone is typing."""

from __future__ import annotations

from gene.data.atoms import VOID
from gene.data.kinds import ANY, KINDS
from gene.runtime.namespaces import Namespace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Final

    from gene.interpreter import Interpreter

DELIMITERS: Final = ' \t\r\n,;"`%()[]{}'
"""What ends a token."""


def complete(gene: Interpreter, before: str) -> tuple[int, list[str]]:
    """The candidates for the token that ends where the cursor is.

    Args:
        gene: What knows the names.
        before: The text before the cursor.

    Returns:
        The position in ``before`` where the token starts, and what could stand there, in order.
    """
    start = max(map(before.rfind, DELIMITERS)) + 1
    token = before[start:]
    head, slash, last = token.rpartition("/")
    prefix = head + slash
    if last.startswith("."):
        found: Iterable[str] = ("." + method for method in _methods(gene))
    elif head:
        found = _members(_value(gene, head))
    else:
        found = {*gene.names(), *_words()}
    return start, sorted(prefix + name for name in found if name.startswith(last))


def _words() -> Iterable[str]:
    """The special words, such as ``if``."""
    from gene.compiler.specials import _HANDLERS

    return _HANDLERS


def _methods(gene: Interpreter) -> set[str]:
    """The methods of all kinds of values, and those of the classes of the main module."""
    found = set(ANY.methods)
    for kind in list(KINDS.values()):
        found.update(kind.methods)
    for value in gene.main.members.values():
        info = getattr(value, "__gene__", None)
        found.update(info.methods if info is not None else ())
    return found


def _value(gene: Interpreter, path: str) -> Any:
    """What a path stands for, found without running anything of the program."""
    first, *rest = path.split("/")
    try:
        value = gene.get(first)
    except KeyError:
        return VOID
    for name in rest:
        value = _member(value, name)
    return value


def _member(value: Any, name: str) -> Any:
    if isinstance(value, Namespace):
        return value.get(name) if value.on_missing is None else value.members.get(name, VOID)
    return value.get(name, VOID) if isinstance(value, dict) else VOID


def _members(value: Any) -> Iterable[str]:
    if isinstance(value, Namespace):
        return [name for name in (*value.members, *value.loaders) if not name.startswith(("%", "_", "<"))]
    if isinstance(value, dict):
        return [key for key in value if isinstance(key, str)]
    info = getattr(value, "__gene__", None)
    if info is not None and isinstance(value, type):
        return list(info.members)
    return [name for name in getattr(value, "__dict__", ()) if not name.startswith(("_", "/"))]
