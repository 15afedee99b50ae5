"""Forms that make or test values: ``$``, ``new``, ``async``, interpolated strings, ``$if_main``."""

from __future__ import annotations

from gene.compiler.nodes import Block, Call, Const, If, Interpolation, LocalGet, Node, Run, Spread
from gene.compiler.specials.functions import define
from gene.data.atoms import Symbol
from gene.data.forms import INTERPOLATION

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from gene.compiler.analyzer import Analyzer
    from gene.data.forms import Gene


def concatenate(analyzer: Analyzer, form: Gene) -> Node:
    """``($ a b …)``."""
    nodes = analyzer.items(form.children)
    if any(isinstance(node, Spread) for node in nodes):
        return Run(analyzer.span, "concatenate", nodes)
    parts = [node.value if isinstance(node, Const) and type(node.value) is str else node for node in nodes]
    return Interpolation(analyzer.span, parts, "to_s")


def interpolate(analyzer: Analyzer, form: Gene) -> Node:
    """An interpolated string."""
    parts = [part if isinstance(part, str) else analyzer.node(part) for part in form.children]
    return Interpolation(analyzer.span, parts, "interpolate")


def new(analyzer: Analyzer, form: Gene) -> Node:
    """``(new Class args…)``."""
    if not form.children:
        raise analyzer.error("new needs a class", form, hint="(new Point 1 2)")
    target = analyzer.node(form.children[0])
    keywords = analyzer.entries(form.props)
    args = analyzer.items(form.children[1:])
    return construct(analyzer, target, args, keywords)


def construct(
    analyzer: Analyzer, target: Node, args: list[Node], keywords: list[tuple[str | None, Node]]
) -> Node:
    """A call of what makes instances of a class; it takes the class first."""
    held, variable = analyzer.temporary(target)
    maker = Run(analyzer.span, "maker", [held])
    return Call(analyzer.span, maker, [LocalGet(analyzer.span, variable), *args], keywords)


def async_(analyzer: Analyzer, form: Gene) -> Node:
    """``(async e…)``: evaluated at once, the outcome is wrapped in a future."""
    return Run(analyzer.span, "run_async", [define(analyzer, "async", [], form.children, {}, None)])


def await_(analyzer: Analyzer, form: Gene) -> Node:
    """``(await future…)``."""
    keywords = analyzer.entries(form.props)
    callee = analyzer.internal("%await_futures", analyzer.span)
    return Call(analyzer.span, callee, analyzer.items(form.children), keywords)


def if_main(analyzer: Analyzer, form: Gene) -> Node:
    """``($if_main e…)``: only in the file that was started."""
    test = Run(analyzer.span, "is_main", [analyzer.internal("%ns", analyzer.span)])
    return If(analyzer.span, test, analyzer.scoped(form.children), Const(analyzer.span, None))


def selector(analyzer: Analyzer, form: Gene) -> Node:
    """``(@ "a" 0)``."""
    return Run(analyzer.span, "make_selector", analyzer.items(form.children))


def set_selected(analyzer: Analyzer, form: Gene) -> Node:
    """``($set target @path value)``."""
    if len(form.children) != 3:
        raise analyzer.error("$set needs a target, a selector and a value", form, hint="($set m @a/b 1)")
    return Run(analyzer.span, "set_selected", analyzer.items(form.children))


def tap(analyzer: Analyzer, form: Gene) -> Node:
    """``($tap value :name e…)``: the value, after forms that see it under a name."""
    if not form.children:
        raise analyzer.error("$tap needs a value", form, hint="($tap (f) :it (println it))")
    first, *body = form.children
    name = "it"
    if body and type(body[0]) is Symbol and body[0].name.startswith(":"):
        name, body = body[0].name[1:], body[1:]
    value = analyzer.node(first)
    with analyzer.block():
        variable = analyzer.declare(name)
        assigned = analyzer.assign_local(variable, value, analyzer.span, fresh=True)
        steps = analyzer.body(body)
        return Block(analyzer.span, [assigned, steps, analyzer.read(name, analyzer.span)])


HANDLERS = {
    "@": selector,
    "$set": set_selected,
    "$tap": tap,
    "$": concatenate,
    INTERPOLATION: interpolate,
    "new": new,
    "async": async_,
    "await": await_,
    "$if_main": if_main,
}
