"""Operators: infix lists, prefix forms and assignments."""

from __future__ import annotations

from gene.compiler import paths
from gene.compiler.nodes import (
    Binary,
    Compare,
    Const,
    Equal,
    GlobalGet,
    GlobalSet,
    LocalGet,
    Logic,
    Node,
    Not,
    Run,
    SetMember,
)
from gene.data.atoms import PathSymbol, Symbol

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer
    from gene.data.forms import Gene

PRECEDENCE = {
    "./": 90,
    "*": 80,
    "/": 80,
    "%": 80,
    "**": 80,
    "+": 70,
    "-": 70,
    "++": 70,
    "<<": 65,
    ">>": 65,
    "<": 60,
    "<=": 60,
    ">": 60,
    ">=": 60,
    "==": 60,
    "!=": 60,
    "is": 60,
    "&&": 50,
    "&|&": 45,
    "||": 40,
}
"""How tightly an infix operator binds; all are left-associative."""

NOT_OPERANDS = frozenset(
    [
        "var",
        "if",
        "ifel",
        "fn",
        "do",
        "loop",
        "while",
        "for",
        "ns",
        "class",
        "try",
        "throw",
        "import",
        "export",
        "interface",
        "implement",
        "field",
        "$",
        "$vm",
        ".",
        "->",
        "@",
    ]
)
"""Words that are never the left side of an operator or the receiver of a method."""

COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})
ARITHMETIC = frozenset({"+", "-", "*", "/", "%"})
_CHOOSING = frozenset({"&&", "||"})
"""Operators that do not always evaluate what follows them."""
ASSIGNMENTS = {"=": None, "+=": "+", "-=": "-", "*=": "*", "/=": "/", "%=": "%"}
PREFIX = (frozenset(PRECEDENCE) - {"./", "is", "**"}) | {"!", "not"}


def analyse(analyzer: Analyzer, form: Gene) -> Node:
    """An infix list: operands and operators alternate, the head is the first operand."""
    rest = form.children
    operators = [item.name if type(item) is Symbol else None for item in rest[::2]]
    for operator, item in zip(operators, rest[::2], strict=True):
        if operator not in PRECEDENCE:
            raise analyzer.error(
                "Incomplete infix expression",
                item,
                hint="operators and operands alternate: (a + b * c)",
            )
    if len(rest) % 2:
        raise analyzer.error("Incomplete infix expression", form, hint="an operand is missing at the end")
    operands = [form.type, *rest[1::2]]
    if len(operators) > 1 and all(operator in COMPARISONS for operator in operators):
        return _chain(analyzer, operands, operators)
    return _climb(analyzer, operands, operators)


def _climb(analyzer: Analyzer, operands: list[Any], operators: list[Any]) -> Node:
    """Precedence climbing with two stacks; operands are analysed from left to right."""
    values = [analyzer.node(operands[0])]
    forms = [operands[0]]
    pending: list[str] = []

    def reduce() -> None:
        right, right_form = values.pop(), forms.pop()
        left, left_form = values.pop(), forms.pop()
        values.append(_binary(analyzer, pending.pop(), left, right, (left_form, right_form)))
        forms.append(None)

    for operator, operand in zip(operators, operands[1:], strict=True):
        while pending and PRECEDENCE[pending[-1]] >= PRECEDENCE[operator]:
            reduce()
        pending.append(operator)
        values.append(analyzer.maybe(operand) if _CHOOSING & set(pending) else analyzer.node(operand))
        forms.append(operand)
    while pending:
        reduce()
    return values[0]


def _chain(analyzer: Analyzer, operands: list[Any], operators: list[Any]) -> Node:
    """``(a < b <= c)``: each pair must hold; the operands between are evaluated once."""
    result: Node | None = None
    left, left_form = analyzer.node(operands[0]), operands[0]
    for position, (operator, form) in enumerate(zip(operators, operands[1:], strict=True)):
        right = analyzer.maybe(form) if position else analyzer.node(form)
        following: Node = right
        if isinstance(right, LocalGet):  # a node of its own: after the first comparison more is known of it
            following = LocalGet(right.span, right.variable)
        elif position < len(operators) - 1 and not isinstance(right, Const):
            right, variable = analyzer.temporary(right)
            following = LocalGet(right.span, variable)
        pair = _binary(analyzer, operator, left, right, (left_form, form))
        result = pair if result is None else Logic(analyzer.span, "&&", result, pair)
        left, left_form = following, form
    assert result is not None
    return result


def _binary(analyzer: Analyzer, operator: str, left: Node, right: Node, forms: tuple[Any, Any]) -> Node:
    span = analyzer.span
    if operator in ARITHMETIC:
        named = isinstance(left, LocalGet | GlobalGet) and _is_number(right)
        return Binary(span, operator, left, right, "variable" if named else "values")
    if operator in ("==", "!="):
        numeric = operator == "==" and isinstance(left, LocalGet | GlobalGet) and _is_number(right)
        return Equal(span, left, right, operator == "!=", numeric)
    if operator in COMPARISONS:
        return Compare(span, operator, left, right)
    if operator in ("&&", "||"):
        if operator == "||" and isinstance(right, Const) and type(right.value) is int and right.value:
            analyzer.warn(
                "|| of two Ints is bitwise, so this is no default for a number;"
                ' use (args .get "key" default) or (if ... else ...)',
                forms[1],
            )
        return Logic(span, operator, left, right)
    if operator == "is":
        return Run(span, "is_instance", [left, right])
    if operator == "./":
        return Run(span, "select", [left, right])
    if operator == "**":
        return GlobalGet(span, analyzer.name("**"))
    return Run(span, _FUNCTIONS[operator], [left, right])


