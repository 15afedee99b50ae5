"""The methods of bytes."""

from __future__ import annotations

from gene.data.octets import Octets
from gene.stdlib.arguments import MISSING, integer

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final


def get(data: bytes, index: Any = MISSING) -> Octets | None:
    """The byte at an index from 0, as bytes; nil outside."""
    at = integer(index, "Bytes.get index")
    return Octets(data[at : at + 1]) if 0 <= at < len(data) else None


METHODS: Final = {"size": len, "get": get, "to_array": list}
