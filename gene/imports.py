"""What the programs of one interpreter import: files, and what packages offer; ``$dep`` and ``$pkg``."""

from __future__ import annotations

import os

from gene.runtime.modules import Module, Modules
from gene.runtime.namespaces import Namespace
from gene.stdlib.capabilities import denied

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable

    from gene.packages import Packages


class Imports:
    """The modules and packages of one interpreter.

    Args:
        load: Runs a module: fills its members from the file at its path.
        package: The root of the package in which the program that is started runs; None for the package
            around its file.
        files: Whether text, which has no place of its own, may read files.

    Attributes:
        modules: The modules.

    Raises:
        GeneException: ``package`` is no package.
    """

    def __init__(
        self, load: Callable[[Module], None], package: str | os.PathLike[str] | None, *, files: bool
    ) -> None:
        self._home = None if package is None else os.path.realpath(package)
        self._files = files
        self._packages: Packages | None = None
        self.modules = Modules(load, self._home)
        if package is not None:
            self._known_packages()

    def module(self, specifier: str | None, importer: Module, package: str | None = None) -> Module:
        """The module of an ``import``: of a file around the importer, or of a package.

        Raises:
            GeneException: There is none, it throws, or the importer may not read files.
        """
        if not self._may_read(importer):
            denied(f'(import … from "{specifier or package}")', "files")()
        if package is None:
            assert specifier is not None, "the compiler asks for one of the two"
            return self.modules.load(specifier, importer)
        found = self._known_packages().find(package, importer)
        return self.modules.load_file(found.module(specifier))

    def declare(self, module: Module, name: str, said: str | None, path: str | None) -> None:
        """``$dep``: where a package is that a module imports from.

        Raises:
            GeneException: There is none, or the module may not read files.
        """
        if not self._may_read(module):
            denied(f'($dep "{name}")', "files")()
        self._known_packages().declare(module, name, said, path)

    def package(self, module: Module) -> Namespace:
        """``$pkg``: what the package of a module says of itself, and the directory that is its root."""
        found = self._known_packages().of(module) if self._may_read(module) else None
        return Namespace("pkg", {} if found is None else found.members())

    def _may_read(self, module: Module) -> bool:
        """Whether a module may look for files: a file imports what is around it."""
        return module.path is not None or self._files

    def _known_packages(self) -> Packages:
        if self._packages is None:
            from gene.packages import Packages

            self._packages = Packages(self._home)
        return self._packages
