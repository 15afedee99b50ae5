"""The tools of a Gene program: it is run, and what it defines is looked through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.registry import ToolRegistry
from gene.data.forms import ArrayForm, MapForm
from gene.errors import GeneError
from gene.interpreter import Interpreter
from gene.loader import decode
from gene.reader import read_all
from gene.report import text
from gene.runtime.signatures import parameters_of
from gene.runtime.text import is_gene_function
from gene.stdlib.capabilities import ALL, check, observers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gene.runtime.modules import Module


class ProgramError(Exception):
    """A program cannot be read, compiled or run; the text shows the place."""


def is_data(path: str) -> bool:
    """Whether a ``.gene`` file holds one array or map and nothing else: a configuration, not a program.

    Raises:
        OSError: It cannot be opened.
        ProgramError: It is not Gene.
    """
    with open(path, "rb") as file:
        data = file.read()
    try:
        forms = read_all(decode(data, path), path)
    except GeneError as error:
        raise ProgramError(text(error)) from error
    return len(forms) == 1 and type(forms[0]) in (ArrayForm, MapForm)


def check_capabilities(names: Iterable[str]) -> frozenset[str]:
    """Return capabilities that a program may be granted; ``all`` stands for each of them.

    Raises:
        ValueError: There is no such capability; the message lists those that there are.
    """
    names = frozenset(names)
    return ALL if "all" in names else check(names)


def run(path: str, capabilities: Iterable[str] = ()) -> tuple[dict[str, Any], dict[str, str]]:
    """Run a program.

    Args:
        path: The ``.gene`` file.
        capabilities: What it may do beyond computing.

    Returns:
        What it offers, by name, in its order; and the names that it was refused and went on without, each
        with the capability that it would have needed.

    Raises:
        OSError: It cannot be opened.
        ProgramError: It cannot be read or compiled, or it threw.
    """
    refused: dict[str, str] = {}
    note = refused.__setitem__
    observers.append(note)
    try:
        module = Interpreter(capabilities=capabilities, program=path).run(path)
    except GeneError as error:
        raise ProgramError(text(error)) from error
    finally:
        observers.remove(note)
    return {name: module.get(name) for name in _offered(module)}, refused


def _offered(module: Module) -> list[str]:
    """The names of a module: those of its ``export`` form, and its registries in any case.

    Without an ``export`` form it offers what it defines itself.
    """

    def is_offered(name: str) -> bool:
        value = module.get(name)
        if isinstance(value, ToolRegistry):
            return True
        if module.only is not None:
            return name in module.only
        imported = is_gene_function(value) and value.__globals__ is not module.members
        return not name.startswith("_") and not imported

    return [name for name in module.names() if is_offered(name)]


def is_described(function: Any) -> bool:
    """Whether a function looks as if it were meant as a tool: by ``^intent`` or a declared type."""
    if not is_gene_function(function) or "%caller" in function.__code__.co_varnames:
        return False
    return hasattr(function, "gene_intent") or any(each.type for each in parameters_of(function))
