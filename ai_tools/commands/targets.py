"""What ``gene tools`` looks at: the tools of a Gene program, a configuration file or a Python module."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, redirect_stdout
from typing import TYPE_CHECKING, Any

from ai_tools.config_files import FORMATS, ConfigError, MissingExtraError
from ai_tools.errors import AlreadyExistsError, InvalidDefinitionError
from ai_tools.registry import ToolRegistry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

KINDS = (
    "a .gene program, a configuration (.json, .toml, .yaml, .gene) or a Python module (file or dotted name)"
)


class TargetError(Exception):
    """A target cannot be looked at; the message says what is wrong and what would be right."""


class Target:
    """The tools of a target.

    Attributes:
        registry: The tools.
        problems: Why something that was meant to be a tool is none.
        warnings: What was read and means nothing.
    """

    def __init__(
        self, registry: ToolRegistry, problems: Iterable[str] = (), warnings: Iterable[str] = ()
    ) -> None:
        self.registry = registry
        self.problems = list(problems)
        self.warnings = list(warnings)


def load(target: str, capabilities: frozenset[str] = frozenset()) -> Target:
    """Return the tools of a target. What its code prints goes to standard error.

    Args:
        target: A file or the dotted name of a Python module; ``:name`` behind it chooses one registry, tool
            or function in it.
        capabilities: What Gene programs may do.

    Raises:
        TargetError: There is no such target, it cannot be loaded, or it has no tools.
    """
    where, _, name = (target, "", "") if os.path.exists(target) else target.rpartition(":")
    where, name = (where, name) if where else (name, "")
    with _explained(where), redirect_stdout(sys.stderr):
        found = _read(where, capabilities, name)
    if not len(found.registry) and not found.problems:
        raise TargetError(
            f"{where} has no tools: neither a registry with tools nor functions that describe themselves "
            "(^intent or declared types in Gene; a docstring or annotations in Python)"
        )
    return found


def _read(where: str, capabilities: frozenset[str], name: str) -> Target:
    suffix = os.path.splitext(where)[1].lower()
    if not os.path.isfile(where):
        if all(part.isidentifier() for part in where.split(".")) and suffix not in (".py", *FORMATS):
            return _of_module(where, _import(where), name)
        raise TargetError(f"there is no file {where}" if where else f"a target is {KINDS}")
    if suffix == ".py":
        return _of_module(where, _import_file(where), name)
    if suffix == ".gene" and not _is_data(where):
        return _of_program(where, capabilities, name)
    if suffix not in FORMATS:
        raise TargetError(f"{where} is no kind of file that has tools; a target is {KINDS}")
    if name:
        raise TargetError(f"{where} is a configuration, which has no name {name!r} to choose")
    return _of_configuration(where, capabilities)


@contextmanager
def _explained(where: str) -> Iterator[None]:
    """Turn what goes wrong with a target into a `TargetError`."""
    from ai_tools.gene_bindings.programs import ProgramError

    try:
        yield
    except TargetError:
        raise
    except ProgramError as error:
        raise TargetError(with_hint(str(error))) from error
    except (MissingExtraError, ConfigError) as error:
        raise TargetError(str(error)) from error
    except SystemExit as error:
        raise TargetError(
            f"{where} ended the program (exit status {error.code}) while it was loaded"
        ) from error
    except Exception as error:
        raise TargetError(_failure(where, error)) from error


def _failure(where: str, error: Exception) -> str:
    """Say where the code of a target failed: the last of its lines that was reached."""
    if isinstance(error, OSError) and error.filename == where:
        return f"{where} cannot be read: {error.strerror}"
    from traceback import extract_tb

    lines = [each for each in extract_tb(error.__traceback__) if not each.filename.startswith(_HERE)]
    own = [each for each in lines if not each.filename.startswith("<frozen")]
    place = f" ({own[-1].filename}, line {own[-1].lineno})" if own else ""
    if isinstance(error, SyntaxError):
        place = f" ({error.filename}, line {error.lineno})"
        return f"{where} cannot be loaded: {type(error).__name__}: {error.msg}{place}"
    return f"{where} cannot be loaded: {type(error).__name__}: {error}{place}"


_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def with_hint(text: str) -> str:
    """Add how to allow what a program was refused, if that is what an error says."""
    import re

    refused = re.search(r"needs the capability '(\w+)'", text)
    if refused is None:
        return text
    text = re.sub(r"; the host grants it with Interpreter\(.*?\)", "", text)
    return f"{text}\nhint: if you trust it, allow this with --allow {refused[1]}"


# Gene programs


def _is_data(path: str) -> bool:
    from ai_tools.gene_bindings.programs import is_data

    return is_data(path)


def _of_program(path: str, capabilities: frozenset[str], name: str) -> Target:
    from ai_tools.gene_bindings.programs import is_described, run

    members, refused = run(path, capabilities)
    target = _gather(path, members, name, is_described)
    target.warnings += [
        f"{path} was refused {each} and went on; if you trust it, allow this with --allow {capability}"
        for each, capability in refused.items()
    ]
    return target


# Python modules


def _import(name: str) -> dict[str, Any]:
    from importlib import import_module

    sys.path.insert(0, os.getcwd())  # as for python -m
    return vars(import_module(name))


def _import_file(path: str) -> dict[str, Any]:
    from importlib.util import module_from_spec, spec_from_file_location

    directory, file = os.path.split(os.path.abspath(path))
    name = os.path.splitext(file)[0]
    sys.path.insert(0, directory)  # as for python FILE
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # as import does: worker processes and dataclasses look there
    spec.loader.exec_module(module)
    return vars(module)


def _of_module(where: str, members: dict[str, Any], name: str) -> Target:
    own = members["__name__"]
    offered = members.get("__all__") or [each for each in members if not each.startswith("_")]

    def is_tool(value: Any) -> bool:
        if isinstance(value, type):
            return False
        if callable(getattr(value, "execute", None)):  # a Tool, or an object of a tool class
            return hasattr(value, "name")
        return getattr(value, "__module__", None) == own and _is_described(value)

    return _gather(where, {each: members[each] for each in offered if each in members}, name, is_tool)


def _is_described(function: Any) -> bool:
    annotations = getattr(function, "__annotations__", {})
    return hasattr(function, "__code__") and bool(function.__doc__ or annotations.keys() - {"return"})


def _gather(where: str, members: dict[str, Any], name: str, is_tool: Callable[[Any], bool]) -> Target:
    """Return the tools among the members: those of all registries, else what may be a tool by itself."""
    if name:
        if name not in members:
            raise TargetError(f"{where} has no {name!r}; it has: {', '.join(members) or 'nothing'}")
        members = {name: members[name]}
    registries = {id(value): value for value in members.values() if isinstance(value, ToolRegistry)}
    if len(registries) == 1:
        return Target(next(iter(registries.values())))
    made = ToolRegistry()
    for registry in registries.values():
        try:
            made.merge(registry)
        except AlreadyExistsError as error:
            names = [each for each, value in members.items() if isinstance(value, ToolRegistry)]
            raise TargetError(
                f"{where}: {error.tool!r} is in several registries; choose one: "
                + " or ".join(f"{where}:{each}" for each in names)
            ) from error
    if registries:
        return Target(made)
    chosen = {each: value for each, value in members.items() if name or is_tool(value)}
    return Target(made, _register(made, where, chosen))


def _register(registry: ToolRegistry, where: str, members: dict[str, Any]) -> Iterator[str]:
    """Register what can be, and yield why the rest cannot."""
    for name, value in members.items():
        try:
            registry.register(value)
        except (InvalidDefinitionError, AlreadyExistsError) as error:
            yield f"{where}: {name}: {error}"


# Configurations


def _of_configuration(path: str, capabilities: frozenset[str]) -> Target:
    from ai_tools import config_files
    from ai_tools.config_entries import read_definitions
    from ai_tools.implementations import Host

    found = read_definitions(
        path, Host(services=_services(config_files.read(path)), capabilities=capabilities)
    )
    registry = ToolRegistry([made.tool for made in found.made.values()])
    return Target(registry, [with_hint(str(error)) for error in found.errors], map(str, found.warnings))


def _services(data: Any) -> dict[str, Any]:
    """Return stand-ins for the services that only the program behind a configuration has."""
    entries = data.get("tools") if isinstance(data, dict) else data
    implementations = [
        entry["implementation"]
        for entry in (entries if isinstance(entries, list) else ())
        if isinstance(entry, dict) and isinstance(entry.get("implementation"), dict)
    ]
    names = [each.get("handler") for each in implementations if each.get("type") == "internal"]
    return {name: _Unavailable(name) for name in names if isinstance(name, str)}


class _Unavailable:
    """A handler that cannot be called here."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, _args: dict[str, Any]) -> Any:
        raise RuntimeError(
            f"the service {self.name!r} belongs to the program that loads this configuration; "
            "it cannot be called from here"
        )
