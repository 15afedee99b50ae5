"""The static checks of declared types: what the compiler warns of because it will fail when it is reached.

Only what is certain is said: a value of which nothing is known passes, as does one that can be of a type that
passes. The compiler looks only at programs that declare a type.
"""

from __future__ import annotations

from gene.compiler.calls import known_function
from gene.compiler.errors import CompileWarning
from gene.compiler.known import ancestry, constructed, method_of, variant_of
from gene.compiler.nodes import (
    Block,
    Builtin,
    Call,
    Clause,
    Const,
    Fn,
    GlobalGet,
    GlobalSet,
    If,
    Literal,
    LocalGet,
    MacroCall,
    Node,
    Quoted,
    Return,
    Run,
    Send,
    SetMember,
    SetSelf,
    Spread,
    Super,
    Try,
)
from gene.compiler.static_types import may_pass, text
from gene.compiler.statics import Types

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from gene.compiler.analyzer import Analyzer
    from gene.compiler.nodes import Class
    from gene.compiler.scope import Function

    Keywords = list[tuple[str | None, Node]]


def check_types(analyzer: Analyzer, body: Node, *, strict_nil: bool) -> None:
    """Warn of values that cannot pass the types that are declared for them.

    Args:
        analyzer: What analysed the source; it gets the warnings.
        body: The nodes of the source, with the masks that the flow analysis found.
        strict_nil: Whether nil passes only types that name it.
    """
    checker = _Checker(Types(analyzer), strict_nil=strict_nil)
    for node in _nodes(body):
        check = _CHECKS.get(type(node))
        if check is not None:
            check(checker, node)
    found = checker.found.values()
    analyzer.warnings += sorted(found, key=lambda warning: warning.span.start if warning.span else 0)


class _Checker:
    """What has been found so far, and how each kind of node is looked at."""

    def __init__(self, types: Types, *, strict_nil: bool) -> None:
        self.types = types
        self.strict_nil = strict_nil
        self.found: dict[tuple[int, str], CompileWarning] = {}

    def value(self, value: Node, declared: Node | None, where: str, around: Node) -> None:
        """Check what a value is for."""
        wanted = self.types.declared(declared)
        given = None if wanted is None else self.types.of(value)
        if wanted is None or not given:
            return
        given = [each for each in given if each.name != "Nil"]
        message = f"Type error: expected {text(wanted)}, got {text(given) if given else 'Nil'} in {where}"
        if not given:
            if not self.strict_nil or any(each.name in ("Nil", "Option") for each in wanted):
                return
            from gene.runtime.strict import RULE

            message += f"; {RULE}"
        elif any(may_pass(each, one) for each in given for one in wanted):
            return
        span = value.span or around.span
        self.found.setdefault((span.start if span else 0, message), CompileWarning(message, span))

    def arguments(
        self, function: Function, args: list[Node], keywords: Keywords, what: str, around: Node
    ) -> None:
        """Check the arguments of a call of a known function, up to those that are spread."""
        names = {}
        waiting = iter(args)
        for parameter in function.parameters:
            name = parameter.variable.name
            if parameter.kind == "keyword":
                names[name] = parameter.type
            arg = next(waiting, None) if parameter.kind == "positional" else None
            if parameter.kind == "rest" or isinstance(arg, Spread):
                waiting = iter(())
            elif arg is not None:
                self.value(arg, parameter.type, f"argument {name} of {what}", around)
        for key, value in keywords:
            if key in names:
                self.value(value, names[key], f"argument ^{key} of {what}", around)

    # -- nodes ---------------------------------------------------------------------------------------

    def call(self, node: Call) -> None:
        """A call of a function, a class or a variant that is known."""
        fn = node.callee if isinstance(node.callee, Fn) else known_function(node.callee)
        if fn is not None:
            self.arguments(fn.function, node.args, node.keywords, fn.function.name or "fn", node)
            return
        cls = constructed(node)
        if cls is not None:
            if cls.constructor is not None:
                function = cls.constructor.function
                self.arguments(function, node.args[1:], node.keywords, f"new {cls.name}", node)
            return
        self.variant(node)

    def variant(self, node: Call) -> None:
        """A call of a variant of an enum, with the fields in order or by name."""
        found = variant_of(node.callee)
        if found is None or not isinstance(found[2], Fn):
            return
        enum, fields, declared = found
        types = dict(zip(fields, declared.body.items, strict=True))  # type: ignore[attr-defined]
        variant = f"{enum.args[0].value}/{node.callee.key}"  # type: ignore[attr-defined]
        spread = any(isinstance(arg, Spread) for arg in node.args)
        given = [] if spread else list(zip(fields, node.args, strict=False))
        for name, value in [*given, *node.keywords]:
            if name in types:
                self.value(value, types[name], f"field {variant}.{name}", node)

    def send(self, node: Send) -> None:
        """A method call whose receiver is of a known class."""
        fn = self.types.method(node.receiver, node.method)
        if fn is not None:
            self.arguments(fn.function, node.args, node.keywords, node.method, node)

    def super(self, node: Super) -> None:
        """A call of the parent's method or constructor."""
        own = self.types.instance(node.receiver)
        chain: list[Class] = [] if own is None else ancestry(own.definition)[0][1:]  # type: ignore[arg-type]
        for cls in chain:
            fn = cls.constructor if node.method == "ctor" else method_of(cls, node.method)
            if fn is not None:
                self.arguments(fn.function, node.args, node.keywords, f"super .{node.method}", node)
                return

    def run(self, node: Run) -> None:
        """A typed variable of a function, declared or assigned."""
        if node.function == "check_variable":
            value, declared, name, _ = node.args
            self.value(value, declared, f"variable {name.value}", node)  # type: ignore[attr-defined]

    def assigned(self, node: GlobalSet) -> None:
        """A typed variable of the module, which nothing checks at run time."""
        if node.name.type is not None:
            self.value(node.value, node.name.type, f"variable {node.name.name}", node)

    def member(self, node: SetMember | SetSelf) -> None:
        """A declared property of an instance, which nothing checks at run time."""
        key = node.name if isinstance(node, SetSelf) else None if node.operator else node.key
        declared = self.types.field(node.object, key) if isinstance(key, str) else None
        if declared is not None:
            cls = self.types.instance(node.object)
            assert cls is not None
            self.value(node.value, declared, f"field {key} of {cls.name}", node)

    def function(self, node: Fn) -> None:
        """The defaults and the results of a function."""
        function = node.function
        for parameter in function.parameters:
            if parameter.default is not None:
                where = f"the default of {parameter.variable.name}"
                self.value(parameter.default, parameter.type, where, node)
        if function.result is not None and not function.generator:
            for value in _results(node.body):
                where = f"return value of {function.name or 'fn'}"
                self.value(value, function.result, where, node)


