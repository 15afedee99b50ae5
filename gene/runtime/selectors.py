"""Selectors: paths as values. ``@users/0/name`` is a function from data to what the path leads to."""

from __future__ import annotations

from gene.data.atoms import VOID, PathSymbol, Symbol
from gene.runtime.exceptions import GeneException, TypeException
from gene.runtime.kinds import Kind, kind_of
from gene.runtime.methods import send
from gene.runtime.paths import get_dynamic, get_index, set_, strict

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final


class Selector:
    """A path as a value.

    Attributes:
        steps: A String for a member, a method (``.name``), or one of ``*`` (each item), ``**`` (everything
            below) and ``!`` (must be there); an Int for an index; a function that transforms.
    """

    __slots__ = ("steps",)

    def __init__(self, *steps: Any) -> None:
        self.steps = [step.name if isinstance(step, Symbol | PathSymbol) else step for step in steps]

    @classmethod
    def parse(cls, text: str) -> Selector:
        """The selector that ``@a/b/0`` writes."""
        parts = text.removeprefix("@").split("/")
        return cls(*[int(part) if is_index(part) else part for part in parts if part])

    def __call__(self, value: Any) -> Any:
        """What the path leads to from ``value``; an array where a step leads to many."""
        many, values = False, [value]
        for step in self.steps:
            if step in ("*", "**") and type(step) is str:
                many = True
                values = [item for each in values for item in (_items(each) if step == "*" else _below(each))]
            else:
                values = [_step(each, step) for each in values]
                if many:
                    values = [each for each in values if each is not VOID]
        return values if many else values[0]

    def assign(self, value: Any, new: Any) -> Any:
        """Assign what the path leads to."""
        target = Selector(*self.steps[:-1])(value) if len(self.steps) > 1 else value
        return set_(target, self.steps[-1], new)

    def gene_parts(self) -> Any:
        """How the selector prints: ``@(users/0)``."""
        return f"@({'/'.join(str(step) for step in self.steps)})", [], "", True


SELECTOR: Final = Kind("Selector", "VkSelector", Selector, typeof="Selector")


def is_index(part: str) -> bool:
    """Whether a step is a number."""
    return part.isdecimal() or (part.startswith("-") and part[1:].isdecimal())


def _step(value: Any, step: Any) -> Any:
    if step == "!" and type(step) is str:
        return strict(value)
    if type(step) is str and step[:1] in (".", ":") and len(step) > 1:
        return send(value, step[1:])
    if type(step) is int:
        return get_index(value, step)
    if type(step) is not str and callable(step):
        return step(value)
    return get_dynamic(value, step)


def _items(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    children = getattr(value, "children", value)
    if isinstance(children, list):
        return list(children)
    if value is None or value is VOID:
        return []
    raise TypeException(f"* selects from an Array or a Map, got {kind_of(value).tag}")


def _below(value: Any) -> list[Any]:
    """A value and everything in it, outer things first; each container once."""
    found: list[Any] = []
    seen: set[int] = set()
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict | list) or hasattr(each, "children"):
            if id(each) in seen:
                continue
            seen.add(id(each))
            waiting += reversed(_items(each))
        found.append(each)
    return found


def selector(text: str) -> Selector:
    """The selector that a program writes as ``@a/b``."""
    return Selector.parse(text)


def make_selector(*steps: Any) -> Selector:
    """``(@ "a" 0)``: a selector of computed steps."""
    return Selector(*steps)


def select(value: Any, step: Any) -> Any:
    """``(value ./ step)``."""
    return step(value) if isinstance(step, Selector) else Selector(step)(value)


def select_path(value: Any, text: str) -> Any:
    """``(value .@a/b)``."""
    return Selector.parse(text)(value)


def set_selected(target: Any, path: Any, value: Any) -> Any:
    """``($set target @path value)``."""
    if not isinstance(path, Selector):
        raise GeneException(f"$set expects a selector such as @a/b, got {kind_of(path).tag}")
    path.assign(target, value)
    return value
