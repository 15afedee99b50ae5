"""``gene repl``: a dialogue with an interpreter that has every capability."""

from __future__ import annotations

import sys

from gene.commands.options import UsageError
from gene.commands.session import interpreter
from gene.repl import Session, loop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gene.interpreter import Interpreter
    from gene.repl import Read


def main(arguments: list[str]) -> int:
    """Run the dialogue and return the exit status."""
    if arguments:
        raise UsageError(f"gene repl takes no arguments, got {arguments[0]}")
    gene = interpreter([], "<repl>")
    return loop(Session(gene), reader(gene))


def reader(gene: Interpreter) -> Read:
    """The best reader there is: prompt_toolkit for a person if it is installed, else Python's own."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        try:
            from gene.repl_terminal import reader as terminal_reader
        except ImportError:
            pass  # the extra "repl" is not installed
        else:
            return terminal_reader(gene)
    from gene.repl_plain import reader as plain_reader

    return plain_reader(gene)
