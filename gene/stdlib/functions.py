"""The methods of functions."""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final


def call(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Call the function."""
    return function(*args, **kwargs)


def intent(function: Callable[..., Any]) -> Any:
    """What the definition states as its ``^intent``, or nil."""
    return getattr(function, "gene_intent", None)


def examples(function: Callable[..., Any]) -> Any:
    """What the definition states as its ``^examples``, or nil."""
    return getattr(function, "gene_examples", None)


METHODS: Final = {"call": call, "intent": intent, "examples": examples}
