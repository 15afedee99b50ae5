"""Asynchronous tools under a time limit, in the caller's event loop or in a shared one in a thread.

A coroutine can outlive its time in two ways. Where it awaits, it is cancelled; if it swallows that, it is
closed and never resumed. Where it spins, the watchdog interrupts the very step that spins, so the loop goes
on.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from time import monotonic
from typing import TYPE_CHECKING, Any

from ai_tools.watchdog import Guard, deadline_of_thread, expire
from ai_tools.workers import GRACE, AbandonedError, Job, seconds_until

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Generator


class _Guarded:
    """An awaitable that runs each step of a coroutine under a guard."""

    def __init__(self, coroutine: Coroutine[Any, Any, Any], guard: Guard) -> None:
        self._coroutine = coroutine
        self._guard = guard
        self.given_up = False

    def __await__(self) -> Generator[Any, Any, Any]:
        step: Callable[..., Any] = self._coroutine.send
        argument: Any = None
        while True:
            try:
                waiting_for = self._guard.run(step, argument)
            except StopIteration as stop:
                return stop.value
            try:
                argument = yield waiting_for
                step = self._coroutine.send
            except BaseException as error:
                if self.given_up:
                    self._close()
                    raise
                argument = error
                step = self._coroutine.throw

    def _close(self) -> None:
        # A RuntimeError says that it ignores GeneratorExit; it is never resumed all the same.
        with contextlib.suppress(TimeoutError, RuntimeError):
            Guard(monotonic() + GRACE).run(self._coroutine.close)


async def run_here(guard: Guard, coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine in this event loop until it ends or the guard's deadline passes.

    Raises:
        TimeoutError: The deadline passed; `guard.fired` is set, and the coroutine has ended.
        asyncio.CancelledError: This call was cancelled; so is the coroutine.
        BaseException: Whatever the coroutine raises.
    """
    guarded = _Guarded(coroutine, guard)
    task = asyncio.ensure_future(_settled(guarded))
    try:
        done, _ = await asyncio.wait({task}, timeout=_until(guard.deadline))
    except asyncio.CancelledError:
        await _end(task, guarded, guard)
        raise
    if done:
        return _outcome(task.result())
    await _end(task, guarded, guard)
    raise TimeoutError


def _until(deadline: float) -> float | None:
    return None if deadline == float("inf") else max(0.0, deadline - monotonic())


async def _settled(guarded: _Guarded) -> tuple[Any, BaseException | None]:
    """Return the value or the error: a SystemExit that left a task would stop the whole loop."""
    try:
        return await guarded, None
    except (asyncio.CancelledError, GeneratorExit):
        raise
    except BaseException as error:  # noqa: BLE001 - raised again outside of the task
        return None, error


def _outcome(settled: tuple[Any, BaseException | None]) -> Any:
    value, error = settled
    if error is not None:
        raise error
    return value


async def _end(task: asyncio.Task[Any], guarded: _Guarded, guard: Guard) -> None:
    """Cancel a task, let it clean up for a moment, then close its coroutine."""
    guard.deadline, guard.fired = monotonic() + GRACE, False  # its clean-up may not spin either
    task.cancel()
    _, running = await asyncio.wait({task}, timeout=GRACE)
    if running:
        guarded.given_up = True
        task.cancel()
        await asyncio.wait({task}, timeout=GRACE)
    guard.fired = True


async def run_in_thread(guard: Guard, work: Callable[..., Any], *args: Any) -> Any:
    """Run ordinary work in a worker thread and await it.

    Raises:
        TimeoutError: The deadline passed and the work has ended.
        AbandonedError: The deadline passed and the work could not be ended.
        asyncio.CancelledError: This call was cancelled; the work is being interrupted.
        BaseException: Whatever the work raises.
    """
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()

    def notify() -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed; nobody waits any more
            loop.call_soon_threadsafe(ended.set)

    job = Job(guard, work, args)
    job.start(notify)
    try:
        await asyncio.wait_for(ended.wait(), seconds_until(guard.deadline) + GRACE)
    except TimeoutError:
        raise AbandonedError from None
    finally:
        if not ended.is_set():
            expire(guard)
    return job.outcome()


class _LoopThread(threading.Thread):
    """An event loop that runs in a thread of its own."""

    def __init__(self) -> None:
        super().__init__(name="ai_tools loop", daemon=True)
        self.loop = asyncio.new_event_loop()
        self.start()

    def run(self) -> None:
        self.loop.run_forever()


_shared: _LoopThread | None = None
_lock = threading.Lock()


def _current(without: _LoopThread | None = None) -> _LoopThread:
    """Return the shared loop; a new one where the present one is blocked, or is the very thread that asks."""
    global _shared  # noqa: PLW0603 - one loop a process, unless a tool blocks it
    with _lock:
        if _shared is None or _shared is without or _shared is threading.current_thread():
            _shared = _LoopThread()
        return _shared


def run(guard: Guard, make: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    """Run a coroutine in the shared loop and wait for it.

    Raises:
        TimeoutError: The deadline passed and the coroutine has ended.
        AbandonedError: The deadline passed and the coroutine blocks its loop, which is given up.
        BaseException: Whatever the coroutine raises.
    """
    thread = _current()
    future = asyncio.run_coroutine_threadsafe(_run_made(guard, make), thread.loop)
    limit = seconds_until(min(guard.deadline, deadline_of_thread())) + 3 * GRACE
    ended = threading.Lock()
    ended.acquire()
    future.add_done_callback(lambda _: ended.release())
    try:
        if ended.acquire(timeout=limit):
            return _outcome(future.result())
    except BaseException:  # Ctrl-C, an outer deadline, or the coroutine's own error
        future.cancel()
        raise
    future.cancel()
    expire(guard)
    _current(without=thread)
    raise AbandonedError


async def _run_made(
    guard: Guard, make: Callable[[], Coroutine[Any, Any, Any]]
) -> tuple[Any, BaseException | None]:
    try:
        return await run_here(guard, make()), None
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        return None, error  # the tool's own
    except BaseException as error:  # noqa: BLE001 - raised again in the waiting thread
        return None, error


def forget() -> None:
    """Start anew in a forked child, where the loop's thread does not exist."""
    global _shared, _lock
    _shared, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget)
