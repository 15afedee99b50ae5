"""``comptime``: code that runs while a module is compiled and decides which definitions the module has.

It is a small language of its own: literals, variables, arithmetic, comparison, ``&& ||`` (which stop early),
``not``, ``if``, ``ifel``, ``do``, ``$env`` and ``get_env``, quoting, arrays and maps; no calls and no loops.
Definitions on the path that is taken become definitions of the module.
"""

from __future__ import annotations

from gene.compiler.errors import GeneCompileError
from gene.compiler.infix import ASSIGNMENTS, COMPARISONS, PRECEDENCE
from gene.data.atoms import VOID, PathSymbol, Symbol
from gene.data.forms import Gene, Quote, span_of
from gene.runtime import operators
from gene.runtime.equality import equal
from gene.runtime.exceptions import GeneException
from gene.runtime.paths import get_dynamic
from gene.runtime.text import inspect

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

DEFINITIONS = frozenset(
    {"fn", "class", "enum", "ns", "type", "object", "interface", "implement", "interceptor", "fn-interceptor"}
    | {"import", "export", "$dep"}
)
"""Forms that are handed on to the module."""


def expand(forms: list[Any], environment: Mapping[str, str] | None = None) -> list[Any]:
    """Forms with what each ``comptime`` among them decides on in its place.

    Args:
        forms: The forms of a module.
        environment: The environment variables; None when the program may not read them.
    """
    stage = _Stage(environment)
    for form in forms:
        if _word(form) == "comptime":
            stage.last(form.children)
        else:
            stage.emitted.append(form)
    return stage.emitted


def _word(form: Any) -> str | None:
    return form.type.name if type(form) is Gene and type(form.type) is Symbol else None


def _true(value: Any) -> bool:
    return value is not None and value is not False and value is not VOID


