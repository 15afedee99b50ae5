"""The methods of arrays. Frozen arrays answer them too; the list underneath refuses what would change it."""

from __future__ import annotations

from gene.data.atoms import VOID
from gene.runtime.equality import equal
from gene.runtime.exceptions import ArgumentException, GeneException
from gene.runtime.iteration import make_iterator
from gene.runtime.text import display, to_s
from gene.stdlib.arguments import MISSING, callback, integer, map_key, tag_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final


def is_empty(array: list[Any]) -> bool:
    """Whether there are no elements."""
    return not array


def is_not_empty(array: list[Any]) -> bool:
    """Whether there are elements."""
    return bool(array)


def get(array: list[Any], index: Any = MISSING, _default: Any = None) -> Any:
    """The element at an index from 0; nil outside of the array and for anything but an Int."""
    if index.__class__ is int and 0 <= index < len(array):
        return array[index]
    if index is MISSING:
        raise ArgumentException("Array.get requires an index")
    return None


def set_(array: list[Any], index: Any = MISSING, value: Any = MISSING) -> list[Any]:
    """Replace the element at an index, which counts from the end when negative; the array."""
    if value is MISSING:
        raise ArgumentException("Array.set requires index and value")
    length = len(array)
    if not -length <= integer(index, "Array.set index") < length:
        raise GeneException("set index out of bounds")
    array[index] = value
    return array


def first(array: list[Any]) -> Any:
    """The first element, or nil."""
    return array[0] if array else None


def last(array: list[Any]) -> Any:
    """The last element, or nil."""
    return array[-1] if array else None


def push(array: list[Any], value: Any = MISSING, *_ignored: Any) -> int:
    """Add an element; the new length."""
    if value is MISSING:
        raise ArgumentException("Array.push requires a value")
    array.append(value)
    return len(array)


def append(array: list[Any], value: Any = MISSING, *extra: Any) -> list[Any]:
    """Add an element; the array."""
    if value is MISSING or extra:
        raise _one_value("append", value, extra)
    array.append(value)
    return array


def add(array: list[Any], value: Any = MISSING, *extra: Any) -> list[Any]:
    """Add an element; the array."""
    if value is MISSING or extra:
        raise _one_value("add", value, extra)
    array.append(value)
    return array


def _one_value(method: str, value: Any, extra: tuple[Any, ...]) -> ArgumentException:
    given = 0 if value is MISSING else 1 + len(extra)
    return ArgumentException(f"Array.{method} expects 1 arguments after self, got {given}")


def pop(array: list[Any]) -> Any:
    """Remove the last element and return it; nil when there is none."""
    return array.pop() if array else None


def del_(array: list[Any], index: Any = MISSING) -> Any:
    """Remove the element at an index, which counts from the end when negative; the element, or nil."""
    at = integer(index, "Array.del index")
    return array.pop(at) if -len(array) <= at < len(array) else None


def clear(array: list[Any]) -> list[Any]:
    """Remove all elements; the array."""
    array.clear()
    return array


def map_(array: list[Any], function: Any = MISSING) -> list[Any]:
    """A new array of what the function makes of each element."""
    call = function if callable(function) else callback(function, "map")
    return [call(item) for item in array]


def filter_(array: list[Any], function: Any = MISSING) -> list[Any]:
    """A new array of the elements for which the function gives something true."""
    call = function if callable(function) else callback(function, "filter")
    return [
        item
        for item in array
        if (answer := call(item)) is not None and answer is not False and answer is not VOID
    ]


def each(array: list[Any], function: Any = MISSING) -> list[Any]:
    """Call the function with each element; the array."""
    call = function if callable(function) else callback(function, "each")
    for item in array:
        call(item)
    return array


def reduce(array: list[Any], initial: Any = MISSING, function: Any = MISSING) -> Any:
    """Fold the elements from the left: function(result so far, element)."""
    if function is MISSING:
        raise ArgumentException("Array.reduce requires an initial value and a reducer function")
    call = function if callable(function) else callback(function, "reduce")
    result = initial
    for item in array:
        result = call(result, item)
    return result


def find(array: list[Any], function: Any = MISSING) -> Any:
    """The first element for which the function gives something true, or nil."""
    call = callback(function, "find")
    for item in array:
        answer = call(item)
        if answer is not None and answer is not False and answer is not VOID:
            return item
    return None


def any_(array: list[Any], function: Any = MISSING) -> bool:
    """Whether the function gives something true for an element."""
    call = callback(function, "any")
    for item in array:
        answer = call(item)
        if answer is not None and answer is not False and answer is not VOID:
            return True
    return False


def all_(array: list[Any], function: Any = MISSING) -> bool:
    """Whether the function gives something true for every element."""
    call = callback(function, "all")
    for item in array:
        answer = call(item)
        if answer is None or answer is False or answer is VOID:
            return False
    return True


