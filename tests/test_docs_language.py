"""The language reference: every example in it runs, and gives what the text says.

In a block of Gene code a comment ``# => value`` says what the form before it is worth, as the REPL shows it,
and ``# error: message`` that it fails. A block that an ``output`` block follows is a program: that is what it
prints. A block for ``file=name`` is a module that later examples import.
"""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gene.errors import GeneError
from gene.interpreter import Interpreter
from gene.runtime.text import inspect
from gene.stdlib.capabilities import ALL

DOCUMENT = Path(__file__).parent.parent / "docs" / "language.md"
FENCE = re.compile(r"^```(?P<kind>\w+)(?: file=(?P<file>\S+))?\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
EXPECTATION = re.compile(r"# (?P<kind>=>|error:) (?P<text>.*?)\s*$", re.MULTILINE)


@dataclass
class Example:
    """A block of code, what it prints, and the modules that stand before it."""

    line: int
    text: str
    output: str | None = None
    files: dict[str, str] = field(default_factory=dict)


def _examples():
    document = DOCUMENT.read_text(encoding="utf-8")
    found, files = [], {}
    for fence in FENCE.finditer(document):
        line = document.count("\n", 0, fence.start()) + 1
        if fence["kind"] == "gene" and fence["file"]:
            files[fence["file"]] = fence["text"]
        elif fence["kind"] == "gene":
            found.append(Example(line, fence["text"], files=dict(files)))
        elif fence["kind"] == "output":
            found[-1].output = fence["text"]
    return found


EXAMPLES = _examples()


def _run_program(example):
    Path("example.gene").write_text(example.text, encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        Interpreter(capabilities=ALL).run("example.gene")
    return printed.getvalue()


def _run_forms(example):
    """Evaluate a block up to each expectation in turn; what each stretch is worth, beside what is expected."""
    interpreter, start, found = Interpreter(capabilities=ALL), 0, []
    for expected in EXPECTATION.finditer(example.text):
        stretch, start = example.text[start : expected.end()], expected.end()
        try:
            got = "=> " + inspect(interpreter.eval(stretch, "example.gene"))
        except GeneError as error:
            got = f"error: {error}"
        found.append((got, f"{expected['kind']} {expected['text']}"))
    interpreter.eval(example.text[start:], "example.gene")
    return found


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"line{example.line}")
def test_example(example, tmp_path, monkeypatch, capsys):
    """An example gives the values, the errors and the output that the text shows."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    for name, text in example.files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    if example.output is not None:
        assert _run_program(example) == example.output
        return
    for got, expected in _run_forms(example):
        if expected.endswith("…"):
            assert got.startswith(expected[:-1])
        else:
            assert got == expected


def test_the_reference_has_examples():
    """They are found, and all of them say what they give."""
    assert len(EXAMPLES) > 50
    assert sum(len(EXPECTATION.findall(example.text)) for example in EXAMPLES) > 150
    assert all(example.output is not None or EXPECTATION.search(example.text) for example in EXAMPLES)


def test_the_contents_lead_to_sections():
    """Every entry of the table of contents is a heading."""
    document = DOCUMENT.read_text(encoding="utf-8")
    headings = {
        re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", document, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([^)]*)\)", document)) <= headings
