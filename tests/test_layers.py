"""The house: which package may import which, that nothing imports in a circle, and what is packaged."""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LONGEST = 450
"""Lines of a module: most have under 350, none may grow beyond what can be read in one sitting."""

LAYERS = {
    "gene.data": {"gene.errors", "gene.excerpts"},
    "gene.grammar": set(),
    "gene.reader": {"gene.data", "gene.grammar", "gene.errors"},
    "gene.runtime": {"gene.data", "gene.errors"},
    "gene.stdlib": {"gene.data", "gene.errors", "gene.runtime"},
    "gene.compiler": {"gene.data", "gene.errors", "gene.options"},
    "gene.formatter": {"gene.data", "gene.errors", "gene.reader"},
}
"""What the modules of a package may import besides those of their own package, at any place in them."""

EXCEPTIONS = {
    (
        "gene.compiler",
        "gene.runtime",
    ): "names of attributes, limits of Ints and the like are known to both sides",
    ("gene.stdlib", "gene.reader"): "parse, and data written as Gene text, read when they are asked to",
    ("gene.data", "gene.runtime.exceptions"): "values raise what programs catch",
    ("gene.formatter", "gene.compiler.infix"): "lines break before operators by their precedence",
}
"""Imports against the arrows, each with its reason."""


@cache
def modules() -> dict[str, Path]:
    """All modules of the two packages."""
    found = {}
    for package in ("gene", "ai_tools"):
        for path in (ROOT / package).rglob("*.py"):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _is_for_types(node: ast.stmt) -> bool:
    """Whether a statement is ``if TYPE_CHECKING:``."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _statements(body: list[ast.stmt], *, deep: bool) -> list[ast.stmt]:
    """The statements of a module: at its top level, or inside of functions and classes too."""
    made = []
    for node in body:
        if _is_for_types(node):
            continue
        made.append(node)
        for field in ("body", "orelse", "handlers", "finalbody"):
            inner = getattr(node, field, [])
            if deep or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                made += _statements(inner if isinstance(inner, list) else [], deep=deep)
    return made


@cache
def imports(name: str, *, deep: bool) -> frozenset[str]:
    """The modules of ours that a module imports; with ``deep`` also from within functions."""
    tree = ast.parse(modules()[name].read_text(encoding="utf-8"))
    found = set()
    for node in _statements(tree.body, deep=deep):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update(
                inner if (inner := f"{node.module}.{alias.name}") in modules() else node.module
                for alias in node.names
            )
    return frozenset(
        each for each in found if each in modules() or each.split(".")[0] in ("gene", "ai_tools")
    )


def _within(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


@pytest.mark.parametrize("package", LAYERS)
def test_arrows_point_one_way(package: str) -> None:
    """A package imports only from the layers below it, whatever the place of the import."""
    allowed = {package, *LAYERS[package], *(target for source, target in EXCEPTIONS if source == package)}
    wrong = [
        f"{name} imports {target}"
        for name in modules()
        if _within(name, package)
        for target in imports(name, deep=True)
        if not any(_within(target, each) for each in allowed)
    ]
    assert not wrong


def test_exceptions_are_needed() -> None:
    """An exception that nothing uses any more is taken out."""
    for source, target in EXCEPTIONS:
        assert any(
            _within(imported, target)
            for name in modules()
            if _within(name, source)
            for imported in imports(name, deep=True)
        ), (source, target)


def test_the_language_and_the_tools_meet_in_one_place() -> None:
    """gene knows ai_tools by the names of its plugins only; of ai_tools the bindings alone import gene."""
    bindings = "ai_tools.gene_bindings"
    wrong = [
        f"{name} imports {target}"
        for name in modules()
        for target in imports(name, deep=True)
        if (_within(name, "gene") and _within(target, "ai_tools"))
        or (_within(name, "ai_tools") and not _within(name, bindings) and _within(target, "gene"))
    ]
    assert not wrong


def test_what_starts_a_program_does_not_compile() -> None:
    """A program whose code is cached imports neither compiler nor reader nor lark."""
    started = ["gene", "gene.interpreter", "gene.loader", "gene.cli", "gene.commands.run"]
    seen, waiting = set(), [name for name in started if name in modules()]
    while waiting:
        name = waiting.pop()
        if name not in seen and name in modules():
            seen.add(name)
            waiting += imports(name, deep=False)
            waiting += [name.rpartition(".")[0]] if "." in name else []
    assert not [name for name in seen if name.startswith(("gene.compiler", "gene.reader", "gene.grammar"))]


def test_no_circles() -> None:
    """No module imports itself by way of others when it is loaded."""
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join((*path[path.index(name) :], name))
        if name in done or name not in modules():
            return
        for target in sorted(imports(name, deep=False)):
            visit(target, (*path, name))
        done.add(name)

    for name in sorted(modules()):
        visit(name, ())


def test_every_package_is_packaged() -> None:
    """The list of packages in pyproject.toml is complete."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = {name for name, path in modules().items() if path.name == "__init__.py"}
    assert set(project["tool"]["setuptools"]["packages"]) == packages | {"gene.grammar"}


@pytest.mark.parametrize("package", ["gene", "ai_tools"])
def test_modules_are_short(package: str) -> None:
    """No module is longer than can be read in one sitting."""
    lengths = {
        name: len(path.read_text(encoding="utf-8").splitlines())
        for name, path in modules().items()
        if _within(name, package)
    }
    assert not {name: length for name, length in lengths.items() if length > LONGEST}


@pytest.mark.parametrize("package", ["gene", "ai_tools"])
def test_functions_are_short(package: str) -> None:
    """No function is longer than sixty lines, its docstring not counted."""
    long = []
    for name, path in modules().items():
        if not _within(name, package):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0]
                if (node.end_lineno or 0) - first.lineno >= 60:
                    long.append(f"{name}.{node.name}")
    assert not long
