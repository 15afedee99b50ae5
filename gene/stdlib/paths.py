"""``io``: paths as text."""

from __future__ import annotations

import os.path

from gene.runtime.exceptions import ArgumentException, IOException
from gene.stdlib.arguments import MISSING

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any


def join(*parts: Any) -> str:
    """``(io/path_join parts…)``: the parts with one slash between them.

    A part never leads out of the ones before it by starting with a slash: ``a`` and ``/b`` give ``a/b``.
    """
    texts = [_path(part, "path_join") for part in parts]
    if not texts:
        raise ArgumentException("path_join requires at least one path")
    return os.path.join(texts[0], *[text.lstrip("/") for text in texts[1:] if text])


def absolute(path: Any = MISSING) -> str:
    """``(io/path_abs path)``: the path from the root of the file system, without ``.`` and ``..``."""
    try:
        return os.path.abspath(_path(path, "path_abs"))
    except OSError as error:
        raise IOException(f"Failed to find the current directory: {error.strerror}") from None


def basename(path: Any = MISSING) -> str:
    """``(io/path_basename path)``: what follows the last slash."""
    return os.path.basename(_path(path, "path_basename"))


def dirname(path: Any = MISSING) -> str:
    """``(io/path_dirname path)``: what stands before the last slash."""
    return os.path.dirname(_path(path, "path_dirname"))


def extension(path: Any = MISSING) -> str:
    """``(io/path_ext path)``: the extension with its dot, or an empty String."""
    return os.path.splitext(_path(path, "path_ext"))[1]


def _path(path: Any, name: str) -> str:
    if type(path) is not str:
        raise ArgumentException(f"{name} requires a string path")
    return path
