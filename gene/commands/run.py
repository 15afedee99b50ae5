"""``gene run``: run a program with everything allowed."""

from __future__ import annotations

import sys

from gene.commands.options import parse
from gene.commands.session import execute, interpreter

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Final

OPTIONS: Final[dict[str, tuple[str, ...] | str | None]] = {
    "--debug": None,
    "--error-format": ("text", "gene"),
    "--no-warnings": None,
    "--raw-args": None,
}


def main(arguments: list[str]) -> int:
    """Run a file, or standard input, and return the exit status."""
    options, rest = parse(arguments, OPTIONS)
    file, *given = rest or ["-"]
    args = given if "--raw-args" in options else strip_dashes(given)
    gene = interpreter(args, file, warn="--no-warnings" not in options)

    def program() -> None:
        if file == "-":
            gene.run_text(sys.stdin.read(), "<stdin>")
        else:
            gene.run(file)

    if "--debug" in options:
        from gene.debugger import debug

        return execute(lambda: debug(program), options.get("--error-format", "text"))
    return execute(program, options.get("--error-format", "text"))


def strip_dashes(arguments: list[str]) -> list[str]:
    """The program's arguments as the reference implementation hands them over.

    Leading dashes are dropped, ``--key=value`` becomes two items, and ``--`` an empty one.
    """
    items: list[str] = []
    for argument in arguments:
        bare = argument.lstrip("-")
        if bare == argument:
            items.append(argument)
        else:
            key, equals, value = bare.partition("=")
            items += [key, value] if equals else [key]
    return items
