"""How values print: the four texts that Gene has for a value.

``println`` shows strings bare, also inside containers; ``to_s`` quotes the strings inside containers, without
escaping; interpolation is ``to_s`` but for nil and characters; the REPL quotes and escapes every string, so
that what it shows reads back. Methods of user classes are never called.

A class whose instances contain other values says how they print with a method ``gene_parts``, or its kind
does with ``parts``. Either returns the opening, the contained values each with the text before it, the
closing, and whether strings inside are quoted even by ``println``.
"""

from __future__ import annotations

from itertools import chain, repeat

from gene.data.atoms import Char, NotFound, PathSymbol, Symbol, Void
from gene.data.forms import Gene, HashMapForm, Quote, SpreadKey, Unquote
from gene.data.kinds import FOREIGN, FUNCTION, kind_of
from gene.runtime.classes import Instance

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Final

    Atoms = dict[type, Callable[[Any], str]]
    Parts = tuple[str, Iterable[tuple[str, Any]], str, bool]
    """Opening; contained values, each with the text before it; closing; whether strings are always quoted."""


def display(value: Any) -> str:
    """The text that ``println`` shows."""
    kind = type(value)
    if kind is str:
        return value  # type: ignore[no-any-return]
    if kind is int:
        return _integer(value)
    atom = _DISPLAY.get(kind)
    return _render(value, _DISPLAY) if atom is None else atom(value)


def to_s(value: Any) -> str:
    """The text that ``.to_s``, ``$``, ``append`` and ``join`` make of a value; empty for nil."""
    kind = type(value)
    if kind is str:
        return value  # type: ignore[no-any-return]
    if kind is int:
        return _integer(value)
    if value is None:
        return ""
    atom = _QUOTED.get(kind)
    if atom is not None:
        return atom(value)
    return _bare(value) if isinstance(value, str) else _render(value, _QUOTED)


def interpolate(value: Any) -> str:
    """The text that ``#{value}`` puts into a string."""
    kind = type(value)
    if kind is str:
        return value  # type: ignore[no-any-return]
    if kind is int:
        return _integer(value)
    atom = _DISPLAY.get(kind)
    if atom is not None:
        return atom(value)
    return _bare(value) if isinstance(value, str) else _render(value, _QUOTED)


def inspect(value: Any) -> str:
    """The text that the REPL shows; strings, numbers, arrays and maps read back as the same value.

    Exceptions are what has no literal: infinities, nan, the empty map key, and data that contains itself.
    """
    return _render(value, _INSPECT)


def format_float(number: float) -> str:
    """The shortest digits that read back as the same number, plain while the exponent is -7 to 16."""
    text = float.__repr__(number)
    mantissa, e, exponent = text.partition("e")
    if not e:
        return text
    power = int(exponent)
    if not -7 <= power <= 16:
        return f"{mantissa}e{power:+d}" if power > 0 else f"{mantissa}e{power}"
    sign = "-" if mantissa[0] == "-" else ""
    digits = mantissa.lstrip("-").replace(".", "")
    if power < 0:
        return f"{sign}0.{'0' * (-power - 1)}{digits}"
    return f"{sign}{digits.ljust(power + 1, '0')}.0"


def is_gene_function(function: Any) -> bool:
    """Whether Gene code defines the function: the compiler marks the builtins that such code runs with."""
    return "%gene" in getattr(function, "__builtins__", ())


def escape(text: str) -> str:
    """The text as a string literal that reads back."""
    return f'"{text.translate(_StringEscapes())}"'


class _StringEscapes(dict[int, str]):
    """Escapes by character code, found on demand. Control characters and lone surrogates need a code."""

    _NAMED: Final = {
        '"': '\\"',
        "\\": "\\\\",
        "\n": "\\n",
        "\r": "\\r",
        "\t": "\\t",
        "\b": "\\b",
        "\f": "\\f",
    }

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if code >= 32 and character not in '"\\\x7f' and not 0xD800 <= code <= 0xDFFF:
            return character
        return self._NAMED.get(character) or f"\\u{code:04x}"


def _render(value: Any, atoms: Atoms) -> str:
    """Print without recursion: data may be nested deeper than the stack, or contain itself."""
    out: list[str] = []
    write = out.append
    open_ids: set[int] = set()
    outer: list[tuple[Iterator[tuple[str, Any]], str, int, Atoms]] = []
    items: Iterator[tuple[str, Any]] = iter((("", value),))
    closing, current = "", 0
    while True:
        for before, item in items:
            atom = atoms.get(type(item))
            if atom is not None:
                write(before + atom(item))
                continue
            parts = _parts(item)
            if parts is None:
                write(before + _leaf(item, atoms))
            elif id(item) in open_ids:
                write(f"{before}{parts[0]}...{parts[2]}")
            else:
                write(before + parts[0])
                outer.append((items, closing, current, atoms))
                items, closing, current = iter(parts[1]), parts[2], id(item)
                open_ids.add(current)
                if parts[3] and atoms is _DISPLAY:
                    atoms = _QUOTED
                if atoms is _INSPECT and isinstance(item, dict):
                    items = _escape_keys(item, items)
                break
        else:
            write(closing)
            if not outer:
                return "".join(out)
            open_ids.discard(current)
            items, closing, current, atoms = outer.pop()


