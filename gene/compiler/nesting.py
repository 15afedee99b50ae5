"""How deep a program may nest: far beyond what people write, and not so far that Python crashes."""

from __future__ import annotations

from gene.compiler.errors import GeneCompileError
from gene.compiler.nodes import Block, Clause, Node
from gene.compiler.quoting import inside
from gene.data.forms import span_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final

    from gene.data.source import Span

MAX_NODES: Final = 3_000
"""How deep the nodes of a program may nest. Python 3.11 goes through what becomes of them recursively in C,
without a check; the 8 MB that a thread has for its stack are enough for more than twice as many. Python 3.12
stops by itself, at several hundred."""

_ORDINARY: Final = 200
"""A nesting of forms that the compiler always has room for, unless the calls around it have used it up."""


def check_nodes(body: Node) -> None:
    """Refuse a program whose nodes nest too deeply, as forms in forms do and long chains of operators."""
    for each in body.items if isinstance(body, Block) else [body]:
        depth, level = 0, [each]
        while level:
            depth += 1
            level = [inner for node in level for inner in _inner(node)]
        if depth > MAX_NODES:
            raise _too_deep(each.span)


def _inner(node: Node) -> list[Node]:
    found: list[Node] = []
    waiting = [getattr(node, slot) for slot in type(node).__slots__]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Node):
            found.append(each)
        elif isinstance(each, list | tuple):
            waiting += each
        elif isinstance(each, Clause):
            waiting.append(each.body)
    return found


def too_deep(forms: list[Any]) -> GeneCompileError:
    """The error for forms that the compiler has no room for, at the deepest."""
    return _too_deep(span_of(max(forms, key=_depth)))


def _too_deep(span: Span | None) -> GeneCompileError:
    return GeneCompileError(
        "The program nests too deeply",
        span,
        "give inner parts names of their own; large data is better read from a file",
    )


def is_ordinary(forms: list[Any]) -> bool:
    """Whether no form nests so deeply that the compiler might have no room for it."""
    return all(_depth(form) <= _ORDINARY for form in forms)


def _depth(form: Any) -> int:
    depth, level = 0, [form]
    while level:
        depth += 1
        level = [part for each in level for part in inside(each) or ()]
    return depth
