"""Compiled pieces of programs: files, texts, data that is evaluated; what comes again is compiled once."""

from __future__ import annotations

from _thread import allocate_lock
from itertools import count

from gene.data.source import Source
from gene.runtime.support import link, mentioned
from gene.stdlib.globals import provide

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

    from gene.options import Options

KEPT = 1000
"""How many texts, and how much data, stay compiled for programs that evaluate the same again."""


class Piece:
    """A piece of a program that is run in a module.

    Attributes:
        code: Its code.
        name: The member of the module in which it looks for its source.
        source: Its source.
        values: What must live as long as the piece, because it is known by its identity.
        lasting: Whether the source is needed after the piece has run.
    """

    __slots__ = ("code", "lasting", "name", "source", "values")

    def __init__(self, code: CodeType, number: int, source: Source, values: list[Any] | None = None) -> None:
        self.code = code
        self.name = f"%source{number}"
        self.source = source
        self.values = values
        main = next(constant for constant in code.co_consts if type(constant) is type(code))
        functions = any(type(constant) is type(code) for constant in main.co_consts)
        self.lasting = functions or self.name in mentioned(code)


class Pieces:
    """The pieces that one interpreter runs.

    Args:
        builtins: The interpreter's global names; gets what the pieces mention and has not been loaded.
        options: How they are compiled.
        cache: What becomes of compiled files, see :class:`gene.loader.CodeLoader`.

    Attributes:
        warnings: What the compiler warned of.
    """

    def __init__(self, builtins: dict[str, Any], options: Options, cache: str) -> None:
        self._builtins = builtins
        self._options = options
        self._cache = cache
        self._numbers = count(1)
        self._texts: dict[tuple[str, str, frozenset[str]], Piece] = {}
        self._data: dict[Any, Piece] = {}
        self.warnings: list[Any] = []

    def file(self, name: str, path: str) -> CodeType:
        """The code of a module's file."""
        from gene.loader import load_code

        return self._linked(load_code(name, path, self.warnings, cache=self._cache, options=self._options))

    def program(self, source: Source) -> CodeType:
        """The code of a whole program, with its definitions first as in a file."""
        return self._compile(_forms(source), source)

    def text(self, text: str, name: str, constants: frozenset[str]) -> Piece:
        """A text for the main module.

        Args:
            text: Any number of forms.
            name: What errors call it.
            constants: The module's members that it cannot assign.
        """
        key = text, name, constants
        known = self._texts.get(key)
        if known is None:
            source = Source(text, name)
            number = next(self._numbers)
            code = self._compile(_forms(source), source, interactive=True, number=number, constants=constants)
            known = Piece(code, number, source)
            if "comptime" not in text:  # what that decides can be different the next time
                _keep(self._texts, key, known)
        return known

    def datum(
        self, datum: Any, names: frozenset[str], constants: frozenset[str], *, local: bool
    ) -> tuple[Piece, list[Any]]:
        """Data that is evaluated as code.

        Args:
            datum: The datum.
            names: The variables of the place where it is evaluated.
            constants: The module's members that it cannot assign.
            local: Whether what it defines is its own.

        Returns:
            The piece, and the values in the datum that no code writes, which its place has to hold.
        """
        from gene.compiler.quoting import fingerprint
        from gene.data.forms import span_of

        values: list[Any] = []
        kept: list[Any] = []
        key = (fingerprint(datum, values, kept), names, local, constants)
        known = self._data.get(key)
        if known is None:
            span = span_of(datum)
            source = Source("", "<eval>") if span is None else span.source
            number = next(self._numbers)
            how = {"outer": names, "local": local, "values": values, "constants": constants}
            code = self._compile([datum], source, interactive=True, number=number, **how)
            known = Piece(code, number, source, kept)
            _keep(self._data, key, known)
        return known, values

    def _compile(self, forms: list[Any], source: Source, **how: Any) -> CodeType:
        from gene.compiler.compile import compile_forms

        code, warnings = compile_forms(forms, source, options=self._options, **how)
        self.warnings += warnings
        return self._linked(code)

    def _linked(self, code: CodeType) -> CodeType:
        names = mentioned(code)
        link(names, self._builtins)
        provide(self._builtins, names)
        return code


def _forms(source: Source) -> list[Any]:
    from gene.reader import read_all

    return read_all(source)


def _keep(cache: dict[Any, Any], key: Any, value: Any) -> None:
    """Enter something into a cache, in which the oldest entry makes room."""
    with _KEEPING:
        cache[key] = value
        if len(cache) > KEPT:
            del cache[next(iter(cache))]


_KEEPING = allocate_lock()
