"""Calls: arguments that are missing, spreads, and tail calls that do not grow the stack.

A function with a tail call that may come back to it takes a hidden keyword. Whoever passes it promises to
make the last call on the function's behalf; the function then returns a bounce, the callee and its
arguments. So any number of tail calls runs in one :func:`drive`.
"""

from __future__ import annotations

from gene.data.atoms import VOID
from gene.data.kinds import kind_of
from gene.runtime.classes import find_method
from gene.runtime.exceptions import ArgumentException, GeneException, TypeException

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Mark:
    """A value that no program has: a missing argument, or the promise of a driver."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"<{self.name}>"


MISSING = Mark("required")
TAIL = Mark("tail")
_FUNCTION = type(lambda: None)


def too_few(*given: Any) -> GeneException:
    """The error for missing arguments: it names the position of the first one."""
    count = next((number for number, value in enumerate(given) if value is MISSING), len(given))
    return ArgumentException(f"Expected {count + 1} arguments, got {count}")


def not_callable(tag: str, count: int) -> GeneException:
    """The error for calling a value that is no function; ``count`` arguments, -1 where that is not known."""
    suffix = str(count) if count in (0, 1) else ""
    return TypeException(f"IkUnifiedCall{suffix} requires a callable, got {tag}")


def missing_keyword(name: str) -> GeneException:
    """The error for a missing keyword argument."""
    return ArgumentException(f"Missing keyword argument: {name}")


def split_rest(collected: tuple[Any, ...], after: int, required: int, before: int) -> tuple[Any, ...]:
    """The array of a rest parameter, and the arguments for the parameters that follow it.

    Args:
        collected: What is left of the arguments.
        after: How many parameters follow.
        required: Up to which of them no argument may be missing.
        before: How many parameters stand before, for the message.
    """
    if len(collected) < required:
        given = before + len(collected)
        raise ArgumentException(f"Expected {given + 1} arguments, got {given}")
    end = len(collected) - after
    if end < 0:
        return ([], *collected, *[MISSING] * -end)
    return (list(collected[:end]), *collected[end:])


_SPREADABLE = frozenset({"VkRange", "VkHashSet"})


def spread(value: Any) -> Any:
    """The items that ``xs...`` stands for: of an array, range, set, generator, or object with ``iter``."""
    if isinstance(value, list):
        return value
    if value is None or value is VOID:
        return ()
    from gene.runtime.iteration import Iterator, iterate

    if isinstance(value, Iterator) or kind_of(value).tag in _SPREADABLE or find_method(type(value), "iter"):
        return iterate(value)
    raise TypeException(f"... spreads an Array, got {kind_of(value).tag}")


def spread_map(value: Any) -> Any:
    """The entries that ``^... m`` stands for."""
    if isinstance(value, dict):
        return value
    if value is None or value is VOID:
        return {}
    raise TypeException(f"^... spreads a Map, got {kind_of(value).tag}")


class Bounce:
    """A tail call that the caller is to make."""

    __slots__ = ("args", "callee", "keywords")

    def __init__(self, callee: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        self.callee = callee
        self.args = args
        self.keywords = keywords


def bounce(callee: Any, /, *args: Any, **keywords: Any) -> Bounce:
    """Hand a tail call to the driver."""
    return Bounce(callee, args, keywords)


def can_bounce(function: Any) -> bool:
    """Whether a callable takes the promise of a driver."""
    defaults = function.__kwdefaults__ if type(function) is _FUNCTION else None
    return defaults is not None and "%t" in defaults


def drive(callee: Any, /, *args: Any, **keywords: Any) -> Any:
    """Make a tail call and all those that it leads to."""
    while can_bounce(callee):
        keywords["%t"] = TAIL
        made = callee(*args, **keywords)
        if type(made) is not Bounce:
            return made
        callee, args, keywords = made.callee, made.args, made.keywords
    if not callable(callee):
        raise not_callable(kind_of(callee).tag, len(args))
    return callee(*args, **keywords)


def describe(function: Callable[..., Any], encoded: Any) -> None:
    """Give a function its metadata: ``^intent``, ``^examples`` and the like."""
    from gene.runtime.quoting import decode

    for name, value in decode(encoded, None).items():
        setattr(function, "gene_" + name, value)
