"""Making classes out of what a ``class`` form defines, and finding the parent's methods."""

from __future__ import annotations

from gene.data.atoms import VOID
from gene.data.kinds import Kind, kind_of
from gene.data.names import attribute
from gene.runtime.calls import MISSING
from gene.runtime.classes import ClassInfo, GeneClass, Instance, find_method, set_method
from gene.runtime.exceptions import GeneException, TypeException
from gene.runtime.operators import truth

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def make_class(
    name: str,
    parent: Any,
    methods: Mapping[str, Callable[..., Any]],
    constructor: Callable[..., Any] | None,
    maker: Callable[..., Any] | None,
    properties: tuple[str, ...],
    assigned: tuple[str, ...],
) -> GeneClass:
    """A class.

    Args:
        name: Its name.
        parent: The class that it extends, or the mark of what is missing.
        methods: Its methods by name; each takes the receiver first.
        constructor: Its constructor, or None; it takes the new instance first.
        maker: What makes an instance with the constructor, see :func:`gene.runtime.classes.maker`.
        properties: The properties that its code names: an instance that lacks one has void there.
        assigned: Those that the constructor assigns before it does anything else.
    """
    base = Instance if parent is MISSING else parent
    if isinstance(base, Kind):
        raise TypeException(f"class {name}: the built-in class {base.name} cannot be a parent")
    if not isinstance(base, GeneClass):
        raise TypeException(f"class {name}: the parent must be a class, got {kind_of(parent).tag}")
    info = ClassInfo(name)
    info.constructor = constructor
    info.maker = maker
    inherited = base.__gene__.properties
    info.properties = (*inherited, *(key for key in map(attribute, properties) if key not in inherited))
    info.blank = tuple(key for key in info.properties if key not in map(attribute, assigned))
    special: dict[str, Any] = {"__call__": _call} if "call" in methods else {}
    if "==" in methods:
        special.update(__eq__=_equals, __hash__=object.__hash__)
    made = GeneClass(name, (base,), special, info=info)
    for method_name, method in methods.items():
        set_method(made, method_name, method)
    return made


def _call(self: Any, *args: Any, **kwargs: Any) -> Any:
    """An instance whose class has a method ``call`` is callable."""
    method = find_method(type(self), "call")
    assert method is not None
    return method(self, *args, **kwargs)


def _equals(self: Any, other: Any) -> bool:
    """An instance whose class has a method ``==`` is compared by it, also where Python compares."""
    method = find_method(type(self), "==")
    assert method is not None
    return truth(method(self, other))


def super_method(owner: GeneClass, name: str) -> Callable[..., Any]:
    """What ``(super .name …)`` calls in a method of ``owner``."""
    parent = owner.__mro__[1]
    if name == "ctor":
        for base in owner.__mro__[1:]:
            info = base.__dict__.get("__gene__")
            if info is not None and info.constructor is not None:
                return info.constructor  # type: ignore[no-any-return]
        return _nothing if not issubclass(parent, GeneException) else _set_message
    method = find_method(parent, name)
    if method is None:
        raise GeneException(f"Method {name} not found on instance")
    return method


def _nothing(_self: Any, *_args: Any, **_kwargs: Any) -> None:
    """The constructor of a class without one."""


def _set_message(self: Any, message: Any = VOID, *_args: Any) -> None:
    """The constructor of exceptions that Gene code does not define."""
    if message is not VOID:
        self.message = message
