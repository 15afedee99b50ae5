"""``Dir``: directories."""

from __future__ import annotations

import os

from gene.runtime.exceptions import ArgumentException, IOException
from gene.stdlib.arguments import MISSING

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, NoReturn


def exists(path: Any = MISSING) -> bool:
    """``(Dir/exists path)``: whether there is a directory of that name."""
    return os.path.isdir(_path(path, "exists"))


def create(path: Any = MISSING) -> None:
    """``(Dir/create path)``: make a directory and the ones around it; an existing one is fine."""
    _path(path, "create")
    try:
        os.makedirs(path, exist_ok=True)
    except (OSError, ValueError) as error:
        _fail("create", path, error)


def delete(path: Any = MISSING) -> bool:
    """``(Dir/delete path)``: remove a directory and all that is in it.

    Returns:
        Whether there was one to remove.
    """
    from shutil import rmtree

    _path(path, "delete")
    try:
        rmtree(path)
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        _fail("delete", path, error)
    return True


def entries(path: Any = MISSING) -> list[str]:
    """``(Dir/list path)``: the paths of what is in a directory, each starting with ``path``, sorted."""
    _path(path, "list")
    try:
        return [os.path.join(path, name) for name in sorted(os.listdir(path))]
    except (OSError, ValueError) as error:
        _fail("read", path, error)


def _path(path: Any, function: str) -> str:
    if type(path) is not str:
        raise ArgumentException(f"Dir/{function} requires a string path")
    return path


def _fail(action: str, path: str, error: OSError | ValueError) -> NoReturn:
    reason = getattr(error, "strerror", None) or "the path contains a null character"
    raise IOException(f"Failed to {action} directory '{path}': {reason}") from None
