"""Method calls: for each method name a table from the type of the receiver to the function that answers.

Compiled code calls ``(x .trim)`` as ``table[type(x)](x)``, one dictionary look-up away from a plain Python
call. A table fills itself: what a type answers to the name is found once, then remembered.
"""

from __future__ import annotations

from gene.data.atoms import VOID, Symbol
from gene.data.kinds import ANY, KINDS, NIL, Kind, kind_of, kind_of_type
from gene.data.names import attribute
from gene.runtime.calls import Bounce, can_bounce, drive
from gene.runtime.classes import Instance, find_method
from gene.runtime.exceptions import GeneException, TypeException

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    Method = Callable[..., Any]


class MethodTable(dict["type", "Method"]):
    """What each type answers to one method name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def __missing__(self, cls: type) -> Method:
        method = self[cls] = _resolve(cls, self.name)
        return method


class TailTable(MethodTable):
    """The same for calls that are a function's last: what to call in place of a method that can bounce."""

    __slots__ = ("handing",)

    def __init__(self, name: str, handing: Callable[[Method], Method]) -> None:
        super().__init__(name)
        self.handing = handing

    def __missing__(self, cls: type) -> Method:
        method = method_table(self.name)[cls]
        if can_bounce(method):
            method = self.handing(method)
        self[cls] = method
        return method


def _bouncing(method: Method) -> Method:
    return lambda *args, **kwargs: Bounce(method, args, kwargs)


def _driving(method: Method) -> Method:
    return lambda *args, **kwargs: drive(method, *args, **kwargs)


_TABLES: Final[dict[str, MethodTable]] = {}
_TAIL_TABLES: Final[dict[tuple[str, str], TailTable]] = {}


def method_table(name: str) -> MethodTable:
    """The table of a method name."""
    table = _TABLES.get(name)
    if table is None:
        table = _TABLES.setdefault(name, MethodTable(name))
    return table


def tail_table(name: str, how: str) -> TailTable:
    """The table of a method name for last calls: "bounce" where a driver was promised, else "drive"."""
    key = (name, how)
    table = _TAIL_TABLES.get(key)
    if table is None:
        table = _TAIL_TABLES.setdefault(key, TailTable(name, _driving if how == "drive" else _bouncing))
    return table


def forget(cls: type) -> None:
    """Drop what is remembered of a class and its subclasses, because its methods changed."""
    for table in [*_TABLES.values(), *_TAIL_TABLES.values()]:
        for known in [known for known in list(table) if issubclass(known, cls)]:
            table.pop(known, None)


def send(receiver: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """Call a method by name.

    Args:
        receiver: Any value.
        name: The method's name, without the dot.
        *args: What the call passes by position.
        **kwargs: What the call passes by keyword.
    """
    return method_table(name)[type(receiver)](receiver, *args, **kwargs)


def send_computed(receiver: Any, name: Any, *args: Any, **kwargs: Any) -> Any:
    """``(receiver . name args…)``: call a method whose name a program computed.

    Raises:
        TypeException: The name is neither a String nor a Symbol.
    """
    text = name.name if isinstance(name, Symbol) else name
    if not isinstance(text, str):
        raise TypeException(f"A method name must be a String or a Symbol, got {kind_of(name).tag}")
    return send(receiver, text, *args, **kwargs)


def _resolve(cls: type, name: str) -> Method:
    if issubclass(cls, Instance):
        return find_method(cls, name) or ANY.methods.get(name) or _missing_on_instance(cls, name)
    kind = KINDS.get(cls) or kind_of_type(cls)
    lineage: Kind | None = kind
    while lineage is not None:
        if name in lineage.methods:
            return lineage.methods[name]
        lineage = lineage.parent
    if name in ANY.methods:
        return ANY.methods[name]
    return _nil_answers_everything if kind is NIL else _missing(kind, name)


def _nil_answers_everything(_nil: None, *_args: Any, **_kwargs: Any) -> None:
    return None


def _missing(kind: Kind, name: str) -> Method:
    if kind.has_class:
        message = f"Method {name} not found on {kind.tag}"
        error: type[GeneException] = GeneException
    else:
        message = f"Unified method call not supported for {kind.tag}"
        error = TypeException

    def missing(_receiver: Any, *_args: Any, **_kwargs: Any) -> Any:
        raise error(message)

    return missing


def _missing_on_instance(cls: type, name: str) -> Method:
    """Without arguments the property of that name answers; then ``on_method_missing``; else it fails."""
    handler = find_method(cls, "on_method_missing")
    key = attribute(name)

    def missing(receiver: Any, *args: Any, **kwargs: Any) -> Any:
        if not args and not kwargs:
            value = receiver.__dict__.get(key, VOID)
            if value is VOID:
                value = getattr(type(receiver), key, VOID) if issubclass(cls, GeneException) else VOID
            if value is not VOID:
                return value
        if handler is not None:
            return handler(receiver, name, *args, **kwargs)
        raise GeneException(f"Method {name} not found on instance")

    return missing
