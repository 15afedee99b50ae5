"""The language against 290 programs with verified output.

The programs and their output stand in ``conformance/gene-conformance.md``. Every one of them runs here.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from gene.errors import GeneError
from gene.interpreter import Interpreter
from gene.stdlib.capabilities import ALL

PROGRAMS = Path(__file__).parent / "conformance" / "gene-conformance.md"
FENCES = re.compile(
    r"```gene verified tier=(?P<tier>\d) topic=\S+ id=(?P<id>G\d+)\n(?P<text>.*?)\n?```\n"
    r"```output exit=(?P<exit>\d+)\n(?P<output>.*?)```",
    re.DOTALL,
)
REPORT = re.compile(r'Error: \{\^message "(?P<message>.*?)" \^code "(?P<code>[^"]*)".*\}')

REPAIRED = {
    "G044": ("< false >false\n< 1.5 >1.5", "&& and || evaluate their right side only when it is needed"),
    "G086": ("[2]", "default values are evaluated at each call"),
    "G087": ("1 2 Int\n1 9 Int", "default values are expressions"),
    "G151": ("false\ntrue true false", "== of a variable and a number is false for other kinds"),
    "G177": ("1 [2 3]", "Array.del removes the element"),
}
"""Programs that pin an accident of the reference: what they print here, and why that is right."""

UNSUPPORTED: dict[str, str] = {}
"""Programs that need what is not there yet. One that passes fails its test: take it out of this table."""

THROUGH_THE_COMMAND = ["G001", "G018", "G120", "G153", "G154", "G155", "G156", "G166", "G190"]
"""Programs that also run as processes: output, arguments, every kind of report, every exit status."""


@dataclass(frozen=True)
class Program:
    """One program and what it prints."""

    id: str
    tier: int
    text: str
    output: str
    exit: int


def _programs() -> list[Program]:
    found = FENCES.finditer(PROGRAMS.read_text(encoding="utf-8"))
    return [
        Program(match["id"], int(match["tier"]), match["text"], match["output"], int(match["exit"]))
        for match in found
    ]


ALL_PROGRAMS = _programs()


def _stripped(text: str) -> str:
    """Text as the programs' harness compares it: without blanks that end lines and lines that end it."""
    return "\n".join(line.rstrip() for line in text.rstrip().split("\n")).rstrip()


def _expected(program: Program) -> str:
    made, _ = REPAIRED.get(program.id, (program.output, ""))
    return _stripped(made)


def _report(error: GeneError) -> str:
    from gene.runtime.exceptions import GeneException

    if not isinstance(error, GeneException):
        return f"Error: {error}"
    code = "GENE.SCOPE.UNDEFINED_VAR" if "is not defined" in str(error) else "GENE.RUNTIME.ERROR"
    return f"Error: {error} {code}"


def _run(program: Program, capsys: pytest.CaptureFixture[str]) -> tuple[str, int]:
    """What a program prints and its exit status; only Gene's own errors are reports."""
    status, report = 0, ""
    Path("t.gene").write_text(program.text, encoding="utf-8")
    try:
        Interpreter(capabilities=ALL).run("t.gene")
    except SystemExit as exit_:
        status = int(exit_.code or 0)
    except GeneError as error:
        status, report = 1, _report(error)
    return capsys.readouterr().out + report, status


def _short(output: str) -> str:
    """Output whose report is cut down to message and code: places may be better than the reference's."""
    return REPORT.sub(r"Error: \g<message> \g<code>", output)


def _parameters(programs: list[Program]) -> list[object]:
    return [
        pytest.param(
            program,
            id=program.id,
            marks=pytest.mark.xfail(reason=UNSUPPORTED[program.id], raises=AssertionError, strict=True)
            if program.id in UNSUPPORTED
            else (),
        )
        for program in programs
    ]


@pytest.mark.parametrize("program", _parameters(ALL_PROGRAMS))
def test_prints_what_was_verified(
    program: Program,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A program prints what it prints in the reference, but for the listed repairs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    output, status = _run(program, capsys)
    assert _stripped(output) == _short(_expected(program))
    assert status == program.exit


@pytest.mark.parametrize("name", THROUGH_THE_COMMAND)
def test_the_command_prints_what_was_verified(name: str, tmp_path: Path) -> None:
    """``gene run`` gives the output, the report and the exit status of the reference."""
    pytest.importorskip("gene.cli")
    program = next(program for program in ALL_PROGRAMS if program.id == name)
    (tmp_path / "t.gene").write_text(program.text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "gene", "run", "--error-format=gene", "t.gene"],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert _short(_stripped(done.stdout)) == _short(_expected(program))
    assert done.returncode == program.exit


def test_all_programs_are_found() -> None:
    """The file has 290 programs: 197, 53, 38 and 2 of the four tiers."""
    tiers = [program.tier for program in ALL_PROGRAMS]
    assert [tiers.count(tier) for tier in (1, 2, 3, 4)] == [197, 53, 38, 2]


def test_the_tables_name_programs() -> None:
    """Each exception in the tables is a program, and none of them is repaired and unsupported at once."""
    known = {program.id for program in ALL_PROGRAMS}
    assert set(REPAIRED) | set(UNSUPPORTED) | set(THROUGH_THE_COMMAND) <= known
    assert not set(REPAIRED) & set(UNSUPPORTED)
    assert all(program.tier > 1 for program in ALL_PROGRAMS if program.id in UNSUPPORTED)
