"""Blocks, choices, loops, leaving them, and errors."""

from __future__ import annotations

import ast

from gene.compiler.emit.emitter import EXPRESSIONS, LOAD, RETURN, STORE, STRUCTURES, Emitter
from gene.compiler.emit.operators import settle
from gene.compiler.nodes import (
    Block,
    Break,
    Continue,
    For,
    If,
    Loop,
    Node,
    Return,
    Throw,
    Try,
    Yield,
)
from gene.data.names import is_internal

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from gene.compiler.emit.emitter import Destination
    from gene.compiler.nodes import Clause
    from gene.compiler.scope import Variable


class Around:
    """A loop around what is emitted: its label, where ``break`` puts a value, who leaves through it."""

    __slots__ = ("crossed", "label", "last", "result")

    def __init__(self, label: str | None, result: Destination) -> None:
        self.label = label
        self.result = result
        self.crossed: dict[str, ast.stmt] = {}
        self.last: dict[str, bool] = {}


def block(em: Emitter, node: Block, destination: Destination) -> None:
    """Nodes in order."""
    if not node.items:
        em.finish(em.constant(None), destination)
        return
    for item in node.items[:-1]:
        em.into(item, None)
    em.into(node.items[-1], destination)


def block_value(em: Emitter, node: Block) -> ast.expr:
    """Nodes in order; the last one's value."""
    if not node.items:
        return em.constant(None)
    for item in node.items[:-1]:
        em.into(item, None)
    return em.value(node.items[-1])


def if_(em: Emitter, node: If, destination: Destination) -> None:
    """A choice as a statement."""
    test = em.test(node.test)
    then = em.block(node.then, destination)
    otherwise = em.block(node.otherwise, destination)
    em.if_(test, then, otherwise)


def if_value(em: Emitter, node: If) -> ast.expr:
    """A choice as an expression, where both branches are expressions."""
    test = em.test(node.test)
    outer = em.out
    then_statements: list[ast.stmt] = []
    else_statements: list[ast.stmt] = []
    em.out = then_statements
    then = em.value(node.then)
    em.out = else_statements
    otherwise = em.value(node.otherwise)
    em.out = outer
    if not then_statements and not else_statements:
        return em.choose(test, then, otherwise)
    result = em.function.temporary()
    for statements, value in ((then_statements, then), (else_statements, otherwise)):
        em.out = statements
        em.assign(result, value)
    em.out = outer
    em.if_(test, then_statements, else_statements)
    return em.name(result)


def loop(em: Emitter, node: Loop, destination: Destination) -> None:
    """``while`` and ``loop``."""
    endless = node.test is None
    result: Destination = None
    if endless and destination is not None:
        result = destination if is_internal(destination) else em.function.temporary()
    for compare in node.first:
        settle(em, compare)
    em.loops.append(Around(node.label, result))
    outer, em.out = em.out, em.step()
    test: ast.expr = em.constant(True)
    if node.test is not None:
        test = em.test(node.test)
        if em.out:
            leave: list[ast.stmt] = [ast.Break(**em.at)]
            em.out.append(ast.If(ast.UnaryOp(ast.Not(), test, **em.at), leave, [], **em.at))
            test = em.constant(True)
    em.into(node.body, None)
    body, em.out = em.out or [em.nothing()], outer
    em.out.append(ast.While(test, body, [], **em.at))
    _after_loop(em)
    if destination is not None and destination != result:
        em.finish(em.constant(None) if result is None else em.name(result), destination)


def _after_loop(em: Emitter) -> None:
    """Go on leaving, where something inside left more than this loop."""
    around = em.loops.pop()
    for flag, leave in around.crossed.items():
        reset: list[ast.stmt] = []
        if around.last.get(flag):
            reset = [ast.Assign([ast.Name(flag, STORE, **em.at)], em.constant(False), **em.at)]
        em.if_(em.name(flag), [*reset, leave], [])


def for_(em: Emitter, node: For, destination: Destination) -> None:
    """``for`` and ``repeat``."""
    source = em.values(node.source)
    how = {"items": "iterate", "pairs": "iterate_pairs", "range": "count", "times": "times"}[node.kind]
    sequence = em.run(how, *source)
    em.loops.append(Around(node.label, None))
    outer, em.out = em.out, em.step()
    names = [_loop_name(em, variable) for variable in (node.key, node.item) if variable is not None]
    if node.unpack is not None:
        em.into(node.unpack, None)
    em.into(node.body, None)
    body, em.out = em.out or [em.nothing()], outer
    target: ast.expr = ast.Name(names[0] if names else em.function.temporary(), STORE, **em.at)
    if len(names) == 2:
        target = ast.Tuple([ast.Name(name, STORE, **em.at) for name in names], STORE, **em.at)
    em.out.append(ast.For(target, sequence, body, [], **em.at))
    _after_loop(em)
    em.finish(em.constant(None), destination)


