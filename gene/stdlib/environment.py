"""Environment variables of the process."""

from __future__ import annotations

import os

from gene.runtime.exceptions import ArgumentException
from gene.stdlib.arguments import MISSING

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any


def get_env(name: Any = MISSING, default: Any = None) -> Any:
    """``(get_env name default?)``: the value of a variable; the default, or nil, when it is not set."""
    return os.environ.get(_name(name, "get_env"), default)


def has_env(name: Any = MISSING) -> bool:
    """``(has_env name)``: whether a variable is set."""
    return _name(name, "has_env") in os.environ


def set_env(name: Any = MISSING, value: Any = MISSING) -> None:
    """``(set_env name value)``: set a variable for this process and those it starts.

    ``$env`` keeps showing the environment in which the program started.
    """
    _name(name, "set_env")
    if type(value) is not str:
        raise ArgumentException("set_env requires a string value")
    if not name or "=" in name or "\0" in name + value:
        raise ArgumentException("set_env requires a name without '=', and no null characters")
    os.environ[name] = value


def _name(name: Any, function: str) -> str:
    if type(name) is not str:
        raise ArgumentException(f"{function} requires a string name")
    return name
