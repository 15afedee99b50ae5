"""Reloading of configured tools while a program runs.

A changed file becomes effective in one step: whoever looks into the registry sees all of the old tools or all
of the new ones. Calls that run finish with the handlers they began with.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

from ai_tools.config import LoadReport
from ai_tools.config_entries import Made, read_definitions
from ai_tools.config_files import ConfigError, stamp
from ai_tools.errors import AlreadyExistsError
from ai_tools.implementations import Host

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Self

    from ai_tools.registry import ToolRegistry
    from ai_tools.tool import Tool

INTERVAL = 1.0
"""Seconds between two looks at the files. A look costs some microseconds for each file."""


class ConfigWatcher:
    """Keeps the tools of a configuration file in a registry up to date.

    The tools are loaded when the watcher is made; ``with watcher:`` or `start` then looks for changes of the
    file, and of the Gene programs it names with what they import, in a thread of its own. Where something in
    the file is wrong, the error is logged and the old tool of that name stays; if the whole file is, all do.
    Tools that the program itself registers, replaces or removes are left alone.

    Args:
        path: The file; see `ai_tools.config.load_registry`, also for the rest.
        registry: The registry; it may hold other tools.
        builtins: Functions for ``type = "builtin"``.
        services: Service integrations for ``type = "internal"``.
        capabilities: What programs of ``type = "gene"`` may do.
        interval: Seconds between two looks.

    Attributes:
        report: What came of the last reading.

    Raises:
        OSError: The file cannot be opened.
        UnknownFormatError: Its suffix names no format.
        MissingExtraError: Its format needs a package that is not installed.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        registry: ToolRegistry,
        *,
        builtins: Mapping[str, Any] | None = None,
        services: Mapping[str, Any] | None = None,
        capabilities: Iterable[str] = (),
        interval: float = INTERVAL,
    ) -> None:
        self.path = os.fspath(path)
        self.registry = registry
        self.interval = interval
        self._host = Host(builtins, services, capabilities)
        self._made: dict[str, Made] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._stamp = stamp(self.path)
        self.report = self._update().log()

    def check(self) -> LoadReport | None:
        """Read the file again if it, or a program it names, has changed; return None if not."""
        if stamp(self.path) == self._stamp and self._host.is_current():
            return None
        return self.reload()

    def reload(self) -> LoadReport:
        """Read the file again. Definitions that are still the same keep their tools."""
        with self._lock:
            self._stamp = stamp(self.path)  # before it is read: a change from now on is seen
            try:
                report = self._update()
            except OSError as error:
                reason = f"cannot be opened: {error.strerror}; the tools stay as they are"
                report = LoadReport(errors=[ConfigError(self.path, reason)])
            self.report = report.log()
        return report

    def _update(self) -> LoadReport:
        found = read_definitions(self.path, self._host, self._made)
        old = {name: made.tool for name, made in self._made.items()}
        changed = {name: made for name, made in found.made.items() if made is not self._made.get(name)}
        removed = [name for name in old if name not in found.made and name not in found.broken]
        errors = list(found.errors)
        for error in swap(self.registry, [made.tool for made in changed.values()], old, removed):
            made = changed.pop(error.tool)
            errors.append(ConfigError(self.path, str(error), made.place, error.tool))
        for name in removed:
            del self._made[name]
        self._made.update(changed)
        return LoadReport(changed, errors, warnings=found.warnings, removed=removed)

    def start(self) -> None:
        """Look for changes in a thread until `stop` is called or the program ends."""
        if self._thread is None:
            self._stop.clear()
            self._thread = threading.Thread(target=self._watch, name="ai_tools.reload", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop looking for changes, and wait for a reading that is under way."""
        if self._thread is not None:
            self._stop.set()
            self._thread.join()
            self._thread = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        self.stop()

    def _watch(self) -> None:
        while not self._stop.wait(self.interval):
            try:
                self.check()
            except Exception:
                import logging

                logging.getLogger("ai_tools.config").exception("%s: cannot be reloaded", self.path)


def swap(
    registry: ToolRegistry, put: Iterable[Tool], old: Mapping[str, Tool], removed: Iterable[str]
) -> list[AlreadyExistsError]:
    """Replace tools of a registry in one step. A new tool takes the place of the old one, enabled or not.

    Args:
        registry: The registry.
        put: The tools that are new or changed.
        old: The tools they may replace, by name. Others of the same name belong to somebody else and stay.
        removed: The names of the old tools to be removed.

    Returns:
        An error for each tool whose name belongs to somebody else.
    """
    conflicts = []

    def change(tools: dict[str, Tool]) -> None:
        for name in removed:
            if tools.get(name) is old[name]:
                del tools[name]
        for tool in put:
            if tool.name in tools and tools[tool.name] is not old.get(tool.name):
                conflicts.append(AlreadyExistsError(tool.name, f"{tool.name}_v2"))
            else:
                tools[tool.name] = tool

    registry.edit(change)
    return conflicts
