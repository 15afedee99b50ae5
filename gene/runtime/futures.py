"""Futures: outcomes that are there already, or will be."""

from __future__ import annotations

from threading import RLock
from time import monotonic

from gene.data.atoms import Symbol
from gene.data.kinds import Kind, kind_of
from gene.runtime.events import current
from gene.runtime.exceptions import (
    ArgumentException,
    CancellationException,
    ConcurrencyException,
    GeneException,
    ThreadException,
    TimeoutException,
    TypeException,
)
from gene.runtime.failures import caught, exception
from gene.runtime.workers import Workers

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any, Final

    from gene.runtime.events import Events, Program

PENDING: Final = "pending"
SUCCESS: Final = "success"
FAILURE: Final = "failure"
CANCELLED: Final = "cancelled"

AT_ONCE: Final = 32
"""How many native operations, such as requests, run at once; further ones wait for their turn."""

_lock: Final = RLock()  # reentrant, because an object that is being freed may settle a future


class Future:
    """The outcome of something that may still go on: a value or an exception.

    Futures can be used from any thread. A callback is called where it was registered, once.

    Args:
        program: The program that cannot end before this is settled, None for a future that nothing needs to
            wait for.
        idle: Whether the program may end as long as no callback is registered, because nothing would happen.

    Attributes:
        state: "pending", "success", "failure" or "cancelled".
        value: The value, None unless it is a success.
        error: The exception of a failure or of what was cancelled, else None.
        on_cancel: What calls off the work behind it, or None.
    """

    __slots__ = ("_idle", "_program", "_traceback", "_waiting", "error", "on_cancel", "state", "value")

    def __init__(self, program: Program | None = None, *, idle: bool = False) -> None:
        self.state = PENDING
        self.value: Any = None
        self.error: BaseException | None = None
        self.on_cancel: Callable[[], object] | None = None
        self._traceback: TracebackType | None = None
        self._waiting: list[_Waiter] = []
        self._program = program
        self._idle = idle or program is None
        if not self._idle and program is not None:
            program.begin()

    def complete(self, value: Any = None) -> None:
        """``(f .complete value)``: make it a success.

        Raises:
            ConcurrencyException: It is settled already.
        """
        self._must(self.settle(SUCCESS, value), "complete")

    def fail(self, error: Any = None) -> None:
        """``(f .fail error)``: make it a failure, with what ``(throw error)`` would throw."""
        known = error if isinstance(error, GeneException) else exception(error)
        self._must(self.settle(FAILURE, error=known), "fail")

    def cancel(self) -> None:
        """``(f .cancel)``: give it up, and call off the work behind it where that is possible."""
        error = CancellationException("Future cancelled", code="GENE.ASYNC.CANCELLED")
        self._must(self.settle(CANCELLED, error=error), "cancel")
        if self.on_cancel is not None:
            self.on_cancel()

    def on_success(self, function: Any = None) -> Future:
        """``(f .on_success fn)``: have fn called with the value, later even if it is there already."""
        return self._register(function, "on_success", wants_error=False)

    def on_failure(self, function: Any = None) -> Future:
        """``(f .on_failure fn)``: have fn called with the exception of a failure or a cancellation."""
        return self._register(function, "on_failure", wants_error=True)

    def settle(self, state: str, value: Any = None, error: BaseException | None = None) -> bool:
        """Give it its outcome, unless it has one; returns whether it had none."""
        with _lock:
            if self.state != PENDING:
                return False
            self.value = value
            self.error = error
            self._traceback = None if error is None else error.__traceback__
            self.state = state
            waiting, self._waiting = self._waiting, []
        for waiter in waiting:
            waiter.tell(self)
        if self._program is not None and not self._idle:
            self._program.end()
        return True

    def result(self) -> Any:
        """The value.

        Raises:
            BaseException: The exception of a failure, with the traceback that it failed with.
        """
        if self.error is not None:
            raise self.error.with_traceback(self._traceback)
        return self.value

    def tell(self, waiter: _Waiter) -> None:
        """Have a waiter told of the outcome, at once if it is there."""
        with _lock:
            if self.state == PENDING:
                self._waiting.append(waiter)
                return
        waiter.tell(self)

    def forget(self, waiter: _Waiter) -> None:
        """Do not tell a waiter any more."""
        with _lock:
            if waiter in self._waiting:
                self._waiting.remove(waiter)

    def _register(self, function: Any, name: str, *, wants_error: bool) -> Future:
        if not callable(function):
            raise GeneException(f"{name} callback must be a function, got {kind_of(function).tag}")
        with _lock:
            if self._idle and self._program is not None and self.state == PENDING:
                self._idle = False
                self._program.begin()
        self.tell(_Callback(function, current(), wants_error=wants_error))
        return self

    def _must(self, done: bool, action: str) -> None:  # noqa: FBT001 - reads as a sentence
        if not done:
            code = "GENE.ASYNC.ALREADY_TERMINAL"
            raise ConcurrencyException(f"{code}: cannot {action} a future in state {self.state}", code=code)

    def __repr__(self) -> str:
        return f"<Future Fs{self.state.capitalize()}>"


