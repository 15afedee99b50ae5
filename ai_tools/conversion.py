"""Conversion of Python values to JSON kinds, with the place of whatever has no JSON form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.serialization import MAX_DEPTH, NoJsonFormError, describe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ai_tools.foreign import Form

_SCALARS = frozenset({bool, int, type(None)})
_NOT_FINITE = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}


class Converter:
    """One conversion: a budget of characters and the containers that are open, to find cycles.

    Args:
        converters: Forms that were registered, by class.
        budget: Characters of JSON (about) that the result may have.
    """

    def __init__(self, converters: Mapping[type, Callable[[Any], Any]], budget: int) -> None:
        self._converters = converters
        self._limit = self._budget = budget
        self._open: set[int] = set()

    def convert(self, value: Any, path: str, depth: int) -> Any:
        """Return a value as JSON kinds. `path` is its place in the whole value.

        Raises:
            NoJsonFormError: A part has no JSON form.
        """
        kind = type(value)
        self._charge(1, path)
        if kind in _SCALARS:
            return value
        if kind is str:
            self._charge(len(value), path)
            return value
        if kind is float:
            return value if value - value == 0 else _NOT_FINITE[repr(value)]
        if depth >= MAX_DEPTH:
            raise NoJsonFormError(f"is nested deeper than {MAX_DEPTH} levels", path[:80])
        if id(value) in self._open:
            raise NoJsonFormError("contains itself", path)
        self._open.add(id(value))
        try:
            return self._convert(value, path, depth)
        finally:
            self._open.discard(id(value))

    def _convert(self, value: Any, path: str, depth: int) -> Any:
        special = self._registered(value)
        if special is not None:
            return self.convert(special(value), path, depth + 1)
        if isinstance(value, dict):
            return self._object(value.items(), path, depth)
        if isinstance(value, (list, tuple)):
            return self._array(value, path, depth)
        for base in (bool, int, float, str):
            if isinstance(value, base) and not _is_enum(value):
                return self.convert(base(value), path, depth + 1)
        if isinstance(value, (bytes, bytearray, memoryview)):
            return self._bytes(value, path)
        return self._other(value, path, depth)

    def _other(self, value: Any, path: str, depth: int) -> Any:
        from ai_tools.foreign import form_of

        form = form_of(value) or self._fallback(value)
        if form is None:
            raise NoJsonFormError(f"is {describe(value)}, which has no JSON form", path)
        kind, content = form
        if kind == "object":
            return self._object(content, path, depth)
        if kind == "array":
            return self._array(content, path, depth)
        return self.convert(content, path, depth + 1)

    def _object(self, items: Iterable[tuple[Any, Any]], path: str, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for key, item in items:
            name = self._key(key, path)
            if name in result:
                raise NoJsonFormError(f"has two keys that are both {name[:80]!r} in JSON", path)
            self._charge(len(name), path)
            result[name] = self.convert(item, f"{path}.{name[:80]}" if path else name[:80], depth + 1)
        return result

    def _array(self, items: Iterable[Any], path: str, depth: int) -> list[Any]:
        return [self.convert(item, f"{path}[{i}]", depth + 1) for i, item in enumerate(items)]

    def _key(self, key: Any, path: str) -> str:
        """Return the JSON key of a dict key, as the json module has it, plus enums, dates and identifiers."""
        if type(key) is str:
            return key
        text = self.convert(key, path, MAX_DEPTH - 1)
        if isinstance(text, str):
            return text
        if text is None or isinstance(text, bool):
            return {None: "null", True: "true", False: "false"}[text]
        if isinstance(text, (int, float)):
            return repr(text)
        raise NoJsonFormError(f"has a key that is {describe(key)}; keys are strings", path)

    def _bytes(self, value: Any, path: str) -> str:
        from base64 import b64encode

        self._charge(memoryview(value).nbytes * 4 // 3, path)
        return b64encode(value).decode()

    def _charge(self, size: int, path: str) -> None:
        self._budget -= size
        if self._budget < 0:
            raise NoJsonFormError(f"is larger than the limit of {self._limit:,} characters", path[:80])

    def _registered(self, value: Any) -> Callable[[Any], Any] | None:
        for kind in type(value).__mro__[:-1]:
            if kind in self._converters:
                return self._converters[kind]
        return None

    def _fallback(self, value: Any) -> Form | None:
        """Ask what was registered for `object`, which declines with NotImplemented."""
        made = self._converters[object](value) if object in self._converters else NotImplemented
        return None if made is NotImplemented else ("value", made)


def _is_enum(value: Any) -> bool:
    return hasattr(type(value), "__members__")
