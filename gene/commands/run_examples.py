"""``gene run-examples``: check the examples that functions state of themselves.

The ``^examples`` of a function are an array with one array for each example: the arguments, ``->``, and the
result that ``==`` compares with; or the arguments, ``throws``, and a part of the message. In parentheses in
place of brackets, an example can also have keyword arguments::

    (fn divide
      ^examples [
        [6 2 -> 3.0]
        [1 "2" throws "Cannot divide"]
        (6 4 ^^whole -> 1)
      ]
      [a b ^whole = false]
      …)

Arguments and results are expressions of the module in which the function is.
"""

from __future__ import annotations

import os
import sys

from gene.commands.options import UsageError, parse
from gene.commands.session import execute, interpreter
from gene.data.atoms import Symbol
from gene.data.forms import Gene
from gene.errors import GeneError

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Final

    from gene.interpreter import Interpreter
    from gene.runtime.modules import Module

OPTIONS: Final[dict[str, tuple[str, ...] | str | None]] = {"--no-warnings": None}

MARKS: Final = ("->", "throws")
"""What stands between the arguments of an example and what is expected."""


class Malformed(Exception):  # noqa: N818 - says what an example is
    """An example that is none."""


def main(arguments: list[str]) -> int:
    """Run the examples of all functions of some files; return the exit status.

    A line is printed for each example that fails, and one in the end. The status is 1 if one failed, or if
    a file could not be run.
    """
    options, files = parse(arguments, OPTIONS)
    if not files:
        raise UsageError("gene run-examples needs FILES")
    passed, failed, broken = 0, 0, 0
    for file in files:
        results: list[str | None] = []
        broken += execute(lambda file=file, results=results: _run(file, results, options))  # type: ignore[misc]
        for failure in filter(None, results):
            sys.stdout.write(f"{failure}\n")
        passed += results.count(None)
        failed += len(results) - results.count(None)
    sys.stdout.write(f"{_count(passed, 'example')} passed, {failed} failed\n")
    return 1 if failed or broken else 0


def _run(file: str, results: list[str | None], options: dict[str, str]) -> None:
    gene = interpreter([], file, warn="--no-warnings" not in options)
    name = os.path.splitext(os.path.basename(file))[0]
    module = gene.load(file, {}, name)
    for function in functions(module):
        examples = _examples(function)
        results.extend(failure_of(gene, module, function, example) for example in examples)
    gene.drain()


def functions(module: Module) -> Iterator[Callable[..., Any]]:
    """The functions with examples that a module defines, each once, in order."""
    seen: set[int] = set()
    for value in list(module.members.values()):
        code = getattr(value, "__code__", None)
        own = code is not None and code.co_filename == module.path
        if own and id(value) not in seen and hasattr(value, "gene_examples"):
            seen.add(id(value))
            yield value


def failure_of(gene: Interpreter, module: Module, function: Callable[..., Any], example: Any) -> str | None:
    """What is wrong with an example; None if it holds.

    Args:
        gene: The interpreter that the module belongs to.
        module: Where the names of the example are looked up.
        function: The function.
        example: The example, as data.
    """
    from gene.runtime.text import inspect

    try:
        problem = _problem(gene, module, function, example)
    except Malformed as error:
        problem = str(error)
    except GeneError as error:
        problem = f"failed with {error.message}"
    if problem is None:
        return None
    code = function.__code__
    return f"{code.co_filename}:{code.co_firstlineno}: {function.__name__} {inspect(example)}: {problem}"


def _problem(gene: Interpreter, module: Module, function: Callable[..., Any], example: Any) -> str | None:
    from gene.runtime.environments import Environment
    from gene.runtime.equality import equal
    from gene.runtime.text import inspect

    given, keywords, mark, wanted = _parts(example)
    place = Environment(module, dict, None, True)
    arguments = [place.evaluate(datum, local=True) for datum in given]
    named = {key: place.evaluate(datum, local=True) for key, datum in keywords.items()}
    expected = place.evaluate(wanted, local=True)
    try:
        got = gene.call(function, *arguments, **named)
    except GeneError as error:
        if mark == "throws" and str(expected) in str(error):
            return None
        return f"expected {_expectation(mark, expected)}, but it failed with {error}"
    if mark == "->" and equal(got, expected):
        return None
    return f"expected {_expectation(mark, expected)}, got {inspect(got)}"


def _expectation(mark: str, expected: Any) -> str:
    from gene.runtime.text import inspect

    return f"an error with {inspect(expected)}" if mark == "throws" else inspect(expected)


def _parts(example: Any) -> tuple[list[Any], dict[str, Any], str, Any]:
    """Arguments, keyword arguments, mark and expectation of an example."""
    if isinstance(example, Gene):
        data, keywords = [example.type, *example.children], example.props
    elif isinstance(example, list):
        data, keywords = example, {}
    else:
        raise Malformed(_FORM)
    mark = data[-2].name if len(data) > 1 and type(data[-2]) is Symbol else ""
    if mark not in MARKS:
        raise Malformed(_FORM)
    return data[:-2], keywords, mark, data[-1]


_FORM: Final = 'an example is [arguments… -> result] or [arguments… throws "message"]'


def _examples(function: Any) -> list[Any]:
    """The examples of a function; what is no array is one example, which is malformed."""
    examples = function.gene_examples
    return examples if isinstance(examples, list) else [examples]


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
