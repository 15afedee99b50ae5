"""The examples run as a user runs them, and print what is kept beside them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXPECTED = ROOT / "examples" / "expected"
GENE = Path(sys.executable).with_name("gene")
COMMANDS = {
    "weather": [GENE, "run", "examples/weather.gene"],
    "calculator": [GENE, "run", "examples/calculator.gene"],
    "collection": [GENE, "run", "examples/collection/main.gene"],
    "functions_as_tools": [GENE, "run", "examples/functions_as_tools.gene"],
    "replay": [GENE, "run", "examples/replay.gene", "tests/data/tool-calls.jsonl"],
    "backboard_service": [sys.executable, "examples/backboard_service.py"],
    "embedding": [sys.executable, "examples/embedding.py"],
    "agent": [sys.executable, "examples/agent.py"],
    "agent_gene": [GENE, "run", "examples/agent.gene"],
    "streaming": [GENE, "run", "examples/streaming.gene"],
    "task_queue": [GENE, "run", "examples/task_queue.gene"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_an_example_prints_what_it_is_expected_to(name):
    """The program ends well, prints its expected output, and writes nothing to standard error."""
    done = subprocess.run(
        COMMANDS[name], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (EXPECTED / f"{name}.txt").read_text(encoding="utf-8")


def test_every_example_is_run():
    """No example and no expected output is left out."""
    mentioned = {Path(part).name for command in COMMANDS.values() for part in command}
    programs = {path.name for path in (ROOT / "examples").glob("*.gene")} - {"prices.gene"}  # embedding.py's
    programs |= {path.name for path in (ROOT / "examples").glob("*.py")}
    assert programs <= mentioned
    assert {path.stem for path in EXPECTED.iterdir()} == COMMANDS.keys()


def test_the_replay_without_a_file_says_how_to_use_it():
    """Without its argument the script prints its usage to standard error and ends with status 2."""
    done = subprocess.run(
        [GENE, "run", "examples/replay.gene"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: gene run examples/replay.gene FILE")
