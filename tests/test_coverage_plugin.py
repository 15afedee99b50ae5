"""coverage.py on Gene files: the plugin, run as people run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

coverage = pytest.importorskip("coverage")

PROGRAM = """\
# a comment on the first line
(import helper from "helper")

(fn classify [n]
  (if (n < 0)
    (println "negative")
  elif (n == 0)
    (println "zero")
  else
    (println "positive")))

(class Point
  (ctor [/x])
  (method double []
    (/x * 2))
  (method never []
    (println "never")))

(for n in [0 5]
  (classify n))
(try
  (throw "x")
catch *
  (println
    "caught")
finally
  (println "done"))
(println ((new Point 2) .double) (helper 3))
([1] .each (fn [x]
  (println x)))
"""
MISSING = [6, 17]
HELPER = """\
(fn helper [x]
  (if (x > 100)
    (println "large"))
  x)
"""
RC = "[run]\nplugins = gene.coverage_plugin\n"


@pytest.fixture
def project(tmp_path):
    """A directory with a program, a module that it imports, and a configuration."""
    (tmp_path / "program.gene").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "helper.gene").write_text(HELPER, encoding="utf-8")
    (tmp_path / ".coveragerc").write_text(RC + "source = .\n", encoding="utf-8")
    return tmp_path


def call(project, *arguments, **environment):
    """Call coverage.py in a project; compiled files are cached whatever the surroundings say."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(
        [sys.executable, "-m", "coverage", *arguments],
        cwd=project,
        env=variables | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def measured(project):
    """What the report says of each file: the lines that ran, that did not, and that are excluded."""
    made = call(project, "json", "-q", "-o", "-")
    assert made.returncode == 0, made.stdout + made.stderr
    return {
        name: (found["executed_lines"], found["missing_lines"], found["excluded_lines"])
        for name, found in json.loads(made.stdout)["files"].items()
    }


def test_a_program_is_measured_also_from_its_cache(project):
    """The lines that ran and those that did not are right, when the code is compiled and when it is cached."""
    for _ in range(2):
        ran = call(project, "run", "-m", "gene", "run", "program.gene")
        assert ran.returncode == 0, ran.stderr
        found = measured(project)
        assert found["program.gene"] == (
            [2, 4, 5, 7, 8, 10, 12, 13, 14, 15, 16, 19, 20, 21, 22, 24, 27, 28, 29, 30],
            MISSING,
            [],
        )
        assert found["helper.gene"] == ([1, 2, 4], [3], [])
        assert list((project / "__pycache__").glob("program.gene-*.pyc"))


def test_imported_modules_are_measured(project):
    """A Gene file that Python imports, and the Python file that imports it, stand in one report."""
    (project / "use.py").write_text("import gene.importer\nimport helper\n\nhelper.helper(500)\n")
    for _ in range(2):
        assert call(project, "run", "use.py").returncode == 0
        found = measured(project)
        assert found["helper.gene"] == ([1, 2, 3, 4], [], [])
        assert found["use.py"] == ([1, 2, 4], [], [])


def test_the_report_for_people(project):
    """``coverage report -m`` names the missing lines; every other form of report can be made too."""
    call(project, "run", "--branch", "-m", "gene", "run", "program.gene")
    report = call(project, "report", "-m").stdout
    assert [line.split()[-2:] for line in report.splitlines() if line.startswith("program")] == [["6,", "17"]]
    for form in ("html", "xml"):
        made = call(project, form)
        assert made.returncode == 0, made.stdout + made.stderr


def test_files_that_did_not_run_are_in_the_report(project):
    """With ``source`` every Gene file counts, those of hidden directories aside."""
    (project / "tools").mkdir()
    (project / "tools" / "other.gene").write_text("(println 1)\n\n(println 2)\n")
    (project / ".hidden").mkdir()
    (project / ".hidden" / "other.gene").write_text("(println 1)\n")
    call(project, "run", "-m", "gene", "run", "helper.gene")
    found = measured(project)
    assert found["tools/other.gene"] == ([], [1, 3], [])
    assert sorted(found) == ["helper.gene", "program.gene", "tools/other.gene"]


def test_excluded_lines(project):
    """A comment excludes its line and the forms that begin on it; patterns of the configuration work too."""
    (project / ".coveragerc").write_text(RC + "[report]\nexclude_also =\n    debug_only\n")
    (project / "some.gene").write_text(
        "(fn f [x] # pragma: no cover\n  (if x\n    (println x)))\n(fn debug_only []\n  (println 1))\n"
        "(if (1 == 2)\n  (println 3)) # pragma: no cover\n(println 4)\n"
    )
    call(project, "run", "-m", "gene", "run", "some.gene")
    assert measured(project)["some.gene"] == ([6, 8], [], [1, 2, 3, 4, 5, 7])


def test_a_file_that_cannot_be_read_is_named(project):
    """The report says which file is wrong and where, and goes on without it if it is told to."""
    (project / "bad.gene").write_text("(println 1)\n(println")
    call(project, "run", "-m", "gene", "run", "helper.gene")
    refused = call(project, "report")
    assert refused.returncode == 1
    assert "bad.gene' as Gene at line 2: EOF while reading list" in refused.stdout
    assert "Traceback" not in refused.stdout + refused.stderr
    assert "helper.gene" in call(project, "report", "-i").stdout


def test_a_file_that_is_gone_is_named(project):
    """A report without the source says so."""
    call(project, "run", "-m", "gene", "run", "helper.gene")
    (project / "helper.gene").unlink()
    refused = call(project, "report")
    assert refused.returncode == 1
    assert "No source for code: " in refused.stdout
    assert "helper.gene" in refused.stdout


def test_mistakes_of_types_do_not_hinder_the_report(project):
    """What the checker of types would refuse may have run without it."""
    (project / "loose.gene").write_text("(fn f [a: Int]\n  a)\n(if (1 == 2)\n  (f 1 2))\n")
    call(project, "run", "-m", "gene", "run", "helper.gene")
    assert measured(project)["loose.gene"] == ([], [1, 2, 3, 4], [])


def test_the_way_of_measuring_knows_plugins(project):
    """Where nothing else is asked for it is not that of sys.monitoring, the default of newer Pythons."""
    made = coverage.Coverage(config_file=str(project / ".coveragerc"))
    assert made.get_option("run:core") is None
    made.sys_info()  # loads the plugins
    assert made.get_option("run:core") == "ctrace"


@pytest.mark.skipif(sys.version_info < (3, 12), reason="sys.monitoring is new in Python 3.12")
def test_asking_for_sys_monitoring_warns(project):
    """Who asks for it by name hears that Gene files are not measured so."""
    ran = call(project, "run", "-m", "gene", "run", "helper.gene", COVERAGE_CORE="sysmon")
    assert "gene.coverage_plugin.GenePlugin" in ran.stderr
    assert "aren't supported with SysMonitor" in ran.stderr
