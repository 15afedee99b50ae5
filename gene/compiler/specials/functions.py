"""``fn`` and ``return``."""

from __future__ import annotations

from gene.compiler import paths
from gene.compiler.calls import is_macro_name
from gene.compiler.definitions import mentioned
from gene.compiler.nodes import Block, Call, Const, Fn, GlobalSet, LocalGet, Node, Return, Run, SetSelf, Yield
from gene.compiler.scope import Function, Parameter
from gene.compiler.types import annotation
from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import Gene, span_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer
    from gene.compiler.errors import GeneCompileError

DIRECTIVES = frozenset({"async", "generator", "pre", "post"})
"""Properties of a function that change what it does; the others are metadata."""


def fn(analyzer: Analyzer, form: Gene) -> Node:
    """``(fn name [params…] -> Type body…)``."""
    children = list(form.children)
    name: Any = None
    if children and type(children[0]) in (Symbol, PathSymbol):
        name = children.pop(0)
    if not children or not isinstance(children[0], list):
        raise analyzer.error("fn: a parameter list is missing", form, hint="(fn name [a b] body)")
    parameters, body, result = children[0], children[1:], None
    if body and type(body[0]) is Symbol and body[0].name == "->":
        result, body = body[1:2], body[2:]
    if name is None:
        return define(analyzer, "", parameters, body, form.props, result)
    if type(name) is PathSymbol:
        return _member_function(analyzer, name, parameters, body, form.props, result)
    return _named(analyzer, name, parameters, body, form.props, result)


def _named(
    analyzer: Analyzer, symbol: Symbol, parameters: list[Any], body: list[Any], props: Any, result: Any
) -> Node:
    name, _, generic = symbol.name.partition(":")
    if name == "self":
        raise analyzer.error("self cannot be declared", symbol)
    types = frozenset(generic.split(":")) if generic else frozenset()
    span = analyzer.span
    if analyzer.at_top():
        analyzer.export(name)
        known = analyzer.name(name)
        known.declared = True
        known.assignments += 1
        made = define(analyzer, name, parameters, body, props, result, types)
        known.function = made if known.function is None else known.function
        made.function.known = known
        return GlobalSet(span, known, made)
    variable = analyzer.declare(name)
    made = define(analyzer, name, parameters, body, props, result, types)
    variable.definition = made
    return analyzer.assign_local(variable, made, span, fresh=True)


def without_types(name: str, types: frozenset[str] = frozenset()) -> tuple[str, frozenset[str]]:
    """A name, and the names of types that follow it after colons: ``id:T``."""
    plain, *generic = name.split(":")
    if not plain or not generic or not all(each[:1].isupper() for each in generic):
        return name, types
    return plain, types | frozenset(generic)


def _is_future(result: list[Any] | None) -> bool:
    """Whether a declared result is a future: ``-> (Future Int)``."""
    form = result[0] if result else None
    return repr(form.type if type(form) is Gene else form) in ("Future", "gene/Future")


def _member_function(
    analyzer: Analyzer, path: PathSymbol, parameters: list[Any], body: list[Any], props: Any, result: Any
) -> Node:
    """``(fn $ns/name …)``, ``(fn /name …)``, ``(fn Ns/name …)``."""
    name = paths.own_member(path.parts)
    if name is None:
        made = define(analyzer, path.parts[-1], parameters, body, props, result)
        return paths.define(analyzer, path, made)
    if analyzer.space is not None:
        analyzer.space[1][name] = None
    if analyzer.space is not None or analyzer.scope.find(name) is not None:
        return paths.set_own(analyzer, name, define(analyzer, name, parameters, body, props, result))
    analyzer.export(name)
    known = analyzer.name(name)
    known.declared = True
    known.assignments += 1
    made = define(analyzer, name, parameters, body, props, result)
    known.function = made if known.function is None else known.function
    made.function.known = known
    return GlobalSet(analyzer.span, known, made)


