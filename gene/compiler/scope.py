"""Scopes: which variable a name means, and what Python calls it.

Gene has block scopes and Python has function scopes, so a variable of a block gets a Python name of its
own.
"""

from __future__ import annotations

from gene.compiler.masks import ALL
from gene.data.names import python_name

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.nodes import Fn, Node


class Global:
    """A name of the module or of the language.

    Attributes:
        name: The name in Gene.
        python: The name in Python.
        declared: Whether the module declares it.
        constant: Whether ``let`` declares it.
        assignments: How often the module assigns it, its definition included.
        function: The function that it names for good, or None.
        value: The node that it was assigned last.
        type: The node of its declared type, or None.
        unsure: Whether it is declared where it may not be evaluated, as in a loop.
    """

    __slots__ = (
        "assignments",
        "constant",
        "declared",
        "function",
        "name",
        "python",
        "type",
        "unsure",
        "value",
    )

    def __init__(self, name: str) -> None:
        self.name = name
        self.python = python_name(name)
        self.declared = self.constant = self.unsure = False
        self.assignments = 0
        self.function: Fn | None = None
        self.value: Node | None = None
        self.type: Node | None = None


class Variable:
    """A local variable.

    Attributes:
        name: The name in Gene.
        python: The name in Python.
        function: The function that it belongs to.
        looped: Whether each turn of a loop has its own.
        constant: Whether ``let`` declared it.
        assignments: How often it is assigned, its declaration included.
        captured: Whether an inner function mentions it.
        inner: Whether an inner function assigns it.
        early: Whether an inner function mentions it before it has its value.
        ready: Whether its declaration has been seen.
        unset: Whether it may be read before it is assigned.
        type: The node of its declared type, or None.
        definition: The function that a ``fn`` form gives it, or None.
        value: The node that it was assigned last.
        reads: How often it is read.
        evaluated: How often it is read just to be evaluated where a macro was called.
        members: How often it is read just for a member of that name, or to assign one.
        exposed: Whether code that is made at run time may assign it.
        known: The kinds of values that it has at any time, for one that an inner function assigns.
        fields: The kinds of values that each entry has, for a map that nobody else gets to see.
    """

    __slots__ = (
        "assignments",
        "captured",
        "constant",
        "definition",
        "early",
        "evaluated",
        "exposed",
        "fields",
        "function",
        "inner",
        "known",
        "looped",
        "members",
        "name",
        "python",
        "reads",
        "ready",
        "type",
        "unset",
        "value",
    )

    def __init__(self, name: str, python: str, function: Function, *, looped: bool = False) -> None:
        self.name = name
        self.python = python
        self.function = function
        self.looped = looped
        self.constant = False
        self.assignments = 0
        self.captured = False
        self.inner = False
        self.early = False
        self.ready = True
        self.unset = False
        self.type: Node | None = None
        self.definition: Fn | None = None
        self.value: Node | None = None
        self.reads = self.members = self.evaluated = 0
        self.exposed = False
        self.known = 0
        self.fields: dict[str, int] | None = None

    @property
    def renewed(self) -> bool:
        """Whether inner functions must be given this turn's variable, because the next turn has another."""
        return self.looped and self.captured

    @property
    def boxed(self) -> bool:
        """Whether the variable lives in a box that inner functions share."""
        return self.renewed and (self.assignments > 1 or self.inner or self.early)


class Parameter:
    """A parameter of a function.

    Attributes:
        variable: The variable that it is inside of the function.
        kind: "positional", "rest", "keyword" or "keywords".
        default: The node of its default, or None.
        type: The node of its declared type, or None where every value passes.
        type_text: The declared type as it is written, or None.
    """

    __slots__ = ("default", "kind", "type", "type_text", "variable")

    def __init__(
        self, variable: Variable, kind: str, default: Node | None, type_: Node | None, type_text: str | None
    ) -> None:
        self.variable = variable
        self.kind = kind
        self.default = default
        self.type = type_
        self.type_text = type_text


