"""Flow analysis: which kinds of values each node can have, so that the emitter can leave checks out.

Nodes are visited in the order of evaluation with a state, the masks of the local variables at that point.
An operation that succeeds tells something about its operands: after ``(n < 2)`` n is a number. Loops are
visited until the state at their head no longer changes, functions that are known by name until the masks of
their results no longer do.
"""

from __future__ import annotations

from gene.compiler.effects import steady
from gene.compiler.masks import ALL, BOOL, FLOAT, INT, NIL, STRING
from gene.compiler.nodes import GlobalGet, LocalGet, Map, Node

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from gene.compiler.analyzer import Analyzer
    from gene.compiler.scope import Function, Variable

    State = dict[Variable, int]

ROUNDS = 8
"""How often functions and loops are visited before the analysis gives up and assumes nothing."""

DECLARED = {"Int": INT, "Float": FLOAT, "Bool": BOOL, "String": STRING, "Array": ALL, "Map": ALL}
"""The kinds of values, besides nil, that pass a declared type."""


VISITORS: dict[type, Callable[[Flow, Any], int]] = {}
"""How to visit each class of nodes: the modules beside this one that start with its name fill it in."""


def infer(analyzer: Analyzer, body: Node) -> None:
    """Fill in the masks of all nodes of an analysed source."""
    known = [fn.function for fn in analyzer.functions if _is_known(fn.function, analyzer)]
    for function in known:
        function.result_mask = 0
    shared, records = _global_variables(analyzer)
    for _ in range(ROUNDS):
        before = _facts(known, shared, records)
        Flow(analyzer.top).run(body)
        if before == _facts(known, shared, records):
            return
    for function in known:
        function.result_mask = ALL
        function.known = None
    for variable in shared:
        variable.known = ALL
    for variable in records:
        variable.fields = None
    Flow(analyzer.top).run(body)


def _facts(known: list[Function], shared: list[Variable], records: list[Variable]) -> list[Any]:
    """What the analysis knows wherever the program is: it is done when a round adds nothing to it."""
    fields = [dict(variable.fields or {}) for variable in records]
    return [*(function.result_mask for function in known), *(variable.known for variable in shared), *fields]


def _global_variables(analyzer: Analyzer) -> tuple[list[Variable], list[Variable]]:
    """Variables that inner functions assign, and those that hold a map which nobody else gets to see."""
    shared: list[Variable] = []
    records: list[Variable] = []
    for function in [analyzer.top, *(fn.function for fn in analyzer.functions)]:
        parameters = {parameter.variable for parameter in function.parameters}
        for variable in function.variables:
            if variable.inner:
                variable.known = ALL if variable.exposed or variable in parameters else 0
                shared.append(variable)
            elif _is_record(variable):
                variable.fields = {}
                records.append(variable)
    return shared, records


def _is_record(variable: Variable) -> bool:
    """Whether a variable holds a map literal for good, and is used for nothing but its named entries."""
    value = variable.value
    if not isinstance(value, Map) or value.frozen or variable.assignments != 1 or variable.captured:
        return False
    return variable.reads == variable.members and all(key is not None for key, _ in value.entries)


def _is_known(function: Function, analyzer: Analyzer) -> bool:
    """Whether callers may rely on what a function returns: its name means it for good."""
    name = function.known
    if analyzer.interactive or name is None or name.assignments != 1 or function.result is not None:
        function.known = None
        return False
    return True


class Flow:
    """The analysis of one function."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.state: State = {}
        self.dead = False
        self.returned = 0
        self.loops: list[Turns] = []

    def run(self, body: Node) -> int:
        """Visit the body; the result is the mask of what the function returns."""
        for variable in self.function.variables:
            if variable.unset or variable.early:
                self.set(variable, NIL)
        for parameter in self.function.parameters:
            if parameter.kind == "positional" and isinstance(parameter.type, GlobalGet):
                self.set(parameter.variable, DECLARED.get(parameter.type.name.name, ALL) | NIL)
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
            variable.known |= mask
        else:
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
        self.state = join(alive) if alive else {}

    # -- nodes ---------------------------------------------------------------------------------------

    def visit(self, node: Node) -> int:
        """The mask of a node, which is noted on it too."""
        visit = VISITORS.get(type(node))
        mask = ALL if visit is None else visit(self, node)
        node.mask = mask
        return mask

    def all(self, nodes: Iterable[Any]) -> None:
        """Visit nodes in order."""
        for node in nodes:
            if isinstance(node, Node):
                self.visit(node)


class Turns:
    """A loop being visited: the states in which it is left or begun again, and the masks of its value."""

    def __init__(self, label: str | None) -> None:
        self.label = label
        self.breaks: list[tuple[State, bool]] = []
        self.continues: list[tuple[State, bool]] = []
        self.value = 0


def join(states: list[State]) -> State:
    """The state of which any of several may hold: a variable may be of any kind that it is in one of them."""
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
