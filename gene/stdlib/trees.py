"""Walking through data without recursion: it may be nested to any depth."""

from __future__ import annotations

from gene.runtime.exceptions import ArgumentException

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    Parts = Callable[[Any], Sequence[Any] | None]


def rebuild(value: Any, parts: Parts, build: Callable[[Any, Sequence[Any]], Any]) -> Any:
    """Make a value anew, from the inside out.

    Args:
        value: What to start from; it must not contain itself.
        parts: What a value contains, or None for what is kept as it is.
        build: The new value for an old one that has parts, given its parts made anew.
    """
    nodes = [value]
    spans: list[tuple[int, int] | None] = []  # where the parts of each node are
    for node in nodes:
        inner = parts(node)
        spans.append(None if inner is None else (len(nodes), len(nodes) + len(inner)))
        nodes.extend(inner or ())
    for index in range(len(nodes) - 1, -1, -1):
        span = spans[index]
        if span is not None:
            nodes[index] = build(nodes[index], nodes[span[0] : span[1]])
    return nodes[0]


def refuse_cycles(value: Any, parts: Parts, name: str) -> None:
    """Make sure that a value does not contain itself.

    Args:
        value: Any value.
        parts: What a value contains, or None; it may raise for what it does not like.
        name: Who asks, for the message.

    Raises:
        ArgumentException: It does.
    """
    path: set[int] = set()
    todo: list[tuple[Any, bool]] = [(value, False)]
    while todo:
        item, done = todo.pop()
        if done:
            path.discard(id(item))
            continue
        inner = parts(item)
        if inner is None:
            continue
        if id(item) in path:
            raise ArgumentException(f"{name} requires data that does not contain itself")
        path.add(id(item))
        todo.append((item, True))
        todo.extend((part, False) for part in inner)
