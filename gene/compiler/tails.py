"""Tail calls: which become loops, and which must bounce so that the stack does not grow.

A function that calls itself last repeats its body. A call of anything that may come back to the function
by way of further last calls is handed to the caller, who makes it (:mod:`gene.runtime.calls`); that is so
for a function that a local variable holds, for functions of a module that call each other in a circle, and
for methods, which are found by their names: those that a call of this name may reach are the ones that the
source defines.
"""

from __future__ import annotations

from gene.compiler.calls import known_function
from gene.compiler.nodes import (
    Block,
    Call,
    Fn,
    For,
    GlobalGet,
    If,
    Loop,
    Node,
    Return,
    Send,
    Spread,
    Super,
    TailCall,
)

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Iterator

    from gene.compiler.scope import Function

    Links = list[tuple[TailCall, list[Function] | None]]
    """The tail calls of a function, each with the functions that it may reach, None for any at all."""

CONSTRUCTOR = "ctor"
"""The name of constructors, whose value nobody takes."""


def plan(functions: list[Fn]) -> None:
    """Decide for each function of a compilation how it makes its tail calls, and note it on the calls."""
    methods = _methods(functions)
    links: dict[Function, Links] = {}
    for fn in functions:
        links[fn.function] = made = []
        if fn.function.generator or (fn.function.receiver is not None and fn.function.name == CONSTRUCTOR):
            continue
        repeatable = _can_repeat(fn)
        for call, looped in _tail_calls(fn.body, looped=False):
            if repeatable and not looped and _is_repetition(fn.function, call):
                call.how = "repeat"
                fn.function.repeats = True
                continue
            targets = _targets(call, methods)
            if _keeps_promise(fn.function, targets):
                made.append((call, targets))
    _find_bouncing(links)
    for function, calls in links.items():
        for call, targets in calls:
            if function.bounces and (targets is None or any(target.bounces for target in targets)):
                call.how = "bounce"


def _methods(functions: list[Fn]) -> dict[str, list[Function]]:
    """The methods that the source defines, by name."""
    made: dict[str, list[Function]] = {}
    for fn in functions:
        if fn.function.receiver is not None and fn.function.name != CONSTRUCTOR:
            made.setdefault(fn.function.name, []).append(fn.function)
    return made


def _find_bouncing(links: dict[Function, Links]) -> None:
    """Functions in a circle bounce, those that may call anything, and whoever calls last one that bounces."""
    edges: dict[Function, set[Function]] = {}
    for function, calls in links.items():
        edges[function] = {target for _, targets in calls for target in targets or ()}
        function.bounces = any(targets is None for _, targets in calls)
    for function in edges:
        function.bounces = function.bounces or _reaches(function, function, edges)
    changed = True
    while changed:
        changed = False
        for function, targets in edges.items():
            if not function.bounces and any(target.bounces for target in targets):
                function.bounces = changed = True


def _reaches(start: Function, goal: Function, edges: dict[Function, set[Function]]) -> bool:
    seen: set[Function] = set()
    waiting = list(edges[start])
    while waiting:
        function = waiting.pop()
        if function is goal:
            return True
        if function not in seen:
            seen.add(function)
            waiting += edges.get(function, ())
    return False


def _tail_calls(node: Node, *, looped: bool) -> Iterator[tuple[TailCall, bool]]:
    """The calls whose value the function returns, and whether they are returned out of a loop."""
    yield from _last(node, looped=looped)
    yield from _returned(node, looped=looped)


def _last(node: Node, *, looped: bool) -> Iterator[tuple[TailCall, bool]]:
    if isinstance(node, TailCall):
        yield node, looped
    elif isinstance(node, Block) and node.items:
        yield from _last(node.items[-1], looped=looped)
    elif isinstance(node, If):
        yield from _last(node.then, looped=looped)
        yield from _last(node.otherwise, looped=looped)


def _returned(node: Node, *, looped: bool) -> Iterator[tuple[TailCall, bool]]:
    """The calls in ``return`` forms, but for those under a ``try``, which are not tail calls."""
    if isinstance(node, Return):
        yield from _last(node.value, looped=looped)
    elif isinstance(node, Block):
        for item in node.items:
            yield from _returned(item, looped=looped)
    elif isinstance(node, If):
        yield from _returned(node.then, looped=looped)
        yield from _returned(node.otherwise, looped=looped)
    elif isinstance(node, Loop | For):
        yield from _returned(node.body, looped=True)


def _targets(call: TailCall, methods: dict[str, list[Function]]) -> list[Function] | None:
    """The functions of the source that a call may reach; None for a local value, which may be any."""
    if isinstance(call, Call):
        known = known_function(call.callee)
        if known is not None:
            return [known.function]
        return [] if isinstance(call.callee, GlobalGet | Fn) else None
    assert isinstance(call, Send | Super)
    return methods.get(call.method, []) if isinstance(call.method, str) else []


def _keeps_promise(function: Function, targets: list[Function] | None) -> bool:
    """Whether a call's value needs no look at it: no result is declared, or the same as the callee's."""
    declared = function.result
    if declared is None or not targets:
        return declared is None
    return isinstance(declared, GlobalGet) and all(
        isinstance(target.result, GlobalGet) and target.result.name is declared.name for target in targets
    )


def _is_repetition(function: Function, call: TailCall) -> bool:
    """Whether a call is one of the function itself, with as many arguments as it has parameters."""
    if not isinstance(call, Call) or call.keywords or any(isinstance(arg, Spread) for arg in call.args):
        return False
    known = known_function(call.callee)
    return known is not None and known.function is function and len(call.args) == len(function.parameters)


def _can_repeat(fn: Fn) -> bool:
    """Whether the body can start again: plain parameters, and no inner function keeps this turn's values."""
    function = fn.function
    plain = all(parameter.kind == "positional" for parameter in function.parameters)
    return (
        plain and function.receiver is None and not any(variable.captured for variable in function.variables)
    )
