"""The definitions in a configuration file: what they must have, and the tools made of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ai_tools import config_files
from ai_tools.config_files import ConfigError, UnknownFormatError
from ai_tools.errors import InvalidDefinitionError
from ai_tools.implementations import HTTP_REFUSAL, MEMBERS, Host, ImplementationError, handler_of, is_current
from ai_tools.making import make
from ai_tools.plain_values import NotPlainError, plain
from ai_tools.schema import check_parameters

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ai_tools.tool import Tool

REQUIRED: dict[str, tuple[type, str]] = {
    "name": (str, "a string"),
    "description": (str, "a string"),
    "type": (str, '"function"'),
    "handler": (str, "a string"),
    "parameters": (dict, "a JSON Schema object"),
    "implementation": (dict, 'an object with a "type"'),
}
"""The members that every definition has."""


def _is_count(value: Any) -> bool:
    return type(value) is int and value > 0


OPTIONS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "strict": (lambda value: isinstance(value, bool), "true or false"),
    "tags": (lambda value: isinstance(value, list) and all(isinstance(tag, str) for tag in value), "strings"),
    "annotations": (lambda value: isinstance(value, dict), "an object"),
    "returns": (lambda value: isinstance(value, dict), "a JSON Schema object"),
    "timeout": (lambda value: type(value) in (int, float) and value > 0, "a number of seconds above 0"),
    "max_result": (_is_count, "a number of characters above 0"),
    "isolated": (lambda value: isinstance(value, bool), "true or false"),
    "sequential": (lambda value: isinstance(value, bool), "true or false"),
}
"""The members that a definition may have: the options of `ToolRegistry.register`."""


class Made:
    """A tool that was made of a definition.

    Attributes:
        text: The definition as JSON, to tell whether it has changed.
        place: Where it stands: ``tools[2] "name"``.
        tool: The tool.
    """

    __slots__ = ("place", "text", "tool")

    def __init__(self, text: str, place: str, tool: Tool) -> None:
        self.text = text
        self.place = place
        self.tool = tool


class Definitions:
    """What one reading of a configuration file found.

    Attributes:
        file: The file.
        made: The tools by name, in the file's order.
        errors: What is wrong.
        warnings: What means nothing.
        broken: The names whose definitions are not right.
    """

    __slots__ = ("broken", "errors", "file", "made", "warnings")

    def __init__(self, file: str) -> None:
        self.file = file
        self.made: dict[str, Made] = {}
        self.errors: list[ConfigError] = []
        self.warnings: list[ConfigError] = []
        self.broken: set[str] = set()


def read_definitions(
    path: str | os.PathLike[str], host: Host, known: Mapping[str, Made] | None = None
) -> Definitions:
    """Make the tools that a configuration file defines.

    Args:
        path: The file.
        host: What the tools may use.
        known: What an earlier reading made; tools whose definitions are still the same are taken over.

    Raises:
        OSError: The file cannot be opened.
        UnknownFormatError: Its suffix names no format.
        MissingExtraError: Its format needs a package that is not installed.
    """
    return _Reading(os.fspath(path), host, known or {}).run()


class _Reading:
    def __init__(self, file: str, host: Host, known: Mapping[str, Made]) -> None:
        self.file = file
        self.directory = os.path.dirname(os.path.abspath(file))
        self.host = host
        self.known = known
        self.found = Definitions(file)

    def run(self) -> Definitions:
        try:
            entries = self._entries(config_files.read(self.file))
        except UnknownFormatError:
            raise
        except ConfigError as error:
            self.found.errors.append(error)
            self.found.broken.update(self.known)
            return self.found
        for i, entry in enumerate(entries):
            self._take(entry, f"tools[{i}]")
        return self.found

    def _entries(self, data: Any) -> list[Any]:
        if isinstance(data, dict):
            for key in data.keys() - {"tools"}:
                self._warn(f"the member {key!r} means nothing here")
            data = data.get("tools")
        if not isinstance(data, list):
            raise ConfigError(
                self.file, 'must hold an array of tools, or an object with such an array as "tools"'
            )
        return data

    def _take(self, entry: Any, place: str) -> None:
        name = entry.get("name") if isinstance(entry, dict) else None
        name = name if isinstance(name, str) else ""
        place = f'{place} "{name}"' if name else place
        if name in self.found.made:
            first = self.found.made[name].place
            self.found.errors.append(ConfigError(self.file, f"{first} has this name already", place, name))
            return
        try:
            self.found.made[name] = self._made(entry, place)
        except (NotPlainError, ImplementationError) as error:
            self._fail(str(error), place, name)
        except InvalidDefinitionError as error:
            self._fail(_reason(error, name), place, name)

    def _fail(self, reason: str, place: str, name: str) -> None:
        self.found.errors.append(ConfigError(self.file, reason, place, name))
        self.found.broken.add(name)

    def _warn(self, reason: str, place: str = "", name: str = "") -> None:
        self.found.warnings.append(ConfigError(self.file, reason, place, name))

    def _made(self, entry: Any, place: str) -> Made:
        import json

        entry = plain(entry)
        text = json.dumps(entry)
        check(entry)
        name, implementation = entry["name"], entry["implementation"]
        known = self.known.get(name)
        if known is not None and known.text == text and is_current(implementation, self.host, self.directory):
            return known
        handler = handler_of(implementation, self.host, self.directory)
        options = {key: entry[key] for key in OPTIONS if key in entry}
        tool = make(name, entry["description"], entry["parameters"], handler, **options)
        self._warn_of_unknown(entry, place)
        return Made(text, place, tool)

    def _warn_of_unknown(self, entry: dict[str, Any], place: str) -> None:
        implementation = entry["implementation"]
        unknown = [key for key in entry if key not in REQUIRED and key not in OPTIONS]
        used = ("type", *MEMBERS[implementation["type"]])
        unknown += [f"implementation.{key}" for key in implementation if key not in used]
        for key in unknown:
            self._warn(f"the member {key!r} means nothing here", place, entry["name"])


def check(entry: Any) -> None:
    """Check that a definition has all members that it must have, and that they are of the right kinds.

    Raises:
        InvalidDefinitionError: It has not.
        ImplementationError: It is an HTTP tool.
    """
    if not isinstance(entry, dict):
        raise InvalidDefinitionError(f"must be an object, not {type(entry).__name__}")
    implementation = entry.get("implementation")
    if isinstance(implementation, dict) and implementation.get("type") == "http":
        raise ImplementationError(HTTP_REFUSAL)
    missing = [member for member in REQUIRED if entry.get(member) is None]
    if missing:
        raise InvalidDefinitionError(f"lacks {', '.join(missing)}")
    for member, (kind, what) in REQUIRED.items():
        if not isinstance(entry[member], kind):
            raise InvalidDefinitionError(f"{member} must be {what}, not {entry[member]!r:.80}")
        if kind is str and not entry[member].strip():
            raise InvalidDefinitionError(f"{member} must not be blank")
    if entry["type"] != "function":
        raise InvalidDefinitionError(f'type must be "function", not "{entry["type"]}"')
    check_parameters(entry["parameters"], entry["name"])
    for option, (is_right, what) in OPTIONS.items():
        if option in entry and not is_right(entry[option]):
            raise InvalidDefinitionError(f"{option} must be {what}, not {entry[option]!r:.80}")


def _reason(error: InvalidDefinitionError, name: str) -> str:
    """Return an error's text without the tool's name, which stands in the place already."""
    reason = str(error).removeprefix(f"Invalid tool {name!r}: ").removeprefix("Invalid tool: ")
    return reason.replace(f"{error.path}: ", f"{error.path} ", 1) if error.path else reason
