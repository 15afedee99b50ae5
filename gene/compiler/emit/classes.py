"""Classes: their functions are defined first, then the runtime makes the class of them."""

from __future__ import annotations

import ast

from gene.compiler.emit.emitter import STRUCTURES, Emitter
from gene.compiler.emit.functions import arguments_of, forward
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
        maker = _maker(em, node.constructor, constructor)
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
    found: list[str] = []
    waiting: list[Node] = [] if constructor is None else [constructor.body]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, Block):
            waiting = [*node.items, *waiting]
        elif isinstance(node, SetSelf) and _is_plain(node.value):
            found.append(node.name)
        else:
            break
    return tuple(found)


def _is_plain(node: Node) -> bool:
    """Whether a value is a constant, a variable or an empty collection."""
    if isinstance(node, Array | Map):
        return not (node.items if isinstance(node, Array) else node.entries)
    return isinstance(node, Const | LocalGet)


def _method(em: Emitter, fn: Fn, name: str) -> ast.expr:
    target = em.function.temporary(name + ":")
    em.into(fn, target)
    return em.name(target)


def _maker(em: Emitter, constructor: Fn, function: ast.expr) -> ast.expr:
    """What ``new`` calls: it takes the class and the constructor's arguments, without collecting them.

    A constructor that makes more instances of its class then nests as deep as any function.
    """
    name = em.function.temporary("new")
    arguments = arguments_of(em, constructor.function)
    call = forward(em, function, arguments)
    first, made = arguments.posonlyargs[0].arg, "%made"
    body: list[ast.stmt] = []
    outer, em.out = em.out, body
    em.assign(made, em.run("allocate", em.name(first)))
    em.assign(first, em.name(made))
    body.append(ast.Expr(call, **em.at))
    body.append(ast.Return(em.name(made), **em.at))
    em.out = outer
    definition = em.definition(name, arguments, body)
    em.out.append(definition)
    return em.name(name)


STRUCTURES[Class] = class_
