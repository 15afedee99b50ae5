"""The compiler's front: forms in, a code object out."""

from __future__ import annotations

from gene.compiler import flow, flow_control, flow_values, tails  # noqa: F401 - the visitors register themselves
from gene.compiler.analyzer import Analyzer
from gene.compiler.definitions import in_order
from gene.compiler.diagnostics import check, find_direct
from gene.compiler.emit.module import module
from gene.compiler.errors import GeneCompileError
from gene.compiler.nesting import check_nodes, is_ordinary, too_deep
from gene.compiler.nodes import Block, Const
from gene.data.atoms import Symbol
from gene.data.forms import Gene
from gene.options import USUAL

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    import ast
    from collections.abc import Sequence
    from types import CodeType
    from typing import Any

    from gene.compiler.errors import CompileWarning
    from gene.compiler.scope import Global
    from gene.data.source import Source
    from gene.options import Options

_COMPTIME = Symbol("comptime")


def compile_forms(
    forms: list[Any],
    source: Source,
    *,
    interactive: bool = False,
    number: int = 0,
    outer: frozenset[str] | None = None,
    local: bool = False,
    values: Sequence[Any] = (),
    constants: frozenset[str] = frozenset(),
    options: Options = USUAL,
) -> tuple[CodeType, list[CompileWarning]]:
    """Compile the forms of a source.

    Args:
        forms: What the reader made of it.
        source: The source; its name becomes the file name of the code.
        interactive: Whether this is one piece of a longer program, as in a REPL: definitions are not
            moved to the front, and nothing is taken for granted that a later piece may change.
        number: What tells this compilation's globals from those of others in the same namespace.
        outer: The variables of the place that evaluated code belongs to; the code's global ``%place``
            then holds the place. None for code that belongs to the top level.
        local: Whether definitions are the code's own, and do not become members of the module.
        values: Values in evaluated code that no literal writes; the place holds them in this order.
        constants: The names that ``let`` declared in what the module has run before.
        options: What the host chose.

    Returns:
        The code object of a Python module, and what the program's author should know.

    Raises:
        GeneCompileError: A form that means nothing, or forms that nest too deeply.
    """
    try:
        analyzer = Analyzer(source, interactive=interactive, outer=outer, local=local, values=values)
        analyzer.constants = constants
        if any(type(form) is Gene and form.type == _COMPTIME for form in forms):
            from gene.compiler.comptime import expand

            forms = expand(forms, options.environment)
        if not interactive:
            forms = in_order(forms)
        analyzer.forms = frozenset(map(id, forms))
        body = analyzer.body(forms) if forms else Block(None, [])
        check_nodes(body)
        _check_constants(analyzer)
        _doubt_operators(analyzer)
        if options.type_check:
            check(analyzer)
        find_direct(analyzer)
        tails.plan(analyzer.functions)
        flow.infer(analyzer, body)
        if options.type_check and outer is None and analyzer.typed:
            from gene.compiler.typecheck import check_types

            check_types(analyzer, body, strict_nil=options.strict_nil)
        tree = module(analyzer, body, number, options)
        return _code(tree, source), analyzer.warnings
    except RecursionError:
        if is_ordinary(forms):  # it is the program that evaluates the code which has gone too deep
            raise
        raise too_deep(forms) from None


def _code(tree: ast.Module, source: Source) -> CodeType:
    """The code object of a Python tree, in which Python allows blocks only so deep."""
    try:
        return compile(tree, source.name, "exec", dont_inherit=True)
    except SyntaxError as error:
        if error.msg != "too many statically nested blocks":
            raise
        raise GeneCompileError(
            "Loops and try forms are nested too deeply: Python takes 20 inside of each other",
            source.span_at(error.lineno or 1, error.offset or 1),
            "make a function of the inner ones",
        ) from None


def _check_constants(analyzer: Analyzer) -> None:
    """Assignments of what ``let`` declares, perhaps only after the function that assigns it.

    Arguments of macros that are such code stay data, and whoever evaluates them gets the error.
    """
    for known, form in analyzer.assigned:
        if _is_constant(analyzer, known):
            raise analyzer.error(f"Cannot reassign 'let' binding '{known.name}'", form)
    for known, thunks, position in analyzer.quoted:
        if _is_constant(analyzer, known):
            thunks[position] = Const(None, None)


def _is_constant(analyzer: Analyzer, known: Global) -> bool:
    return known.constant or (known.name in analyzer.constants and not known.declared)


def _doubt_operators(analyzer: Analyzer) -> None:
    """Warn of operators that have no parentheses of their own: ``(if a && b …)`` asks for a only."""
    for form in analyzer.operators:
        if not analyzer.globals[form.name].assignments:
            analyzer.warn(f"{form.name} is no value; an operator needs parentheses of its own", form)
