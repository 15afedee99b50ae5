"""The global functions that almost every program uses: printing, sizes, types, assertions.

This module is on the start-up path of every program, so whatever takes time to load stands elsewhere.
"""

from __future__ import annotations

import sys

from gene.data.atoms import VOID
from gene.data.forms import Gene
from gene.data.kinds import kind_of
from gene.runtime.classes import GeneClass, Instance
from gene.runtime.exceptions import ArgumentException, AssertionException, TypeException
from gene.runtime.text import display

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, NoReturn, TextIO


def write(stream: TextIO, text: str) -> None:
    """Write text in one go; characters that the stream's encoding lacks become question marks."""
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, "replace").decode(encoding))


def print_(*values: Any, stderr: Any = False) -> None:
    """``(print values…)``: write the values, joined with one space.

    Args:
        *values: What to write, in display form.
        stderr: ``^^stderr`` writes to standard error.
    """
    text = " ".join([value if type(value) is str else display(value) for value in values])
    write(_stream(stderr), text)


def println(*values: Any, stderr: Any = False) -> None:
    """``(println values…)``: write the values, joined with one space, and end the line.

    Args:
        *values: What to write, in display form.
        stderr: ``^^stderr`` writes to standard error.
    """
    text = " ".join([value if type(value) is str else display(value) for value in values]) + "\n"
    try:
        (sys.stdout if stderr is False else _stream(stderr)).write(text)
    except UnicodeEncodeError:
        write(_stream(stderr), text)


def _stream(stderr: Any) -> TextIO:
    return sys.stdout if stderr is False or stderr is None or stderr is VOID else sys.stderr


def flush() -> None:
    """``(flush)``: hand on what was printed so far."""
    sys.stdout.flush()


def readline() -> str | None:
    """``(readline)``: the next line of standard input without its end, or nil when there is none."""
    sys.stdout.flush()  # a prompt must be visible before the program waits
    line = sys.stdin.readline()
    return line.rstrip("\r\n") if line else None


def assert_(condition: Any, message: Any = None) -> None:
    """``(assert condition message?)``: raise unless the condition is truthy."""
    if condition is None or condition is False or condition is VOID:
        raise AssertionException("Assertion failed" if message is None else display(message))


def length(value: Any) -> int:
    """``(len value)``: characters of a String, elements of a collection, children of a Gene; nil has none."""
    if type(value) is Gene:
        return len(value.children)
    if value is None or value is VOID:
        return 0
    try:
        return len(value)
    except TypeError:
        raise TypeException(f"len is not supported for {kind_of(value).tag}") from None


def typeof(value: Any) -> str:
    """``(typeof value)``: the name of the value's type as a String."""
    cls = type(value)
    if issubclass(cls, Instance):
        assert isinstance(cls, GeneClass)
        return cls.__gene__.name
    return kind_of(value).typeof


def exit_(code: Any = 0) -> NoReturn:
    """``(exit code?)``: end the program at once.

    Raises:
        SystemExit: Always; whoever runs the program ends the process with this status.
    """
    if type(code) is not int:
        raise ArgumentException("exit requires an integer exit code")
    raise SystemExit(code)
