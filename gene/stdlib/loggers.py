"""``genex/logging``: lines about what a program does, on standard error.

``GENE_LOG_LEVEL`` names the least level that is written: ``trace``, ``debug``, ``info`` (the default),
``warn``, ``error``, or ``off``.
"""

from __future__ import annotations

import os
import sys
from _thread import get_ident
from time import localtime, strftime, time

from gene.data.kinds import Kind, kind_of
from gene.runtime.exceptions import ArgumentException
from gene.runtime.namespaces import Namespace
from gene.runtime.text import display
from gene.stdlib.core import write

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

LEVELS: Final = ("trace", "debug", "info", "warn", "error", "off")
DEFAULT_LEVEL: Final = "info"
_THREADS: Final[dict[int, int]] = {}


class Logger:
    """Writes lines under one name.

    Args:
        source: A namespace such as ``$ns``, whose name is that of the module's file, or a String.
    """

    __slots__ = ("_least", "_name")

    def __init__(self, source: Any = None) -> None:
        if isinstance(source, Namespace):
            self._name = source.name
        elif type(source) is str:
            self._name = source
        else:
            raise ArgumentException(f"Logger requires a namespace or a name, got {kind_of(source).tag}")
        self._least = _least_level()

    def log(self, level: str, values: tuple[Any, ...]) -> None:
        """Write a line ``T00 INFO  yy-mm-dd Ddd hh:mm:ss.mmm NAME message``, unless the level is too low."""
        if LEVELS.index(level) < self._least or sys.stderr is None:
            return
        now = time()
        stamp = f"{strftime('%y-%m-%d %a %H:%M:%S', localtime(now))}.{int(now * 1000) % 1000:03}"
        message = " ".join([display(value) for value in values])
        write(sys.stderr, f"T{_thread():02} {level.upper():5} {stamp} {self._name} {message}\n")


def _least_level() -> int:
    level = os.environ.get("GENE_LOG_LEVEL", "").strip().lower()
    return LEVELS.index(level if level in LEVELS else DEFAULT_LEVEL)


def _thread() -> int:
    """The number of the current thread: 0 for the main one, the others in the order of their first line."""
    threading = sys.modules.get("threading")
    if threading is None or threading.main_thread().ident == get_ident():
        return 0
    return _THREADS.setdefault(get_ident(), len(_THREADS) + 1)


def _method(level: str) -> Callable[..., None]:
    def log(logger: Logger, *values: Any) -> None:
        logger.log(level, values)

    return log


LOGGER: Final = Kind(
    "Logger",
    "VkLogger",
    Logger,
    methods={level: _method(level) for level in LEVELS if level != "off"},
    construct=Logger,
)
