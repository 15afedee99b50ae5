"""From constants back to data: quoted forms and literals."""

from __future__ import annotations

from gene.data.atoms import NOT_FOUND, VOID, Char, PathSymbol, Symbol
from gene.data.forms import Gene, Quote, SpreadKey, Unquote

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from gene.data.source import Source


def decode(encoded: Any, source: Source | None) -> Any:
    """Data made anew from what :func:`gene.compiler.quoting.encode` made of it.

    Genes get their parts when someone looks at them.
    """
    if type(encoded) is not tuple:
        return encoded
    if encoded[0] == "g":
        gene = _blank(Gene)
        gene.pending = _gene_parts, encoded, source
        return gene
    return _DECODERS[encoded[0]](encoded, source)


def _symbol(encoded: Any, source: Source | None) -> Symbol:
    _, name, start, end = encoded
    return Symbol(name, source, start, end)


def _path(encoded: Any, source: Source | None) -> PathSymbol:
    _, parts, start, end = encoded
    return PathSymbol(parts, source, start, end)


_blank: Callable[[type[Gene]], Gene] = Gene.__new__


def _gene_parts(encoded: Any, source: Source | None) -> tuple[Any, ...]:
    _, head, props, children, start, end, frozen = encoded
    made = [decode(child, source) for child in children]
    return decode(head, source), _entries(props, source) or None, made, source, start, end, frozen


def _entries(items: Any, source: Source | None) -> dict[Any, Any]:
    return {SpreadKey() if key is None else key: decode(value, source) for key, value in items}


def _array(encoded: Any, source: Source | None) -> list[Any]:
    _, items, frozen = encoded
    made = [decode(item, source) for item in items]
    if not frozen:
        return made
    from gene.data.frozen import FrozenArray

    return FrozenArray(made)


def _map(encoded: Any, source: Source | None) -> dict[Any, Any]:
    _, items, frozen = encoded
    made = _entries(items, source)
    if not frozen:
        return made
    from gene.data.frozen import FrozenMap

    return FrozenMap(made)


def _hash_map(encoded: Any, source: Source | None) -> Any:
    make = frozen_hash_map if encoded[2] else hash_map
    return make(*[decode(item, source) for item in encoded[1]])


def hash_map(*items: Any) -> Any:
    """A hash map of alternating keys and values."""
    from gene.runtime.hashed import HashMap

    return HashMap(*items)


def frozen_hash_map(*items: Any) -> Any:
    """A hash map that does not change, of alternating keys and values."""
    from gene.runtime.hashed import FrozenHashMap

    return FrozenHashMap(*items)


def _special(encoded: Any, _source: Source | None) -> Any:
    from gene.data.kinds import load

    return load(encoded[1])(*encoded[2])


_DECODERS: dict[str, Callable[[Any, Source | None], Any]] = {
    "s": _symbol,
    "p": _path,
    "a": _array,
    "m": _map,
    "h": _hash_map,
    "q": lambda encoded, source: Quote(decode(encoded[1], source), source, encoded[2], encoded[3]),
    "u": lambda encoded, source: Unquote(decode(encoded[1], source), encoded[2], source, *encoded[3:]),
    "v": lambda encoded, _source: VOID if encoded[1] == "void" else NOT_FOUND,
    "c": lambda encoded, _source: Char(encoded[1]),
    "x": _special,
}


def is_unchanged(datum: Any, encoded: Any) -> bool:
    """Whether a datum is still what it was decoded from; false for rare kinds of data in any case.

    Macros ask this of each argument that they evaluate, so the usual kinds are told apart right here.
    """
    waiting = [(datum, encoded)]
    for each, was in waiting:
        if type(was) is not tuple:
            if each is not was and (type(each) is not type(was) or each != was):
                return False
        elif type(each) is Gene and (pending := each.pending) is not None and pending[1] is was:
            continue
        elif was[0] == "s":
            if type(each) is not Symbol or each.name != was[1]:
                return False
        elif was[0] == "p":
            if type(each) is not PathSymbol or each.parts != was[1]:
                return False
        else:
            inner = _unchanged_inside(each, was)
            if inner is None:
                return False
            waiting += inner
    return True


def _unchanged_inside(datum: Any, encoded: Any) -> list[tuple[Any, Any]] | None:
    """The parts of a datum, each with what it was decoded from; None where the datum itself changed."""
    kind = encoded[0]
    if kind == "g" and type(datum) is Gene and len(datum.children) == len(encoded[3]):
        parts = [(datum.type, encoded[1]), *zip(datum.children, encoded[3], strict=True)]
        return parts if not datum.props and not encoded[2] else _join(parts, datum.props, encoded[2])
    if kind == "a" and isinstance(datum, list) and len(datum) == len(encoded[1]):
        return list(zip(datum, encoded[1], strict=True))
    if kind == "m" and isinstance(datum, dict):
        return _join([], datum, encoded[1])
    return [(datum.datum, encoded[1])] if kind == "q" and type(datum) is Quote else None


def _join(
    parts: list[tuple[Any, Any]], entries: dict[Any, Any], encoded: Any
) -> list[tuple[Any, Any]] | None:
    keys = [None if type(key) is SpreadKey else key for key in entries]
    if keys != [key for key, _ in encoded]:
        return None
    return parts + [(value, was) for value, (_, was) in zip(entries.values(), encoded, strict=True)]


def gene_maker(head: Any, frozen: bool) -> Callable[..., Gene]:  # noqa: FBT001 - compiled code calls it
    """What builds a gene with this head of the evaluated children and properties of a form."""

    def make(*children: Any, **props: Any) -> Gene:
        return Gene(head, props or None, list(children), frozen=frozen)

    return make
