"""Capabilities: what a program may do to the world outside of it.

A capability is a name that the embedding program grants, ``Interpreter(capabilities={"files"})``. Without it
the functions behind it are still there, and raise a PermissionException that says what is missing.
Granting happens once, when the globals of an interpreter are made: no check is left on the path of a call.
"""

from __future__ import annotations

from gene.runtime.exceptions import PermissionException

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final, NoReturn

OPENS: Final[dict[str, tuple[str, ...]]] = {
    "files": (
        "File",
        "Dir",
        "gene/io",
        "gene/serdes/read_tree",
        "gene/serdes/write_tree",
        "genex/sqlite/open",
        "io/path_abs",
        "cwd",
        "system/cwd",
        "system/cd",
    ),
    "shell": ("system/shell", "system/exec", "system/Process"),
    "environment": ("$env", "get_env", "set_env", "has_env"),
    "network": ("genex/http",),
    "stdin": ("readline", "stdin"),
    "exit": ("exit", "system/exit"),
    "signals": ("on_signal",),
}
"""What each capability opens, by the names that Gene programs use."""

ALL: Final = frozenset(OPENS)
"""Every capability, as ``gene run`` grants them."""

NEEDS: Final = {opened: capability for capability, opens in OPENS.items() for opened in opens}
"""The capability that a name needs; names that are not listed need none."""

observers: Final[list[Callable[[str, str], None]]] = []
"""Called with the name and the capability of each refusal, so that people hear of those that are caught."""


def check(capabilities: Iterable[str]) -> frozenset[str]:
    """The capabilities as a set.

    Raises:
        ValueError: A name that is no capability, or one string where a set of names belongs.
    """
    if isinstance(capabilities, str):
        raise ValueError(f"capabilities must be a set of names such as {{{capabilities!r}}}, not a string")  # noqa: TRY004 - one kind of error for one wrong argument
    granted = frozenset(capabilities)
    unknown = sorted(map(str, granted - ALL))
    if unknown:
        raise ValueError(f"unknown capability {unknown[0]!r}; known are {', '.join(sorted(ALL))}")
    return granted


def denied(name: str, capability: str) -> Callable[..., NoReturn]:
    """What stands in the place of ``name`` where ``capability`` was not granted: calling it raises."""

    def refuse(*_args: object, **_kwargs: object) -> NoReturn:
        for observer in observers:
            observer(name, capability)
        raise PermissionException(
            f"{name} needs the capability '{capability}', which this program was not granted; "
            f'the host grants it with Interpreter(capabilities={{"{capability}"}})'
        )

    return refuse
