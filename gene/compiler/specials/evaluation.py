"""Code as data: macro calls, ``eval``, ``$render`` and ``$caller_eval``.

What is evaluated at run time sees the variables of the place where it is written. Such a place gives out an
environment: functions that read and assign each variable that is visible there. Everywhere else variables
stay what Python makes of them.
"""

from __future__ import annotations

from gene.compiler.errors import GeneCompileError
from gene.compiler.nodes import Array, Const, Environment, LocalGet, MacroCall, Map, Node, Run, Spread
from gene.compiler.quoting import encode, quote
from gene.compiler.scope import Function
from gene.compiler.specials.functions import define
from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import Gene, HashMapForm, Quote, SpreadKey, Unquote, span_of
from gene.runtime.environments import spliced, splices

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer
    from gene.compiler.scope import Scope, Variable


def macro_call(analyzer: Analyzer, form: Gene) -> Node:
    """A call of a name that ends in ``!``: a macro is handed the arguments as data.

    Each argument goes along as a function too, which evaluates it here; so evaluating it in the macro
    compiles nothing, and a function that is no macro after all gets values. Where something is spread, one
    more function at the end gives those, an array and a map. The name of a spread map is ``...``.
    """
    callee = analyzer.node(form.type)
    names = ["..." if type(key) is SpreadKey else key for key in form.props]
    forms = [*form.children, *form.props.values()]
    data = [encode(argument) for argument in forms]
    if "..." in names or any(_is_spread(argument) for argument in form.children):
        forms.append([form.children, dict(form.props)])
    thunks: list[Node] = []
    for position, argument in enumerate(forms):
        before = len(analyzer.assigned)
        thunks.append(_thunk(analyzer, argument))
        analyzer.quoted += [(known, thunks, position) for known, _ in analyzer.assigned[before:]]
        del analyzer.assigned[before:]
    return MacroCall(analyzer.span, callee, environment(analyzer), data, thunks, names)


def _is_spread(argument: Any) -> bool:
    return type(argument) in (Symbol, PathSymbol) and argument.name.endswith("...")


def _thunk(analyzer: Analyzer, form: Any) -> Node:
    """A function that evaluates an argument; nil for data that is no code, which a macro may be given too."""
    state = analyzer.type_names, analyzer.properties, analyzer.space, analyzer.span
    functions, labels = len(analyzer.functions), len(analyzer.labels)
    calls, sends, classes = len(analyzer.calls), len(analyzer.sends), len(analyzer.classes)
    assigned, warnings, operators = len(analyzer.assigned), len(analyzer.warnings), len(analyzer.operators)
    try:
        return define(analyzer, "", [], [form], {}, None)
    except GeneCompileError:
        analyzer.type_names, analyzer.properties, analyzer.space, analyzer.span = state
        del analyzer.functions[functions:], analyzer.labels[labels:]
        del analyzer.assigned[assigned:], analyzer.warnings[warnings:]
        return Const(analyzer.span, None)
    finally:
        # what is wrong in data is no mistake
        del analyzer.calls[calls:], analyzer.sends[sends:], analyzer.classes[classes:]
        del analyzer.operators[operators:]


def environment(analyzer: Analyzer) -> Environment:
    """The variables that are visible here, ready to be read and assigned from elsewhere."""
    inner = Function("environment", analyzer.function)
    visible = _visible(analyzer)
    with analyzer.within(inner):
        for variable in visible.values():
            analyzer.mention(variable)
            if not variable.constant:
                variable.assignments += 1
                variable.inner = variable.exposed = True
    outer = None if analyzer.environment is None else _own(analyzer, analyzer.environment)
    return Environment(analyzer.span, inner, visible, outer, _spaces(analyzer), analyzer.at_top())


def _spaces(analyzer: Analyzer) -> list[Node]:
    """The namespaces around, the innermost last."""
    found: list[Node] = []
    space = analyzer.space
    while space is not None:
        variable, _, space, _ = space
        found.insert(0, _own(analyzer, variable))
    return found


def _own(analyzer: Analyzer, variable: Variable) -> Node:
    analyzer.mention(variable)
    return LocalGet(analyzer.span, variable)


