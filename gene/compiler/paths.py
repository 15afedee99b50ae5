"""Paths: ``a/b/0``, ``s/.trim``, ``rows/<i>``, ``/x``, read and assigned."""

from __future__ import annotations

from gene.compiler.errors import GeneCompileError
from gene.compiler.nodes import (
    Binary,
    Block,
    Const,
    GlobalGet,
    GlobalSet,
    LocalGet,
    Member,
    Node,
    Run,
    SelfMember,
    Send,
    SetMember,
    SetSelf,
)
from gene.compiler.scope import Global
from gene.data.atoms import PathSymbol, Symbol, is_index
from gene.data.forms import span_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer
    from gene.data.source import Span


def read(analyzer: Analyzer, path: PathSymbol) -> Node:
    """The value of a path."""
    parts = path.parts
    if parts[0].startswith("@") and len(parts[0]) > 1:
        return selector(analyzer, path.parts, span_of(path))
    _warn_of_two_forms(analyzer, path)
    member = own_member(parts)
    if member is not None and (parts[0] == "$ns" or not analyzer.in_method()):
        return _namespace_member(analyzer, path, member)
    node, rest = _head(analyzer, path)
    for position, part in enumerate(rest):
        last = position == len(rest) - 1
        node = _step(analyzer, node, part, path, last=last)
    return node


def _warn_of_two_forms(analyzer: Analyzer, path: PathSymbol) -> None:
    """``(f x)/name`` is two forms, and looks like a path from the value of the first."""
    source = path.source
    if path.parts[0] == "" and source is not None and path.start and source.text[path.start - 1] in ')]}"':
        analyzer.warn(
            f"{path.name} is a form of its own: a path starts from a name, as in (var x (...)) x{path.name}",
            path,
        )


def selector(analyzer: Analyzer, parts: tuple[str, ...], span: Span | None) -> Node:
    """``@a/0/*/<key>/:function``: a path as a value."""
    steps: list[Node] = []
    for part in (parts[0].partition("@")[2], *parts[1:]):
        if part.startswith(":") and len(part) > 1:
            steps.append(analyzer.symbol(Symbol(part[1:])))
        elif part in ("@", "@@"):
            raise GeneCompileError(f"{part} is no step of a selector", span)
        elif part:
            key = _key(analyzer, part, PathSymbol(parts))
            steps.append(Run(span, "dynamic_step", [key]) if isinstance(key, Node) else Const(span, key))
    return Run(span, "make_selector", steps)


def assign(analyzer: Analyzer, path: PathSymbol, value: Node, operator: str | None) -> Node:
    """An assignment to a path; ``operator`` is that of a compound assignment, or None."""
    parts, span = path.parts, analyzer.span
    member = own_member(parts)
    if member is not None and (parts[0] == "$ns" or not analyzer.in_method()):
        if operator is not None:
            value = Binary(span, operator, _namespace_member(analyzer, path, member), value, "values")
        return set_own(analyzer, member, value)
    if parts[0] == "" and len(parts) == 2 and _plain(parts[1]) and analyzer.scope.find("self") is not None:
        receiver = analyzer.self_node(span)
        if operator is not None:
            old = _self_member(analyzer, receiver, parts[1], span)
            value = Binary(span, operator, old, value, "values")
        analyzer.note_property(parts[1])
        return SetSelf(span, receiver, parts[1], value)
    node, rest = _head(analyzer, path)
    for part in rest[:-1]:
        node = _step(analyzer, node, part, path, last=False)
    key = _key(analyzer, rest[-1], path)
    if isinstance(node, LocalGet) and isinstance(key, str):
        node.variable.members += 1
    return SetMember(span, node, key, value, operator)


def define(analyzer: Analyzer, path: PathSymbol, value: Node) -> Node:
    """A definition from outside, ``(fn util/f …)``, ``(class util/C …)``: the namespace must be there."""
    return Block(analyzer.span, [*existing(analyzer, path), assign(analyzer, path, value, None)])


def existing(analyzer: Analyzer, path: PathSymbol) -> list[Node]:
    """What sees to it that a path of a definition starts from something that is there."""
    head, span = path.parts[0], span_of(path)
    known = head[:1] in ("", "$") or analyzer.scope.find(head) is not None or head in analyzer.outer
    if known or analyzer.space_of(head) is not None:
        return []
    return [Run(span, "existing_namespace", [analyzer.internal("%ns", span), Const(span, head)])]


