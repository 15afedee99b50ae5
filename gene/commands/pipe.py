"""``gene pipe``: run code for each line of standard input."""

from __future__ import annotations

import sys

from gene.commands.options import UsageError, parse
from gene.commands.session import execute, interpreter
from gene.errors import GeneError

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Final

    from gene.interpreter import Interpreter

OPTIONS: Final[dict[str, tuple[str, ...] | str | None]] = {
    "--filter": None,
    "--no-warnings": None,
    "--quote-str": None,
}


def main(arguments: list[str]) -> int:
    """Run code with ``$line`` set to each line, without its end; return the exit status.

    Results that are not nil are printed, a line each; with ``--filter`` the lines whose result is truthy.
    Lines are read, and results written, one at a time, so that a pipe of any length takes constant memory.
    The first error ends it with status 1.
    """
    options, code = parse(arguments, OPTIONS)
    if not code:
        raise UsageError("gene pipe needs CODE, such as '($line .to_upper)'")
    if "--filter" in options and "--quote-str" in options:
        raise UsageError("--filter prints lines as they are: --quote-str has nothing to quote")
    gene = interpreter([], "<pipe>", warn="--no-warnings" not in options)
    compiled: list[Callable[[], Any]] = []
    status = execute(lambda: compiled.append(compile_code(gene, " ".join(code))))
    return status or run(gene, compiled[0], printer(options))


def compile_code(gene: Interpreter, code: str) -> Callable[[], Any]:
    """A function that runs code and returns the value of its last form.

    What the code imports is imported once, after what it declares with ``$dep``; all else happens anew for
    each line.

    Raises:
        GeneSyntaxError: The code cannot be read.
        GeneCompileError: It cannot be compiled.
        GeneException: It imports what is not there.
    """
    from gene.data.atoms import Symbol
    from gene.data.forms import ArrayForm, Gene
    from gene.data.source import Source
    from gene.reader import read_all
    from gene.runtime.environments import Environment

    gene.define("$line", "")
    source = Source(code, "<pipe>")
    place = Environment(gene.main, dict, None, True)
    parameters = ArrayForm()
    parameters.source, parameters.start, parameters.end, parameters.frozen = source, 0, 0, False
    body = Gene(Symbol("fn", source, 0, 0), None, [parameters], source, 0, len(code))
    forms = read_all(source)
    for once in ("$dep", "import"):
        for form in forms:
            if _word(form) == once:
                gene.evaluate(form, place, local=False)
    body.children += [form for form in forms if _word(form) not in ("$dep", "import")]
    made: Callable[[], Any] = gene.evaluate(body, place, local=True)
    return made


def _word(form: Any) -> str | None:
    """The name at the head of a form."""
    head = getattr(form, "type", None)
    return getattr(head, "name", None)


def printer(options: dict[str, str]) -> Callable[[str, Any], None]:
    """What is done with each line and its result."""
    from gene.data.atoms import VOID
    from gene.runtime.text import inspect
    from gene.stdlib.core import println

    def passed(line: str, value: Any) -> None:
        if value is not None and value is not False and value is not VOID:
            println(line)

    def shown(_line: str, value: Any) -> None:
        if value is not None:
            println(value)

    def quoted(_line: str, value: Any) -> None:
        if value is not None:
            println(inspect(value))

    return passed if "--filter" in options else quoted if "--quote-str" in options else shown


def run(gene: Interpreter, function: Callable[[], Any], show: Callable[[str, Any], None]) -> int:
    """Call a function for each line of standard input, and return the exit status."""
    done = 0
    try:
        for line in _lines():
            gene.define("$line", line)
            show(line, gene.call(function))
            sys.stdout.flush()  # whoever reads the results of slow input wants them as they come
            gene.drain(0)
            done += 1
        gene.drain()
    except (GeneError, UnicodeDecodeError) as error:
        _report(done + 1, error)
        return 1
    return 0


def _lines() -> Iterator[str]:
    """The lines of standard input without their ends, each as soon as it is complete."""
    for line in sys.stdin.buffer:
        yield line.rstrip(b"\r\n").decode("utf-8")


def _report(number: int, error: GeneError | UnicodeDecodeError) -> None:
    """Say which line failed, and why, as JSON."""
    from gene.report import code_of
    from gene.runtime.exceptions import GeneException
    from gene.stdlib.json import stringify

    if not isinstance(error, GeneException):
        error = GeneException(f"the line is not UTF-8: {error}")
    message = str(error)
    code = code_of(error, message)
    detail = {"code": code, "severity": "error", "stage": "runtime", "message": message}
    sys.stdout.flush()
    sys.stderr.write(f"Error at line {number}: {stringify(detail)}\n")
