"""Compound data as the reader makes it.

What is read is data: an array is a list, a map a dict with string keys, and everything in parentheses a
:class:`Gene`. The list and the dict that the reader makes carry their place in the source; a program that
builds the same data by hand makes plain lists and dicts, and the compiler takes both.
"""

from __future__ import annotations

from _thread import allocate_lock

from gene.data.atoms import PathSymbol, Symbol
from gene.data.source import Span

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from gene.data.source import Source

    Pending = tuple[Callable[[Any, "Source | None"], tuple[Any, ...]], Any, "Source | None"]


class ArrayForm(list["Any"]):
    """An array literal: its elements, whether it is frozen, and its place in the source."""

    __slots__ = ("end", "frozen", "source", "start")

    frozen: bool
    source: Source
    start: int
    end: int


class MapForm(dict["Any", "Any"]):
    """A map literal: values by string key, in order. A spread stands under a :class:`SpreadKey`."""

    __slots__ = ("end", "frozen", "source", "start")

    frozen: bool
    source: Source
    start: int
    end: int


class HashMapForm(list["Any"]):
    """A hash map literal: keys and values alternate, as written."""

    __slots__ = ("end", "frozen", "source", "start")

    frozen: bool
    source: Source
    start: int
    end: int


class SpreadKey:
    """The key under which ``^... expr`` stands among properties. Each one is a key of its own."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "..."


NO_PROPS: Final[dict[Any, Any]] = {}
"""The properties of every Gene form without properties. Never changed: writers replace it."""


class Gene:
    """A gene: a type (the head), properties, and children. Both the syntax of every form and a kind of data.

    ``props`` is shared with other genes while it is empty; use :meth:`own_props` before writing to it.

    A macro is handed code that it often does nothing with but evaluate it. So a gene may be ``pending``: it
    has no parts before someone asks for one of them. Who creates it leaves there what makes the arguments of
    ``__init__``, and two arguments for that.
    """

    __slots__ = ("children", "end", "frozen", "pending", "props", "source", "start", "type")

    def __init__(
        self,
        type: Any = None,  # noqa: A002 - the language's own word for the head
        props: dict[Any, Any] | None = None,
        children: list[Any] | None = None,
        source: Source | None = None,
        start: int = 0,
        end: int = 0,
        frozen: bool = False,  # noqa: FBT001, FBT002 - positional for the reader's hot path
    ) -> None:
        self.type = type
        self.props = NO_PROPS if props is None else props
        self.children = [] if children is None else children
        self.source = source
        self.start = start
        self.end = end
        self.frozen = frozen
        self.pending: Pending | None = None

    def __getattr__(self, name: str) -> Any:
        """A part of a pending gene, which gets all its parts now."""
        pending = self.pending if name in _PARTS else None  # another thread may end that at any time
        if pending is not None:
            make, encoded, source = pending
            parts = make(encoded, source)
            with _FILLING:
                if self.pending is not None:
                    Gene.__init__(self, *parts)
        return object.__getattribute__(self, name)

    def own_props(self) -> dict[Any, Any]:
        """The properties, ready to be written to."""
        if self.props is NO_PROPS:
            self.props = {}
        return self.props

    def __repr__(self) -> str:
        props = "".join(f" ^{key} {value!r}" for key, value in self.props.items())
        return f"({self.type!r}{props}{''.join(f' {child!r}' for child in self.children)})"


_PARTS: Final = frozenset({"children", "end", "frozen", "props", "source", "start", "type"})
_FILLING: Final = allocate_lock()


class Quote:
    """A quoted datum: `` `datum ``."""

    __slots__ = ("datum", "end", "source", "start")

    def __init__(self, datum: Any, source: Source | None = None, start: int = 0, end: int = 0) -> None:
        self.datum = datum
        self.source = source
        self.start = start
        self.end = end

    def __repr__(self) -> str:
        return f"`{self.datum!r}"


class Unquote:
    """An unquoted datum, ``%datum``, or ``%_datum`` when it is to be discarded."""

    __slots__ = ("datum", "discard", "end", "source", "start")

    def __init__(
        self,
        datum: Any,
        discard: bool = False,  # noqa: FBT001, FBT002 - positional for the reader's hot path
        source: Source | None = None,
        start: int = 0,
        end: int = 0,
    ) -> None:
        self.datum = datum
        self.discard = discard
        self.source = source
        self.start = start
        self.end = end

    def __repr__(self) -> str:
        return f"%{'_' if self.discard else ''}{self.datum!r}"


INTERPOLATION: Final = "#Str"
"""The head of the gene that an interpolated string reads as; its children are the parts."""

_SPANNED: Final = (Symbol, PathSymbol, Gene, ArrayForm, MapForm, HashMapForm, Quote, Unquote)


def span_of(form: object) -> Span | None:
    """Where a form was read; None for literals and for data that a program made."""
    if isinstance(form, _SPANNED) and form.source is not None:
        return Span(form.source, form.start, form.end)
    return None
