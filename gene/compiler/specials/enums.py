"""``enum`` and ``(expr ?)``."""

from __future__ import annotations

from gene.compiler import paths
from gene.compiler.nodes import Array, Block, Const, If, LocalGet, Node, Return, Run, Throw
from gene.compiler.specials.bindings import bind, set_global
from gene.compiler.specials.functions import define
from gene.compiler.types import annotation
from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import Gene

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer


def enum(analyzer: Analyzer, form: Gene) -> Node:
    """``(enum Name variant (Variant field: Type …) …)``, ``(enum Name ^values [a b])``."""
    target = form.children[0] if form.children else None
    if not isinstance(target, Symbol | PathSymbol):
        raise analyzer.error("enum needs a name", form, hint="(enum Color red green)")
    name, _, generic = target.name.rpartition("/")[2].partition(":")
    outer, analyzer.type_names = analyzer.type_names, analyzer.type_names | frozenset(generic.split(":"))
    values = form.props.get("values", [])
    if not isinstance(values, list):
        raise analyzer.error(f"enum {name}: ^values is an array of names", form, hint="^values [ready done]")
    variants, types = _variants(analyzer, name, [*form.children[1:], *values], form)
    analyzer.type_names = outer
    span = analyzer.span
    made = Run(span, "make_enum", [Const(span, name), Const(span, tuple(variants)), *types])
    analyzer.enums[name] = [variant for variant, _ in variants]
    if type(target) is PathSymbol:
        return paths.define(analyzer, target, made)
    if not analyzer.at_top():
        return bind(analyzer, name, made)
    analyzer.export(name)
    return set_global(analyzer, name, made)


def _variants(
    analyzer: Analyzer, name: str, forms: list[Any], form: Gene
) -> tuple[list[tuple[str, tuple[str, ...]]], list[Node]]:
    variants: list[tuple[str, tuple[str, ...]]] = []
    types: list[Node] = []
    for item in forms:
        head = item.type if type(item) is Gene else item
        if type(head) is not Symbol:
            raise analyzer.error(f"enum {name}: a variant is a name or (Name field …)", form)
        if any(head.name == known for known, _ in variants):
            raise analyzer.error(f"Type error: duplicate variant {head.name} in enum {name}", item)
        fields, declared = _fields(analyzer, name, item) if type(item) is Gene else ((), None)
        variants.append((head.name, fields))
        types.append(Const(analyzer.span, None) if declared is None else declared)
    return variants, types


def _fields(analyzer: Analyzer, name: str, item: Gene) -> tuple[tuple[str, ...], Node | None]:
    """The names of a variant's fields, and a function that gives their types, for a type may come later."""
    if item.props:
        raise analyzer.error("a variant's fields are names without ^", item, hint="(Rect w: Int h: Int)")
    names: list[str] = []
    types: list[Any] = []
    forms = iter(item.children)
    for field in forms:
        if type(field) is not Symbol:
            raise analyzer.error(
                "a field is a name, or a name and its type", item, hint="(Rect w: Int h: Int)"
            )
        if field.name.removesuffix(":") in names:
            path = f"{name}/{item.type.name}"
            raise analyzer.error(
                f"Type error: duplicate field {field.name.removesuffix(':')} in {path}", item
            )
        names.append(field.name.removesuffix(":"))
        types.append(next(forms, None) if field.name.endswith(":") else None)
    if not any(types):
        return tuple(names), None
    made = define(analyzer, "types", [], [], {}, None)
    with analyzer.within(made.function):
        nodes = [annotation(analyzer, each) if each is not None else None for each in types]
    made.body = Array(analyzer.span, [Const(None, None) if node is None else node for node in nodes], False)
    return tuple(names), made


def unwrap(analyzer: Analyzer, form: Gene) -> Node:
    """``(expr ?)``: what Ok and Some carry; Err and None leave the function. A file has nothing to leave."""
    span = analyzer.span
    value, variable = analyzer.temporary(analyzer.node(form.type))
    held = LocalGet(span, variable)
    in_file = analyzer.function is analyzer.top and not analyzer.interactive
    leaving: Node = Throw(span, Run(span, "unhandled", [held])) if in_file else Return(span, held)
    leave = If(span, Run(span, "is_failure", [held]), leaving, Const(span, None))
    return Block(span, [value, leave, Run(span, "unwrap", [LocalGet(span, variable)])])


HANDLERS = {"enum": enum}
