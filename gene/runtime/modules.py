"""Modules: where they are found, what they offer, and that each runs once.

The runtime knows no compiler: whoever makes a :class:`Modules` says how a file is loaded.
"""

from __future__ import annotations

import os
from _thread import RLock

from gene.data.atoms import VOID
from gene.data.names import gene_name, is_internal, python_name
from gene.runtime.exceptions import GeneException
from gene.runtime.namespaces import Namespace
from gene.runtime.paths import get

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Load = Callable[["Module"], None]


class Module(Namespace):
    """A module: a namespace whose members are the globals of its compiled code.

    Attributes:
        path: Its file, or None for text that has none.
        dependencies: What it says with ``$dep`` of the packages that it imports from, by their names.
        offered: The names that ``$ns/x`` and definitions offer for import.
        only: The names of an ``export`` form, or None without one.
        main: Whether it is the file that was started.
        constants: The names of the members that ``let`` declares.
    """

    __slots__ = ("constants", "dependencies", "main", "offered", "only", "path")

    def __init__(self, name: str, path: str | None = None) -> None:
        super().__init__(name)
        self.path = path
        self.dependencies: dict[str, Any] = {}
        self.offered: set[str] = set()
        self.only: set[str] | None = None
        self.main = False
        self.constants: frozenset[str] = frozenset()

    def key(self, name: str) -> str:
        """The Python name of a member; no member has the names of what Python and the compiler keep there."""
        return python_name(name)

    def names(self) -> list[str]:
        """The names of the members."""
        return [gene_name(key) for key in self.members if not is_internal(key)]


class Modules:
    """The modules of one interpreter.

    Args:
        load: Runs a module: fills its members from the file at its path.
        home: The root of the package in which the program that is started runs, wherever its file is; None
            for the package around the file.
    """

    def __init__(self, load: Load, home: str | None = None) -> None:
        self._load = load
        self._home = home
        self._loaded: dict[str, Module] = {}
        self._loading: list[str] = []
        self._lock = RLock()

    def load(self, specifier: str, importer: Module) -> Module:
        """The module that ``(import … from "specifier")`` means in ``importer``, run at most once.

        Raises:
            GeneException: There is none, or it is being loaded already.
        """
        return self.load_file(self.find(specifier, importer))

    def load_file(self, path: str) -> Module:
        """The module of a file, run at most once.

        Raises:
            GeneException: It is being loaded already.
        """
        with self._lock:  # another thread that imports waits until the module is there
            known = self._loaded.get(path)
            if path in self._loading:
                circle = [*self._loading[self._loading.index(path) :], path]
                names = " -> ".join(os.path.splitext(os.path.basename(each))[0] for each in circle)
                raise GeneException(f"[GENE.MODULE.CYCLE] Cyclic import detected: {names}")
            if known is not None:
                return known
            module = Module(os.path.splitext(os.path.basename(path))[0], path)
            self.run(module, path)
            return module

    def run(self, module: Module, path: str) -> None:
        """Run a module, from now on the one that imports of the file ``path`` find."""
        self._loading.append(path)
        try:
            self._load(module)
        finally:
            self._loading.pop()
        self._loaded[path] = module

    def files(self) -> list[str]:
        """The files whose modules have run."""
        return list(self._loaded)

    def find(self, specifier: str, importer: Module) -> str:
        """The file of a module: beside the importer, in its package, then in the workspace."""
        searched = []
        for directory in _directories(importer, self._home):
            path = os.path.normpath(os.path.join(directory, specifier))
            path = path if path.endswith(".gene") else path + ".gene"
            searched.append(path)
            if os.path.isfile(path):
                return os.path.realpath(path)
        raise GeneException(
            f"[GENE.MODULE.NOT_FOUND] Module '{specifier}' was not found"
            f" (importer={importer.path or importer.name}; specifier={specifier};"
            f" searched=[{', '.join(searched)}])"
        )

    def running(self, module: Module) -> None:
        """Note that the file of a module is being run, so that nothing imports it in a circle."""
        if module.path is not None:
            self._loading.append(os.path.realpath(module.path))


def _directories(importer: Module, home: str | None) -> list[str]:
    """Where modules are looked for, in order."""
    here = os.path.dirname(os.path.abspath(importer.path)) if importer.path else os.getcwd()
    found = [here]
    root = (
        home if home is not None and (importer.main or importer.path is None) else _package_root(here) or home
    )
    if root is not None:
        found += [root, *(os.path.join(root, name) for name in ("src", "lib", "build"))]
    workspace = os.environ.get("GENE_WORKSPACE_PATH", "")
    return found + [entry for entry in workspace.split(os.pathsep) if entry]


def _package_root(directory: str) -> str | None:
    """The nearest directory upwards that holds a package description."""
    while True:
        if os.path.isfile(os.path.join(directory, "package.gene")):
            return directory
        parent = os.path.dirname(directory)
        if parent == directory:
            return None
        directory = parent


def note_members(
    module: Module, constants: tuple[str, ...], variables: tuple[str, ...], unset: tuple[str, ...]
) -> None:
    """Note what code that a module is about to run declares.

    Args:
        module: The module.
        constants: The names that ``let`` declares.
        variables: Names that ``let`` declared, and that are variables now.
        unset: The Python names of those that the code may never assign; they are nil until then.
    """
    module.constants = module.constants.difference(variables).union(constants)
    for name in unset:
        module.members.setdefault(name, None)


def import_name(module: Module, name: str) -> Any:
    """What ``(import name from …)`` binds."""
    first, _, rest = name.partition("/")
    if module.only is not None and first not in module.only:
        raise GeneException(
            f"[GENE.IMPORT.EXPORT_MISSING] Cannot import '{name}' from module with explicit exports"
        )
    value = VOID
    if module.only is not None or first in module.offered:
        value = module.members.get(module.key(first), VOID)
    for part in rest.split("/") if rest else ():
        value = get(value, part)
    if value is VOID:
        raise GeneException(f"Symbol '{name}' not found in namespace", hint=_offer(module, first))
    return value


def _offer(module: Module, name: str) -> str | None:
    """What the author of an import may have meant by a name that a module does not offer."""
    if module.only is None and name not in module.offered and module.key(name) in module.members:
        return f"{name} is private there; (var $ns/{name} …) or (export {name}) offers it"
    from difflib import get_close_matches

    near = get_close_matches(name, sorted(module.offered if module.only is None else module.only), n=1)
    return f"did you mean {near[0]}?" if near and near[0] != name else None


def existing_namespace(module: Module, name: str) -> None:
    """See to it that what a definition adds a member to is there."""
    key = module.key(name)
    if module.get(name) is VOID and key not in module.members["__builtins__"]:
        raise GeneException(f"Namespace {name} not found", hint=f"(ns /{name}) makes it")


def import_all(module: Module, into: Module) -> None:
    """What ``(import * from …)`` does: every name that the module offers becomes a name here."""
    for name in module.only if module.only is not None else module.offered:
        key = module.key(name)
        if key in module.members:
            into.members[key] = module.members[key]


def export_only(module: Module, *names: str) -> None:
    """``(export a b)``: nothing else can be imported."""
    module.only = (module.only or set()) | set(names)


def is_main(module: Module) -> bool:
    """Whether a module is the file that was started."""
    return module.main
