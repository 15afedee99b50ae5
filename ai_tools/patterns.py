"""Regular expressions of schemas, matched without the risk of exponential time.

Python's engine backtracks: ``^(a+)+$`` takes seconds on 24 letters. A pattern or text for which that may
happen goes to the Rust engine of jsonschema-rs, which runs in linear time, or gives up at a bounded number of
steps.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from typing import Any

MAX_BACKTRACKING_TEXT = 10_000
"""Characters up to which one repeat is harmless in Python's engine (it costs their square at worst)."""


def check(pattern: str) -> str | None:
    """Return why a pattern is not usable, None if it is."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return None if _linear(pattern) is not None else f"is not a regular expression: {error}"
    return None


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern occurs in a text (JSON Schema's `pattern` is not anchored)."""
    if _is_harmless(pattern) and len(text) <= MAX_BACKTRACKING_TEXT:
        return re.search(pattern, text) is not None
    engine = _linear(pattern)
    if engine is None:
        return re.search(pattern, text[:MAX_BACKTRACKING_TEXT]) is not None
    try:
        return bool(engine.is_valid(text))
    except ValueError:  # lone surrogates, or too many steps: what cannot be shown to match does not
        return False


@lru_cache(maxsize=1024)
def _linear(pattern: str) -> Any:
    import jsonschema_rs

    try:
        return jsonschema_rs.Draft202012Validator({"type": "string", "pattern": pattern})
    except ValueError:
        return None


@lru_cache(maxsize=1024)
def _is_harmless(pattern: str) -> bool:
    """Whether a pattern can repeat a varying number of times in one place at most."""
    try:
        # The only parser of Python's syntax; it is not public, so its absence means doubt.
        return _repeats(import_module("re._parser").parse(pattern)) <= 1
    except (ImportError, re.error, OverflowError, RecursionError):
        return False


def _repeats(tree: Any) -> int:
    """Count the places of a parsed pattern where the engine may have to try several lengths."""
    count = 0
    for operation, argument in tree:
        name = str(operation)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            low, high, inner = argument
            # What varies inside a repeat multiplies, and so does a fixed repeat of something that varies.
            inside = _repeats(inner)
            count += 2 * inside + (high not in (low, 1))
        elif name in ("GROUPREF", "GROUPREF_EXISTS"):
            count += 2
        elif name == "BRANCH":
            count += 1 + sum(_repeats(item) for item in argument[1])
        elif name in ("SUBPATTERN", "ATOMIC_GROUP", "ASSERT", "ASSERT_NOT"):
            count += _repeats(argument if name == "ATOMIC_GROUP" else argument[-1])
    return count
