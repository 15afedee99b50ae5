"""Signals from outside."""

from __future__ import annotations

from gene.runtime.exceptions import ArgumentException, RuntimeException
from gene.stdlib.arguments import MISSING, callback, tag_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any


def on_signal(name: Any = MISSING, function: Any = MISSING) -> None:
    """``(on_signal "INT" fn)``: call fn, with the signal's name, whenever Ctrl-C is pressed.

    Raises:
        ArgumentException: Another signal than INT, or something that cannot be called.
        RuntimeException: Not in the main thread, the only one that Python tells of signals.
    """
    from signal import SIGINT, signal

    if name not in ("INT", "SIGINT"):
        raise ArgumentException(
            f"on_signal requires the signal INT, got {name if type(name) is str else tag_of(name)}"
        )
    call = callback(function, "on_signal")
    try:
        signal(SIGINT, lambda _number, _frame: call("INT"))
    except ValueError:
        raise RuntimeException("on_signal works in the main thread only") from None
