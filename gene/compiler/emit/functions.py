"""Functions and classes."""

from __future__ import annotations

import ast

from gene.compiler.emit.emitter import INLINE_TYPES, LOAD, RETURN, STORE, STRUCTURES, Emitter, name_hint
from gene.compiler.nodes import Const, Fn, GlobalGet
from gene.compiler.quoting import encode
from gene.data.names import python_name

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.emit.emitter import Destination
    from gene.compiler.scope import Function, Parameter, Variable


def function(em: Emitter, node: Fn, destination: Destination) -> None:
    """A function: a def statement, under the name that it is to have."""
    inner = Emitter(em.unit, node.function, em)
    body = _body(inner, node)
    if node.function.generator:
        body = [_generator(inner, body), *_started(inner)]
    name = destination if destination not in (None, RETURN) else em.function.temporary(name_hint(node))
    assert name is not None
    definition = em.definition(name, arguments_of(inner, node.function), body)
    define(em, node.function, name, definition)
    _note_signature(em, node.function, name)
    if node.function.properties:
        described = em.constant(encode(node.function.properties))
        em.out.append(ast.Expr(em.run("describe", em.name(name), described), **em.at))
    if destination is None or destination is RETURN:
        em.finish(em.name(name), destination)


def _generator(em: Emitter, body: list[ast.stmt]) -> ast.FunctionDef:
    """The body of a generator, as a Python generator that takes what its function takes."""
    return em.definition(_generator_name(em), arguments_of(em, em.function), body)


def _generator_name(em: Emitter) -> str:
    """The Python name of a generator's body, which reports take for the function's."""
    return f"%{em.function.name}:0" if em.function.name else "%generator"


def _started(em: Emitter) -> list[ast.stmt]:
    """Call the generator with its function's arguments, up to its first stop: they are checked by then."""
    call = forward(em, em.name(_generator_name(em)), arguments_of(em, em.function))
    return [ast.Return(em.run("start_generator", call), **em.at)]


def forward(em: Emitter, function: ast.expr, arguments: ast.arguments) -> ast.expr:
    """A call that hands on all arguments that were received."""
    args: list[ast.expr] = [em.name(each.arg) for each in arguments.posonlyargs]
    if arguments.vararg is not None:
        args.append(ast.Starred(em.name(arguments.vararg.arg), LOAD, **em.at))
    keywords = [ast.keyword(each.arg, em.name(each.arg), **em.at) for each in arguments.kwonlyargs]
    if arguments.kwarg is not None:
        keywords.append(ast.keyword(None, em.name(arguments.kwarg.arg), **em.at))
    return ast.Call(function, args, keywords, **em.at)


def define(em: Emitter, scope: Function, name: str, definition: ast.FunctionDef) -> None:
    """Define a function; what belongs to one turn of a loop is handed to it by a function around it."""
    given = [
        variable.python
        for variable in scope.captures
        if variable.renewed and variable.python != name and _visible(em, variable)
    ]
    if not given:
        em.out.append(definition)
        return
    maker = em.function.temporary("make")
    body: list[ast.stmt] = [definition, ast.Return(em.name(name), **em.at)]
    around = em.definition(maker, _positional(em, given), body)
    em.out.append(around)
    em.assign(name, em.call(em.name(maker), *[em.name(identifier) for identifier in given]))


_COLLECTING = ("rest", "keywords")
"""Parameters whose names the code object does not tell."""


def _note_signature(em: Emitter, scope: Function, name: str) -> None:
    """Keep what tools made of functions want to know of parameters, at no cost to the function."""
    if any(each.type_text or each.default or each.kind in _COLLECTING for each in scope.parameters):
        em.unit.signatures[name, em.at["lineno"]] = tuple(
            (parameter.variable.name, parameter.kind, parameter.type_text, *_constant_default(parameter))
            for parameter in scope.parameters
        )


def _constant_default(parameter: Parameter) -> tuple[bool, Any]:
    """Whether there is a default, and its value where that is a constant."""
    default = parameter.default
    return default is not None, default.value if isinstance(default, Const) else None


def _visible(em: Emitter, variable: Variable) -> bool:
    """Whether a variable is this function's own; one of a function further out is handed down already."""
    return variable.function is em.function


def _positional(em: Emitter, names: list[str]) -> ast.arguments:
    made = [ast.arg(name, None, **em.at) for name in names]
    return ast.arguments([], made, None, [], [], None, [])