def define(
    analyzer: Analyzer,
    name: str,
    parameters: list[Any],
    body: list[Any],
    props: Any,
    result: list[Any] | None,
    types: frozenset[str] = frozenset(),
    *,
    receiver: bool = False,
) -> Fn:
    """The function with these parameters and this body.

    Args:
        analyzer: The analyzer.
        name: The function's name, "" for an anonymous one.
        parameters: The forms of the parameter list.
        body: The forms of the body.
        props: The properties of the ``fn`` form: metadata.
        result: A list with the form of the result type, or None.
        types: Names that stand for any type.
        receiver: Whether it is a method, which takes self first.
    """
    name, types = without_types(name, types)
    span, function = analyzer.span, Function(name, analyzer.function)
    function.properties = {
        key: value for key, value in props.items() if isinstance(key, str) and key not in DIRECTIVES
    }
    function.generator = (name.endswith("*") and len(name) > 1) or props.get("generator") is True
    if function.generator and props.get("async") is True:
        raise analyzer.error("a generator cannot be asynchronous", hint="await in its body waits for futures")
    outer, analyzer.type_names = analyzer.type_names, analyzer.type_names | types
    with analyzer.within(function):
        if receiver:
            function.receiver = analyzer.declare("self", parameter=True)
            function.receiver.assignments = 1
        if is_macro_name(name):
            function.caller = analyzer.declare_own("%caller")
        assigned = _parameters(analyzer, function, parameters)
        declared = annotation(analyzer, result[0]) if result else None
        if props.get("async") is not True:
            function.result = declared
            node = _checked(analyzer, body, props, function)
        else:
            function.result, inner = (declared, None) if _is_future(result) else (None, declared)
            node = _asynchronous(analyzer, body, props, inner)
    analyzer.type_names = outer
    if assigned:
        node = Block(span, [*assigned, node])
    made = Fn(span, function, node)
    analyzer.functions.append(made)
    return made


def _asynchronous(analyzer: Analyzer, body: list[Any], props: Any, declared: Node | None) -> Node:
    """The future of what the body gives, which is what the declared type is of."""
    function = analyzer.function
    inner = Function(function.name or "async", function)
    inner.result = declared
    with analyzer.within(inner):
        node = _checked(analyzer, body, props, function)
    made = Fn(analyzer.span, inner, node)
    analyzer.functions.append(made)
    return Run(analyzer.span, "run_async", [made])


def _checked(analyzer: Analyzer, body: list[Any], props: Any, function: Function) -> Node:
    """The body, between the conditions of its contract."""
    if "pre" not in props and "post" not in props:
        return analyzer.body(body) if body else Const(analyzer.span, None)
    from gene.compiler.specials.contracts import contract

    return contract(analyzer, body, props, function)


def yield_(analyzer: Analyzer, form: Gene) -> Node:
    """``(yield v)``."""
    if not analyzer.function.generator:
        raise analyzer.error(
            "yield used outside of generator function", form, hint="a generator's name ends in *"
        )
    analyzer.ignored(form.children[1:], "yield")
    value = analyzer.node(form.children[0]) if form.children else Const(analyzer.span, None)
    return Yield(analyzer.span, value)


def _parameters(analyzer: Analyzer, function: Function, forms: list[Any]) -> list[Node]:
    """Declare the parameters; the nodes assign the properties that ``/x`` parameters name."""
    assigned: list[Node] = []
    position = 0
    while position < len(forms):
        form = forms[position]
        position += 1
        default = type_ = text = None
        name, kind, typed = _spelling(analyzer, form)
        if typed:
            if position >= len(forms):
                raise analyzer.error(f"a type is missing after {name}:", form)
            if type(forms[position]) is Symbol and forms[position].name.endswith("..."):
                raise analyzer.error("the dots belong to the parameter", form, hint=f"[{name}...: Int]")
            type_, text = annotation(analyzer, forms[position]), repr(forms[position])
            type_ = type_ if kind in ("positional", "keyword") else None
            position += 1
        if position + 1 < len(forms) and type(forms[position]) is Symbol and forms[position].name == "=":
            default = _default(analyzer, forms[position + 1], [form, *forms[position:]])
            position += 2
        _check_parameter(analyzer, function, name, kind, form)
        if name == "_":
            variable = function.add(name, function.temporary("ignored"))
        else:
            variable = analyzer.declare(name, parameter=True)
        variable.assignments += 1
        variable.type = type_
        function.parameters.append(Parameter(variable, kind, default, type_, text))
        if type(form) is PathSymbol:
            if not analyzer.in_method():
                raise analyzer.error(f"a parameter /{name} is a property of self: it needs a method", form)
            analyzer.note_property(name)
            receiver, value = analyzer.self_node(span_of(form)), LocalGet(span_of(form), variable)
            assigned.append(SetSelf(span_of(form), receiver, name, value))
    return assigned


