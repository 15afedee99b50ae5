"""``ns``: a namespace, whose members are what its body writes with a leading slash or ``$ns/``."""

from __future__ import annotations

from gene.compiler import paths
from gene.compiler.nodes import Block, Call, Const, LocalGet, Member, Node, Run
from gene.compiler.specials.bindings import bind, set_global
from gene.compiler.specials.functions import define
from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import Gene

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer


def namespace(analyzer: Analyzer, form: Gene) -> Node:
    """``(ns Name e…)``, ``(ns /Name e…)``, ``(ns /Outer/Name e…)``."""
    target = form.children[0] if form.children else None
    parts = (
        [part for part in target.name.split("/") if part] if isinstance(target, Symbol | PathSymbol) else []
    )
    if not parts:
        raise analyzer.error("ns needs a name", form, hint="(ns /Name (fn /member [] 1))")
    span, name = analyzer.span, parts[-1]
    known = _known(analyzer, target, parts)
    there = paths.existing(analyzer, _path(target, parts)) if len(parts) > 1 else []
    opened, variable = analyzer.temporary(Run(span, "open_namespace", [known, Const(span, name)]))
    opened_here = LocalGet(span, variable)
    bound = _bind(analyzer, target, parts, opened_here)
    body = _body(analyzer, variable, parts, form.children[1:])
    return Block(span, [*there, opened, bound, body, opened_here])


def _path(target: Any, parts: list[str]) -> PathSymbol:
    """The path to a namespace in another one, without the slash that may stand before it."""
    return PathSymbol(tuple(parts), target.source, target.start, target.end)


def _known(analyzer: Analyzer, target: Any, parts: list[str]) -> Node:
    """What the name means already: a namespace is opened again, not made anew."""
    span = analyzer.span
    if len(parts) > 1:
        return paths.read(analyzer, _path(target, parts))
    if analyzer.scope.find(parts[0]) is not None or analyzer.space is not None:
        return analyzer.read(parts[0], span) if analyzer.scope.find(parts[0]) else Const(span, None)
    return Member(span, analyzer.internal("%ns", span), parts[0], None)


def _bind(analyzer: Analyzer, target: Any, parts: list[str], value: Node) -> Node:
    if len(parts) > 1:
        return paths.assign(analyzer, _path(target, parts), value, None)
    if analyzer.space is not None:
        return paths.set_own(analyzer, parts[0], value)
    if not analyzer.at_top():
        return bind(analyzer, parts[0], value)
    analyzer.export(parts[0])
    return set_global(analyzer, parts[0], value)


def _body(analyzer: Analyzer, variable: Any, parts: list[str], forms: list[Any]) -> Node:
    """The body runs in a scope of its own, which sees the members by their names.

    Members are known from the start of the body, so that its functions can call each other, and from the
    bodies of the same namespace before it.
    """
    if not forms:
        return Const(analyzer.span, None)
    outer, inside = analyzer.space, "" if analyzer.space is None else analyzer.space[3] + "/"
    path = inside + "/".join(parts)
    names = analyzer.members.setdefault(path, {})
    names.update((name, None) for name in map(_member_name, forms) if name is not None)
    analyzer.space = (variable, names, outer, path)
    made = define(analyzer, "ns", [], forms, {}, None)
    analyzer.space = outer
    return Call(analyzer.span, made, [], [])


def _member_name(form: Any) -> str | None:
    """The member of the namespace around that a form defines, or None."""
    if type(form) is not Gene or type(form.type) is not Symbol or form.type.name not in _DEFINING:
        return None
    target = form.children[0] if form.children else None
    if type(target) is not PathSymbol:
        return None
    name = paths.own_member(target.parts)
    return name if name is None else name.partition(":")[0]


_DEFINING = frozenset(
    {"var", "let", "fn", "class", "object", "enum", "interface", "type", "ns", "interceptor"}
)
HANDLERS = {"ns": namespace}
