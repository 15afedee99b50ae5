"""The tree behind a layout: brackets, prefixes and tokens as written, with comments and line breaks.

A node knows what no layout can change about it: its text on one line, if it may stand on one line, and
whether its author broke it. It is made without recursion, because data may be nested deeper than the stack.
"""

from __future__ import annotations

import re

from gene.formatter.tokens import CLOSING, END, OPENING, comments, start_of, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from gene.formatter.tokens import Token

WIDTH: Final = 100
"""How many characters a line of code may have."""

ATOM: Final = "atom"
LINE: Final = "line comment"
BLOCK: Final = "block comment"
SEMICOLON: Final = "semicolon"
PROGRAM: Final = "program"
GENE: Final = "gene"
ARRAY: Final = "array"
MAP: Final = "map"
HASH_MAP: Final = "hash map"
PREFIX: Final = "prefix"
DECORATED: Final = "decorated"
PROPERTY: Final = "property"

COLLECTIONS: Final = frozenset({ARRAY, MAP, HASH_MAP})
COMMENTS: Final = frozenset({LINE, BLOCK})

_KINDS: Final = {
    "GENE": GENE, "FROZEN_GENE": GENE, "ARRAY": ARRAY, "FROZEN_ARRAY": ARRAY, "MAP": MAP, "FROZEN_MAP": MAP,
    "HASH_MAP": HASH_MAP, "FROZEN_HASH_MAP": HASH_MAP, "SEMICOLON": SEMICOLON,
    "QUOTE": PREFIX, "UNQUOTE": PREFIX, "UNQUOTE_DISCARD": PREFIX, "DECORATOR": DECORATED,
}  # fmt: skip
_CLOSED_BY: Final = {GENE: ")", ARRAY: "]", MAP: "}", HASH_MAP: "}}"}
_TAKES: Final = {PREFIX: 1, DECORATED: 2, PROPERTY: 1}
"""How many data what is no bracket takes."""

OWN_LINES: Final = frozenset(
    (
        "case", "class", "comptime", "do", "enum", "if", "if_not", "ifel", "loop", "ns", "object", "repeat",
        "try", "while",
    )
)  # fmt: skip
"""Words whose forms are laid out as their author broke them even where they would fit on one line."""

_WITH_VALUE: Final = frozenset({"KEY", "KEY_PATH", "SPREAD"})
_BREAK: Final = re.compile(r"\r\n?|\n")


class Node:
    """A token, a comment, or what brackets or a prefix make of others.

    Attributes:
        kind: One of the kinds above.
        text: The token or comment, the opening bracket, the prefix, or the key of a property.
        items: What is inside, comments included.
        start: Where it starts in the source.
        end: Where it ends.
        breaks: How many line breaks precede it.
        gap: How many characters of white space precede it.
        glued: Whether it stays on the line of what precedes it.
        forced: Whether it cannot stand on one line: its author broke it, or it has a line comment.
        flat: Its text on one line; None if it cannot stand on one line, or is longer than a line.
        wants: How many more data or closing brackets complete it.
        pad: The width of the key of a property whose value is aligned with others.
    """

    __slots__ = (
        "breaks", "end", "flat", "forced", "gap", "glued", "items", "kind", "pad", "start", "text", "wants",
    )  # fmt: skip

    def __init__(self, kind: str, text: str, start: int, end: int, breaks: int = 0, gap: int = 0) -> None:
        self.kind = kind
        self.text = text
        self.start = start
        self.end = end
        self.breaks = breaks
        self.gap = gap
        self.items: list[Node] = []
        self.glued = self.forced = False
        self.flat: str | None = text
        self.wants = self.pad = 0

    @property
    def closing(self) -> str:
        """The closing bracket."""
        return _CLOSED_BY.get(self.kind, "")

    def data(self) -> list[Node]:
        """What is inside, without comments."""
        return [item for item in self.items if item.kind not in COMMENTS]


def parse(text: str) -> Node:
    """The tree of a text that has been read without errors."""
    builder = _Builder(text)
    for token in tokens(text):
        builder.take(token)
    (program,) = builder.open
    _glue(program.items)
    return program


class _Builder:
    """What has been read so far: the open nodes, from the outside in."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = start_of(text)
        self.open = [Node(PROGRAM, "", 0, len(text))]

    def take(self, token: Token) -> None:
        """One more token, with the comments before it."""
        name, start, end = token
        breaks, gap = self._space(start)
        self.position = end
        if name in CLOSING:
            self._close(end)
        elif name != END:
            kind = self._kind(name)
            node = Node(kind, _text(self.text[start:end]), start, end, breaks, gap)
            node.wants = _TAKES.get(kind) or OPENING.get(name, 0)
            if node.wants:
                self.open.append(node)
            else:
                self._add(node)

    def _kind(self, name: str) -> str:
        if name in _WITH_VALUE and self.open[-1].kind in (GENE, MAP):
            return PROPERTY
        return _KINDS.get(name, ATOM)

    def _space(self, end: int) -> tuple[int, int]:
        """Add the comments up to the next token; its line breaks and blanks are what is left."""
        for match in comments(self.text, self.position, end):
            blanks = self.text[self.position : match.start()]
            kind = BLOCK if match[0].startswith("#<") else LINE
            comment = Node(kind, match[0].rstrip(), match.start(), match.end(), _breaks(blanks), len(blanks))
            comment.forced = kind is LINE
            self.open[-1].items.append(comment)
            self.position = match.end()
        blanks = self.text[self.position : end]
        return _breaks(blanks), len(blanks)

    def _close(self, end: int) -> None:
        node = self.open[-1]
        node.wants -= 1
        if not node.wants:
            self.open.pop()
            self._add(_complete(node, end))

    def _add(self, node: Node) -> None:
        """Add a datum, and complete what it completes."""
        while True:
            outer = self.open[-1]
            outer.items.append(node)
            if outer.kind not in _TAKES:
                return
            outer.wants -= 1
            if outer.wants:
                return
            node = _complete(self.open.pop(), node.end)


def _text(token: str) -> str:
    """A token as it may stand before a blank: the symbol ``#`` would start a comment there."""
    return "#," if token == "#" else token  # noqa: S105 - a token of the syntax


