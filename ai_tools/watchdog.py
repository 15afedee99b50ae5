"""Ends Python code that runs too long, in whatever thread it runs.

One shared thread watches all deadlines. When one passes, it raises `Interrupt` in the thread that is late (an
asynchronous exception, see ``PyThreadState_SetAsyncExc``), again and again until that code has really ended.
Code that finishes in time pays well under a microsecond for this; handing it to another thread costs 20 to
60.

An asynchronous exception is delivered between byte codes, so it cannot end a blocking system call. In the
main thread a signal does both: system calls return, and the signal's handler raises `Interrupt`. It is
SIGURG, because the default is to ignore it and hardly anything sends it (the Go runtime chose it for the same
reasons).

The module relies on the global interpreter lock: single loads, stores and dict operations are atomic.
"""

from __future__ import annotations

import os
import sys
import threading
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

RESEND = 0.05
"""Seconds between interrupts of code that swallows them: long enough for clean-up to run in between."""

PATIENCE = 10
"""Interrupts in a row after which code counts as blocked where none can reach it, and is sent fewer."""

RARELY = 5.0
"""Seconds between interrupts of code that seems to be blocked for good."""

LINGER = 1.0
"""Seconds that the watchdog stays awake after a call, so that a busy program need not wake it for each."""

NEVER = float("inf")


class Interrupt(BaseException):
    """Raised inside code whose time is up. A BaseException, so that ``except Exception`` does not stop it."""


class Guard:
    """A time limit on code that runs in one thread at a time.

    Attributes:
        deadline: `time.monotonic()` value at which the code is interrupted.
        thread: Identifier of the thread that is interrupted.
        live: Whether the guarded code is running; nothing is sent while it is False.
        fired: Whether the deadline passed while the guard was in force.
        sent: How many interrupts it took so far.
        again: `time.monotonic()` value of the next one.
    """

    __slots__ = ("again", "deadline", "fired", "live", "sent", "thread")

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline
        self.thread = 0
        self.live = False
        self.fired = False
        self.sent = 0
        self.again = 0.0

    def run(self, work: Callable[..., Any], *args: Any) -> Any:
        """Run ``work(*args)`` in this thread until it returns, raises or the deadline passes.

        Raises:
            TimeoutError: This guard's time was up; whatever the code made of the interrupt is dropped.
            Interrupt: The time of a guard around this one is up.
            BaseException: Whatever `work` raises.
        """
        # Interrupts are delivered only at calls, function entries and backward jumps, so nothing comes
        # between an `except` and the `live = False` after it. From then on at most one is still on its way.
        self.thread = threading.get_ident()
        _guards[self] = None
        if self.deadline < _next_wake:
            _wake_watchdog()
        try:
            self.live = True
            value = work(*args)
            self.live = False
        except BaseException:
            self.live = False
            if not self.fired:
                _guards.pop(self, None)
                raise
        if not self.fired:
            _guards.pop(self, None)
            return value
        try:
            self._settle()
        except Interrupt:
            self._settle()
        raise TimeoutError

    def _settle(self) -> None:
        """Wait for a send that is under way, take back an interrupt that is not delivered yet."""
        with _sending:
            _send(self.thread, None)
        _guards.pop(self, None)
        _quiet()


def expire(guard: Guard) -> None:
    """End the guarded code now."""
    guard.deadline = 0.0
    _wake_watchdog()


def deadline_of_thread() -> float:
    """Return the soonest deadline that is in force on the calling thread, infinity if there is none."""
    me = threading.get_ident()
    return min(
        (guard.deadline for guard in _guards.copy() if guard.thread == me and guard.live), default=NEVER
    )


_guards: dict[Guard, None] = {}
_sending = threading.Lock()
_wake = threading.Event()
_next_wake = NEVER
_thread: threading.Thread | None = None
_main_is_signalled: bool | None = None


def _wake_watchdog() -> None:
    global _thread  # noqa: PLW0603 - one watchdog a process
    if _thread is None:
        with _sending:
            if _thread is None:
                _thread = threading.Thread(target=_watch, name="ai_tools watchdog", daemon=True)
                _thread.start()
    _wake.set()


