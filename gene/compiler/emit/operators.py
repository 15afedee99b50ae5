"""Arithmetic, comparison, equality and logic, with the checks that the flow analysis could not spare.

The slow ways are runtime functions; they compute what is rare (Floats mixed with Ints) and raise what is
wrong. An operand is emitted once and read again from a name.
"""

from __future__ import annotations

import ast

from gene.compiler.effects import steady
from gene.compiler.emit.emitter import EXPRESSIONS, TESTS, Emitter
from gene.compiler.masks import (
    BOOL,
    FALSY,
    FLOAT,
    INT,
    LARGEST,
    NEGATIVE,
    NOT_NEGATIVE,
    NUMBER,
    OTHER,
    STRING,
)
from gene.compiler.nodes import Binary, Builtin, Compare, Const, Equal, Logic, Node, Not
from gene.data.names import is_internal

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

MAX_INT = (1 << 63) - 1
MIN_INT = -(1 << 63)

_ARITHMETIC = {"+": ast.Add(), "-": ast.Sub(), "*": ast.Mult(), "/": ast.Div(), "%": ast.Mod()}
_NAMES = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulo"}
_COMPARISONS = {"<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(), ">=": ast.GtE()}
_ORDERS = {"<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal"}
_SUFFIX = {"values": "", "variable": ":variable", "increment": ":increment"}


class Operands:
    """Two operands: how to evaluate each, how to read it again, and the test that both are right."""

    def __init__(self, em: Emitter, left: Node, right: Node) -> None:
        first, second = em.values([left, right])
        self.masks = left.mask, right.mask
        self.known = not (left.mask | right.mask) & ~NUMBER
        if self.known:
            self.left, self.right = first, second
            return
        self.left, self.left_again = _hold(em, first, left, [right])
        self.right, self.right_again = _hold(em, second, right, [])
        self._steady = self.left is self.left_again, self.right is self.right_again

    def test(self, em: Emitter) -> ast.expr:
        """That both are Ints, evaluating both; an operand known to be a number need not be looked at."""
        left_known, right_known = (not mask & ~NUMBER for mask in self.masks)
        integer = em.runtime("int")
        if left_known and self._steady[0]:
            return em.compare(em.run("type", self.right), (ast.Is(), integer))
        if right_known and self._steady[1]:
            return em.compare(em.run("type", self.left), (ast.Is(), integer))
        left, right = em.run("type", self.left), em.run("type", self.right)
        return em.compare(left, (ast.Is(), right), (ast.Is(), integer))


def _hold(em: Emitter, value: ast.expr, node: Node, others: list[Node]) -> tuple[ast.expr, ast.expr]:
    read = value.target if isinstance(value, ast.NamedExpr) else value
    if isinstance(read, ast.Name) and not is_internal(read.id) and not steady(node, others):
        name = em.function.temporary()
        return em.walrus(name, value), em.name(name)
    return em.hold(value)


def binary(em: Emitter, node: Binary) -> ast.expr:
    """``+ - * / %``."""
    operands = Operands(em, node.left, node.right)
    operator = node.operator
    slow = em.runtime(_NAMES[operator] + _SUFFIX[node.wording])
    if operator in "/%" and not _divides(node):
        return em.call(slow, operands.left, operands.right)
    if operands.known:
        made: ast.expr = ast.BinOp(operands.left, _ARITHMETIC[operator], operands.right, **em.at)
        return _bounded(em, made, node, *operands.masks)
    test = operands.test(em)
    left, right = operands.left_again, operands.right_again
    if operator == "%" and node.left.mask & NEGATIVE:
        test = em.both(test, em.compare(left, (ast.GtE(), em.constant(0))))
    fast: ast.expr = ast.BinOp(left, _ARITHMETIC[operator], right, **em.at)
    masks = [mask & INT or INT for mask in operands.masks]
    return em.choose(test, _bounded(em, fast, node, *masks), em.call(slow, left, right))


def _divides(node: Binary) -> bool:
    """Whether Python's own division is right: the divisor is a positive constant."""
    right = node.right
    if not isinstance(right, Const) or type(right.value) not in (int, float) or not right.value > 0:
        return False
    return (
        node.operator == "/"
        or (type(right.value) is int and not node.left.mask & (FLOAT | NEGATIVE))
        or (type(right.value) is int and bool(node.left.mask & ~NUMBER))
    )


def _bounded(em: Emitter, value: ast.expr, node: Binary, left: int, right: int) -> ast.expr:
    """A result that cannot leave 64 bits unnoticed."""
    operator = node.operator
    above, below = _can_leave(operator, left, right)
    if operator == "+" and _is_one(node.right) and not left & LARGEST:
        above = False
    if not above and not below:
        return value
    first, again = em.hold(value)
    low, high = em.constant(MIN_INT), em.constant(MAX_INT)
    if above and below:
        test = em.compare(low, (ast.LtE(), first), (ast.LtE(), high))
    else:
        test = em.compare(first, (ast.LtE(), high) if above else (ast.GtE(), low))
    return em.choose(test, again, em.run("overflow", again, em.constant(operator)))


def _can_leave(operator: str, left: int, right: int) -> tuple[bool, bool]:
    """Whether an Int result can be too large, and whether it can be too small."""
    left, right = left & INT, right & INT
    if not left or not right or operator in "/%":
        return False, False
    plus, minus = (bool(left & NOT_NEGATIVE), bool(right & NOT_NEGATIVE)), (left & NEGATIVE, right & NEGATIVE)
    if operator == "+":
        return all(plus), all(minus)
    if operator == "-":
        return bool(plus[0] and minus[1]), bool(minus[0] and plus[1])
    return True, bool((plus[0] and minus[1]) or (minus[0] and plus[1]))


def _is_one(node: Node) -> bool:
    return isinstance(node, Const) and type(node.value) is int and node.value == 1


def compare(em: Emitter, node: Compare) -> ast.expr:
    """``< <= > >=``."""
    operands = Operands(em, node.left, node.right)
    operator = _COMPARISONS[node.operator]
    if operands.known:
        return em.compare(operands.left, (operator, operands.right))
    test = operands.test(em)
    left, right = operands.left_again, operands.right_again
    return em.choose(test, em.compare(left, (operator, right)), em.run(_ORDERS[node.operator], left, right))


def settle(em: Emitter, node: Compare) -> None:
    """Check before a loop that what it compares are numbers, so that its turns need not."""
    left, right = em.value(node.left), em.value(node.right)
    names = [side for side in (left, right) if not isinstance(side, ast.Constant)]
    tests = [em.compare(em.run("type", side), (ast.IsNot(), em.runtime("int"))) for side in names]
    test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), tests, **em.at)
    em.if_(test, [ast.Expr(em.run(_ORDERS[node.operator], left, right), **em.at)], [])


