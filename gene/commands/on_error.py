"""``gene run --repl-on-error``: look at what a program that failed has made of its variables."""

from __future__ import annotations

from gene.commands.repl import reader
from gene.commands.session import execute
from gene.repl import Session, loop
from gene.runtime.exceptions import GeneException
from gene.runtime.failures import is_gene_frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from gene.interpreter import Interpreter
    from gene.runtime.modules import Module


def execute_or_look(gene: Interpreter, program: Callable[[], object], error_format: str) -> int:
    """Run a program; after an error that nothing caught, start a REPL in the module where it came up.

    Args:
        gene: The interpreter of the program.
        program: What runs it.
        error_format: "text" or "gene", see :mod:`gene.report`.

    Returns:
        The exit status of the program: 0, or 1 after an error.
    """
    failures: list[GeneException] = []

    def noting() -> None:
        try:
            program()
        except GeneException as error:
            failures.append(error)
            raise

    status = execute(noting, error_format)
    if failures:
        gene.main = _module_of(failures[0]) or gene.main
        session = Session(gene)
        gene.main.members["*e"] = failures[0]
        loop(session, reader(gene))
    return status


def _module_of(error: GeneException) -> Module | None:
    """The module of the Gene code that an error came up in."""
    found, entry = None, error.__traceback__
    while entry is not None:
        if is_gene_frame(entry.tb_frame):
            found = entry.tb_frame.f_globals.get("%ns")
        entry = entry.tb_next
    return found
