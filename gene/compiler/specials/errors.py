"""``try`` and ``throw``."""

from __future__ import annotations

from gene.compiler.nodes import Block, Clause, Const, LocalGet, Node, Run, Throw, Try
from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import span_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer
    from gene.compiler.scope import Variable
    from gene.data.forms import Gene


_WORDS = (Symbol("catch"), Symbol("finally"))
_BINDING = "in catch Class …, $ex is the exception; catch name … catches any exception"


def try_(analyzer: Analyzer, form: Gene) -> Node:
    """``(try e… catch Pattern e… catch * e… finally e…)``."""
    body, catches, last = _split(analyzer, form)
    caught = analyzer.function.add(
        "$ex", analyzer.function.temporary("ex"), looped=analyzer.function.loops > 0
    )
    caught.assignments = 1
    analyzer.function.unsure += 1
    node = analyzer.body(body)
    analyzer.function.unsure -= 1
    clauses = [_clause(analyzer, pattern, forms, caught) for pattern, forms in catches]
    finally_ = None if last is None else analyzer.body(last)
    return Try(analyzer.span, node, clauses, caught, finally_)


def _split(analyzer: Analyzer, form: Gene) -> tuple[list[Any], list[tuple[Any, list[Any]]], list[Any] | None]:
    body: list[Any] = []
    catches: list[tuple[Any, list[Any]]] = []
    last: list[Any] | None = None
    current, children = body, iter(form.children)
    for item in children:
        word = item.name if type(item) is Symbol else None
        if word in ("catch", "finally") and last is not None:
            raise analyzer.error(f"{word} cannot follow finally", item)
        if word == "catch":
            pattern = next(children, None)
            if pattern is None or pattern in _WORDS:
                raise analyzer.error("catch needs a pattern", item, hint="catch * (println $ex/message)")
            current = []
            catches.append((pattern, current))
        elif word == "finally":
            current = last = []
        else:
            current.append(item)
    return body, catches, last


def _clause(analyzer: Analyzer, pattern: Any, forms: list[Any], caught: Variable) -> Clause:
    _check_binding(analyzer, pattern, forms)
    with analyzer.block():
        analyzer.scope.names["$ex"] = caught
        test, variable, steps = None, None, []
        name = pattern.name if type(pattern) in (Symbol, PathSymbol) else None
        if name is None:
            raise analyzer.error(
                "catch takes *, a class, or a name to bind", pattern, hint="catch err (println err/message)"
            )
        if type(pattern) is PathSymbol or name[0].isupper():
            test = Run(span_of(pattern) or analyzer.span, "exception_class", [analyzer.node(pattern)])
        elif name not in ("*", "_"):
            variable = analyzer.declare(name)
            value = LocalGet(analyzer.span, caught)
            steps.append(analyzer.assign_local(variable, value, analyzer.span, fresh=True))
        body = analyzer.opened(analyzer.body(forms)) if forms else Const(analyzer.span, None)
    return Clause(test, variable, Block(analyzer.span, [*steps, body]))


def _check_binding(analyzer: Analyzer, pattern: Any, forms: list[Any]) -> None:
    """Refuse what binds the exception in other languages, and would be a form without effect here."""
    typed = type(pattern) is Symbol and pattern.name.endswith(":")
    named = len(forms) > 1 and type(forms[1]) is Symbol and forms[0] == Symbol("as")
    if typed or (named and analyzer.scope.find("as") is None):
        word, place = ("as", forms[0]) if named else ("type of a name", pattern)
        raise analyzer.error(f"catch takes no {word}", place, hint=_BINDING)


def throw(analyzer: Analyzer, form: Gene) -> Node:
    """``(throw)``, ``(throw value)``."""
    analyzer.ignored(form.children[1:], "throw")
    return Throw(
        analyzer.span, analyzer.node(form.children[0]) if form.children else Const(analyzer.span, None)
    )


HANDLERS = {"try": try_, "throw": throw}