_LEAVES = frozenset({Builtin, Const, GlobalGet, Literal, LocalGet, Quoted})
"""Nodes without nodes in them."""
_CHECKS: dict[type, Callable[[_Checker, Any], None]] = {
    Call: _Checker.call,
    Fn: _Checker.function,
    GlobalSet: _Checker.assigned,
    Run: _Checker.run,
    Send: _Checker.send,
    SetMember: _Checker.member,
    SetSelf: _Checker.member,
    Super: _Checker.super,
}


def _results(body: Node) -> Iterator[Node]:
    """The nodes whose values a function returns."""
    yield from _last(body)
    for node in _nodes(body, inner=False):
        if isinstance(node, Return):
            yield node.value


def _last(node: Node) -> Iterator[Node]:
    if isinstance(node, Block) and node.items:
        yield from _last(node.items[-1])
    elif isinstance(node, If):
        yield from _last(node.then)
        if not isinstance(node.otherwise, Const):  # a choice without else that may well cover everything
            yield from _last(node.otherwise)
    elif isinstance(node, Try):
        for part in (node.body, *(clause.body for clause in node.clauses)):
            yield from _last(part)
    elif not isinstance(node, Return):
        yield node


def _nodes(root: Node, *, inner: bool = True) -> Iterator[Node]:
    """A node and all nodes in it; with those of inner functions or without."""
    waiting: list[Any] = [root]
    while waiting:
        each = waiting.pop()
        if isinstance(each, list | tuple):
            waiting += each
        elif isinstance(each, Clause):
            waiting += (each.body, each.pattern)
        elif isinstance(each, Node) and type(each) not in _LEAVES:
            yield each
            if isinstance(each, Fn):
                if not inner:
                    continue
                waiting += [parameter.default for parameter in each.function.parameters]
            if not isinstance(each, MacroCall):  # arguments of macros are data, which may never run
                waiting += [getattr(each, slot) for slot in type(each).__slots__]
