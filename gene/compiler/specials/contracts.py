"""Contracts: conditions on the arguments and the result of a function."""

from __future__ import annotations

from gene.compiler.nodes import Block, Builtin, Call, Const, If, LocalGet, Logic, Node, Not, Run, Throw
from gene.compiler.specials.functions import define

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer


def contract(analyzer: Analyzer, body: list[Any], before: list[Any], after: list[Any]) -> Node:
    """The body of a function between its preconditions and its postconditions, which know ``result``."""
    span, function = analyzer.span, analyzer.function
    arguments: list[Node] = []
    for parameter in function.parameters:
        value = LocalGet(span, parameter.variable)
        arguments += [Const(span, parameter.variable.name), value]
    steps = [_check(analyzer, number, "pre", form, arguments) for number, form in enumerate(before, 1)]
    if not after:
        return Block(span, [*steps, analyzer.body(body)])
    inner = Call(span, define(analyzer, function.name, [], body, {}, None), [], [])
    with analyzer.block():
        result = analyzer.declare("result")
        steps.append(analyzer.assign_local(result, inner, span, fresh=True))
        shown = [*arguments, Const(span, None), LocalGet(span, result)]
        steps += [_check(analyzer, number, "post", form, shown) for number, form in enumerate(after, 1)]
        return Block(span, [*steps, LocalGet(span, result)])


def _check(analyzer: Analyzer, number: int, kind: str, form: Any, values: list[Node]) -> Node:
    """One condition: checked unless contracts are switched off."""
    span = analyzer.span
    which, name = f"{kind}condition #{number}", analyzer.function.name or "fn"
    words: list[Node] = [Const(span, name), Const(span, which), Const(span, repr(form))]
    failure = Throw(span, Run(span, "contract_failed", [*words, *values]))
    broken = Logic(span, "&&", Builtin(span, "contracts"), Not(span, analyzer.node(form)))
    return If(span, broken, failure, Const(span, None))
