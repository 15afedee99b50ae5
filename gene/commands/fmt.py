"""``gene fmt``: put Gene files into their canonical layout."""

from __future__ import annotations

import os
import sys

from gene.commands.options import UsageError, parse
from gene.errors import GeneSyntaxError

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

OPTIONS: Final[dict[str, tuple[str, ...] | str | None]] = {"--check": None}


def main(arguments: list[str]) -> int:
    """Rewrite files in place, or with ``--check`` only look at them; return the exit status.

    Every file is looked at, whatever is wrong with others. ``-`` is standard input, whose layout goes to
    standard output.
    """
    options, files = parse(arguments, OPTIONS)
    if not files:
        raise UsageError("gene fmt needs FILES, or - for standard input")
    work = check if "--check" in options else rewrite
    done = [_attempt(work, file) for file in files]
    if all(done) and work is check:
        sys.stdout.write("All files are canonically formatted\n")
    return 0 if all(done) else 1


def check(file: str) -> bool:
    """Whether a file is in canonical layout; says so if it is not."""
    text, formatted = _formatted(file)
    if text != formatted:
        sys.stderr.write(f"Error: File is not canonically formatted: {file}\n")
    return text == formatted


def rewrite(file: str) -> bool:
    """Put a file into canonical layout; one that is so already is left alone."""
    text, formatted = _formatted(file)
    if file == "-":
        sys.stdout.buffer.write(formatted.encode("utf-8"))
    elif text != formatted:
        replace(file, formatted)
    return True


def replace(file: str, text: str) -> None:
    """Give a file another text at once: whoever reads it sees the old text or the new one, never a part.

    Raises:
        OSError: The directory or the file cannot be written; the file is as it was.
    """
    import shutil
    import tempfile

    target = os.path.realpath(file)
    if not os.access(target, os.W_OK):
        raise PermissionError(13, "Permission denied", file)
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".gene-fmt-")
    try:
        with open(handle, "wb") as out:
            out.write(text.encode("utf-8"))
        shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _formatted(file: str) -> tuple[str, str]:
    """The text of a file, and the same in canonical layout."""
    from gene.formatter import format_text
    from gene.loader import decode

    if file == "-":
        name, data = "<stdin>", sys.stdin.buffer.read()
    else:
        name = file
        with open(file, "rb") as opened:
            data = opened.read()
    text = decode(data, name)
    return text, format_text(text, name)


def _attempt(work: Callable[[str], bool], file: str) -> bool:
    """Whether something could be done with a file; says what was wrong if not."""
    from gene.report import report

    try:
        return work(file)
    except (OSError, GeneSyntaxError) as error:
        report(error)
        return False
