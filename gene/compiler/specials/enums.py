"""``enum``, the patterns of ``case`` that look into enums, and ``(expr ?)``."""

from __future__ import annotations

from gene.compiler import paths
from gene.compiler.nodes import Array, Block, Const, If, LocalGet, Node, Return, Run
from gene.compiler.specials.bindings import bind, set_global
from gene.compiler.specials.functions import define
from gene.compiler.types import annotation
from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import Gene, span_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer
    from gene.compiler.scope import Variable

BUILT_IN = frozenset({"Ok", "Err", "Some", "None"})
"""Variants that patterns name without their enum."""


def enum(analyzer: Analyzer, form: Gene) -> Node:
    """``(enum Name variant (Variant field: Type …) …)``, ``(enum Name ^values [a b])``."""
    target = form.children[0] if form.children else None
    if not isinstance(target, Symbol | PathSymbol):
        raise analyzer.error("enum needs a name", form, hint="(enum Color red green)")
    name, _, generic = target.name.rpartition("/")[2].partition(":")
    outer, analyzer.type_names = analyzer.type_names, analyzer.type_names | frozenset(generic.split(":"))
    variants, types = _variants(analyzer, name, [*form.children[1:], *(form.props.get("values") or [])], form)
    analyzer.type_names = outer
    span = analyzer.span
    made = Run(span, "make_enum", [Const(span, name), Const(span, tuple(variants)), *types])
    analyzer.enums[name] = [variant for variant, _ in variants]
    if type(target) is PathSymbol:
        return paths.assign(analyzer, target, made, None)
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
        fields, declared = _fields(analyzer, item) if type(item) is Gene else ((), None)
        variants.append((head.name, fields))
        types.append(Const(analyzer.span, None) if declared is None else declared)
    return variants, types


def _fields(analyzer: Analyzer, item: Gene) -> tuple[tuple[str, ...], Node | None]:
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
        names.append(field.name.removesuffix(":"))
        types.append(next(forms, None) if field.name.endswith(":") else None)
    if not any(types):
        return tuple(names), None
    made = define(analyzer, "types", [], [], {}, None)
    with analyzer.within(made.function):
        nodes = [annotation(analyzer, each) if each is not None else None for each in types]
    made.body = Array(analyzer.span, [Const(None, None) if node is None else node for node in nodes], False)
    return tuple(names), made


def is_variant_pattern(analyzer: Analyzer, form: Any) -> bool:
    """Whether a ``when`` names a variant and its fields: ``(Shape/Rect w h)``, ``(Ok v)``."""
    if type(form) is not Gene or form.props or form.frozen:
        return False
    head = form.type
    if type(head) is PathSymbol:
        known = analyzer.enums.get(head.parts[-2], ())
        return head.parts[-1][:1].isupper() or head.parts[-1] in known
    return type(head) is Symbol and head.name in BUILT_IN


def is_variant_name(form: Any) -> bool:
    """Whether a ``when`` may name a variant without its fields: ``Shape/Rect``, ``None``."""
    return type(form) is PathSymbol or (type(form) is Symbol and form.name in BUILT_IN)


def match(analyzer: Analyzer, form: Gene, variable: Variable) -> tuple[Node, list[Node]]:
    """The test of a pattern against the value in a variable, and the declarations that bind its fields."""
    span = span_of(form)
    value = LocalGet(span, variable)
    count = Const(span, len(form.children))
    test = Run(span, "is_variant", [value, analyzer.node(form.type), count])
    declarations = []
    for index, field in enumerate(form.children):
        if type(field) is not Symbol:
            raise analyzer.error("a pattern binds its fields to names", form, hint="(Shape/Rect w _)")
        if field.name != "_":
            read = Run(span, "variant_field", [LocalGet(span, variable), Const(span, index)])
            declarations.append(bind(analyzer, field.name, read))
    return test, declarations


def check_exhaustive(analyzer: Analyzer, patterns: list[Any], form: Gene) -> None:
    """Warn of a ``case`` without ``else`` over the variants of one enum that leaves some of them out."""
    heads = [pattern.type if type(pattern) is Gene else pattern for pattern in patterns]
    if not heads or not all(type(head) is PathSymbol and len(head.parts) == 2 for head in heads):
        return
    names = {head.parts[0] for head in heads}
    variants = analyzer.enums.get(heads[0].parts[0])
    if len(names) != 1 or variants is None:
        return
    handled = {head.parts[1] for head in heads}
    left = [variant for variant in variants if variant not in handled]
    if left:
        missing = ", ".join(f"{heads[0].parts[0]}/{variant}" for variant in left)
        analyzer.warn(f"this case does not handle {missing}; handle it, or add else", form)


def unwrap(analyzer: Analyzer, form: Gene) -> Node:
    """``(expr ?)``: what Ok and Some carry; Err and None leave the function."""
    span = analyzer.span
    value, variable = analyzer.temporary(analyzer.node(form.type))
    held = LocalGet(span, variable)
    leave = If(span, Run(span, "is_failure", [held]), Return(span, held), Const(span, None))
    return Block(span, [value, leave, Run(span, "unwrap", [LocalGet(span, variable)])])


HANDLERS = {"enum": enum}
