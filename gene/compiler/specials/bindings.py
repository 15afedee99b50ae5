"""``var`` and ``let``: declarations, plain, typed and taken apart."""

from __future__ import annotations

from gene.compiler import paths
from gene.compiler.nodes import Block, Const, GlobalSet, Node, Run
from gene.compiler.patterns import Taking
from gene.compiler.types import annotation
from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import Gene

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer
    from gene.compiler.scope import Variable


def declare(analyzer: Analyzer, form: Gene) -> Node:
    """``(var x value)``."""
    word = form.type.name
    if not form.children:
        raise analyzer.error(f"{word} needs a name", form, hint=f"({word} x 1)")
    target, *rest = form.children
    if isinstance(target, list | dict):
        return _unpack_form(analyzer, target, rest, form, constant=word == "let")
    if type(target) is PathSymbol:
        analyzer.ignored(rest[1:], word)
        _doubt(analyzer, word, target)
        return _member(analyzer, target, _value(analyzer, rest))
    if type(target) is not Symbol:
        raise analyzer.error(f"{word} needs a name", form, hint=f"({word} x 1)")
    return _name(analyzer, target, rest, constant=word == "let")


def _name(analyzer: Analyzer, target: Symbol, rest: list[Any], *, constant: bool) -> Node:
    name, type_ = target.name, None
    if rest and type(rest[0]) is Symbol and rest[0].name == ":":
        raise analyzer.error("a type follows its name without a blank", rest[0], hint="(var x: Int 1)")
    if name.endswith(":") and len(name) > 1:
        if not rest:
            raise analyzer.error(f"a type is missing after {name}", target, hint=f"(var {name} Int 1)")
        name, type_, rest = name[:-1], annotation(analyzer, rest[0]), rest[1:]
    if len(rest) > 1 and type(rest[0]) is Symbol and rest[0].name == "=" and analyzer.is_language_name("="):
        raise analyzer.error("a declaration has no = before its value", rest[0], hint=f"(var {name} 1)")
    if name == "self":
        raise analyzer.error("self cannot be declared", target)
    word = "let" if constant else "var"
    analyzer.ignored(rest[1:], word)
    _let_function_know_itself(analyzer, name, rest)
    value = _value(analyzer, rest)
    if name.startswith("$") and len(name) > 1:
        _doubt(analyzer, word, target)
        return Run(analyzer.span, "set_dollar", [Const(analyzer.span, name), value])
    if analyzer.at_top():
        known = analyzer.name(name)
        known.constant, known.type = constant, type_
        return set_global(analyzer, name, value)
    return bind(analyzer, name, value, constant=constant, type_=type_)


def _let_function_know_itself(analyzer: Analyzer, name: str, rest: list[Any]) -> None:
    """``(var f (fn [n] … (f …)))`` inside a function: f is the new variable, unless it is one already."""
    form = rest[0] if rest else None
    if analyzer.at_top() or type(form) is not Gene or type(form.type) is not Symbol or form.type.name != "fn":
        return
    known = analyzer.globals.get(name)
    if (
        analyzer.scope.find(name) is None
        and (known is None or not known.declared)
        and name not in analyzer.outer
    ):
        analyzer.declare(name).ready = False


def _doubt(analyzer: Analyzer, word: str, target: Any) -> None:
    """What other modules can reach is not protected by ``let``."""
    if word == "let":
        analyzer.warn(
            f"{target.name} can be assigned from elsewhere, so let protects it no more than var", target
        )


def _value(analyzer: Analyzer, rest: list[Any]) -> Node:
    return analyzer.node(rest[0]) if rest else Const(analyzer.span, None)


def set_global(analyzer: Analyzer, name: str, value: Node) -> Node:
    """A declaration at the top level of the module."""
    known = analyzer.name(name)
    known.declared = True
    known.unsure |= analyzer.scope.repeated()
    known.assignments += 1
    known.value = value
    return GlobalSet(analyzer.span, known, value)


def bind(
    analyzer: Analyzer, name: str, value: Node, *, constant: bool = False, type_: Node | None = None
) -> Node:
    """A declaration of a local variable."""
    variable = analyzer.declare(name)
    variable.constant = constant
    variable.type = type_
    if type_ is not None:
        place = repr(analyzer.span)
        value = Run(
            analyzer.span,
            "check_variable",
            [value, type_, Const(None, name), Const(None, place)],
        )
    return analyzer.assign_local(variable, value, analyzer.span, fresh=True)


def _member(analyzer: Analyzer, target: PathSymbol, value: Node) -> Node:
    """``(var $ns/x v)`` and ``(var /x v)``: an exported member of the module."""
    name = paths.own_member(target.parts)
    if name is None:
        return paths.assign(analyzer, target, value, None)
    return paths.set_own(analyzer, name, value)


def _unpack_form(analyzer: Analyzer, pattern: Any, rest: list[Any], form: Gene, *, constant: bool) -> Node:
    if not rest:
        raise analyzer.error("a pattern needs a value to take apart", form, hint="(var [a b] pair)")
    analyzer.ignored(rest[1:], form.type.name)
    value, variable = analyzer.temporary(analyzer.node(rest[0]))
    steps = unpack(analyzer, pattern, variable, constant=constant)
    return Block(analyzer.span, [value, *steps, Const(analyzer.span, None)])


def unpack(analyzer: Analyzer, pattern: Any, variable: Variable, *, constant: bool = False) -> list[Node]:
    """The steps and declarations that take a variable's value apart as ``pattern`` says."""
    taking = Taking(analyzer, matching=False)
    taking.take(pattern, variable)
    names = [_declare(analyzer, name, value, constant=constant) for name, value in taking.names]
    return [*taking.steps, *names]


def _declare(analyzer: Analyzer, name: str, value: Node, *, constant: bool) -> Node:
    if not analyzer.at_top():
        return bind(analyzer, name, value, constant=constant)
    analyzer.name(name).constant = constant
    return set_global(analyzer, name, value)


def type_(analyzer: Analyzer, form: Gene) -> Node:
    """``(type Name T)``: a name for a type."""
    target = form.children[0] if form.children else None
    if not isinstance(target, Symbol | PathSymbol) or len(form.children) < 2:
        raise analyzer.error("type needs a name and a type", form, hint="(type Label (String | Nil))")
    name, *generic = target.name.split(":")
    outer, analyzer.type_names = analyzer.type_names, analyzer.type_names | frozenset(generic)
    made = annotation(analyzer, form.children[1])
    analyzer.type_names = outer
    if made is None:
        made = Run(analyzer.span, "any_type", [])
    if type(target) is PathSymbol:
        return paths.define(analyzer, target, made)
    if not analyzer.at_top():
        return bind(analyzer, name, made)
    analyzer.export(name)
    return set_global(analyzer, name, made)


HANDLERS = {"var": declare, "let": declare, "type": type_}
