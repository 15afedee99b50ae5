"""Tools from configuration files: JSON, TOML, YAML or Gene data.

What a file says never stops a program from starting: a definition that is not right is logged as an error,
with its file and place, and skipped. Only a file that cannot be opened at all raises.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.config_entries import read_definitions
from ai_tools.config_files import ConfigError
from ai_tools.errors import AlreadyExistsError
from ai_tools.implementations import Host
from ai_tools.registry import ToolRegistry
from ai_tools.types import Record

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping


class LoadReport(Record):
    """What came of reading a configuration.

    Attributes:
        registered: The names of the tools that are new or changed.
        removed: The names of the tools that are no longer defined.
        errors: Why a definition, or the whole file, was not used.
        warnings: What was read and means nothing, such as a misspelt member.
    """

    __slots__ = ("errors", "registered", "removed", "warnings")

    def __init__(
        self,
        registered: Iterable[str] = (),
        errors: Iterable[ConfigError] = (),
        *,
        warnings: Iterable[ConfigError] = (),
        removed: Iterable[str] = (),
    ) -> None:
        self.registered = tuple(registered)
        self.removed = tuple(removed)
        self.errors = tuple(errors)
        self.warnings = tuple(warnings)

    def log(self) -> LoadReport:
        """Write the errors and warnings to the logger ``ai_tools.config``."""
        if self.errors or self.warnings:
            import logging

            logger = logging.getLogger("ai_tools.config")
            for error in self.errors:
                logger.error("%s", error)
            for warning in self.warnings:
                logger.warning("%s", warning)
        return self


def load_registry(
    path: str | os.PathLike[str],
    *,
    builtins: Mapping[str, Any] | None = None,
    services: Mapping[str, Any] | None = None,
    capabilities: Iterable[str] = (),
    **options: Any,
) -> ToolRegistry:
    """Return a new registry of the tools that a configuration file defines.

    Args:
        path: The file; ``.json``, ``.toml``, ``.yaml``, ``.yml`` or ``.gene``.
        builtins: Functions for ``type = "builtin"``, besides `ai_tools.implementations.BUILTINS`.
        services: Service integrations for ``type = "internal"``.
        capabilities: What programs of ``type = "gene"`` may do; see `gene.stdlib.capabilities`.
        **options: `timeout` and `max_result` of `ToolRegistry`.

    Raises:
        OSError: The file cannot be opened.
        UnknownFormatError: Its suffix names no format.
        MissingExtraError: Its format needs a package that is not installed.
    """
    registry = ToolRegistry(**options)
    load_into(registry, path, builtins=builtins, services=services, capabilities=capabilities)
    return registry


def load_into(
    registry: ToolRegistry,
    path: str | os.PathLike[str],
    *,
    builtins: Mapping[str, Any] | None = None,
    services: Mapping[str, Any] | None = None,
    capabilities: Iterable[str] = (),
) -> LoadReport:
    """Add the tools that a configuration file defines to a registry, and log what is wrong with it.

    Args:
        registry: The registry. Tools that it has already stay; a definition with such a name is an error.
        path: As for `load_registry`, like the rest.
        builtins: Functions for ``type = "builtin"``.
        services: Service integrations for ``type = "internal"``.
        capabilities: What programs of ``type = "gene"`` may do.

    Raises:
        OSError: The file cannot be opened.
        UnknownFormatError: Its suffix names no format.
        MissingExtraError: Its format needs a package that is not installed.
    """
    found = read_definitions(path, Host(builtins, services, capabilities))
    registered, errors = [], list(found.errors)
    for name, made in found.made.items():
        try:
            registry.register(made.tool)
            registered.append(name)
        except AlreadyExistsError as error:
            errors.append(ConfigError(found.file, str(error), made.place, name))
    return LoadReport(registered, errors, warnings=found.warnings).log()
