"""Paths, calls and method calls."""

from __future__ import annotations

import ast

from gene.compiler.effects import is_plain
from gene.compiler.emit.emitter import EFFECTS, EXPRESSIONS, LOAD, RETURN, STORE, TAILS, Emitter
from gene.compiler.emit.values import element, elements
from gene.compiler.flow_values import is_entry
from gene.compiler.masks import ARRAY, MAP, STRING
from gene.compiler.nodes import (
    Binary,
    Call,
    Const,
    LocalGet,
    Member,
    Node,
    SelfMember,
    Send,
    SetMember,
    SetSelf,
    Spread,
    Super,
    TailCall,
)
from gene.data.names import attribute, method_attribute, python_name

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def member(em: Emitter, node: Member) -> ast.expr:
    """One step of a path."""
    if isinstance(node.key, Node):
        value, key = em.values([node.object, node.key])
        return em.run("get_dynamic", value, key)
    value = em.value(node.object)
    if is_entry(node):
        return em.subscript(value, em.constant(node.key))
    if isinstance(node.key, int):
        return em.run("get_index", value, em.constant(node.key))
    if node.fallback is not None:
        return em.run("get_or_index", value, em.constant(node.key), em.value(node.fallback))
    first, again = em.hold(value)
    return _get(em, first, again, node.key, node.object.mask)


def _get(em: Emitter, first: ast.expr, again: ast.expr, name: str, mask: int) -> ast.expr:
    """A named step: a dict is asked right here, anything else by the runtime."""
    key = em.constant(name)
    found = em.subscript(again, key)
    if mask == MAP:
        return em.choose(em.compare(key, (ast.In(), first)), found, em.runtime("void"))
    is_map = em.compare(em.run("type", first), (ast.Is(), em.runtime("dict")))
    test = em.both(is_map, em.compare(key, (ast.In(), again)))
    return em.choose(test, found, em.run("get", again, key))


def self_member(em: Emitter, node: SelfMember) -> ast.expr:
    """A property of self: the class has void for those that an instance lacks."""
    return em.attribute(em.value(node.object), attribute(node.name))


def set_self(em: Emitter, node: SetSelf) -> ast.expr:
    """An assignment to a property of self whose value is wanted."""
    effect, value = _set_self(em, node)
    em.out.append(effect)
    return value


def effect_set_self(em: Emitter, node: SetSelf) -> None:
    """An assignment to a property of self."""
    target = em.attribute(em.value(node.object), attribute(node.name), STORE)
    em.out.append(ast.Assign([target], em.value(node.value), **em.at))


def _set_self(em: Emitter, node: SetSelf) -> tuple[ast.stmt, ast.expr]:
    value = em.spill(em.value(node.value))
    target = em.attribute(em.value(node.object), attribute(node.name), STORE)
    return ast.Assign([target], value, **em.at), value


def set_member(em: Emitter, node: SetMember) -> ast.expr:
    """An assignment to a step of a path whose value is wanted."""
    if node.operator is not None:
        return _compound(em, node)
    value, target, key = _operands(em, node)
    return em.run("set", target, key, value)


def effect_set_member(em: Emitter, node: SetMember) -> None:
    """An assignment to a step of a path; a dict takes it right here."""
    if node.operator is not None or not isinstance(node.key, str):
        em.out.append(ast.Expr(set_member(em, node), **em.at))
        return
    value, target, key = _operands(em, node)
    target = em.spill(target) if not isinstance(target, ast.Name) else target
    store = ast.Assign([ast.Subscript(target, key, STORE, **em.at)], value, **em.at)
    if node.object.mask == MAP:
        em.out.append(store)
        return
    value = em.spill(value)
    store.value = value
    is_map = em.compare(em.run("type", target), (ast.Is(), em.runtime("dict")))
    em.if_(is_map, [store], [ast.Expr(em.run("set", target, key, value), **em.at)])


def _operands(em: Emitter, node: SetMember) -> tuple[ast.expr, ast.expr, ast.expr]:
    """The value, the object and the key, evaluated in this order."""
    nodes = [node.value, node.object]
    if isinstance(node.key, Node):
        value, target, key = em.values([*nodes, node.key])
        return value, target, key
    value, target = em.values(nodes)
    return value, target, em.constant(node.key)


