"""Selectors: paths as values. ``@users/0/name`` is a function from data to what the path leads to."""

from __future__ import annotations

from gene.data.atoms import VOID, PathSymbol, Symbol
from gene.data.kinds import Kind, kind_of
from gene.runtime.exceptions import ArgumentException, GeneException, TypeException
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

    def __call__(self, *values: Any) -> Any:
        """What the path leads to from the one value that is given; an array where a step leads to many.

        Of many, what is missing is left out in the end: ``!`` still sees it.

        Raises:
            GeneException: Another number of values is given, or the path cannot be followed.
        """
        if len(values) != 1:
            raise ArgumentException(f"Expected 1 arguments, got {len(values)}")
        many, found = False, list(values)
        for step in self.steps:
            if step in ("*", "**") and type(step) is str:
                many = True
                found = [item for each in found for item in (_items(each) if step == "*" else _below(each))]
            elif many and step != "!":
                found = [
                    _step(each, step) if each is not None and each is not VOID else VOID for each in found
                ]
            else:
                found = [_step(each, step) for each in found]
        return [each for each in found if each is not VOID] if many else found[0]

    def assign(self, value: Any, new: Any) -> Any:
        """Assign what the path leads to: everywhere, where a step leads to many."""
        *steps, last = self.steps or [None]
        if type(last) is not int and (type(last) is not str or last in ("*", "**", "!") or last[:1] == "."):
            raise GeneException(f"$set cannot assign {self}: its last step must be a key or an index")
        if "**" in steps:
            raise GeneException(
                f"$set cannot assign {self}: ** leads to everything, also to what has no members"
            )
        found = Selector(*steps)(value)
        for target in found if "*" in steps else [found]:
            set_(target, last, new)

    def gene_parts(self) -> Any:
        """How the selector prints: ``@(users/0)``."""
        return repr(self), [], "", True

    def __repr__(self) -> str:
        return f"@({'/'.join(map(_text, self.steps))})"


SELECTOR: Final = Kind("Selector", "VkSelector", Selector, typeof="Selector")


def _text(step: Any) -> str:
    return str(step) if type(step) in (str, int) else ":" + getattr(step, "__name__", "function")


def _step(value: Any, step: Any) -> Any:
    if step == "!" and type(step) is str:
        return strict(value)
    if type(step) is str and step[:1] == "." and len(step) > 1:
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


def make_selector(*steps: Any) -> Selector:
    """``(@ "a" 0)``: a selector of computed steps."""
    return Selector(*[step if callable(step) else dynamic_step(step) for step in steps])


def select(value: Any, step: Any) -> Any:
    """``(value ./ step)``."""
    return step(value) if isinstance(step, Selector) else Selector(step)(value)


def dynamic_step(key: Any) -> Any:
    """The step that ``<key>`` stands for."""
    if type(key) is int or isinstance(key, str | Symbol):
        return key
    if key is None:
        raise TypeException("Dynamic selector segment cannot be nil")
    raise TypeException(f"Invalid property type: {kind_of(key).tag}")


def set_selected(target: Any, path: Any, value: Any) -> Any:
    """``($set target @path value)``."""
    if not isinstance(path, Selector):
        raise GeneException(f"$set expects a selector such as @a/b, got {kind_of(path).tag}")
    path.assign(target, value)
    return value
