"""Flow analysis: which kinds of values each node can have, so that the emitter can leave checks out.

Nodes are visited in the order of evaluation with a state, the masks of the local variables at that point.
An operation that succeeds tells something about its operands: after ``(n < 2)`` n is a number. Loops are
visited until the state at their head no longer changes, functions that are known by name until the masks of
their results no longer do.
"""

from __future__ import annotations

from gene.compiler.calls import known_function
from gene.compiler.effects import assigned_in, steady
from gene.compiler.masks import (
    ALL,
    ARRAY,
    BOOL,
    FLOAT,
    INT,
    LARGEST,
    MAP,
    NEGATIVE,
    NIL,
    NOT_NEGATIVE,
    NUMBER,
    OTHER,
    STRING,
    VOID,
    mask_of_constant,
)
from gene.compiler.nodes import (
    Array,
    Binary,
    Block,
    Break,
    Builtin,
    Call,
    Class,
    Compare,
    Const,
    Continue,
    Environment,
    Equal,
    Fn,
    For,
    GlobalGet,
    GlobalSet,
    If,
    Interpolation,
    LocalGet,
    LocalSet,
    Logic,
    Loop,
    MacroCall,
    Map,
    Member,
    Node,
    Not,
    Return,
    Run,
    Send,
    SetMember,
    SetSelf,
    Spread,
    Super,
    Throw,
    Try,
    Yield,
)

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from gene.compiler.analyzer import Analyzer
    from gene.compiler.scope import Function, Variable

    State = dict[Variable, int]

ROUNDS = 8
"""How often functions and loops are visited before the analysis gives up and assumes nothing."""

_DECLARED = {"Int": INT, "Float": FLOAT, "Bool": BOOL, "String": STRING, "Array": ALL, "Map": ALL}
_RESULTS = {
    "concatenate": STRING,
    "exclusive_or": INT | BOOL | OTHER,
    "gene_maker": OTHER,
    "hash_map": OTHER,
    "is_instance": BOOL,
    "join_strings": STRING,
    "make_range": OTHER,
    "make_union": OTHER,
    "negate": NUMBER,
    "run_async": OTHER,
}
"""What runtime functions return, where that is worth knowing."""


def infer(analyzer: Analyzer, body: Node) -> None:
    """Fill in the masks of all nodes of an analysed source."""
    known = [fn.function for fn in analyzer.functions if _is_known(fn.function, analyzer)]
    for function in known:
        function.result_mask = 0
    for _ in range(ROUNDS):
        before = [function.result_mask for function in known]
        _Flow(analyzer.top).run(body)
        if before == [function.result_mask for function in known]:
            return
    for function in known:
        function.result_mask = ALL
        function.known = None
    _Flow(analyzer.top).run(body)


def _is_known(function: Function, analyzer: Analyzer) -> bool:
    """Whether callers may rely on what a function returns: its name means it for good."""
    name = function.known
    if analyzer.interactive or name is None or name.assignments != 1 or function.result is not None:
        function.known = None
        return False
    return True


