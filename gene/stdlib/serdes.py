"""``gene/serdes``: data as Gene text, and back; ``gene/parse``."""

from __future__ import annotations

from gene.data.atoms import NOT_FOUND, VOID, Char, PathSymbol, Symbol
from gene.data.forms import ArrayForm, Gene, HashMapForm, MapForm, Quote, Unquote
from gene.errors import GeneError
from gene.runtime.exceptions import ArgumentException, IOException, ParseException, TypeException
from gene.runtime.hashed import FrozenHashMap, HashMap
from gene.runtime.text import inspect
from gene.stdlib.arguments import MISSING, tag_of
from gene.stdlib.trees import rebuild, refuse_cycles

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final

_ATOMS: Final = frozenset({str, int, bool, type(None), Symbol, PathSymbol, Char, type(VOID), type(NOT_FOUND)})
_LITERALS: Final = frozenset({"VkDate", "VkTime", "VkDateTime", "VkBytes", "VkRegex"})
"""Tags of the other kinds that a literal denotes; their modules load only when a program needs them."""


def parse(text: Any = MISSING) -> Any:
    """``(gene/parse text)``: the first datum of a Gene text, as data.

    Raises:
        ParseException: The text does not start with a datum.
    """
    if type(text) is not str:
        raise ArgumentException("parse requires a string")
    from gene.reader import read_one

    try:
        form = read_one(text, "<parse>")
    except GeneError as error:
        raise ParseException(error.message, hint=error.hint) from None
    return rebuild(form, _form_parts, _data)


def serialize(value: Any = MISSING) -> str:
    """``(gene/serdes/serialize value)``: Gene text that :func:`deserialize` reads as an equal value.

    Raises:
        TypeException: The value is, or contains, something that is no data, such as a function.
        ArgumentException: The value contains itself, or a number that has no literal.
    """
    if value is MISSING:
        raise ArgumentException("serdes.serialize requires a value")
    refuse_cycles(value, _parts, "serdes.serialize")
    return inspect(value)


def deserialize(text: Any = MISSING) -> Any:
    """``(gene/serdes/deserialize text)``: the value that :func:`serialize` wrote. No code runs."""
    if type(text) is not str:
        raise ArgumentException("serdes.deserialize requires a string")
    return parse(text)


def values_of(text: str, name: str) -> list[Any]:
    """All values that a text of several holds, such as a log of serialized ones.

    Args:
        text: Gene text.
        name: What to call it in errors.

    Raises:
        GeneSyntaxError: The text cannot be read.
    """
    from gene.reader import read_all

    return [rebuild(form, _form_parts, _data) for form in read_all(text, name)]


def write_tree(path: Any = MISSING, value: Any = MISSING) -> None:
    """``(gene/serdes/write_tree path value)``: keep a value in a file.

    The old content stays until the new one is complete.

    Raises:
        IOException: The file cannot be written.
    """
    import os

    if type(path) is not str:
        raise ArgumentException("serdes.write_tree requires a string path")
    if value is MISSING:
        raise ArgumentException("serdes.write_tree requires path and value")
    from gene.stdlib import files

    text = serialize(value) + "\n"
    draft = f"{path}.{os.getpid()}.tmp"
    try:
        files.write(draft, text)
        os.replace(draft, path)
    except (OSError, IOException) as error:
        files.delete(draft)
        reason = error.strerror if isinstance(error, OSError) else error.hint
        raise IOException(f"Failed to write file '{path}': cannot open: {path}", hint=reason) from None


def read_tree(path: Any = MISSING) -> Any:
    """``(gene/serdes/read_tree path)``: the value that :func:`write_tree` put into a file."""
    if type(path) is not str:
        raise ArgumentException("serdes.read_tree requires a string path")
    from gene.stdlib import files

    return deserialize(files.read(path))


def _parts(value: Any) -> Sequence[Any] | None:
    """What a value contains; None for what contains nothing. Refuses what does not read back."""
    if type(value) in _ATOMS:
        return None
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, Gene):
        return [value.type, *value.props.values(), *value.children]
    if isinstance(value, HashMap):
        return value.gene_contents()
    if isinstance(value, (Quote, Unquote)):
        return [value.datum]
    if type(value) is float:
        if value - value != 0:
            raise ArgumentException(f"serialize requires finite numbers, got {value}")
        return None
    if tag_of(value) not in _LITERALS:
        raise TypeException(f"Cannot serialize {tag_of(value)}: only data can be read back")
    return None


def _form_parts(form: Any) -> Sequence[Any] | None:
    if isinstance(form, list):
        return form
    if isinstance(form, dict):
        return list(form.values())
    if type(form) is Gene:
        return [form.type, *form.props.values(), *form.children]
    if isinstance(form, (Quote, Unquote)):
        return [form.datum]
    return None


def _data(form: Any, parts: Sequence[Any]) -> Any:
    """The data that a form denotes, of its parts that are data already."""
    if isinstance(form, HashMapForm):
        return FrozenHashMap(*parts) if form.frozen else HashMap(*parts)
    if isinstance(form, ArrayForm):
        return _sealed([*parts], form)
    if isinstance(form, MapForm):
        return _sealed(dict(zip(form, parts, strict=True)), form)
    if isinstance(form, Gene):
        props = dict(zip(form.props, parts[1:], strict=False))
        children = [*parts[1 + len(props) :]]
        return Gene(parts[0], props or None, children, form.source, form.start, form.end, form.frozen)
    if isinstance(form, Quote):
        return Quote(parts[0])
    return Unquote(parts[0], form.discard)


def _sealed(made: Any, form: ArrayForm | MapForm) -> Any:
    if not form.frozen:
        return made
    from gene.data.frozen import FrozenArray, FrozenMap

    return FrozenArray(made) if isinstance(made, list) else FrozenMap(made)
