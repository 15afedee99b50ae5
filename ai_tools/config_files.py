"""Reading configuration files of several formats, each to the values it holds."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ai_tools.serialization import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable


class ConfigError(ValueError):
    """Something in a configuration file is wrong. ``str(error)`` is ``file: place: reason``.

    Args:
        file: The file, as the caller named it.
        reason: What is wrong and what would be right.
        place: Where: ``tools[2] "name"``; "" for the file as a whole.

    Attributes:
        tool: The name of the tool concerned, "" where it has none.
    """

    def __init__(self, file: str, reason: str, place: str = "", tool: str = "") -> None:
        super().__init__(": ".join(part for part in (file, place, reason) if part))
        self.file = file
        self.reason = reason
        self.place = place
        self.tool = tool


class UnknownFormatError(ConfigError):
    """The suffix of a configuration file names no format that can be read."""


class MissingExtraError(ImportError):
    """A format needs a package that is not installed; the message says how to install it."""


def _read_json(text: str, _file: str) -> Any:
    import json

    from ai_tools.arguments import is_deep

    if is_deep(text):  # the scanner would overflow the C stack
        raise RecursionError
    return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_object)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} comes twice")
    return made


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def _read_toml(text: str, _file: str) -> Any:
    import tomllib

    return tomllib.loads(text)


def _read_yaml(text: str, _file: str) -> Any:
    try:
        import yaml
    except ImportError as error:
        raise MissingExtraError(
            "YAML files need PyYAML: pip install 'gene-tools[yaml]', or write the file as JSON or TOML"
        ) from error

    class Loader(yaml.SafeLoader):
        """The safe loader, which makes no objects; it also refuses keys that come twice, and great depth."""

        depth = 0

        def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
            self.depth += 1
            if self.depth > MAX_DEPTH:
                raise RecursionError
            node = super().compose_node(parent, index)
            self.depth -= 1
            return node

        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:  # noqa: FBT001, FBT002 - PyYAML's signature
            keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
            if len(set(keys)) < len(keys):
                twice = next(key for key in keys if keys.count(key) > 1)
                raise yaml.MarkedYAMLError(
                    problem=f"the key {twice!r} comes twice", problem_mark=node.start_mark
                )
            return super().construct_mapping(node, deep)

    try:
        return yaml.load(text, Loader)  # noqa: S506 - a SafeLoader
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f" (line {mark.line + 1}, column {mark.column + 1})" if mark else ""
        raise ValueError(f"{error.problem or error.context}{where}") from error
    except yaml.YAMLError as error:
        raise ValueError(str(error)) from error


FORMATS: dict[str, Callable[[str, str], Any] | str] = {
    ".json": _read_json,
    ".toml": _read_toml,
    ".yaml": _read_yaml,
    ".yml": _read_yaml,
    ".gene": "ai_tools.gene_bindings.config:read",
}
"""Readers by file suffix; programs may add to them. A reader takes the text and the file's name and returns
values, or raises ValueError or SyntaxError. One given as ``"module:function"`` is imported when needed."""


def read(path: str | os.PathLike[str]) -> Any:
    """Return what a configuration file holds.

    Args:
        path: The file; its suffix says the format.

    Raises:
        OSError: It cannot be opened.
        MissingExtraError: Its format needs a package that is not installed.
        ConfigError: Its format is not known, or it is not written in that format.
    """
    file = os.fspath(path)
    reader = _reader(file)
    with open(file, "rb") as opened:
        data = opened.read()
    try:
        return reader(data.decode("utf-8-sig"), file)
    except UnicodeDecodeError as error:
        raise ConfigError(file, f"is not UTF-8 text: {error.reason} at byte {error.start}") from None
    except RecursionError:
        raise ConfigError(file, "is nested too deeply") from None
    except (ValueError, SyntaxError) as error:
        raise ConfigError(file, f"cannot be read: {_message(error)}") from error


def _reader(file: str) -> Callable[[str, str], Any]:
    suffix = os.path.splitext(file)[1].lower()
    reader = FORMATS.get(suffix)
    if reader is None:
        known = ", ".join(sorted(FORMATS))
        raise UnknownFormatError(file, f"the suffix {suffix!r} names no known format; known are {known}")
    return _imported(reader) if isinstance(reader, str) else reader


def _imported(where: str) -> Callable[[str, str], Any]:
    from importlib import import_module

    module, _, name = where.partition(":")
    return getattr(import_module(module), name)  # type: ignore[no-any-return]  # what FORMATS says


def _message(error: Exception) -> str:
    """Return the message of a reader's error, with the place if it has one."""
    if isinstance(error, SyntaxError):
        return f"{error.msg} (line {error.lineno}, column {error.offset})"
    line = getattr(error, "lineno", None)
    if line is not None:  # json.JSONDecodeError
        return f"{getattr(error, 'msg', error)} (line {line}, column {getattr(error, 'colno', 1)})"
    return str(error)


def stamp(path: str) -> tuple[int, int, int] | None:
    """Return what changes with a file's content: time of change, size and inode; None if there is no file."""
    try:
        info = os.stat(path)
    except OSError:
        return None
    return info.st_mtime_ns, info.st_size, info.st_ino
