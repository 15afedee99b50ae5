"""``import`` and ``export``."""

from __future__ import annotations

from gene.compiler.nodes import Block, Const, GlobalSet, Node, Run
from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import ArrayForm, Gene

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.analyzer import Analyzer

    _Place = tuple[str | None, str | None]


def import_(analyzer: Analyzer, form: Gene) -> Node:
    """``(import a b:c from "m")``, ``(import * from "m" of "package")``, ``(import ns/name)``."""
    if not analyzer.at_top():
        raise analyzer.error(
            "import is compile-time only; place imports at module top level or emit them from (comptime ...)",
            form,
        )
    items, place = _split(analyzer, form)
    span = analyzer.span
    module, variable = analyzer.temporary(_load(analyzer, place))
    from gene.compiler.nodes import LocalGet

    steps: list[Node] = [module]
    if any(type(item) is Symbol and item.name == "*" for item in items):
        steps.append(Run(span, "import_all", [LocalGet(span, variable), analyzer.internal("%ns", span)]))
    for name, alias in _names(analyzer, items):
        if place is None:
            value: Node = Run(span, "import_path", [Const(span, name)])
        else:
            value = Run(span, "import_name", [LocalGet(span, variable), Const(span, name)])
        known = analyzer.name(alias)
        known.declared = True
        known.assignments += 1
        steps.append(GlobalSet(span, known, value))
    return Block(span, [*steps, Const(span, None)])


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
    if wrong or (not places and (not items or not all(type(item) is PathSymbol for item in items))):
        raise analyzer.error(
            "Module path not specified in import statement", form, hint='(import name from "path")'
        )
    return items, (places.get("from"), places.get("of")) if places else None


def _names(analyzer: Analyzer, items: list[Any]) -> list[tuple[str, str]]:
    """Pairs of what is imported and the name it gets here: ``a``, ``a:b``, ``n/f``, ``n/[x y:z]``."""
    found: list[tuple[str, str]] = []
    position = 0
    while position < len(items):
        item = items[position]
        position += 1
        group = items[position] if position < len(items) and type(items[position]) is ArrayForm else None
        if type(item) is PathSymbol and item.parts[-1] == "" and group is not None:
            position += 1
            prefix = "/".join(item.parts)
            found += [(prefix + name, alias) for name, alias in _names(analyzer, group)]
        elif type(item) in (Symbol, PathSymbol):
            name, _, alias = item.name.partition(":")
            if name != "*":
                found.append((name, alias or name.rpartition("/")[2]))
        else:
            raise analyzer.error("import takes names", item, hint='(import a b:alias from "path")')
    return found


def export(analyzer: Analyzer, form: Gene) -> Node:
    """``(export a b)``: only the listed names can be imported."""
    names: list[str] = []
    for item in (
        form.children[0] if len(form.children) == 1 and type(form.children[0]) is ArrayForm else form.children
    ):
        if type(item) is not Symbol:
            raise analyzer.error("export takes names", form, hint="(export a b)")
        names.append(item.name)
    span = analyzer.span
    return Run(span, "export_only", [analyzer.internal("%ns", span), *[Const(span, name) for name in names]])


def comptime(analyzer: Analyzer, form: Gene) -> Node:
    """``(comptime …)`` where it comes too late: the module has expanded those at its top level."""
    raise analyzer.error("comptime is possible only at the top level of a module", form)


HANDLERS = {"import": import_, "export": export, "comptime": comptime}
