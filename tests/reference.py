"""A small evaluator of Gene expressions, written from the language's rules and nothing else.

Expressions are tuples. :func:`text` writes one as Gene, :func:`evaluate` says what it must give. What it
knows: literals, variables, operators, assignments, choices, blocks, loops, leaving them, and errors.
"""

from __future__ import annotations

import math
from typing import Any

MAX, MIN = 2**63 - 1, -(2**63)
TAGS = {type(None): "Nil", bool: "Bool", int: "Int", float: "Float", str: "String", list: "Array"}
NOUNS = {"+": "addition", "-": "subtraction", "*": "multiplication"}
VERBS = {"+": "add", "-": "subtract from", "*": "multiply", "/": "divide", "%": "modulo"}
PAIRS = {
    "+": "Cannot add {0} and {1}",
    "-": "Cannot subtract {1} from {0}",
    "*": "Cannot multiply {0} and {1}",
    "/": "Cannot divide {0} by {1}",
    "%": "Cannot modulo {0} by {1}",
}
PRECEDENCE = {
    "*": 80, "/": 80, "%": 80, "+": 70, "-": 70, "++": 70, "<<": 65, ">>": 65,
    "<": 60, "<=": 60, ">": 60, ">=": 60, "==": 60, "!=": 60, "&&": 50, "&|&": 45, "||": 40,
}  # fmt: skip
COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})


class Failure(Exception):
    """An exception of the program."""


class Leave(Exception):
    """``break``, ``continue`` or ``return`` on its way."""

    def __init__(self, how: str, value: Any = None) -> None:
        super().__init__(how)
        self.how = how
        self.value = value


class State:
    """The variables, and the messages of the exceptions that are being handled."""

    def __init__(self, variables: dict[str, Any]) -> None:
        self.variables = variables
        self.messages: list[str] = []


# -- writing -----------------------------------------------------------------------------------------------


def literal(value: Any) -> str:
    """A value as it is written."""
    if value is None or isinstance(value, bool):
        return {None: "nil", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, float):
        if math.isnan(value):
            return "(0.0 / 0.0)"
        if math.isinf(value):
            return "(1.0 / 0.0)" if value > 0 else "(-1.0 / 0.0)"
    return repr(value)


def text(e: Any) -> str:
    """An expression as Gene."""
    match e:
        case ("literal", value):
            return literal(value)
        case ("variable", name):
            return str(name)
        case ("set", name, value):
            return f"({name} = {text(value)})"
        case ("update", operator, name, value):
            return f"({name} {operator}= {text(value)})"
        case ("infix", first, rest):
            return f"({text(first)} {' '.join(f'{operator} {text(operand)}' for operator, operand in rest)})"
        case ("not", value):
            return f"(not {text(value)})"
        case ("negate", value):
            return f"(- {text(value)})"
        case ("if", test, then, otherwise):
            return f"(if {text(test)} {text(then)} else {text(otherwise)})"
        case ("do", items):
            return f"(do {texts(items)})"
        case ("array", items):
            return f"[{texts(items)}]"
        case ("called", value):
            return f"((fn [] {text(value)}))"
        case ("repeat", count, items):
            return f"(repeat {count} {texts(items)})"
        case ("loop", items, last):
            return f"(loop {texts(items)} (break {text(last)}))"
        case ("break",) | ("continue",):
            return f"({e[0]})"
        case ("return", value):
            return f"(return {text(value)})"
        case ("throw", message):
            return f'(throw "{message}")'
        case ("message",):
            return "$ex/message"
        case ("try", body, handler, last):
            caught = "" if handler is None else f" catch * {text(handler)}"
            return f"(try {text(body)}{caught}{'' if last is None else f' finally {text(last)}'})"
    raise AssertionError(e)


def texts(items: list[Any]) -> str:
    """Expressions as Gene, one after the other."""
    return " ".join(text(item) for item in items)


# -- evaluating --------------------------------------------------------------------------------------------


