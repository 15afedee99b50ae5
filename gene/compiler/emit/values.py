"""Constants, names, collections and interpolated strings."""

from __future__ import annotations

import ast

from gene.compiler.emit.emitter import EFFECTS, EXPRESSIONS, INLINE_TYPES, LOAD, STORE, Emitter
from gene.compiler.masks import ALL, FLOAT, INT, MAP, NIL, STRING
from gene.compiler.nodes import (
    Array,
    Builtin,
    Const,
    Fn,
    GlobalGet,
    GlobalSet,
    Interpolation,
    Literal,
    LocalGet,
    LocalSet,
    Map,
    Node,
    Quoted,
    Run,
    Spread,
)

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from gene.compiler.scope import Variable


def const(em: Emitter, node: Const) -> ast.expr:
    """A constant."""
    return em.constant(node.value)


def builtin(em: Emitter, node: Builtin) -> ast.expr:
    """A value of the runtime."""
    return em.runtime(node.name)


def literal(em: Emitter, node: Literal) -> ast.expr:
    """A literal that the module makes when it starts."""
    return em.name(em.unit.literal(node))


def quoted(em: Emitter, node: Quoted) -> ast.expr:
    """Quoted data, made anew."""
    return em.run("decode", em.data(node.encoded), em.name(em.unit.source_name))


def local_get(em: Emitter, node: LocalGet) -> ast.expr:
    """A local variable."""
    name = em.name(node.variable.python)
    return em.subscript(name, em.constant(0)) if node.variable.boxed else name


def local_set(em: Emitter, node: LocalSet) -> ast.expr:
    """An assignment to a local variable whose value is wanted."""
    variable = node.variable
    if variable.boxed or isinstance(node.value, Fn):
        effect_local_set(em, node)
        return local_get(em, LocalGet(node.span, variable))
    note_assignment(em, variable)
    return em.walrus(variable.python, em.value(node.value))


def effect_local_set(em: Emitter, node: LocalSet) -> None:
    """An assignment to a local variable as a statement."""
    variable = node.variable
    note_assignment(em, variable)
    if not variable.boxed:
        em.into(node.value, variable.python)
        return
    value = em.value(node.value)
    if node.fresh:
        em.assign(variable.python, ast.List([value], LOAD, **em.at))
    else:
        target = ast.Subscript(em.name(variable.python), em.constant(0), STORE, **em.at)
        em.out.append(ast.Assign([target], value, **em.at))


def note_assignment(em: Emitter, variable: Variable) -> None:
    """Remember that this Python function assigns a name that may belong to one around it."""
    if variable.function is not em.function and not variable.boxed:
        em.assigned[variable.python] = None


def global_get(em: Emitter, node: GlobalGet) -> ast.expr:
    """A name of the module or of the language."""
    return em.name(node.name.python)


def global_set(em: Emitter, node: GlobalSet) -> ast.expr:
    """An assignment to a name of the module whose value is wanted."""
    em.assigned_globals[node.name.python] = None
    if isinstance(node.value, Fn):
        em.into(node.value, node.name.python)
        return em.name(node.name.python)
    return em.walrus(node.name.python, em.value(node.value))


def effect_global_set(em: Emitter, node: GlobalSet) -> None:
    """An assignment to a name of the module as a statement."""
    em.assigned_globals[node.name.python] = None
    em.into(node.value, node.name.python)


def run(em: Emitter, node: Run) -> ast.expr:
    """A call of a runtime function."""
    inline = INLINE.get(node.function)
    if inline is not None:
        return inline(em, node)
    return em.call(em.runtime(node.function), *elements(em, node.args))


def _check_variable(em: Emitter, node: Run) -> ast.expr:
    """A value for a typed variable: the usual case is one comparison, the runtime looks at anything else."""
    value, type_, *place = em.values(node.args)
    declared = node.args[1]
    inline = INLINE_TYPES.get(declared.name.name) if isinstance(declared, GlobalGet) else None
    if inline is None:
        return em.run("check_variable", value, type_, *place)
    if node.mask != ALL and not node.args[0].mask & ~(node.mask & ~NIL):
        return value
    first, again = em.hold(value)
    plain = em.compare(em.run("type", first), (ast.Is(), em.runtime(inline)))
    return em.choose(plain, again, em.run("check_variable", again, type_, *place))