def contains(array: list[Any], value: Any = MISSING) -> bool:
    """Whether an element equals the value."""
    if value.__class__ is str:
        return value in array
    if value is MISSING:
        raise ArgumentException("Array.contains requires a value")
    return index_of(array, value) >= 0


def index_of(array: list[Any], value: Any = MISSING) -> int:
    """The index of the first element that equals the value, or -1."""
    if value is MISSING:
        raise ArgumentException("Array.index_of requires a value")
    for index, item in enumerate(array):
        if equal(item, value):
            return index
    return -1


def join(array: list[Any], separator: Any = "") -> str:
    """The texts of the elements with a separator between them; nil is empty."""
    if not isinstance(separator, str):
        raise GeneException("Array.join separator must be a string")
    return separator.join([item if item.__class__ is str else to_s(item) for item in array])


def slice_(array: list[Any], start: Any = MISSING, end: Any = None) -> list[Any]:
    """A new array of the elements from start up to but without end; negatives count from the end."""
    first_index = integer(start, "Array.slice start")
    return array[first_index : None if end is None else integer(end, "Array.slice end")]


def take(array: list[Any], count: Any = MISSING) -> list[Any]:
    """A new array of the first elements."""
    return array[: max(integer(count, "Array.take count"), 0)]


def skip(array: list[Any], count: Any = MISSING) -> list[Any]:
    """A new array without the first elements."""
    return array[max(integer(count, "Array.skip count"), 0) :]


def reverse(array: list[Any]) -> list[Any]:
    """A new array in reverse order."""
    return array[::-1]


def zip_(array: list[Any], other: Any = MISSING) -> list[Any]:
    """A new array of pairs, as long as the shorter of the two."""
    if not isinstance(other, list):
        raise ArgumentException(f"Array.zip requires an array, got {tag_of(other)}")
    return [[a, b] for a, b in zip(array, other, strict=False)]


def pairs(array: list[Any]) -> list[Any]:
    """A new array of indices with elements."""
    return [[index, item] for index, item in enumerate(array)]


def sort(array: list[Any], comparator: Any = MISSING) -> list[Any]:
    """A new array in order, by printed form or as a comparator says. Equal elements keep their order.

    The comparator gets two elements and answers with a number, whose sign counts, or with whether the first
    comes before the second.
    """
    if comparator is MISSING:
        return sorted(array, key=display)
    call = callback(comparator, "sort")
    runs = [[item] for item in array]
    while len(runs) > 1:
        merged = [_merge(a, b, call) for a, b in zip(runs[::2], runs[1::2], strict=False)]
        runs = merged if len(runs) % 2 == 0 else [*merged, runs[-1]]
    return runs[0] if runs else []


def _merge(a: list[Any], b: list[Any], compare: Callable[..., Any]) -> list[Any]:
    """Merge two ordered runs. Asking for ``b`` first keeps equal elements in order for any comparator."""
    merged: list[Any] = []
    rest_a, rest_b = iter(a), iter(b)
    first, later = next(rest_a), next(rest_b)
    while True:
        answer = compare(later, first)
        if answer.__class__ is int or answer.__class__ is float:
            later_first = answer < 0
        else:
            later_first = answer is not None and answer is not False and answer is not VOID
        if later_first:
            merged.append(later)
            later = next(rest_b, MISSING)
            if later is MISSING:
                return [*merged, first, *rest_a]
        else:
            merged.append(first)
            first = next(rest_a, MISSING)
            if first is MISSING:
                return [*merged, later, *rest_b]


def to_map(array: list[Any]) -> dict[str, Any]:
    """A map of pairs of keys and values."""
    result = {}
    for pair in array:
        if not isinstance(pair, list) or len(pair) != 2:
            raise ArgumentException(f"Array.to_map requires [key value] pairs, got {display(pair)}")
        result[map_key(pair[0], "Array.to_map")] = pair[1]
    return result


def to_json(array: list[Any]) -> Any:
    """The array as JSON text."""
    from gene.stdlib.json import stringify

    return stringify(array)


def is_immutable(array: list[Any]) -> bool:
    """Whether the array is frozen."""
    return getattr(array, "frozen", False)


METHODS: Final = {
    "size": len,
    "length": len,
    "empty?": is_empty,
    "empty": is_empty,
    "not_empty?": is_not_empty,
    "get": get,
    "set": set_,
    "first": first,
    "last": last,
    "push": push,
    "append": append,
    "add": add,
    "pop": pop,
    "del": del_,
    "clear": clear,
    "map": map_,
    "filter": filter_,
    "each": each,
    "reduce": reduce,
    "find": find,
    "any": any_,
    "all": all_,
    "contains": contains,
    "index_of": index_of,
    "join": join,
    "slice": slice_,
    "take": take,
    "skip": skip,
    "reverse": reverse,
    "zip": zip_,
    "pairs": pairs,
    "sort": sort,
    "to_map": to_map,
    "to_json": to_json,
    "immutable?": is_immutable,
    "iter": make_iterator,
}
