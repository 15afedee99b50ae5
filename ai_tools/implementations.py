"""What the tools of a configuration are made of: ``implementation.type`` and what it means."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ai_tools.config_files import stamp

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ai_tools.gene_bindings.config import GeneFile

HTTP_REFUSAL = "HTTP tools not yet supported (coming in v2)"

BUILTINS: dict[str, Any] = {"get_current_weather": "ai_tools.weather:current_weather"}
"""The functions that ``type = "builtin"`` can name without further ado: they reach neither files nor network.
Programs may add to it, or hand `Host` more. A string ``"module:function"`` is imported when it is needed."""


class ImplementationError(ValueError):
    """An implementation cannot be used; the message names the member at fault."""


class Host:
    """What the program that loads a configuration offers to its tools.

    Args:
        builtins: More functions for ``type = "builtin"``, by name: called with the dict of arguments, or an
            object with such an ``execute`` method. They go before those in `BUILTINS`.
        services: The service integrations for ``type = "internal"``, likewise.
        capabilities: What Gene programs may do, such as "files"; see `gene.stdlib.capabilities`.
    """

    def __init__(
        self,
        builtins: Mapping[str, Any] | None = None,
        services: Mapping[str, Any] | None = None,
        capabilities: Iterable[str] = (),
    ) -> None:
        self.builtins = {**BUILTINS, **(builtins or {})}
        self.services = dict(services or {})
        self.capabilities = capabilities if isinstance(capabilities, str) else tuple(capabilities)
        self._programs: dict[str, GeneFile] = {}
        self._stamps: dict[str, Any] = {}

    def program(self, path: str) -> GeneFile:
        """Return a Gene program, run once as long as its files stay as they are.

        Raises:
            FileNotFoundError: There is no such file.
            Exception: Whatever running the program raises.
        """
        if path not in self._programs or not self._programs[path].is_current():
            from ai_tools.gene_bindings.config import GeneFile  # the only way from here to the language

            self._programs.pop(path, None)
            self._stamps[path] = stamp(path)  # of a program that fails, too: it may be mended
            self._programs[path] = GeneFile(path, self.capabilities)
        return self._programs[path]

    def is_current(self, path: str | None = None) -> bool:
        """Whether the files of a program, or of all of them, are as they were when it was run."""
        if path is not None:
            return path in self._programs and self._programs[path].is_current()
        return all(stamp(file) == old for file, old in self._stamps.items()) and all(
            program.is_current() for program in self._programs.values()
        )


class Mock:
    """A handler that answers every call with the same value. A class, so that a process can receive it."""

    __slots__ = ("response",)

    def __init__(self, response: Any) -> None:
        self.response = response

    def __call__(self, _args: dict[str, Any]) -> Any:
        """Return a copy: what a caller does to it must not change later answers."""
        from copy import deepcopy

        return deepcopy(self.response)


def handler_of(implementation: dict[str, Any], host: Host, directory: str) -> Callable[..., Any]:
    """Return the handler that an implementation describes.

    Args:
        implementation: The object with a ``type`` and what that type needs.
        host: What it may use.
        directory: What file names in it are relative to.

    Raises:
        ImplementationError: It is not complete, or names something that does not exist.
    """
    kind = implementation.get("type")
    make = _KINDS.get(kind) if isinstance(kind, str) else None
    if make is None:
        known = ", ".join(f'"{name}"' for name in _KINDS if name != "http")
        raise ImplementationError(f"implementation.type must be one of {known}, not {kind!r}")
    return make(implementation, host, directory)


def _mock(implementation: dict[str, Any], _host: Host, _directory: str) -> Mock:
    if "mock_response" not in implementation:
        raise ImplementationError('implementation.mock_response is missing; type "mock" answers with it')
    return Mock(implementation["mock_response"])


def _builtin(implementation: dict[str, Any], host: Host, _directory: str) -> Callable[..., Any]:
    return _named(_text(implementation, "handler"), host.builtins, "builtin function")


def _internal(implementation: dict[str, Any], host: Host, _directory: str) -> Callable[..., Any]:
    return _named(_text(implementation, "handler"), host.services, "internal service")


def _gene(implementation: dict[str, Any], host: Host, directory: str) -> Callable[..., Any]:
    path = program_path(implementation, directory)
    name = _text(implementation, "handler")
    try:
        program = host.program(path)
    except FileNotFoundError:
        raise ImplementationError(f"implementation.file: there is no file {path!r}") from None
    except Exception as error:
        raise ImplementationError(f"implementation.file: {path}: {_place(error)}{error}") from error
    try:
        return program.function(name)
    except LookupError as error:
        raise ImplementationError(f"implementation.handler: {path}: {error.args[0]}") from None


def program_path(implementation: dict[str, Any], directory: str) -> str:
    """Return the file of a Gene implementation: relative names start at the configuration's directory."""
    return os.path.join(directory, _text(implementation, "file"))


def is_current(implementation: dict[str, Any], host: Host, directory: str) -> bool:
    """Whether a handler that was made of this is still what would be made of it now."""
    return implementation["type"] != "gene" or host.is_current(program_path(implementation, directory))


def _http(_implementation: dict[str, Any], _host: Host, _directory: str) -> Callable[..., Any]:
    raise ImplementationError(HTTP_REFUSAL)


_KINDS: dict[str, Callable[[dict[str, Any], Host, str], Callable[..., Any]]] = {
    "mock": _mock,
    "builtin": _builtin,
    "internal": _internal,
    "gene": _gene,
    "http": _http,
}

MEMBERS = {
    "mock": ("mock_response",),
    "builtin": ("handler",),
    "internal": ("handler",),
    "gene": ("file", "handler"),
}
"""The members that each type of implementation uses, besides ``type``."""


def _text(implementation: dict[str, Any], member: str) -> str:
    value = implementation.get(member)
    if not isinstance(value, str) or not value.strip():
        kind = implementation["type"]
        raise ImplementationError(
            f'implementation.{member} must be a string for type "{kind}", not {value!r}'
        )
    return value


def _named(name: str, known: Mapping[str, Any], what: str) -> Callable[..., Any]:
    if name not in known:
        names = ", ".join(sorted(known)) or "none"
        raise ImplementationError(
            f'implementation.handler: no {what} "{name}" is registered; there are: {names}'
        )
    found = known[name]
    if isinstance(found, str):
        from importlib import import_module

        module, _, attribute = found.partition(":")
        found = getattr(import_module(module), attribute)
    function = getattr(found, "execute", found)
    if not callable(function):
        raise ImplementationError(f'implementation.handler: the {what} "{name}" is not callable: {found!r}')
    return function  # type: ignore[no-any-return]  # it is callable


def _place(error: Exception) -> str:
    line = getattr(error, "lineno", None)
    return f"line {line}: " if line else ""
