"""What a docstring says: the description of a function and of each parameter.

Google (``Args:``), NumPy (``Parameters`` underlined) and Sphinx (``:param x:``) styles are read.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

_SECTION = re.compile(
    r"^(args|arguments|parameters|params|returns?|yields?|raises|examples?|notes?|attributes|see also|warns?)"
    r":?[ \t]*(\n-{3,})?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_PARAMETERS = frozenset({"args", "arguments", "parameters", "params"})
_GOOGLE = re.compile(r"^\*{0,2}(\w+)(?:\s*\([^)]*\))?\s*:\s*(.*)$")
_NUMPY = re.compile(r"^\*{0,2}(\w+)\s*(?::.*)?$")
_SPHINX = re.compile(
    r"^:(param|parameter|arg|argument)\s+(?:[^:]*\s)?\*{0,2}(\w+)\s*:[ \t]*(.*(?:\n[ \t]+\S.*)*)",
    re.MULTILINE,
)
_FIELD = re.compile(r"^:\w+[^:\n]*:", re.MULTILINE)


def read(function: Any) -> tuple[str, dict[str, str]]:
    """Return a function's description and those of its parameters, by name; empty where it says nothing."""
    text = inspect.getdoc(function) or ""
    sections = list(_SECTION.finditer(text))
    parameters = {name: _join(body) for _, name, body in _SPHINX.findall(text)}
    ends = [match.start() for match in sections] + [match.start() for match in _FIELD.finditer(text)]
    description = text[: min(ends, default=len(text))].strip()
    for i, section in enumerate(sections):
        if section[1].lower() in _PARAMETERS:
            end = sections[i + 1].start() if i + 1 < len(sections) else len(text)
            entry = _NUMPY if section[2] else _GOOGLE
            parameters.update(_entries(text[section.end() : end], entry))
    return description, parameters


def _entries(block: str, entry: re.Pattern[str]) -> dict[str, str]:
    """Return the entries of a section: each begins at its indentation, the rest is indented more."""
    lines = inspect.cleandoc("x\n" + block).splitlines()[1:]
    found: dict[str, str] = {}
    name = ""
    for line in lines:
        match = entry.match(line) if line[:1].strip() else None
        if match is not None:
            name = match[1]
            found[name] = match[2] if match.re is _GOOGLE else ""
        elif name:
            found[name] += "\n" + line
    return {name: _join(body) for name, body in found.items()}


def _join(text: str) -> str:
    return " ".join(text.split())
