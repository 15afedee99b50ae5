"""Classes and instances: a Gene class is a Python type, its instances are Python objects.

Properties are attributes of the instance, so Python code reads ``point.x`` where Gene reads ``point/x``.
Names that Python gives a meaning of its own (a leading underscore, and what exceptions carry) are kept
under a spelling that Python code cannot meet by accident, so no program reaches the machinery behind an
object by choosing a clever property name.
"""

from __future__ import annotations

from gene.data.atoms import VOID
from gene.data.kinds import CLASS, KINDS, OBJECT
from gene.data.names import attribute, method_attribute

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class ClassInfo:
    """What a Gene class knows of itself.

    Attributes:
        name: Its name.
        methods: Its own methods by name; each takes the receiver first.
        constructor: Its own constructor, or None. Constructors are not inherited.
        maker: What makes an instance with it: a function of the class and the constructor's arguments.
        members: Its namespace, for what the class body defines with a leading slash.
        native: Whether Python code defines the class.
        properties: The attributes that code of the class or of its parents names.
        blank: Those that a new instance has void in until they are assigned.
    """

    __slots__ = ("blank", "constructor", "maker", "members", "methods", "name", "native", "properties")

    def __init__(self, name: str, *, native: bool = False) -> None:
        self.name = name
        self.methods: dict[str, Callable[..., Any]] = {}
        self.constructor: Callable[..., Any] | None = None
        self.maker: Callable[..., Any] | None = None
        self.members: dict[str, Any] = {}
        self.properties: tuple[str, ...] = ()
        self.blank: tuple[str, ...] = ()
        self.native = native


class GeneClass(type):
    """The type of Gene classes."""

    __gene__: ClassInfo

    def __new__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], *, info: ClassInfo | None = None
    ) -> GeneClass:
        """Make a class; a class statement in Python makes a native one."""
        made = super().__new__(cls, name, bases, namespace)
        made.__gene__ = info or ClassInfo(namespace.get("gene_name", name), native=True)
        return made

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **_info: Any) -> None:
        super().__init__(name, bases, namespace)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Calling a class without ``new`` gives a bare instance, and a method ``init`` the arguments."""
        if cls.__gene__.native:
            return super().__call__(*args, **kwargs)
        made = bare(cls)
        init = find_method(cls, "init")
        if init is not None:
            init(made, *args, **kwargs)
        return made

    def __repr__(cls) -> str:
        return "VkClass"


KINDS[GeneClass] = CLASS


class Instance(metaclass=GeneClass):
    """The base of all instances of Gene classes."""

    gene_name = "Object"

    def __getitem__(self, name: str) -> Any:
        """The property ``name``; void when there is none."""
        return self.__dict__.get(attribute(name), VOID)

    def __repr__(self) -> str:
        return "VkInstance"


del Instance.gene_name
KINDS[Instance] = OBJECT


def allocate(cls: GeneClass) -> Any:
    """An instance of a class that Gene code defined, as its constructor gets it."""
    new: Any = cls.__new__
    made = new(cls)
    for name in cls.__gene__.blank:
        setattr(made, name, VOID)
    return made


def bare(cls: GeneClass) -> Any:
    """An instance of a class that Gene code defined; no constructor runs."""
    new: Any = cls.__new__
    made = new(cls)
    for name in cls.__gene__.properties:
        setattr(made, name, VOID)
    return made


def set_method(cls: GeneClass, name: str, method: Callable[..., Any]) -> None:
    """Give a class a method."""
    cls.__gene__.methods[name] = method
    setattr(cls, method_attribute(name), method)


def find_method(cls: type, name: str) -> Callable[..., Any] | None:
    """The method that instances of ``cls`` answer to ``name`` with, or None."""
    for base in cls.__mro__:
        info = base.__dict__.get("__gene__")
        if info is not None:
            method: Callable[..., Any] | None = info.methods.get(name)
            if method is not None:
                return method
    return None


def maker(cls: Any) -> Callable[..., Any]:
    """What ``(new cls args…)`` calls, with the class and the arguments: it returns the instance.

    Raises:
        GeneException: ``cls`` is no class, or none that a program can make instances of.
    """
    if isinstance(cls, GeneClass):
        info = cls.__gene__
        if info.native:
            return _make_native
        return info.maker or _make_bare
    if type(cls) in KINDS and getattr(cls, "construct", None) is not None:
        return _make_of_kind
    from gene.data.kinds import Kind, kind_of
    from gene.runtime.exceptions import GeneException

    if isinstance(cls, Kind):
        raise GeneException(f"new makes no {cls.name}: its values are literals, or results of functions")
    raise GeneException(f"new requires a class, got {kind_of(cls).tag}")


def construct(cls: Any, *args: Any, **kwargs: Any) -> Any:
    """``(new cls args…)``, for Python code."""
    return maker(cls)(cls, *args, **kwargs)


def _make_native(cls: Any, *args: Any, **kwargs: Any) -> Any:
    return cls(*args, **kwargs)


def _make_bare(cls: Any, *args: Any, **_kwargs: Any) -> Any:
    """Without a constructor the arguments are ignored, for none is inherited; exceptions take a message."""
    made = bare(cls)
    if args and isinstance(made, BaseException):
        made.message = args[0]  # type: ignore[attr-defined]
    return made


def _make_of_kind(cls: Any, *args: Any, **kwargs: Any) -> Any:
    return cls.construct(*args, **kwargs)
