"""Making the values of a configuration plain JSON, with the place of what is none."""

from __future__ import annotations

import math
from typing import Any

from ai_tools.serialization import MAX_DEPTH, describe

MAX_VALUES = 100_000
"""Values in one tool's definition. YAML's references can mean more than memory holds in a few lines."""

_SCALARS = frozenset({str, int, bool, type(None)})


class NotPlainError(ValueError):
    """A value has no JSON form."""


def plain(value: Any, path: str = "") -> Any:
    """Return a value as dicts with string keys, lists, strings, numbers, booleans and None, all its own.

    Raises:
        NotPlainError: A part is something else; the message begins with its place below `path`.
    """
    return _Copy().copy(value, path, 0)


class _Copy:
    def __init__(self) -> None:
        self.count = 0

    def copy(self, value: Any, path: str, depth: int) -> Any:
        self.count += 1
        if self.count > MAX_VALUES:
            raise NotPlainError(f"has more than {MAX_VALUES:,} values")
        if depth > MAX_DEPTH:
            raise NotPlainError(f"{path[:60]}… is nested deeper than {MAX_DEPTH} levels")
        if type(value) in _SCALARS or (type(value) is float and math.isfinite(value)):
            return value
        if isinstance(value, dict):
            return {
                _key(key, path): self.copy(item, f"{path}.{key}" if path else key, depth + 1)
                for key, item in value.items()
            }
        if isinstance(value, list):
            return [self.copy(item, f"{path}[{i}]", depth + 1) for i, item in enumerate(value)]
        what = str(value) if type(value) is float else describe(value)
        raise NotPlainError(f"{path or 'it'} is {what}, which JSON has not; write it as a string")


def _key(key: Any, path: str) -> str:
    if type(key) is not str:
        raise NotPlainError(f"{path or 'it'} has the key {key!r}, which is no string; put it in quotes")
    return key