def arguments_of(em: Emitter, scope: Function) -> ast.arguments:
    """The parameters. A required one has a mark as its default: its absence is reported in Gene's words."""
    positional, rest, keyword, keywords = _sorted(scope)
    missing = em.runtime("missing")
    names = [parameter.variable.python for parameter in positional]
    defaults = [_python_default(em, parameter) or missing for parameter in positional]
    if scope.receiver is not None:
        names.insert(0, scope.receiver.python)
    first = [ast.arg(name, None, **em.at) for name in names]
    extra = None
    if rest is not None:
        extra = ast.arg("%rest", None, **em.at)
    elif not scope.parameters:
        extra = ast.arg("%ignored", None, **em.at)
    only = [ast.arg(python_name(parameter.variable.name), None, **em.at) for parameter in keyword]
    only_defaults: list[ast.expr | None] = [
        _python_default(em, parameter) or missing for parameter in keyword
    ]
    if scope.caller is not None:
        only.append(ast.arg("%caller", None, **em.at))
        only_defaults.append(em.constant(None))
        if evaluators := evaluated_parameters(scope):
            only.append(ast.arg("%evaluators", None, **em.at))
            only_defaults.append(em.constant(tuple(evaluators)))
    if scope.bounces:
        only.append(ast.arg("%t", None, **em.at))
        only_defaults.append(em.constant(None))
    collected = ast.arg(keywords.variable.python, None, **em.at) if keywords is not None else None
    return ast.arguments(first, [], extra, only, only_defaults, collected, defaults)


def evaluated_parameters(scope: Function) -> dict[int, Variable]:
    """The parameters of a macro that are evaluated at the caller and nothing else, by position.

    They get functions that do it; nobody sees the data, so there is none.
    """
    if scope.caller is None:
        return {}
    found = {}
    for number, parameter in enumerate(_sorted(scope)[0]):
        variable, optional = parameter.variable, parameter.default is not None
        changes = variable.assignments > 1 or variable.inner or variable.exposed
        if not (optional or changes or parameter.type) and 0 < variable.evaluated == variable.reads:
            found[number] = variable
    return found


def _sorted(
    scope: Function,
) -> tuple[list[Parameter], Parameter | None, list[Parameter], Parameter | None]:
    """Parameters before the rest parameter, that one, keyword parameters, and the one for other keywords."""
    positional: list[Parameter] = []
    rest = keywords = None
    keyword: list[Parameter] = []
    for parameter in scope.parameters:
        if parameter.kind == "rest":
            rest = parameter
        elif parameter.kind == "keyword":
            keyword.append(parameter)
        elif parameter.kind == "keywords":
            keywords = parameter
        elif rest is None:
            positional.append(parameter)
    return positional, rest, keyword, keywords


def _after_rest(scope: Function) -> list[Parameter]:
    seen = False
    found = []
    for parameter in scope.parameters:
        if parameter.kind == "rest":
            seen = True
        elif seen and parameter.kind == "positional":
            found.append(parameter)
    return found


def _python_default(em: Emitter, parameter: Parameter) -> ast.expr | None:
    """A default that is a constant can be Python's own default."""
    return em.constant(parameter.default.value) if isinstance(parameter.default, Const) else None


def _body(em: Emitter, node: Fn) -> list[ast.stmt]:
    scope = node.function
    prologue(em, scope)
    head, em.out = em.out, []
    if scope.generator:
        head.append(ast.Expr(ast.Yield(None, **em.at), **em.at))
    em.into(node.body, None if scope.generator else RETURN)
    body = em.out or [em.nothing()]
    body = [*em.step(), *_unset(em, scope), *body]
    if scope.repeats and any(parameter.type is not None for parameter in scope.parameters):
        head, body = [], [*head, *body]  # each turn has its arguments checked
    if scope.repeats:
        body = [ast.While(em.constant(True), body, [], **em.at)]
    return [*_declarations(em), *head, *body]


def _unset(em: Emitter, scope: Function) -> list[ast.stmt]:
    """Variables that may be read before they are assigned are nil then."""
    outer, em.out = em.out, []
    parameters = {parameter.variable for parameter in scope.parameters}
    for variable in scope.variables:
        if (variable.unset or variable.early) and variable not in parameters and not variable.boxed:
            em.assign(variable.python, em.constant(None))
        elif variable.early and variable.boxed:
            em.assign(variable.python, ast.List([em.constant(None)], LOAD, **em.at))
    for flag in em.reset:
        em.assign(flag, em.constant(False))
    made, em.out = em.out, outer
    return made


