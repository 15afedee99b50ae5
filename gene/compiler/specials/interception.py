"""``interceptor`` and ``fn-interceptor``: advice that a program applies to methods or functions."""

from __future__ import annotations

from gene.compiler import paths
from gene.compiler.nodes import Const, Node, Run
from gene.compiler.specials.bindings import bind, set_global
from gene.compiler.specials.functions import define
from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import Gene
from gene.runtime.text import inspect

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer

KINDS = frozenset({"before", "after", "around", "before_filter", "invariant"})


def interceptor(analyzer: Analyzer, form: Gene) -> Node:
    """``(interceptor Name [m1 m2] (before m1 [x] …) …)``."""
    target = form.children[0] if form.children else None
    names: Any = form.children[1] if len(form.children) > 1 else None
    functions = form.type.name == "fn-interceptor"
    if not isinstance(target, Symbol | PathSymbol) or not _are_names(names):
        hint = f"({form.type.name} Log [run] (before run [x] (println x)))"
        raise analyzer.error(f"{form.type.name} needs a name and an array of names", form, hint=hint)
    if functions and len(names) != 1:
        raise analyzer.error(
            f"{target.name}: a function has one name", names, hint="(fn-interceptor Log [f] …)"
        )
    kinds, advice = [], []
    outer, analyzer.properties = analyzer.properties, None  # it may be applied to any class
    for item in form.children[2:]:
        word = item.type.name if type(item) is Gene and type(item.type) is Symbol else None
        if word not in KINDS or len(item.children) < 2 or not isinstance(item.children[1], list):
            raise analyzer.error(f"{target.name}: advice is expected, (before name [args] …)", item)
        if item.children[0] not in names:
            raise analyzer.error(f"{target.name}: {inspect(item.children[0])} is not among its names", item)
        analyzer.unchecked(item, "advice")
        kinds.append((word, item.children[0].name, item.props.get("replace_result") is True))
        name, parameters, body = str(word), item.children[1], item.children[2:]
        advice.append(define(analyzer, name, parameters, body, {}, None, receiver=not functions))
    analyzer.properties = outer
    words = tuple(name.name for name in names)
    constants = [Const(analyzer.span, value) for value in (target.name, words, tuple(kinds), functions)]
    made = Run(analyzer.span, "make_interceptor", [*constants, *advice])
    if type(target) is PathSymbol:
        return paths.define(analyzer, target, made)
    if not analyzer.at_top():
        return bind(analyzer, target.name, made)
    analyzer.export(target.name)
    return set_global(analyzer, target.name, made)


def _are_names(names: Any) -> bool:
    """Whether something is an array of names, each of them once."""
    return (
        isinstance(names, list)
        and all(type(name) is Symbol for name in names)
        and len({name.name for name in names}) == len(names)
    )


HANDLERS = {"interceptor": interceptor, "fn-interceptor": interceptor}