_FUNCTIONS = {"++": "join_strings", "<<": "shift_left", ">>": "shift_right", "&|&": "exclusive_or"}


def _is_number(node: Node) -> bool:
    return isinstance(node, Const) and type(node.value) in (int, float)


def prefix(analyzer: Analyzer, form: Gene) -> Node:
    """``(+ 1 2)``, ``(not x)``, ``(< a b)``."""
    word, forms = form.type.name, form.children
    if word in ("not", "!"):
        if len(forms) != 1:
            raise analyzer.error(f"{word} expects exactly 1 argument", form, hint="write (not (a && b))")
        return Not(analyzer.span, analyzer.node(forms[0]))
    maybe = analyzer.maybe if word in _CHOOSING else analyzer.node
    nodes = [maybe(child) for child in forms]
    if word in ARITHMETIC:
        return _variadic(analyzer, word, nodes, forms)
    if word in COMPARISONS:
        if len(nodes) != 2:
            raise analyzer.error(f"{word} requires exactly 2 arguments", form)
        return _binary(analyzer, word, nodes[0], nodes[1], (forms[0], forms[1]))
    if not nodes:
        if word == "++":
            return Const(analyzer.span, "")
        raise analyzer.error(f"{word} requires arguments", form)
    if word == "++" and len(nodes) == 1:
        return Run(analyzer.span, "join_strings", [Const(analyzer.span, ""), nodes[0]])
    result = nodes[0]
    for node, operand in zip(nodes[1:], forms[1:], strict=True):
        result = _binary(analyzer, word, result, node, (None, operand))
    return result


def _variadic(analyzer: Analyzer, word: str, nodes: list[Node], forms: list[Any]) -> Node:
    span = analyzer.span
    if not nodes:
        if word in "+*":
            return Const(span, 0 if word == "+" else 1)
        raise analyzer.error(f"{word} requires at least 1 argument")
    if len(nodes) == 1:
        if word == "-":
            return Run(span, "negate", nodes)
        if word == "/":
            return Binary(span, "/", Const(span, 1), nodes[0], "values")
        return nodes[0]
    result = nodes[0]
    for node, form in zip(nodes[1:], forms[1:], strict=True):
        result = _binary(analyzer, word, result, node, (None, form))
    return result


def assign(analyzer: Analyzer, form: Gene) -> Node:
    """``(target = value)`` and the compound assignments."""
    target, word = form.type, form.children[0].name
    if len(form.children) < 2:
        raise analyzer.error(f"{word} needs a value", form, hint=f"write (name {word} value)")
    analyzer.ignored(form.children[2:], f"{word}")
    operator = ASSIGNMENTS[word]
    if type(target) is PathSymbol:
        return paths.assign(analyzer, target, analyzer.node(form.children[1]), operator)
    if type(target) is not Symbol:
        raise analyzer.error("Only a name or a path can be assigned", form, hint="(x = 1) or (map/key = 1)")
    return assign_name(analyzer, target, analyzer.node(form.children[1]), operator)


def assign_name(analyzer: Analyzer, target: Symbol, value: Node, operator: str | None) -> Node:
    """An assignment to a name: a local variable, or else a name of the module."""
    name, span = target.name, analyzer.span
    if name == "self":
        raise analyzer.error("self cannot be assigned", target)
    variable = analyzer.scope.find(name)
    if operator is not None:
        old = analyzer.symbol(target)
        increment = operator == "+" and isinstance(value, Const) and type(value.value) is int
        named = "variable" if _is_number(value) else "values"
        value = Binary(span, operator, old, value, "increment" if increment else named)
    if variable is not None:
        if variable.constant:
            raise analyzer.error(f"Cannot reassign 'let' binding '{name}'", target)
        if variable.type is not None:
            value = Run(
                span, "check_variable", [value, variable.type, Const(span, name), Const(span, repr(span))]
            )
        return analyzer.assign_local(variable, value, span, fresh=False)
    if analyzer.space is not None:
        space = analyzer.space_of(name)
        if space is not None:
            analyzer.mention(space)
            return SetMember(span, LocalGet(span, space), name, value, None)
    if name in analyzer.outer:
        place = analyzer.read("%place", span)
        return Run(span, "environment_set", [place, Const(span, name), value])
    if name.startswith("$") and len(name) > 1:
        return Run(span, "set_dollar", [Const(span, name), value])
    known = analyzer.name(name)
    known.assignments += 1
    analyzer.assigned.append((known, target))
    return GlobalSet(span, known, value)
