"""The methods of namespaces. They look at a namespace much like at a map of its members."""

from __future__ import annotations

from gene.data.atoms import VOID
from gene.runtime.exceptions import ArgumentException
from gene.stdlib.arguments import MISSING, callback, is_true, map_key

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final

    from gene.runtime.namespaces import Namespace


def keys(namespace: Namespace) -> list[str]:
    """An array of the names of the members."""
    return namespace.names()


def items(namespace: Namespace) -> list[tuple[str, Any]]:
    """The names with their members; members not loaded yet are loaded."""
    return [(name, namespace.get(name)) for name in keys(namespace)]


def has(namespace: Namespace, key: Any = MISSING) -> bool:
    """Whether there is a member of a name."""
    name = map_key(key, "Namespace.has")
    return namespace.key(name) in namespace.members or name in namespace.loaders


def get(namespace: Namespace, key: Any = MISSING, default: Any = None) -> Any:
    """The member of a name; the default when there is none."""
    value = namespace.get(map_key(key, "Namespace.get"))
    return default if value is VOID else value


def set_(namespace: Namespace, key: Any = MISSING, value: Any = MISSING) -> Namespace:
    """Set a member; the namespace."""
    if value is MISSING:
        raise ArgumentException("Namespace.set requires key and value")
    namespace.set(map_key(key, "Namespace.set"), value)
    return namespace


def del_(namespace: Namespace, key: Any = MISSING) -> Any:
    """Remove a member; it, or nil."""
    name = map_key(key, "Namespace.del")
    if not has(namespace, name):
        return None
    value = namespace.get(name)
    namespace.remove(name)
    return value


def values(namespace: Namespace) -> list[Any]:
    """An array of the members."""
    return [value for _, value in items(namespace)]


def pairs(namespace: Namespace) -> list[Any]:
    """An array of names with members."""
    return [[name, value] for name, value in items(namespace)]


def each(namespace: Namespace, function: Any = MISSING) -> Namespace:
    """Call the function with each name and member; the namespace."""
    call = callback(function, "each")
    for name, value in items(namespace):
        call(name, value)
    return namespace


def map_(namespace: Namespace, function: Any = MISSING) -> dict[str, Any]:
    """A map of the names with what the function makes of each name and member."""
    call = callback(function, "map")
    return {name: call(name, value) for name, value in items(namespace)}


def filter_(namespace: Namespace, function: Any = MISSING) -> dict[str, Any]:
    """A map of the members for which the function gives something true."""
    call = callback(function, "filter")
    return {name: value for name, value in items(namespace) if is_true(call(name, value))}


def reduce(namespace: Namespace, initial: Any = MISSING, function: Any = MISSING) -> Any:
    """Fold the members: function(result so far, name, member)."""
    if function is MISSING:
        raise ArgumentException("Namespace.reduce requires an initial value and a reducer function")
    call = callback(function, "reduce")
    result = initial
    for name, value in items(namespace):
        result = call(result, name, value)
    return result


def size(namespace: Namespace) -> int:
    """The number of members."""
    return len(keys(namespace))


def clear(namespace: Namespace) -> Namespace:
    """Remove all members; the namespace."""
    for name in namespace.names():
        namespace.remove(name)
    namespace.loaders.clear()
    return namespace


def is_empty(namespace: Namespace) -> bool:
    """Whether there are no members."""
    return not keys(namespace)


def is_not_empty(namespace: Namespace) -> bool:
    """Whether there are members."""
    return bool(keys(namespace))


def name_(namespace: Namespace) -> str:
    """The name of the namespace."""
    return namespace.name


def on_member_missing(namespace: Namespace, function: Any = MISSING) -> Namespace:
    """Let a function that gets the name answer for members that are not there; the namespace."""
    namespace.on_missing = callback(function, "on_member_missing")
    return namespace


METHODS: Final = {
    "has": has,
    "contains": has,
    "get": get,
    "set": set_,
    "del": del_,
    "keys": keys,
    "values": values,
    "pairs": pairs,
    "each": each,
    "map": map_,
    "filter": filter_,
    "reduce": reduce,
    "size": size,
    "clear": clear,
    "empty?": is_empty,
    "empty": is_empty,
    "not_empty?": is_not_empty,
    "name": name_,
    "on_member_missing": on_member_missing,
}