class Function:
    """What becomes one Python function: a ``fn``, a method, or the top level of a module.

    Attributes:
        name: Its name in Gene, "" for an anonymous one.
        parent: The function around it, or None.
        parameters: Its parameters in order.
        variables: All its variables, those of inner blocks included.
        captures: The variables of outer functions that it or an inner function mentions.
        globals: The global names that it mentions itself.
        properties: The metadata and contracts written before the parameter list.
        result: The node of its declared result type, or None.
        result_mask: The kinds of values that it can return, as far as is known.
        names: How often each name is taken among the functions around and inside of it.
        bounces: Whether it has a tail call that must not grow the stack.
        repeats: Whether a tail call of itself is a loop.
        known: The global that names it for good, or None.
        receiver: The variable of self in a method, else None.
        caller: The variable of the caller's environment in a macro, else None.
        loops: How many loops are around the form being analysed.
        unsure: How many forms are around it that may leave early and go on behind themselves.
    """

    __slots__ = (
        "bounces",
        "caller",
        "captures",
        "generator",
        "globals",
        "known",
        "loops",
        "method",
        "name",
        "names",
        "owner",
        "parameters",
        "parent",
        "properties",
        "receiver",
        "repeats",
        "result",
        "result_mask",
        "unsure",
        "variables",
    )

    def __init__(self, name: str, parent: Function | None) -> None:
        self.name = name
        self.parent = parent
        self.parameters: list[Parameter] = []
        self.variables: list[Variable] = []
        self.captures: dict[Variable, None] = {}
        self.globals: dict[str, Global] = {}
        self.properties: dict[str, Any] = {}
        self.result: Node | None = None
        self.result_mask = ALL
        self.names: dict[str, int] = {}
        if parent is not None:
            self.names = parent.names if parent.parent is not None else dict(parent.names)
        self.loops = 0
        self.unsure = 0
        self.bounces = False
        self.repeats = False
        self.generator = False
        self.known: Global | None = None
        self.receiver: Variable | None = None
        self.caller: Variable | None = None
        self.owner: Any = parent.owner if parent is not None else None
        self.method: str | None = parent.method if parent is not None else None

    def add(self, name: str, python: str, *, looped: bool = False) -> Variable:
        """A new variable of this function."""
        variable = Variable(name, python, self, looped=looped)
        self.variables.append(variable)
        return variable

    def temporary(self, hint: str = "t") -> str:
        """A Python name that nothing else has."""
        count = self.names.get("%", 0) + 1
        self.names["%"] = count
        return f"%{hint}{count}"

    def unique(self, name: str) -> str:
        """A Python name for a variable of a block."""
        count = self.names.get(name, 0) + 1
        self.names[name] = count
        return f"{python_name(name)}%{count}"


class Scope:
    """A block: the variables that it declares, and the block around it.

    Attributes:
        function: The function that it is part of.
        parent: The block around it, or None.
        looped: Whether it is entered again and again, with variables of its own each time.
        names: Its variables by name.
    """

    __slots__ = ("_loops", "_unsure", "function", "looped", "names", "parent")

    def __init__(self, function: Function, parent: Scope | None, *, looped: bool = False) -> None:
        self.function = function
        self.parent = parent
        self.looped = looped
        self.names: dict[str, Variable] = {}
        self._loops = function.loops
        self._unsure = function.unsure

    def repeated(self) -> bool:
        """Whether what is analysed now may run many times, or not at all, in one run of the block."""
        return self.function.loops > self._loops or self.function.unsure > self._unsure

    def find(self, name: str) -> Variable | None:
        """The variable that a name means here, or None for a global name."""
        scope: Scope | None = self
        while scope is not None:
            variable = scope.names.get(name)
            if variable is not None:
                return variable
            scope = scope.parent
        return None
