"""The methods of classes and of built-in kinds."""

from __future__ import annotations

from gene.runtime.classes import GeneClass
from gene.runtime.typetests import type_text

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final


def parent(of: Any) -> Any:
    """The class that the class extends, or nil."""
    if isinstance(of, GeneClass):
        return next((base for base in of.__bases__ if isinstance(base, GeneClass)), None)
    return of.parent


METHODS: Final = {"name": type_text, "parent": parent}
