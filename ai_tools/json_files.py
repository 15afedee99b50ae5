"""JSON files that are written in one step: a reader sees the old content or the new, never a part."""

from __future__ import annotations

import json
import os
from typing import Any


def write(path: str | os.PathLike[str], value: Any) -> None:
    """Write a value, creating the directories of the file.

    Raises:
        OSError: The file cannot be written; what it held is still there.
        TypeError: The value has no JSON form; nothing is written.
        ValueError: It holds NaN, an infinity or itself; nothing is written.
    """
    from ai_tools.session_context import write as replace

    replace(os.fspath(path), encode(value) + b"\n")


def encode(value: Any) -> bytes:
    """Return compact JSON; text stays readable unless it holds lone surrogates, which are escaped."""
    for ascii_only in (False, True):
        text = json.dumps(value, ensure_ascii=ascii_only, allow_nan=False, separators=(",", ":"))
        try:
            return text.encode()
        except UnicodeEncodeError:
            continue
    raise AssertionError("ASCII can always be encoded")


def read(path: str | os.PathLike[str]) -> Any:
    """Read a value.

    Raises:
        OSError: The file cannot be read.
        ValueError: It is not JSON.
    """
    with open(path, encoding="utf-8") as file:
        return json.load(file)
