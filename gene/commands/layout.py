"""How ``gene parse`` lays out data: over several lines, on one, or with the kind of everything."""

from __future__ import annotations

from gene.data.forms import Gene, HashMapForm, Quote, Unquote
from gene.data.kinds import kind_of
from gene.runtime.text import inspect

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Final

WIDTH: Final = 80
"""How long a line may get before what stands on it is laid out over several."""

DEEPEST: Final = 60
"""How deep data is laid out over several lines; what is nested deeper stays on one."""


def pretty(datum: Any, indent: int = 0) -> str:
    """A datum on one line if that is short, else one line for each element, indented."""
    flat = inspect(datum)
    if len(flat) + indent <= WIDTH or indent >= 2 * DEEPEST:
        return flat
    if isinstance(datum, Quote):
        return "`" + pretty(datum.datum, indent + 1)
    if isinstance(datum, Unquote):
        prefix = "%_" if datum.discard else "%"
        return prefix + pretty(datum.datum, indent + len(prefix))
    return _broken(datum, flat, indent)


def _broken(datum: Any, flat: str, indent: int) -> str:
    """A container over several lines; anything else as it is."""
    frozen = "#" if getattr(datum, "frozen", False) else ""
    if isinstance(datum, Gene):
        opening = f"{frozen}({pretty(datum.type, indent + 2)}"
        entries = [*_entries(datum.props, indent), *(pretty(each, indent + 2) for each in datum.children)]
        return _lines(opening, entries, ")", indent)
    if isinstance(datum, dict):
        return _block(frozen + "{", _entries(datum, indent), "}", indent)
    if isinstance(datum, HashMapForm):
        pairs = zip(datum[::2], datum[1::2], strict=True)
        entries = [f"{inspect(key)} {pretty(value, indent + 2)}" for key, value in pairs]
        return _block(frozen + "{{", entries, "}}", indent)
    if isinstance(datum, list):
        return _block(frozen + "[", [pretty(each, indent + 2) for each in datum], "]", indent)
    return flat


def _entries(props: dict[Any, Any], indent: int) -> list[str]:
    """The properties, each with its key."""
    return [inspect({key: None})[1:-5] + " " + pretty(value, indent + 2) for key, value in props.items()]


def _lines(opening: str, entries: Iterable[str], closing: str, indent: int) -> str:
    """The entries below the opening; the closing bracket stands behind the last one."""
    return ("\n" + " " * (indent + 2)).join([opening, *entries]) + closing


def _block(opening: str, entries: Iterable[str], closing: str, indent: int) -> str:
    """The entries between lines of their brackets."""
    return _lines(opening, entries, "\n" + " " * indent + closing, indent)


def tagged(datum: Any) -> str:
    """A datum as nested lists, each of which starts with the kind of what it shows."""
    if isinstance(datum, Gene):
        children = "".join(f" {tagged(each)}" for each in datum.children)
        return f"(Gene {tagged(datum.type)}{_tagged_entries(datum.props)}{children})"
    if isinstance(datum, dict):
        return f"(Map{_tagged_entries(datum)})"
    if isinstance(datum, HashMapForm):
        return f"(HashMap{''.join(f' {tagged(each)}' for each in datum)})"
    if isinstance(datum, list):
        return f"(Array{''.join(f' {tagged(each)}' for each in datum)})"
    if isinstance(datum, (Quote, Unquote)):
        return f"({type(datum).__name__} {tagged(datum.datum)})"
    return f"({kind_of(datum).name} {inspect(datum)})"


def _tagged_entries(props: dict[Any, Any]) -> str:
    return "".join(f" ({inspect({key: None})[1:-5]} {tagged(value)})" for key, value in props.items())


STYLES: Final[dict[str, Callable[[Any], str]]] = {"pretty": pretty, "compact": inspect, "sexp": tagged}
"""The layouts by name."""