def evaluate(e: Any, state: State) -> Any:
    """The value of an expression."""
    match e:
        case ("literal", value):
            return value
        case ("variable", name):
            return state.variables[name]
        case ("set", name, value):
            state.variables[name] = evaluate(value, state)
            return state.variables[name]
        case ("update", operator, name, value):
            old, new = state.variables[name], evaluate(value, state)
            state.variables[name] = arithmetic(operator, old, new, _update_wording(operator, value))
            return state.variables[name]
        case ("infix", first, rest):
            return infix(first, rest, state)
        case ("not", value):
            return complement(evaluate(value, state))
        case ("negate", value):
            return negate(evaluate(value, state))
        case ("if", test, then, otherwise):
            return evaluate(then if truth(evaluate(test, state)) else otherwise, state)
        case ("do", items):
            return [evaluate(item, state) for item in items][-1]
        case ("array", items):
            return [evaluate(item, state) for item in items]
        case ("called", value):
            return _called(value, state)
        case ("repeat", count, items):
            return _repeat(count, items, state)
        case ("loop", items, last):
            return _loop([*items, ("break", last)], state)
        case ("break", *value):
            raise Leave("break", evaluate(value[0], state) if value else None)
        case ("continue",):
            raise Leave("continue")
        case ("return", value):
            raise Leave("return", evaluate(value, state))
        case ("throw", message):
            raise Failure(message)
        case ("message",):
            return state.messages[-1]
        case ("try", body, handler, last):
            return _try(body, handler, last, state)
    raise AssertionError(e)


def _called(body: Any, state: State) -> Any:
    try:
        return evaluate(body, state)
    except Leave as leave:  # by "return": nothing else leaves a function
        return leave.value


def _repeat(count: int, items: list[Any], state: State) -> None:
    for _ in range(count):
        try:
            for item in items:
                evaluate(item, state)
        except Leave as leave:
            if leave.how == "return":
                raise
            if leave.how == "break":
                return


def _loop(items: list[Any], state: State) -> Any:
    try:
        for item in items:
            evaluate(item, state)
    except Leave as leave:
        if leave.how == "return":
            raise
        return leave.value
    raise AssertionError("the last item of a loop leaves it")


def _try(body: Any, handler: Any, last: Any, state: State) -> Any:
    try:
        try:
            return evaluate(body, state)
        except Failure as failure:
            if handler is None:
                raise
            state.messages.append(str(failure))
            try:
                return evaluate(handler, state)
            finally:
                state.messages.pop()
    finally:
        if last is not None:
            evaluate(last, state)


# -- operators ---------------------------------------------------------------------------------------------


def tag(value: Any) -> str:
    """How errors call the kind of a value."""
    return "Vk" + TAGS[type(value)]


def is_number(value: Any) -> bool:
    """Whether a value is an Int or a Float."""
    return type(value) in (int, float)


def truth(value: Any) -> bool:
    """Only nil and false are false."""
    return value is not None and value is not False


def _is_literal_number(e: Any) -> bool:
    return e[0] == "literal" and is_number(e[1]) and math.isfinite(e[1])


def _update_wording(operator: str, value: Any) -> str:
    if not _is_literal_number(value):
        return "values"
    return "increment" if operator == "+" and type(value[1]) is int else "variable"


def infix(first: Any, rest: list[tuple[str, Any]], state: State) -> Any:
    """An infix list: a chain of comparisons, or operators by precedence."""
    if len(rest) > 1 and all(operator in COMPARISONS for operator, _ in rest):
        return _chain(first, rest, state)
    operands, operators = [first], []
    for operator, operand in rest:
        while operators and PRECEDENCE[operators[-1]] >= PRECEDENCE[operator]:
            _reduce(operands, operators)
        operators.append(operator)
        operands.append(operand)
    while operators:
        _reduce(operands, operators)
    return _tree(operands[0], state)


def _reduce(operands: list[Any], operators: list[str]) -> None:
    right, left = operands.pop(), operands.pop()
    operands.append(("binary", operators.pop(), left, right))


def _tree(e: Any, state: State) -> Any:
    if e[0] != "binary":
        return evaluate(e, state)
    _, operator, left, right = e
    first = _tree(left, state)
    if operator in ("&&", "||"):
        return _logic(operator, first, right, state)
    return binary(operator, first, _tree(right, state), left, right)


