"""Calls of functions and methods, and what else is written with a computed head."""

from __future__ import annotations

from gene.compiler import paths
from gene.compiler.nodes import Call, Const, Fn, GlobalGet, LocalGet, Node, Quoted, Run, Send, Spread, Super
from gene.compiler.quoting import encode
from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import ArrayForm, Gene, Quote, span_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer


def call(analyzer: Analyzer, form: Gene) -> Node:
    """A call of whatever the head evaluates to."""
    head = form.type
    if type(head) in (Symbol, PathSymbol) and is_macro_name(head.name):
        from gene.compiler.specials.evaluation import macro_call

        return macro_call(analyzer, form)
    if any(type(child) is Symbol and child.name == "->" for child in form.children):
        raise analyzer.error("-> follows one parameter, or several in brackets", form, hint="([a b] -> body)")
    callee = analyzer.node(head)
    keywords = analyzer.entries(form.props)
    args = analyzer.items(form.children)
    made = Call(analyzer.span, callee, args, keywords)
    analyzer.calls.append((made, form))
    return made


def is_macro_name(name: str) -> bool:
    """Whether a call of this name hands over its arguments as data."""
    return name.endswith("!") and len(name) > 1 and not name.endswith("/!")


def argument(analyzer: Analyzer, form: Any) -> Node:
    """An argument or element; ``xs...`` is spread."""
    kind = type(form)
    if kind is Symbol and form.name.endswith("...") and len(form.name) > 3:
        inner: Any = Symbol(form.name[:-3], form.source, form.start, form.end - 3)
        return Spread(span_of(form), analyzer.symbol(inner))
    if kind is PathSymbol and form.parts[-1].endswith("...") and len(form.parts[-1]) > 3:
        parts = (*form.parts[:-1], form.parts[-1][:-3])
        return Spread(
            span_of(form), paths.read(analyzer, PathSymbol(parts, form.source, form.start, form.end - 3))
        )
    return analyzer.node(form)


def is_method(first: Any) -> bool:
    """Whether the first child of a form makes it a method call."""
    if type(first) is Symbol:
        return first.name.startswith(".") and first.name not in (".", "..", "./", "...")
    return type(first) is PathSymbol and first.parts[0].startswith(".@")


def send(analyzer: Analyzer, form: Gene) -> Node:
    """``(receiver .name args…)``."""
    first, span = form.children[0], analyzer.span
    receiver = analyzer.node(form.type)
    if first.name.startswith(".@"):
        return Call(span, paths.selector(analyzer, _parts(first), span_of(first)), [receiver], [])
    keywords = analyzer.entries(form.props)
    args = analyzer.items(form.children[1:])
    made = Send(span, receiver, first.name[1:], args, keywords, False)
    analyzer.sends.append((made, form, analyzer.inside))
    return made


def _parts(path: Symbol | PathSymbol) -> tuple[str, ...]:
    return path.parts if type(path) is PathSymbol else (path.name,)


def self_send(analyzer: Analyzer, form: Gene) -> Node:
    """``(.name args…)``: a method of self."""
    keywords = analyzer.entries(form.props)
    args = analyzer.items(form.children)
    receiver = analyzer.self_node(analyzer.span)
    made = Send(analyzer.span, receiver, form.type.name[1:], args, keywords, False)
    analyzer.sends.append((made, form, analyzer.inside))
    return made


def computed_send(analyzer: Analyzer, form: Gene) -> Node:
    """``(receiver . name args…)``: the method's name is computed."""
    if len(form.children) < 2:
        raise analyzer.error("a method name is missing after the dot", form, hint='(x . "name" args)')
    receiver, method = analyzer.node(form.type), analyzer.node(form.children[1])
    keywords = analyzer.entries(form.props)
    args = analyzer.items(form.children[2:])
    return Send(analyzer.span, receiver, method, args, keywords, False)


def super_call(analyzer: Analyzer, form: Gene) -> Node:
    """``(super .name args…)``: the method or constructor of the parent class."""
    owner = analyzer.function.owner
    if owner is None:
        raise analyzer.error("super is used outside of a method", form)
    first = form.children[0] if form.children else None
    if type(first) is not Symbol or not first.name.startswith("."):
        raise analyzer.error("super needs the name of a method", form, hint="(super .name args)")
    keywords = analyzer.entries(form.props)
    args = analyzer.items(form.children[1:])
    receiver = analyzer.self_node(analyzer.span)
    return Super(analyzer.span, analyzer.node(owner), receiver, first.name[1:], args, keywords)


def build_range(analyzer: Analyzer, form: Gene) -> Node:
    """``(a .. b)``."""
    if len(form.children) != 2:
        raise analyzer.error("a range has two ends", form, hint="(1 .. 9)")
    return Run(analyzer.span, "make_range", [analyzer.node(form.type), analyzer.node(form.children[1])])


def build_gene(analyzer: Analyzer, form: Gene) -> Node:
    """A form whose head is quoted, frozen or a literal: data, with children and properties evaluated."""
    span, head = analyzer.span, form.type
    if type(head) is Quote:
        head = head.datum
    literal_head = type(form.type) is Quote or (type(head) is Symbol and head.name == "_")
    node: Node = Quoted(span_of(head), encode(head)) if literal_head else analyzer.node(head)
    keywords = analyzer.entries(form.props)
    args = analyzer.items(form.children)
    return Call(span, Run(span, "gene_maker", [node, Const(span, form.frozen)]), args, keywords)


def block_function(analyzer: Analyzer, form: Gene) -> Node:
    """``(x -> body)`` and ``(-> body)``."""
    from gene.compiler.specials.functions import define

    if type(form.type) is Symbol and form.type.name == "->":
        names, body = [], form.children
    else:
        names, body = [form.type], form.children[1:]
        if type(form.type) is ArrayForm:
            names = list(form.type)
    return define(analyzer, "", names, body, {}, None)


def known_function(node: Node) -> Fn | None:
    """The function that a callee names for good, or None."""
    if isinstance(node, GlobalGet):
        return node.name.function if node.name.assignments == 1 else None
    if isinstance(node, LocalGet):
        return node.variable.definition if node.variable.assignments == 1 else None
    return None
