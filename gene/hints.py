"""Hints: what would have been right, for the mistakes that people make.

Each function looks at one kind of mistake and answers with a hint or None; :data:`HINTS` is the order in
which they are asked. They run only when an error is shown, so they may import what they like.
"""

from __future__ import annotations

from gene.data.names import gene_name
from gene.trace import calls, function_name, innermost

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final

    from gene.runtime.exceptions import GeneException
    from gene.trace import Call


class Mistake:
    """An error, as the hints look at it.

    Attributes:
        error: The error.
        message: Its message.
        calls: The Gene calls that it passed through, the innermost first.
        name: The name that it says is not defined, or "".
    """

    def __init__(self, error: GeneException, message: str) -> None:
        self.error = error
        self.message = message
        self.calls: list[Call] = calls(error)
        undefined = message.endswith(" is not defined")
        self.name = message.removesuffix(" is not defined") if undefined else ""


def hint(error: GeneException, message: str) -> str | None:
    """What would have been right, or None when that cannot be told.

    Args:
        error: The error.
        message: Its message.
    """
    if isinstance(error.hint, str) and error.hint:  # a program may keep anything else under this name
        return error.hint
    mistake = Mistake(error, message)
    return next(filter(None, (each(mistake) for each in HINTS)), None)


# ------------------------------------------------------------------------------- names that are not defined

_OPERATORS: Final = (
    *("+", "-", "*", "/", "%", "**", "++", "..", "==", "!=", "<", "<=", ">", ">=", "&&", "||"),
    *("=", "+=", "-=", "*=", "/=", "%=", "is", "and", "or", "not", "in"),
)
_LITERALS: Final = frozenset({"nil", "void", "true", "false", "not_found"})
_FOREIGN_WORDS: Final = {
    "null": "the absent value is nil",
    "undefined": "a missing entry is void",
    "True": "write true",
    "False": "write false",
    "def": "a function is (fn name [parameters] body), a variable (var name value)",
    "defn": "a function is (fn name [parameters] body)",
    "function": "a function is (fn name [parameters] body)",
    "lambda": "a function without a name is (fn [parameters] body)",
    "else": "(if condition … else …) has else inside of its own parentheses",
    "elif": "(if condition … elif condition … else …) has elif inside of the if's parentheses",
    "catch": "(try … catch * …) has catch inside of the try's parentheses",
    "finally": "(try … finally …) has finally inside of the try's parentheses",
    "raise": "an error is thrown by (throw message)",
    "match": "(case x when pattern …) chooses by patterns, (var [a b] x) takes x apart",
    "result": "result is known in ^post only",
    "len()": "the size of x is (len x) or x/.size",
}
"""Names that people bring along from other languages, or write outside of the form that they belong to."""


def operator(mistake: Mistake) -> str | None:
    """An operator among other arguments."""
    if mistake.name not in _OPERATORS:
        return None
    return f"an operator needs parentheses of its own, as in (a {mistake.name} b)"


def spelling(mistake: Mistake) -> str | None:
    """What cannot be meant as a name."""
    name = mistake.name
    if name in _FOREIGN_WORDS:
        return _FOREIGN_WORDS[name]
    if name.startswith("#"):
        return "a comment starts with # and a blank"
    if name.startswith(".") and name[1:2].isdigit():
        return f"a Float starts with a digit: 0{name}"
    if name.startswith("."):
        return f"a method stands directly behind its receiver, ; chains: (x {name}), (x .first; {name})"
    return None


def too_early(mistake: Mistake) -> str | None:
    """A local name whose definition comes later, or belongs to a block."""
    if not mistake.name or not mistake.calls or mistake.name not in _local_names(mistake.calls[0]):
        return None
    known = "only a module's functions can be used before their definition"
    return f"{mistake.name} is defined further down, or in a block that keeps it to itself; {known}"


def similar_name(mistake: Mistake) -> str | None:
    """A name that is close to one that exists."""
    if not mistake.name or not mistake.calls:
        return None
    visible = visible_names(mistake.calls[0])
    near = _nearest(mistake.name, visible) or _nearest(mistake.name, _special_words())
    return _did_you_mean(near)


