"""Tail calls: which become loops, and which must bounce so that the stack does not grow.

A function that calls itself last repeats its body. A call of anything that may come back to the function
by way of further last calls is handed to the caller, who makes it (:mod:`gene.runtime.calls`); that is so
for a function that a local variable holds, and for module functions that call each other in a circle.
"""

from __future__ import annotations

from gene.compiler.calls import known_function
from gene.compiler.nodes import Block, Call, Fn, For, GlobalGet, If, LocalGet, Loop, Node, Return, Spread

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Iterator

    from gene.compiler.scope import Function


def plan(functions: list[Fn]) -> None:
    """Decide for each function of a compilation how it makes its tail calls."""
    callees: dict[Function, list[Fn]] = {}
    for fn in functions:
        function = fn.function
        if function.generator:
            callees[function] = []
            continue
        calls = list(_tail_calls(fn.body))
        function.repeats = _can_repeat(fn) and any(_is_own(function, call) for call in calls)
        known = [known_function(call.callee) for call in calls if _is_plain(call)]
        callees[function] = [callee for callee in known if callee is not None]
        function.bounces = any(_is_unknown(function, call) for call in calls) or any(
            _is_own(function, call) and _is_plain(call) for call in _looped_calls(fn.body)
        )
    _spread_bounces(callees)


def _spread_bounces(callees: dict[Function, list[Fn]]) -> None:
    """Functions in a circle bounce, and so does whoever calls last a function that bounces."""
    for function in callees:
        if _reaches(function, function, callees) and not _only_itself(function, callees):
            function.bounces = True
    changed = True
    while changed:
        changed = False
        for function, targets in callees.items():
            if not function.bounces and any(
                t.function.bounces and t.function is not function for t in targets
            ):
                function.bounces = changed = True


def _only_itself(function: Function, callees: dict[Function, list[Fn]]) -> bool:
    if not function.repeats:
        return False
    others = {target.function for target in callees[function]} - {function}
    return not any(_reaches(other, function, callees) for other in others)


def _reaches(start: Function, goal: Function, callees: dict[Function, list[Fn]]) -> bool:
    seen: set[Function] = set()
    waiting = [target.function for target in callees.get(start, ())]
    while waiting:
        function = waiting.pop()
        if function is goal:
            return True
        if function not in seen:
            seen.add(function)
            waiting += [target.function for target in callees.get(function, ())]
    return False


def _tail_calls(node: Node) -> Iterator[Call]:
    """The calls whose value the function returns."""
    yield from _last(node)
    for inner in _returns(node):
        yield from _last(inner.value)


def _last(node: Node) -> Iterator[Call]:
    if isinstance(node, Call):
        yield node
    elif isinstance(node, Block) and node.items:
        yield from _last(node.items[-1])
    elif isinstance(node, If):
        yield from _last(node.then)
        yield from _last(node.otherwise)


def _returns(node: Node) -> Iterator[Return]:
    """The ``return`` forms in a body, but for those under a ``try``, whose calls are not tail calls."""
    if isinstance(node, Return):
        yield node
    elif isinstance(node, Block):
        for item in node.items:
            yield from _returns(item)
    elif isinstance(node, If):
        yield from _returns(node.then)
        yield from _returns(node.otherwise)
    elif isinstance(node, Loop | For):
        yield from _returns(node.body)


def _looped_calls(node: Node) -> Iterator[Call]:
    """The calls that are returned out of a loop, where a call of the function itself cannot be a loop."""
    if isinstance(node, Loop | For):
        yield from _tail_calls(node.body)
    elif isinstance(node, Block):
        for item in node.items:
            yield from _looped_calls(item)
    elif isinstance(node, If):
        yield from _looped_calls(node.then)
        yield from _looped_calls(node.otherwise)


def _is_plain(call: Call) -> bool:
    return not call.keywords and not any(isinstance(arg, Spread) for arg in call.args)


def _is_unknown(function: Function, call: Call) -> bool:
    """Whether a call may reach any function at all: its callee is a local value."""
    if not _is_plain(call):
        return False
    callee = call.callee
    if isinstance(callee, LocalGet):
        known = known_function(callee)
        return known is None or (known.function is function and not function.repeats)
    return not isinstance(callee, GlobalGet) and not isinstance(callee, Fn)


def _is_own(function: Function, call: Call) -> bool:
    known = known_function(call.callee)
    return known is not None and known.function is function and len(call.args) == len(function.parameters)


def _can_repeat(fn: Fn) -> bool:
    """Whether the body can start again: plain parameters, and no inner function keeps this turn's values."""
    function = fn.function
    plain = all(parameter.kind == "positional" for parameter in function.parameters)
    return (
        plain and function.receiver is None and not any(variable.captured for variable in function.variables)
    )


def is_own_loop(function: Function, call: Call) -> bool:
    """Whether a tail call is a loop: the function calls itself."""
    return function.repeats and _is_plain(call) and _is_own(function, call)


def must_bounce(function: Function, call: Call) -> bool:
    """Whether a tail call is handed to the caller."""
    if not function.bounces or not _is_plain(call):
        return False
    known = known_function(call.callee)
    return (
        known.function.bounces or known.function is function
        if known is not None
        else _is_unknown(function, call)
    )
