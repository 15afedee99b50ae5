"""Command-line options, read without argparse, which would double the time that a script takes to start.

An option is ``--name``, ``--name=value`` or ``-n``; a value may also follow as the next argument. Options end
at the first argument that is none, so those of a Gene program are never mistaken for those of ``gene``.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Mapping

    Known = Mapping[str, tuple[str, ...] | str | None]
    """What an option takes: None for nothing, "" for any value, or the values that it may have."""


class UsageError(Exception):
    """A command line that means nothing."""


def parse(arguments: list[str], known: Known) -> tuple[dict[str, str], list[str]]:
    """Split a command line into options and the rest.

    Args:
        arguments: What follows the command.
        known: What each option takes, by its spelling with dashes. An option that only abbreviates another
            one is listed with the other one's spelling.

    Returns:
        The values of the options that are given, by their full spelling ("" where they take none), and the
        arguments behind them.

    Raises:
        UsageError: An option that is not known, or a value that it cannot have.
    """
    found: dict[str, str] = {}
    rest = list(arguments)
    while rest and rest[0].startswith("-") and rest[0] != "-":
        argument = rest.pop(0)
        if argument == "--":
            break
        name, equals, value = _split(argument)
        takes = known.get(name, UsageError)
        if isinstance(takes, str) and takes.startswith("-"):
            name, takes = takes, known[takes]
        if takes is UsageError:
            raise UsageError(f"Unknown option: {argument}")
        found[name] = _value(name, takes, value if equals else None, rest)  # type: ignore[arg-type]
    return found, rest


def _split(argument: str) -> tuple[str, str, str]:
    """Name and value of an option. The reference writes ``-e:CODE`` as well as ``-e=CODE``."""
    if argument[2:3] == ":" and argument[1] != "-":
        return argument[:2], ":", argument[3:]
    return argument.partition("=")


def _value(name: str, takes: tuple[str, ...] | str | None, value: str | None, rest: list[str]) -> str:
    if takes is None:
        if value is not None:
            raise UsageError(f"Option {name} takes no value")
        return ""
    if value is None:
        if not rest:
            raise UsageError(f"Option {name} needs a value")
        value = rest.pop(0)
    if takes and value not in takes:
        raise UsageError(f"Option {name} must be {' or '.join(takes)}, not {value}")
    return value
