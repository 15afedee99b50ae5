"""What other packages add: namespaces for Gene programs, and commands of ``gene``.

They are entry points. One of the group ``gene.namespaces`` has as its name the first segment of the paths
that it serves, and as its value a function that takes the interpreter and returns the namespace; it is loaded
when a program first mentions the name. One of the group ``gene.commands`` is a function that takes the
arguments behind its name and returns the exit status.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

NAMESPACES: Final = "gene.namespaces"
COMMANDS: Final = "gene.commands"
_found: dict[str, dict[str, Any]] = {}
_SHIPPED: Final = {
    NAMESPACES: {"ai": "ai_tools.gene_bindings:namespace"},
    COMMANDS: {"chat": "ai_tools.commands.chat:main", "tools": "ai_tools.commands.tools:main"},
}
"""What comes with this package, known without a search through everything that is installed."""


def find(name: str) -> Callable[[Any], Any] | None:
    """The function that makes the namespace of that name for an interpreter; None when nobody offers one."""
    return _load(NAMESPACES, name) if name.isidentifier() else None


def find_command(name: str) -> Callable[[list[str]], int] | None:
    """The command of that name, a function of its arguments; None when nobody offers one."""
    return _load(COMMANDS, name) if name.replace("-", "_").isidentifier() else None


def _load(group: str, name: str) -> Callable[[Any], Any] | None:
    if name in _SHIPPED[group]:
        from gene.data.kinds import load

        return load(_SHIPPED[group][name])  # type: ignore[no-any-return]
    if group not in _found:  # what is installed does not change while a process runs
        from importlib.metadata import entry_points

        _found[group] = {point.name: point for point in entry_points(group=group)}
    point = _found[group].get(name)
    return None if point is None else point.load()
