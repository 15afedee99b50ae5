"""What the methods of the standard library share: arguments that are missing, callbacks, map keys."""

from __future__ import annotations

from gene.data.atoms import VOID, PathSymbol, Symbol
from gene.data.kinds import kind_of
from gene.runtime.classes import Instance, find_method
from gene.runtime.exceptions import ArgumentException, GeneException

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

MISSING: Final[Any] = type("Missing", (), {"__repr__": lambda _: "nothing", "__slots__": ()})()
"""The default of parameters whose absence has an error of its own."""


def callback(function: Any, method: str) -> Callable[..., Any]:
    """A callback, ready to be called from Python.

    Args:
        function: A function, or an instance with a method ``call``.
        method: Who asks for it, for the message.

    Raises:
        GeneException: It cannot be called.
    """
    if callable(function):
        return function  # type: ignore[no-any-return]
    call = find_method(type(function), "call") if isinstance(function, Instance) else None
    if call is None:
        raise GeneException(f"{method} callback must be a function, got {tag_of(function)}")
    return lambda *args: call(function, *args)


def tag_of(value: Any) -> str:
    """The internal name of a value's kind as messages use it; ``nothing`` for a missing argument."""
    if isinstance(value, Instance):
        return "VkInstance"
    return "nothing" if value is MISSING else kind_of(value).tag


def map_key(key: Any, method: str) -> str:
    """The text of a map key.

    Args:
        key: A string or a symbol.
        method: Who asks for it, for the message: ``Map.get``.

    Raises:
        GeneException: It is neither.
    """
    if isinstance(key, str):
        return key
    if type(key) is Symbol or type(key) is PathSymbol:
        return key.name
    if key is MISSING:
        raise ArgumentException(f"{method} requires a key")
    raise GeneException(f"{method} key must be a string or symbol")


def integer(value: Any, what: str) -> int:
    """An argument that must be an Int.

    Args:
        value: The argument.
        what: Its description for the message: ``Array.take count``.

    Raises:
        ArgumentException: It is none.
    """
    if type(value) is int:
        return value
    if value is MISSING:
        raise ArgumentException(f"{what} is missing: an Int is required")
    raise ArgumentException(f"{what} must be an Int, got {tag_of(value)}")


def is_true(value: Any) -> bool:
    """Whether a value counts as true: everything but false, nil and void."""
    return value is not None and value is not False and value is not VOID
