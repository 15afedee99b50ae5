"""Namespaces that other packages offer to Gene programs, through the entry-point group ``gene.namespaces``.

An entry point's name is the first segment of the paths that it serves; its value a function that takes the
interpreter and returns the namespace. It is loaded when a program first mentions the name.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

GROUP = "gene.namespaces"
_found: dict[str, Any] | None = None
_SHIPPED = {"ai": "ai_tools.gene_bindings:namespace"}
"""What comes with this package, known without a search through everything that is installed."""


def find(name: str) -> Callable[[Any], Any] | None:
    """The function that makes the namespace of that name for an interpreter; None when nobody offers one."""
    if name in _SHIPPED:
        from gene.runtime.kinds import load

        return load(_SHIPPED[name])  # type: ignore[no-any-return]
    if not name.isidentifier():
        return None
    global _found  # noqa: PLW0603 - what is installed does not change while a process runs
    if _found is None:
        from importlib.metadata import entry_points

        _found = {point.name: point for point in entry_points(group=GROUP)}
    point = _found.get(name)
    return None if point is None else point.load()
