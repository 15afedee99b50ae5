"""The methods of nil and void, which are empty."""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final


def is_empty(_nothing: Any) -> bool:
    """True."""
    return True


def is_not_empty(_nothing: Any) -> bool:
    """False."""
    return False


METHODS: Final = {"empty?": is_empty, "empty": is_empty, "not_empty?": is_not_empty}
