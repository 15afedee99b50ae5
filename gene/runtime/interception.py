"""Interception: advice around functions and methods, applied explicitly.

An interceptor is applied to a class and method names, or to a function. What it made can be switched off
and on. Around one call run, in this order: ``before_filter`` (a false answer stops the call with nil),
``before``, ``invariant``, the call inside of ``around``, ``invariant`` again, ``after``. An invariant that
answers false is broken, which is an error.
"""

from __future__ import annotations

from gene.data.atoms import VOID, Symbol
from gene.data.kinds import Kind, kind_of
from gene.runtime.classes import GeneClass, find_method, set_method
from gene.runtime.exceptions import ArgumentException, AssertionException, GeneException
from gene.runtime.methods import forget
from gene.runtime.operators import truth

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    Advice = tuple[str, str, bool, Callable[..., Any]]


class Interception:
    """One function or method with advice around it: callable in its place.

    Attributes:
        target: The function itself.
        enabled: Whether the advice runs.
    """

    def __init__(self, name: str, target: Callable[..., Any], advice: list[Advice]) -> None:
        self._name = name
        self.target = target
        self.enabled = True
        self._advice = advice

    def _of(self, kind: str) -> list[tuple[bool, Callable[..., Any]]]:
        return [(replaces, function) for each, _, replaces, function in self._advice if each == kind]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The call with all advice around it."""
        if not self.enabled:
            return self.target(*args, **kwargs)
        for _, function in self._of("before_filter"):
            if not truth(function(*args, **kwargs)):
                return None
        for _, function in self._of("before"):
            function(*args, **kwargs)
        self._check("before", *args, **kwargs)
        result = self._around()(*args, **kwargs)
        self._check("after", *args, **kwargs)
        for replaces, function in self._of("after"):
            made = function(*args, result, **kwargs)
            result = made if replaces else result
        return result

    def _check(self, when: str, *args: Any, **kwargs: Any) -> None:
        """Run the invariants; false is the answer of one that is broken."""
        for _, function in self._of("invariant"):
            if function(*args, **kwargs) is False:
                raise AssertionException(
                    f"[GENE.INTERCEPT.INVARIANT] an invariant of {self._name} is false {when} the call"
                )

    def __repr__(self) -> str:
        return "VkFunction"

    def _around(self) -> Callable[..., Any]:
        """The target inside of all ``around`` advice, the first one outermost."""
        wrapped = self.target
        for _, function in reversed(self._of("around")):
            wrapped = _wrap(function, wrapped)
        return wrapped


def _wrap(advice: Callable[..., Any], wrapped: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        def proceed(*changed: Any, **named: Any) -> Any:
            receiver = args[: len(args) - len(changed)] if changed and len(changed) < len(args) else ()
            return wrapped(*(receiver + changed if changed else args), **{**kwargs, **named})

        return advice(*args, proceed, **kwargs)

    return call


class Interceptor:
    """What an ``interceptor`` form defines: pieces of advice for named methods.

    Attributes:
        name: Its name.
        names: The names that its advice is for, in order.
        advice: For each piece its kind, the name that it is for, whether it replaces the result, and a
            function of the arguments.
        functions: Whether it is for functions and not for methods.
    """

    def __init__(self, name: str, names: tuple[str, ...], advice: list[Advice], *, functions: bool) -> None:
        self.name = name
        self.names = names
        self.advice = advice
        self.functions = functions

    def __call__(self, target: Any = VOID, *methods: Any) -> Any:
        """Apply the advice to a function, or to methods of a class."""
        if self.functions and methods:
            raise ArgumentException(
                f"[GENE.INTERCEPT.ARITY] {self.name} is for 1 function, got {len(methods) + 1}"
            )
        return self._to_function(target) if self.functions else self._to_class(target, methods)

    def _to_function(self, target: Any) -> Interception:
        if not callable(target):
            raise ArgumentException(
                f"[GENE.INTERCEPT.TARGET] {self.name} expects a function, got {kind_of(target).tag}"
            )
        return Interception(self.name, target, self.advice)

    def _to_class(self, target: Any, methods: tuple[Any, ...]) -> Any:
        if not isinstance(target, GeneClass):
            got = (
                f"and {target.name} is built in" if isinstance(target, Kind) else f"got {kind_of(target).tag}"
            )
            raise ArgumentException(f"[GENE.INTERCEPT.TARGET] {self.name} expects a class, {got}")
        given = [method.name if type(method) is Symbol else method for method in methods or self.names]
        if len(given) != len(self.names):
            raise ArgumentException(
                f"[GENE.INTERCEPT.ARITY] {self.name} is for {len(self.names)} methods"
                f" ({', '.join(self.names)}), got {len(given)}"
            )
        functions: list[Any] = [find_method(target, method) for method in given]
        if None in functions:
            missing = given[functions.index(None)]
            raise GeneException(f"[GENE.INTERCEPT.METHOD] {target.__gene__.name} has no method {missing}")
        made = []
        for placeholder, method, function in zip(self.names, given, functions, strict=True):
            advice = [each for each in self.advice if each[1] == placeholder]
            wrapper = Interception(self.name, function, advice)
            set_method(target, method, _as_method(wrapper))
            made.append(wrapper)
        forget(target)
        return made[0] if len(made) == 1 else made

    def __repr__(self) -> str:
        return self.name


def _as_method(interception: Interception) -> Callable[..., Any]:
    """A function for the class: unlike other callables it is bound to the instance that it is called on."""

    def method(*args: Any, **kwargs: Any) -> Any:
        return interception(*args, **kwargs)

    return method


def _switch(on: bool) -> Callable[[Interception], Interception]:  # noqa: FBT001 - two methods, one function
    def switch(interception: Interception) -> Interception:
        interception.enabled = on
        return interception

    return switch


INTERCEPTION: Final = Kind(
    "Interception",
    "VkFunction",
    Interception,
    typeof="Function",
    methods={"enable": _switch(True), "disable": _switch(False), "call": Interception.__call__},
)
INTERCEPTOR: Final = Kind("Interceptor", "VkInterceptor", Interceptor, typeof="Interceptor")


def make_interceptor(
    name: str,
    names: tuple[str, ...],
    kinds: tuple[tuple[str, str, bool], ...],
    functions: bool,  # noqa: FBT001 - compiled code passes it
    *advice: Any,
) -> Interceptor:
    """``(interceptor Name [methods] …)`` and ``(fn-interceptor Name [f] …)``."""
    pieces = [(*kind, function) for kind, function in zip(kinds, advice, strict=True)]
    return Interceptor(name, names, pieces, functions=functions)
