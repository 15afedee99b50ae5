"""``import``, ``$dep`` and ``export``."""

from __future__ import annotations

from gene.compiler.nodes import Block, Const, GlobalSet, LocalGet, Node, Run
from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import ArrayForm, Gene, span_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer

    _Place = tuple[str | None, str | None]


def import_(analyzer: Analyzer, form: Gene) -> Node:
    """``(import a b:c from "m")``, ``(import * from "m" of "package")``, ``(import ns/name)``."""
    if not _is_top(analyzer, form):
        raise analyzer.error(
            "import is compile-time only; place imports at module top level or emit them from (comptime ...)",
            form,
        )
    items, place = _split(analyzer, form)
    span = analyzer.span
    module, variable = analyzer.temporary(_load(analyzer, place))
    steps: list[Node] = [module]
    if any(type(item) is Symbol and item.name == "*" for item in items):
        steps.append(Run(span, "import_all", [LocalGet(span, variable), analyzer.internal("%ns", span)]))
    for name, alias, item in _names(analyzer, items):
        here = span_of(item)
        if place is None:
            value: Node = Run(here, "import_path", [Const(here, name)])
        else:
            value = Run(here, "import_name", [LocalGet(here, variable), Const(here, name)])
        known = analyzer.name(alias)
        known.declared = True
        known.assignments += 1
        steps.append(GlobalSet(span, known, value))
    return Block(span, [*steps, Const(span, None)])


def _is_top(analyzer: Analyzer, form: Gene) -> bool:
    """Whether a form stands by itself at the top level of a module."""
    return analyzer.at_top() and id(form) in analyzer.forms


def _load(analyzer: Analyzer, place: _Place | None) -> Node:
    span = analyzer.span
    if place is None:
        return Const(span, None)
    path, package = place
    arguments = [Const(span, path), analyzer.internal("%ns", span)]
    return Run(span, "import_module", arguments if package is None else [*arguments, Const(span, package)])


def _split(analyzer: Analyzer, form: Gene) -> tuple[list[Any], _Place | None]:
    """What is imported, and from which module of which package; None for a namespace of the language."""
    items = form.children
    places: dict[str, Any] = {}
    while len(items) > 1 and type(items[-2]) is Symbol and items[-2].name in {"from", "of"} - places.keys():
        places[items[-2].name] = items[-1]
        items = items[:-2]
    words = [item.name for item in items if type(item) is Symbol]
    wrong = "from" in words or "of" in words or not all(isinstance(each, str) for each in places.values())
    if wrong or (
        not places and (not items or not all(type(item) in (PathSymbol, ArrayForm) for item in items))
    ):
        raise analyzer.error(
            "Module path not specified in import statement", form, hint='(import name from "path")'
        )
    return items, (places.get("from"), places.get("of")) if places else None


def _names(analyzer: Analyzer, items: list[Any]) -> list[tuple[str, str, Any]]:
    """What is imported, the name it gets here, and its form: ``a``, ``a:b``, ``n/f``, ``n/[x y:z]``."""
    found: list[tuple[str, str, Any]] = []
    position = 0
    while position < len(items):
        item = items[position]
        position += 1
        group = items[position] if position < len(items) and type(items[position]) is ArrayForm else None
        if type(item) is PathSymbol and item.parts[-1] == "" and group is not None:
            position += 1
            prefix = "/".join(item.parts)
            found += [(prefix + name, alias, each) for name, alias, each in _names(analyzer, group)]
            continue
        name, colon, alias = item.name.partition(":") if type(item) in (Symbol, PathSymbol) else ("", "", "")
        if not all(name.split("/")) or bool(colon) is not bool(alias):
            raise analyzer.error("import takes names", item, hint='(import a b:alias from "path")')
        if name != "*":
            found.append((name, alias or name.rpartition("/")[2], item))
    return found


def dep(analyzer: Analyzer, form: Gene) -> Node:
    """``($dep "name" "path or version")``, ``($dep "name" "version" ^path "path")``."""
    if not _is_top(analyzer, form):
        raise analyzer.error(
            "$dep is compile-time only; place it at module top level or emit it from (comptime ...)", form
        )
    name, said, *_ = [*form.children, None, None]
    path = form.props.get("path")
    known = len(form.children) in (1, 2) and isinstance(name, str) and set(form.props) <= {"path"}
    if not known or not all(each is None or isinstance(each, str) for each in (said, path)):
        raise analyzer.error(
            "$dep takes the name of a package, and a path or a version",
            form,
            hint='($dep "words" "../words") or ($dep "words" "^1.2")',
        )
    constants = [Const(analyzer.span, each) for each in (name, said, path)]
    return Run(analyzer.span, "depend", [analyzer.internal("%ns", analyzer.span), *constants])


def export(analyzer: Analyzer, form: Gene) -> Node:
    """``(export a b)``: only the listed names can be imported."""
    if not _is_top(analyzer, form):
        raise analyzer.error("export is possible only at the top level of a module", form)
    names: list[str] = []
    for item in (
        form.children[0] if len(form.children) == 1 and type(form.children[0]) is ArrayForm else form.children
    ):
        if type(item) is not Symbol or ":" in item.name:
            raise analyzer.error("export takes names", item, hint="(export a b)")
        names.append(item.name)
    span = analyzer.span
    return Run(span, "export_only", [analyzer.internal("%ns", span), *[Const(span, name) for name in names]])


def comptime(analyzer: Analyzer, form: Gene) -> Node:
    """``(comptime …)`` where it comes too late: the module has expanded those at its top level."""
    raise analyzer.error("comptime is possible only at the top level of a module", form)


HANDLERS = {"import": import_, "$dep": dep, "export": export, "comptime": comptime}
