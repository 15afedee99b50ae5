"""``genex/html``: data as HTML text in which nothing that is text can become markup.

A gene is an element: its head is the tag, its properties the attributes, its children the content. A quoted
head makes such data with the values of what stands in it::

    (fn page [title items]
      (`ul ^class "list" ^id nil
        (items .map (fn [item] (`li item)))))
    (genex/html/render (page "Tools" ["a < b"]))    # <ul class="list"><li>a &lt; b</li></ul>

Strings, symbols, numbers and dates are text; arrays are their elements, one after the other; nil and void are
nothing. Attributes that are nil, void or false are left out, true ones have no value, arrays are joined with
blanks (``^class ["a" "b"]``), and maps are styles (``^style {^color "red"}``).
"""

from __future__ import annotations

import re

from gene.data.atoms import VOID, PathSymbol, Symbol
from gene.data.forms import Gene, Quote
from gene.data.kinds import Kind
from gene.runtime.exceptions import ArgumentException, TypeException
from gene.runtime.text import display
from gene.stdlib.arguments import MISSING, tag_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final

VOID_ELEMENTS: Final = frozenset(
    (
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    )
)  # fmt: skip
"""Elements without content and without an end tag (HTML Living Standard, 13.1.2)."""

RAW_ELEMENTS: Final = frozenset(("script", "style"))
"""Elements whose text cannot be escaped (the same section)."""

_TAG: Final = re.compile(r"[A-Za-z][A-Za-z0-9:._-]*")
_ATTRIBUTE: Final = re.compile(r"[^\s\x00-\x1f\x7f\"'<>/=]+")
_TEXT_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
_VALUE_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


class Markup:
    """HTML text that is put into a page as it is.

    Args:
        text: The text. Whoever makes it answers for what is in it.
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


MARKUP: Final = Kind("Markup", "VkMarkup", Markup, methods={"to_s": lambda markup: markup.text})


def render(*data: Any) -> str:
    """``(genex/html/render data…)``: the HTML text of some data, without white space between elements.

    Raises:
        ArgumentException: A name that is none in HTML, an element with content that may have none, text that
            would end a script or style, or data that contains itself.
        TypeException: Data that has no place in a page, such as a map or a function.
    """
    out: list[str] = []
    open_ = [_Open(data, "", "")]
    held: set[int] = set()
    while open_:
        item = next(open_[-1].items, _END)
        if item is _END:
            done = open_.pop()
            out.append(done.closing)
            held.discard(done.key)
            continue
        inner = _put(item, out, open_[-1].tag)
        if inner is not None:
            if inner.key in held:
                raise ArgumentException("html.render requires data that does not contain itself")
            held.add(inner.key)
            open_.append(inner)
    return "".join(out)


class _Open:
    """An element or array that is being written: what is left of it, and how it ends."""

    __slots__ = ("closing", "items", "key", "tag")

    def __init__(self, content: Sequence[Any], closing: str, tag: str, key: int = 0) -> None:
        self.items = iter(content)
        self.closing = closing
        self.tag = tag
        self.key = key


_END: Final = object()


def document(*data: Any) -> str:
    """``(genex/html/document data…)``: the same, as a whole document with its doctype."""
    return "<!DOCTYPE html>\n" + render(*data)


def escape(text: Any = MISSING) -> str:
    """``(genex/html/escape text)``: text that is safe in the content and in quoted attributes of elements."""
    if type(text) is not str:
        raise ArgumentException(f"html.escape requires a string, got {tag_of(text)}")
    return text.translate(_VALUE_ESCAPES)


def raw(text: Any = MISSING) -> Markup:
    """``(genex/html/raw text)``: HTML that :func:`render` puts in as it is."""
    if type(text) is not str:
        raise ArgumentException(f"html.raw requires a string, got {tag_of(text)}")
    return Markup(text)


def _put(item: Any, out: list[str], tag: str) -> _Open | None:
    """Write an item of the content of an element, or only the start of one that has content itself."""
    if isinstance(item, Quote):
        item = item.datum
    if isinstance(item, Gene):
        return _start(item, out)
    if isinstance(item, list):
        return _Open(item, "", tag, id(item))
    out.append(_text(item, tag))
    return None


def _start(element: Gene, out: list[str]) -> _Open | None:
    """Write the start tag of an element."""
    tag = _name(element.type, _TAG, "a tag")
    attributes = "".join([_attribute(key, value) for key, value in element.props.items()])
    out.append(f"<{tag}{attributes}>")
    if tag.lower() not in VOID_ELEMENTS:
        return _Open(element.children, f"</{tag}>", tag.lower(), id(element))
    if element.children:
        raise ArgumentException(f"html: <{tag}> has no content")
    return None


def _text(item: Any, tag: str) -> str:
    """The text of an item of an element's content."""
    if item is None or item is VOID:
        return ""
    if isinstance(item, Markup):
        return item.text
    text = _plain(item)
    if tag not in RAW_ELEMENTS:
        return text.translate(_TEXT_ESCAPES)
    if "</" + tag in text.lower() or "<!--" in text:
        raise ArgumentException(f"html: the text of <{tag}> contains </{tag} or <!--, which would end it")
    return text


def _attribute(key: Any, value: Any) -> str:
    """An attribute with the blank before it; nothing for one that is left out."""
    if value is None or value is VOID or value is False:
        return ""
    name = _name(key, _ATTRIBUTE, "an attribute")
    if value is True:
        return f" {name}"
    if isinstance(value, list):
        text = " ".join([_plain(item) for item in value if item is not None and item is not False])
    elif isinstance(value, dict):
        text = "; ".join([f"{each}: {_plain(item)}" for each, item in value.items() if item is not None])
    else:
        text = _plain(value)
    return f' {name}="{text.translate(_VALUE_ESCAPES)}"'


def _plain(value: Any) -> str:
    """The text of a value that is text, a number, or the like."""
    if isinstance(value, (list, dict, Gene)) or callable(value):
        raise TypeException(f"html: a value of type {tag_of(value)} has no place in a page")
    return display(value)


def _name(name: Any, pattern: re.Pattern[str], what: str) -> str:
    text = name.name if isinstance(name, (Symbol, PathSymbol)) else name
    if not isinstance(text, str) or not pattern.fullmatch(text):
        raise ArgumentException(f"html: not the name of {what}: {name}")
    return text
