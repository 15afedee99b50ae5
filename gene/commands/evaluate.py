"""``gene eval``: run code from the command line."""

from __future__ import annotations

import sys

from gene.commands.options import parse
from gene.commands.session import LANGUAGE_OPTIONS, execute, interpreter, language

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Final

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

    def program() -> None:
        value = gene.eval(" ".join(rest) if rest else sys.stdin.read(), "<eval>")
        if "--print-last" in options:
            from gene.runtime.text import inspect
            from gene.stdlib.core import println

            println(inspect(value))
        gene.drain()

    return execute(program, options.get("--error-format", "text"))
