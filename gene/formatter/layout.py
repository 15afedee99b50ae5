"""The layout: a tree printed line by line.

Nothing is laid out twice to see which way is shorter. What decides is known beforehand, and is the same for
text that has been laid out already: so a layout is its own canonical layout.
"""

from __future__ import annotations

from gene.formatter.bodies import Part, parts_of, word_of
from gene.formatter.grouping import (
    LEAVES,
    gap,
    groups_of,
    is_block,
    opening_width,
    rows_of,
    tails_of,
    together,
)
from gene.formatter.tokens import start_of
from gene.formatter.tree import (
    ATOM,
    COLLECTIONS,
    COMMENTS,
    DECORATED,
    LINE,
    PREFIX,
    PROPERTY,
    WIDTH,
    Node,
    joined,
    space_before,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

STEP: Final = 2
"""How many blanks a level of indentation has."""

DEEPEST: Final = 60
"""How deep forms are laid out; what is nested deeper has no place on a line and stays as it is written."""

SHORT: Final = 20
"""How long the elements of an array may be to share lines where the array does not fit on one."""


def layout(program: Node, text: str) -> str:
    """The text of a program in canonical layout.

    Args:
        program: Its tree.
        text: The text that the tree was made from.
    """
    printer = _Printer(text)
    printer.put_program(program)
    body = "".join(printer.out)
    marked = start_of(text) or start_of(body)  # a symbol may start with the character of the mark, too
    return "\ufeff" + body if marked else body


class _Printer:
    """What has been printed so far, and the column that has been reached.

    ``indent`` is always the indentation of the line on which something starts, ``deeper`` that of further
    lines, and ``tail`` how many characters have to follow on the last line.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.out: list[str] = []
        self.column = 0
        self.depth = 0

    def write(self, text: str) -> None:
        self.out.append(text)
        _, newline, last = text.rpartition("\n")
        self.column = len(last) if newline else self.column + len(text)

    def newline(self, indent: int, *, blank: bool = False) -> None:
        self.out.append("\n\n" if blank else "\n")
        self.out.append(" " * indent)
        self.column = indent

    # -- programs ------------------------------------------------------------------------------------

    def put_program(self, program: Node) -> None:
        """A form on each line; literals and names may share one, and a value the line of its key."""
        before = None
        for item in program.items:
            shares = before is not None and not item.breaks and before.kind is ATOM
            if shares and before is not None and not before.text.startswith("^"):
                shares = item.kind is ATOM
            if before is not None and not (shares or (item.glued and before.kind is not LINE)):
                self.newline(0, blank=item.breaks > 1)
            elif before is not None:
                self.write(gap(item))
            self.put(item, 0, 0)
            before = item
        if before is not None:
            self.write("\n")

    # -- one node ------------------------------------------------------------------------------------

    def put(self, node: Node, indent: int, tail: int) -> None:
        """A node, on one line if it can and fits."""
        if node.kind in LEAVES or not node.items:
            self.write(node.text + node.closing)
        elif node.flat is not None and self._fits(node.flat, tail):
            self.write(node.flat)
        elif self.depth >= DEEPEST:
            self.write(self.text[node.start : node.end])
        else:
            self.depth += 1
            self._put_broken(node, indent, tail)
            self.depth -= 1

    def _fits(self, text: str, tail: int) -> bool:
        first, newline, rest = text.partition("\n")
        if not newline:
            return self.column + len(text) + tail <= WIDTH
        return self.column + len(first) <= WIDTH and len(rest.rpartition("\n")[2]) + tail <= WIDTH

    def _put_broken(self, node: Node, indent: int, tail: int) -> None:
        if node.kind in COLLECTIONS:
            self._put_collection(node, indent, tail)
        elif node.kind is DECORATED:
            self._put_decorated(node, tail)
        elif node.kind is PREFIX:
            self.write(node.text)
            self._put_in_line(node.items, indent, indent + STEP, tail)
        elif node.kind is PROPERTY:
            self.write(node.text.ljust(node.pad) + gap(node.items[0]))
            self._put_in_line(node.items, indent, indent + STEP, tail)
        else:
            parts = parts_of(node)
            if parts is None:
                self._put_gene(node, indent, tail)
            else:
                self._put_parts(node, parts, indent, tail)

    def _put_decorated(self, node: Node, tail: int) -> None:
        """``#@f x``, where x is on a line of its own if the author wrote it so."""
        column = self.column
        decorated = node.data()[1]
        self.write(node.text)
        before = None
        for item in node.items:
            own = item.breaks and before is not None and (before.kind not in COMMENTS or item is decorated)
            if own or (before is not None and before.kind is LINE):
                self.newline(column)
            elif before is not None or item.kind in COMMENTS:
                self.write(gap(item))
            self.put(item, column, tail if item is node.items[-1] else 0)
            before = item

    # -- several nodes on a line ---------------------------------------------------------------------

    def _put_in_line(self, nodes: list[Node], indent: int, deeper: int, tail: int) -> None:
        """Nodes one after the other; only a line comment ends the line."""
        tails = tails_of(nodes, tail)
        for index, node in enumerate(nodes):
            if index and nodes[index - 1].kind is LINE:
                self.newline(deeper)
                indent = deeper
            elif index:
                self.write(gap(node) if node.kind in COMMENTS else space_before(nodes, index))
            self.put(node, indent, tails[index])

    def _put_row(self, groups: list[list[Node]], indent: int, deeper: int, tail: int) -> None:
        """Groups of nodes: on one line if they fit there, else each on its own."""
        nodes = [node for group in groups for node in group]
        if len(groups) == 1 or self._stays(nodes, tail) or self._hugs(groups, deeper, tail):
            self._put_in_line(nodes, indent, deeper, tail)
            return
        for index, group in enumerate(groups):
            if index:
                self.newline(deeper)
            last = index + 1 == len(groups)
            self._put_in_line(group, deeper if index else indent, deeper, tail if last else 0)

    def _stays(self, nodes: list[Node], tail: int) -> bool:
        """Whether nodes can stay on the line on which the author wrote them."""
        column = self.column
        for index, node in enumerate(nodes):
            if node.kind is LINE:
                return index + 1 == len(nodes)
            if node.flat is None and not node.forced:
                return False
            first, newline, _ = (node.flat or " " * opening_width(node)).partition("\n")
            if column + len(first) > WIDTH:
                return False
            column = 0 if newline or node.forced else column + len(first) + 1
        return column - 1 + tail <= WIDTH

    def _hugs(self, groups: list[list[Node]], deeper: int, tail: int) -> bool:
        """Whether the last one of some nodes starts on their line and ends further down."""
        *before, last = groups
        node = last[-1]
        ahead = [each for group in before for each in group]
        if len(last) > 1 or not is_block(node) or any(each.flat is None for each in ahead):
            return False
        if len(before) > 1 and node.flat is not None and deeper + len(node.flat) + tail <= WIDTH // 2:
            return False
        text = joined(ahead)
        return "\n" not in text and self.column + len(text) + 1 + opening_width(node) <= WIDTH

    # -- arrays and maps -----------------------------------------------------------------------------

    def _put_collection(self, node: Node, indent: int, tail: int) -> None:
        """Entries below the first one, or between lines that have the brackets."""
        self.write(node.text)
        rows = rows_of(node.items)
        first = node.items[0]
        if len(rows) > 1 and not first.breaks and first.kind is not LINE and self.column <= WIDTH // 2:
            self._put_rows(node, rows, self.column, self.column, tail)
            return
        groups = groups_of(node, rows[0])
        if len(rows) == 1 and not first.breaks and self._continues(groups, tail + len(node.closing)):
            self._put_in_line(rows[0], indent, indent + STEP, tail + len(node.closing))
            self._close(node, indent)
            return
        if first.kind is LINE and not first.breaks:
            self.write(gap(first) + first.text)
            rows = rows_of(node.items[1:])
        if rows and rows[0]:
            self.newline(indent + STEP)
            self._put_rows(node, rows, indent + STEP, indent, tail, block=True)
        else:
            self._close(node, indent)

    def _continues(self, groups: list[list[Node]], tail: int) -> bool:
        """Whether what is in brackets stays beside them though it does not fit on one line."""
        nodes = [node for group in groups for node in group]
        if len(nodes) == 1 and is_block(nodes[0]):
            return True
        return any(node.forced for node in nodes) and self._stays(nodes, tail)

    def _put_rows(
        self, node: Node, rows: list[list[Node]], deeper: int, indent: int, tail: int, *, block: bool = False
    ) -> None:
        """The lines of an array or map, as the author wrote them where they fit, and its closing bracket."""
        for index, row in enumerate(rows):
            if index:
                self.newline(deeper, blank=row[0].breaks > 1)
            inner = 0 if block or index + 1 < len(rows) else tail + len(node.closing)
            groups = groups_of(node, row)
            if all(each.kind in LEAVES and len(each.text) <= SHORT for each in row):
                self._fill(groups, deeper, inner)
            elif block and len(rows) == 1 and not node.forced:
                self._put_each(groups, deeper)
            else:
                self._put_row(groups, deeper, deeper, inner)
        if block:
            self.newline(indent)
            self.write(node.closing)
        else:
            self._close(node, deeper)

    def _put_each(self, groups: list[list[Node]], deeper: int) -> None:
        for index, group in enumerate(groups):
            if index:
                self.newline(deeper)
            self._put_in_line(group, deeper, deeper, 0)

    def _fill(self, groups: list[list[Node]], deeper: int, tail: int) -> None:
        """Short things, as many as fit on each line."""
        for index, group in enumerate(groups):
            text = joined(group)
            comment = group[-1].kind is LINE
            if index and self.column + 1 + len(text) + tail > WIDTH and not comment:
                self.newline(deeper)
            elif index:
                self.write(" ")
            self._put_in_line(group, deeper, deeper, 0)

    def _close(self, node: Node, indent: int) -> None:
        """The closing bracket, which cannot stand behind a line comment."""
        if node.items[-1].kind is LINE:
            self.newline(indent)
        self.write(node.closing)

    # -- genes ---------------------------------------------------------------------------------------

    def _put_gene(self, node: Node, indent: int, tail: int) -> None:
        """A call or data: the author's lines, all but the first of them indented."""
        deeper = indent + STEP
        self.write(node.text)
        rows = rows_of(node.items)
        for index, row in enumerate(rows):
            if index or (row[0].kind in COMMENTS and row[0].breaks):
                self.newline(deeper, blank=index > 0 and row[0].breaks > 1)
            elif row[0].kind is LINE:
                self.write(gap(row[0]))
            groups = groups_of(node, row, head=index == 0)
            last = index + 1 == len(rows)
            self._put_row(groups, deeper if index else indent, deeper, tail + 1 if last else 0)
        self._close(node, indent)

    def _put_parts(self, node: Node, parts: list[Part], indent: int, tail: int) -> None:
        """A form with a body."""
        self.write(node.text)
        table = word_of(node.items[0]) == "case" and self._is_table(parts, indent + STEP, tail + 1)
        for index, part in enumerate(parts):
            last = tail + 1 if index + 1 == len(parts) else 0
            if index:
                self.newline(indent + STEP if table else indent, blank=part.head[0].breaks > 1)
            if index and table:
                self._put_in_line([*part.head, *part.body], indent + STEP, indent + STEP, last)
            else:
                self._put_head(part, indent + STEP, 0 if part.body else last)
                self._put_body(part.body, indent + STEP, last)
        self._close(node, indent)

    def _is_table(self, parts: list[Part], indent: int, tail: int) -> bool:
        """Whether every arm of a ``case`` is on one line, as the author wrote it, and fits there."""
        for part in parts[1:]:
            nodes = [*part.head, *part.body]
            code = nodes[:-1] if nodes[-1].kind is LINE else nodes
            broken = any(node.breaks for node in nodes[1:]) or any(node.flat is None for node in code)
            if broken or indent + len(joined(code)) + tail > WIDTH or any(node.forced for node in code):
                return False
        return len(parts) > 1 and not parts[0].body

    def _put_head(self, part: Part, deeper: int, tail: int) -> None:
        """The head of a part, with its properties on lines of their own if the author wrote them so."""
        broken = any(node.breaks and (node.kind is PROPERTY or node.text[0] == "^") for node in part.head)
        rows = rows_of(part.head) if broken else [part.head]
        for index, row in enumerate(rows):
            if index:
                self.newline(deeper)
            self._put_in_line(row, deeper, deeper, tail if index + 1 == len(rows) else 0)

    def _put_body(self, body: list[Node], indent: int, tail: int) -> None:
        """The forms of a body, each on its own line."""
        lines = together([[item] for item in body])
        for index, line in enumerate(lines):
            self.newline(indent, blank=line[0].breaks > 1 and index > 0)
            self._put_in_line(line, indent, indent, tail if index + 1 == len(lines) else 0)
