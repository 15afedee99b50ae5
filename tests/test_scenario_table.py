"""The table of scenarios and tests: it is current, and says what has no test yet."""

from __future__ import annotations

import scenario_table
from scenario_table import TABLE, marked_tests, scenarios, table, untested


def test_every_scenario_has_a_test():
    """A scenario without one is a requirement that nobody holds."""
    assert untested(marked_tests()) == [], "these scenarios have no test"


def test_every_mark_names_a_scenario():
    """A mark with a number that is none exercises nothing."""
    known = {each["id"] for each in scenarios()}
    unknown = {number: tests for number, tests in marked_tests().items() if number not in known}
    assert unknown == {}


def test_the_table_is_current():
    """docs/scenarios.md shows the tests as they are."""
    current = table(marked_tests())
    assert TABLE.read_text(encoding="utf-8") == current, "run: python tests/scenario_table.py"


def test_the_scenarios_are_all_there():
    """The list has 102 scenarios, with numbers that come once."""
    ids = [each["id"] for each in scenarios()]
    assert len(ids) == len(set(ids)) == 102
    assert {"B01", "B20", "G01", "G12", "C01", "C16", "E01", "E35", "T01", "T19"} <= set(ids)


def test_marks_are_found_wherever_they_stand(tmp_path):
    """On functions, coroutines, classes, modules and parameters; other marks count nothing."""
    (tmp_path / "test_sample.py").write_text(
        """
import pytest
pytestmark = [pytest.mark.scenario("X1")]

@pytest.mark.scenario("X2")
class TestThings:
    @pytest.mark.scenario("X3")
    def test_a(self): ...
    async def test_b(self): ...
    def helper(self): ...

@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.scenario("X4"))])
@pytest.mark.skipif("X5")
def test_c(x): ...
""",
        encoding="utf-8",
    )
    a, b, c = (f"test_sample.py::{name}" for name in ("TestThings::test_a", "TestThings::test_b", "test_c"))
    assert marked_tests(tmp_path) == {"X1": [a, b, c], "X2": [a, b], "X3": [a], "X4": [c]}


def test_the_page_says_what_is_missing(monkeypatch):
    """Untested scenarios stand at the top and in their rows."""
    rows = [
        {"id": "X1", "spec": "one.md", "requirement": "R", "scenario": "First"},
        {"id": "X2", "spec": "two.md", "requirement": "R", "scenario": "Second"},
    ]
    monkeypatch.setattr(scenario_table, "scenarios", lambda: rows)
    page = table({"X1": ["test_a.py::TestB::test_c", "test_a.py::test_d"]})
    assert "1 of 2 scenarios have tests. Without one: X2." in page
    assert "| X1 | R | First | [test_c](../tests/test_a.py)<br>[test_d](../tests/test_a.py) |" in page
    assert "| X2 | R | Second | **none** |" in page
    assert "## one\n" in page