def _default(analyzer: Analyzer, form: Any, rest: list[Any]) -> Node:
    """The node of a default.

    What it names is a parameter before it or something outside. A keyword parameter that is still to come and
    has the name of what is outside hides that from Python, which knows such a parameter by its name: then a
    function around the default looks past it.
    """
    keywords = {each.name[1:].rstrip(":") for each in rest if type(each) is Symbol and each.name[:1] == "^"}
    hidden = [name for name in mentioned(form) if name in keywords]
    for name in hidden:
        variable = analyzer.scope.find(name)
        if variable is not None:
            variable.python = variable.function.unique(name)
    if not hidden:
        return analyzer.node(form)
    return Call(span_of(form), define(analyzer, "", [], [form], {}, None), [], [])


def _check_parameter(analyzer: Analyzer, function: Function, name: str, kind: str, form: Any) -> None:
    """Refuse a parameter that cannot be told from another one."""
    if name == "self":
        raise analyzer.error("self cannot be declared", form)
    if name.startswith("$") and len(name) > 1:
        raise analyzer.error(f"{name} cannot be a parameter: names with a $ are global", form)
    if name in analyzer.scope.names or (name == "_" and kind == "keyword"):
        raise analyzer.error(f"the parameter {name} is there twice", form)
    if kind in ("rest", "keywords") and any(other.kind == kind for other in function.parameters):
        raise analyzer.error("only one parameter can take the rest", form)


def _spelling(analyzer: Analyzer, form: Any) -> tuple[str, str, bool]:
    """The name and the kind of a parameter as it is written, and whether a type follows."""
    own = type(form) is PathSymbol and form.parts[0] == "" and len(form.parts) == 2
    if (type(form) is not Symbol and not own) or form.name in _NO_PARAMETERS:
        raise _no_parameter(analyzer, form)
    name = form.parts[1] if own else form.name
    typed = name.endswith(":") and len(name) > 1
    name = name[:-1] if typed else name
    if name.startswith("^") and name.endswith("..."):
        return name[1:-3], "keywords", typed
    if name.startswith("^"):
        return name[1:], "keyword", typed
    if name.endswith("...") and len(name) > 3:
        return name[:-3], "rest", typed
    return name, "positional", typed


_NO_PARAMETERS = {
    ":": ("a type follows its parameter without a blank", "[x: Int]"),
    "=": ("a default is missing after =", "[a b = 1]"),
    "...": ("... is part of a parameter's name", "[first rest...]"),
    "^": ("^ is part of a parameter's name", "[a ^key]"),
    "^...": ("^... is part of a parameter's name", "[a ^others...]"),
}
"""Symbols that are no names, and what is wrong with them in a parameter list."""


def _no_parameter(analyzer: Analyzer, form: Any) -> GeneCompileError:
    """The error for what is no parameter."""
    message, hint = "a parameter is a name", "[a b = 1 rest... ^key ^other = 2]"
    if isinstance(form, list | dict):
        message, hint = "a parameter is a name, not a pattern", "take it apart in the body: (var [a b] pair)"
    elif type(form) is Symbol:
        message, hint = _NO_PARAMETERS[form.name]
    return analyzer.error(message, form, hint=hint)


def return_(analyzer: Analyzer, form: Gene) -> Node:
    """``(return)``, ``(return v)``."""
    analyzer.ignored(form.children[1:], "return")
    value = analyzer.node(form.children[0]) if form.children else Const(analyzer.span, None)
    return Return(analyzer.span, value)


HANDLERS = {"fn": fn, "return": return_, "yield": yield_}
