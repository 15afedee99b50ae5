"""The one path of a call: read the arguments, check them, run the tool under its limits, write the result.

Nothing that a model or a tool does wrong escapes from here; every outcome is a `ToolResult`.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

from ai_tools import arguments, failures, serialization, watchdog, workers
from ai_tools.errors import ToolError, ToolTimeoutError
from ai_tools.types import ExecutionContext, ToolResult

if TYPE_CHECKING:
    from ai_tools.tool import Tool

DEFAULT_TIMEOUT = 30.0
"""Seconds a call may take where neither the tool nor the call says."""

DEFAULT_MAX_RESULT = 100_000
"""Characters of a result that reach the model: some 25,000 tokens. `ToolResult.full_text` keeps the rest."""

MAX_ITEMS = 100_000
"""Items taken of a generator that a tool returns."""

_NOWHERE = ExecutionContext()
_READY = frozenset({str, dict, list, int, float, bool, type(None), tuple, bytes})


class _Unfinished:
    """The value of a call that can only be awaited: a coroutine or an asynchronous generator."""

    __slots__ = ("awaitable",)

    def __init__(self, awaitable: Any) -> None:
        self.awaitable = awaitable


def perform(
    tool: Tool,
    given: Any,
    seconds: float,
    max_result: int,
    context: ExecutionContext | None,
    call_id: str | None,
) -> ToolResult:
    """Call a tool and wait for it.

    Args:
        tool: The tool.
        given: The arguments: JSON text, a dict or None.
        seconds: Seconds it may take.
        max_result: Characters of result text that reach the model.
        context: Where the call runs; None outside a conversation.
        call_id: The id for the result.
    """
    started = monotonic()
    guard = watchdog.Guard(started + seconds)
    try:
        value, text = _run(tool, given, context or _NOWHERE, guard, seconds)
    except BaseException as error:  # noqa: BLE001 - that nothing escapes is what this module is for
        return _failed(error, tool, guard, seconds, started, call_id)
    return _succeeded(value, text, tool, max_result, started, call_id)


def _run(tool: Tool, given: Any, context: ExecutionContext, guard: watchdog.Guard, seconds: float) -> Any:
    if tool.is_async or tool.isolated:
        args = guard.run(prepare, tool, given)
        if tool.isolated:
            from ai_tools import isolation

            return isolation.run(tool, args, context, seconds)
        return _await(tool, args, context, guard)
    # The caller's own thread is 20 to 60 microseconds cheaper than another. It is used where a blocked system
    # call can be ended, or where somebody else can give this thread up.
    if watchdog.can_end_system_calls() or workers.is_worker():
        outcome = guard.run(work, tool, given, context)
    else:
        outcome = workers.run(guard, work, tool, given, context)
    if type(outcome) is _Unfinished:
        return _await(tool, outcome, context, guard)
    return outcome


def _await(tool: Tool, args: Any, context: ExecutionContext, guard: watchdog.Guard) -> Any:
    from ai_tools import loops

    return loops.run(guard, lambda: finish(tool, args, context))


async def aperform(
    tool: Tool,
    given: Any,
    seconds: float,
    max_result: int,
    context: ExecutionContext | None,
    call_id: str | None,
) -> ToolResult:
    """Call a tool and await it; see `perform`. Ordinary tools run in a worker thread.

    Raises:
        asyncio.CancelledError: The caller was cancelled; the tool has been stopped.
    """
    import asyncio

    started = monotonic()
    guard = watchdog.Guard(started + seconds)
    caller = asyncio.current_task()
    try:
        value, text = await _arun(tool, given, context or _NOWHERE, guard, seconds)
    except BaseException as error:
        if isinstance(error, asyncio.CancelledError) and caller is not None and caller.cancelling():
            raise
        return _failed(error, tool, guard, seconds, started, call_id)
    return _succeeded(value, text, tool, max_result, started, call_id)


async def _arun(
    tool: Tool, given: Any, context: ExecutionContext, guard: watchdog.Guard, seconds: float
) -> Any:
    from ai_tools import loops

    if tool.is_async:
        args = guard.run(prepare, tool, given)
        return await loops.run_here(guard, finish(tool, args, context))
    if tool.isolated:
        outer = watchdog.Guard(guard.deadline + 1.0)  # the worker process is killed first
        return await loops.run_in_thread(outer, _run, tool, given, context, guard, seconds)
    outcome = await loops.run_in_thread(guard, work, tool, given, context)
    if type(outcome) is _Unfinished:
        return await loops.run_here(guard, finish(tool, outcome, context))
    return outcome


def prepare(tool: Tool, given: Any) -> dict[str, Any]:
    """Return the checked arguments of a call."""
    return tool.validator.check(arguments.read(given, tool.name), plain=type(given) is str)


def work(tool: Tool, given: Any, context: ExecutionContext) -> Any:
    """Do a whole call in this thread: return the value and its text, or what is left to await."""
    args = tool.validator.check(arguments.read(given, tool.name), plain=type(given) is str)
    value = tool.invoke(args, context) if tool.takes_context else tool.invoke(args)
    if type(value) not in _READY:
        if hasattr(value, "__await__") or hasattr(value, "__anext__"):
            return _Unfinished(value)
        value = collect(value)
    return value, serialization.to_text(value)


async def finish(tool: Tool, args: Any, context: ExecutionContext) -> tuple[Any, str]:
    """Do the asynchronous part of a call: return the value and its text."""
    if type(args) is _Unfinished:
        value = args.awaitable
    else:
        value = tool.invoke(args, context) if tool.takes_context else tool.invoke(args)
    while hasattr(value, "__await__"):
        value = await value
    if hasattr(value, "__anext__"):
        items: list[Any] = []
        async for item in value:
            _add(items, item)
        value = items
    value = collect(value)
    return value, serialization.to_text(value)


def collect(value: Any) -> Any:
    """Return the items of a generator as a list, any other value as it is."""
    if type(value).__name__ != "generator" or not hasattr(value, "gi_frame"):
        return value
    items: list[Any] = []
    for item in value:
        _add(items, item)
    return items


def _add(items: list[Any], item: Any) -> None:
    if len(items) >= MAX_ITEMS:
        raise serialization.NoJsonFormError(f"has more than {MAX_ITEMS:,} items")
    items.append(item)


def _succeeded(
    value: Any, text: str, tool: Tool, max_result: int, started: float, call_id: str | None
) -> ToolResult:
    if len(text) <= max_result:
        return ToolResult(value, text, None, call_id, tool.name, monotonic() - started)
    cut = serialization.truncate(text, max_result)
    return ToolResult(value, cut, None, call_id, tool.name, monotonic() - started, text)


def _failed(
    error: BaseException,
    tool: Tool,
    guard: watchdog.Guard,
    seconds: float,
    started: float,
    call_id: str | None,
) -> ToolResult:
    typed: ToolError
    if isinstance(error, workers.AbandonedError):
        typed = ToolTimeoutError(tool.name, seconds, ended=False)
    elif isinstance(error, TimeoutError) and guard.fired and not isinstance(error, ToolError):
        typed = ToolTimeoutError(tool.name, seconds)
    else:
        typed = failures.explain(error, tool.name)
    result = refused(typed, call_id, monotonic() - started)
    result.name = tool.name  # the error may be that of a tool which this one called
    return result


def refused(error: ToolError, call_id: str | None, duration: float = 0.0) -> ToolResult:
    """Return the result of a call that failed."""
    return ToolResult(None, str(error), error, call_id, error.tool, duration)