def set_own(analyzer: Analyzer, name: str, value: Node) -> Node:
    """An assignment to a member of the namespace around, which is the module's outside of any ``ns``."""
    space, span = analyzer.space, analyzer.span
    if space is not None:
        variable, names, *_ = space
        names[name] = None
        analyzer.mention(variable)
        return SetMember(span, LocalGet(span, variable), name, value, None)
    hidden = analyzer.scope.find(name) is not None
    known = analyzer.globals.setdefault(name, Global(name)) if hidden else analyzer.name(name)
    known.assignments += 1
    known.declared = True
    analyzer.export(name)
    if hidden:  # Python has no way to name both a local variable and a global one
        return SetMember(span, analyzer.internal("%ns", span), name, value, None)
    return GlobalSet(span, known, value)


def own_member(parts: tuple[str, ...]) -> str | None:
    """The name x of ``$ns/x`` and ``/x``, which are members of the current namespace; else None."""
    return parts[1] if len(parts) == 2 and parts[0] in ("$ns", "") and _plain(parts[1]) else None


def _namespace_member(analyzer: Analyzer, path: PathSymbol, name: str) -> Node:
    span = span_of(path)
    if analyzer.space is not None:
        return Member(span, analyzer.dollar("$ns", span), name, None)
    known = analyzer.globals.get(name)
    declared = known is not None and (known.declared or known.function is not None)
    if declared and analyzer.scope.find(name) is None:
        return GlobalGet(span, analyzer.name(name))
    return Member(span, analyzer.internal("%ns", span), name, None)


def _head(analyzer: Analyzer, path: PathSymbol) -> tuple[Node, tuple[str, ...]]:
    """The node that a path starts from, and the parts that lead on from there."""
    parts, span = path.parts, span_of(path)
    if parts[0] == "":
        receiver = analyzer.self_node(span)
        if len(parts) > 1 and _plain(parts[1]) and isinstance(receiver, LocalGet):
            return _self_member(analyzer, receiver, parts[1], span), parts[2:]
        return receiver, parts[1:]
    if analyzer.scope.find(parts[0]) is None:
        analyzer.heads[parts[0]] = None
    return analyzer.symbol(Symbol(parts[0], path.source, path.start, path.start + len(parts[0]))), parts[1:]


def _self_member(analyzer: Analyzer, receiver: Node, name: str, span: Span | None) -> Node:
    """A property of self. An instance has all those that its class names, so that they are read at once."""
    if analyzer.properties is None:
        return Member(span, receiver, name, None)
    analyzer.note_property(name)
    return SelfMember(span, receiver, name)


def _step(analyzer: Analyzer, node: Node, part: str, path: PathSymbol, *, last: bool) -> Node:
    span = span_of(path)
    if part == "!":
        return Run(span, "strict", [node])
    if part.startswith(".") and len(part) > 1:
        made = Send(span, node, part[1:], [], [], False)
        analyzer.sends.append((made, path, analyzer.inside))
        return made
    key = _key(analyzer, part, path)
    fallback = None
    if last and isinstance(key, str):
        fallback = _visible(analyzer, key, span)
    if isinstance(node, LocalGet) and isinstance(key, str) and fallback is None:
        node.variable.members += 1
    return Member(span, node, key, fallback)


def _visible(analyzer: Analyzer, name: str, span: Any) -> Node | None:
    """The variable that indexes an array where a plain last segment bears its name."""
    if analyzer.scope.find(name) is not None:
        return analyzer.read(name, span)
    known = analyzer.globals.get(name)
    if known is not None and known.declared and known.function is None and not name.startswith("%"):
        return analyzer.read(name, span)
    return None


def _key(analyzer: Analyzer, part: str, path: PathSymbol) -> Any:
    """A String, an Int, or the node of a dynamic segment."""
    if part.startswith("<") and part.endswith(">") and len(part) > 2:
        inner = tuple(part[1:-1].split("/"))
        if len(inner) > 1:
            return read(analyzer, PathSymbol(inner, path.source, path.start, path.end))
        return analyzer.symbol(Symbol(inner[0], path.source, path.start, path.end))
    return int(part) if is_index(part) else part


def _plain(part: str) -> bool:
    return bool(part) and part[0] not in "<.!@" and not is_index(part)
