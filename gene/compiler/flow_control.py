"""The flow analysis of control: blocks, choices, loops, errors and functions."""

from __future__ import annotations

from gene.compiler.effects import assigned_in, steady
from gene.compiler.flow import ROUNDS, VISITORS, Flow, Turns, join
from gene.compiler.masks import ALL, FLOAT, INT, LARGEST, NEGATIVE, NIL, NOT_NEGATIVE, NUMBER, OTHER
from gene.compiler.nodes import (
    Block,
    Break,
    Class,
    Compare,
    Const,
    Continue,
    Fn,
    For,
    If,
    LocalGet,
    LocalSet,
    Logic,
    Loop,
    Node,
    Return,
    Throw,
    Try,
    Yield,
)

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable

    from gene.compiler.flow import State


# -- control -----------------------------------------------------------------------------------------


def _block(flow: Flow, node: Block) -> int:
    mask = NIL
    for item in node.items:
        mask = flow.visit(item)
    return mask


def _if(flow: Flow, node: If) -> int:
    flow.visit(node.test)
    start, dead = dict(flow.state), flow.dead
    _assume(flow, node.test)
    mask = flow.visit(node.then)
    mask = 0 if flow.dead else mask
    then = flow.state, flow.dead
    flow.state, flow.dead = start, dead
    _assume(flow, node.test, holds=False)
    other = flow.visit(node.otherwise)
    mask |= 0 if flow.dead else other
    flow.merge([then, (flow.state, flow.dead)])
    return mask


def _assume(flow: Flow, test: Node, *, holds: bool = True) -> None:
    """What holds where a condition is true, or false: a number below another is not the largest one."""
    if isinstance(test, Logic) and test.operator == ("&&" if holds else "||"):
        _assume(flow, test.left, holds=holds)
        _assume(flow, test.right, holds=holds)
    if not isinstance(test, Compare) or test.operator not in (("<", ">") if holds else ("<=", ">=")):
        return
    rising = (test.operator == "<") if holds else (test.operator == ">=")
    low, high = (test.left, test.right) if rising else (test.right, test.left)
    if not holds and high.mask & FLOAT:  # what is not above a NaN need not be below it
        return
    if isinstance(low, LocalGet) and not isinstance(high, LocalSet):
        known = flow.state.get(low.variable)
        if known is not None and steady(low, [high]):
            flow.state[low.variable] = known & ~LARGEST


def _repeat(flow: Flow, label: str | None, turn: Callable[[Turns], None]) -> Turns:
    """Visit a loop until the state at its head stands; then go on from the states that it is left in."""
    head, dead = dict(flow.state), flow.dead
    for round_ in range(ROUNDS):
        turns = Turns(label)
        flow.loops.append(turns)
        flow.state, flow.dead = dict(head), dead
        turn(turns)
        flow.loops.pop()
        backs = [state for state, ended in [*turns.continues, (flow.state, flow.dead)] if not ended]
        joined = join([head, *backs])
        if joined == head:
            break
        head = joined if round_ < ROUNDS - 2 else {}
    flow.merge(turns.breaks)
    return turns


def _loop(flow: Flow, node: Loop) -> int:
    def turn(turns: Turns) -> None:
        if node.test is not None:
            flow.visit(node.test)
            turns.breaks.append((dict(flow.state), flow.dead))
            _assume(flow, node.test)
        flow.visit(node.body)

    node.first = _settle(flow, node)
    turns = _repeat(flow, node.label, turn)
    return NIL if node.test is not None else turns.value


def _first_test(body: Node) -> Node | None:
    """The condition that an endless loop begins with, as in ``(loop (if (i > n) (break)) …)``."""
    while isinstance(body, Block) and body.items:
        body = body.items[0]
    return body.test if isinstance(body, If) else None


def _settle(flow: Flow, node: Loop) -> list[Compare]:
    """The comparison that a loop evaluates first, if checking it beforehand settles what a variable is.

    The variable is not assigned in the loop; once compared with a number it is a number, in every turn.
    """
    test = node.test if node.test is not None else _first_test(node.body)
    while isinstance(test, Logic) and test.operator == "&&":
        test = test.left
    if not isinstance(test, Compare):
        return []
    simple = (LocalGet, Const)
    if not isinstance(test.left, simple) or not isinstance(test.right, simple):
        return []
    left, right = flow.visit(test.left), flow.visit(test.right)
    settled = []
    for operand, mask, other in ((test.left, left, right), (test.right, right, left)):
        if isinstance(operand, LocalGet) and mask & ~NUMBER and not other & ~NUMBER:
            variable = operand.variable
            if not variable.inner and not variable.boxed and variable not in assigned_in(node):
                flow.state[variable] = mask & NUMBER or NUMBER
                settled.append(test)
    return settled


