"""What goes together on a line: rows, groups, and how much room nodes need."""

from __future__ import annotations

from gene.compiler.infix import PRECEDENCE
from gene.formatter.bodies import parts_of, word_of
from gene.formatter.tree import (
    ATOM,
    BLOCK,
    COLLECTIONS,
    COMMENTS,
    GENE,
    HASH_MAP,
    LINE,
    PREFIX,
    PROPERTY,
    SEMICOLON,
    Node,
    joined,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

LEAVES: Final = frozenset({ATOM, SEMICOLON, LINE, BLOCK})
"""The kinds of what has no parts."""

_ASSIGNMENTS: Final = frozenset({"=", "+=", "-=", "*=", "/=", "%="})
_RETURNED: Final = frozenset({"if", "case", "class", "ns"})
"""Words of forms with a body that get a line of their own rather than start behind other things."""


def gap(node: Node) -> str:
    """What separates a node from what precedes it: a comment may be further to the right."""
    return " " * max(1, node.gap) if node.kind is LINE and not node.breaks else " "


def rows_of(items: list[Node]) -> list[list[Node]]:
    """Items by the lines on which the author wrote them."""
    rows: list[list[Node]] = []
    for index, item in enumerate(items):
        if not index or item.breaks:
            rows.append([])
        rows[-1].append(item)
    return rows


def together(groups: list[list[Node]]) -> list[list[Node]]:
    """Groups of nodes, those joined that are glued to what precedes them."""
    made: list[list[Node]] = []
    for group in groups:
        if made and group[0].glued:
            made[-1] += group
        else:
            made.append(list(group))
    return made


def groups_of(node: Node, row: list[Node], *, head: bool = False) -> list[list[Node]]:
    """What stays together when a row is split."""
    if node.kind is HASH_MAP:
        return together(_pairs(row))
    if node.kind is not GENE:
        return together([[item] for item in row])
    if any(item.kind is SEMICOLON for item in row):
        return _links(row)
    data = [word_of(item) for item in node.data()]
    if len(data) > 2 and data[1] in PRECEDENCE:
        return together(_operations(row))
    groups = together([[item] for item in row])
    return _joined_head(groups) if head else groups


def _pairs(row: list[Node]) -> list[list[Node]]:
    """Keys with their values."""
    groups: list[list[Node]] = []
    key = False
    for item in row:
        if item.kind in COMMENTS or not key:
            groups.append([item])
        else:
            groups[-1].append(item)
        key = item.kind not in COMMENTS and not key
    return groups


def _links(row: list[Node]) -> list[list[Node]]:
    """The links of a chain, each with its semicolon."""
    groups: list[list[Node]] = [[]]
    for item in row:
        if groups[-1] and groups[-1][-1].kind is SEMICOLON and not item.glued:
            groups.append([])
        groups[-1].append(item)
    return groups


def _operations(row: list[Node]) -> list[list[Node]]:
    """Operands of an infix list, each behind its operator."""
    groups: list[list[Node]] = []
    for item in row:
        if groups and word_of(groups[-1][-1]) in PRECEDENCE:
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def _joined_head(groups: list[list[Node]]) -> list[list[Node]]:
    """Groups with those joined that start a call: head, method or ``=``, and a first literal or name."""
    head = list(groups[0])
    rest = groups[1:]
    if rest and (word_of(rest[0][0]).startswith(".") or word_of(rest[0][0]) in _ASSIGNMENTS):
        head += rest.pop(0)
    if (
        rest
        and head[-1].kind is not LINE
        and rest[0][0].kind is ATOM
        and word_of(head[-1]) not in _ASSIGNMENTS
    ):
        head += rest.pop(0)
    return [head, *rest]


def tails_of(nodes: list[Node], tail: int) -> list[int]:
    """How many characters have to follow each of some nodes on its last line, whatever breaks behind it."""
    tails = [tail]
    for index in range(len(nodes) - 1, 0, -1):
        node = nodes[index]
        if node.kind is LINE:
            tails.append(0)
            continue
        own = opening_width(node) + (node.kind is not SEMICOLON)
        whole = node.kind in LEAVES and "\n" not in node.text
        tails.append(own + tails[-1] if whole else own)
    return tails[::-1]


def is_block(node: Node) -> bool:
    """Whether a node may start behind other things and end further down."""
    while node.kind in (PREFIX, PROPERTY):
        node = node.items[-1]
    if node.kind in COLLECTIONS:
        return bool(node.items)
    return node.kind is GENE and parts_of(node) is not None and word_of(node.items[0]) not in _RETURNED


def opening_width(node: Node) -> int:
    """How long the first line of a node is at least, when it takes several."""
    width = 0
    while node.kind in (PREFIX, PROPERTY):
        width += len(node.text.ljust(node.pad)) + (node.kind is PROPERTY)
        node = node.items[-1]
    if node.kind in LEAVES or node.kind in COLLECTIONS:
        return width + len(node.text.partition("\n")[0])
    parts = parts_of(node)
    head = parts[0].head if parts else node.items[:1]
    if any(item.flat is None or item.kind is LINE for item in head):
        head = head[:1]
    return width + len(node.text) + len(joined(head) if head and head[0].flat else "")
