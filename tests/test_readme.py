"""What the README promises: its code runs, and prints what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, cwd=ROOT, timeout=60, check=False
    )


@pytest.mark.parametrize("number", range(len(_blocks("python"))))
def test_python_code_runs(number: int) -> None:
    """Each Python example runs and prints something."""
    done = _run("-c", _blocks("python")[number])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_python_results_are_what_the_text_says() -> None:
    """A wrong argument is answered with its field; the total of two teas is 8."""
    tools, embedding = (_run("-c", code).stdout for code in _blocks("python"))
    assert "b: must be an integer" in tools
    assert "'content': '5'" in tools
    assert embedding == "8\n"


def test_gene_code_runs(tmp_path: Path) -> None:
    """The first example of the README prints a result, and the message for a wrong argument."""
    program = tmp_path / "readme.gene"
    program.write_text(_blocks("gene")[0], encoding="utf-8")
    done = _run("-m", "gene", "run", str(program))
    assert done.stdout.splitlines()[0] == "{^city Paris ^temperature 18 ^unit celsius}"
    assert "city: is required" in done.stdout


def test_error_report_is_the_one_shown() -> None:
    """The error report in the README is what the command prints."""
    code, report = re.search(r"\$ gene eval '(.*?)'\n(.*?)```", TEXT, re.DOTALL).groups()  # type: ignore[union-attr]
    assert _run("-m", "gene", "eval", code).stderr == report


def test_links_lead_somewhere() -> None:
    """Every file that the README links to exists."""
    links = re.findall(r"\]\(([a-zA-Z][^):]*)\)", TEXT)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
