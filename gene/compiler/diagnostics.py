"""What cannot be right whatever the program does: such a program is refused before it runs."""

from __future__ import annotations

from gene.compiler.calls import known_function
from gene.compiler.nodes import Call, Class, GlobalGet, LocalGet, LocalSet, Node, Run, Spread

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from gene.compiler.analyzer import Analyzer

EVERYWHERE = frozenset({"to_s", "class", "is", "to", "call"})
"""Methods that every value has."""


def check(analyzer: Analyzer) -> None:
    """Refuse a source with a call that cannot succeed.

    Raises:
        GeneCompileError: Too many arguments for a function that is known by name, or a method that the known
            class of a variable does not have.
    """
    if not analyzer.interactive:
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
        cls = _class_of(send.receiver)
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
            cls = None if analyzer.interactive else _class_of(receiver)
        if cls is not None and cls.adapts is None and isinstance(send.method, str):
            send.direct = any(name == send.method for name, _ in cls.methods)


def _answers(cls: Class, method: str) -> bool:
    """Whether instances of a class may answer to a method; unknown parents may answer to anything."""
    names = {name for name, _ in cls.methods}
    if method in names or "on_method_missing" in names:
        return True
    if cls.parent is None:
        return False
    parent = _class_named(cls.parent)
    return parent is None or _answers(parent, method)


def _class_of(node: Node) -> Class | None:
    """The class that a variable's value is of, where the variable is assigned once, with ``new``."""
    value = _only_value(node)
    if not isinstance(value, Call) or not isinstance(value.callee, Run) or value.callee.function != "maker":
        return None
    target = value.callee.args[0]
    return _class_named(target.value) if isinstance(target, LocalSet) else None


def _class_named(node: Node) -> Class | None:
    value = _only_value(node)
    return value if isinstance(value, Class) and value.adapts is None else None


def _only_value(node: Node) -> Node | None:
    """The one node that a variable is ever assigned."""
    if isinstance(node, GlobalGet):
        return node.name.value if node.name.assignments == 1 else None
    if isinstance(node, LocalGet):
        return node.variable.value if node.variable.assignments == 1 else None
    return None