class _Flow:
    """The analysis of one function."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.state: State = {}
        self.dead = False
        self.returned = 0
        self.loops: list[_Turns] = []

    def run(self, body: Node) -> int:
        """Visit the body; the result is the mask of what the function returns."""
        for variable in self.function.variables:
            if variable.unset or variable.early:
                self.set(variable, NIL)
        for parameter in self.function.parameters:
            if parameter.kind == "positional" and isinstance(parameter.type, GlobalGet):
                self.set(parameter.variable, _DECLARED.get(parameter.type.name.name, ALL) | NIL)
            if parameter.default is not None:
                self.visit(parameter.default)
            if parameter.type is not None:
                self.visit(parameter.type)
        last = self.visit(body)
        return self.returned if self.dead else self.returned | last

    # -- states --------------------------------------------------------------------------------------

    def set(self, variable: Variable, mask: int) -> None:
        """Note what a variable holds from here on."""
        if variable.inner:
            return
        self.state[variable] = mask

    def narrow(self, node: Node, mask: int, others: Iterable[Node] = ()) -> None:
        """Note that the value just read from a variable turned out to be of certain kinds."""
        if isinstance(node, LocalGet) and steady(node, list(others)) and not node.variable.inner:
            self.state[node.variable] = self.state.get(node.variable, ALL) & mask or mask

    def leave(self) -> None:
        """The code that follows is not reached."""
        self.dead = True

    def merge(self, ends: list[tuple[State, bool]]) -> None:
        """Go on from any of several states."""
        alive = [state for state, dead in ends if not dead]
        self.dead = not alive
        self.state = _join(alive) if alive else {}

    # -- nodes ---------------------------------------------------------------------------------------

    def visit(self, node: Node) -> int:
        """The mask of a node, which is noted on it too."""
        visit = _VISITORS.get(type(node))
        mask = ALL if visit is None else visit(self, node)
        node.mask = mask
        return mask

    def all(self, nodes: Iterable[Any]) -> None:
        """Visit nodes in order."""
        for node in nodes:
            if isinstance(node, Node):
                self.visit(node)


class _Turns:
    """A loop being visited: the states in which it is left or begun again, and the masks of its value."""

    def __init__(self, label: str | None) -> None:
        self.label = label
        self.breaks: list[tuple[State, bool]] = []
        self.continues: list[tuple[State, bool]] = []
        self.value = 0


def _join(states: list[State]) -> State:
    first, rest = states[0], states[1:]
    if not rest:
        return first
    joined: State = {}
    for variable, mask in first.items():
        if all(variable in state for state in rest):
            for state in rest:
                mask |= state[variable]  # noqa: PLW2901 - the join of the masks
            joined[variable] = mask
    return joined


# -- values ------------------------------------------------------------------------------------------


def _const(_flow: _Flow, node: Const) -> int:
    return mask_of_constant(node.value)


def _builtin(_flow: _Flow, node: Builtin) -> int:
    return VOID if node.name == "void" else OTHER


def _local_get(flow: _Flow, node: LocalGet) -> int:
    return flow.state.get(node.variable, ALL)


def _local_set(flow: _Flow, node: LocalSet) -> int:
    mask = flow.visit(node.value)
    flow.set(node.variable, mask)
    return mask


def _global_get(_flow: _Flow, node: GlobalGet) -> int:
    return OTHER if known_function(node) is not None and node.name.function.function.known else ALL  # type: ignore[union-attr]


def _global_set(flow: _Flow, node: GlobalSet) -> int:
    return flow.visit(node.value)


def _member(flow: _Flow, node: Member) -> int:
    flow.all([node.object, node.key, node.fallback])
    return ALL


def _set_member(flow: _Flow, node: SetMember) -> int:
    mask = flow.visit(node.value)
    flow.all([node.object, node.key])
    return mask if node.operator is None else ALL


def _set_self(flow: _Flow, node: SetSelf) -> int:
    flow.visit(node.object)
    return flow.visit(node.value)


def _run(flow: _Flow, node: Run) -> int:
    flow.all(node.args)
    return _RESULTS.get(node.function, ALL)


def _call(flow: _Flow, node: Call) -> int:
    flow.all(value for _, value in node.keywords)
    flow.visit(node.callee)
    flow.all(node.args)
    known = known_function(node.callee)
    return ALL if known is None or known.function.known is None else known.function.result_mask


def _send(flow: _Flow, node: Send) -> int:
    flow.all(value for _, value in node.keywords)
    flow.all([node.receiver, node.method])
    flow.all(node.args)
    return ALL


def _super(flow: _Flow, node: Super) -> int:
    flow.all(value for _, value in node.keywords)
    flow.all([node.owner, node.receiver])
    flow.all(node.args)
    return ALL


def _environment(flow: _Flow, node: Environment) -> int:
    flow.all([node.outer])
    return OTHER


def _macro_call(flow: _Flow, node: MacroCall) -> int:
    flow.all([node.callee, node.environment, *node.data, *node.thunks])
    return ALL


def _spread(flow: _Flow, node: Spread) -> int:
    flow.visit(node.value)
    return ALL


def _array(flow: _Flow, node: Array) -> int:
    flow.all(node.items)
    return OTHER if node.frozen else ARRAY


def _map(flow: _Flow, node: Map) -> int:
    flow.all(value for _, value in node.entries)
    return OTHER if node.frozen else MAP


def _interpolation(flow: _Flow, node: Interpolation) -> int:
    flow.all(node.parts)
    return STRING


# -- operators ---------------------------------------------------------------------------------------


def _binary(flow: _Flow, node: Binary) -> int:
    left, right = flow.visit(node.left), flow.visit(node.right)
    flow.narrow(node.left, NUMBER, [node.right])
    flow.narrow(node.right, NUMBER)
    return _arithmetic(node.operator, left & NUMBER or NUMBER, right & NUMBER or NUMBER)


def _arithmetic(operator: str, left: int, right: int) -> int:
    """The mask of a result, from those of two numbers."""
    if operator == "/":
        return FLOAT
    floats = (left | right) & FLOAT
    if not left & INT or not right & INT:
        return floats
    if operator == "+":
        return floats | _signs(left | right)
    if operator == "%":
        return floats | (INT if left & NEGATIVE else NOT_NEGATIVE)
    if operator == "*":
        mixed = (left | right) & NEGATIVE
        return floats | (INT if mixed else NOT_NEGATIVE)
    natural = not left & NEGATIVE and not right & NOT_NEGATIVE
    return floats | (NOT_NEGATIVE if natural else INT)


def _signs(mask: int) -> int:
    """The Ints of the same signs, whatever their size."""
    return (NOT_NEGATIVE if mask & NOT_NEGATIVE else 0) | (mask & NEGATIVE)


def _compare(flow: _Flow, node: Compare) -> int:
    left, right = flow.visit(node.left), flow.visit(node.right)
    if not right & ~NUMBER:
        flow.narrow(node.left, NUMBER, [node.right])
    if not left & ~NUMBER:
        flow.narrow(node.right, NUMBER)
    return BOOL


def _equal(flow: _Flow, node: Equal) -> int:
    flow.all([node.left, node.right])
    return BOOL


def _logic(flow: _Flow, node: Logic) -> int:
    left = flow.visit(node.left)
    before = dict(flow.state)
    right = flow.visit(node.right)
    flow.merge([(before, False), (flow.state, flow.dead)])
    bits = INT if left & INT and right & INT else 0
    if node.operator == "&&":
        return (left & (BOOL | NIL | VOID)) | right | bits
    return (left & ~(NIL | VOID)) | right | bits


def _not(flow: _Flow, node: Not) -> int:
    mask = flow.visit(node.value)
    if mask == ALL or mask & OTHER:
        return BOOL | INT | OTHER
    return BOOL | (INT if mask & INT else 0)


# -- control -----------------------------------------------------------------------------------------


def _block(flow: _Flow, node: Block) -> int:
    mask = NIL
    for item in node.items:
        mask = flow.visit(item)
    return mask


def _if(flow: _Flow, node: If) -> int:
    flow.visit(node.test)
    start, dead = dict(flow.state), flow.dead
    _assume(flow, node.test)
    mask = flow.visit(node.then)
    mask = 0 if flow.dead else mask
    then = flow.state, flow.dead
    flow.state, flow.dead = start, dead
    other = flow.visit(node.otherwise)
    mask |= 0 if flow.dead else other
    flow.merge([then, (flow.state, flow.dead)])
    return mask


def _assume(flow: _Flow, test: Node) -> None:
    """What holds where a condition is true: a number below another is not the largest one."""
    if isinstance(test, Logic) and test.operator == "&&":
        _assume(flow, test.left)
        _assume(flow, test.right)
    if not isinstance(test, Compare) or test.operator not in "<>":
        return
    low, high = (test.left, test.right) if test.operator == "<" else (test.right, test.left)
    if isinstance(low, LocalGet) and not isinstance(high, LocalSet):
        known = flow.state.get(low.variable)
        if known is not None and steady(low, [high]):
            flow.state[low.variable] = known & ~LARGEST


def _repeat(flow: _Flow, label: str | None, turn: Callable[[_Turns], None]) -> _Turns:
    """Visit a loop until the state at its head stands; then go on from the states that it is left in."""
    head, dead = dict(flow.state), flow.dead
    for round_ in range(ROUNDS):
        turns = _Turns(label)
        flow.loops.append(turns)
        flow.state, flow.dead = dict(head), dead
        turn(turns)
        flow.loops.pop()
        backs = [state for state, ended in [*turns.continues, (flow.state, flow.dead)] if not ended]
        joined = _join([head, *backs])
        if joined == head:
            break
        head = joined if round_ < ROUNDS - 2 else {}
    flow.merge(turns.breaks)
    return turns


def _loop(flow: _Flow, node: Loop) -> int:
    def turn(turns: _Turns) -> None:
        if node.test is not None:
            flow.visit(node.test)
            turns.breaks.append((dict(flow.state), flow.dead))
            _assume(flow, node.test)
        flow.visit(node.body)

    turns = _repeat(flow, node.label, turn)
    return NIL if node.test is not None else turns.value


def _for(flow: _Flow, node: For) -> int:
    flow.all(node.source)
    item = _item_mask(node)

    def turn(turns: _Turns) -> None:
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


def _target(flow: _Flow, label: str | None) -> _Turns:
    if label is None:
        return flow.loops[-1]
    return next(turns for turns in reversed(flow.loops) if turns.label == label)


def _break(flow: _Flow, node: Break) -> int:
    turns = _target(flow, node.label)
    turns.value |= NIL if node.value is None else flow.visit(node.value)
    turns.breaks.append((dict(flow.state), flow.dead))
    flow.leave()
    return 0


def _continue(flow: _Flow, node: Continue) -> int:
    _target(flow, node.label).continues.append((dict(flow.state), flow.dead))
    flow.leave()
    return 0


def _return(flow: _Flow, node: Return) -> int:
    mask = flow.visit(node.value)
    if not flow.dead:
        flow.returned |= mask
    flow.leave()
    return 0


def _yield(flow: _Flow, node: Yield) -> int:
    flow.visit(node.value)
    return ALL


def _throw(flow: _Flow, node: Throw) -> int:
    flow.visit(node.value)
    flow.leave()
    return 0


def _try(flow: _Flow, node: Try) -> int:
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


def _finally(flow: _Flow, node: Try, unsure: State, ends: list[tuple[State, bool]]) -> None:
    """The last part runs after everything, so nothing that anything before assigns is known in it."""
    assert node.finally_ is not None
    changed = set().union(*(assigned_in(clause.body) for clause in node.clauses))
    flow.state = {variable: known for variable, known in unsure.items() if variable not in changed}
    ended = all(dead for _, dead in ends)
    flow.dead = False
    flow.visit(node.finally_)
    flow.dead = flow.dead or ended


def _fn(_flow: _Flow, node: Fn) -> int:
    result = _Flow(node.function).run(node.body)
    if node.function.known is not None:
        node.function.result_mask |= result
    return OTHER


def _class(flow: _Flow, node: Class) -> int:
    flow.all([node.parent, *node.interfaces, node.adapts, node.constructor])
    flow.all(fn for _, fn in node.methods)
    flow.all(value for _, value in node.members)
    return OTHER


_VISITORS: dict[type, Callable[[_Flow, Any], int]] = {
    Array: _array,
    Binary: _binary,
    Block: _block,
    Break: _break,
    Builtin: _builtin,
    Call: _call,
    Class: _class,
    Compare: _compare,
    Const: _const,
    Continue: _continue,
    Environment: _environment,
    Equal: _equal,
    Fn: _fn,
    For: _for,
    GlobalGet: _global_get,
    GlobalSet: _global_set,
    If: _if,
    Interpolation: _interpolation,
    LocalGet: _local_get,
    LocalSet: _local_set,
    Logic: _logic,
    Loop: _loop,
    MacroCall: _macro_call,
    Map: _map,
    Member: _member,
    Not: _not,
    Return: _return,
    Run: _run,
    Send: _send,
    SetMember: _set_member,
    SetSelf: _set_self,
    Spread: _spread,
    Super: _super,
    Throw: _throw,
    Try: _try,
    Yield: _yield,
}
