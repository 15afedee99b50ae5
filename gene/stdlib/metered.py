"""The global names that write, for programs whose output is counted."""

from __future__ import annotations

import sys

from gene.runtime.text import display
from gene.stdlib import core
from gene.stdlib.streams import IOHandle

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TextIO

    from gene.runtime.metering import Meter


def writers(meter: Meter) -> dict[str, Any]:
    """``print``, ``println``, ``stdout`` and ``stderr``, which charge a meter before they write."""
    return {
        "print": _counted(core.print_, meter),
        "println": _counted(core.println, meter),
        "stdout": IOHandle("stdout", lambda: _Counted(sys.stdout, meter)),  # type: ignore[arg-type,return-value]
        "stderr": IOHandle("stderr", lambda: _Counted(sys.stderr, meter)),  # type: ignore[arg-type,return-value]
    }


def _counted(function: Callable[..., None], meter: Meter) -> Callable[..., None]:
    def call(*values: Any, **options: Any) -> None:
        texts = [display(value) for value in values]
        meter.charge(sum(map(len, texts)) + len(texts))
        function(*texts, **options)

    return call


class _Counted:
    """A text stream that is written to."""

    def __init__(self, stream: TextIO, meter: Meter) -> None:
        self._stream = stream
        self._meter = meter

    def write(self, text: str) -> int:
        self._meter.charge(len(text))
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
