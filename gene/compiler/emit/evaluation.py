"""Environments and macro calls."""

from __future__ import annotations

import ast

from gene.compiler.emit.emitter import EXPRESSIONS, LOAD, STORE, Emitter
from gene.compiler.emit.functions import define, evaluated_parameters
from gene.compiler.emit.values import INLINE
from gene.compiler.nodes import Environment, LocalGet, MacroCall, Run

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from gene.compiler.scope import Variable


def environment(em: Emitter, node: Environment) -> ast.expr:
    """An environment: a function that makes the table of accessors, called when someone asks for it."""
    names: list[ast.expr | None] = [em.constant(name) for name in node.variables]
    body: list[ast.stmt] = []
    accessors = [_accessors(em, variable, body) for variable in node.variables.values()]
    body.append(ast.Return(ast.Dict(names, accessors, **em.at), **em.at))
    name = em.function.temporary("environment")
    define(em, node.function, name, _function(em, name, [], body))
    outer = em.constant(None) if node.outer is None else em.value(node.outer)
    top, spaces = em.constant(node.top), em.values(node.spaces)
    return em.run("environment", em.name("%ns"), em.name(name), outer, top, *spaces)


def _accessors(em: Emitter, variable: Variable, body: list[ast.stmt]) -> ast.expr:
    """A pair of functions, one that reads a variable and one that assigns it."""
    place = ast.Name(variable.python, LOAD, **em.at)
    value: ast.expr = em.subscript(place, em.constant(0)) if variable.boxed else place
    no_arguments = ast.arguments([], [], None, [], [], None, [])
    read = ast.Lambda(no_arguments, value, **em.at)
    if variable.constant:
        return ast.Tuple([read, em.constant(None)], LOAD, **em.at)
    setter = em.function.temporary("set")
    target: ast.expr = ast.Name(variable.python, STORE, **em.at)
    statements: list[ast.stmt] = []
    if variable.boxed:
        target = ast.Subscript(place, em.constant(0), STORE, **em.at)
    else:
        statements.append(ast.Nonlocal([variable.python], **em.at))
    statements.append(ast.Assign([target], em.name("%value"), **em.at))
    body.append(_function(em, setter, ["%value"], statements))
    return ast.Tuple([read, em.name(setter)], LOAD, **em.at)


def _function(em: Emitter, name: str, parameters: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
    arguments = ast.arguments(
        [], [ast.arg(each, None, **em.at) for each in parameters], None, [], [], None, []
    )
    return em.definition(name, arguments, body)


def macro_call(em: Emitter, node: MacroCall) -> ast.expr:
    """A macro call: the runtime looks whether the callee is a macro."""
    callee, around, *functions = em.values([node.callee, node.environment, *node.thunks])
    data, names = em.data(tuple(node.data)), em.constant(tuple(node.names))
    thunks = ast.Tuple(functions, LOAD, **em.at)
    return em.run("call_macro", callee, around, data, em.name(em.unit.source_name), thunks, names)


def caller_evaluate(em: Emitter, node: Run) -> ast.expr:
    """``($caller_eval datum)``: a parameter that is for nothing else is a function that does it."""
    caller, datum = em.values(node.args)
    value = node.args[1]
    evaluated = em.run("caller_evaluate", caller, datum)
    if not isinstance(value, LocalGet):
        return evaluated
    if value.variable not in evaluated_parameters(value.variable.function).values():
        return evaluated
    is_macro_call = em.compare(caller, (ast.IsNot(), em.constant(None)))
    return em.choose(is_macro_call, em.call(datum), evaluated)


INLINE["caller_evaluate"] = caller_evaluate
EXPRESSIONS[Environment] = environment
EXPRESSIONS[MacroCall] = macro_call
