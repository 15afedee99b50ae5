"""Compiled ``.gene`` files: code objects, cached as ``.pyc`` files by the standard machinery."""

from __future__ import annotations

import gc
import os

# importlib.machinery, the documented place of this class, takes 2 ms to import; this module is always there.
from _frozen_importlib_external import SourceFileLoader

from gene.options import USUAL

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from types import CodeType
    from typing import Any

    from gene.options import Options

CACHE_MODES = ("use", "renew", "off")
"""What can become of compiled files: use and write them, only write them, neither."""
MAKERS = ("compiler", "compiler/specials", "compiler/emit", "reader", "data")
"""The directories whose modules decide what a file is compiled to."""
_stamp = ""


def stamp() -> str:
    """What tells the compiled code of this installation from that of another version of it.

    It is the time at which the newest of the modules that make code was written, so a cache is never older
    than its compiler. A quarter of a millisecond finds it out, once a process.
    """
    global _stamp  # noqa: PLW0603 - computed once
    if not _stamp:
        here = os.path.dirname(__file__)
        times = [
            entry.stat().st_mtime_ns
            for directory in MAKERS
            for entry in os.scandir(f"{here}/{directory}")
            if entry.name.endswith(".py")
        ]
        _stamp = f"{max(times):x}"
    return _stamp


class CodeLoader(SourceFileLoader):
    """Loads the code of a ``.gene`` file.

    A ``.pyc`` file beside it is used while it is newer than the source; its name tells it from that of a
    Python module of the same name, and what was compiled with other options.

    Args:
        fullname: The module's name.
        path: The file.
        warnings: What gets the compiler's warnings, if it compiles.
        cache: "use"; "renew" compiles anew and caches the outcome; "off" neither reads nor writes a cache.
        options: How it is compiled. What environment variables may have decided on is not cached.
    """

    def __init__(
        self,
        fullname: str,
        path: str,
        warnings: list[Any] | None = None,
        *,
        cache: str = "use",
        options: Options = USUAL,
    ) -> None:
        super().__init__(fullname, path)
        self.warnings = warnings
        self.cache = cache
        self._keeps = True
        self.options = options

    def get_code(self, fullname: str) -> CodeType | None:
        """The code of the file, from the cache if that is fresh."""
        try:
            return super().get_code(fullname)
        except (EOFError, ValueError, TypeError):  # so marshal says that a full disk cut a cached file short
            if self.cache != "use":
                raise
            self.cache = "renew"
            return super().get_code(fullname)

    def source_to_code(  # type: ignore[override]  # the base class has one signature, its interface another
        self, data: Any, path: Any, *, _optimize: int = -1
    ) -> CodeType:
        """Compile the bytes of a source.

        Nothing of what a compiler makes is garbage before it is done, so looking for garbage meanwhile would
        only cost: about a sixth of the time that a large file takes.
        """
        collecting = gc.isenabled()
        gc.disable()
        try:
            return self._compiled(bytes(data), path)
        finally:
            if collecting:
                gc.enable()

    def _compiled(self, data: bytes, path: str) -> CodeType:
        from gene.compiler.compile import compile_forms
        from gene.data.source import Source
        from gene.reader import read_all

        source = Source(decode(data, path), path)
        self._keeps = not ("comptime" in source.text and "env" in source.text)
        code, warnings = compile_forms(read_all(source), source, options=self.options)
        if self.warnings is not None:
            self.warnings += warnings
        return code

    def get_data(self, path: str) -> bytes:
        """The bytes of the source, or of what is cached of it."""
        if path.endswith(".pyc") and self.cache != "use":
            raise FileNotFoundError(path)
        return super().get_data(self._cache_path(path))

    def set_data(self, path: str, data: Any, *, _mode: int = 0o666) -> None:
        """Write what is to be cached."""
        if self.cache != "off" and self._keeps:
            super().set_data(self._cache_path(path), data, _mode=_mode)

    def _cache_path(self, path: str) -> str:
        if not path.endswith(".pyc"):
            return path
        stem, _, tag = path[:-4].rpartition(".")
        return f"{stem}.gene-{stamp()}{self.options.variant}.{tag}.pyc"


def decode(data: bytes, name: str) -> str:
    """The text of a source, which is UTF-8.

    Raises:
        GeneSyntaxError: It is not.
    """
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        from gene.data.source import Source, Span
        from gene.errors import GeneSyntaxError

        start = len(data[: error.start].decode("utf-8"))
        span = Span(Source(data.decode("utf-8", "replace"), name), start, start + 1)
        raise GeneSyntaxError(f"the file is not UTF-8: {error.reason}", span) from None


def load_code(
    name: str, path: str, warnings: list[Any] | None = None, *, cache: str = "use", options: Options = USUAL
) -> CodeType:
    """The code of a file, from the cache if that is fresh.

    Args:
        name: The module's name.
        path: The file.
        warnings: What gets the compiler's warnings, if it compiles.
        cache: What becomes of compiled files, see :class:`CodeLoader`.
        options: How it is compiled.

    Raises:
        FileNotFoundError: There is no such file.
        GeneSyntaxError: The file cannot be read.
        GeneCompileError: It cannot be compiled.
    """
    code = CodeLoader(name, path, warnings, cache=cache, options=options).get_code(name)
    assert code is not None
    return code
