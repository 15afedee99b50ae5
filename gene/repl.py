"""The REPL: read until the brackets balance, evaluate, print, and again.

This is what a terminal with line editing and a pipe have in common. :func:`loop` asks a reader for text;
``gene.repl_plain`` and ``gene.repl_terminal`` are the two kinds of readers.
"""

from __future__ import annotations

import sys

from gene.data.atoms import VOID
from gene.errors import GeneError, GeneSyntaxError
from gene.report import text as describe
from gene.runtime.exceptions import GeneException, ParseException
from gene.runtime.text import inspect
from gene.stdlib.core import println

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from gene.interpreter import Interpreter

    Read = Callable[[str], str]
    """Shows a prompt and returns what was typed; raises EOFError at the end of input."""

BANNER: Final = "Gene REPL - Interactive Gene Language Shell\nType 'exit' or 'quit' to exit, 'help' for help"
PROMPT: Final = "gene> "
CONTINUATION: Final = "  ... "
HELP: Final = """\
Type a form, such as (1 + 2), and see its value. What is open may go on over several lines.
  *1 *2 *3   the last three values
  *e         the last error; *e/message says what it was
  Ctrl-C     abandon what was typed, or stop what is running
  Ctrl-D     leave, as do exit and quit"""


class Session:
    """One dialogue: an interpreter, and the last values and errors as ``*1 *2 *3 *e``.

    Args:
        gene: What evaluates; definitions live in its main module.
    """

    def __init__(self, gene: Interpreter) -> None:
        self.gene = gene
        self._inputs = 0
        gene.main.members.update({"*1": None, "*2": None, "*3": None, "*e": None})

    def evaluate(self, text: str) -> None:
        """Evaluate what was typed; print its value on standard output, or an error on standard error."""
        self._inputs += 1
        try:
            value = self.gene.eval(text, f"<repl:{self._inputs}>")
        except GeneError as error:
            self._failed(error)
        except KeyboardInterrupt:
            sys.stderr.write("Interrupted\n")
        else:
            self._succeeded(value)
        sys.stdout.flush()

    def _succeeded(self, value: Any) -> None:
        members = self.gene.main.members
        members.update({"*1": value, "*2": members["*1"], "*3": members["*2"]})
        if value is not None and value is not VOID:
            println(inspect(value))

    def _failed(self, error: GeneError) -> None:
        known = error if isinstance(error, GeneException) else ParseException(error.message)
        self.gene.main.members["*e"] = known
        sys.stdout.flush()
        sys.stderr.write(describe(error) + "\n")
        sys.stderr.flush()


def loop(session: Session, read: Read) -> int:
    """Run a dialogue to its end and return the exit status 0.

    Args:
        session: Where the input is evaluated.
        read: Asks for a line, or for several that belong together.
    """
    println(BANNER)
    while True:
        try:
            text = read_input(read)
        except KeyboardInterrupt:
            println()
            continue
        except EOFError:
            println()
            return 0
        command = text.strip()
        if command in ("exit", "quit"):
            return 0
        if command == "help":
            println(HELP)
        elif command:
            session.evaluate(text)


def read_input(read: Read) -> str:
    """One input: lines are added until they are a whole number of forms, or wrong.

    Raises:
        EOFError: The input is at its end and nothing has been typed.
    """
    text = read(PROMPT)
    while incomplete(text):
        try:
            text += "\n" + read(CONTINUATION)
        except EOFError:
            println()
            break
    return text


def incomplete(text: str) -> bool:
    """Whether more lines could make a text right that is not, as after an opening bracket."""
    from gene.reader import read_all

    try:
        read_all(text)
    except GeneSyntaxError as error:
        return error.incomplete
    return False
