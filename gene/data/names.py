"""How Gene names are spelled in Python, and back.

Compiled code uses Gene's names as they are, for the Python names in a code object may be any text. Names
that begin with a percent sign belong to the compiler: no Gene name is ever spelled so.
"""

from __future__ import annotations

_FORBIDDEN = frozenset({"None", "True", "False", "__debug__"})
_KEPT = frozenset({"__builtins__", "__name__", "__file__", "<module>"})
"""What Python keeps among the globals of a module. A program must not reach it: it holds all of Python."""


def python_name(name: str) -> str:
    """The Python spelling of a Gene name: itself, but for names that Python or the compiler keeps."""
    return "%" + name if name.startswith("%") or name in _FORBIDDEN or name in _KEPT else name


def is_internal(name: str) -> bool:
    """Whether the Python name of a global is no Gene name's, but the compiler's or Python's own."""
    return name in _KEPT or (name.startswith("%") and python_name(name[1:]) != name)


def gene_name(name: str) -> str:
    """The Gene spelling of a Python name: what :func:`python_name` or a block scope made of it, undone."""
    name = name.removeprefix("%")
    stem, _, number = name.rpartition("%")
    return stem if stem and number.isdigit() else name


RESERVED = frozenset({"args", "with_traceback", "add_note"})
"""Names that Python's exceptions give a meaning."""


def attribute(name: str) -> str:
    """The Python attribute under which the property ``name`` of an instance is kept."""
    return "/" + name if name.startswith(("_", "/", ".")) or name in RESERVED else name


def method_attribute(name: str) -> str:
    """The attribute of a Gene class under which compiled code finds a method; no property is spelled so."""
    return "." + name