def _visible(analyzer: Analyzer) -> dict[str, Variable]:
    found: dict[str, Variable] = {}
    scope: Scope | None = analyzer.scope
    while scope is not None:
        for name, variable in scope.names.items():
            if name and not name.startswith("%"):
                found.setdefault(name, variable)
        scope = scope.parent
    return found


def eval_(analyzer: Analyzer, form: Gene) -> Node:
    """``(eval datum…)``: the value of the last datum, evaluated here."""
    if not form.children:
        raise analyzer.error("eval needs a datum", form, hint="(eval `(1 + 2))")
    data = analyzer.items(form.children)
    return Run(analyzer.span, "evaluate", [environment(analyzer), *data])


def caller_eval(analyzer: Analyzer, form: Gene) -> Node:
    """``($caller_eval datum)``: evaluated where the macro was called."""
    caller = analyzer.scope.find("%caller")
    if caller is None:
        raise analyzer.error(
            "$caller_eval has a meaning only in a macro, a function whose name ends in !", form
        )
    if len(form.children) != 1:
        raise analyzer.error("$caller_eval needs one datum", form, hint="($caller_eval expr)")
    datum = analyzer.node(form.children[0])
    if isinstance(datum, LocalGet) and type(form.children[0]) is Symbol:
        datum.variable.evaluated += 1
    return Run(analyzer.span, "caller_evaluate", [_own(analyzer, caller), datum])


def render(analyzer: Analyzer, form: Gene) -> Node:
    """``($render template)``: a copy of quoted data, with a value for each ``%x`` in it."""
    if len(form.children) != 1:
        raise analyzer.error("$render needs one template", form, hint="($render `(a %b))")
    template = form.children[0]
    if type(template) is Quote:
        return fill(analyzer, template.datum)
    return Run(analyzer.span, "render", [environment(analyzer), analyzer.node(template)])


def fill(analyzer: Analyzer, datum: Any) -> Node:
    """The node that makes a template which is written out: only what has an unquote in it is computed."""
    span = span_of(datum)
    if not _has_unquote(datum):
        return quote(datum, span)
    if type(datum) is Unquote:
        return Const(span, None) if datum.discard else analyzer.node(datum.datum)
    if _is_rare(datum):
        return Run(span, "render", [environment(analyzer), quote(datum, span)])
    if type(datum) is Gene:
        props = Map(span, _entries(analyzer, datum.props), False)
        head, children = fill(analyzer, datum.type), Array(span, _items(analyzer, datum.children), False)
        return Run(span, "make_gene", [head, props, children, Const(span, datum.frozen)])
    frozen = getattr(datum, "frozen", False)
    if isinstance(datum, list):
        return Array(span, _items(analyzer, datum), frozen)
    return Map(span, _entries(analyzer, datum), frozen)


def _is_rare(datum: Any) -> bool:
    """Whether a template is left to the runtime: a hash map, or one with a spread that is to stay."""
    if isinstance(datum, HashMapForm):
        return True
    entries = datum.props if type(datum) is Gene else datum if isinstance(datum, dict) else {}
    return any(type(key) is SpreadKey and type(value) is not Unquote for key, value in entries.items())


def _items(analyzer: Analyzer, items: list[Any]) -> list[Node]:
    made: list[Node] = []
    for position, item in enumerate(items):
        name = spliced(item)
        if splices(items, position):
            made[-1] = Spread(span_of(item), made[-1])
        elif name is not None:
            made.append(Spread(span_of(item), analyzer.symbol(name)))
        elif type(item) is not Unquote or not item.discard:
            made.append(fill(analyzer, item))
    return made


def _entries(analyzer: Analyzer, entries: dict[Any, Any]) -> list[tuple[str | None, Node]]:
    return [
        (None if type(key) is SpreadKey else key, fill(analyzer, value))
        for key, value in entries.items()
        if type(value) is not Unquote or not value.discard
    ]


def _has_unquote(datum: Any) -> bool:
    if type(datum) is Unquote:
        return True
    if type(datum) is Gene:
        parts = [datum.type, *datum.props.values(), *datum.children]
        return any(_has_unquote(part) for part in parts)
    if isinstance(datum, list):
        return any(_has_unquote(item) for item in datum)
    return isinstance(datum, dict) and any(_has_unquote(value) for value in datum.values())


HANDLERS = {"eval": eval_, "$caller_eval": caller_eval, "$render": render}
