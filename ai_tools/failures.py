"""What a model is told when a tool fails: any exception becomes a typed error with a useful message."""

from __future__ import annotations

import threading
from typing import Any

from ai_tools.errors import (
    CallCancelledError,
    ExecutionFailedError,
    PermissionDeniedError,
    SerializationError,
    ToolError,
)
from ai_tools.serialization import NoJsonFormError, truncate
from ai_tools.watchdog import Interrupt

MAX_MESSAGE = 4_000
"""Characters of an exception's message that reach the model."""

MAX_FRAMES = 1_000
"""Frames of a traceback that are kept: Python's usual recursion limit."""


def explain(error: BaseException, tool: str) -> ToolError:
    """Return the typed error for whatever ended a call, and log it.

    A `ToolError` stands as it is. The details go to the logger ``ai_tools``, which prints nothing unless the
    program configures logging.

    Raises:
        KeyboardInterrupt: Someone pressed Ctrl-C; the tool did not raise it.
        Interrupt: The time of code around this call is up.
    """
    if isinstance(error, Interrupt) or (isinstance(error, KeyboardInterrupt) and _is_from_user(error)):
        raise error
    if isinstance(error, ToolError):
        error.tool = error.tool or tool
        return error
    shorten_tracebacks(error)
    _log(error, tool)
    typed = _typed(error, tool)
    typed.__cause__ = error
    return typed


def _typed(error: BaseException, tool: str) -> ToolError:
    if isinstance(error, NoJsonFormError):
        return SerializationError(tool, error.reason, error.path)
    if isinstance(error, PermissionError):
        return PermissionDeniedError(tool, message_of(error))
    if type(error).__name__ == "CancelledError":
        return CallCancelledError(tool)
    return ExecutionFailedError(tool, message_of(error))


def message_of(error: BaseException) -> str:
    """Return an exception's message for a model.

    It is ``str(error)``, or what the exception's ``__tool_message__`` says: a string, or a method that
    returns one. Exceptions whose text says little alone are named.
    """
    try:
        message = getattr(error, "__tool_message__", None)
        text = str((message() if callable(message) else message) if message is not None else error)
    except BaseException:  # noqa: BLE001 - __str__ is the tool's code, and may do anything
        text = ""
    if isinstance(error, SystemExit):
        return f"the tool tried to exit the program (status {text or 0})"
    if isinstance(error, KeyboardInterrupt):
        return "the tool raised KeyboardInterrupt"
    if isinstance(error, MemoryError) and not text:
        return "out of memory"
    name = type(error).__name__
    if not text.strip():
        return name
    if isinstance(error, (KeyError, StopIteration, StopAsyncIteration, AssertionError)):
        text = f"{name}: {text}"
    return truncate(text, MAX_MESSAGE)


def shorten_tracebacks(error: BaseException) -> None:
    """Cut tracebacks of runaway recursion to their outermost frames.

    With the recursion limit that Gene sets, one takes half a minute to format and keeps 400,000 frames alive.
    The innermost frames cannot be kept instead: each holds on to all the frames around it.
    """
    seen: set[int] = set()
    each: BaseException | None = error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        trace = each.__traceback__
        for _ in range(MAX_FRAMES):
            trace = trace and trace.tb_next
        if trace is not None:
            trace.tb_next = None
        each = each.__cause__ or each.__context__


def _is_from_user(error: KeyboardInterrupt) -> bool:
    """Whether this is a real Ctrl-C: in the main thread, and not the work of a `raise` statement."""
    if threading.current_thread() is not threading.main_thread():
        return False
    trace = error.__traceback__
    if trace is None:
        return True
    while trace.tb_next is not None:
        trace = trace.tb_next
    import opcode

    code: Any = trace.tb_frame.f_code.co_code
    return bool(code[trace.tb_lasti] != opcode.opmap["RAISE_VARARGS"])


def _log(error: BaseException, tool: str) -> None:
    import logging

    logger = logging.getLogger("ai_tools")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    logger.error("tool %s failed", tool, exc_info=error)
