"""Making classes out of what a ``class`` form defines, and finding the parent's methods."""

from __future__ import annotations

from gene.data.atoms import VOID
from gene.runtime.classes import ClassInfo, GeneClass, Instance, attribute, find_method
from gene.runtime.exceptions import GeneException, TypeException
from gene.runtime.kinds import kind_of

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
) -> GeneClass:
    """A class.

    Args:
        name: Its name.
        parent: The class that it extends, or None.
        methods: Its methods by name; each takes the receiver first.
        constructor: Its constructor, or None; it takes the new instance first.
        maker: What makes an instance with the constructor, see :func:`gene.runtime.classes.maker`.
        properties: The properties that its code names: an instance that lacks one has void there.
    """
    base = Instance if parent is None else parent
    if not isinstance(base, GeneClass):
        raise TypeException(f"class {name}: the parent must be a class, got {kind_of(parent).tag}")
    info = ClassInfo(name)
    info.methods.update(methods)
    info.constructor = constructor
    info.maker = maker
    call = {"__call__": _call} if "call" in methods else {}
    keys = (attribute(each) for each in properties)
    defaults = {key: VOID for key in keys if not hasattr(base, key)}
    return GeneClass(name, (base,), {**defaults, **call}, info=info)


def _call(self: Any, *args: Any, **kwargs: Any) -> Any:
    """An instance whose class has a method ``call`` is callable."""
    method = find_method(type(self), "call")
    assert method is not None
    return method(self, *args, **kwargs)


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