def _loop_name(em: Emitter, variable: Variable) -> str:
    """The Python name that the loop assigns; a variable in a box gets a new box each turn."""
    if not variable.boxed:
        return variable.python
    name = em.function.temporary()
    em.assign(variable.python, ast.List([em.name(name)], LOAD, **em.at))
    return name


def break_(em: Emitter, node: Break, _destination: Destination) -> None:
    """``break``."""
    around = _around(em, node.label)
    if node.value is not None:
        em.into(node.value, around.result)
    elif around.result is not None:
        em.assign(around.result, em.constant(None))
    _leave(em, node.label, ast.Break(**em.at))


def continue_(em: Emitter, node: Continue, _destination: Destination) -> None:
    """``continue``."""
    _leave(em, node.label, ast.Continue(**em.at))


def _around(em: Emitter, label: str | None) -> Around:
    if label is None:
        found: Around = em.loops[-1]
    else:
        found = next(around for around in reversed(em.loops) if around.label == label)
    return found


def _leave(em: Emitter, label: str | None, final: ast.stmt) -> None:
    """Leave the innermost loop, or all loops up to the labelled one: each checks a flag when it ends."""
    if label is None:
        em.out.append(final)
        return
    flag = em.function.temporary("leave")
    em.reset.append(flag)
    target = _around(em, label)
    crossing = em.loops[em.loops.index(target) + 1 :]
    for position, around in enumerate(crossing):
        around.crossed[flag] = final if position == 0 else ast.Break(**em.at)
        around.last[flag] = position == 0
    em.assign(flag, em.constant(True))
    em.out.append(ast.Break(**em.at))


def return_(em: Emitter, node: Return, _destination: Destination) -> None:
    """``return``."""
    em.into(node.value, RETURN)


def throw(em: Emitter, node: Throw, _destination: Destination) -> None:
    """``throw``."""
    em.out.append(ast.Raise(em.run("exception", em.value(node.value)), None, **em.at))


def yield_(em: Emitter, node: Yield) -> ast.expr:
    """``yield``; what comes back is nil."""
    em.out.append(ast.Expr(ast.Yield(em.value(node.value), **em.at), **em.at))
    return em.constant(None)


def leaving_value(em: Emitter, node: Node) -> ast.expr:
    """A node that never has a value, where one is wanted."""
    STRUCTURES[type(node)](em, node, None)
    return em.constant(None)


def try_(em: Emitter, node: Try, destination: Destination) -> None:
    """``try``: a call inside of it is never a tail call, for its errors belong to the clauses."""
    if node.finally_ is not None and destination not in (None, RETURN) and not is_internal(destination):
        result = em.function.temporary()  # finally still sees what the variable was
        try_(em, node, result)
        em.finish(em.name(result), destination)
        return
    em.guarded += 1
    body = em.block(node.body, destination) or [em.nothing()]
    handlers = [_handler(em, node, destination)] if node.clauses else []
    last = [] if node.finally_ is None else em.block(node.finally_, None)
    em.guarded -= 1
    if not handlers and not last:
        em.out.extend(body)
    else:
        em.out.append(ast.Try(body, handlers, [], last, **em.at))


def _handler(em: Emitter, node: Try, destination: Destination) -> ast.ExceptHandler:
    """One handler that tries the clauses in order and lets go on what none of them matches."""
    raised = em.function.temporary("raised")
    outer, em.out = em.out, []
    caught = em.run("caught", em.name(raised))
    if node.caught.boxed:
        caught = ast.List([caught], LOAD, **em.at)
    em.assign(node.caught.python, caught)
    exception: ast.expr = em.name(node.caught.python)
    if node.caught.boxed:
        exception = em.subscript(exception, em.constant(0))
    em.out.extend(_clauses(em, node.clauses, exception, destination))
    body, em.out = em.out, outer
    return ast.ExceptHandler(em.runtime("Exception"), raised, body, **em.at)


def _clauses(
    em: Emitter, clauses: list[Clause], exception: ast.expr, destination: Destination
) -> list[ast.stmt]:
    if not clauses:
        return [ast.Raise(None, None, **em.at)]
    clause, rest = clauses[0], clauses[1:]
    if clause.pattern is None:
        return em.block(clause.body, destination) or [em.nothing()]
    outer, em.out = em.out, []
    test = em.run("matches", exception, em.value(clause.pattern))
    body = em.block(clause.body, destination)
    em.if_(test, body, _clauses(em, rest, exception, destination))
    made, em.out = em.out, outer
    return made


STRUCTURES[Block] = block
STRUCTURES[If] = if_
STRUCTURES[Loop] = loop
STRUCTURES[For] = for_
STRUCTURES[Break] = break_
STRUCTURES[Continue] = continue_
STRUCTURES[Return] = return_
STRUCTURES[Throw] = throw
STRUCTURES[Try] = try_
EXPRESSIONS[Block] = block_value
EXPRESSIONS[Yield] = yield_
EXPRESSIONS[If] = if_value
for _leaving in (Break, Continue, Return, Throw):
    EXPRESSIONS[_leaving] = leaving_value
