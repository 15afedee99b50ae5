"""``gene tools``: look at the tools of a program, a configuration or a module, and call them."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from typing import TYPE_CHECKING, Any

from ai_tools.commands import actions
from ai_tools.commands.targets import TargetError, load
from ai_tools.formats.catalog import FORMATS

if TYPE_CHECKING:
    from argparse import _SubParsersAction

DESCRIPTION = """\
Look at tools before a model gets them, and call them by hand.

TARGET is one of
  a .gene program         it is run, with no capabilities unless --allow names them; its tools are those of
                          the registries that it defines, else its functions with ^intent or declared types
  a configuration         .json, .toml, .yaml, or .gene that holds data
  a Python module         a .py file or a dotted name; importing it runs it, with all rights
TARGET:NAME chooses one registry, tool or function where a program or a module has several.

What a target prints while it is loaded goes to standard error. The exit status is 0, 1 after a failure or a
finding that would be refused, 2 for a command line that means nothing.
"""


def main(arguments: list[str]) -> int:
    """Run the command line behind ``gene tools`` and return the exit status."""
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # text that cannot be encoded
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    if rest and (options.action is not actions.call or any(each.startswith("-") for each in rest)):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest:  # argparse takes no more positional arguments behind an option
        options.pairs += rest
    if options.action is None:
        parser.print_help()
        return 2
    try:
        target = load(options.target, options.allow)
        for message in target.warnings:
            _say("warning", message)
        for message in target.problems:
            _say("error", message)
        return int(options.action(target, options))
    except actions.UsageError as error:
        parser.error(str(error))
    except (TargetError, actions.ActionError) as error:
        _say("error", str(error))
        return 1


def _say(what: str, message: str) -> None:
    first = message.partition(":")[0]
    labelled = first.endswith("error") or first == "Error"
    sys.stderr.write(f"{message}\n" if labelled else f"{what}: {message}\n")


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        "gene tools", description=DESCRIPTION, formatter_class=RawDescriptionHelpFormatter
    )
    parser.set_defaults(action=None)
    commands = parser.add_subparsers(metavar="COMMAND", title="commands")

    command = _command(commands, "list", actions.list_tools, "names, parameters and descriptions")
    _json(command)

    command = _command(commands, "show", actions.show, "all about one tool, with what providers change")
    command.add_argument("name", metavar="NAME", help="the tool")
    _json(command)

    command = _command(commands, "export", actions.export, "the tools as a provider takes them, as JSON")
    command.add_argument("--format", type=_format, default="openai", help=f"one of {', '.join(FORMATS)}")
    command.add_argument("--strict", action="store_true", help="ask for strict mode for every tool")
    _only(command)

    command = _command(
        commands, "call", actions.call, "call a tool and print the text that a model would read"
    )
    command.add_argument("name", metavar="NAME", help="the tool")
    command.add_argument("pairs", nargs="*", metavar="name=value", help="arguments, read as the schema says")
    command.add_argument(
        "--args", metavar="JSON", help="the arguments as a JSON object; - for standard input"
    )
    command.add_argument("--timeout", type=_seconds, metavar="SECONDS", help="how long it may take")
    _json(command)

    command = _command(commands, "lint", actions.lint, "what providers refuse, drop or change")
    which = command.add_mutually_exclusive_group()
    which.add_argument("--format", type=_format, action="append", help="check for this provider; repeatable")
    which.add_argument("--all", action="store_true", help="check for all providers, as without --format")
    command.add_argument("--strict", action="store_true", help="check as if strict mode were asked for")
    _only(command)
    _json(command)
    return parser


def _command(
    commands: _SubParsersAction[ArgumentParser], name: str, action: Any, text: str
) -> ArgumentParser:
    command = commands.add_parser(name, help=text, description=text)
    command.set_defaults(action=action)
    command.add_argument(
        "target", metavar="TARGET", help="a .gene program, a configuration or a Python module"
    )
    add_allow(command)
    return command


def _only(command: ArgumentParser) -> None:
    command.add_argument("--tool", action="append", metavar="NAME", help="only this tool; repeatable")


def _json(command: ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print JSON")


def _format(text: str) -> str:
    from ai_tools.formats.catalog import UnknownProviderError, get

    try:
        get(text)
    except UnknownProviderError as error:
        raise ArgumentTypeError(str(error)) from error
    return text.lower().replace("-", "_")


def add_allow(parser: ArgumentParser) -> None:
    """Add the option ``--allow``, whose value is a set of capabilities."""
    parser.add_argument(
        "--allow",
        type=_capabilities,
        default=frozenset(),
        metavar="CAPABILITIES",
        help="what Gene programs may do, separated by commas: files, shell, network, …, or all",
    )


def _capabilities(text: str) -> frozenset[str]:
    """Return the capabilities of ``--allow``; for argparse, which shows the error's text."""
    from ai_tools.gene_bindings.programs import check_capabilities

    try:
        return check_capabilities(name.strip() for name in text.split(",") if name.strip())
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise ArgumentTypeError(f"a number of seconds above 0 is needed, not {text!r}")
    return seconds
