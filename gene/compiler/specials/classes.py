"""``class``, ``object``, ``interface`` and ``implement``."""

from __future__ import annotations

from gene.compiler import paths
from gene.compiler.nodes import Block, Class, Const, Fn, Node, Run
from gene.compiler.specials.bindings import bind, set_global
from gene.compiler.specials.functions import define, without_types
from gene.compiler.specials.values import construct
from gene.compiler.types import annotation
from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import Gene, span_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer


def class_(analyzer: Analyzer, form: Gene) -> Node:
    """``(class Name < Parent members…)``."""
    children = list(form.children)
    if not children or type(children[0]) not in (Symbol, PathSymbol):
        raise analyzer.error("class needs a name", form, hint="(class Point (ctor [/x /y]))")
    target = children.pop(0)
    spelled, *generic = target.name.split(":")
    name, parent = spelled.rpartition("/")[2], None
    if len(children) > 1 and type(children[0]) is Symbol and children[0].name == "<":
        parent = analyzer.node(children[1])
        children = children[2:]
    interfaces: list[Node] = []
    if len(children) > 1 and type(children[0]) is Symbol and children[0].name == "implements":
        named = children[1] if isinstance(children[1], list) else [children[1]]
        interfaces, children = [analyzer.node(each) for each in named], children[2:]
    made = Class(analyzer.span, name, parent, [], None, [], interfaces, None, {})
    place = target.source, target.start, target.end
    reference: Any = Symbol(name, *place)
    if type(target) is PathSymbol:
        own = paths.own_member(target.parts)
        reference = target if own is None else PathSymbol(("$ns", name), *place)
    types, analyzer.type_names = analyzer.type_names, analyzer.type_names | frozenset(generic)
    if type(target) is Symbol and not analyzer.at_top():
        analyzer.declare(name).ready = False
    single = form.type.name == "object"
    owner = Symbol(f"%{name}", *place) if single else reference  # the name is that of the instance then
    if single:
        analyzer.declare(owner.name).ready = False
    statics = _body(analyzer, made, children, owner, form.props.get("fields"))
    analyzer.type_names = types
    analyzer.classes.append((made, form))
    value = construct(analyzer, bind(analyzer, owner.name, made), [], []) if single else made
    bound = _bind(analyzer, target, name, value)
    if not statics:
        return bound
    self = analyzer.node(reference)
    return Block(analyzer.span, [bound, *_members_of(analyzer, self, statics), self])


def interface(analyzer: Analyzer, form: Gene) -> Node:
    """``(interface Name (method m []) (field f Type))``."""
    target = form.children[0] if form.children else None
    if not isinstance(target, Symbol | PathSymbol):
        raise analyzer.error("interface needs a name", form, hint="(interface Speaks (method speak []))")
    name = target.name.partition(":")[0].rpartition("/")[2]
    found: dict[str, list[str]] = {"method": [], "field": []}
    for item in form.children[1:]:
        word = item.type.name if type(item) is Gene and type(item.type) is Symbol else None
        first = item.children[0] if word in found and item.children else None
        if word not in found or not isinstance(first, Symbol | str):
            raise analyzer.error(f"interface {name}: a method or a field is expected", form)
        if word == "method" and (len(item.children) < 2 or not isinstance(item.children[1], list)):
            raise analyzer.error(f"interface {name}: a method needs a parameter list", item)
        analyzer.unchecked(item, "a method of an interface")
        found[str(word)].append((first if isinstance(first, str) else first.name).removesuffix(":"))
    constants = [Const(analyzer.span, each) for each in (name, tuple(found["method"]), tuple(found["field"]))]
    return _bind(analyzer, target, name, Run(analyzer.span, "make_interface", [*constants]))


def implement(analyzer: Analyzer, form: Gene) -> Node:
    """``(implement Interface for Class (method …) …)``."""
    children = form.children
    separator = children[1] if len(children) > 2 else None
    if type(separator) is not Symbol or separator.name != "for":
        raise analyzer.error(
            "implement: expected an interface, for, and a class", form, hint="(implement I for C …)"
        )
    promised, adapted = analyzer.node(children[0]), analyzer.node(children[2])
    made = Class(analyzer.span, repr(children[0]), adapted, [], None, [], [], promised, {})
    _body(analyzer, made, children[3:], children[2], None)
    return made


def _bind(analyzer: Analyzer, target: Any, name: str, made: Node) -> Node:
    if type(target) is PathSymbol:
        own = paths.own_member(target.parts)
        if own is None:
            return paths.define(analyzer, target, made)
        return paths.set_own(analyzer, own, made)
    if not analyzer.at_top():
        return bind(analyzer, name, made)
    analyzer.export(name)
    return set_global(analyzer, name, made)


