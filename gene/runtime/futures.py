"""Futures: outcomes that are there already, or will be."""

from __future__ import annotations

from gene.data.atoms import Symbol
from gene.runtime.exceptions import GeneException, TypeException
from gene.runtime.failures import caught
from gene.runtime.kinds import Kind, kind_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final


class Future:
    """The outcome of ``(async …)``: a value or an exception.

    Attributes:
        state: "success" or "failure".
        value: The value, None after a failure.
        error: The exception, None after a success.
    """

    __slots__ = ("error", "state", "value")

    def __init__(self, state: str, value: Any = None, error: GeneException | None = None) -> None:
        self.state = state
        self.value = value
        self.error = error

    def __repr__(self) -> str:
        return f"<Future Fs{self.state.capitalize()}>"


def run_async(body: Callable[[], Any]) -> Future:
    """``(async e…)``: evaluate at once and keep the outcome."""
    try:
        return Future("success", body())
    except Exception as error:  # noqa: BLE001 - whatever went wrong is the outcome
        return Future("failure", error=caught(error))


def await_futures(*futures: Any, **_options: Any) -> Any:
    """``(await f…)``: the value of a future, or an array of the values of several."""
    values = [_result(future) for future in futures]
    return values[0] if len(values) == 1 else values


def _result(future: Any) -> Any:
    if type(future) is not Future:
        raise TypeException(f"await expects a Future, got: {kind_of(future).tag}")
    if future.error is not None:
        raise future.error
    return future.value


METHODS = {
    "state": lambda future: Symbol(future.state),
    "value": lambda future: future.value,
}
FUTURE: Final = Kind("Future", "VkFuture", Future, methods=METHODS)
