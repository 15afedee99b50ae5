"""What evaluating a node can change: which variables it assigns, which names stay readable across it."""

from __future__ import annotations

from gene.compiler.nodes import Const, Fn, GlobalGet, LocalGet, LocalSet, Node

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from gene.compiler.scope import Variable


def is_plain(node: Node) -> bool:
    """Whether a node is a name or a constant: it does nothing, so it need not be evaluated first."""
    return isinstance(node, Const | GlobalGet | LocalGet)


def steady(node: Node, others: Sequence[Node]) -> bool:
    """Whether a node can be read again after ``others`` were evaluated, and has the same value still."""
    if isinstance(node, Const):
        return True
    if not isinstance(node, LocalGet):
        return False
    variable = node.variable
    if variable.assignments == 1:
        return True
    return not variable.inner and not any(_assigns(other, variable) for other in others)


def _assigns(node: Any, variable: Variable) -> bool:
    if isinstance(node, LocalSet) and node.variable is variable:
        return True
    if isinstance(node, Node):
        return any(_assigns(getattr(node, slot), variable) for slot in type(node).__slots__)
    if isinstance(node, list | tuple):
        return any(_assigns(item, variable) for item in node)
    return False


def assigned_in(node: Any) -> set[Variable]:
    """The variables that a node assigns itself, loops' variables included, inner functions left out."""
    found: set[Variable] = set()
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, LocalSet):
            found.add(each.variable)
        if isinstance(each, Node) and not isinstance(each, Fn):
            for slot in type(each).__slots__:
                value = getattr(each, slot)
                if slot in ("key", "item", "caught") and not isinstance(value, Node | str | int | None):
                    found.add(value)
                waiting.append(value)
        elif isinstance(each, list | tuple):
            waiting.extend(each)
        elif hasattr(each, "body") and hasattr(each, "pattern"):
            waiting.append(each.body)
    return found
