"""``if``, ``ifel``, ``if_not``, ``do`` and ``case``."""

from __future__ import annotations

from gene.compiler.nodes import Block as BlockNode
from gene.compiler.nodes import Const, If, Node, Not
from gene.compiler.patterns import check_exhaustive, match
from gene.compiler.specials.bindings import bind
from gene.data.atoms import Symbol

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer
    from gene.data.forms import Gene


def _word(form: Any) -> str | None:
    return form.name if type(form) is Symbol else None


def _is_plain_word(analyzer: Analyzer, form: Any, *words: str) -> bool:
    """Whether a form is a word of other forms that cannot be meant as the name of a variable here."""
    return _word(form) in words and analyzer.is_language_name(form.name)


def _split(forms: list[Any], words: frozenset[str]) -> list[tuple[str, list[Any]]]:
    """Forms in groups, each under the bare word before it; the first group is under ""."""
    groups: list[tuple[str, list[Any]]] = [("", [])]
    for form in forms:
        word = _word(form)
        if word in words:
            groups.append((str(word), []))
        else:
            groups[-1][1].append(form)
    return groups


def if_(analyzer: Analyzer, form: Gene) -> Node:
    """``(if c e… elif c e… else e…)``."""
    groups = _split(form.children, frozenset({"elif", "else"}))
    groups[0] = ("if", groups[0][1])
    return _branches(analyzer, groups, form)


def _branches(analyzer: Analyzer, groups: list[tuple[str, list[Any]]], form: Gene) -> Node:
    word, forms = groups[0]
    if word == "else":
        if len(groups) > 1:
            raise analyzer.error("else must be the last branch of an if", form)
        if len(forms) > 1 and _is_plain_word(analyzer, forms[0], "if"):
            raise analyzer.error("there is no else if", forms[0], hint="(if a 1 elif b 2 else 3)")
        return analyzer.scoped(forms)
    test, body = _condition(analyzer, word, forms, form)
    then = analyzer.scoped(body)
    rest = groups[1:]
    otherwise = _branches(analyzer, rest, form) if rest else Const(analyzer.span, None)
    return If(analyzer.span, test, then, otherwise)


def _condition(analyzer: Analyzer, word: str, forms: list[Any], form: Gene) -> tuple[Node, list[Any]]:
    negated = bool(forms) and _word(forms[0]) == "not" and len(forms) > 1
    if negated:
        forms = forms[1:]
    if not forms:
        raise analyzer.error(
            f"{word}: missing condition", form, hint="(if condition then-part else else-part)"
        )
    body = forms[1:]
    if body and _word(body[0]) == "then":
        body = body[1:]
    elif not body and word == "if":
        raise analyzer.error("if: missing body after condition", form, hint="(if condition then-part)")
    test = analyzer.node(forms[0]) if word == "if" else analyzer.maybe(forms[0])
    return (Not(test.span, test) if negated else test), body


def ifel(analyzer: Analyzer, form: Gene) -> Node:
    """``(ifel c a b?)``."""
    if len(form.children) not in (2, 3):
        message = "ifel: expected condition, then expression, and optional else expression"
        raise analyzer.error(message, form)
    test = analyzer.node(form.children[0])
    then = analyzer.scoped(form.children[1:2])
    return If(analyzer.span, test, then, analyzer.scoped(form.children[2:]))


def if_not(analyzer: Analyzer, form: Gene) -> Node:
    """``(if_not c e…)``."""
    if not form.children:
        raise analyzer.error("if_not: missing condition", form)
    for each in form.children[1:]:
        if _is_plain_word(analyzer, each, "else", "elif"):
            raise analyzer.error("if_not has no else", each, hint="(if not condition a else b)")
    test = analyzer.node(form.children[0])
    body = analyzer.scoped(form.children[1:])
    return If(analyzer.span, Not(test.span, test), body, Const(analyzer.span, None))


def do(analyzer: Analyzer, form: Gene) -> Node:
    """``(do e…)``: no scope of its own."""
    return analyzer.body(form.children)


def case(analyzer: Analyzer, form: Gene) -> Node:
    """``(case value when pattern e… else e…)``."""
    groups = _split(form.children, frozenset({"when", "else"}))
    if len(groups[0][1]) != 1:
        raise analyzer.error("case: expected one value before 'when'", form, hint="(case x when 1 a else b)")
    value, variable = analyzer.temporary(analyzer.node(groups[0][1][0]))
    if groups[-1][0] != "else" and not any(_word(forms[0]) == "_" for _, forms in groups[1:] if forms):
        check_exhaustive(analyzer, [forms[0] for _, forms in groups[1:] if forms], form)
    return BlockNode(analyzer.span, [value, _arms(analyzer, groups[1:], variable, form)])


def _arms(analyzer: Analyzer, groups: list[tuple[str, list[Any]]], variable: Any, form: Gene) -> Node:
    if not groups:
        return Const(analyzer.span, None)
    word, forms = groups[0]
    if word == "else":
        if len(groups) > 1:
            raise analyzer.error("else must be the last branch of a case", form)
        return analyzer.scoped(forms)
    if not forms:
        raise analyzer.error("case: missing value after 'when'", form)
    if len(forms) > 1 and _is_plain_word(analyzer, forms[1], "then"):
        forms = [forms[0], *forms[2:]]
    if _word(forms[0]) == "_" and analyzer.scope.find("_") is None:
        return analyzer.scoped(forms[1:])
    condition, names = match(analyzer, forms[0], variable)
    with analyzer.block():
        declarations = [bind(analyzer, name, value) for name, value in names]
        body = analyzer.body(forms[1:])
        arm = analyzer.opened(BlockNode(analyzer.span, [*declarations, body]) if declarations else body)
    return If(analyzer.span, condition, arm, _arms(analyzer, groups[1:], variable, form))


HANDLERS = {"if": if_, "ifel": ifel, "if_not": if_not, "do": do, "case": case}
