"""Python's debugger for Gene programs: ``gene run --debug FILE``.

Compiled Gene code is Python code with the lines of the Gene file, so all commands of pdb work as they are.
What this adds: breakpoints by ``file.gene:line``, variables under their Gene names, and steps that stay out
of the implementation of Gene.
"""

from __future__ import annotations

import builtins
import os
from bdb import BdbQuit
from pdb import Pdb

from gene.data.names import gene_name
from gene.runtime.exceptions import GeneException
from gene.runtime.failures import is_gene_frame
from gene.trace import is_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any


def debug(program: Callable[[], object]) -> None:
    """Run a program in the debugger: it stops at the first line, and where an uncaught error came up.

    Args:
        program: What runs the Gene program.

    Raises:
        GeneException: What the program did not catch, after the debugger was left.
    """
    debugger = Debugger()
    try:
        debugger.runcall(program)
    except Quit:
        pass
    except GeneException as error:
        debugger.message(f"{type(error).__gene__.name}: {error}")
        debugger.reset()
        debugger.interaction(None, error.__traceback__)
        raise


class Quit(BaseException):
    """The command ``quit``: unlike ``BdbQuit``, it is nothing that a program can catch."""


class Debugger(Pdb):
    """A pdb that knows Gene files and Gene names."""

    curframe: FrameType

    def trace_dispatch(self, frame: FrameType, event: str, arg: Any) -> Any:
        """What Python calls for each line and call that is traced."""
        try:
            return super().trace_dispatch(frame, event, arg)
        except BdbQuit:
            raise Quit from None

    def stop_here(self, frame: FrameType) -> bool:
        """Whether a step ends in a frame: in Gene code only."""
        return is_call(frame) and super().stop_here(frame)

    def lookupmodule(self, filename: str) -> str | None:
        """The file that a breakpoint names; Python looks for those that end in ``.py`` only."""
        if filename.endswith(".gene"):
            return self.canonic(filename) if os.path.isfile(filename) else None
        return super().lookupmodule(filename)

    def _getval(self, arg: str) -> Any:
        """The value of an expression: a Gene name, or a Python expression of such names."""
        if not is_gene_frame(self.curframe):
            return super()._getval(arg)
        names = variables(self.curframe)
        if arg.strip() in names:
            return names[arg.strip()]
        try:
            return eval(arg, {"__builtins__": builtins, **names})  # noqa: S307 - what a debugger is for
        except BaseException:
            self._error_exc()  # type: ignore[attr-defined]
            raise


def variables(frame: FrameType) -> dict[str, Any]:
    """The variables that Gene code in a frame sees: those of its module, then its own."""
    own = {gene_name(name): value for name, value in frame.f_locals.items() if not name.startswith("%")}
    outer = {name: value for name, value in frame.f_globals.items() if not name.startswith(("%", "__"))}
    return {**outer, **own}