def _variant_field(em: Emitter, node: Run) -> ast.expr:
    """A field of a value of an enum that matched a pattern."""
    value, index = em.values(node.args)
    return em.subscript(em.attribute(value, "values"), index)


def _item(em: Emitter, node: Run) -> ast.expr:
    """A part of an array that a pattern takes apart."""
    parts, index = em.values(node.args)
    return em.subscript(parts, index)


INLINE: dict[str, Callable[[Emitter, Any], ast.expr]] = {
    "check_variable": _check_variable,
    "item": _item,
    "variant_field": _variant_field,
}
"""What is not left to the runtime although the nodes call it."""


def elements(em: Emitter, nodes: list[Node]) -> list[ast.expr]:
    """Arguments or elements, spreads among them."""
    return em.ordered([lambda node=node: element(em, node) for node in nodes])  # type: ignore[misc]


def element(em: Emitter, node: Node) -> ast.expr:
    """An argument or element; a spread unpacks its items."""
    if not isinstance(node, Spread):
        return em.value(node)
    return ast.Starred(em.run("spread", em.value(node.value)), LOAD, **em.at)


def array(em: Emitter, node: Array) -> ast.expr:
    """An array literal."""
    made: ast.expr = ast.List(elements(em, node.items), LOAD, **em.at)
    return em.run("frozen_array", made) if node.frozen else made


def map_(em: Emitter, node: Map) -> ast.expr:
    """A map literal."""
    values = em.values([value for _, value in node.entries])
    keys: list[Any] = []
    for number, (key, _) in enumerate(node.entries):
        keys.append(None if key is None else em.constant(key))
        if key is None:
            values[number] = em.run("spread_map", values[number])
    made: ast.expr = ast.Dict(keys, values, **em.at)
    return em.run("frozen_map", made) if node.frozen else made


def interpolation(em: Emitter, node: Interpolation) -> ast.expr:
    """An interpolated string: an f-string whose values are text or Ints when Python formats them.

    The Ints that a program computes have 64 bits; those that a host hands in may have more digits than Python
    is willing to write, which ``$`` can.
    """
    nodes = [part for part in node.parts if not isinstance(part, str)]
    values = iter(em.values(nodes))
    parts: list[ast.expr] = []
    for part in node.parts:
        if isinstance(part, str):
            parts.append(em.constant(part))
        else:
            parts.append(ast.FormattedValue(_text(em, next(values), part.mask, node.text), -1, None, **em.at))
    return ast.JoinedStr(parts, **em.at)


def _text(em: Emitter, value: ast.expr, mask: int, text: str) -> ast.expr:
    if not mask & ~(INT | STRING):
        return value
    if not mask & ~FLOAT or mask == MAP:
        return em.run(text, value)
    first, again = em.hold(value)
    usual = (ast.In(), em.runtime("text_types")) if text == "interpolate" else (ast.Is(), em.runtime("str"))
    return em.choose(em.compare(em.run("type", first), usual), again, em.run(text, again))


EXPRESSIONS[Const] = const
EXPRESSIONS[Builtin] = builtin
EXPRESSIONS[Literal] = literal
EXPRESSIONS[Quoted] = quoted
EXPRESSIONS[LocalGet] = local_get
EXPRESSIONS[LocalSet] = local_set
EXPRESSIONS[GlobalGet] = global_get
EXPRESSIONS[GlobalSet] = global_set
EXPRESSIONS[Run] = run
EXPRESSIONS[Array] = array
EXPRESSIONS[Map] = map_
EXPRESSIONS[Interpolation] = interpolation
EFFECTS[LocalSet] = effect_local_set
EFFECTS[GlobalSet] = effect_global_set