class _Waiter:
    """Code that waits for futures in some thread."""

    __slots__ = ("events",)

    def __init__(self, events: Events) -> None:
        self.events = events

    def tell(self, _future: Future) -> None:
        """Take note that a future is settled; called in any thread."""
        self.events.wake()


class _Callback(_Waiter):
    """A function to be called with the outcome."""

    __slots__ = ("function", "wants_error")

    def __init__(self, function: Callable[[Any], Any], events: Events, *, wants_error: bool) -> None:
        super().__init__(events)
        self.function = function
        self.wants_error = wants_error

    def tell(self, future: Future) -> None:
        """Have the function called if the outcome is of its kind."""
        if self.wants_error is (future.error is not None):
            outcome = future.error if self.wants_error else future.value
            self.events.post(lambda: self.function(outcome))


def run_async(body: Callable[[], Any]) -> Future:
    """``(async e…)``: evaluate at once and keep the outcome."""
    future = Future()
    settle_with(future, body)
    return future


def settle_with(future: Future, work: Callable[..., Any], *args: Any) -> None:
    """Give a future the outcome of a call."""
    try:
        value = work(*args)
    except Exception as error:  # noqa: BLE001 - whatever went wrong is the outcome
        future.settle(FAILURE, error=caught(error))
    else:
        future.settle(SUCCESS, value)


_POOL: Final = Workers("gene input and output", AT_ONCE)


def background(work: Callable[..., Any], *args: Any) -> Future:
    """Have native work done in another thread.

    Args:
        work: What to call; it must not run Gene code.
        *args: Its arguments.

    Returns:
        The future of its outcome. Cancelling it keeps it from starting; once it runs, its outcome is dropped.
    """
    future = Future(current().program)
    try:
        _POOL.submit(lambda: settle_with(future, work, *args) if future.state == PENDING else None)
    except ThreadException as error:
        future.settle(FAILURE, error=error)
    return future


def await_futures(*futures: Any, timeout: Any = None, **unknown: Any) -> Any:
    """``(await f…)``: the value of a future, or an array of the values of several.

    Args:
        *futures: The futures.
        timeout: How long to wait for all of them: Int milliseconds, Float seconds; nil for any time.
        **unknown: Other keywords, which are refused.

    Raises:
        TypeException: Something is no future.
        TimeoutException: The time is up; the futures go on.
        ConcurrencyException: Nothing is left that could settle a future.
        GeneException: What a future failed with.
    """
    _check(futures, unknown)
    if not _wait(futures, None if timeout is None else monotonic() + seconds(timeout, "await ^timeout")):
        raise TimeoutException("await timed out", code="GENE.ASYNC.TIMEOUT")
    for future in futures:
        if future.error is not None:
            future.result()
    return futures[0].value if len(futures) == 1 else [future.value for future in futures]


def _check(futures: tuple[Any, ...], unknown: dict[str, Any]) -> None:
    for name in unknown:
        raise ArgumentException(f"Unexpected keyword argument: {name}")
    if not futures:
        raise ArgumentException("await requires a Future")
    for future in futures:
        if type(future) is not Future:
            raise TypeException(f"await expects a Future, got: {kind_of(future).tag}")


def seconds(duration: Any, what: str) -> float:
    """A duration in seconds: an Int counts milliseconds, a Float seconds."""
    if type(duration) not in (int, float) or not duration >= 0:
        got = duration if type(duration) in (int, float) else kind_of(duration).tag
        raise ArgumentException(f"{what} requires milliseconds (Int) or seconds (Float), got {got}")
    return duration / 1000 if type(duration) is int else float(duration)


def _wait(futures: tuple[Future, ...], deadline: float | None) -> bool:
    """Wait until all futures are settled, or one has failed; False when the time is up."""
    events = current()

    def idle() -> None:
        if deadline is None and events.can_never_end() and not _decided(futures):
            raise ConcurrencyException(
                "await would never end: the future is pending, and nothing runs that could complete it",
                code="GENE.ASYNC.NEVER",
            )

    waiter = _Waiter(events)
    pending = [future for future in futures if future.state == PENDING]
    for future in pending:
        future.tell(waiter)
    try:
        return events.run_until(lambda: _decided(futures), deadline, idle=idle)
    finally:
        for future in pending:
            future.forget(waiter)


def _decided(futures: tuple[Future, ...]) -> bool:
    states = [future.state for future in futures]
    return PENDING not in states or FAILURE in states or CANCELLED in states


def _new() -> Future:
    """``(new gene/Future)``: a future for a program to settle."""
    return Future()


METHODS: Final = {
    "state": lambda future: Symbol(future.state),
    "value": lambda future: future.value,
    "on_success": Future.on_success,
    "on_failure": Future.on_failure,
    "complete": Future.complete,
    "fail": Future.fail,
    "cancel": Future.cancel,
}
FUTURE: Final = Kind("Future", "VkFuture", Future, methods=METHODS, construct=_new)
