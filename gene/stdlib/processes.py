"""``system/Process``: a child process to talk with through pipes."""

from __future__ import annotations

import os
from subprocess import PIPE, STDOUT, Popen, TimeoutExpired

from gene.runtime.classes import Instance
from gene.runtime.exceptions import ArgumentException, IOException
from gene.runtime.text import display
from gene.stdlib.arguments import MISSING, tag_of
from gene.stdlib.pipes import Pipes
from gene.stdlib.system import exit_code
from gene.stdlib.waiting import Deadline, timeout_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any


class _Child(Popen[bytes]):
    """A process that may go on when the program has forgotten it, which Python warns of and Gene allows."""

    def __del__(self) -> None:
        for pipe in (self.stdin, self.stdout, self.stderr) if self._child_created else ():  # type: ignore[attr-defined]
            if pipe is not None:
                pipe.close()
        super().__del__(_warn=lambda *_args, **_kwargs: None)  # type: ignore[call-arg]


class Process(Instance):
    """A child process; ``(system/Process/start command args…)`` makes one.

    Args:
        command: The program, found on the search path.
        *arguments: What it is given, Strings.
        cwd: The directory to start it in.
        env: Variables on top of this process's environment; nil removes one.
        stderr_to_stdout: Whether its standard error joins its standard output.
    """

    def __init__(
        self,
        command: Any = MISSING,
        *arguments: Any,
        cwd: Any = None,
        env: Any = None,
        stderr_to_stdout: Any = False,
    ) -> None:
        if type(command) is not str or not all(type(argument) is str for argument in arguments):
            raise ArgumentException("Process.start requires a string command and string arguments")
        merge = stderr_to_stdout is not False and stderr_to_stdout is not None
        try:
            self._popen = _Child(
                [command, *arguments],
                bufsize=0,
                stdin=PIPE,
                stdout=PIPE,
                stderr=STDOUT if merge else PIPE,
                cwd=_directory(cwd),
                env=_environment(env),
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            where = f" in '{cwd}'" if cwd is not None and getattr(error, "filename", None) == cwd else ""
            raise IOException(f"Failed to start '{command}'{where}: {reason}") from None
        self._pipes = Pipes(self._popen)

    def write(self, *values: Any) -> None:
        """``(p .write text)``: hand text to the process."""
        self._pipes.write("".join([display(value) for value in values]).encode("utf-8", "replace"))

    def write_line(self, *values: Any) -> None:
        """``(p .write_line text)``: hand a line to the process."""
        self.write(*values, "\n")

    def close_stdin(self) -> None:
        """``(p .close_stdin)``: tell the process that no more input follows."""
        self._pipes.close_input()

    def read_line(self, *, timeout: Any = None) -> str | None:
        """``(p .read_line ^timeout seconds)``: the next line without its end.

        Returns:
            The line; nil when none was complete in time, or after the end of output.
        """
        data = self._pipes.read_until(b"\n", timeout_of(timeout, "Process.read_line"))
        if data is None and self._pipes.at_end():
            data = self._pipes.take() or None
        return None if data is None else _text(data).removesuffix("\n").removesuffix("\r")

    def read_until(self, delimiter: Any = MISSING, *, timeout: Any = None) -> str | None:
        """``(p .read_until text ^timeout seconds)``: the output up to and with ``text``.

        Returns:
            What was read; nil when ``text`` did not come in time, and then nothing is lost.
        """
        if type(delimiter) is not str or not delimiter:
            raise ArgumentException("Process.read_until requires the text to read up to")
        deadline = timeout_of(timeout, "Process.read_until")
        data = self._pipes.read_until(delimiter.encode("utf-8", "replace"), deadline)
        return None if data is None else _text(data)

    def read_available(self) -> str:
        """``(p .read_available)``: the output that is there already, perhaps an empty String."""
        self._pipes.pump(0)
        return self._pipes.take_text()

    def read_stderr(self, *, timeout: Any = None) -> str | None:
        """``(p .read_stderr ^timeout seconds)``: what standard error has; nil if nothing came in time."""
        return self._pipes.read_errors(timeout_of(timeout, "Process.read_stderr"))

    def wait(self, *, timeout: Any = None) -> int | None:
        """``(p .wait ^timeout seconds)``: the exit code, nil if the process did not end in time."""
        return self._wait(timeout_of(timeout, "Process.wait"))

    def _wait(self, deadline: Deadline) -> int | None:
        """Wait for the end, and take in output meanwhile: a full pipe would keep the process from ending."""
        popen = self._popen
        while popen.poll() is None and not deadline.passed():
            if self._pipes.is_open():
                self._pipes.pump(deadline.slice())
            else:
                try:
                    popen.wait(deadline.slice())
                except TimeoutExpired:
                    continue
        return None if popen.returncode is None else exit_code(popen.returncode)

    def signal(self, name: Any = MISSING) -> None:
        """``(p .signal "TERM")``: send a signal; a process that has ended is left alone."""
        from signal import Signals

        text = name.removeprefix("SIG") if type(name) is str else ""
        number = getattr(Signals, f"SIG{text}", None)
        if not isinstance(number, Signals):
            got = f"'{name}'" if type(name) is str else tag_of(name)
            raise ArgumentException(f"Process.signal requires a signal name such as TERM, got {got}")
        self._popen.send_signal(number)

    def shutdown(self, *, timeout: Any = None) -> int | None:
        """``(p .shutdown ^timeout seconds)``: end the process, politely at first.

        Its input is closed; what does not end within half of the time gets the signal TERM, and what is left
        at the end of it is killed.

        Returns:
            The exit code; nil when the process had to be killed.
        """
        timeout_of(timeout, "Process.shutdown")
        half = timeout / 2
        self.close_stdin()
        code = self._wait(Deadline(half))
        if code is None:
            self._popen.terminate()
            code = self._wait(Deadline(half))
        if code is None:
            self._popen.kill()
            self._popen.wait()
        return code

    def is_alive(self) -> bool:
        """``(p .alive?)``: whether the process still runs."""
        return self._popen.poll() is None


def _directory(cwd: Any) -> str | None:
    if cwd is not None and type(cwd) is not str:
        raise ArgumentException(f"Process.start requires a string ^cwd, got {tag_of(cwd)}")
    return cwd


def _environment(env: Any) -> dict[str, str] | None:
    if env is None:
        return None
    if not isinstance(env, dict) or not all(value is None or type(value) is str for value in env.values()):
        raise ArgumentException("Process.start requires a map of strings as ^env")
    return {name: value for name, value in {**os.environ, **env}.items() if value is not None}


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


Process.__gene__.members["start"] = Process
Process.__gene__.methods.update(
    {
        "write": Process.write,
        "write_line": Process.write_line,
        "close_stdin": Process.close_stdin,
        "read_line": Process.read_line,
        "read_until": Process.read_until,
        "read_available": Process.read_available,
        "read_stderr": Process.read_stderr,
        "wait": Process.wait,
        "signal": Process.signal,
        "shutdown": Process.shutdown,
        "alive?": Process.is_alive,
    }
)
