"""Contracts: conditions on the arguments and the result of a function."""

from __future__ import annotations

from gene.compiler.nodes import Block, Builtin, Call, Const, If, LocalGet, Node, Run, Throw
from gene.compiler.specials.functions import define
from gene.data.forms import span_of
from gene.runtime.text import inspect

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer
    from gene.compiler.scope import Function


def contract(analyzer: Analyzer, body: list[Any], props: Any, function: Function) -> Node:
    """The body of a function between its preconditions and its postconditions, which know ``result``.

    Args:
        analyzer: The analyzer.
        body: The forms of the body.
        props: The properties of the ``fn`` form.
        function: The function that the contract is of; its body may be analysed as part of another one.
    """
    span, before, after = analyzer.span, _conditions(props, "pre"), _conditions(props, "post")
    if after and function.generator:
        raise analyzer.error("a generator has no result that ^post could look at", hint="check it with ^pre")
    arguments: list[Node] = []
    for parameter in function.parameters:
        analyzer.mention(parameter.variable)
        value = LocalGet(span, parameter.variable)
        arguments += [Const(span, parameter.variable.name), value]
    name = function.name or "fn"
    steps = [_check(analyzer, f"pre{number}", name, form, arguments) for number, form in before]
    if not after:
        return Block(span, [*steps, analyzer.body(body)])
    inner = Call(span, define(analyzer, name.rstrip("!"), [], body, {}, None), [], [])
    with analyzer.block():
        result = analyzer.declare("result")
        steps.append(analyzer.assign_local(result, inner, span, fresh=True))
        shown = [*arguments, Const(span, None), LocalGet(span, result)]
        steps += [_check(analyzer, f"post{number}", name, form, shown) for number, form in after]
        return Block(span, [*steps, LocalGet(span, result)])


def _conditions(props: Any, kind: str) -> list[tuple[str, Any]]:
    """The conditions of a kind with their numbers; one alone needs no array."""
    given = props.get(kind) or []
    return [
        (f"condition #{number}", form)
        for number, form in enumerate(given if isinstance(given, list) else [given], 1)
    ]


def _check(analyzer: Analyzer, which: str, name: str, form: Any, values: list[Node]) -> Node:
    """One condition: checked unless contracts are switched off."""
    span = span_of(form) or analyzer.span
    words: list[Node] = [Const(span, name), Const(span, which), Const(span, inspect(form))]
    failure = Throw(span, Run(span, "contract_failed", [*words, *values]))
    nothing = Const(span, None)
    check = If(span, analyzer.node(form), nothing, failure)
    return If(span, Builtin(span, "contracts"), check, nothing)
