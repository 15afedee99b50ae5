"""Quoted data as constants that Python code can hold, and literals that are made once a module."""

from __future__ import annotations

from gene.compiler.nodes import Builtin, Const, Literal, Node, Quoted
from gene.data.atoms import NOT_FOUND, VOID, Char, PathSymbol, Symbol
from gene.data.forms import Gene, HashMapForm, Quote, SpreadKey, Unquote
from gene.data.kinds import kind_of
from gene.runtime.exceptions import GeneException

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from gene.data.source import Span


def quote(datum: Any, span: Span | None) -> Node:
    """The node of a quoted datum."""
    if datum is None or isinstance(datum, bool | int | float | str):
        return Const(span, datum)
    if datum is VOID or datum is NOT_FOUND:
        return Builtin(span, repr(datum))
    return Quoted(span, encode(datum))


def literal(value: Any, span: Span | None) -> Node:
    """The node of a literal that is neither a constant of Python nor a collection."""
    made = encode(value)
    return Literal(span, (made,), "decode")


def encode(datum: Any) -> Any:
    """Data as nested tuples of constants; :func:`gene.runtime.quoting.decode` is the way back.

    A tuple starts with a letter for the kind. Places in the source are kept as offsets. The lists are there
    because generators would recurse through C, of which Python 3.12 allows little.
    """
    if datum is None or isinstance(datum, bool | int | float | str):
        return datum
    kind = type(datum)
    if kind is Symbol:
        return ("s", datum.name, datum.start, datum.end)
    if kind is PathSymbol:
        return ("p", datum.parts, datum.start, datum.end)
    if kind is Gene:
        props = tuple([(_key(key), encode(value)) for key, value in datum.props.items()])
        children = tuple([encode(child) for child in datum.children])
        return ("g", encode(datum.type), props, children, datum.start, datum.end, datum.frozen)
    if isinstance(datum, HashMapForm):
        return ("h", tuple([encode(item) for item in datum]), datum.frozen)
    if isinstance(datum, list):
        return ("a", tuple([encode(item) for item in datum]), getattr(datum, "frozen", False))
    if isinstance(datum, dict):
        items = tuple([(_key(key), encode(value)) for key, value in datum.items()])
        return ("m", items, getattr(datum, "frozen", False))
    if kind is Quote:
        return ("q", encode(datum.datum), datum.start, datum.end)
    if kind is Unquote:
        return ("u", encode(datum.datum), datum.discard, datum.start, datum.end)
    if datum is VOID or datum is NOT_FOUND:
        return ("v", repr(datum))
    if kind is Char:
        return ("c", datum.value)
    return ("x", *_special(datum))


def fingerprint(datum: Any, values: list[Any], kept: list[Any]) -> tuple[Any, ...]:
    """What tells data apart that compile to different code.

    Args:
        datum: A datum, perhaps one that a program made.
        values: Gets the values in it that no literal writes, such as functions, each one once.
        kept: Gets what the answer tells by its identity, to be kept alive as long as the answer.

    Raises:
        GeneException: The datum contains itself.
    """
    parts: list[Any] = []
    numbers: dict[int, int] = {}
    around: set[int] = set()
    waiting: list[Any] = [datum]
    while waiting:
        each = waiting.pop()
        kind = type(each)
        if kind is Symbol:
            parts += (kind, each.name, id(each.source), each.start, each.end)
            continue
        if kind is int or kind is str or each is None:
            parts += (kind, each)
            continue
        pending = each.pending if kind is Gene else None
        if pending is not None:
            kept.append(pending[1])
            parts += (kind, id(pending[1]), id(pending[2]))
            continue
        if each is _LEFT:
            around.discard(id(waiting.pop()))
            continue
        inner = inside(each)
        if inner is not None:
            if id(each) in around:
                raise GeneException("Data that contains itself is no code")
            around.add(id(each))
            parts += (kind, getattr(each, "frozen", False), len(inner), *_place(each))
            parts += [_key(key) for key in _keys(each)]
            waiting += (each, _LEFT, *inner)
        elif is_literal(each):
            parts += (kind, repr(each), *_place(each))
        else:
            number = numbers.setdefault(id(each), len(values))
            if number == len(values):
                values.append(each)
            parts += ("value", number)
    return tuple(parts)


_LEFT = object()
"""Stands above a datum whose parts have all been looked at."""


def inside(datum: Any) -> list[Any] | None:
    """What a datum holds; None for one that holds nothing."""
    if type(datum) is Gene:
        return [datum.type, *datum.props.values(), *datum.children]
    if isinstance(datum, list):
        return datum
    if isinstance(datum, dict):
        return list(datum.values())
    if type(datum) in (Quote, Unquote):
        return [datum.datum]
    return datum.gene_contents() if is_hash_map(datum) else None


def _keys(datum: Any) -> Iterable[Any]:
    return datum.props if type(datum) is Gene else datum if isinstance(datum, dict) else ()


def _place(datum: Any) -> tuple[Any, ...]:
    source = getattr(datum, "source", None)
    return () if source is None else (id(source), datum.start, datum.end)


def is_hash_map(datum: Any) -> bool:
    """Whether a datum is the hash map that a program has, not the literal that the reader made."""
    return type(datum).__name__ in ("HashMap", "FrozenHashMap") and hasattr(datum, "gene_contents")


def is_literal(datum: Any) -> bool:
    """Whether a literal writes the datum, which holds no other data."""
    if datum is None or isinstance(datum, bool | int | float | str | bytes | Symbol | PathSymbol | Char):
        return True
    return datum is VOID or datum is NOT_FOUND or kind_of(datum).tag in _LITERAL_TAGS


_LITERAL_TAGS = frozenset({"VkRegex", "VkDate", "VkTime", "VkDateTime"})


def _key(key: Any) -> str | None:
    return None if type(key) is SpreadKey else key


def _special(datum: Any) -> tuple[str, tuple[Any, ...]]:
    """What makes a literal of a rarer kind again, as ``module:function``, and its arguments."""
    if isinstance(datum, bytes):
        return "gene.data.octets:Octets", (bytes(datum),)
    if hasattr(datum, "pattern"):
        return "gene.data.regex:Regex", (datum.pattern, datum.flags, datum.replacement)
    return "gene.data.temporal:parse", (datum.text,)
