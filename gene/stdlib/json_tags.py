"""``gene/json/serialize`` and ``deserialize``: JSON text that keeps what JSON has no form for.

Such a value becomes a string: ``#GENE#`` and its Gene text. So does a string that starts that way by itself.
"""

from __future__ import annotations

from gene.runtime.exceptions import ArgumentException
from gene.stdlib.arguments import MISSING
from gene.stdlib.json import parse, stringify
from gene.stdlib.serdes import deserialize as read
from gene.stdlib.serdes import serialize as write
from gene.stdlib.trees import rebuild, refuse_cycles

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final

TAG: Final = "#GENE#"
_PLAIN: Final = frozenset({int, float, bool, type(None)})


def serialize(value: Any = MISSING) -> str:
    """``(gene/json/serialize value)``: JSON text that :func:`deserialize` reads as an equal value.

    Raises:
        TypeException: The value is, or contains, something that is no data, such as a function.
        ArgumentException: The value contains itself, or a number that JSON cannot express.
    """
    if value is MISSING:
        raise ArgumentException("json.serialize requires a value")
    refuse_cycles(value, _containers, "json.serialize")
    return stringify(rebuild(value, _all_parts, _tagged))


def deserialize(text: Any = MISSING) -> Any:
    """``(gene/json/deserialize text)``: the value that :func:`serialize` wrote. No code runs."""
    if type(text) is not str:
        raise ArgumentException("json.deserialize expects a string")
    return rebuild(parse(text), _all_parts, _untagged)


def _containers(value: Any) -> Sequence[Any] | None:
    if isinstance(value, list):
        return value
    return list(value.values()) if isinstance(value, dict) else None


def _all_parts(value: Any) -> Sequence[Any] | None:
    """The parts of a container; none, but still to be built anew, in what may need a tag."""
    inner = _containers(value)
    return () if inner is None and type(value) not in _PLAIN else inner


def _tagged(value: Any, parts: Sequence[Any]) -> Any:
    if isinstance(value, (list, dict)):
        return _filled(value, parts)
    return value if type(value) is str and not value.startswith(TAG) else TAG + write(value)


def _untagged(value: Any, parts: Sequence[Any]) -> Any:
    if isinstance(value, (list, dict)):
        return _filled(value, parts)
    return read(value.removeprefix(TAG)) if value.startswith(TAG) else value


def _filled(value: list[Any] | dict[str, Any], parts: Sequence[Any]) -> Any:
    return [*parts] if isinstance(value, list) else dict(zip(value, parts, strict=True))
