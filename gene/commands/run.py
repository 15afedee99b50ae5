"""``gene run``: run a program with everything allowed."""

from __future__ import annotations

import os
import sys

from gene.commands.options import UsageError, parse
from gene.commands.session import LANGUAGE_OPTIONS, execute, interpreter, language
from gene.errors import GeneError

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

    Program = Callable[[], object]

OPTIONS: Final[dict[str, tuple[str, ...] | str | None]] = {
    **LANGUAGE_OPTIONS,
    "--debug": None,
    "--error-format": ("text", "gene"),
    "--force-compile": None,
    "--no-gir-cache": None,
    "--pkg": "",
    "--profile": None,
    "--raw-args": None,
    "--repl-on-error": None,
    # The reference implementation has these for its virtual machine. They change nothing here: every program
    # is compiled, to code of Python's.
    "--checked-vm": None,
    "--compile": None,
    "--native-code": None,
    "--native-tier": "",
    "--trace": None,
    "--trace-instruction": None,
}
_REFUSED: Final = ("--trace", "--trace-instruction")
"""What shows the virtual machine of the reference implementation at work."""


PROFILED: Final = 30
"""How many functions ``--profile`` shows, those first that took longest with all that they called."""


def main(arguments: list[str]) -> int:
    """Run a file, or standard input, and return the exit status."""
    options, rest = parse(arguments, OPTIONS)
    for option in _REFUSED:
        if option in options:
            raise UsageError(
                f"Option {option} is not supported: there is no virtual machine whose instructions could be"
                " shown; --debug goes through a program step by step"
            )
    file, *given = rest or ["-"]
    args = given if "--raw-args" in options else strip_dashes(given)
    cache = "off" if "--no-gir-cache" in options else "renew" if "--force-compile" in options else "use"
    error_format = options.get("--error-format", "text")
    package = options.get("--pkg")
    try:
        path = file if package is None else _in_package(file, package)
    except GeneError as error:
        from gene.report import report

        return report(error, error_format)
    gene = interpreter(args, file, cache=cache, package=package, **language(options))

    def program() -> None:
        if path == "-":
            gene.run_text(sys.stdin.read(), "<stdin>")
        else:
            gene.run(path)

    run = _around(program, options)
    if "--repl-on-error" in options:
        from gene.commands.on_error import execute_or_look

        return execute_or_look(gene, run, error_format)
    return execute(run, error_format)


def _around(program: Program, options: dict[str, str]) -> Program:
    """The program as the options want it run: in the debugger, or measured."""
    if "--debug" in options:
        from gene.debugger import debug

        return lambda: debug(program)
    return (lambda: _profile(program)) if "--profile" in options else program


def _profile(program: Program) -> None:
    """Run a program and show on standard error which of its functions took how long."""
    from cProfile import Profile
    from pstats import Stats

    profile = Profile()
    try:
        profile.runcall(program)
    finally:
        sys.stdout.flush()
        Stats(profile, stream=sys.stderr).sort_stats("cumulative").print_stats(r"\.gene:|<stdin>:", PROFILED)


def _in_package(file: str, root: str) -> str:
    """The file that is meant: one of the working directory, or else a module of the package.

    Raises:
        GeneException: The directory is no package, or has no such module.
    """
    from gene.packages import Packages

    home = Packages(root).home
    assert home is not None
    return file if file == "-" or os.path.isfile(file) else home.module(file)


def strip_dashes(arguments: list[str]) -> list[str]:
    """The program's arguments as the reference implementation hands them over.

    Leading dashes are dropped, ``--key=value`` becomes two items, and ``--`` an empty one.
    """
    items: list[str] = []
    for argument in arguments:
        bare = argument.lstrip("-")
        if bare == argument:
            items.append(argument)
        else:
            key, equals, value = bare.partition("=")
            items += [key, value] if equals else [key]
    return items
