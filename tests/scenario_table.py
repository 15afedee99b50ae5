"""Writes docs/scenarios.md: which test exercises which scenario of the requirements.

    python tests/scenario_table.py

The scenarios are those of ``tests/data/scenarios.tsv``. A test names its own with
``@pytest.mark.scenario("T07")``, on a function, on its class, or as ``pytestmark`` of its module; the marks are
read from the source, so no test has to run.
"""

from __future__ import annotations

import ast
import csv
from pathlib import Path
from typing import Any

TESTS = Path(__file__).parent
SCENARIOS = TESTS / "data" / "scenarios.tsv"
TABLE = TESTS.parent / "docs" / "scenarios.md"

HEAD = """\
# Scenarios and their tests

Written by `python tests/scenario_table.py`; do not edit. A test that exercises a scenario carries
`@pytest.mark.scenario("…")`.
"""


def scenarios() -> list[dict[str, str]]:
    """Return the scenarios in order: dicts of id, spec, requirement and scenario."""
    with SCENARIOS.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def marked_tests(directory: Path = TESTS) -> dict[str, list[str]]:
    """Return for each scenario that a test names the tests, as ``test_x.py::Class::test_name``."""
    found: dict[str, list[str]] = {}
    for path in sorted(directory.glob("test_*.py")):
        module = ast.parse(path.read_text(encoding="utf-8"), str(path))
        for test, ids in _tests(module.body, path.name, _of_module(module)):
            for each in ids:
                found.setdefault(each, []).append(test)
    return found


def _tests(body: list[ast.stmt], prefix: str, inherited: list[str]) -> Any:
    """Yield the tests in a body with the scenarios that they, or what holds them, name."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _tests(node.body, f"{prefix}::{node.name}", inherited + _marks(node.decorator_list))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test"):
            yield f"{prefix}::{node.name}", dict.fromkeys(inherited + _marks(node.decorator_list))


def _of_module(module: ast.Module) -> list[str]:
    values = [
        node.value
        for node in module.body
        if isinstance(node, ast.Assign)
        and any(getattr(each, "id", "") == "pytestmark" for each in node.targets)
    ]
    return _marks(values)


def _marks(nodes: list[Any]) -> list[str]:
    """Return the arguments of all ``pytest.mark.scenario(…)`` in decorators, ``pytest.param`` marks included."""
    return [
        argument.value
        for node in nodes
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.scenario"
        for argument in call.args
        if isinstance(argument, ast.Constant)
    ]


def untested(tests: dict[str, list[str]]) -> list[str]:
    """Return the ids of the scenarios that no test names."""
    return [each["id"] for each in scenarios() if each["id"] not in tests]


def table(tests: dict[str, list[str]]) -> str:
    """Return the page: what is missing, then a table for each specification."""
    rows = scenarios()
    missing = untested(tests)
    covered = f"{len(rows) - len(missing)} of {len(rows)} scenarios have tests."
    lines = [HEAD, f"{covered} Without one: {', '.join(missing)}." if missing else covered]
    for spec in dict.fromkeys(row["spec"] for row in rows):
        lines += [
            f"\n## {spec.removesuffix('.md')}\n",
            "| | Requirement | Scenario | Tests |",
            "|---|---|---|---|",
        ]
        lines += [_row(row, tests) for row in rows if row["spec"] == spec]
    return "\n".join(lines) + "\n"


def _row(row: dict[str, str], tests: dict[str, list[str]]) -> str:
    links = [_link(test) for test in tests.get(row["id"], ())]
    return f"| {row['id']} | {row['requirement']} | {row['scenario']} | {'<br>'.join(links) or '**none**'} |"


def _link(test: str) -> str:
    file, _, name = test.partition("::")
    return f"[{name.rpartition('::')[2]}](../tests/{file})"


if __name__ == "__main__":
    TABLE.write_text(table(marked_tests()), encoding="utf-8")
