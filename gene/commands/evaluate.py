"""``gene eval``: run code from the command line."""

from __future__ import annotations

import sys

from gene.commands.options import parse
from gene.commands.session import LANGUAGE_OPTIONS, execute, interpreter, language

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final

OPTIONS: Final[dict[str, tuple[str, ...] | str | None]] = {
    **LANGUAGE_OPTIONS,
    "--error-format": ("text", "gene"),
    "--print-last": None,
    "-p": "--print-last",
}


def main(arguments: list[str]) -> int:
    """Run the arguments, joined with blanks, or standard input; return the exit status."""
    options, rest = parse(arguments, OPTIONS)
    gene = interpreter([], "<eval>", **language(options))

    text = " ".join(rest) if rest else sys.stdin.read()
    show = _show if "--print-last" in options else None
    return execute(lambda: gene.run_text(text, "<eval>", show), options.get("--error-format", "text"))


def _show(value: Any) -> None:
    """Print a value as the REPL does."""
    from gene.runtime.text import inspect
    from gene.stdlib.core import println

    println(inspect(value))
