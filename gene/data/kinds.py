"""The built-in kinds of values: their names, their Python types, and where their methods are.

A kind is also the class value that Gene code sees (``String``, ``Int``, …). Its methods are loaded from a
module of the standard library when a program first calls one.
"""

from __future__ import annotations

import sys

from gene.data.atoms import Char, NotFound, PathSymbol, Symbol, Void
from gene.data.forms import Gene, Quote, Unquote

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final


def load(where: str) -> Any:
    """The object at ``"module:attribute"``."""
    module, _, name = where.partition(":")
    __import__(module)  # importing importlib for this would cost a small script a twentieth of its start
    return getattr(sys.modules[module], name)


class Kind:
    """A built-in kind of values.

    Attributes:
        name: The class name in Gene, ``String``.
        tag: The internal name that error messages use, ``VkString``.
        typeof: What ``typeof`` answers.
        types: The Python types whose instances are of this kind, exactly (subclasses do not count).
        parent: The kind that this one extends, or None.
        has_class: Whether a missing method is reported as "Method x not found on VkString" (True) or as
            "Unified method call not supported for VkInt" (False).
        construct: What ``(new Kind args…)`` calls, or None when the kind cannot be made so.
        members: Reads a member by path, ``members(value, name)``; void for a name that is none. For kinds
            whose Python types know nothing of Gene; others have a method ``gene_members``.
        parts: How a value prints; likewise the method ``gene_parts`` (see :mod:`gene.runtime.text`).
    """

    __slots__ = (
        "_methods",
        "construct",
        "has_class",
        "members",
        "name",
        "parent",
        "parts",
        "source",
        "tag",
        "typeof",
        "types",
    )

    def __init__(
        self,
        name: str,
        tag: str,
        *types: type,
        methods: str | Mapping[str, Callable[..., Any]] = (),  # type: ignore[assignment]
        typeof: str | None = None,
        parent: Kind | None = None,
        has_class: bool = True,
        construct: Callable[..., Any] | None = None,
        members: Callable[[Any, str], Any] | None = None,
        parts: Callable[[Any], Any] | None = None,
    ) -> None:
        self.name = name
        self.tag = tag
        self.types = types
        self.typeof = typeof or name
        self.parent = parent
        self.has_class = has_class
        self.construct = construct
        self.members = members
        self.parts = parts
        self.source = methods
        self._methods: Mapping[str, Callable[..., Any]] | None = None
        for python_type in types:
            KINDS[python_type] = self

    @property
    def methods(self) -> Mapping[str, Callable[..., Any]]:
        """The methods by name; each takes the receiver first. Loaded on first use."""
        if self._methods is None:
            source = self.source
            if isinstance(source, str):
                source = load(source if ":" in source else source + ":METHODS")
            self._methods = dict(source)
        return self._methods

    def __repr__(self) -> str:
        return "VkClass"


KINDS: Final[dict[type, Kind]] = {}
"""The kind of each Python type."""


def kind_of(value: object) -> Kind:
    """The kind of a value. A subclass of a known type is of that type's kind; anything else is foreign."""
    return KINDS.get(type(value)) or kind_of_type(type(value))


def kind_of_type(python_type: type) -> Kind:
    """The kind of the instances of a Python type."""
    for base in python_type.__mro__:
        kind = KINDS.get(base)
        if kind is not None:
            return kind
    return _introduced(python_type) or FOREIGN


def _introduced(python_type: type) -> Kind | None:
    """The kind that a host's type names in its attribute ``gene_kind``, ``"module:name"``.

    So a package can offer its types to Gene programs without importing anything of Gene itself.
    """
    where = getattr(python_type, "gene_kind", None)
    if not isinstance(where, str):
        return None
    return load(where)  # type: ignore[no-any-return]


class _Probe:
    def method(self) -> None: ...


_FUNCTION_TYPES = (
    type(lambda: None),
    type(len),
    type(_Probe().method),
    type(str.join),
    type("".join),
    type(object.__init__),
    type("".__len__),
)

_LIB = "gene.stdlib."
NIL = Kind("Nil", "VkNil", type(None), methods=_LIB + "absence")
VOID_KIND = Kind("Void", "VkVoid", Void, typeof="VkVoid", methods=_LIB + "absence", has_class=False)
BOOL = Kind("Bool", "VkBool", bool, has_class=False)
INT = Kind("Int", "VkInt", int, methods=_LIB + "numbers", has_class=False)
FLOAT = Kind("Float", "VkFloat", float, methods=_LIB + "numbers", has_class=False)
STRING = Kind("String", "VkString", str, methods=_LIB + "strings")
CHAR = Kind("Char", "VkChar", Char, typeof="VkChar")
SYMBOL = Kind("Symbol", "VkSymbol", Symbol)
COMPLEX_SYMBOL = Kind("ComplexSymbol", "VkComplexSymbol", PathSymbol)
BYTES = Kind("Bytes", "VkBytes", bytes, typeof="VkBytes", methods=_LIB + "octet_methods")
ARRAY = Kind("Array", "VkArray", list, methods=_LIB + "arrays")
MAP = Kind("Map", "VkMap", dict, methods=_LIB + "maps")
GENE = Kind("Gene", "VkGene", Gene, methods=_LIB + "genes")
QUOTE = Kind("Quote", "VkQuote", Quote, typeof="VkQuote")
UNQUOTE = Kind("Unquote", "VkUnquote", Unquote, typeof="VkUnquote")
FUNCTION = Kind("Function", "VkFunction", *_FUNCTION_TYPES, methods=_LIB + "functions")
CLASS = Kind("Class", "VkClass", Kind, methods=_LIB + "classes", has_class=False)
NOT_FOUND_KIND = Kind("NotFound", "VkNotFound", NotFound, typeof="VkNotFound", has_class=False)
ANY = Kind("Any", "VkAny", methods=_LIB + "universal")
"""The methods that every value answers."""
OBJECT = Kind("Object", "VkInstance")
FOREIGN = Kind("Foreign", "VkForeign", parent=OBJECT)
"""Values of the host that Gene has no kind for: they can be passed on, called and compared, nothing else."""
