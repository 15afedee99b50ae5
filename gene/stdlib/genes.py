"""The methods of genes: type, properties and children."""

from __future__ import annotations

from gene.data.frozen import FrozenArray, FrozenMap
from gene.runtime.equality import equal
from gene.runtime.exceptions import ArgumentException, GeneException
from gene.stdlib.arguments import MISSING, integer, map_key

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final

    from gene.data.forms import Gene


def type_(gene: Gene) -> Any:
    """The type, also called the head."""
    return gene.type


def props(gene: Gene) -> dict[str, Any]:
    """The properties themselves: changing the map changes the gene. Those of a frozen gene are frozen."""
    return FrozenMap(gene.props) if gene.frozen else gene.own_props()


def children(gene: Gene) -> list[Any]:
    """The children themselves: changing the array changes the gene. Those of a frozen gene are frozen."""
    return FrozenArray(gene.children) if gene.frozen else gene.children


def get(gene: Gene, key: Any = MISSING, default: Any = None) -> Any:
    """The property of a name; the default when there is none."""
    return gene.props.get(map_key(key, "Gene.get"), default)


def set_(gene: Gene, key: Any = MISSING, value: Any = MISSING) -> Gene:
    """Set a property; the gene."""
    if value is MISSING:
        raise ArgumentException("Gene.set requires key and value")
    _changing(gene).own_props()[map_key(key, "Gene.set")] = value
    return gene


def has(gene: Gene, key: Any = MISSING) -> bool:
    """Whether there is a property of a name."""
    return map_key(key, "Gene.has") in gene.props


def del_(gene: Gene, key: Any = MISSING) -> Any:
    """Remove a property; its value, or nil."""
    name = map_key(key, "Gene.del")
    return _changing(gene).own_props().pop(name, None)


def get_child(gene: Gene, index: Any = MISSING) -> Any:
    """The child at an index from 0, or nil."""
    at = integer(index, "Gene.get_child index")
    return gene.children[at] if 0 <= at < len(gene.children) else None


def has_child(gene: Gene, index: Any = MISSING) -> bool:
    """Whether there is a child at an index."""
    return 0 <= integer(index, "Gene.has_child index") < len(gene.children)


def set_child(gene: Gene, index: Any = MISSING, value: Any = MISSING) -> Gene:
    """Replace the child at an index, which counts from the end when negative; the gene."""
    at = integer(index, "Gene.set_child index")
    if value is MISSING:
        raise ArgumentException("Gene.set_child requires index and value")
    size = len(gene.children)
    if not -size <= at < size:
        raise GeneException("set_child index out of bounds")
    _changing(gene).children[at] = value
    return gene


def add_child(gene: Gene, value: Any = MISSING) -> Gene:
    """Add a child at the end; the gene."""
    if value is MISSING:
        raise ArgumentException("Gene.add_child requires a value")
    _changing(gene).children.append(value)
    return gene


def ins_child(gene: Gene, index: Any = MISSING, value: Any = MISSING) -> Gene:
    """Insert a child before the one at an index; the gene."""
    at = integer(index, "Gene.ins_child index")
    if value is MISSING:
        raise ArgumentException("Gene.ins_child requires index and value")
    size = len(gene.children)
    if not -size <= at <= size:
        raise GeneException("ins_child index out of bounds")
    _changing(gene).children.insert(at, value)
    return gene


def del_child(gene: Gene, index: Any = MISSING) -> Any:
    """Remove the child at an index, which counts from the end when negative; the child, or nil."""
    at = integer(index, "Gene.del_child index")
    found = _changing(gene).children
    return found.pop(at) if -len(found) <= at < len(found) else None


def contains(gene: Gene, value: Any = MISSING) -> bool:
    """Whether a child equals the value."""
    return any(equal(child, value) for child in gene.children)


def set_genetype(gene: Gene, value: Any = MISSING) -> Gene:
    """Replace the type; the gene."""
    if value is MISSING:
        raise ArgumentException("Gene.set_genetype requires a value")
    _changing(gene).type = value
    return gene


def is_immutable(gene: Gene) -> bool:
    """Whether the gene is frozen."""
    return gene.frozen


def _changing(gene: Gene) -> Gene:
    """The gene, which is about to change."""
    if gene.frozen:
        raise GeneException("Cannot set item on sealed gene")
    return gene


METHODS: Final = {
    "type": type_,
    "genetype": type_,
    "props": props,
    "children": children,
    "get": get,
    "set": set_,
    "has": has,
    "del": del_,
    "get_child": get_child,
    "has_child": has_child,
    "set_child": set_child,
    "add_child": add_child,
    "ins_child": ins_child,
    "del_child": del_child,
    "contains": contains,
    "set_genetype": set_genetype,
    "immutable?": is_immutable,
}
