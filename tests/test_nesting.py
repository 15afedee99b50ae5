"""Programs that nest too deeply are refused, wherever they come from."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest
from support import error, fails, value

from gene.compiler.errors import GeneCompileError
from gene.interpreter import Interpreter

REFUSED = "The program nests too deeply"


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("(do " * 300 + "1" + ")" * 300, 1),
        ("(1 + " * 300 + "1" + ")" * 300, 301),
        ("(1" + " + 1" * 300 + ")", 301),
        ("(if false 1" + " elif false 2" * 300 + " else 3)", 3),
        ("(case 5" + " when 1 2" * 300 + " else 3)", 3),
    ],
)
def test_deep_programs_run(text, result):
    """Far deeper than people write, in any thread."""
    results = []
    thread = threading.Thread(target=lambda: results.append(value(text)))
    thread.start()
    thread.join()
    assert results == [result]


@pytest.mark.parametrize(
    "text",
    [
        "(f " * 8_000 + ")" * 8_000,
        "[" * 8_000 + "]" * 8_000,
        "(1 + " * 8_000 + "1" + ")" * 8_000,
        "(1" + " + 1" * 8_000 + ")",
        "a" + "/b" * 8_000,
    ],
)
def test_what_nests_too_deeply_is_refused(text):
    """Before anything runs, with the place of the form, and without a crash of Python."""
    results = []
    thread = threading.Thread(target=lambda: results.append(error(f'(println "no")\n\n{text}')))
    thread.start()
    thread.join()
    assert isinstance(results[0], GeneCompileError)
    assert str(results[0]) == REFUSED
    assert results[0].span.line == 3


def test_a_low_recursion_limit_is_no_other_error():
    """A host that keeps Python's own limit gets the same answer earlier."""
    text = "(do " * 8_000 + "1" + ")" * 8_000
    code = (
        "from gene.interpreter import Interpreter\n"
        f"try: Interpreter(recursion_limit=None).eval({text!r})\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == f"GeneCompileError {REFUSED}\n"


def test_programs_catch_it():
    """For code that they evaluate; a program that recurses too deeply itself has another problem."""
    build = "(var code 1) (for i in (1 .. 8000) (code = ($render `(1 + %code))))"
    assert value(f"{build} (try (eval code) catch * $ex/message)") == REFUSED
    assert fails(f"{build} (eval code)") == REFUSED
    assert (
        value("(fn f [n] (1 + (f (eval `(n + 1))))) (try (f 0) catch * $ex/code)") == "GENE.VM.STACK_OVERFLOW"
    )


def test_data_may_be_deeper():
    """What is read at run time is not compiled."""
    text = "[" * 20_000 + "]" * 20_000
    interpreter = Interpreter()
    interpreter.define("text", text)
    assert interpreter.eval("((gene/json/parse text) .size)") == 1
