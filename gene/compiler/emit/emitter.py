"""The emitter: statements plus one expression.

Everything in Gene is an expression and much of Python is not. So a node is emitted as statements, appended
to the block being written, and one expression that has its value once they have run. Where a value goes is
its destination: nowhere (None), out of the function (RETURN), or into a Python name.
"""

from __future__ import annotations

import ast

from gene.compiler.masks import BOOL, FALSY
from gene.compiler.nodes import Fn

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from gene.compiler.nodes import Literal, Node
    from gene.compiler.scope import Function
    from gene.data.source import Source, Span
    from gene.options import Options

    Destination = str | None

RETURN = "return"
LOAD, STORE, DEL = ast.Load(), ast.Store(), ast.Del()

EXPRESSIONS: dict[type, Callable[[Emitter, Any], ast.expr]] = {}
"""How to emit the nodes that are naturally expressions."""
STRUCTURES: dict[type, Callable[[Emitter, Any, Destination], None]] = {}
"""How to emit the nodes that are naturally statements, given where their value goes."""
EFFECTS: dict[type, Callable[[Emitter, Any], None]] = {}
"""How to emit an expression node whose value nobody wants, where a statement does better."""
TAILS: dict[type, Callable[[Emitter, Any], None]] = {}
"""How to emit an expression node whose value the function returns, where a tail call does better."""
TESTS: dict[type, Callable[[Emitter, Any], ast.expr]] = {}
"""How to emit a node as a condition of Python, where its truth is cheaper than its value."""

INLINE_TYPES = {
    "Int": "int",
    "String": "str",
    "Bool": "bool",
    "Array": "list",
    "Map": "dict",
    "Float": "float",
}
"""Types that are checked by comparing the Python type, without a call when it fits."""


DEEP_CONSTANT = 20
"""How deep tuples may nest in a constant: Python takes cubic time for them."""


class Unit:
    """What all functions of one compilation share.

    Attributes:
        source: The source.
        number: What tells this compilation's globals from those of others in the same namespace.
        options: What the host chose.
        literals: The literals that are made once, by the global name that each gets.
        places: Where the spans of the source are, as Python's syntax has it.
        pieces: Parts of quoted data that nests deep, likewise; later ones contain earlier ones.
        signatures: What the code object of a function does not tell of its parameters, by name and line.
    """

    def __init__(self, source: Source, number: int, options: Options) -> None:
        self.source = source
        self.number = number
        self.options = options
        self.literals: list[tuple[str, Literal]] = []
        self.pieces: list[tuple[str, ast.expr]] = []
        self.places: dict[tuple[int, int], dict[str, Any]] = {}
        self.signatures: dict[tuple[str, int], tuple[Any, ...]] = {}

    def literal(self, node: Literal) -> str:
        """The global name under which a literal is made when the module starts."""
        name = f"%k{self.number}.{len(self.literals)}"
        self.literals.append((name, node))
        return name

    def piece(self, data: ast.expr) -> str:
        """The global name of a part of quoted data."""
        name = f"%q{self.number}.{len(self.pieces)}"
        self.pieces.append((name, data))
        return name

    @property
    def source_name(self) -> str:
        """The global name of the source."""
        return f"%source{self.number}"


def name_hint(node: Node) -> str:
    """What a temporary name tells of its value: reports call a function by it."""
    return f"{node.function.name}:" if isinstance(node, Fn) and node.function.name else "t"


