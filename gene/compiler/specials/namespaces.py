"""``ns``: a namespace, whose members are what its body writes with a leading slash or ``$ns/``."""

from __future__ import annotations

from gene.compiler import paths
from gene.compiler.nodes import Block, Call, Const, LocalGet, Member, Node, Run
from gene.compiler.specials.bindings import bind, set_global
from gene.compiler.specials.functions import define
from gene.data.atoms import PathSymbol, Symbol

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer
    from gene.data.forms import Gene


def namespace(analyzer: Analyzer, form: Gene) -> Node:
    """``(ns Name e…)``, ``(ns /Name e…)``, ``(ns /Outer/Name e…)``."""
    target = form.children[0] if form.children else None
    if not isinstance(target, Symbol | PathSymbol):
        raise analyzer.error("ns needs a name", form, hint="(ns /Name (fn /member [] 1))")
    parts = [part for part in target.name.split("/") if part]
    span, name = analyzer.span, parts[-1]
    known = _known(analyzer, target, parts)
    opened, variable = analyzer.temporary(Run(span, "open_namespace", [known, Const(span, name)]))
    opened_here = LocalGet(span, variable)
    bound = _bind(analyzer, target, parts, opened_here)
    body = _body(analyzer, variable, form.children[1:])
    return Block(span, [opened, bound, body, opened_here])


def _known(analyzer: Analyzer, target: Any, parts: list[str]) -> Node:
    """What the name means already: a namespace is opened again, not made anew."""
    span = analyzer.span
    if len(parts) > 1:
        return paths.read(analyzer, PathSymbol(tuple(parts), target.source, target.start, target.end))
    if analyzer.scope.find(parts[0]) is not None or analyzer.space is not None:
        return analyzer.read(parts[0], span) if analyzer.scope.find(parts[0]) else Const(span, None)
    return Member(span, analyzer.internal("%ns", span), parts[0], None)


def _bind(analyzer: Analyzer, target: Any, parts: list[str], value: Node) -> Node:
    if len(parts) > 1:
        path = PathSymbol(tuple(parts), target.source, target.start, target.end)
        return paths.assign(analyzer, path, value, None)
    if analyzer.space is not None:
        return paths.set_own(analyzer, parts[0], value)
    if not analyzer.at_top():
        return bind(analyzer, parts[0], value)
    analyzer.export(parts[0])
    return set_global(analyzer, parts[0], value)


def _body(analyzer: Analyzer, variable: Any, forms: list[Any]) -> Node:
    """The body runs in a scope of its own, which sees the members by their names."""
    if not forms:
        return Const(analyzer.span, None)
    outer, analyzer.space = analyzer.space, (variable, {}, analyzer.space)
    made = define(analyzer, "ns", [], forms, {}, None)
    analyzer.space = outer
    return Call(analyzer.span, made, [], [])


HANDLERS = {"ns": namespace}