def _logic(operator: str, first: Any, right: Any, state: State) -> Any:
    """Short-circuit, but for two Ints, of which both bits count."""
    if operator == "&&":
        if not truth(first):
            return first
        second = _tree(right, state)
        return first & second if type(first) is type(second) is int else second
    if truth(first) and type(first) is not int:
        return first
    second = _tree(right, state)
    if not truth(first):
        return second
    return first | second if type(second) is int else first


def _chain(first: Any, rest: list[tuple[str, Any]], state: State) -> Any:
    left_form, left = first, evaluate(first, state)
    for operator, form in rest:
        right = evaluate(form, state)
        if not binary(operator, left, right, left_form, form):
            return False
        left_form, left = form, right
    return True


def binary(operator: str, left: Any, right: Any, left_form: Any, right_form: Any) -> Any:
    """The value of an operator that evaluates both sides."""
    named = left_form[0] == "variable" and _is_literal_number(right_form)
    if operator in PAIRS:
        return arithmetic(operator, left, right, "variable" if named else "values")
    if operator == "==" and named:
        return is_number(left) and left == right
    if operator in ("==", "!="):
        return same(left, right) == (operator == "==")
    if operator in COMPARISONS:
        return _compare(operator, left, right)
    if operator == "++":
        if type(left) is type(right) is str:
            return left + right
        raise Failure("++ expects String arguments")
    if operator == "&|&":
        both = type(left) is type(right) is int
        return left ^ right if both else truth(left) != truth(right)
    raise AssertionError(operator)


def arithmetic(operator: str, left: Any, right: Any, wording: str) -> Any:
    """``+ - * / %``."""
    if not is_number(left):
        if wording == "increment":
            raise Failure(f"Cannot increment variable of type: {tag(left)} (only integers supported)")
        raise Failure(f"Cannot {VERBS[operator]} {wording} of type: {tag(left)}")
    if not is_number(right):
        raise Failure(PAIRS[operator].format(tag(left), tag(right)))
    if operator == "/":
        return _divide(float(left) if left == 0 else left, right)
    if operator == "%":
        return _modulo(left, right)
    made = {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right}[operator]()
    if type(made) is int and not MIN <= made <= MAX:
        raise Failure(f"Integer overflow in {NOUNS[operator]}")
    return made


def _divide(left: Any, right: Any) -> float:
    if right:
        return float(left / right)
    if left == 0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, math.copysign(1, left) * math.copysign(1, right))


def _modulo(left: Any, right: Any) -> Any:
    if type(left) is type(right) is int:
        if right == 0:
            raise Failure("Modulo by zero")
        return left - right * (abs(left) // abs(right)) * (1 if (left < 0) == (right < 0) else -1)
    return math.nan if right == 0 or math.isinf(left) else math.fmod(left, right)


def _compare(operator: str, left: Any, right: Any) -> bool:
    if not (is_number(left) and is_number(right)):
        raise Failure(f"Cannot compare {tag(left)} {operator} {tag(right)}")
    made = {
        "<": lambda: left < right,
        "<=": lambda: left <= right,
        ">": lambda: left > right,
        ">=": lambda: left >= right,
    }
    return bool(made[operator]())


def same(left: Any, right: Any) -> bool:
    """``==``: values of one kind that are equal."""
    if type(left) is not type(right):
        return False
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def complement(value: Any) -> Any:
    """``not``."""
    return ~value if type(value) is int else not truth(value)


def negate(value: Any) -> Any:
    """``-`` with one operand."""
    if not is_number(value):
        raise Failure(f"Cannot negate value of type: {tag(value)}")
    if value == MIN and type(value) is int:
        raise Failure("Integer overflow in negation")
    return -value


def identical(left: Any, right: Any) -> bool:
    """Whether two values cannot be told apart: kinds, signs of zero and NaN count."""
    seen = set()  # arrays may hold one array many times, on each level

    def alike(left: Any, right: Any) -> bool:
        if type(left) is not type(right) or not isinstance(left, list):
            return type(left) is type(right) and repr(left) == repr(right)
        if (id(left), id(right)) in seen:
            return True
        seen.add((id(left), id(right)))
        return len(left) == len(right) and all(map(alike, left, right))

    return alike(left, right)
