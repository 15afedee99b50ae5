"""Classes: their functions are defined first, then the runtime makes the class of them."""

from __future__ import annotations

import ast

from gene.compiler.emit.emitter import STRUCTURES, Emitter
from gene.compiler.emit.functions import arguments_of, forward, prologue
from gene.compiler.nodes import Array, Block, Class, Const, Fn, LocalGet, Map, SetSelf

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from gene.compiler.emit.emitter import Destination
    from gene.compiler.nodes import Node


def class_(em: Emitter, node: Class, destination: Destination) -> None:
    """A class, or what an adapter does."""
    made = em.function.temporary("class")
    parent = em.runtime("missing") if node.parent is None else em.spill(em.value(node.parent))
    methods = [(name, _method(em, fn, name)) for name, fn in node.methods]
    constructor = maker = em.constant(None)
    if node.constructor is not None:
        constructor = _method(em, node.constructor, "ctor")
        maker = _maker(em, node, constructor)
    table = ast.Dict([em.constant(name) for name, _ in methods], [value for _, value in methods], **em.at)
    if node.adapts is not None:
        adapted = em.value(node.adapts)
        named = em.constant(tuple(node.properties))
        em.finish(em.run("adapt", adapted, parent, table, constructor, named), destination)
        return
    name, properties = em.constant(node.name), em.constant(tuple(node.properties))
    assigned = em.constant(_assigned(node.constructor))
    em.assign(made, em.run("make_class", name, parent, table, constructor, maker, properties, assigned))
    if node.interfaces:
        promised = em.run("implement", em.name(made), *em.values(node.interfaces))
        em.out.append(ast.Expr(promised, **em.at))
    em.finish(em.name(made), destination)


def _assigned(constructor: Fn | None) -> tuple[str, ...]:
    """The properties that a constructor assigns before it does anything that could read one."""
    return () if constructor is None else tuple(node.name for node in _assignments(constructor)[0])


def _assignments(constructor: Fn) -> tuple[list[SetSelf], bool]:
    """The plain assignments to properties that a constructor starts with, and whether that is all."""
    found: list[SetSelf] = []
    waiting: list[Node] = [constructor.body]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, Block):
            waiting = [*node.items, *waiting]
        elif isinstance(node, SetSelf) and _is_plain(node.value):
            found.append(node)
        elif not isinstance(node, Const):
            return found, False
    return found, True


def _is_plain(node: Node) -> bool:
    """Whether a value is a constant, a variable or an empty collection."""
    if isinstance(node, Array | Map):
        return not (node.items if isinstance(node, Array) else node.entries)
    return isinstance(node, Const | LocalGet)


def _method(em: Emitter, fn: Fn, name: str) -> ast.expr:
    target = em.function.temporary(name + ":")
    em.into(fn, target)
    return em.name(target)


def _maker(em: Emitter, node: Class, function: ast.expr) -> ast.expr:
    """What ``new`` calls: it takes the class and the constructor's arguments, without collecting them.

    A constructor that makes more instances of its class then nests as deep as any function. One that only
    keeps its arguments is not called, the maker does so itself.
    """
    assert node.constructor is not None
    scope = node.constructor.function
    assignments, is_all = _assignments(node.constructor)
    is_all = is_all and not any(variable.boxed for variable in scope.variables)
    name = em.function.temporary("ctor:" if is_all else "maker")
    inner = Emitter(em.unit, scope, em)
    inner.place(node.constructor.span)
    arguments = arguments_of(em, scope)
    first, made = arguments.posonlyargs[0].arg, "%made"
    complete = node.parent is None and {each.name for each in assignments} >= set(node.properties)
    new = em.attribute(em.name(first), "__new__")
    inner.assign(made, em.call(new if complete else em.runtime("allocate"), em.name(first)))
    inner.assign(first, em.name(made))
    if is_all:
        prologue(inner, scope)
        for each in assignments:
            inner.into(each, None)
    else:
        inner.out.append(ast.Expr(forward(em, function, arguments), **em.at))
    inner.out.append(ast.Return(em.name(made), **em.at))
    em.out.append(em.definition(name, arguments, inner.out))
    return em.name(name)


STRUCTURES[Class] = class_
