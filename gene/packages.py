"""Packages: directories with a ``package.gene``, and where ``(import … of "package")`` finds them.

``package.gene`` is data; nothing of it runs. It is a map, or the same entries without braces::

    ^name "text-tools"
    ^version "1.2.0"
    ^main "src/index"
    ^dependencies {^unicode "../unicode" ^words "^1.2"}

``^name`` is what programs import; without it the package goes by the name of its directory. ``^main`` is the
module that ``(import x of "text-tools")`` means, ``index`` unless it says otherwise. ``^dependencies`` says
where other packages are, relative to this one, or which versions will do; a module says the same of itself
with ``($dep "unicode" "../unicode")``. Packages without a place are looked for in the directory
``dependencies`` of the package and of the packages around it, then in the directories of the environment
variable GENE_WORKSPACE_PATH. A program that is in no package has its ``dependencies`` beside it.
"""

from __future__ import annotations

import os

from gene.data.atoms import PathSymbol, Symbol
from gene.dependencies import Dependency, dependencies, dependency, missing
from gene.runtime.exceptions import GeneException

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final

    from gene.runtime.modules import Module

FILE: Final = "package.gene"

DEPENDENCIES: Final = "dependencies"
"""The directory of a package, or of a program that is none, that has the packages it depends on."""

SOURCES: Final = ("", "src", "lib", "build")
"""Where the modules of a package are, relative to its root."""


class Package:
    """A package.

    Attributes:
        root: Its directory.
        info: What its description says, a map.
        name: Its name.
    """

    __slots__ = ("info", "name", "root")

    def __init__(self, root: str, info: dict[str, Any]) -> None:
        self.root = root
        self.info = info
        self.name: str = self._text("name", os.path.basename(root))

    def module(self, specifier: str | None) -> str:
        """The file of one of the package's modules, or of its main one.

        Raises:
            GeneException: There is no such module.
        """
        wanted = self._text("main", "index") if specifier is None else specifier
        searched = []
        for directory in SOURCES:
            path = os.path.normpath(os.path.join(self.root, directory, wanted))
            path = path if path.endswith(".gene") else path + ".gene"
            inside = path.startswith(self.root + os.sep)
            if inside and os.path.isfile(path):
                return os.path.realpath(path)
            searched += [path] if inside else []
        raise GeneException(
            f"[GENE.MODULE.NOT_FOUND] Module '{wanted}' was not found"
            f" (package={self.name}; specifier={wanted}; searched=[{', '.join(searched)}])"
        )

    def members(self) -> dict[str, Any]:
        """What ``$pkg`` offers: the entries of the description, the name, and ``root``, the directory."""
        return {**self.info, "name": self.name, "root": self.root}

    def dependency(self, name: str) -> Dependency:
        """What the description says of another package.

        Raises:
            GeneException: The description says something that means nothing.
        """
        try:
            known = dependencies(self.info.get("dependencies") or {}, self.root)
        except ValueError as error:
            raise _invalid(self.root, str(error)) from None
        return known.get(name) or Dependency(None, "*")

    def _text(self, key: str, default: str) -> str:
        value = self.info.get(key, default)
        if isinstance(value, (Symbol, PathSymbol)):
            value = value.name
        if not isinstance(value, str) or not value:
            raise _invalid(self.root, f"^{key} must be a string")
        return value


