"""Forms with a body: how much of a form is its head, and which words start another part of it."""

from __future__ import annotations

from gene.formatter.tree import ARRAY, ATOM, COMMENTS, GENE, PROPERTY, SEMICOLON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    from gene.formatter.tree import Node

    Head = Callable[[list[Node]], int]
    """How many of a form's data are its head, its first word included; 0 if the form is not what it seems."""


class Part:
    """A part of a form with a body: its head, such as ``elif x`` or ``fn f [a]``, and what is below."""

    __slots__ = ("body", "head")

    def __init__(self, head: list[Node], body: list[Node]) -> None:
        self.head = head
        self.body = body


def parts_of(node: Node) -> list[Part] | None:
    """The parts of a form with a body; None for any other."""
    data = node.data()
    if node.kind is not GENE or not data or node.items[0] is not data[0]:
        return None
    if any(item.kind is SEMICOLON for item in data):
        return None
    count = _head(data)
    return None if not count else _split(node.items, data, count)


def word_of(node: Node) -> str:
    """The bare word that a node is; "" for anything else."""
    return node.text if node.kind is ATOM else ""


def _head(data: list[Node]) -> int:
    if len(data) > 1 and word_of(data[1]) == "->":
        return 2
    head = _HEADS.get(word_of(data[0]))
    return head(data) if head is not None else 0


def _split(items: list[Node], data: list[Node], count: int) -> list[Part]:
    words = _WORDS.get(word_of(data[0]), {})
    parts: list[Part] = []
    head: list[Node] = []
    missing = count
    for item in items:
        extra = words.get(word_of(item))
        if extra is not None and item is not items[0] and not missing and not item.glued:
            head, missing = [], 1 + extra
            parts.append(Part(head, []))
        if not parts:
            parts.append(Part(head, []))
        part = parts[-1]
        if missing or (item.glued and not part.body) or _continues(item, part, words):
            missing -= item.kind not in COMMENTS and word_of(item) != "not" and missing > 0
            head.append(item)
        else:
            part.body.append(item)
    return parts


def _continues(item: Node, part: Part, words: dict[str, int]) -> bool:
    """Whether an item is the ``then`` that may follow the condition of an ``if``."""
    return "elif" in words and word_of(item) == "then" and not part.body and word_of(part.head[0]) != "else"


# ------------------------------------------------------------------------------------------------ the heads


def _taking(count: int) -> Head:
    """The head of a form whose word takes so many data, besides properties right behind the word."""

    def head(data: list[Node]) -> int:
        return min(len(data), 1 + _properties(data) + count)

    return head


def _properties(data: list[Node]) -> int:
    count = 0
    while count + 1 < len(data) and (
        data[count + 1].kind is PROPERTY or word_of(data[count + 1]).startswith("^")
    ):
        count += 1
    return count


def _function(data: list[Node]) -> int:
    """Up to the parameters, and the type of the result."""
    for index, item in enumerate(data):
        if item.kind is ARRAY:
            typed = word_of(data[index + 1]) == "->" if index + 2 < len(data) else False
            return index + (3 if typed else 1)
    return 0


def _condition(data: list[Node]) -> int:
    """Its condition; ``not`` before it does not count."""
    return min(2, len(data))


def _for(data: list[Node]) -> int:
    words = [word_of(item) for item in data]
    return words.index("in") + 2 if "in" in words[:-1] else 0


def _class(data: list[Node]) -> int:
    count = min(2, len(data))
    while count + 1 < len(data) and word_of(data[count]) in ("<", "implements"):
        count += 2
    return count


def _implement(data: list[Node]) -> int:
    return 4 if len(data) > 3 and word_of(data[2]) == "for" else min(2, len(data))


_HEADS: Final[dict[str, Head]] = {
    **dict.fromkeys(("do", "loop", "try", "comptime", "$if_main", "->"), _taking(0)),
    **dict.fromkeys(("while", "repeat", "if_not", "ns", "interface", "case"), _taking(1)),
    **dict.fromkeys(("interceptor", "fn-interceptor"), _taking(2)),
    **dict.fromkeys(("fn", "fn!", "method", "ctor"), _function),
    **dict.fromkeys(("class", "object"), _class),
    "if": _condition,
    "for": _for,
    "implement": _implement,
}
"""How the head of a form with a body ends, by its first word."""

_WORDS: Final[dict[str, dict[str, int]]] = {
    "if": {"elif": 1, "else": 0},
    "try": {"catch": 1, "finally": 0},
    "case": {"when": 1, "else": 0},
}
"""The words that start another part of a form, each with how many data belong to it."""