def _watch() -> None:
    """Fire guards as their deadlines pass; sleep until the next one."""
    global _next_wake  # noqa: PLW0603 - read by every call
    woken = True
    while True:
        _wake.clear()
        # Before the look at the guards: one that is added after it finds infinity here and wakes us again.
        _next_wake = NEVER
        now = monotonic()
        soonest = _fire_late(now)
        # Woken by a call that is already over: stay awake for a while, so that the next call need not wake
        # us.
        _next_wake = soonest = min(soonest, now + LINGER) if woken else soonest
        woken = _wake.wait(None if soonest == NEVER else max(0.0, soonest - monotonic()))


def _fire_late(now: float) -> float:
    """Fire every guard whose deadline has passed and return when to look again."""
    soonest = NEVER
    for guard in _guards.copy():
        if guard.deadline > now:
            soonest = min(soonest, guard.deadline)
        elif guard.again > now or _fire(guard, now):
            soonest = min(soonest, guard.again)
    return soonest


def _fire(guard: Guard, now: float) -> bool:
    with _sending:
        guard.fired = True
        if guard.live:
            _send(guard.thread, Interrupt)
            guard.sent += 1
        else:
            _guards.pop(guard, None)
    is_blocked = guard.sent > PATIENCE
    guard.again = now + (RARELY if is_blocked else RESEND)
    if is_blocked:
        _quiet()
    return guard.live


class _Quiet(BaseException):
    """Received and dropped by the thread that sent it."""


def _quiet() -> None:
    """Take down the flag that an interrupt puts up which nobody has received.

    Up to Python 3.12 one flag for all threads says that some thread has an asynchronous exception waiting. It
    goes down only when a thread receives one; until then every thread looks for its own at each call and
    jump, which makes the whole process slower (and Python 3.11 hang in a profiler). An interrupt that still
    waits stays where it is: its thread finds it the next time that it has to let go of the interpreter lock.
    """
    if sys.version_info >= (3, 13):
        return
    import ctypes

    me = ctypes.c_ulong(threading.get_ident())
    try:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(me, ctypes.py_object(_Quiet))
        while True:
            pass
    except _Quiet:
        pass


def _send(thread: int, interrupt: type[BaseException] | None) -> None:
    """Raise an exception in a thread, or take back one that it has not received yet."""
    if _main_is_signalled and thread == threading.main_thread().ident:
        if interrupt is not None:
            import signal

            signal.pthread_kill(thread, signal.SIGURG)
        return
    import ctypes

    ctypes.pythonapi.PyThreadState_SetAsyncExc(
        ctypes.c_ulong(thread), None if interrupt is None else ctypes.py_object(interrupt)
    )


def can_end_system_calls() -> bool:
    """Return whether a guard in the calling thread can end blocking system calls, not only Python code.

    True in the main thread where signals exist and SIGURG was unused; its handler is installed by the first
    call.
    """
    global _main_is_signalled  # noqa: PLW0603 - decided once
    if threading.get_ident() != threading.main_thread().ident:
        return False
    if _main_is_signalled is None:
        _main_is_signalled = _install_handler()
    return _main_is_signalled


def _install_handler() -> bool:
    import signal

    if not hasattr(signal, "SIGURG") or not hasattr(signal, "pthread_kill"):
        return False
    if signal.getsignal(signal.SIGURG) is not signal.SIG_DFL:
        return False
    signal.signal(signal.SIGURG, _on_signal)
    return True


def _on_signal(_number: int, _frame: Any) -> None:
    """Raise `Interrupt` in the main thread if guarded code is late there; any other SIGURG means nothing."""
    me = threading.get_ident()
    if any(guard.fired and guard.live and guard.thread == me for guard in _guards.copy()):
        raise Interrupt


def _forget() -> None:
    """Start anew in a forked child, where the watchdog's thread does not exist."""
    global _thread, _next_wake, _sending, _wake
    _thread, _next_wake, _sending, _wake = None, NEVER, threading.Lock(), threading.Event()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