def _breaks(blanks: str) -> int:
    return len(_BREAK.findall(blanks))


def _complete(node: Node, end: int) -> Node:
    """A node that has all its items."""
    node.end = end
    _glue(node.items)
    node.forced = _is_broken(node) or any(item.forced for item in node.items)
    node.flat = None if node.forced else _flat(node)
    if node.forced and node.kind not in _TAKES:
        _align(node.items)
    return node


def _glue(items: list[Node]) -> None:
    """Tell which items stay on the line of what precedes them: ``;``, dots, what is beside a comment."""
    for index, item in enumerate(items):
        before = items[index - 1].kind if index else ""
        if item.kind is SEMICOLON and before is not LINE:
            item.breaks = 0
        last = index + 1 == len(items) or items[index + 1].breaks > 0
        trailing = item.kind is LINE or (index > 0 and item.kind is BLOCK and last)
        attached = item.kind is SEMICOLON or _spreads(item)
        item.glued = not item.breaks and (trailing or before is BLOCK or attached)


def _is_broken(node: Node) -> bool:
    """Whether the author broke a node, where that means something."""
    if node.kind in COLLECTIONS:
        return any(item.breaks for item in node.items)
    if node.kind is DECORATED:
        return node.data()[1].breaks > 0
    return node.kind is GENE and not _is_short_call(node) and any(item.breaks for item in node.items[1:])


def _is_short_call(node: Node) -> bool:
    """Whether a gene is nothing but names and literals, and none that has lines of its own."""
    return all(item.kind is ATOM for item in node.items) and node.items[0].text not in OWN_LINES


def _flat(node: Node) -> str | None:
    """A node on one line, unless that is too long."""
    texts = [item.flat for item in node.items]
    if None in texts:
        return None
    text = node.text + (" " if node.kind is PROPERTY else "") + joined(node.items) + node.closing
    return text if max(len(text.partition("\n")[0]), len(text.rpartition("\n")[2])) <= WIDTH else None


def joined(nodes: list[Node]) -> str:
    """Nodes that have a text on one line, on one line."""
    return "".join([space_before(nodes, index) + str(node.flat) for index, node in enumerate(nodes)])


def _spreads(node: Node) -> bool:
    """Whether a node is the dots behind a computed value that is spread."""
    return node.text == "..." and not node.gap


def space_before(nodes: list[Node], index: int) -> str:
    """What separates a node from the one before it on the same line."""
    node = nodes[index]
    if not index or node.kind is SEMICOLON:
        return ""
    # In (import n/[a b] from "m") the array belongs to the path, in (f (g)...) the dots to the call.
    before = nodes[index - 1].text
    is_group = node.kind is ARRAY and before.endswith("/") and len(before) > 1
    return "" if (not node.gap and is_group) or _spreads(node) else " "


def _align(items: list[Node]) -> None:
    """Pad the keys of entries whose values the author aligned: entries on consecutive lines of their own."""
    run: list[Node] = []
    for index, item in enumerate([*items, None]):
        alone = item is not None and item.kind is PROPERTY and _is_alone(items, index)
        if item is not None and item.kind is LINE and not item.breaks:
            continue  # it is behind an entry
        if run and not (alone and item is not None and _is_aligned(item, run[-1])):
            _pad(run)
            run = []
        if alone and item is not None:
            run.append(item)


def _is_alone(items: list[Node], index: int) -> bool:
    """Whether a property is all that its author wrote on a line, and its value is on that line."""
    behind = next((item for item in items[index + 1 :] if item.kind is not LINE or item.breaks), None)
    value = items[index].items[0]
    first = index == 0 or items[index].breaks > 0
    return first and (behind is None or behind.breaks > 0) and not value.breaks and value.kind not in COMMENTS


def _is_aligned(item: Node, before: Node) -> bool:
    return item.breaks == 1 and len(item.text) + item.items[0].gap == len(before.text) + before.items[0].gap


def _pad(run: list[Node]) -> None:
    if len(run) < 2 or all(item.items[0].gap == 1 for item in run):
        return
    width = max(len(item.text) for item in run)
    for item in run:
        item.pad = width
        if item.flat is not None:
            item.flat = item.text.ljust(width) + item.flat[len(item.text) :]