def _declarations(em: Emitter) -> list[ast.stmt]:
    """The nonlocal and global statements that a function needs."""
    made: list[ast.stmt] = []
    if em.assigned:
        made.append(ast.Nonlocal(list(em.assigned), **em.at))
    needed = dict(em.assigned_globals)
    around = {name for parent in _around(em) for name in _local_names(parent)}
    needed.update(dict.fromkeys(name for name in em.function.globals if name in around))
    if needed:
        made.append(ast.Global(list(needed), **em.at))
    return made


def _around(em: Emitter) -> list[Emitter]:
    found, parent = [], em.parent
    while parent is not None:
        found.append(parent)
        parent = parent.parent
    return found


def _local_names(em: Emitter) -> list[str]:
    return [variable.python for variable in em.function.variables]


def prologue(em: Emitter, scope: Function) -> None:
    """Emit what checks the arguments, fills in defaults and checks types."""
    positional, rest, keyword, _ = _sorted(scope)
    required = [parameter for parameter in positional if parameter.default is None]
    if required:
        _check_count(em, scope, [parameter.variable.python for parameter in positional], required[-1])
    if rest is not None:
        _take_rest(em, scope, rest)
    for parameter in keyword:
        _check_keyword(em, parameter)
    after = _after_rest(scope)
    for parameter in scope.parameters:
        if parameter.default is not None and (parameter in after or not isinstance(parameter.default, Const)):
            _fill_default(em, parameter)
        if parameter.type is not None:
            _check_type(em, parameter)


def _check_count(em: Emitter, scope: Function, names: list[str], last: Parameter) -> None:
    test = em.compare(em.name(last.variable.python), (ast.Is(), em.runtime("missing")))
    given = ([scope.receiver.python] if scope.receiver is not None else []) + names
    error = em.run("too_few", *[em.name(name) for name in given])
    em.if_(test, [ast.Raise(error, None, **em.at)], [])


def _take_rest(em: Emitter, scope: Function, rest: Parameter) -> None:
    """The rest parameter gets an array; parameters after it take from its end."""
    after = _after_rest(scope)
    collected = em.name("%rest")
    if not after:
        em.assign(rest.variable.python, em.run("list", collected))
        return
    before = len(_sorted(scope)[0]) + (scope.receiver is not None)
    required = max((number for number, each in enumerate(after, 1) if each.default is None), default=0)
    targets: list[ast.expr] = [
        ast.Name(parameter.variable.python, STORE, **em.at) for parameter in (rest, *after)
    ]
    counts = [em.constant(count) for count in (len(after), required, before)]
    values = em.run("split_rest", collected, *counts)
    em.out.append(ast.Assign([ast.Tuple(targets, STORE, **em.at)], values, **em.at))


def _check_keyword(em: Emitter, parameter: Parameter) -> None:
    passed = python_name(parameter.variable.name)
    if parameter.default is None:
        test = em.compare(em.name(passed), (ast.Is(), em.runtime("missing")))
        error = em.run("missing_keyword", em.constant(parameter.variable.name))
        em.if_(test, [ast.Raise(error, None, **em.at)], [])
    if passed != parameter.variable.python:
        em.assign(parameter.variable.python, em.name(passed))


def _fill_default(em: Emitter, parameter: Parameter) -> None:
    assert parameter.default is not None
    name = parameter.variable.python
    then = em.block(parameter.default, name)
    em.if_(em.compare(em.name(name), (ast.Is(), em.runtime("missing"))), then, [])


def _check_type(em: Emitter, parameter: Parameter) -> None:
    """A declared type: the usual case is one comparison, the runtime looks at anything else."""
    assert parameter.type is not None
    name = parameter.variable.python
    value = em.name(name)
    outer, em.out = em.out, []
    em.assign(name, em.run("coerce", value, em.value(parameter.type), em.constant(parameter.variable.name)))
    then, em.out = em.out, outer
    type_ = parameter.type
    inline = INLINE_TYPES.get(type_.name.name) if isinstance(type_, GlobalGet) else None
    if inline is not None:
        em.if_(em.compare(em.run("type", value), (ast.IsNot(), em.runtime(inline))), then, [])
    elif em.unit.options.strict_nil:
        em.out += then
    else:
        em.if_(em.compare(value, (ast.IsNot(), em.constant(None))), then, [])


STRUCTURES[Fn] = function
