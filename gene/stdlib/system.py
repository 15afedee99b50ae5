"""``system``: running commands to their end, and facts about the machine."""

from __future__ import annotations

import os
import sys

from gene.runtime.exceptions import ArgumentException, IOException
from gene.stdlib.arguments import MISSING

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from subprocess import Popen
    from typing import Any, Final

_ARCHITECTURES: Final = {"x86_64": "amd64", "AMD64": "amd64", "aarch64": "arm64"}


def shell(command: Any = MISSING) -> dict[str, Any]:
    """``(system/shell command)``: run a command line with ``sh`` and wait for its end.

    The command reads no input. When the wait is interrupted, everything that it started is killed.

    Returns:
        A Map of ``exit_code`` (128 and the signal's number when a signal ended it) and ``output``: what it
        wrote, standard error merged into standard output.
    """
    if type(command) is not str:
        raise ArgumentException("shell requires a string command")
    code, output = _run(["/bin/sh", "-c", command], command)
    return {"exit_code": code, "output": output}


def execute(command: Any = MISSING, *arguments: Any) -> str:
    """``(system/exec command args…)``: run a program without a shell; gives all that it wrote."""
    if type(command) is not str or not all(type(argument) is str for argument in arguments):
        raise ArgumentException("exec requires a string command and string arguments")
    return _run([command, *arguments], command)[1]


def _run(command: list[str], name: str) -> tuple[int, str]:
    from subprocess import DEVNULL, PIPE, STDOUT, Popen

    try:
        process = Popen(command, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT, process_group=0)  # noqa: S603 - the purpose
    except (OSError, ValueError) as error:
        raise IOException(f"Failed to run '{name}': {getattr(error, 'strerror', None) or error}") from None
    with process:
        try:
            output = _output(process)
        except BaseException:
            _kill_all(process)
            raise
    return exit_code(process.returncode), output.decode("utf-8", "replace")


def _output(process: Popen[bytes]) -> bytes:
    from subprocess import TimeoutExpired

    from gene.stdlib.waiting import SLICE

    while True:
        try:
            return process.communicate(timeout=SLICE)[0]
        except TimeoutExpired:
            continue


def _kill_all(process: Popen[bytes]) -> None:
    from contextlib import suppress
    from signal import SIGKILL

    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, SIGKILL)


def exit_code(returned: int) -> int:
    """An exit status as a shell tells it: 128 and the number for a signal, which Python tells as negative."""
    return 128 - returned if returned < 0 else returned


def current_directory() -> str:
    """``(cwd)``: the path of the current directory."""
    try:
        return os.getcwd()
    except OSError as error:
        raise IOException(f"Failed to find the current directory: {error.strerror}") from None


def change_directory(path: Any = MISSING) -> None:
    """``(system/cd path)``: make another directory the current one, for the whole process."""
    if type(path) is not str:
        raise ArgumentException("cd requires a string path")
    try:
        os.chdir(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise IOException(f"Failed to change directory to '{path}': {reason}") from None


def operating_system() -> str:
    """``(system/os)``: ``linux``, ``macosx``, ``windows``, or what Python calls another one."""
    return {"darwin": "macosx", "win32": "windows"}.get(sys.platform, sys.platform)


def architecture() -> str:
    """``(system/arch)``: ``amd64``, ``arm64``, or what the system calls another processor."""
    machine = os.uname().machine
    return _ARCHITECTURES.get(machine, machine)
