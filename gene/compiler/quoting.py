"""Quoted data as constants that Python code can hold, and literals that are made once a module."""

from __future__ import annotations

from gene.compiler.nodes import Builtin, Const, Literal, Node, Quoted
from gene.data.atoms import NOT_FOUND, VOID, Char, PathSymbol, Symbol
from gene.data.forms import ArrayForm, Gene, HashMapForm, MapForm, Quote, SpreadKey, Unquote

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
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

    A tuple starts with a letter for the kind. Places in the source are kept as offsets.
    """
    if datum is None or isinstance(datum, bool | int | float | str):
        return datum
    kind = type(datum)
    if kind is Symbol:
        return ("s", datum.name, datum.start, datum.end)
    if kind is PathSymbol:
        return ("p", datum.parts, datum.start, datum.end)
    if kind is Gene:
        props = tuple((_key(key), encode(value)) for key, value in datum.props.items())
        children = tuple(encode(child) for child in datum.children)
        return ("g", encode(datum.type), props, children, datum.start, datum.end, datum.frozen)
    if isinstance(datum, HashMapForm):
        return ("h", tuple(encode(item) for item in datum), datum.frozen)
    if isinstance(datum, list):
        return ("a", tuple(encode(item) for item in datum), isinstance(datum, ArrayForm) and datum.frozen)
    if isinstance(datum, dict):
        items = tuple((_key(key), encode(value)) for key, value in datum.items())
        return ("m", items, isinstance(datum, MapForm) and datum.frozen)
    if kind is Quote:
        return ("q", encode(datum.datum), datum.start, datum.end)
    if kind is Unquote:
        return ("u", encode(datum.datum), datum.discard, datum.start, datum.end)
    if datum is VOID or datum is NOT_FOUND:
        return ("v", repr(datum))
    if kind is Char:
        return ("c", datum.value)
    return ("x", *_special(datum))


def _key(key: Any) -> str | None:
    return None if type(key) is SpreadKey else key


def _special(datum: Any) -> tuple[str, tuple[Any, ...]]:
    """What makes a literal of a rarer kind again, as ``module:function``, and its arguments."""
    if isinstance(datum, bytes):
        return "gene.data.octets:Octets", (bytes(datum),)
    if hasattr(datum, "pattern"):
        return "gene.data.regex:Regex", (datum.pattern, datum.flags, datum.replacement)
    return "gene.data.temporal:parse", (datum.text,)
