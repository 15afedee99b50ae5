"""Namespaces: named members, some of which are loaded when a program first mentions them."""

from __future__ import annotations

from gene.data.atoms import VOID
from gene.data.kinds import Kind, load

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final


class Namespace:
    """A namespace.

    Attributes:
        name: Its name.
        members: What it holds, by name.
        loaders: Members not loaded yet: ``"module:attribute"`` by name.
        on_missing: What is asked for a member that is not there, or None.
    """

    __slots__ = ("__weakref__", "loaders", "members", "name", "on_missing")

    def __init__(
        self,
        name: str,
        members: Mapping[str, Any] = (),  # type: ignore[assignment]
        *,
        loaders: Mapping[str, str] = (),  # type: ignore[assignment]
    ) -> None:
        self.name = name
        self.members: dict[str, Any] = dict(members)
        self.loaders: dict[str, str] = dict(loaders)
        self.on_missing: Any = None

    def get(self, name: str, default: Any = VOID) -> Any:
        """The member ``name``; ``default`` when there is none."""
        value = self.members.get(self.key(name), VOID)
        if value is not VOID:
            return value
        loader = self.loaders.get(name)
        if loader is not None:
            value = self.members[name] = load(loader)
            self.loaders.pop(name, None)  # only now: another thread may ask for it meanwhile
            return value
        return default if self.on_missing is None else self.on_missing(name)

    def set(self, name: str, value: Any) -> None:
        """Set the member ``name``."""
        self.members[self.key(name)] = value

    def remove(self, name: str) -> None:
        """Remove the member ``name``, if there is one."""
        self.members.pop(self.key(name), None)

    def names(self) -> list[str]:
        """The names of the members, loaded or not."""
        return [*self.members, *(name for name in self.loaders if name not in self.members)]

    def key(self, name: str) -> str:
        """The key of a member among :attr:`members`."""
        return name

    def __repr__(self) -> str:
        return "VkNamespace"


def open_namespace(known: Any, name: str) -> Namespace:
    """``(ns name …)``: the namespace that is there already, or a new one."""
    return known if isinstance(known, Namespace) else Namespace(name)


NAMESPACE: Final = Kind(
    "Namespace", "VkNamespace", Namespace, typeof="VkNamespace", methods="gene.stdlib.namespace_methods"
)
