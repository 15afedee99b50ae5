"""Tools in worker processes, which are killed when their time is up. For code that nothing else can end.

A worker is started on first use (with ``spawn``, so that it shares no locks with this process) and used again
by later calls. It is killed at a timeout, and when this process ends.
"""

from __future__ import annotations

import os
import threading
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from ai_tools import serialization
from ai_tools.errors import ExecutionFailedError, InvalidDefinitionError, ToolError, ToolTimeoutError
from ai_tools.failures import explain

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from ai_tools.tool import Tool
    from ai_tools.types import ExecutionContext

MAX_IDLE = 4
"""Worker processes that are kept for later calls; each takes some 20 MB."""

_idle: list[_Process] = []
_lock = threading.Lock()


class _Process:
    """A worker process and the pipe to it."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), name="ai_tools worker", daemon=True)
        self._process.start()
        theirs.close()

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self.pipe.close()

    def is_alive(self) -> bool:
        return self._process.is_alive()

    def exit_code(self) -> int | None:
        self._process.join(1)
        return self._process.exitcode


def run(tool: Tool, args: dict[str, Any], context: ExecutionContext, timeout: float) -> tuple[Any, str]:
    """Run a tool with checked arguments in a worker process; return its value and text.

    The value is a copy. Where it cannot be copied between processes, it is the JSON form that the text shows.

    Raises:
        ToolTimeoutError: The time was up; the process is gone.
        ToolError: The tool failed or its process died.
    """
    request = dump_call(tool, args, context)
    process = _take()
    try:
        process.pipe.send_bytes(request)
        if not process.pipe.poll(None if timeout == float("inf") else timeout):
            raise ToolTimeoutError(tool.name, timeout)  # noqa: TRY301 - kills the process like any other
        answer = process.pipe.recv()
    except ToolTimeoutError:
        process.kill()
        raise
    except (EOFError, OSError):
        code = process.exit_code()
        process.kill()
        raise ExecutionFailedError(tool.name, f"its process died (exit code {code})") from None
    except BaseException:
        process.kill()
        raise
    _give_back(process)
    if isinstance(answer, ToolError):
        raise answer
    return answer  # type: ignore[no-any-return]  # a pair, as `_answer` makes it


def dump_call(tool: Tool, args: dict[str, Any], context: ExecutionContext) -> bytes:
    """Return a call as bytes for a worker process.

    Raises:
        InvalidDefinitionError: The tool's function cannot be imported by another process.
    """
    import pickle

    handler = (tool.invoke, args, context) if tool.takes_context else (tool.invoke, args)
    try:
        return pickle.dumps((tool.name, *handler))
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise InvalidDefinitionError(
            f"Tool {tool.name!r} cannot run in a process of its own: its handler must be a function at the "
            f"top level of a module, so that it can be imported there ({error})",
            tool=tool.name,
        ) from None


def _take() -> _Process:
    with _lock:
        while _idle:
            process = _idle.pop()
            if process.is_alive():
                return process
    return _Process()


def _give_back(process: _Process) -> None:
    with _lock:
        if len(_idle) < MAX_IDLE:
            _idle.append(process)
            return
    process.kill()


def _serve(pipe: Connection) -> None:
    """Answer calls until the other end is closed. Runs in the worker process."""
    import pickle
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    while True:
        try:
            request = pipe.recv_bytes()
        except EOFError:
            return
        name = "tool"
        try:
            name, invoke, *arguments = pickle.loads(request)  # noqa: S301 - our own parent wrote it
            answer: Any = _answer(invoke(*arguments))
        except BaseException as error:  # noqa: BLE001 - the parent reports it
            answer = explain(error, name)
            answer.__cause__ = None
        pipe.send(answer)


def _answer(value: Any) -> tuple[Any, str]:
    import pickle

    from ai_tools.execution import collect

    value = collect(value)
    text = serialization.to_text(value)
    try:
        pickle.dumps(value)
    except Exception:  # noqa: BLE001 - a class may refuse in its own way
        value = serialization.to_jsonable(value)
    return value, text


def forget() -> None:
    """Start anew in a forked child: the workers belong to the parent."""
    global _lock  # noqa: PLW0603 - the child's own lock
    _idle.clear()
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget)
