"""Configuration in Gene: files of data, and files of functions for ``type = "gene"``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.config_files import stamp
from ai_tools.gene_bindings.handlers import GeneHandler
from gene.data.atoms import Char, PathSymbol, Symbol
from gene.data.forms import ArrayForm, MapForm
from gene.errors import GeneError
from gene.interpreter import Interpreter
from gene.loader import decode
from gene.reader import read_all

if TYPE_CHECKING:
    from collections.abc import Iterable


def read(text: str, file: str) -> Any:
    """Return the data of a ``.gene`` file that holds one datum, such as an array of maps.

    Symbols and characters become strings, as in ``^type function``. What JSON has no kind for stays as it is,
    for the check that names its place.

    Raises:
        GeneSyntaxError: The text is not Gene.
        ValueError: It is not one datum.
    """
    data = read_all(text, file)
    if len(data) != 1:
        raise ValueError(f"it must hold one datum, an array of tools or a map with ^tools, not {len(data)}")
    return _values(data[0])


def read_file(path: str) -> Any:
    """Return the data of a ``.gene`` file that holds one datum.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is not one datum of Gene.
    """
    with open(path, "rb") as file:
        content = file.read()
    try:
        return read(decode(content, path), path)
    except GeneError as error:
        raise ValueError(str(error)) from error


def _values(form: Any) -> Any:
    if type(form) is MapForm:
        return {key: _values(value) for key, value in form.items()}
    if type(form) is ArrayForm:
        return [_values(value) for value in form]
    if isinstance(form, Symbol | PathSymbol):
        return form.name
    return form.value if isinstance(form, Char) else form


class GeneFile:
    """A ``.gene`` file that has been run, for its functions.

    Args:
        path: The file.
        capabilities: What it may do, such as "files"; nothing beyond computing unless it is named.

    Raises:
        FileNotFoundError: There is no such file.
        GeneError: It cannot be read or compiled, or it threw.
        ValueError: There is no such capability.
    """

    def __init__(self, path: str, capabilities: Iterable[str] = ()) -> None:
        self._stamps = {path: stamp(path)}  # before it is read: a change from now on is seen
        interpreter = Interpreter(capabilities=capabilities, program=path)
        self._module = interpreter.run(path)
        self._stamps.update((file, stamp(file)) for file in interpreter.imported())

    def function(self, name: str) -> GeneHandler:
        """Return a function as a handler: called with the arguments as one map.

        Raises:
            LookupError: The file defines no function of this name.
        """
        value = self._module.get(name)
        if not _is_function(value):
            functions = [known for known in self._module.names() if _is_function(self._module.get(known))]
            raise LookupError(f"it defines no function {name!r}; there are: {', '.join(functions) or 'none'}")
        return GeneHandler(value)

    def is_current(self) -> bool:
        """Whether the file and those it imports are as they were when it was run."""
        return all(stamp(file) == old for file, old in self._stamps.items())


def _is_function(value: Any) -> bool:
    return callable(value) and not isinstance(value, type)
