"""Frozen collections: lists and dicts that refuse every change, from Gene and from Python alike."""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, NoReturn


def sealed(what: str) -> Callable[..., NoReturn]:
    """A method that refuses: ``sealed("append to sealed array")``."""

    def refuse(*_args: Any, **_kwargs: Any) -> NoReturn:
        from gene.runtime.exceptions import GeneException

        raise GeneException(f"Cannot {what}")

    return refuse


class FrozenArray(list["Any"]):
    """An array that does not change."""

    __slots__ = ()
    frozen: Final = True

    append = extend = insert = __iadd__ = __imul__ = sealed("append to sealed array")
    pop = remove = __delitem__ = sealed("remove from sealed array")
    clear = sealed("clear sealed array")
    __setitem__ = sealed("set item on sealed array")
    sort = reverse = sealed("reorder sealed array")

    def __reduce__(self) -> tuple[type, tuple[list[Any]]]:
        return type(self), (list(self),)


class FrozenMap(dict["Any", "Any"]):
    """A map that does not change."""

    __slots__ = ()
    frozen: Final = True

    __setitem__ = setdefault = update = __ior__ = sealed("set item on sealed map")
    pop = popitem = __delitem__ = sealed("remove from sealed map")
    clear = sealed("clear sealed map")

    def __reduce__(self) -> tuple[type, tuple[dict[Any, Any]]]:
        return type(self), (dict(self),)