def _for(flow: Flow, node: For) -> int:
    flow.all(node.source)
    item = _item_mask(node)

    def turn(turns: Turns) -> None:
        turns.breaks.append((dict(flow.state), flow.dead))
        for variable, mask in ((node.key, ALL), (node.item, item)):
            if variable is not None:
                flow.set(variable, mask)
        flow.all([node.unpack, node.body])

    _repeat(flow, node.label, turn)
    return NIL


def _item_mask(node: For) -> int:
    """What a loop over a range that is written out counts through."""
    if node.kind != "range":
        return ALL
    masks = [source.mask & NUMBER or NUMBER for source in node.source]
    step = masks[2] if len(masks) > 2 else NOT_NEGATIVE
    upwards = not (masks[0] | step) & NEGATIVE
    floats = FLOAT if any(source.mask & ~INT for source in node.source) else 0
    return floats | (NOT_NEGATIVE if upwards else INT)


def _target(flow: Flow, label: str | None) -> Turns:
    if label is None:
        return flow.loops[-1]
    return next(turns for turns in reversed(flow.loops) if turns.label == label)


def _break(flow: Flow, node: Break) -> int:
    turns = _target(flow, node.label)
    mask = NIL if node.value is None else flow.visit(node.value)  # it may break itself, with another value
    turns.value |= mask
    turns.breaks.append((dict(flow.state), flow.dead))
    flow.leave()
    return 0


def _continue(flow: Flow, node: Continue) -> int:
    _target(flow, node.label).continues.append((dict(flow.state), flow.dead))
    flow.leave()
    return 0


def _return(flow: Flow, node: Return) -> int:
    mask = flow.visit(node.value)
    if not flow.dead:
        flow.returned |= mask
    flow.leave()
    return 0


def _yield(flow: Flow, node: Yield) -> int:
    flow.visit(node.value)
    return ALL


def _throw(flow: Flow, node: Throw) -> int:
    flow.visit(node.value)
    flow.leave()
    return 0


def _try(flow: Flow, node: Try) -> int:
    """A clause may begin after any part of the body, so what the body assigns is not known there."""
    before, dead = dict(flow.state), flow.dead
    mask = flow.visit(node.body)
    ends = [(flow.state, flow.dead)]
    changed = assigned_in(node.body)
    unsure = {variable: known for variable, known in before.items() if variable not in changed}
    for clause in node.clauses:
        flow.state, flow.dead = dict(unsure), dead
        flow.set(node.caught, OTHER)
        if clause.pattern is not None:
            flow.visit(clause.pattern)
        mask |= flow.visit(clause.body)
        ends.append((flow.state, flow.dead))
    if node.finally_ is not None:
        _finally(flow, node, unsure, ends)
    else:
        flow.merge(ends)
    return mask


def _finally(flow: Flow, node: Try, unsure: State, ends: list[tuple[State, bool]]) -> None:
    """The last part runs after everything, so nothing that anything before assigns is known in it."""
    assert node.finally_ is not None
    changed = set().union(*(assigned_in(clause.body) for clause in node.clauses))
    flow.state = {variable: known for variable, known in unsure.items() if variable not in changed}
    ended = all(dead for _, dead in ends)
    flow.dead = False
    flow.visit(node.finally_)
    flow.dead = flow.dead or ended


def _fn(_flow: Flow, node: Fn) -> int:
    result = Flow(node.function).run(node.body)
    if node.function.known is not None:
        node.function.result_mask |= OTHER if node.function.generator else result
    return OTHER


def _class(flow: Flow, node: Class) -> int:
    flow.all([node.parent, *node.interfaces, node.adapts, node.constructor])
    flow.all(fn for _, fn in node.methods)
    return OTHER


VISITORS[Block] = _block
VISITORS[Break] = _break
VISITORS[Class] = _class
VISITORS[Continue] = _continue
VISITORS[Fn] = _fn
VISITORS[For] = _for
VISITORS[If] = _if
VISITORS[Loop] = _loop
VISITORS[Return] = _return
VISITORS[Throw] = _throw
VISITORS[Try] = _try
VISITORS[Yield] = _yield