class _Stage:
    """The ``comptime`` forms of one source: their variables, and the forms that the source consists of."""

    def __init__(self, environment: Mapping[str, str] | None) -> None:
        self._environment = environment
        self.variables: dict[str, Any] = {}
        self.emitted: list[Any] = []

    def value(self, form: Any) -> Any:
        """The value of a form."""
        if type(form) is Symbol:
            return self.name(form)
        if type(form) is PathSymbol:
            return self.path(form)
        if type(form) is Quote:
            return form.datum
        if isinstance(form, list):
            return [self.value(item) for item in form]
        if isinstance(form, dict):
            return {key: self.value(item) for key, item in form.items()}
        return self.form(form) if type(form) is Gene else form

    def name(self, symbol: Symbol) -> Any:
        """The value of a variable."""
        if symbol.name == "$env":
            return dict(self.environment(symbol))
        if symbol.name not in self.variables:
            raise GeneCompileError(f"{symbol.name} is not defined in comptime", span_of(symbol))
        return self.variables[symbol.name]

    def path(self, path: PathSymbol) -> Any:
        """``$env/NAME`` and members of maps."""
        value = self.name(Symbol(path.parts[0], path.source, path.start, path.end))
        for part in path.parts[1:]:
            value = get_dynamic(value, part)
        return value

    def environment(self, form: Any) -> Mapping[str, str]:
        """The environment variables, which ``form`` asks for."""
        if self._environment is None:
            raise GeneCompileError(
                "comptime needs the capability 'environment' for this, which the program was not granted",
                span_of(form),
            )
        return self._environment

    def form(self, form: Gene) -> Any:
        """The value of a form in parentheses."""
        word, first = _word(form), form.children[0] if form.children else None
        if word in DEFINITIONS:
            self.emitted.append(form)
            return None
        if type(first) is Symbol and first.name in ASSIGNMENTS and type(form.type) is Symbol:
            return self.assign(form.type, ASSIGNMENTS[first.name], form)
        if type(first) is Symbol and first.name in PRECEDENCE:
            return self.infix([form.type, *form.children], form)
        if word in _OPERATORS or word in ("&&", "||"):
            return self.infix(_alternating(form), form)
        handler = _HANDLERS.get(word or "")
        if handler is None:
            raise GeneCompileError(
                f"comptime cannot evaluate {inspect(form)}",
                span_of(form),
                "calls and loops belong outside of comptime",
            )
        return handler(self, form)

    def assign(self, target: Symbol, operator: str | None, form: Gene) -> Any:
        """``(x = v)``, ``(x += v)``."""
        old = self.name(target)
        if len(form.children) != 2:
            raise GeneCompileError("an assignment takes one value", span_of(form))
        value = self.value(form.children[1])
        self.variables[target.name] = value if operator is None else self.compute(operator, old, value, form)
        return self.variables[target.name]

    def infix(self, items: list[Any], form: Gene) -> Any:
        """An infix list: the loosest operator, the last of its kind, splits it."""
        if len(items) == 1:
            return self.value(items[0])
        if len(items) % 2 == 0 or any(type(item) is not Symbol for item in items[1::2]):
            raise GeneCompileError("Incomplete infix expression", span_of(form))
        if len(items) > 3 and all(item.name in COMPARISONS for item in items[1::2]):
            return all(self.infix(items[at : at + 3], form) for at in range(0, len(items) - 2, 2))
        at = min(range(1, len(items), 2), key=lambda place: (PRECEDENCE.get(items[place].name, 99), -place))
        operator = items[at].name
        left = self.infix(items[:at], form)
        if operator in ("&&", "||"):
            return left if _true(left) is (operator == "||") else self.infix(items[at + 1 :], form)
        return self.compute(operator, left, self.infix(items[at + 1 :], form), form)

    def compute(self, operator: str, left: Any, right: Any, form: Gene) -> Any:
        """The value of an operation."""
        compute = _OPERATORS.get(operator)
        if compute is None:
            raise GeneCompileError(f"comptime has no operator {operator}", span_of(form))
        try:
            return compute(left, right)
        except GeneException as error:
            raise GeneCompileError(f"comptime: {error}", span_of(form)) from None

    def var(self, form: Gene) -> Any:
        """``(var x v)``."""
        if not form.children or type(form.children[0]) is not Symbol:
            raise GeneCompileError("var needs a name", span_of(form))
        value = self.value(form.children[1]) if len(form.children) > 1 else None
        self.variables[form.children[0].name] = value
        return value

    def do(self, form: Gene) -> Any:
        """``(do e…)``."""
        return self.last(form.children)

    def last(self, forms: list[Any]) -> Any:
        """The value of the last of some forms."""
        value = None
        for form in forms:
            value = self.value(form)
        return value

    def if_(self, form: Gene) -> Any:
        """``(if c e… elif c e… else e…)``."""
        groups: list[list[Any]] = [[]]
        words = ["if"]
        for item in form.children:
            if type(item) is Symbol and item.name in ("elif", "else", "then"):
                if item.name != "then":
                    groups.append([])
                    words.append(item.name)
            else:
                groups[-1].append(item)
        for word, group in zip(words, groups, strict=True):
            if word == "else":
                return self.last(group)
            negated = len(group) > 1 and type(group[0]) is Symbol and group[0].name == "not"
            test, *body = group[1:] if negated else group or [None]
            if _true(self.value(test)) is not negated:
                return self.last(body)
        return None

    def ifel(self, form: Gene) -> Any:
        """``(ifel c a b?)``."""
        if len(form.children) not in (2, 3):
            raise GeneCompileError("ifel takes a condition and one or two expressions", span_of(form))
        test, then, *otherwise = form.children
        return self.value(then) if _true(self.value(test)) else self.last(otherwise)

    def not_(self, form: Gene) -> Any:
        """``(not x)``."""
        if len(form.children) != 1:
            raise GeneCompileError("not expects exactly 1 argument", span_of(form))
        return not _true(self.value(form.children[0]))

    def get_env(self, form: Gene) -> Any:
        """``(get_env name default?)``."""
        name, *default = [self.value(child) for child in form.children] or [None]
        if not isinstance(name, str):
            raise GeneCompileError("get_env needs the name of a variable", span_of(form))
        return self.environment(form).get(name, default[0] if default else None)


_HANDLERS: dict[str, Callable[[_Stage, Gene], Any]] = {
    "var": _Stage.var,
    "do": _Stage.do,
    "if": _Stage.if_,
    "ifel": _Stage.ifel,
    "not": _Stage.not_,
    "!": _Stage.not_,
    "comptime": _Stage.do,
    "get_env": _Stage.get_env,
}


def _alternating(form: Gene) -> list[Any]:
    """The infix list of a form that starts with its operator."""
    items: list[Any] = []
    for child in form.children:
        items += [form.type, child] if items else [child]
    return items


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "+": operators.ARITHMETIC["add"],
    "-": operators.ARITHMETIC["subtract"],
    "*": operators.ARITHMETIC["multiply"],
    "/": operators.ARITHMETIC["divide"],
    "%": operators.ARITHMETIC["modulo"],
    "++": operators.join_strings,
    "==": equal,
    "!=": lambda left, right: not equal(left, right),
    "<": operators.less,
    "<=": operators.less_equal,
    ">": operators.greater,
    ">=": operators.greater_equal,
}
