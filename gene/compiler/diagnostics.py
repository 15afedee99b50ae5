"""What cannot be right whatever the program does: such a program is refused before it runs."""

from __future__ import annotations

from gene.compiler.calls import known_function
from gene.compiler.known import ancestry, class_of, only_value
from gene.compiler.nodes import Class, LocalGet, Run, Spread

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from gene.compiler.analyzer import Analyzer

EVERYWHERE = frozenset({"to_s", "class", "is", "to", "call"})
"""Methods that every value has."""


def check(analyzer: Analyzer) -> None:
    """Refuse a source with a call that cannot succeed, or a class that breaks its promise.

    Raises:
        GeneCompileError: Too many arguments for a function that is known by name, a method that the known
            class of a variable does not have, or a class without what its interfaces require.
    """
    if not analyzer.interactive:
        _check_promises(analyzer)
        _check_counts(analyzer)
        _check_methods(analyzer)


def _check_counts(analyzer: Analyzer) -> None:
    """Too many arguments for a function that is known by name: the program cannot be right."""
    for call, form in analyzer.calls:
        fn = known_function(call.callee)
        if fn is None or any(isinstance(arg, Spread) for arg in call.args):
            continue
        parameters = fn.function.parameters
        if not parameters or any(parameter.kind == "rest" for parameter in parameters):
            continue
        expected = sum(parameter.kind == "positional" for parameter in parameters)
        if len(call.args) > expected:
            raise analyzer.error(
                "Type error: too many positional arguments in call"
                f" (expected {expected}, got {len(call.args)})",
                form,
            )


def _check_methods(analyzer: Analyzer) -> None:
    """A method that neither the class of a variable nor its parents have, nor a property that it may mean."""
    for send, form, _ in analyzer.sends:
        cls = class_of(send.receiver)
        if cls is None or not isinstance(send.method, str) or send.method in EVERYWHERE:
            continue
        if not send.args and not send.keywords:
            continue
        if not _answers(cls, send.method):
            raise analyzer.error(f"Type error: unknown method {send.method} on {cls.name}", form)


def find_direct(analyzer: Analyzer) -> None:
    """Mark the method calls whose receiver is an instance of a known class that has the method."""
    for send, _, inside in analyzer.sends:
        receiver = send.receiver
        if isinstance(receiver, LocalGet) and receiver.variable.name == "self":
            cls = inside
        else:
            cls = None if analyzer.interactive else class_of(receiver)
        if cls is not None and cls.adapts is None and isinstance(send.method, str):
            send.direct = any(name == send.method for name, _ in cls.methods)


def _answers(cls: Class, method: str) -> bool:
    """Whether instances of a class may answer to a method; unknown parents may answer to anything."""
    chain, complete = ancestry(cls)
    return not complete or any(
        name in (method, "on_method_missing") for each in chain for name, _ in each.methods
    )


def _check_promises(analyzer: Analyzer) -> None:
    """A class has what its interfaces require, or gets it from a parent, or it cannot be right."""
    for cls, form in analyzer.classes:
        chain, complete = ancestry(cls)
        for node in cls.interfaces if complete else ():
            promised = only_value(node)
            if isinstance(promised, Run) and promised.function == "make_interface":
                fault = _broken(chain, *(arg.value for arg in promised.args))  # type: ignore[attr-defined]
                if fault:
                    raise analyzer.error(fault, form)


def _broken(
    chain: list[Class], interface: str, methods: tuple[str, ...], fields: tuple[str, ...]
) -> str | None:
    """What a class and its ancestors lack of an interface."""
    answered = {name for each in chain for name, _ in each.methods}
    named = {name for each in chain for name in each.properties}
    missing = [f"implement method {name}" for name in methods if name not in answered]
    missing += [f"declare field {name}" for name in fields if name not in named]
    if not missing:
        return None
    return f"Type error: class {chain[0].name} does not {missing[0]} required by interface {interface}"
