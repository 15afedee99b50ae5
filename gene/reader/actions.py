"""What each rule of ``gene.lark`` does: the functions that its ``-> name`` speak of.

A function that lets an open form take in one more thing is called with that form and the thing. Any other one
is called with all parts of its rule and, last, with the offset where the last of them ended.
"""

from __future__ import annotations

from gene.data.forms import NO_PROPS, Gene, HashMapForm, MapForm, Quote, SpreadKey, Unquote
from gene.reader import faults
from gene.reader.terminals import is_symbol, leading_blanks, read_name, read_symbol, unescape_token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from gene.data.source import Source

    Caret = tuple[str, int, Source]
    Entry = tuple[Any, int, Any]

append: Final = list.append


def close(form: Any, end: int, _end: int) -> Any:
    """Any form, once its closing bracket has been read."""
    form.end = end
    return form


def close_hash_map(form: HashMapForm, first: int, second: int, _end: int) -> HashMapForm:
    """A hash map at its two closing braces."""
    if second != first + 1:
        raise faults.single_brace(form.source, first)
    if len(form) % 2:
        raise faults.odd_hash_map(form.source, form.start, second)
    form.end = second
    return form


def caret_symbol(caret: Caret, end: int) -> Any:
    """A token that starts with ``^`` where it is no property: a symbol."""
    text, start, source = caret
    return read_symbol(source, "^" + text, start, end)


# ----------------------------------------------------------------------------------------------- properties


def entry(key: Caret, value: Any, _end: int) -> Entry:
    """``^k v``."""
    return key[0], key[1], value


def nested_entry(key: Caret, value: Any, end: int) -> Entry:
    """``^a^b v``."""
    keys, _flags = _keys(key)
    return _nest(key, keys, value, end)


def flag(caret: Caret, end: int) -> Entry:
    """``^^k`` and ``^!k``, also for the last of several keys: ``^a^^k`` and ``^a^!k``."""
    keys, flags = _keys(caret)
    if len(flags) > 1:
        raise faults.bad_key(caret)
    value = True if flags == "^" else (None if len(keys) == 1 else False)
    return _nest(caret, keys, value, end)


def spread(caret: Caret, value: Any, _end: int) -> Entry:
    """``^... m``."""
    return SpreadKey(), caret[1], value


def spread_name(caret: Caret, end: int) -> Entry:
    """``^...m``."""
    text, start, source = caret
    name = text.removeprefix("...")
    if not is_symbol(name):
        raise faults.bad_key(caret)
    read = read_symbol if "/" in name or "\\" in name else read_name
    return SpreadKey(), start, read(source, name, end - len(name), end)


def _keys(caret: Caret) -> tuple[list[tuple[str, int]], str]:
    """The keys of a path, each with where its caret is; and the ``^`` and ``!`` that stand before keys."""
    import re

    text, start, _source = caret
    keys, flags = [], ""
    for match in re.finditer(r"(?:\A|\^)([\^!]?)((?:[^\^\\]|\\.)*)", text, re.DOTALL):
        if not match[2]:
            raise faults.bad_key(caret)
        flags += match[1]
        keys.append((unescape_token(match[2]), start + 1 + match.start()))
    return keys, flags


def _nest(caret: Caret, keys: list[tuple[str, int]], value: Any, end: int) -> Entry:
    _text, start, source = caret
    for key, at in reversed(keys[1:]):
        form = MapForm({key: value})
        form.source, form.start, form.end, form.frozen = source, at, end, False
        value = form
    return keys[0][0], start, value


def add_entry(form: MapForm, entry: Entry) -> None:
    """One more entry of a map."""
    key, start, value = entry
    if key in form:
        _merge(form.source, form, key, start, value)
    else:
        form[key] = value


def first_property(gene: Gene, entry: Entry, _end: int) -> Gene:
    """The first property of a gene."""
    gene.props = {entry[0]: entry[2]}
    return gene


def add_property(gene: Gene, entry: Entry) -> None:
    """One more property of a gene."""
    key, start, value = entry
    if key in gene.props:
        _merge(gene.source, gene.props, key, start, value)
    else:
        gene.props[key] = value


def _merge(source: Source | None, into: dict[Any, Any], key: Any, start: int, value: Any) -> None:
    """A key for the second time: allowed when both times only begin a path of keys."""
    assert source is not None
    while True:
        old = into[key]
        if not (_is_path(old) and _is_path(value)):
            raise faults.repeated_key(source, start, key)
        old.end = value.end
        start, into = value.start, old
        ((key, value),) = value.items()
        if key not in into:
            into[key] = value
            return


def _is_path(value: Any) -> bool:
    return type(value) is MapForm and value.source.text[value.start] == "^"


# ---------------------------------------------------------------------------------------------------- genes


def set_head(gene: Gene, head: Any, _end: int) -> Gene:
    """The first datum of a gene."""
    gene.type = head
    return gene


def add_child(gene: Gene, child: Any) -> None:
    """Any other datum of a gene."""
    gene.children.append(child)


def next_child(gene: Gene, child: Any, _end: int) -> Gene:
    """The first child behind the properties."""
    gene.children.append(child)
    return gene


def chain(gene: Gene, semicolon: int, _end: int = 0) -> Gene:
    """``;``: what has been read so far becomes the head."""
    head = Gene(gene.type, gene.props, gene.children, gene.source, gene.start, semicolon - 1)
    gene.type, gene.props, gene.children = head, NO_PROPS, []
    return gene


def quote(form: Quote | Unquote, datum: Any, end: int) -> Quote | Unquote:
    """A quoted or unquoted datum."""
    form.datum = datum
    form.end = end
    return form


def decorate(gene: Gene, decorator: Any, decorated: Any, end: int) -> Gene:
    """``#@f x``."""
    gene.type, gene.children, gene.end, gene.frozen = decorator, [decorated], end, False
    return gene


# ------------------------------------------------------------------------------------ interpolated strings


def skip(_gene: Gene, _comment: int) -> None:
    """A comment in a string."""


def add_hole(gene: Gene, _hole: int, datum: Any, _brace: int, _end: int) -> Gene:
    """``#{datum}``."""
    gene.children.append(datum)
    return gene


def add_embedded(gene: Gene, _hash: int, form: Any, _end: int) -> Gene:
    """``#(…)``, ``#[…]``, or ``#{^…}``."""
    gene.children.append(form)
    return gene


def close_triple(gene: Gene, end: int, _end: int) -> Gene:
    """An interpolated string in triple quotes, without the blanks that other such strings drop too."""
    assert gene.source is not None
    text, parts = gene.source.text, gene.children
    skipped = leading_blanks(text[gene.start + 4 : end - 3])
    if skipped:
        parts[0] = parts[0][skipped:]
    blanks = end - 3 - len(text[gene.start : end - 3].rstrip(" \t")) - gene.start
    if blanks and text[end - 4 - blanks] == "\n":
        parts[-1] = parts[-1][:-blanks]
    gene.end = end
    return gene
