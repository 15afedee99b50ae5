"""``gene parse``: show the data that a text reads as."""

from __future__ import annotations

import sys

from gene.commands.options import UsageError, parse
from gene.errors import GeneSyntaxError

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Final

OPTIONS: Final[dict[str, tuple[str, ...] | str | None]] = {
    "--eval": "",
    "--format": ("pretty", "compact", "sexp"),
    "-e": "--eval",
    "-f": "--format",
}


def main(arguments: list[str]) -> int:
    """Read a file, standard input or the text of ``-e``, print its data, and return the exit status."""
    options, rest = parse(arguments, OPTIONS)
    if len(rest) > 1 or (rest and "--eval" in options):
        raise UsageError("gene parse reads one FILE, or the text of -e")
    name = rest[0] if rest else "<eval>" if "--eval" in options else "<stdin>"
    try:
        text = options["--eval"] if "--eval" in options else _read(name)
        return show(text, name, options.get("--format", "pretty"))
    except (OSError, GeneSyntaxError) as error:
        from gene.report import text as described

        sys.stderr.write(described(error).replace("syntax error", f"Parse error in {name}", 1) + "\n")
        return 1


def show(text: str, name: str, style: str) -> int:
    """Print the data of a text in a style of :data:`gene.commands.layout.STYLES`."""
    from gene.commands.layout import STYLES
    from gene.reader import read_all
    from gene.stdlib.core import println

    for form in read_all(text, name):
        println(STYLES[style](form))
    return 0


def _read(name: str) -> str:
    from gene.loader import decode

    if name in ("-", "<stdin>"):
        return decode(sys.stdin.buffer.read(), "<stdin>")
    with open(name, "rb") as file:
        return decode(file.read(), name)
