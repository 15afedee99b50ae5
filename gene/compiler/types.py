"""Type expressions: what may stand after ``x:`` and ``->``."""

from __future__ import annotations

from gene.compiler.nodes import Node, Run
from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import Gene, span_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer

CONTAINERS = {"Fn": "Function"}
"""What types with parameters are checked by, where that is not their head: elements are not looked at."""


def annotation(analyzer: Analyzer, form: Any) -> Node | None:
    """The node of a declared type; None where every value passes."""
    analyzer.typed = True
    if type(form) is Symbol and (form.name == "Any" or form.name in analyzer.type_names):
        return None
    if type(form) is Gene and type(form.type) is Symbol and not is_union(form):
        name = CONTAINERS.get(form.type.name, form.type.name)
        return annotation(analyzer, Symbol(name, form.source, form.start, form.end))
    return type_node(analyzer, form)


def type_node(analyzer: Analyzer, form: Any) -> Node | None:
    """The node of a type value; ``(A | B)`` makes a union."""
    if type(form) is Gene and is_union(form):
        members = [form.type, *form.children[1::2]]
        nodes = [annotation(analyzer, member) for member in members]
        if any(node is None for node in nodes):
            return None
        return Run(span_of(form), "make_union", [node for node in nodes if node is not None])
    if type(form) not in (Symbol, PathSymbol, Gene):
        raise analyzer.error("a type is expected here", form, hint="Int, String, (Int | Nil), a class …")
    return analyzer.node(form)


def is_union(form: Gene) -> bool:
    """Whether a form is a type expression such as ``(String | Nil)``."""
    return len(form.children) >= 2 and all(
        type(item) is Symbol and item.name == "|" for item in form.children[::2]
    )


def type_value(analyzer: Analyzer, form: Gene) -> Node:
    """The node of a type expression that is used as a value, as in ``(x is (Int | String))``."""
    members = [analyzer.node(member) for member in [form.type, *form.children[1::2]]]
    return Run(span_of(form), "make_union", members)
