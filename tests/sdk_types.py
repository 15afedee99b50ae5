"""Deep checks of plain dicts against the official SDKs' own types."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

_adapters: dict[int, tuple[TypeAdapter[Any], Any]] = {}  # an adapter must outlive the iterators it hands out


def check(kind: Any, value: Any) -> Any:
    """Validate `value` against an SDK type, unknown keys forbidden, lazy iterables included."""
    adapter = _adapters.setdefault(id(kind), (TypeAdapter(kind), kind))[0]
    return _force(adapter.validate_python(value, extra="forbid"))


def _force(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _force(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)) or type(value).__name__ == "ValidatorIterator":
        return [_force(item) for item in value]
    return value
