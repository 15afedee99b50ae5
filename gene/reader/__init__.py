"""The reader: text to forms. The parser behind it is imported when something is read."""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final

    from gene.data.source import Source

_LARGE: Final = 50_000
"""Characters from which on it pays to hold off the garbage collector, which finds nothing while data is made.

It saves a sixth of the time of reading 1 MB.
"""


def read_all(source: Source | str, name: str = "<string>") -> list[Any]:
    """Reads all data of a text.

    Args:
        source: The text, or a source that has a name already.
        name: What to call the text in errors.

    Returns:
        The data, in order.

    Raises:
        GeneSyntaxError: The text is not Gene.
    """
    return list(_read(source, name, "program"))


def read_one(source: Source | str, name: str = "<string>") -> Any:
    """Reads the first datum of a text, whatever follows it.

    Args:
        source: The text, or a source that has a name already.
        name: What to call the text in errors.

    Returns:
        The datum.

    Raises:
        GeneSyntaxError: The text does not start with a datum.
    """
    return _read(source, name, "first")


def _read(source: Source | str, name: str, start: str) -> Any:
    import gc

    from gene.data.source import Source
    from gene.reader.parser import parse

    if isinstance(source, str):
        source = Source(source, name)
    if len(source.text) < _LARGE or not gc.isenabled():
        return parse(source, start)
    gc.disable()
    try:
        return parse(source, start)
    finally:
        gc.enable()