def _compound(em: Emitter, node: SetMember) -> ast.expr:
    """``(m/x += v)``: the object and the key are evaluated once."""
    key_nodes = [node.key] if isinstance(node.key, Node) else []
    target, *keys = [em.spill(value) for value in em.values([node.object, *key_nodes])]
    key = keys[0] if keys else em.constant(node.key)
    name = em.function.temporary()
    em.assign(name, em.run("get_existing", target, key))
    old = em.function.add("", name)
    old.assignments = 1
    made = Binary(node.span, node.operator, LocalGet(node.span, old), node.value, "values")
    return em.run("set", target, key, em.value(made))


def call(em: Emitter, node: Call) -> ast.expr:
    """A call."""
    head = _head(em, node.callee, node.keywords)
    keywords = keyword_values(em, node.keywords, node.args)
    callee, *args = em.ordered([head, *[lambda arg=arg: element(em, arg) for arg in node.args]])
    if not isinstance(callee, _CALLABLE):  # Python warns of such a call when it compiles it
        callee = em.walrus(em.function.temporary(), callee)
    return ast.Call(callee, args, keywords, **em.at)


_CALLABLE = (ast.Attribute, ast.Call, ast.Name, ast.NamedExpr, ast.Subscript)


def _head(em: Emitter, head: Node, keywords: list[tuple[str | None, Node]]) -> Callable[[], ast.expr]:
    """What emits the head of a call; one that is more than a name is evaluated before keyword arguments."""
    if not keywords or is_plain(head):
        return lambda: em.value(head)
    value = em.spill(em.value(head))
    return lambda: value


def keyword_values(
    em: Emitter, keywords: list[tuple[str | None, Node]], args: list[Node]
) -> list[ast.keyword]:
    """Keyword arguments. They are evaluated before the positional ones, as Gene does and Python does not."""
    if not keywords:
        return []
    values = em.values([value for _, value in keywords])
    nodes = [value for _, value in keywords]
    if not (_all(Const, nodes) or _all(Const, args) or _all(Const | LocalGet, [*nodes, *args])):
        values = [em.spill(value) for value in values]
    names = [name and python_name(name) for name, _ in keywords]
    passed = [
        em.run("spread_map", value) if name is None else value
        for name, value in zip(names, values, strict=True)
    ]
    if None not in names or len(names) == 1:
        return [ast.keyword(name, value, **em.at) for name, value in zip(names, passed, strict=True)]
    keys: list[Any] = [name and em.constant(name) for name in names]
    return [ast.keyword(None, ast.Dict(keys, passed, **em.at), **em.at)]  # of equal names the last one counts


def _all(kinds: Any, nodes: list[Node]) -> bool:
    return all(isinstance(node, kinds) for node in nodes)


def tail_call(em: Emitter, node: TailCall) -> None:
    """A call whose value the function returns: a loop, a bounce, or a plain call."""
    if isinstance(node, Call) and node.how == "repeat":
        _repeat(em, node)
    elif node.how == "bounce":
        made = (
            _tail_send(em, node) if isinstance(node, Send) else _handed(em, EXPRESSIONS[type(node)](em, node))
        )
        em.out.append(ast.Return(made, **em.at))
    else:
        em.finish(EXPRESSIONS[type(node)](em, node), RETURN)


def _handed(em: Emitter, made: ast.expr) -> ast.expr:
    """A call that is left to the caller, or to a driver where nobody promised to make it."""
    assert isinstance(made, ast.Call)
    return ast.Call(_hand(em, "bounce", "drive"), [made.func, *made.args], made.keywords, **em.at)


def _tail_send(em: Emitter, node: Send) -> ast.expr:
    """The same for a method call, whose table knows which methods need it."""
    receiver, args, keywords = _received(em, node)
    first, again = em.hold(receiver)
    table = _hand(em, f"bounce:{node.method}", f"drive:{node.method}")
    return ast.Call(em.subscript(table, em.run("type", first)), [again, *args], keywords, **em.at)


