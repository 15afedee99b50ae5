"""The methods of ranges."""

from __future__ import annotations

from gene.runtime.iteration import make_iterator

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Final

METHODS: Final = {"iter": make_iterator}
