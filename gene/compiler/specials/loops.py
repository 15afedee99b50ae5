"""``while``, ``loop``, ``for``, ``repeat``, ``break`` and ``continue``."""

from __future__ import annotations

from gene.compiler.nodes import Block, Break, Continue, For, Loop, Node
from gene.compiler.specials.bindings import unpack
from gene.data.atoms import Symbol
from gene.data.forms import Gene

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer
    from gene.compiler.scope import Variable


class _Looping:
    """Counts a loop around the forms analysed within, and keeps its label for ``break`` and ``continue``."""

    __slots__ = ("analyzer", "label")

    def __init__(self, analyzer: Analyzer, label: str | None) -> None:
        self.analyzer = analyzer
        self.label = label

    def __enter__(self) -> None:
        self.analyzer.function.loops += 1
        self.analyzer.labels.append((self.analyzer.function, self.label))

    def __exit__(self, *_exception: object) -> None:
        self.analyzer.function.loops -= 1
        self.analyzer.labels.pop()


def _label(form: Gene) -> str | None:
    name = form.props.get("name")
    return name.name if type(name) is Symbol else None


def while_(analyzer: Analyzer, form: Gene) -> Node:
    """``(while c e…)``."""
    if not form.children:
        raise analyzer.error("while: missing condition", form)
    with _Looping(analyzer, _label(form)):
        test = analyzer.node(form.children[0])
        body = analyzer.body(form.children[1:])
    return Loop(analyzer.span, test, body, _label(form), [])


def loop(analyzer: Analyzer, form: Gene) -> Node:
    """``(loop e…)``."""
    with _Looping(analyzer, _label(form)):
        body = analyzer.body(form.children)
    return Loop(analyzer.span, None, body, _label(form), [])


def repeat(analyzer: Analyzer, form: Gene) -> Node:
    """``(repeat n e…)``."""
    if not form.children:
        raise analyzer.error("repeat: missing count", form, hint="(repeat 3 (println 1))")
    count = analyzer.node(form.children[0])
    with _Looping(analyzer, _label(form)):
        body = analyzer.scoped(form.children[1:], looped=True)
    return For(analyzer.span, "times", [count], None, None, None, body, _label(form))


def for_(analyzer: Analyzer, form: Gene) -> Node:
    """``(for x in coll e…)``, ``(for i x in coll e…)``, ``(for [a b] in coll e…)``."""
    children = form.children
    at = next((i for i, item in enumerate(children) if type(item) is Symbol and item.name == "in"), -1)
    if at not in (1, 2) or at + 1 >= len(children):
        raise analyzer.error("for: expected a variable, in, and a collection", form, hint="(for x in xs …)")
    kind, source = _source(analyzer, children[at + 1], pairs=at == 2)
    with _Looping(analyzer, _label(form)), analyzer.block(looped=True):
        key = _variable(analyzer, children[0]) if at == 2 else None
        pattern = children[at - 1]
        steps = None
        if isinstance(pattern, list | dict):
            item = analyzer.declare(analyzer.function.temporary("item"))
            item.assignments = 1
            steps = Block(analyzer.span, unpack(analyzer, pattern, item))
        else:
            item = _variable(analyzer, pattern)
        body = analyzer.opened(analyzer.body(children[at + 2 :]))
    return For(analyzer.span, kind, source, key, item, steps, body, _label(form))


def _variable(analyzer: Analyzer, form: Any) -> Variable:
    if type(form) is not Symbol:
        raise analyzer.error("for: a variable is expected before in", form)
    if form.name.endswith(":"):
        raise analyzer.error("for: a loop variable has no type", form, hint="(for x in xs (var n: Int x) …)")
    variable = analyzer.declare(form.name)
    variable.assignments += 1
    return variable


def _source(analyzer: Analyzer, form: Any, *, pairs: bool) -> tuple[str, list[Node]]:
    """How the sequence is made: a range that is written out needs no range object."""
    if not pairs and type(form) is Gene and not form.props:
        children = form.children
        if len(children) == 2 and type(children[0]) is Symbol and children[0].name == "..":
            return "range", [analyzer.node(form.type), analyzer.node(children[1])]
        if type(form.type) is Symbol and form.type.name == "range" and len(children) in (2, 3):
            nodes = analyzer.items(children)
            if analyzer.is_language_name("range"):
                return "range", nodes
    return ("pairs" if pairs else "items"), [analyzer.node(form)]


def break_(analyzer: Analyzer, form: Gene) -> Node:
    """``(break v)``, ``(break ^from label)``."""
    label = _target(analyzer, form, "break")
    analyzer.ignored(form.children[1:], "break")
    value = analyzer.node(form.children[0]) if form.children else None
    return Break(analyzer.span, value, label)


def continue_(analyzer: Analyzer, form: Gene) -> Node:
    """``(continue)``, ``(continue ^from label)``."""
    return Continue(analyzer.span, _target(analyzer, form, "continue"))


def _target(analyzer: Analyzer, form: Gene, word: str) -> str | None:
    around = [label for function, label in analyzer.labels if function is analyzer.function]
    if not around:
        raise analyzer.error(f"{word} used outside of a loop", form)
    target = form.props.get("from")
    if type(target) is not Symbol:
        return None
    if target.name not in around:
        raise analyzer.error(f"{word}: no loop is named {target.name}", form)
    return None if around[-1] == target.name else target.name


HANDLERS = {
    "while": while_,
    "loop": loop,
    "repeat": repeat,
    "for": for_,
    "break": break_,
    "continue": continue_,
}
