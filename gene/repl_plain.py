"""The REPL's reader where prompt_toolkit is not installed, or where nobody types: Python's ``input``."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from gene.interpreter import Interpreter


def reader(gene: Interpreter) -> Callable[[str], str]:
    """What asks for a line; a person gets line editing, history and completion where readline is there."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        from contextlib import suppress

        with suppress(ImportError):  # Python can be built without readline: lines can be typed all the same
            _edit(gene)
    return input


def history_file(name: str) -> str:
    """A file for the history, in the directory that the XDG base directory specification names."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    directory = os.path.join(state, "gene")
    os.makedirs(directory, exist_ok=True)
    return os.path.join(directory, name)


def _edit(gene: Interpreter) -> None:
    import readline

    from gene.completion import DELIMITERS, complete

    def completer(_word: str, number: int) -> str | None:
        before = readline.get_line_buffer()[: readline.get_endidx()]
        _start, candidates = complete(gene, before)
        return candidates[number] if number < len(candidates) else None

    readline.set_completer(completer)
    readline.set_completer_delims(DELIMITERS)
    readline.parse_and_bind("tab: complete")
    _keep_history(readline)


def _keep_history(readline: object) -> None:
    import atexit

    try:
        file = history_file("history.readline")
        if os.path.exists(file):
            readline.read_history_file(file)  # type: ignore[attr-defined]
    except OSError:
        return  # a home that cannot be written to: the history lasts as long as the process
    readline.set_history_length(1000)  # type: ignore[attr-defined]
    atexit.register(readline.write_history_file, file)  # type: ignore[attr-defined]
