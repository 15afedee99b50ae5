"""The nodes between forms and Python syntax: what a program means, with names resolved.

A node knows its span, for errors and tracebacks, and its mask (:mod:`gene.compiler.masks`), the kinds of
values that it can have; the flow analysis fills the masks in. These are plain classes with slots, because
a short program should not wait for the machinery of generated ones to be imported.
"""

from __future__ import annotations

from gene.compiler.masks import ALL

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.scope import Function, Global, Variable
    from gene.data.source import Span


class Node:
    """The base of all nodes. Subclasses list their fields in ``__slots__``, in the order of construction."""

    __slots__ = ("mask", "span")

    span: Span | None
    mask: int

    def __init__(self, span: Span | None, *fields: Any) -> None:
        self.span = span
        self.mask = ALL
        for name, value in zip(self.__slots__, fields, strict=True):
            setattr(self, name, value)


class Const(Node):
    """A constant that Python code can hold: nil, a bool, an Int, a Float, a String."""

    __slots__ = ("value",)
    value: Any


class Builtin(Node):
    """A value of the runtime that no program can rename, such as void."""

    __slots__ = ("name",)
    name: str


class Literal(Node):
    """A literal made once a module: ``make`` names the runtime function, ``args`` are its constants."""

    __slots__ = ("args", "make")
    args: tuple[Any, ...]
    make: str


class Quoted(Node):
    """Quoted data, encoded as constants (:mod:`gene.data.encoding`), and made anew at each evaluation."""

    __slots__ = ("encoded",)
    encoded: Any


class LocalGet(Node):
    """The value of a local variable."""

    __slots__ = ("variable",)
    variable: Variable


class LocalSet(Node):
    """An assignment to a local variable; ``fresh`` when it declares the variable."""

    __slots__ = ("variable", "value", "fresh")  # noqa: RUF023 - the order of construction
    variable: Variable
    value: Node
    fresh: bool


class GlobalGet(Node):
    """The value of a name of the module, or else of the language."""

    __slots__ = ("name",)
    name: Global


class GlobalSet(Node):
    """An assignment to a name of the module."""

    __slots__ = ("name", "value")
    name: Global
    value: Node


class Member(Node):
    """One step of a path: ``key`` is a String, an Int or a node; ``fallback`` indexes arrays if it misses."""

    __slots__ = ("object", "key", "fallback")  # noqa: RUF023 - the order of construction
    object: Node
    key: Any
    fallback: Node | None


class SelfMember(Node):
    """A property of self inside of a method."""

    __slots__ = ("object", "name")  # noqa: RUF023 - the order of construction
    object: Node
    name: str


class SetMember(Node):
    """An assignment to a step of a path. ``operator`` is None, or the operator of a compound assignment."""

    __slots__ = ("object", "key", "value", "operator")  # noqa: RUF023 - the order of construction
    object: Node
    key: Any
    value: Node
    operator: str | None


class SetSelf(Node):
    """An assignment to a property of self."""

    __slots__ = ("object", "name", "value")  # noqa: RUF023 - the order of construction
    object: Node
    name: str
    value: Node


class Run(Node):
    """A call of a runtime function by name, with all arguments evaluated in order."""

    __slots__ = ("function", "args")  # noqa: RUF023 - the order of construction
    function: str
    args: list[Node]


class Spread(Node):
    """An argument, element or map whose items are spread."""

    __slots__ = ("value",)
    value: Node


class TailCall(Node):
    """The base of calls that may be a function's last; ``how`` says how that is made, "" for as any other.

    "repeat" runs the function's body again, "bounce" hands the call to the caller
    (:mod:`gene.compiler.tails`).
    """

    __slots__ = ("how",)
    how: str

    def __init__(self, span: Span | None, *fields: Any) -> None:
        super().__init__(span, *fields)
        self.how = ""


class Call(TailCall):
    """A call; ``keywords`` are pairs of a name (None for a spread map) and a node, evaluated first."""

    __slots__ = ("callee", "args", "keywords")  # noqa: RUF023 - the order of construction
    callee: Node
    args: list[Node]
    keywords: list[tuple[str | None, Node]]


class Send(TailCall):
    """A method call; ``method`` is a String, or a node for a computed name.

    ``direct`` says that the receiver is an instance of a known class that has the method.
    """

    __slots__ = ("receiver", "method", "args", "keywords", "direct")  # noqa: RUF023 - the order of construction
    direct: bool
    receiver: Node
    method: Any
    args: list[Node]
    keywords: list[tuple[str | None, Node]]


class Super(TailCall):
    """A call of the parent's method or constructor."""

    __slots__ = ("owner", "receiver", "method", "args", "keywords")  # noqa: RUF023 - order of construction
    owner: Node
    receiver: Node
    method: str
    args: list[Node]
    keywords: list[tuple[str | None, Node]]


class Binary(Node):
    """``+ - * / %``; ``wording`` picks the error text: "values", "variable" or "increment"."""

    __slots__ = ("operator", "left", "right", "wording")  # noqa: RUF023 - the order of construction
    operator: str
    left: Node
    right: Node
    wording: str


class Compare(Node):
    """``< <= > >=``."""

    __slots__ = ("operator", "left", "right")  # noqa: RUF023 - the order of construction
    operator: str
    left: Node
    right: Node


