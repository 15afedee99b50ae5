"""What a chat looks like: streamed text, a line for each call, a spinner, and questions to whoever types."""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import TextIO

    from ai_tools.types import ToolCall, ToolResult

MAX_LINE = 200
"""Characters of a result or an argument that a line shows."""

PROMPT = "> "
_FRAMES = "|/-\\"
_SECONDS = 0.1
_CLEAR = "\r\x1b[K"
_DIM, _PLAIN = "\x1b[2m", "\x1b[0m"
# What a model or a tool writes must not move the cursor, change the title or do whatever else terminals do.
_CONTROLS = {code: "�" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


class Spinner:
    """Turns while somebody waits.

    Args:
        stream: The terminal.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, text: str) -> None:
        """Begin to turn before a text; what turned before stops."""
        self.stop()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._turn, args=(text, self._ended), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop, and leave an empty line."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._ended.set()
            thread.join()

    def _turn(self, text: str, ended: threading.Event) -> None:
        count = 0
        while not ended.wait(_SECONDS):
            self._stream.write(f"{_CLEAR}{_FRAMES[count % len(_FRAMES)]} {text}")
            self._stream.flush()
            count += 1
        if count:
            self._stream.write(_CLEAR)
            self._stream.flush()


class Terminal:
    """Both directions of a chat: a terminal, or a pipe on either side.

    Attributes:
        is_interactive: Whether a person sits at both ends.
    """

    def __init__(self) -> None:
        self._out = sys.stdout
        self._out.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # text that cannot be encoded
        if not sys.stdin.isatty():
            sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]  # likewise
        self.is_interactive = sys.stdin.isatty() and self._out.isatty()
        self._spinner = Spinner(self._out) if self._out.isatty() else None
        self._is_coloured = self._out.isatty() and "NO_COLOR" not in os.environ
        self._is_open = False  # whether a line of text has been begun
        if self.is_interactive:
            import contextlib

            with contextlib.suppress(ImportError):  # there are builds of Python without it
                import readline  # noqa: F401 - lets input() edit the line

    def read(self, prompt: str = PROMPT) -> str | None:
        """Return the next line without its end; None where there is no more."""
        self.rest()
        if not self.is_interactive:
            line = sys.stdin.readline()
            return line.rstrip("\r\n") if line else None
        try:
            return input(prompt)
        except EOFError:
            self._out.write("\n")
            return None

    def ask(self, question: str) -> str | None:
        """Return the answer to a question; None where there is nobody to ask."""
        self.rest()
        self.end_line()
        if self.is_interactive:
            return self.read(question)
        self._out.write(question)
        answer = self.read()
        self._out.write(f"{_clean(answer or '')}\n")
        return answer

    def wait(self, text: str) -> None:
        """Show that something goes on."""
        if self._spinner is not None and not self._is_open:
            self._spinner.start(text)

    def rest(self) -> None:
        """Stop showing that something goes on."""
        if self._spinner is not None:
            self._spinner.stop()

    def text(self, text: str) -> None:
        """Show a piece of text as it comes."""
        self.rest()
        self._out.write(text.translate(_CONTROLS))
        self._out.flush()
        self._is_open = not text.endswith("\n") if text else self._is_open

    def end_line(self) -> None:
        """Begin a new line unless this one is empty."""
        if self._is_open:
            self._out.write("\n")
            self._out.flush()
        self._is_open = False

    def line(self, text: str) -> None:
        """Show a line that is not the model's."""
        self.rest()
        self.end_line()
        shown = _clean(text)
        self._out.write(f"{_DIM}{shown}{_PLAIN}\n" if self._is_coloured else f"{shown}\n")
        self._out.flush()

    def error(self, text: str) -> None:
        """Show an error."""
        self.rest()
        self.end_line()
        sys.stderr.write(f"error: {_clean(text)}\n")
        sys.stderr.flush()


def call_text(call: ToolCall) -> str:
    """Return a call as ``name(argument=value, …)``."""
    if call.arguments is None:
        return f"{call.name}({short(call.raw_arguments or '')})"
    pairs = (f"{name}={short(_json(value))}" for name, value in call.arguments.items())
    return f"{call.name}({', '.join(pairs)})"


def result_text(call: ToolCall, result: ToolResult) -> str:
    """Return the line of a finished call: its arguments, result and time."""
    seconds = result.duration
    time = f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"
    how = "failed:" if result.is_error else "->"
    return f"  * {call_text(call)} {how} {short(result.text)}  [{time}]"


def short(text: str) -> str:
    """Return a text on one line of at most `MAX_LINE` characters."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_LINE else line[: MAX_LINE - 1] + "…"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _clean(text: str) -> str:
    return text.translate(_CONTROLS)