def equal(em: Emitter, node: Equal) -> ast.expr:
    """``==`` and ``!=``."""
    left, right = node.left, node.right
    made = _simple_equal(em, node, left, right) or _simple_equal(em, node, right, left)
    if made is None:
        first, second = em.values([left, right])
        if not (left.mask & ~INT or right.mask & ~INT):
            operator = ast.NotEq() if node.negated else ast.Eq()
            return em.compare(first, (operator, second))
        made = em.run("equal", first, second)
    return ast.UnaryOp(ast.Not(), made, **em.at) if node.negated else made


def _simple_equal(em: Emitter, node: Equal, constant: Node, other: Node) -> ast.expr | None:
    """Equality with a constant whose kind says how Python must compare."""
    if isinstance(constant, Builtin):
        return em.compare(em.value(other), (ast.Is(), em.runtime(constant.name)))
    if not isinstance(constant, Const):
        return None
    value = constant.value
    if value is None or isinstance(value, bool):
        compared = em.value(other)
        if isinstance(compared, ast.Constant):  # Python warns of "is" between literals
            return em.constant(compared.value is value)
        return em.compare(compared, (ast.Is(), em.constant(value)))
    if isinstance(value, str):
        return em.compare(em.value(other), (ast.Eq(), em.constant(value)))
    return _number_equal(em, value, other, numeric=node.numeric and constant is node.right)


def _number_equal(em: Emitter, value: Any, other: Node, *, numeric: bool) -> ast.expr:
    held = em.value(other)
    if not other.mask & ~(NUMBER if numeric else INT) and (numeric or type(value) is int):
        return em.compare(held, (ast.Eq(), em.constant(value)))
    first, again = em.hold(held)
    same = em.compare(again, (ast.Eq(), em.constant(value)))
    kind = em.run("type", first)
    if numeric:
        wanted: ast.expr = em.compare(kind, (ast.IsNot(), em.runtime("bool")))
    else:
        wanted = em.compare(kind, (ast.Is(), em.runtime("float" if isinstance(value, float) else "int")))
        if other.mask & OTHER:  # an instance, whose class may say what equals it
            return em.choose(wanted, same, em.run("equal", again, em.constant(value)))
    return em.both(wanted, same)


