"""Python's ``import`` for Gene: after ``import gene.importer``, ``import my_tools`` finds ``my_tools.gene``.

The finder stands behind those of Python, so a Python module, package or plain directory of the same name
wins; packages may contain Gene modules, but are made the Python way. The finder is made of the standard
machinery: a :class:`~importlib.machinery.FileFinder` for each directory of ``sys.path`` or of a
package, and cached bytecode beside the source.

The attributes of the module are the names that the Gene file defines. All such modules share one interpreter
with every capability: who imports a file trusts it as much as a Python file.
"""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock
from importlib.machinery import FileFinder

from gene.loader import CodeLoader, decode

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Final

    from gene.interpreter import Interpreter
    from gene.runtime.modules import Module

SUFFIX: Final = ".gene"
_interpreter: Interpreter | None = None
_lock = allocate_lock()  # two threads may import their first modules at once


def interpreter() -> Interpreter:
    """The interpreter of all modules that Python imports; made when the first one is."""
    global _interpreter  # noqa: PLW0603 - one for all modules, as there is one sys.modules
    with _lock:
        if _interpreter is None:
            from gene.interpreter import Interpreter
            from gene.stdlib.capabilities import ALL

            program, *args = sys.argv or [""]
            _interpreter = Interpreter(capabilities=ALL, args=args, program=program)
    return _interpreter


class GeneLoader(CodeLoader):
    """Loads a ``.gene`` file as a Python module."""

    def get_source(self, fullname: str) -> str:
        """The text of the module's source."""
        return decode(self.get_data(self.get_filename(fullname)), self.path)

    def exec_module(self, module: ModuleType) -> None:
        """Run the file with the module's namespace as its globals; again when the module is reloaded.

        Raises:
            GeneSyntaxError: The file cannot be read.
            GeneCompileError: It cannot be compiled.
            GeneException: It threw, and nothing caught it.
        """
        gene = interpreter()
        known = len(gene.warnings)
        loaded = gene.load(self.path, module.__dict__, module.__name__)
        _warn(gene.warnings[known:])
        module.__all__ = _offered(loaded)  # type: ignore[attr-defined]


class GeneFinder:
    """Finds ``.gene`` files where Python looks for modules."""

    def __init__(self) -> None:
        self._finders: dict[str, FileFinder] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module, or None when no ``.gene`` file has its name.

        Args:
            fullname: The module's full name.
            path: The directories of the package that it belongs to, or None for ``sys.path``.
        """
        for entry in sys.path if path is None else path:
            spec = self._finder(entry or os.getcwd()).find_spec(fullname)
            if spec is not None and spec.loader is not None:
                return spec
        return None

    def invalidate_caches(self) -> None:
        """Look into all directories again, as :func:`importlib.invalidate_caches` asks for."""
        self._finders.clear()

    def _finder(self, directory: str) -> FileFinder:
        finder = self._finders.get(directory)
        if finder is None:
            finder = self._finders[directory] = FileFinder(directory, (GeneLoader, [SUFFIX]))
        return finder


def _offered(module: Module) -> list[str]:
    """What ``from module import *`` imports: what the module offers to other Gene modules."""
    names = module.offered if module.only is None else module.only
    return sorted(name for name in names if name in module.members)


def _warn(warnings: list[object]) -> None:
    if warnings:
        from warnings import warn_explicit

        for each in warnings:
            span = each.span  # type: ignore[attr-defined]
            warn_explicit(each.message, SyntaxWarning, span.file, span.line)  # type: ignore[attr-defined]


# Compared by name, since reloading this module makes another class.
if not any(type(finder).__name__ == GeneFinder.__name__ for finder in sys.meta_path):
    sys.meta_path.append(GeneFinder())
