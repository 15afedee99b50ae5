"""Names: which variable each name is, in which block and function it stands, and who mentions it."""

from __future__ import annotations

from gene.compiler.nodes import Const, GlobalGet, LocalGet, LocalSet, Member, Node, Run
from gene.compiler.scope import Function, Global, Scope, Variable
from gene.data.names import python_name

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from gene.data.source import Span

    Space = tuple[Variable, dict[str, None], "Space | None", str]
    """The variable that holds a namespace, its members, the namespace around, and its path."""


class Names:
    """Knows the names of one source, and where in it the analysis is.

    Attributes:
        globals: The names of the module, as far as this source mentions them.
        top: The function that the top level becomes.
        function: The function being analysed.
        scope: The block being analysed.
        space: The namespace around, or None for that of the module.
        outer: The variables of the place that evaluated code belongs to.
    """

    def __init__(self, outer: frozenset[str]) -> None:
        self.globals: dict[str, Global] = {}
        self.top = Function("<module>", None)
        self.function = self.top
        self.scope = Scope(self.top, None)
        self.space: Space | None = None
        self.outer = outer

    # -- what a name means ----------------------------------------------------------------------------

    def read(self, name: str, span: Span | None) -> Node:
        """The value of a name: of a local variable, of the module, or of the language."""
        variable = self.scope.find(name)
        if variable is None and self.space is not None:
            space = self.space_of(name)
            if space is not None:
                self.mention(space)
                return Member(span, LocalGet(span, space), name, None)
        if variable is None and name in self.outer:
            return Run(span, "environment_get", [self.read("%place", span), Const(span, name)])
        if variable is None:
            return GlobalGet(span, self.name(name))
        self.mention(variable)
        variable.reads += 1
        return LocalGet(span, variable)

    def space_of(self, name: str) -> Variable | None:
        """The variable of the innermost namespace around that has a member of this name."""
        space = self.space
        while space is not None:
            variable, names, space, _ = space
            if name in names:
                return variable
        return None

    def self_node(self, span: Span | None) -> Node:
        """The receiver of the method around; nil outside of methods."""
        variable = self.scope.find("self")
        if variable is None and "self" in self.outer:
            return Run(span, "environment_get", [self.read("%place", span), Const(span, "self")])
        if variable is None:
            return Const(span, None)
        self.mention(variable)
        return LocalGet(span, variable)

    def in_method(self) -> bool:
        """Whether self means something here."""
        return self.scope.find("self") is not None or "self" in self.outer

    def is_known(self, name: str) -> bool:
        """Whether a variable of this name has been defined so far."""
        return self.scope.find(name) is not None or name in self.outer or name in self.globals

    def is_language_name(self, name: str) -> bool:
        """Whether a name means what the language gives it: nothing here declares or assigns it."""
        known = self.globals.get(name)
        return self.scope.find(name) is None and (known is None or not known.assignments)

    def name(self, name: str) -> Global:
        """The global of that name, mentioned in the current function."""
        known = self.globals.get(name)
        if known is None:
            known = self.globals[name] = Global(name)
        self.function.globals[known.python] = known
        return known

    def internal(self, name: str, span: Span | None) -> Node:
        """The value of a name of the compiler's own, which no program can spell."""
        known = Global(name)
        known.python = name
        self.function.globals[name] = known
        return GlobalGet(span, known)

    def mention(self, variable: Variable) -> None:
        """Note that the current function mentions a variable, perhaps one of a function around it."""
        function: Function | None = self.function
        if function is variable.function:
            return
        variable.captured = True
        if not variable.ready:
            variable.early = True
        while function is not None and function is not variable.function:
            function.captures[variable] = None
            function = function.parent

    # -- declarations --------------------------------------------------------------------------------

    def at_top(self) -> bool:
        """Whether a variable declared here belongs to the module."""
        return self.function is self.top and self.scope.parent is None

    def declare(self, name: str, *, parameter: bool = False) -> Variable:
        """A local variable of the current block; the same one again where the block has it already."""
        known = self.scope.names.get(name)
        if known is not None:
            return known
        function, scope = self.function, self.scope
        plain = (parameter and not self._means_another(name)) or (
            not parameter
            and scope.find(name) is None
            and name not in function.globals
            and scope.parent is not None
            and scope.parent.function is not function
            and name not in function.names
        )
        python = python_name(name) if plain else function.unique(name)
        variable = function.add(name, python, looped=scope.looped)
        scope.names[name] = variable
        return variable

    def _means_another(self, name: str) -> bool:
        """Whether a default of the current function has used a name for something outside."""
        function = self.function
        return name in function.globals or any(each.name == name for each in function.captures)

    def declare_own(self, name: str) -> Variable:
        """A parameter of the compiler's own, which the function is always given."""
        variable = self.scope.names[name] = self.function.add(name, name)
        variable.assignments = 1
        return variable

    def assign_local(self, variable: Variable, value: Node, span: Span | None, *, fresh: bool) -> LocalSet:
        """An assignment to a local variable, noted on the variable."""
        variable.assignments += 1
        variable.value = value
        variable.ready = True
        self.mention(variable)
        if variable.function is not self.function:
            variable.inner = True
        if fresh and (self.scope.repeated() or (variable.looped and variable.early)):
            variable.unset = True
            fresh = not variable.looped  # the block makes it, and this only assigns it
        return LocalSet(span, variable, value, fresh)

    def temporary(self, value: Node) -> tuple[Node, Variable]:
        """A variable of the compiler's own that holds a value, and the node that assigns it."""
        variable = self.function.add("", self.function.temporary())
        variable.assignments = 1
        return LocalSet(value.span, variable, value, True), variable

    # -- blocks and functions ------------------------------------------------------------------------

    def block(self, *, looped: bool = False) -> _Within:
        """A context in which declarations belong to an inner block; ``looped`` for a turn of a loop."""
        inside = looped or self.scope.looped or self.function.loops > 0
        return _Within(self, self.function, Scope(self.function, self.scope, looped=inside))

    def within(self, function: Function) -> _Within:
        """A context in which forms belong to an inner function."""
        return _Within(self, function, Scope(function, self.scope))


class _Within:
    """Makes a function and a scope current for the length of a with statement."""

    __slots__ = ("function", "names", "scope")

    def __init__(self, names: Names, function: Function, scope: Scope) -> None:
        self.names = names
        self.function = function
        self.scope = scope

    def __enter__(self) -> Scope:
        self._swap()
        return self.names.scope

    def __exit__(self, *_exception: object) -> None:
        self._swap()

    def _swap(self) -> None:
        names = self.names
        names.function, self.function = self.function, names.function
        names.scope, self.scope = self.scope, names.scope