def _bytes_possible(mask: int) -> bool:
    return bool(mask & ~(NUMBER | FALSY | STRING))


def logic(em: Emitter, node: Logic) -> ast.expr:
    """``&&`` and ``||``. Only two Ints (or two Bytes) need the right side although the left decides."""
    left_mask = node.left.mask
    if not (left_mask | node.right.mask) & ~BOOL:
        return logic_test(em, node)
    left = em.value(node.left)
    outer, em.out = em.out, []
    right = em.value(node.right)
    statements, em.out = em.out, outer
    if statements:
        return _logic_statement(em, node, left, right, statements)
    first, again = em.hold(left)
    if isinstance(first, ast.Name) and not steady(node.left, [node.right]):
        name = em.function.temporary()
        first, again = em.walrus(name, first), em.name(name)
    return _logic_choice(em, node, first, again, right)


def _logic_choice(em: Emitter, node: Logic, first: ast.expr, again: ast.expr, right: ast.expr) -> ast.expr:
    bits = bool(node.left.mask & INT) or _bytes_possible(node.left.mask)
    if node.operator == "&&":
        then = em.run("and", again, right) if bits else right
        return em.choose(_truth(em, first, again, node.left.mask), then, again)
    test = _truth(em, first, again, node.left.mask)
    if not bits:
        return em.choose(test, again, right)
    plain = em.compare(em.run("type", again), (ast.NotIn(), em.runtime("bit_types")))
    return em.choose(em.both(test, plain), again, em.run("or", again, right))


def _truth(em: Emitter, first: ast.expr, again: ast.expr, mask: int) -> ast.expr:
    if mask == BOOL or isinstance(first, ast.Constant):
        return em.truth(first, mask)
    return em.both(
        em.compare(first, (ast.IsNot(), em.constant(None))),
        em.compare(again, (ast.IsNot(), em.constant(False))),
        em.compare(again, (ast.IsNot(), em.runtime("void"))),
    )


def _logic_statement(
    em: Emitter, node: Logic, left: ast.expr, right: ast.expr, statements: list[ast.stmt]
) -> ast.expr:
    """The same where the right side needs statements, which run only if it is evaluated."""
    result = em.function.temporary()
    em.assign(result, left)
    held = em.name(result)
    test = em.truth(held, node.left.mask)
    bits = bool(node.left.mask & INT) or _bytes_possible(node.left.mask)
    function = "and" if node.operator == "&&" else "or"
    if node.operator == "||":
        plain = em.compare(em.run("type", held), (ast.NotIn(), em.runtime("bit_types")))
        test = ast.UnaryOp(ast.Not(), em.both(test, plain) if bits else test, **em.at)
    outer, em.out = em.out, statements
    em.assign(result, em.run(function, held, right) if bits else right)
    em.out = outer
    em.if_(test, statements, [])
    return em.name(result)


def logic_test(em: Emitter, node: Logic) -> ast.expr:
    """``&&`` and ``||`` as a condition: the bits do not matter unless both sides are Ints."""
    if node.left.mask & INT or _bytes_possible(node.left.mask):
        return em.truth(logic(em, node), node.mask)
    left = em.test(node.left)
    outer, em.out = em.out, []
    right = em.test(node.right)
    statements, em.out = em.out, outer
    if statements:
        result = em.function.temporary()
        em.assign(result, left)
        test: ast.expr = em.name(result)
        if node.operator == "||":
            test = ast.UnaryOp(ast.Not(), test, **em.at)
        outer, em.out = em.out, statements
        em.assign(result, right)
        em.out = outer
        em.if_(test, statements, [])
        return em.name(result)
    operator = ast.And() if node.operator == "&&" else ast.Or()
    return ast.BoolOp(operator, [left, right], **em.at)


def not_(em: Emitter, node: Not) -> ast.expr:
    """``not``: the complement of an Int, else by truth."""
    mask = node.value.mask
    if not mask & INT and not _bytes_possible(mask):
        return ast.UnaryOp(ast.Not(), em.test(node.value), **em.at)
    return em.run("not", em.value(node.value))


def not_test(em: Emitter, node: Not) -> ast.expr:
    """``not`` as a condition."""
    return em.truth(not_(em, node), node.mask)


EXPRESSIONS[Binary] = binary
EXPRESSIONS[Compare] = compare
EXPRESSIONS[Equal] = equal
EXPRESSIONS[Logic] = logic
EXPRESSIONS[Not] = not_
TESTS[Compare] = compare
TESTS[Equal] = equal
TESTS[Logic] = logic_test
TESTS[Not] = not_test
