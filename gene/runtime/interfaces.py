"""Interfaces: what a class promises to have, and adapters that give it to classes that do not."""

from __future__ import annotations

from gene.data.kinds import Kind, kind_of
from gene.data.names import attribute
from gene.runtime.calls import MISSING
from gene.runtime.classes import ClassInfo, GeneClass, Instance, allocate, find_method, set_method
from gene.runtime.exceptions import ArgumentException, TypeException
from gene.runtime.typetests import class_of, type_name, type_text

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Final


class Interface:
    """An interface. Calling it with an object gives the object as the interface sees it.

    Attributes:
        name: Its name.
        methods: The methods that it requires.
        fields: The properties that it mentions.
        classes: The classes that say that they implement it.
        adapters: For each other class or kind, the class of its adapters.
    """

    __slots__ = ("adapters", "classes", "fields", "methods", "name")

    def __init__(self, name: str, methods: tuple[str, ...], fields: tuple[str, ...]) -> None:
        self.name = name
        self.methods = methods
        self.fields = fields
        self.classes: list[GeneClass] = []
        self.adapters: dict[Any, GeneClass] = {}

    def gene_accepts(self, value: Any) -> bool:
        """Whether a value is of a class that implements the interface, or an adapter of it."""
        return isinstance(value, tuple(self.classes)) or type(value) in self.adapters.values()

    def __call__(self, value: Any = MISSING, *args: Any, **kwargs: Any) -> Any:
        """The value itself where its class implements the interface, else an adapter around it.

        The adapter's constructor, where there is one, gets what the interface was called with.
        """
        if value is MISSING:
            raise ArgumentException(f"{self.name} requires a value to see as a {self.name}")
        if self.gene_accepts(value):
            return value
        for each in [*type(value).__mro__, class_of(value)]:
            adapter = self.adapters.get(each)
            if adapter is not None:
                made = allocate(adapter)
                made.inner = value
                if adapter.__gene__.constructor is not None:
                    adapter.__gene__.constructor(made, value, *args, **kwargs)
                return made
        raise TypeException(f"{type_name(value)} does not implement {self.name}, and no adapter is defined")

    def __repr__(self) -> str:
        return self.name


INTERFACE: Final = Kind(
    "Interface", "VkInterface", Interface, methods={"name": lambda interface: interface.name}
)


def make_interface(name: str, methods: tuple[str, ...], fields: tuple[str, ...]) -> Interface:
    """``(interface name …)``."""
    return Interface(name, methods, fields)


def implement(cls: Any, *interfaces: Any) -> Any:
    """Note that a class implements interfaces, which it must."""
    for interface in interfaces:
        if not isinstance(interface, Interface):
            raise TypeException(f"implements expects interfaces, got {kind_of(interface).tag}")
        missing = [name for name in interface.methods if find_method(cls, name) is None]
        if missing:
            raise TypeException(missing_method(type_text(cls), missing[0], interface.name))
        interface.classes.append(cls)
    return cls


def missing_method(cls: str, method: str, interface: str) -> str:
    """The message for a class that does not keep its promise."""
    return f"Type error: class {cls} does not implement method {method} required by interface {interface}"


def adapt(
    interface: Any,
    cls: Any,
    methods: Mapping[str, Callable[..., Any]],
    constructor: Callable[..., Any] | None,
    properties: tuple[str, ...],
) -> Any:
    """``(implement I for C …)``: objects of the class get adapters; ``/inner`` in them is the object."""
    if not isinstance(interface, Interface):
        raise TypeException(f"implement expects an interface, got {kind_of(interface).tag}")
    if not isinstance(cls, GeneClass | Kind):
        raise ArgumentException(f"implement expects a class after for, got {kind_of(cls).tag}")
    name = f"{interface.name}-{type_text(cls)}"
    missing = [method for method in interface.methods if method not in methods]
    if missing:
        raise TypeException(missing_method(type_text(cls), missing[0], interface.name))
    info = ClassInfo(name)
    info.constructor = constructor
    info.properties = info.blank = tuple(map(attribute, properties))
    adapter = interface.adapters[cls] = GeneClass(name, (Instance,), {}, info=info)
    for method_name, method in methods.items():
        set_method(adapter, method_name, method)
    return interface
