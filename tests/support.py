"""What the tests of the language share: running Gene text, and the message that it fails with."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pytest

from gene.errors import GeneError
from gene.interpreter import Interpreter
from gene.stdlib.capabilities import ALL


def value(text: str) -> Any:
    """The value of the last form of a program."""
    return Interpreter(capabilities=ALL).eval(text, "t.gene")


def run(text: str) -> tuple[Any, str]:
    """The value of the last form of a program, and what the program printed."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        made = value(text)
    return made, printed.getvalue()


def output(text: str) -> str:
    """What a whole program prints, run as a file is run: definitions first."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        Interpreter(capabilities=ALL).run_text(text, "t.gene")
    return printed.getvalue()


def error(text: str) -> GeneError:
    """The error that a program fails with; whatever else comes out of it is a defect."""
    with pytest.raises(GeneError) as failed:
        run(text)
    return failed.value


def fails(text: str) -> str:
    """The message that a program fails with."""
    return str(error(text))


def warnings(text: str) -> list[str]:
    """What the compiler warns of."""
    interpreter = Interpreter(capabilities=ALL)
    with contextlib.redirect_stdout(io.StringIO()):
        interpreter.run_text(text, "t.gene")
    return [warning.message for warning in interpreter.warnings]
