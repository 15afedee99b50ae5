"""The ``gene`` command: which command is meant, and how a process ends.

A script's start-up goes through here, so nothing heavy is imported: no argparse, no re, no traceback.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

COMMANDS: Final = {
    "run": "gene.commands.run",
    "eval": "gene.commands.evaluate",
    "parse": "gene.commands.parse",
    "repl": "gene.commands.repl",
    "fmt": "gene.commands.fmt",
    "format": "gene.commands.fmt",
    "pipe": "gene.commands.pipe",
    "run-examples": "gene.commands.run_examples",
    "deser": "gene.commands.deser",
    "e": "gene.commands.evaluate",
    "r": "gene.commands.repl",
}
"""The modules of the commands; the one-letter names are the reference implementation's abbreviations."""

INTERRUPTED: Final = 130
"""The exit status after Ctrl-C: 128 and the number of the signal, as shells count."""

BROKEN_PIPE: Final = 141
"""The exit status when nobody reads the output any more: 128 and the number of SIGPIPE."""

HELP: Final = """\
usage: gene COMMAND [options] [arguments]

  gene run [options] FILE [arguments]   run a program; without FILE, or with -, from standard input
      --error-format=text|gene          how an uncaught error is reported: for people on standard error,
                                        or as one line of Gene data on standard output
      --pkg=DIR                         run in the package DIR: its modules, dependencies and $pkg
      --no-warnings                     do not show what the compiler warns of
      --no-type-check                   neither warn of nor refuse what declared types make wrong
      --strict-nil                      nil is a value of only those declared types that name it
      --contracts=on|off                whether the conditions ^pre and ^post are checked
      --debug                           run in Python's debugger, pdb, which stops at the first line
      --profile                         show on standard error which functions took how long
      --repl-on-error                   after an error, a REPL in the module where it came up
      --no-gir-cache, --force-compile   compile anew; with the first, without leaving a cached file
      --raw-args                        leave the dashes of the arguments: --flag stays --flag in $args
  gene eval [options] CODE...           run CODE, or standard input
      -p, --print-last                  print the value of the last form
  gene parse [options] [FILE]           print the data that FILE, or standard input, reads as
      -e CODE                           read CODE instead
      -f pretty|compact|sexp            one form below the other with indentation, on one line each,
                                        or as nested lists that show the kind of everything
  gene fmt [--check] FILES...           put files into canonical layout; - is standard input
      --check                           change nothing, and say which files are not in that layout
  gene pipe [options] CODE...           run CODE for each line of standard input, which is $line, and print
                                        every result but nil
      --filter                          print the lines for which the result is truthy
      --quote-str                       print results as literals: strings in quotes
  gene run-examples FILES...            check the ^examples of functions: [arguments... -> result] or
                                        [arguments... throws "message"]
  gene deser [--json] [FILE]            print the data that FILE, or standard input, holds as Gene text
      --json                            as one line of JSON for each datum
  gene repl                             type forms and see their values
  gene tools COMMAND TARGET             list, show, export, call or lint the tools of a program, a
                                        configuration or a module; see gene tools --help
  gene chat [options] [TARGET]          talk to a model that has these tools; see gene chat --help
  gene help                             show this text
  gene --version                        show the version
"""


def main(arguments: list[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: The arguments, without the name of the program; those of the process when None.

    Returns:
        The exit status.
    """
    given = sys.argv[1:] if arguments is None else arguments
    try:
        status = _status_of(lambda: dispatch(given))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _abandon(INTERRUPTED)
    except BrokenPipeError:
        return _abandon(BROKEN_PIPE)
    return status


def dispatch(arguments: list[str]) -> int:
    """Run the command that the arguments name, and return its exit status."""
    command, *rest = arguments or ["help"]
    if command in ("help", "--help", "-h"):
        sys.stdout.write(HELP)
        return 0
    if command in ("--version", "-V"):
        from gene import __version__

        sys.stdout.write(f"gene {__version__}\n")
        return 0
    run = _command(command)
    if run is None:
        return _unknown(command)
    if command in COMMANDS and rest[:1] in (["--help"], ["-h"]):
        sys.stdout.write(HELP)
        return 0
    from gene.commands.options import UsageError

    try:
        return run(rest)
    except UsageError as error:
        sys.stderr.write(f"Error: {error}\n")
        return 1


def _command(name: str) -> Callable[[list[str]], int] | None:
    """The command of that name: one of ours, or of a package that adds one."""
    module = COMMANDS.get(name)
    if module is None:
        from gene.plugins import find_command

        return find_command(name)
    from gene.data.kinds import load

    return load(module + ":main")  # type: ignore[no-any-return]


def _unknown(command: str) -> int:
    import os

    what = "option" if command.startswith("-") else "command"
    sys.stderr.write(f"Error: Unknown {what}: {command}\n")
    if os.path.isfile(command):
        sys.stderr.write(f"hint: to run a file, write: gene run {command}\n")
    sys.stderr.write("\n" + HELP)
    return 1


def _status_of(run: Callable[[], int]) -> int:
    """The exit status of a command, which may also leave by SystemExit."""
    try:
        return run()
    except SystemExit as leaving:
        if leaving.code is None:
            return 0
        if isinstance(leaving.code, int):
            return leaving.code
        sys.stderr.write(f"{leaving.code}\n")
        return 1


def _abandon(status: int) -> int:
    """End where there is nobody to tell: quietly, and at once even if threads of the program still run."""
    import os

    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            # Python flushes again when it exits; what nobody reads must not fail a second time.
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    threading = sys.modules.get("threading")
    if threading is not None and threading.active_count() > 1:
        os._exit(status)
    return status
