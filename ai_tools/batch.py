"""All calls of a turn: in order or side by side, one result each, in the order of the calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_tools.types import ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ai_tools.registry import ToolRegistry
    from ai_tools.types import ExecutionContext


def call_all(
    registry: ToolRegistry,
    calls: Iterable[ToolCall],
    parallel: int,
    timeout: float | None,
    context: ExecutionContext | None,
) -> list[ToolResult]:
    """See `ToolRegistry.call_all`."""
    results: list[ToolResult] = []
    for group in _groups(registry, with_ids(calls), parallel):
        if len(group) == 1:
            results.append(registry.call(group[0], timeout=timeout, context=context))
            continue
        from concurrent.futures import ThreadPoolExecutor
        from contextvars import copy_context

        with ThreadPoolExecutor(min(parallel, len(group)), "ai_tools batch") as pool:
            futures = [
                pool.submit(copy_context().run, registry.call, call, timeout=timeout, context=context)
                for call in group
            ]
            results += [future.result() for future in futures]
    return results


async def acall_all(
    registry: ToolRegistry,
    calls: Iterable[ToolCall],
    parallel: int,
    timeout: float | None,  # noqa: ASYNC109 - it ends the tools, not the await
    context: ExecutionContext | None,
) -> list[ToolResult]:
    """See `ToolRegistry.acall_all`."""
    import asyncio

    turns = asyncio.Semaphore(max(1, parallel))

    async def one(call: ToolCall) -> ToolResult:
        async with turns:
            return await registry.acall(call, timeout=timeout, context=context)

    results: list[ToolResult] = []
    for group in _groups(registry, with_ids(calls), parallel):
        async with asyncio.TaskGroup() as running:
            tasks = [running.create_task(one(call)) for call in group]
        results += [task.result() for task in tasks]
    return results


def with_ids(calls: Iterable[ToolCall]) -> list[ToolCall]:
    """Return the calls with an id each; ids that are missing, blank or repeated are replaced in a copy."""
    seen: set[str] = set()
    result = []
    for call in calls:
        if not isinstance(call.id, str) or not call.id.strip() or call.id in seen:
            call = _with_id(call, new_id())  # noqa: PLW2901 - the caller's object stays as it is
        seen.add(str(call.id))
        result.append(call)
    return result


def new_id() -> str:
    """Return a call id that no other call has."""
    from uuid import uuid4

    return f"call_{uuid4().hex}"


def _with_id(call: ToolCall, call_id: str) -> ToolCall:
    return ToolCall(
        call_id,
        call.name,
        call.arguments,
        raw_arguments=call.raw_arguments,
        error=call.error,
        metadata=call.metadata,
    )


def _groups(registry: ToolRegistry, calls: list[ToolCall], parallel: int) -> Iterator[list[ToolCall]]:
    """Yield the calls in groups that may run side by side; a sequential tool is a group of its own."""
    group: list[ToolCall] = []
    for call in calls:
        tool = registry.get(call.name) if isinstance(call.name, str) else None
        alone = parallel <= 1 or (tool is not None and tool.sequential)
        if alone and group:
            yield group
            group = []
        group.append(call)
        if alone:
            yield group
            group = []
    if group:
        yield group
