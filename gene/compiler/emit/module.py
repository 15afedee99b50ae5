"""The top level: one Python function that runs the module, and a Python module that calls it."""

from __future__ import annotations

import ast

from gene.compiler.emit import classes, control, evaluation, functions, members, operators, values  # noqa: F401 - they register handlers
from gene.compiler.emit.emitter import RETURN, Emitter, Unit
from gene.compiler.emit.functions import _declarations, _unset

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from gene.compiler.analyzer import Analyzer
    from gene.compiler.nodes import Literal, Node
    from gene.options import Options

RESULT = "%result"
"""The local that holds the value of the last form."""


def module(analyzer: Analyzer, body: Node, number: int, options: Options) -> ast.Module:
    """The Python module of an analysed source, to be run with locals of its own.

    They get the result and the exports, and hold the place that evaluated code belongs to, so that threads
    which evaluate in one module at the same time do not see each other's.

    Args:
        analyzer: What analysed it.
        body: The node of all forms.
        number: What tells this compilation's globals from those of others in the same namespace.
        options: What the host chose.
    """
    unit = Unit(analyzer.source, number, options)
    em = Emitter(unit, analyzer.top)
    em.into(body, RETURN)
    made, em.out = em.out, []
    _declare_globals(em, analyzer)
    head = [*_declarations(em), *_unset(em, analyzer.top), *em.out]
    parameters = [] if analyzer.environment is None else [ast.arg("%place", None, **em.at)]
    arguments = ast.arguments([], parameters, None, [], [], None, [])
    main = em.definition("<module>", arguments, head + made)
    em.out = []
    _need_namespaces(em, analyzer)
    _note_members(em, analyzer)
    shared = [*unit.pieces, *[(name, _literal(em, literal)) for name, literal in unit.literals]]
    if unit.signatures:
        shared.append((f"%signatures{number}", em.constant(tuple(unit.signatures.items()))))
    if shared:
        em.out.insert(0, ast.Global([name for name, _ in shared], **em.at))
    for name, value in shared:
        em.assign(name, value)
    em.out.append(main)
    em.assign(RESULT, em.call(em.name("<module>"), *[em.name(each.arg) for each in parameters]))
    em.assign("%exports", em.constant(tuple(analyzer.exports)))
    return ast.Module(em.out, [])


def _literal(em: Emitter, literal: Literal) -> ast.expr:
    """What makes a literal."""
    return em.run(literal.make, *[em.data(each) for each in literal.args], em.name(em.unit.source_name))


def _need_namespaces(em: Emitter, analyzer: Analyzer) -> None:
    """Namespaces of other packages are loaded when a program mentions them as the head of a path."""
    known = analyzer.globals
    heads = [name for name in analyzer.heads if name in known and not known[name].assignments]
    if heads:
        names = em.constant(tuple(heads))
        em.out.append(ast.Expr(em.run("need", em.name("%ns"), names), **em.at))


def _note_members(em: Emitter, analyzer: Analyzer) -> None:
    """What later pieces must know: which members ``let`` declares, and those that a piece may not reach."""
    declared = [known for known in analyzer.globals.values() if known.declared]
    constants = tuple(known.name for known in declared if known.constant)
    variables = tuple(each.name for each in declared if not each.constant and each.name in analyzer.constants)
    unset = tuple(known.python for known in declared if known.unsure and analyzer.interactive)
    if constants or variables or unset:
        notes = [em.constant(names) for names in (constants, variables, unset)]
        em.out.append(ast.Expr(em.run("note_members", em.name("%ns"), *notes), **em.at))


def _declare_globals(em: Emitter, analyzer: Analyzer) -> None:
    """What the module declares and assigns later is nil until then."""
    if analyzer.interactive:
        return
    for known in analyzer.globals.values():
        if known.declared and known.function is None:
            em.assigned_globals[known.python] = None
            em.assign(known.python, em.constant(None))