def _hand(em: Emitter, promised: str, alone: str) -> ast.expr:
    """One runtime value where the caller promised to make the call, another where it did not."""
    is_promised = em.compare(em.name("%t"), (ast.Is(), em.runtime("tail")))
    return em.choose(is_promised, em.runtime(promised), em.runtime(alone))


def _repeat(em: Emitter, node: Call) -> None:
    """A tail call of the function itself: new values for the parameters, and from the top."""
    values = em.values(node.args)
    names = [parameter.variable.python for parameter in em.function.parameters]
    if len(values) == 1:
        em.assign(names[0], values[0])
    elif values:
        targets: list[ast.expr] = [ast.Name(name, STORE, **em.at) for name in names]
        pair = ast.Tuple(targets, STORE, **em.at)
        em.out.append(ast.Assign([pair], ast.Tuple(values, LOAD, **em.at), **em.at))
    em.out.append(ast.Continue(**em.at))


def send(em: Emitter, node: Send) -> ast.expr:
    """A method call: the receiver's type picks the function from the table of the name."""
    if isinstance(node.method, Node):
        return _computed_send(em, node)
    receiver, args, keywords = _received(em, node)
    if node.direct:
        method = em.attribute(receiver, method_attribute(node.method))
        return ast.Call(method, args, keywords, **em.at)
    exact = _EXACT.get(node.receiver.mask)
    if exact is not None:
        return ast.Call(em.runtime(f"m:{node.method}@{exact}"), [receiver, *args], keywords, **em.at)
    first, again = em.hold(receiver)
    function = em.subscript(em.runtime("m:" + node.method), em.run("type", first))
    return ast.Call(function, [again, *args], keywords, **em.at)


def _received(em: Emitter, node: Send) -> tuple[ast.expr, list[ast.expr], list[ast.keyword]]:
    """The receiver, the arguments and the keyword arguments of a method call."""
    head = _head(em, node.receiver, node.keywords)
    keywords = keyword_values(em, node.keywords, [node.receiver, *node.args])
    receiver, *args = em.ordered([head, *[lambda arg=arg: element(em, arg) for arg in node.args]])
    return receiver, args, keywords


def _computed_send(em: Emitter, node: Send) -> ast.expr:
    head = _head(em, node.receiver, node.keywords)
    keywords = keyword_values(em, node.keywords, [node.receiver, *node.args])
    receiver, method, *args = em.ordered(
        [
            head,
            lambda: em.value(node.method),
            *[lambda arg=arg: element(em, arg) for arg in node.args],
        ]
    )
    return ast.Call(em.runtime("send_computed"), [receiver, method, *args], keywords, **em.at)


def effect_send(em: Emitter, node: Send) -> None:
    """A method call whose value nobody wants: an array is extended right here."""
    extends = node.receiver.mask == ARRAY and node.method in ("add", "append", "push")
    if extends and len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], Spread):
        receiver, added = em.values([node.receiver, node.args[0]])
        called: ast.expr = ast.Call(em.attribute(receiver, "append"), [added], [], **em.at)
    else:
        called = send(em, node)
    em.out.append(ast.Expr(called, **em.at))


_EXACT = {ARRAY: "list", MAP: "dict", STRING: "str"}
"""The Python types of receivers of one kind only: the function that answers is found when code is linked."""


def super_(em: Emitter, node: Super) -> ast.expr:
    """A call of the parent's method."""
    keywords = keyword_values(em, node.keywords, node.args)
    owner, receiver = em.values([node.owner, node.receiver])
    args = elements(em, node.args)
    function = em.run("super_method", owner, em.constant(node.method))
    return ast.Call(function, [receiver, *args], keywords, **em.at)


EXPRESSIONS[Member] = member
EXPRESSIONS[SelfMember] = self_member
EXPRESSIONS[SetSelf] = set_self
EXPRESSIONS[SetMember] = set_member
EXPRESSIONS[Call] = call
EXPRESSIONS[Send] = send
EXPRESSIONS[Super] = super_
EFFECTS[Send] = effect_send
EFFECTS[SetSelf] = effect_set_self
EFFECTS[SetMember] = effect_set_member
TAILS[Call] = tail_call
TAILS[Send] = tail_call
TAILS[Super] = tail_call