class Equal(Node):
    """``==`` and ``!=``. ``numeric`` where a variable meets a number literal: Ints equal Floats there."""

    __slots__ = ("left", "right", "negated", "numeric")  # noqa: RUF023 - the order of construction
    left: Node
    right: Node
    negated: bool
    numeric: bool


class Logic(Node):
    """``&&`` and ``||``; the right side is not evaluated where it cannot matter."""

    __slots__ = ("operator", "left", "right")  # noqa: RUF023 - the order of construction
    operator: str
    left: Node
    right: Node


class Not(Node):
    """``not``: bitwise on an Int, else by truth."""

    __slots__ = ("value",)
    value: Node


class Interpolation(Node):
    """An interpolated string; the parts are Strings and nodes, ``text`` names what makes text of a value."""

    __slots__ = ("parts", "text")
    parts: list[Any]
    text: str


class Array(Node):
    """An array literal; ``frozen`` for ``#[…]``."""

    __slots__ = ("items", "frozen")  # noqa: RUF023 - the order of construction
    items: list[Node]
    frozen: bool


class Map(Node):
    """A map literal: pairs of a key (None for a spread map) and a node."""

    __slots__ = ("entries", "frozen")
    entries: list[tuple[str | None, Node]]
    frozen: bool


class Block(Node):
    """Nodes in order; the value is that of the last, nil when there is none."""

    __slots__ = ("items",)
    items: list[Node]


class If(Node):
    """A choice; both branches are nodes."""

    __slots__ = ("test", "then", "otherwise")  # noqa: RUF023 - the order of construction
    test: Node
    then: Node
    otherwise: Node


class Loop(Node):
    """``while`` (with a test) and ``loop`` (without one, its value is that of ``break``).

    ``first`` holds the comparison that is evaluated first, if the flow analysis wants it checked beforehand.
    """

    __slots__ = ("test", "body", "label", "first")  # noqa: RUF023 - the order of construction
    first: list[Compare]
    test: Node | None
    body: Node
    label: str | None


class For(Node):
    """``for`` and ``repeat``.

    ``kind`` is "items", "pairs", "range" or "times"; ``source`` the nodes that make the sequence; ``key`` and
    ``item`` the variables, each None where there is none; ``unpack`` what takes an item apart, or None.
    """

    __slots__ = ("kind", "source", "key", "item", "unpack", "body", "label")  # noqa: RUF023
    kind: str
    source: list[Node]
    key: Variable | None
    item: Variable | None
    unpack: Node | None
    body: Node
    label: str | None


class Break(Node):
    """``break``, with a value or nil."""

    __slots__ = ("value", "label")  # noqa: RUF023 - the order of construction
    value: Node | None
    label: str | None


class Continue(Node):
    """``continue``."""

    __slots__ = ("label",)
    label: str | None


class Return(Node):
    """``return``."""

    __slots__ = ("value",)
    value: Node


class Fn(Node):
    """A function: its scope, which knows parameters and variables, and its body."""

    __slots__ = ("function", "body")  # noqa: RUF023 - the order of construction
    function: Function
    body: Node


class Clause:
    """One ``catch``: what it matches (a node for a class, None for any) and the variable that it binds."""

    __slots__ = ("body", "pattern", "variable")

    def __init__(self, pattern: Node | None, variable: Variable | None, body: Node) -> None:
        self.pattern = pattern
        self.variable = variable
        self.body = body


class Try(Node):
    """``try``; ``caught`` is the variable that holds the exception inside of the clauses."""

    __slots__ = ("body", "clauses", "caught", "finally_")  # noqa: RUF023 - the order of construction
    body: Node
    clauses: list[Clause]
    caught: Variable
    finally_: Node | None


class Yield(Node):
    """``yield``: hand out a value and wait to be asked for the next one."""

    __slots__ = ("value",)
    value: Node


class Throw(Node):
    """``throw``."""

    __slots__ = ("value",)
    value: Node


class Class(Node):
    """A class: name, parent, interfaces, methods, constructor, and the properties that it names.

    With ``adapts`` it is what an adapter of that interface for the parent does. ``fields`` are the declared
    types of properties, which are not checked at run time.
    """

    __slots__ = (  # noqa: RUF023 - the order of construction
        "name",
        "parent",
        "methods",
        "constructor",
        "properties",
        "interfaces",
        "adapts",
        "fields",
    )
    name: str
    parent: Node | None
    methods: list[tuple[str, Fn]]
    constructor: Fn | None
    properties: list[str]
    interfaces: list[Node]
    adapts: Node | None
    fields: dict[str, Node | None]


class Environment(Node):
    """The visible variables of a place, as functions that read and assign them; ``outer`` is one around.

    ``spaces`` are the namespaces around, the innermost last; ``top`` says that the place is the top level of
    the module, where definitions become members of it.
    """

    __slots__ = ("function", "variables", "outer", "spaces", "top")  # noqa: RUF023 - order of construction
    function: Function
    variables: dict[str, Variable]
    outer: Node | None
    spaces: list[Node]
    top: bool


class MacroCall(Node):
    """A call of a macro: for each argument the encoded data and a function that evaluates it.

    In the place of a function stands nil where the data is no code. The last arguments have names.
    """

    __slots__ = ("callee", "environment", "data", "thunks", "names")  # noqa: RUF023 - order of construction
    callee: Node
    environment: Environment
    data: list[Any]
    thunks: list[Node]
    names: list[str]
