"""JSON without recursion: for data nested deeper than the C stack allows, and to find what C code rejected.

It is about ten times slower than C code, and any depth is fine.
"""

from __future__ import annotations

from json import JSONDecodeError
from json.encoder import encode_basestring

from gene.data.kinds import kind_of
from gene.runtime.exceptions import ArgumentException, TypeException

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from json import JSONDecoder
    from typing import Any, Final

_SPACE: Final = " \t\n\r"
_END: Final[dict[Any, str]] = {list: "]", dict: "}"}


class NumberError(Exception):
    """A number that JSON or Gene has no place for."""


def read(text: str, decoder: JSONDecoder) -> Any:
    """The value of a JSON text.

    Args:
        text: The JSON text.
        decoder: What reads strings, numbers and constants.

    Raises:
        JSONDecodeError: The text is no JSON, or ``decoder`` raised NumberError.
    """
    open_: list[Any] = []  # the arrays and objects that have not ended, outermost first
    names: list[str] = []  # the key that waits for its value, for each object among them
    at = _skip(text, 0)
    while True:
        value, at, is_open = _start(text, at, decoder)
        if is_open:
            open_.append(value)
            if type(value) is dict:
                at = _name(text, at, names, decoder)
            continue
        while open_:
            _add(open_[-1], names, value)
            container = type(open_[-1])
            at = _skip(text, at)
            if text.startswith(",", at):
                at = _after_comma(text, at, container)
                if container is dict:
                    at = _name(text, at, names, decoder)
                break
            if not text.startswith(_END[container], at):
                raise JSONDecodeError("Expecting ',' delimiter", text, at)
            value, at = open_.pop(), at + 1
        else:
            at = _skip(text, at)
            if at != len(text):
                raise JSONDecodeError("Extra data", text, at)
            return value


def _after_comma(text: str, comma: int, container: type) -> int:
    at = _skip(text, comma + 1)
    if text.startswith(_END[container], at):
        name = "array" if container is list else "object"
        raise JSONDecodeError(f"Illegal trailing comma before end of {name}", text, comma)
    return at


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at


def _start(text: str, at: int, decoder: JSONDecoder) -> tuple[Any, int, bool]:
    """The value that starts at ``at``, what follows it, and whether it still has to be filled."""
    first = text[at : at + 1]
    if first not in ("[", "{"):
        return *_scalar(text, at, decoder), False
    container: Any = [] if first == "[" else {}
    at = _skip(text, at + 1)
    is_empty = text.startswith(_END[type(container)], at)
    return container, at + is_empty, not is_empty


def _scalar(text: str, at: int, decoder: JSONDecoder) -> tuple[Any, int]:
    try:
        value, end = decoder.raw_decode(text, at)
    except NumberError as error:
        raise JSONDecodeError(str(error), text, at) from None
    return value, end


def _name(text: str, at: int, names: list[str], decoder: JSONDecoder) -> int:
    """Read a key and its colon; gives where the value starts."""
    if not text.startswith('"', at):
        raise JSONDecodeError("Expecting property name enclosed in double quotes", text, at)
    name, at = _scalar(text, at, decoder)
    at = _skip(text, at)
    if not text.startswith(":", at):
        raise JSONDecodeError("Expecting ':' delimiter", text, at)
    names.append(name)
    return _skip(text, at + 1)


def _add(container: Any, names: list[str], value: Any) -> None:
    if type(container) is dict:
        container[names.pop()] = value
    else:
        container.append(value)


def write(value: Any, to_text: Callable[[Any], str]) -> str:
    """JSON text of a value nested to any depth.

    Args:
        value: What to write.
        to_text: The text of a number, and of what JSON has no form for.

    Raises:
        ArgumentException: A number that JSON cannot express, or a value that contains itself.
        TypeException: A key that is no string.
    """
    parts: list[str] = []
    path: set[int] = set()  # the containers around what is being written
    todo: list[Any] = [value]
    while todo:
        item = todo.pop()
        if type(item) is _Text:
            parts.append(item.text)
            path.discard(item.leaves)
        elif isinstance(item, (list, tuple, dict)):
            if id(item) in path:
                raise ArgumentException("json.stringify requires data that does not contain itself")
            path.add(id(item))
            todo.extend(reversed(_pieces(item)))
        else:
            parts.append(_scalar_text(item, to_text))
    return "".join(parts)


class _Text:
    """Finished text among what is to be written; ``leaves`` is the container that ends with it."""

    __slots__ = ("leaves", "text")

    def __init__(self, text: str, leaves: int = 0) -> None:
        self.text = text
        self.leaves = leaves


def _pieces(container: Any) -> list[Any]:
    pieces: list[Any] = []
    if isinstance(container, dict):
        before = "{"
        for key, value in container.items():
            if type(key) is not str:
                raise TypeException(f"json.stringify requires String keys, got {kind_of(key).tag}")
            pieces += (_Text(f"{before}{encode_basestring(key)}:"), value)
            before = ","
        return [*pieces, _Text("}" if pieces else "{}", id(container))]
    before = "["
    for value in container:
        pieces += (_Text(before), value)
        before = ","
    return [*pieces, _Text("]" if pieces else "[]", id(container))]


def _scalar_text(value: Any, to_text: Callable[[Any], str]) -> str:
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if type(value) is int:
        return _integer_text(value)
    if type(value) is float:
        if value - value != 0:
            raise ArgumentException(f"json.stringify requires finite numbers, got {value}")
        return to_text(value)
    return encode_basestring(value if type(value) is str else to_text(value))


def _integer_text(value: int) -> str:
    try:
        return int.__repr__(value)
    except ValueError:  # Python refuses to print integers of more than 4300 digits
        raise ArgumentException("json.stringify requires integers of reasonable size") from None
