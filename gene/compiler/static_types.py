"""Static types: names for the types of a source and of the language, and which pass for which."""

from __future__ import annotations

from gene.compiler.known import ancestry, is_made, only_value
from gene.compiler.nodes import Class, Node

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Iterable

CORE = frozenset({"Int", "Float", "Bool", "String", "Array", "Map", "Symbol", "Nil"})
"""The kinds whose names no program gives to something else."""
BUILT_IN = CORE | {
    *("Char", "HashMap", "HashSet", "Gene", "Range", "Regexp", "Date", "Time", "DateTime", "Bytes"),
    *("Function", "Class", "Namespace", "Future", "Generator", "Result", "Option", "Exception"),
}
"""The types of the language that are told apart by name."""
_NUMBERS = ("Int", "Float")


class Type:
    """A type by its name: one of the language's, or what the source defines.

    Attributes:
        name: Its name.
        definition: The class, or the making of the enum or the interface; None for a type of the language.
        exact: Whether a value is of this class and of none below it.
    """

    __slots__ = ("definition", "exact", "name")

    def __init__(self, name: str, definition: Node | None = None, *, exact: bool = False) -> None:
        self.name = name
        self.definition = definition
        self.exact = exact


def may_pass(value: Type, wanted: Type) -> bool:
    """Whether a value of one type can be one of another, or is converted to it."""
    if value.definition is None:
        both_numbers = value.name in _NUMBERS and wanted.name in _NUMBERS
        return wanted.definition is None and (value.name == wanted.name or both_numbers)
    if value.definition is wanted.definition:
        return True
    if isinstance(value.definition, Class):
        return _may_be(value, value.definition, wanted)
    if is_made(value.definition, "make_interface"):  # it may be an instance of any class
        return wanted.name not in CORE and not is_made(wanted.definition, "make_enum")
    return False


def _may_be(value: Type, cls: Class, wanted: Type) -> bool:
    """Whether an instance of a class can pass; a class below it, or parents that are not known, may do so."""
    chain, complete = ancestry(cls)
    if is_made(wanted.definition, "make_enum"):
        return False
    if wanted.definition is None:
        return not complete and wanted.name not in CORE
    if isinstance(wanted.definition, Class):
        above, known = ancestry(wanted.definition)
        below = not value.exact and (cls in above or not known)
        return below or not complete or wanted.definition in chain
    if not value.exact or not complete:
        return True
    promised = [only_value(node) for each in chain for node in each.interfaces]
    return any(each is None or each is wanted.definition for each in promised)


def text(types: Iterable[Type]) -> str:
    """How messages write types: ``Int``, ``(Int | String)``."""
    names = sorted({each.name for each in types})
    return names[0] if len(names) == 1 else f"({' | '.join(names)})"
