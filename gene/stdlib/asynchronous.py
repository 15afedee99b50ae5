"""Functions that give futures, and the loop that waits for what happens."""

from __future__ import annotations

from gene.runtime.events import current
from gene.runtime.exceptions import ThreadException
from gene.runtime.futures import FAILURE, SUCCESS, Future, background, seconds
from gene.stdlib import files
from gene.stdlib.arguments import MISSING

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any


def sleep_async(duration: Any = None) -> Future:
    """``(gene/sleep_async n)``: a future that is nil after Int milliseconds or Float seconds."""
    from gene.runtime.timers import call_later

    delay = seconds(duration, "gene/sleep_async")
    future = Future(current().program, idle=True)
    try:
        future.on_cancel = call_later(delay, lambda: future.settle(SUCCESS))
    except ThreadException as error:
        future.settle(FAILURE, error=error)
    return future


def read_async(path: Any = MISSING) -> Future:
    """``(gene/io/read_async path)``: the future of the text of a file."""
    return background(files.read, path)


def write_async(path: Any = MISSING, text: Any = MISSING) -> Future:
    """``(gene/io/write_async path text)``: the future of nil, once the text is in the file."""
    return background(files.write, path, text)


def run_forever() -> None:
    """``(run_forever)``: make callbacks and serve requests as they come, until ``(stop_scheduler)``."""
    current().run_forever()


def stop_scheduler() -> None:
    """``(stop_scheduler)``: end ``(run_forever)``."""
    current().program.stop()