def _body(
    analyzer: Analyzer, made: Class, forms: list[Any], reference: Any, fields: Any
) -> list[tuple[str, Gene]]:
    """Add what a class body defines; the definitions of members that the class itself has are returned."""
    statics: list[tuple[str, Gene]] = []
    outer, analyzer.properties = analyzer.properties, {}
    around, analyzer.inside = analyzer.inside, made
    owner, analyzer.function.owner = analyzer.function.owner, reference
    for name, declared in fields.items() if isinstance(fields, dict) else ():
        _declare_field(analyzer, made, name, declared)
    for form in forms:
        if type(form) is not Gene or type(form.type) is not Symbol:
            raise analyzer.error(
                f"class {made.name}: a member is expected", form, hint="(ctor […] …) or (method name […] …)"
            )
        if form.type.name in _DEFINING and made.adapts is None:
            statics += _static(analyzer, form)
            continue
        handler = _MEMBERS.get(form.type.name)
        if handler is None:
            raise analyzer.error(f"class {made.name}: {form.type.name} is no member of a class", form)
        handler(analyzer, made, form)
    made.properties = list(analyzer.properties or ())
    analyzer.function.owner = owner
    analyzer.properties = outer
    analyzer.inside = around
    return statics


def _field(analyzer: Analyzer, made: Class, form: Gene) -> None:
    """``(field x Int)``, ``(field x: Int)``, ``(field x)``."""
    if len(form.children) > 2:
        hint = "the constructor assigns its value: (ctor [] (/x = 5))"
        raise analyzer.error(f"class {made.name}: a field has a name and a type", form, hint=hint)
    name, *declared = form.children or [None]
    if type(name) is Symbol:
        _declare_field(analyzer, made, name.name.removesuffix(":"), declared[0] if declared else None)


def _declare_field(analyzer: Analyzer, made: Class, name: Any, declared: Any) -> None:
    """A property that instances have; its type is for the static checks alone."""
    if not isinstance(name, str):
        return
    analyzer.note_property(name)
    if isinstance(declared, Symbol | PathSymbol | Gene):
        made.fields[name] = annotation(analyzer, declared)


def _constructor(analyzer: Analyzer, made: Class, form: Gene) -> None:
    if made.constructor is not None:
        raise analyzer.error(f"Class '{made.name}' already has a constructor", form)
    if form.props.get("async") is True or form.props.get("generator") is True:
        raise analyzer.error(
            "a constructor is neither asynchronous nor a generator: nobody gets its value", form
        )
    made.constructor = _function(analyzer, form, "ctor", form.children)


def _method(analyzer: Analyzer, made: Class, form: Gene) -> None:
    first = form.children[0] if form.children else None
    name = first if isinstance(first, str) else first.name if type(first) is Symbol else None
    if name is None:
        raise analyzer.error("method needs a name", form, hint="(method name [args] body)")
    if name.endswith("!") and name != "!":
        raise analyzer.error(f"a method's name cannot end in !: {name}", form)
    made.methods.append((without_types(name)[0], _function(analyzer, form, name, form.children[1:])))


def _method_missing(analyzer: Analyzer, made: Class, form: Gene) -> None:
    made.methods.append(("on_method_missing", _function(analyzer, form, "on_method_missing", form.children)))


def _function(analyzer: Analyzer, form: Gene, name: str, rest: list[Any]) -> Fn:
    if not rest or not isinstance(rest[0], list):
        raise analyzer.error(f"{name}: a parameter list is missing", form, hint=f"(method {name} [a b] body)")
    parameters, body, result = rest[0], rest[1:], None
    if body and type(body[0]) is Symbol and body[0].name == "->":
        result, body = body[1:2], body[2:]
    outer, analyzer.span = analyzer.span, span_of(form) or analyzer.span
    made = define(analyzer, name, parameters, body, form.props, result, receiver=True)
    analyzer.span = outer
    return made


def _implemented(analyzer: Analyzer, made: Class, form: Gene) -> None:
    """``(implement I (method …))`` in a class: one of its interfaces, with the methods that it asks for."""
    if not form.children:
        raise analyzer.error("implement: expected an interface", form, hint="(implement I (method …))")
    made.interfaces.append(analyzer.node(form.children[0]))
    for item in form.children[1:]:
        if type(item) is not Gene or item.type != _METHOD:
            raise analyzer.error(f"class {made.name}: methods of the interface are expected", form)
        _method(analyzer, made, item)


def _static(analyzer: Analyzer, form: Gene) -> list[tuple[str, Gene]]:
    """``(fn /make …)``, ``(var /count 3)``: the name of a member of the class, and what makes its value."""
    target = form.children[0] if form.children else None
    name = paths.own_member(target.parts) if type(target) is PathSymbol else None
    if name is None:
        analyzer.warn(
            "a plain definition in a class body cannot be reached; write it with a leading slash", form
        )
        return []
    assert target is not None
    place = form.source, form.start, form.end
    plain: Any = Symbol(name, target.source, target.start, target.end)
    return [(name.partition(":")[0], Gene(form.type, form.props, [plain, *form.children[1:]], *place))]


def _members_of(analyzer: Analyzer, owner: Node, statics: list[tuple[str, Gene]]) -> list[Node]:
    """What gives a class, or the only instance of one, its members once it is there itself."""
    made: list[Node] = []
    for name, form in statics:
        with analyzer.block():
            value = analyzer.node(form)
        made.append(Run(span_of(form), "set", [owner, Const(span_of(form), name), value]))
    return made


_METHOD = Symbol("method")
_DEFINING = frozenset({"fn", "var", "let", "class", "object", "enum", "interface", "type", "ns"})
_MEMBERS = {
    "field": _field,
    "ctor": _constructor,
    "method": _method,
    "on_method_missing": _method_missing,
    "implement": _implemented,
}
HANDLERS = {"class": class_, "object": class_, "interface": interface, "implement": implement}
