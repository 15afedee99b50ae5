"""The standard streams as values: ``stdin``, ``stdout``, ``stderr``."""

from __future__ import annotations

import sys

from gene.data.kinds import Kind
from gene.runtime.exceptions import IOException
from gene.runtime.text import display

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, TextIO


class IOHandle:
    """A stream of text.

    Args:
        name: What error messages call it.
        stream: Gives the Python stream; asked at every use, because a host may replace ``sys.stdout``.
    """

    __slots__ = ("_name", "_stream")

    def __init__(self, name: str, stream: Callable[[], TextIO]) -> None:
        self._name = name
        self._stream = stream

    def _use(self, action: str, how: Callable[[TextIO], Any]) -> Any:
        try:
            return how(self._stream())
        except BrokenPipeError:  # whoever read the output is gone: the whole program has to end
            raise
        except (OSError, ValueError) as error:
            raise IOException(f"Failed to {action} {self._name}: {error}") from None

    def read(self) -> str:
        """``(stdin .read)``: everything up to the end of input."""
        return str(self._use("read", lambda stream: stream.read()))

    def read_line(self) -> str | None:
        """``(stdin .read_line)``: the next line without its end, or nil at the end of input."""
        line = self._use("read", lambda stream: stream.readline())
        return line.rstrip("\r\n") if line else None

    def write(self, *values: Any) -> None:
        """``(stdout .write values…)``: write the values, in display form, one after the other."""
        from gene.stdlib.core import write

        text = "".join([display(value) for value in values])
        self._use("write", lambda stream: write(stream, text))

    def write_line(self, *values: Any) -> None:
        """``(stdout .write_line values…)``: write the values and end the line."""
        self.write(*values, "\n")

    def flush(self) -> None:
        """``(stdout .flush)``: hand on what was written so far."""
        self._use("flush", lambda stream: stream.flush())

    def is_a_terminal(self) -> bool:
        """``(stdout .isatty?)``: whether a person sits at the other end."""
        return bool(self._use("query", lambda stream: stream.isatty()))


METHODS: Final = {
    "read": IOHandle.read,
    "read_line": IOHandle.read_line,
    "write": IOHandle.write,
    "write_line": IOHandle.write_line,
    "flush": IOHandle.flush,
    "isatty?": IOHandle.is_a_terminal,
}
IO_HANDLE: Final = Kind("IOHandle", "VkIOHandle", IOHandle, methods=METHODS)

STDIN: Final = IOHandle("stdin", lambda: sys.stdin)
STDOUT: Final = IOHandle("stdout", lambda: sys.stdout)
STDERR: Final = IOHandle("stderr", lambda: sys.stderr)