class Packages:
    """The packages that the programs of one interpreter use; each description is read once.

    Args:
        home: The root of the package in which the program that is started runs, wherever its file is; None
            for the package around the file.

    Raises:
        GeneException: ``home`` is no package.
    """

    def __init__(self, home: str | None = None) -> None:
        self._known: dict[str, Package | None] = {}
        self.home: Package | None = None
        if home is not None:
            self.home = self.at(os.path.realpath(home))
            if self.home is None:
                raise GeneException(f"[GENE.PACKAGE.NOT_FOUND] {home} is no package: it has no {FILE}")

    def of(self, module: Module) -> Package | None:
        """The package that a module belongs to.

        It is that of the nearest directory upwards that is one; text belongs to the working directory. The
        program that was started, text, and files in no package belong to :attr:`home` if there is one.
        """
        if self.home is not None and (module.main or module.path is None):
            return self.home
        return self._around(_directory(module.path)) or self.home

    def at(self, root: str) -> Package | None:
        """The package whose root a directory is; None if it is none.

        Raises:
            GeneException: Its description is not what one is.
        """
        if root not in self._known:
            path = os.path.join(root, FILE)
            self._known[root] = Package(root, _described(path)) if os.path.isfile(path) else None
        return self._known[root]

    def declare(self, module: Module, name: str, said: str | None, path: str | None) -> None:
        """``($dep "name" "path or version" ^path "path")``: what holds for the imports of one module.

        Raises:
            GeneException: There is no such package, or the declaration means nothing.
        """
        if name in module.dependencies and module.path is not None:
            raise GeneException(f'[GENE.PACKAGE.INVALID] $dep "{name}": it is declared already')
        try:
            wanted = dependency(said, path, _directory(module.path))
        except ValueError as error:
            raise GeneException(f'[GENE.PACKAGE.INVALID] $dep "{name}": {error}') from None
        self._locate(name, wanted, module)
        module.dependencies[name] = wanted

    def find(self, name: str, module: Module) -> Package:
        """The package that ``of "name"`` means in a module.

        Args:
            name: The name of the package.
            module: The module that imports.

        Raises:
            GeneException: There is no such package.
        """
        own = outer = self.of(module)
        wanted = module.dependencies.get(name)
        while outer is not None and wanted is None:
            if outer.name == name:
                return outer
            outer = self._around(os.path.dirname(outer.root))
        if wanted is None:
            wanted = Dependency(None, "*") if own is None else own.dependency(name)
        return self._locate(name, wanted, module)

    def _locate(self, name: str, wanted: Dependency, module: Module) -> Package:
        """The first package that has a name and is what a module wants."""
        searched = []
        for root in self._candidates(name, wanted, module):
            found = self.at(os.path.realpath(root))
            if found is None:
                searched.append(root)
            elif found.name != name:
                searched.append(f"{root} (which is the package {found.name})")
            elif wanted.refuses(found.info.get("version")):
                version = found.info.get("version", "unknown")
                searched.append(f"{root} (whose version is {version}, and {wanted.version} is required)")
            else:
                return found
        raise missing(name, module.path, searched)

    def _around(self, directory: str) -> Package | None:
        """The package of the nearest directory upwards that is one."""
        while True:
            found = self.at(directory)
            parent = os.path.dirname(directory)
            if found is not None or parent == directory:
                return found
            directory = parent

    def _candidates(self, name: str, wanted: Dependency, module: Module) -> Iterator[str]:
        """Where a package may be, in order."""
        own = self.of(module)
        if wanted.place is not None:
            yield wanted.place
            return
        if os.path.isabs(name) or ".." in name.split("/"):
            return
        if own is None:
            yield os.path.join(_directory(module.path), DEPENDENCIES, name)
        while own is not None:
            yield os.path.join(own.root, DEPENDENCIES, name)
            own = self._around(os.path.dirname(own.root))
        for entry in os.environ.get("GENE_WORKSPACE_PATH", "").split(os.pathsep):
            if entry:
                yield os.path.join(os.path.abspath(entry), name)
                yield os.path.abspath(entry)


def _directory(path: str | None) -> str:
    return os.path.dirname(os.path.realpath(path)) if path else os.getcwd()


def _described(path: str) -> dict[str, Any]:
    """What a description says."""
    from gene.errors import GeneSyntaxError
    from gene.loader import decode

    try:
        with open(path, "rb") as file:
            return _entries(decode(file.read(), path), path)
    except GeneSyntaxError as error:
        raise GeneException(f"[GENE.PACKAGE.INVALID] {error.span!r}: {error.message}") from None
    except OSError as error:
        raise _invalid(os.path.dirname(path), f"cannot be read: {error.strerror}") from None


def _entries(text: str, path: str) -> dict[str, Any]:
    """The entries of a description, which is a map with or without its braces."""
    from gene.stdlib.serdes import values_of

    values = values_of(text, path)
    if len(values) != 1:
        values = values_of("{" + text + "\n}", path)
    if len(values) != 1 or not isinstance(values[0], dict):
        raise _invalid(os.path.dirname(path), 'is a map, such as {^name "tools" ^version "1.0"}')
    return dict(values[0])


def _invalid(root: str, problem: str) -> GeneException:
    return GeneException(f"[GENE.PACKAGE.INVALID] {os.path.join(root, FILE)}: {problem}")
