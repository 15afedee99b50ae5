"""What the commands that run programs share: the interpreter, and how a failure is reported."""

from __future__ import annotations

import sys

from gene.errors import GeneError
from gene.interpreter import Interpreter
from gene.stdlib.capabilities import ALL

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Final, Self


def interpreter(args: Iterable[str], program: str, *, warn: bool = True, **options: Any) -> Interpreter:
    """An interpreter that grants every capability, ready for deep recursion.

    Args:
        args: The program's arguments.
        program: What it was started as.
        warn: Whether what the compiler warns of is shown.
        **options: Others of :class:`~gene.interpreter.Interpreter`.
    """
    gene = Interpreter(capabilities=ALL, args=args, program=program, **options)
    if warn:
        gene.warnings = ShownWarnings()
    return gene


LANGUAGE_OPTIONS: Final[dict[str, tuple[str, ...] | str | None]] = {
    "--contracts": ("on", "off"),
    "--no-type-check": None,
    "--no-warnings": None,
    "--strict-nil": None,
}
"""The options that decide how programs are compiled and run."""


def language(options: dict[str, str]) -> dict[str, Any]:
    """What the options of a command line mean for :func:`interpreter`."""
    return {
        "contracts": options.get("--contracts") != "off",
        "strict_nil": "--strict-nil" in options,
        "type_check": "--no-type-check" not in options,
        "warn": "--no-warnings" not in options,
    }


def execute(program: Callable[[], object], error_format: str = "text") -> int:
    """Run something of Gene and report what it does not catch.

    Args:
        program: What to run.
        error_format: "text" or "gene", see :mod:`gene.report`.

    Returns:
        The exit status: 0, or 1 after an error.
    """
    try:
        program()
    except (GeneError, OSError, UnicodeError) as error:
        from gene.report import report

        return report(error, error_format)
    return 0


class ShownWarnings(list["Any"]):
    """A list of warnings that shows on standard error what is added to it: before the program runs."""

    def __iadd__(self, warnings: Iterable[Any]) -> Self:  # type: ignore[misc]
        for warning in warnings:
            from gene.excerpts import render

            sys.stderr.write(render(f"warning: {warning.message}", warning.span) + "\n")
            self.append(warning)
        return self