def visible_names(call: Call) -> set[str]:
    """The names that code in a call can use: its variables, those of the module, and the global ones."""
    from gene.stdlib.globals import LATER

    outer = {*call.frame.f_globals, *call.frame.f_builtins, *LATER}
    return _local_names(call) | _LITERALS | {name for name in outer if not name.startswith(("%", "_"))}


def _local_names(call: Call) -> set[str]:
    code = call.frame.f_code
    names = {*code.co_varnames, *code.co_freevars, *code.co_cellvars}
    return {gene_name(name) for name in names if not name.startswith("%")}


def _special_words() -> Iterable[str]:
    from gene.compiler.specials import _HANDLERS

    return _HANDLERS


# ------------------------------------------------------------------------------------------------- methods

_SYNONYMS: Final = {
    "length": "size",
    "len": "size",
    "count": "size",
    "add": "push",
    "includes": "contains",
    "include?": "contains",
    "contains?": "contains",
    "has": "contains",
    "has?": "contains",
    "has_key": "has",
    "toUpperCase": "to_upper",
    "toLowerCase": "to_lower",
    "toString": "to_s",
    "str": "to_s",
    "forEach": "each",
    "for_each": "each",
    "startswith": "starts_with",
    "startsWith": "starts_with",
    "endswith": "ends_with",
    "endsWith": "ends_with",
    "substring": "substr",
    "slice": "substr",
    "delete": "del",
    "remove": "del",
    "json": "to_json",
    "items": "pairs",
    "sorted": "sort",
    "parse_int": "to_i",
}
"""What other languages, or other kinds of values, call a method."""


def similar_method(mistake: Mistake) -> str | None:
    """A method that is close to one that exists."""
    head, found, tag = mistake.message.partition(" not found on ")
    if not found or not head.startswith("Method "):
        return None
    name = head.removeprefix("Method ")
    if name[0].isdigit():
        return f"a Float starts with a digit: 0.{name}"
    known = _methods(tag, mistake.error)
    near = [name] if _SYNONYMS.get(name) in known else _nearest(name, known.union(_SYNONYMS))
    meant = (each if each in known else _SYNONYMS.get(each) for each in near)
    return _did_you_mean(dict.fromkeys(each for each in meant if each in known), ".")


def no_methods(mistake: Mistake) -> str | None:
    """A method call on void."""
    if mistake.message != "Unified method call not supported for VkVoid":
        return None
    return (
        "the value is void: a key, index or member that is not there;"
        " test it with (if x …), or give a default with (x || default)"
    )


def _methods(tag: str, error: GeneException) -> set[str]:
    """The names of the methods that the receiver has."""
    from gene.data.kinds import ANY, KINDS

    if tag == "instance":
        return _instance_methods(error)
    found = set(ANY.methods)
    for kind in KINDS.values():
        if kind.tag == tag:
            found.update(kind.methods)
    return found


def _instance_methods(error: GeneException) -> set[str]:
    """What the instance answers to whose lack of a method is the error: the function that raised it knows."""
    raised = innermost(error)
    receiver = raised and raised.tb_frame.f_locals.get("receiver")
    known: set[str] = set()
    for base in type(receiver).__mro__:
        info = base.__dict__.get("__gene__")
        known.update(info.methods if info is not None else ())
    return known


# --------------------------------------------------------------------------------------------------- calls


def not_callable(mistake: Mistake) -> str | None:
    """The head of a form is no function."""
    head, found, tag = mistake.message.partition(" requires a callable, got ")
    if not found or not head.startswith("IkUnifiedCall"):
        return None
    if tag in ("VkInt", "VkFloat") and (signed := _signed_argument(mistake)):
        return f"operators stand between blanks: {signed}"
    if tag in ("VkVoid", "VkNil"):
        nothing = f"what stands first in ( ) is called, and here it is {tag[2:].lower()}"
        return _missing_member(mistake) or nothing
    return "what stands first in ( ) is called; data is `(…), an array […], a method call (value .method)"


