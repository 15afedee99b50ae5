"""``gene deser``: read what ``gene/serdes/serialize`` wrote, and show it."""

from __future__ import annotations

import sys

from gene.commands.options import UsageError, parse
from gene.commands.session import execute

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Final

OPTIONS: Final[dict[str, tuple[str, ...] | str | None]] = {"--json": None}


def main(arguments: list[str]) -> int:
    """Read a file, or standard input, as data and print each datum; return the exit status.

    Data is printed as Gene text that reads back, laid out over lines when it is long; with ``--json`` as one
    line of JSON for each datum. No code runs. Nothing is printed if anything cannot be read or shown.
    """
    options, rest = parse(arguments, OPTIONS)
    if len(rest) > 1:
        raise UsageError("gene deser reads one FILE, or standard input")
    file = rest[0] if rest else "-"
    return execute(lambda: _show(file, as_json="--json" in options))


def _show(file: str, *, as_json: bool) -> None:
    from gene.commands.layout import pretty
    from gene.stdlib.json import stringify
    from gene.stdlib.serdes import values_of

    show = stringify if as_json else pretty
    lines = [show(value) for value in values_of(*_read(file))]
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def _read(file: str) -> tuple[str, str]:
    """A text and its name."""
    from gene.loader import decode

    if file == "-":
        return decode(sys.stdin.buffer.read(), "<stdin>"), "<stdin>"
    with open(file, "rb") as opened:
        return decode(opened.read(), file), file
