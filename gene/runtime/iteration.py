"""Iteration: what ``for`` runs over, and iterator objects with ``next``, ``next_pair`` and ``has_next``.

A Python class takes part with a method ``gene_values``, the items to run over, and, where those have keys, a
method ``gene_items``, the pairs of both.
"""

from __future__ import annotations

from gene.data.atoms import NOT_FOUND
from gene.data.kinds import FOREIGN, Kind, kind_of
from gene.runtime.classes import Instance, find_method
from gene.runtime.methods import send

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Generator as PythonGenerator
    from collections.abc import Iterable
    from collections.abc import Iterator as PythonIterator
    from typing import Any, Final


def iterate(value: Any) -> Iterable[Any]:
    """What ``(for x in value …)`` runs over.

    Args:
        value: An array (elements pushed meanwhile are visited), a map or hash map (the values it has now), a
            set, a range, a generator, an object with a method ``iter``, or nil (nothing).

    Returns:
        A Python iterable of the items.

    Raises:
        GeneException: The value cannot be iterated.
    """
    if isinstance(value, list):
        return value
    if value is None:
        return ()
    if isinstance(value, dict):
        return list(value.values())
    values = getattr(type(value), "gene_values", None)
    if values is not None:
        return values(value)  # type: ignore[no-any-return]
    if _is_host_iterable(value):
        return value  # type: ignore[no-any-return]
    return _run(send(value, "iter"))


def iterate_pairs(value: Any) -> Iterable[tuple[Any, Any]]:
    """What ``(for k x in value …)`` runs over: the items, each with its key or, lacking keys, its index.

    Args:
        value: As for :func:`iterate`.

    Returns:
        A Python iterable of pairs.

    Raises:
        GeneException: The value cannot be iterated.
    """
    if isinstance(value, list):
        return enumerate(value)
    if value is None:
        return ()
    if isinstance(value, dict):
        return list(value.items())
    items = getattr(type(value), "gene_items", None)
    if items is not None:
        return items(value)  # type: ignore[no-any-return]
    if hasattr(type(value), "gene_values") or _is_host_iterable(value):
        return enumerate(iterate(value))
    return _run_pairs(send(value, "iter"))


class Iterator:
    """An iteration under way.

    Args:
        pairs: Keys (or indices) with items.
    """

    __slots__ = ("_ahead", "_pairs")

    def __init__(self, pairs: Iterable[tuple[Any, Any]]) -> None:
        self._pairs = iter(pairs)
        self._ahead: tuple[Any, Any] | None = None

    def __iter__(self) -> Iterator:
        return self

    def __next__(self) -> Any:
        ahead = self._ahead
        if ahead is None:
            return next(self._pairs)[1]
        self._ahead = None
        return ahead[1]

    def gene_values(self) -> PythonIterator[Any]:
        """The remaining items. What is looked ahead meanwhile is among them."""
        while True:
            while self._ahead is not None:
                ahead, self._ahead = self._ahead, None
                yield ahead[1]
            for _, item in self._pairs:
                yield item
                if self._ahead is not None:  # who got the item has looked ahead
                    break  # type: ignore[unreachable]
            else:
                return

    def gene_items(self) -> PythonIterator[tuple[Any, Any]]:
        """The remaining keys with their items."""
        while (pair := self._take()) is not None:
            yield pair

    def next(self) -> Any:
        """The next item; ``not_found`` at the end."""
        pair = self._take()
        return NOT_FOUND if pair is None else pair[1]

    def next_pair(self) -> Any:
        """An array of the next key and item; ``not_found`` at the end."""
        pair = self._take()
        return NOT_FOUND if pair is None else [*pair]

    def has_next(self) -> bool:
        """Whether there is another item. This runs a generator up to its next ``yield``."""
        if self._ahead is None:
            self._ahead = next(self._pairs, None)
        return self._ahead is not None

    def _take(self) -> tuple[Any, Any] | None:
        ahead, self._ahead = self._ahead, None
        return next(self._pairs, None) if ahead is None else ahead

    def __repr__(self) -> str:
        return kind_of(self).tag


_YIELDS_WHILE_CLOSING = 100
"""How often the body of an abandoned generator may yield before it is left to Python."""


class Generator(Iterator):
    """What calling a generator function gives.

    Args:
        items: The Python generator that runs the body.
    """

    __slots__ = ("_body",)

    def __init__(self, items: PythonGenerator[Any, None, None]) -> None:
        super().__init__(enumerate(items))
        self._body = items

    def __del__(self) -> None:
        """Close what is abandoned. A body that yields meanwhile is cut short; Python would complain of it."""
        for _ in range(_YIELDS_WHILE_CLOSING):
            try:
                self._body.close()
                break
            except RuntimeError:
                continue


def start_generator(body: Any) -> Generator:
    """What a call of a generator function gives: the arguments are checked, nothing else has run."""
    next(body)
    return Generator(body)


def make_iterator(value: Any) -> Iterator:
    """``(value .iter)`` for the built-in kinds.

    Args:
        value: Anything that :func:`iterate_pairs` takes.
    """
    return value if isinstance(value, Iterator) else Iterator(iterate_pairs(value))


def _is_host_iterable(value: Any) -> bool:
    return kind_of(value) is FOREIGN and hasattr(type(value), "__iter__") and not isinstance(value, type)


def _run(iterator: Any) -> Iterable[Any]:
    """The items of what a method ``iter`` gave."""
    return _until_not_found(iterator, "next") if isinstance(iterator, Instance) else iterate(iterator)


def _run_pairs(iterator: Any) -> Iterable[tuple[Any, Any]]:
    if not isinstance(iterator, Instance):
        return iterate_pairs(iterator)
    if find_method(type(iterator), "next_pair") is None:
        return enumerate(_until_not_found(iterator, "next"))
    return ((pair[0], pair[1]) for pair in _until_not_found(iterator, "next_pair"))


def _until_not_found(iterator: Any, method: str) -> PythonIterator[Any]:
    while (item := send(iterator, method)) is not NOT_FOUND:
        yield item


_METHODS: Final = {
    "next": Iterator.next,
    "next_pair": Iterator.next_pair,
    "has_next": Iterator.has_next,
    "iter": make_iterator,
}
ITERATOR: Final = Kind("Iterator", "VkIterator", Iterator, methods=_METHODS)
GENERATOR: Final = Kind("Generator", "VkGenerator", Generator, methods=_METHODS)