class Emitter:
    """Writes one Python function."""

    def __init__(self, unit: Unit, function: Function, parent: Emitter | None = None) -> None:
        self.unit = unit
        self.function = function
        self.parent = parent
        self.out: list[ast.stmt] = []
        self.at: dict[str, Any] = {"lineno": 1, "col_offset": 0, "end_lineno": 1, "end_col_offset": 0}
        self.loops: list[Any] = []
        self.guarded = 0
        self.reset: list[str] = []
        self.assigned: dict[str, None] = {}
        self.assigned_globals: dict[str, None] = {}
        if parent is not None:
            self.at = parent.at

    # -- places --------------------------------------------------------------------------------------

    def place(self, span: Span | None) -> None:
        """Stamp what is emitted from now on with a place in the source."""
        if span is None or span.source is not self.unit.source:
            return
        places = self.unit.places
        place = places.get((span.start, span.end))
        if place is None:
            line, column = _point(span.source, span.start)
            end_line, end_column = _point(span.source, span.end)
            place = {
                "lineno": line,
                "col_offset": column,
                "end_lineno": end_line,
                "end_col_offset": end_column,
            }
            places[span.start, span.end] = place
        self.at = place

    # -- syntax --------------------------------------------------------------------------------------

    def name(self, identifier: str) -> ast.expr:
        """Read a Python name."""
        return ast.Name(identifier, LOAD, **self.at)

    def runtime(self, function: str) -> ast.expr:
        """Read a function or value of the runtime."""
        return ast.Name("%" + function, LOAD, **self.at)

    def constant(self, value: Any) -> ast.expr:
        """A constant."""
        return ast.Constant(value, **self.at)

    def data(self, encoded: Any) -> ast.expr:
        """Encoded data: a constant, or the name of what is put together when the module starts."""
        made, _ = self._shallow(encoded)
        return self.name(self.unit.piece(made)) if isinstance(made, ast.Tuple) else made

    def _shallow(self, encoded: Any) -> tuple[ast.expr, int]:
        """Data in pieces that nest at most so deep, and how deep this one nests."""
        if type(encoded) is not tuple:
            return self.constant(encoded), 0
        parts = [self._shallow(item) for item in encoded]
        depth = 1 + max((depth for _, depth in parts), default=0)
        if all(isinstance(part, ast.Constant) for part, _ in parts):
            made: ast.expr = self.constant(encoded)
        else:
            made = ast.Tuple([part for part, _ in parts], LOAD, **self.at)
        return (made, depth) if depth < DEEP_CONSTANT else (self.name(self.unit.piece(made)), 0)

    def call(self, function: ast.expr, *args: ast.expr) -> ast.expr:
        """A plain call."""
        return ast.Call(function, list(args), [], **self.at)

    def run(self, function: str, *args: ast.expr) -> ast.expr:
        """A call of a runtime function."""
        return ast.Call(ast.Name("%" + function, LOAD, **self.at), list(args), [], **self.at)

    def assign(self, name: str, value: ast.expr) -> None:
        """A statement that assigns a name."""
        self.out.append(ast.Assign([ast.Name(name, STORE, **self.at)], value, **self.at))

    def walrus(self, name: str, value: ast.expr) -> ast.expr:
        """An expression that assigns a name."""
        return ast.NamedExpr(ast.Name(name, STORE, **self.at), value, **self.at)

    def compare(self, left: ast.expr, *rest: tuple[ast.cmpop, ast.expr]) -> ast.expr:
        """A comparison, or a chain of them."""
        operators = [operator for operator, _ in rest]
        return ast.Compare(left, operators, [value for _, value in rest], **self.at)

    def choose(self, test: ast.expr, then: ast.expr, otherwise: ast.expr) -> ast.expr:
        """A conditional expression."""
        return ast.IfExp(test, then, otherwise, **self.at)

    def both(self, *tests: ast.expr) -> ast.expr:
        """All of some conditions."""
        return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), list(tests), **self.at)

    def attribute(self, value: ast.expr, name: str, context: ast.expr_context = LOAD) -> ast.expr:
        """A Python attribute; Python would place one that goes over several lines at the last of them."""
        at = self.at
        if at["end_lineno"] != at["lineno"]:
            at = {**at, "end_lineno": at["lineno"], "end_col_offset": at["col_offset"] + 1}
        return ast.Attribute(value, name, context, **at)

    def subscript(self, value: ast.expr, key: ast.expr) -> ast.expr:
        """A subscript."""
        return ast.Subscript(value, key, LOAD, **self.at)

    def if_(self, test: ast.expr, then: list[ast.stmt], otherwise: list[ast.stmt]) -> None:
        """A statement that chooses."""
        self.out.append(ast.If(test, then or [self.nothing()], otherwise, **self.at))

    def definition(self, name: str, arguments: ast.arguments, body: list[ast.stmt]) -> ast.FunctionDef:
        """A statement that defines a function."""
        made = ast.FunctionDef(name, arguments, body, [], **self.at)
        if hasattr(made, "type_params"):
            made.type_params = []
        return made

    def nothing(self) -> ast.stmt:
        """A statement that does nothing."""
        return ast.Pass(**self.at)

    def step(self) -> list[ast.stmt]:
        """What counts one step of a program whose steps are limited."""
        return [ast.Expr(self.run("step"), **self.at)] if self.unit.options.metered else []

    # -- values --------------------------------------------------------------------------------------

    def value(self, node: Node) -> ast.expr:
        """Emit a node; the expression is to be evaluated once, after the statements emitted so far."""
        outer = self.at
        self.place(node.span)
        try:
            emit = EXPRESSIONS.get(type(node))
            if emit is not None:
                return emit(self, node)
            name = self.function.temporary(name_hint(node))
            STRUCTURES[type(node)](self, node, name)
            return self.name(name)
        finally:
            self.at = outer

    def into(self, node: Node, destination: Destination) -> None:
        """Emit a node as statements; its value goes to the destination."""
        outer = self.at
        self.place(node.span)
        structure = STRUCTURES.get(type(node))
        if structure is not None:
            structure(self, node, destination)
        elif destination is None and type(node) in EFFECTS:
            EFFECTS[type(node)](self, node)
        elif destination is RETURN and type(node) in TAILS and not self.guarded:
            TAILS[type(node)](self, node)
        else:
            self.finish(EXPRESSIONS[type(node)](self, node), destination)
        self.at = outer

    def finish(self, value: ast.expr, destination: Destination) -> None:
        """Send the value of an expression to its destination."""
        if destination is None:
            if not isinstance(value, ast.Constant):
                self.out.append(ast.Expr(value, **self.at))
        elif destination is RETURN:
            self.out.append(ast.Return(self.checked(value), **self.at))
        else:
            self.assign(destination, value)

    def checked(self, value: ast.expr) -> ast.expr:
        """A value that the function returns, checked against its declared type."""
        if self.function.result is None:
            return value
        type_ = self.value(self.function.result)
        return self.run("check_result", value, type_, self.constant(self.function.name or "fn"))

    def test(self, node: Node) -> ast.expr:
        """Emit a node as a condition of Python."""
        outer = self.at
        self.place(node.span)
        emit = TESTS.get(type(node))
        made = emit(self, node) if emit is not None else self.truth(self.value(node), node.mask)
        self.at = outer
        return made

    def truth(self, value: ast.expr, mask: int) -> ast.expr:
        """The truth of a value: all but nil, void and false are true."""
        falsy = mask & FALSY
        if isinstance(value, ast.Constant):
            return self.constant(value.value is not None and value.value is not False)
        if mask == BOOL:
            return value
        if not falsy and isinstance(value, ast.Name):
            return self.constant(True)
        first, again = self.hold(value)
        values = (self.constant(None), self.constant(False), self.runtime("void"))
        parts = [
            self.compare(again if number else first, (ast.IsNot(), falsy_value))
            for number, falsy_value in enumerate(values)
        ]
        return self.both(*parts)

    def values(self, nodes: Sequence[Node]) -> list[ast.expr]:
        """Emit nodes whose values are wanted together, evaluated from left to right."""
        return self.ordered([lambda node=node: self.value(node) for node in nodes])  # type: ignore[misc]

    def ordered(self, emits: Sequence[Callable[[], ast.expr]]) -> list[ast.expr]:
        """The expressions of several emissions.

        Where a later one needs statements, the earlier ones are evaluated into temporary names before.
        """
        outer, parts, last = self.out, [], -1
        for number, emit in enumerate(emits):
            self.out = []
            value = emit()
            parts.append((self.out, value))
            if self.out:
                last = number
        self.out = outer
        made: list[ast.expr] = []
        for number, (statements, value) in enumerate(parts):
            outer.extend(statements)
            made.append(self.spill(value) if number < last else value)
        return made

    def spill(self, value: ast.expr) -> ast.expr:
        """Evaluate an expression now, into a temporary name."""
        if isinstance(value, ast.Constant):
            return value
        if isinstance(value, ast.Starred):
            return ast.Starred(self.spill(value.value), LOAD, **self.at)
        name = self.function.temporary()
        self.assign(name, value)
        return self.name(name)

    def hold(self, value: ast.expr) -> tuple[ast.expr, ast.expr]:
        """Two expressions for one value: the first evaluates it, the second reads it again."""
        if isinstance(value, ast.Constant | ast.Name):
            return value, value
        if isinstance(value, ast.NamedExpr):
            return value, self.name(value.target.id)
        name = self.function.temporary()
        return self.walrus(name, value), self.name(name)

    def block(self, node: Node, destination: Destination) -> list[ast.stmt]:
        """Emit a node into a list of statements of its own."""
        outer, self.out = self.out, []
        self.into(node, destination)
        made, self.out = self.out, outer
        return made


def _point(source: Source, offset: int) -> tuple[int, int]:
    """The line of an offset, and its column as Python wants it, in UTF-8 bytes from 0."""
    line, column = source.position(offset)
    if source.text.isascii():
        return line, column - 1
    return line, len(source.line(line)[: column - 1].encode("utf-8", "surrogatepass"))