def _signed_argument(mistake: Mistake) -> str | None:
    """What ``(n -1)`` was meant to be."""
    import re

    span = mistake.calls[0].span if mistake.calls else None
    text = "" if span is None else span.source.text[span.start : span.end]
    found = re.fullmatch(r"\((\S+)\s+([-+])(\d\S*)\)", text)
    return None if found is None else "({} {} {})".format(*found.groups())


def _missing_member(mistake: Mistake) -> str | None:
    """The head of a form is a path to a member that a namespace does not have."""
    span = mistake.calls[0].span if mistake.calls else None
    if span is None:
        return None
    words = span.source.text[span.start : span.end].lstrip("(").rstrip(")").split(None, 1)
    return _member_of_namespace(words[0], mistake.calls[0]) if words else None


def _member_of_namespace(path: str, call: Call) -> str | None:
    """Which namespace of a path lacks the next name, and the name that is close to it."""
    from gene.runtime.namespaces import Namespace

    known, *rest = path.split("/")
    value = call.frame.f_globals.get(known, call.frame.f_builtins.get(known))
    for name in rest:
        if not isinstance(value, Namespace):
            return None
        names = value.names()
        if name not in names:
            meant = _did_you_mean(_nearest(name, names), f"{known}/")
            return f"{known} has no {name}" + (f"; {meant}" if meant else "")
        value = value.get(name)
        known += f"/{name}"
    return None


def import_of_library(mistake: Mistake) -> str | None:
    """An import of something that the library does not have, or has elsewhere."""
    from gene.stdlib.globals import ABSENT, NAMESPACES

    what, _, rest = mistake.message.partition(" '")
    path = rest.partition("'")[0]
    if what == "Symbol" and mistake.calls:
        return _member_of_namespace(path, mistake.calls[0])
    if what != "[GENE.MODULE.NOT_FOUND] Module":
        return None
    outer, _, name = path.partition("/")
    if outer == "genex" and name.partition("/")[0] in ABSENT:
        return f"use {ABSENT[name.partition('/')[0]]}"
    if path in NAMESPACES:
        return f"what is in the library is imported without from: (import {path}/name)"
    return None


def parameters(mistake: Mistake) -> str | None:
    """A call with too few arguments, which the function itself finds out: what it takes."""
    counted = mistake.message.startswith("Expected ") and " arguments, got " in mistake.message
    if not counted or not mistake.calls or mistake.error.__cause__ is not None:
        return None
    code = mistake.calls[0].frame.f_code
    names = code.co_varnames[: code.co_argcount]
    if not names or any(name.startswith("%") for name in names):
        return None
    return f"{function_name(code.co_name) or 'the function'} takes [{' '.join(map(gene_name, names))}]"


def endless(mistake: Mistake) -> str | None:
    """A recursion without end."""
    if not mistake.message.startswith("Stack overflow"):
        return None
    return "does every call come closer to an end? A call in tail position, or a loop, takes no stack"


def order(mistake: Mistake) -> str | None:
    """Strings have no order."""
    if not mistake.message.startswith("Cannot compare VkString"):
        return None
    return "only numbers and dates have an order; [a b] .sort orders strings"


HINTS: Final[tuple[Callable[[Mistake], str | None], ...]] = (
    operator,
    spelling,
    too_early,
    similar_name,
    similar_method,
    no_methods,
    not_callable,
    import_of_library,
    parameters,
    endless,
    order,
)
"""All hints, in the order in which they are asked."""


def _nearest(name: str, known: Iterable[str]) -> list[str]:
    """The one or two names that are spelled most like a name."""
    from difflib import get_close_matches

    return get_close_matches(name, sorted(known), n=2, cutoff=0.65)


def _did_you_mean(names: Iterable[str], prefix: str = "") -> str | None:
    choice = " or ".join(prefix + name for name in names)
    return f"did you mean {choice}?" if choice else None