def _parts(value: Any) -> Parts | None:
    """What a container prints around and before its elements; None for anything else."""
    if isinstance(value, list):
        return _hash_parts(value) if type(value) is HashMapForm else _array_parts(value)
    if isinstance(value, dict):
        return _map_parts(value)
    if isinstance(value, Gene):
        return _gene_parts(value)
    if isinstance(value, Quote):
        return "`", [("", value.datum)], "", True
    if isinstance(value, Unquote):
        return "%_" if value.discard else "%", [("", value.datum)], "", True
    own = getattr(type(value), "gene_parts", None) or kind_of(value).parts
    return None if own is None else own(value)


def _array_parts(value: list[Any]) -> Parts:
    opening = "#[" if getattr(value, "frozen", False) else "["
    return opening, zip(chain(("",), repeat(" ")), value, strict=False), "]", False


def _map_parts(value: dict[Any, Any]) -> Parts:
    opening = "#{" if getattr(value, "frozen", False) else "{"
    parts = [(f" ^{key if type(key) is str else _leaf(key, _DISPLAY)} ", item) for key, item in value.items()]
    if parts:
        parts[0] = parts[0][0][1:], parts[0][1]
    return opening, parts, "}", False


def _hash_parts(value: HashMapForm) -> Parts:
    return "{{", zip(chain(("",), repeat(" ")), value, strict=False), "}}", False


def _gene_parts(value: Gene) -> Parts:
    props = [(f" ^{key} ", item) for key, item in value.props.items()]
    children = [(" ", child) for child in value.children]
    return "#(" if value.frozen else "(", [("", value.type), *props, *children], ")", True


def _leaf(value: Any, atoms: Atoms) -> str:
    """The text of a value that contains no others, whose exact type has no entry in the tables."""
    for base, plain in _EXTENSIBLE:
        if isinstance(value, base):
            return atoms[base](plain(value))
    if type(value) is SpreadKey:
        return "..."
    kind = kind_of(value)
    if isinstance(value, Instance):
        return "VkInstance"
    if kind is FUNCTION or (kind is FOREIGN and callable(value)):
        return "VkFunction" if is_gene_function(value) else "VkNativeFn"
    if isinstance(value, bytes):
        return f"0#{value.hex()}"
    own: Any = type(value)
    nameless = own.__str__ is object.__str__ and own.__repr__ is object.__repr__
    return kind.tag if nameless or kind is FOREIGN else str(value)


def _bare(value: Any) -> str:
    """The text of an instance of a subclass of str, whatever that subclass prints as."""
    return str.__str__(value)


def _integer(number: int) -> str:
    try:
        return f"{number}"
    except ValueError:  # a host's number beyond the digits that Python is willing to convert
        return hex(number)


def _escape_keys(keys: Iterable[Any], items: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    for key, (before, part) in zip(keys, items, strict=True):
        yield before if type(key) is SpreadKey else _escape_key(before), part


def _escape_key(before: str) -> str:
    """The text before a map entry, its key escaped so that it reads back as one key."""
    blank, _, key = before[:-1].partition("^")
    text = "".join([f"\\{char}" if char <= " " or char in '"%(),;[\\]^`{}\x7f' else char for char in key])
    literal = "\\" if text.startswith(("!", "...")) else ""
    return f"{blank}^{literal}{text} "


def _table(text: Callable[[str], str], character: Callable[[Char], str]) -> Atoms:
    return {
        str: text,
        int: _integer,
        float: format_float,
        bool: lambda value: "true" if value else "false",
        type(None): lambda _: "nil",
        Void: lambda _: "void",
        NotFound: lambda _: "not_found",
        Symbol: lambda symbol: symbol.name,
        PathSymbol: lambda symbol: symbol.name,
        Char: character,
    }


def _escaped_char(char: Char) -> str:
    return "'\\''" if char.value == "'" else f"'{escape(char.value)[1:-1]}'" if char.value != '"' else "'\"'"


_EXTENSIBLE: Final[tuple[Any, ...]] = (str, _bare), (int, int.__int__), (float, float.__float__)
"""Types of which a host may pass in subclasses; those print as what they extend."""

_DISPLAY: Final = _table(lambda text: text, lambda char: char.value)
_QUOTED: Final = _table(lambda text: f'"{text}"', lambda char: f"'{char.value}'")
_INSPECT: Final = _table(escape, _escaped_char)
