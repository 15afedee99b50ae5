"""How an agent runs the calls of an answer, so that another thread can stop them.

Ordinarily calls run in the shared event loop of `ai_tools.loops`, where each can be cancelled, whatever it
waits for. In the main thread a signal can do that too; there, calls that run one by one stay in the thread.
That costs 6 µs a call in place of 300, spares a program without asynchronous tools the import of asyncio, and
lets tools use objects that belong to the main thread, such as a connection of sqlite3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from ai_tools import watchdog
from ai_tools.agent_events import ToolFinished, ToolStarted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from ai_tools.agent_actions import Execute
    from ai_tools.cancellation import CancelToken
    from ai_tools.registry import ToolRegistry
    from ai_tools.tool import Tool
    from ai_tools.types import ExecutionContext, ToolCall, ToolResult


class ToolRunner:
    """Runs calls through a registry.

    Args:
        registry: The tools.
        parallel: How many calls may run at once.
        context: Where they run.
        cancel: Stops them.
    """

    def __init__(
        self, registry: ToolRegistry, parallel: int, context: ExecutionContext, cancel: CancelToken
    ) -> None:
        self.registry = registry
        self.parallel = parallel
        self.context = context
        self.cancel = cancel

    def run(self, job: Execute) -> Iterator[ToolStarted | ToolFinished]:
        """Run the calls and yield their events; calls that a cancellation prevents get no result."""
        for group in self._groups(job):
            yield from map(ToolStarted, group)
            if len(group) == 1 and watchdog.can_end_system_calls():
                self._run_here(group[0], job)
            else:
                self._run_in_loop(group, job)
            yield from _finished(group, job)

    async def arun(self, job: Execute) -> AsyncIterator[ToolStarted | ToolFinished]:
        """Run the calls and yield their events asynchronously; see `run`."""
        for group in self._groups(job):
            for call in group:
                yield ToolStarted(call)
            await self._arun_group(group, job)
            for event in _finished(group, job):
                yield event

    def _groups(self, job: Execute) -> Iterator[Sequence[ToolCall]]:
        size = 1 if self.parallel == 1 else len(job.calls)
        for start in range(0, len(job.calls), size or 1):
            if self.cancel.is_cancelled:
                return
            yield job.calls[start : start + size]

    def _run_here(self, call: ToolCall, job: Execute) -> None:
        guard = watchdog.Guard(watchdog.NEVER)
        with self.cancel.closing(lambda: watchdog.expire(guard)):
            try:
                guard.run(self._call, call, job)
            except TimeoutError:  # only the guard's own gets here: a call raises nothing
                return

    def _call(self, call: ToolCall, job: Execute) -> None:
        seconds = self.seconds(call, job)
        job.results[call.id] = self.registry.call(call, timeout=seconds, context=self.context)

    def _run_in_loop(self, group: Sequence[ToolCall], job: Execute) -> None:
        from ai_tools import loops

        loops.run(watchdog.Guard(watchdog.NEVER), lambda: self._arun_group(group, job))

    async def _arun_group(self, group: Sequence[ToolCall], job: Execute) -> None:
        import asyncio

        from ai_tools import batch

        recorder = cast("ToolRegistry", _Recorder(self, job))
        running = asyncio.ensure_future(batch.acall_all(recorder, group, self.parallel, None, self.context))
        loop = asyncio.get_running_loop()
        with self.cancel.closing(lambda: loop.call_soon_threadsafe(running.cancel)):
            try:
                await asyncio.wait({running})
            finally:
                if not running.done():
                    running.cancel()
                    await asyncio.wait({running})
        if not running.cancelled():
            running.result()

    def seconds(self, call: ToolCall, job: Execute) -> float | None:
        """Return how long a call may take where the run has less time than the tool; else None."""
        left = job.seconds_left()
        if left is None:
            return None
        tool = self.registry.get(call.name)
        own = (tool.timeout if tool else None) or self.registry.timeout
        return min(own, left)


class _Recorder:
    """What a batch sees of a registry: results are kept as they come; a cancelled batch returns none."""

    def __init__(self, runner: ToolRunner, job: Execute) -> None:
        self._runner = runner
        self._job = job

    def get(self, name: str) -> Tool | None:
        return self._runner.registry.get(name)

    async def acall(self, call: ToolCall, **_: Any) -> ToolResult:
        runner = self._runner
        seconds = runner.seconds(call, self._job)
        result = await runner.registry.acall(call, timeout=seconds, context=runner.context)
        self._job.results[call.id] = result
        return result


def _finished(group: Sequence[ToolCall], job: Execute) -> Iterator[ToolFinished]:
    return (ToolFinished(call, job.results[call.id]) for call in group if call.id in job.results)
