"""A registered tool: its definition and how to call it, decided once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.errors import InvalidDefinitionError
from ai_tools.schema import check_parameters
from ai_tools.types import ChatTool, ExecutionContext, ToolDefinition
from ai_tools.validation import Validator

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_MAX_NAME = 512
_CO_COROUTINE = 0x80  # inspect.CO_COROUTINE; inspect is too dear to import for it
_CONTEXTS = frozenset({"ExecutionContext", "ToolContext"})


class Tool:
    """A tool as a registry holds it. `ai_tools.making` builds them of all that can be registered.

    Attributes:
        definition: What a model is told.
        invoke: Takes the validated arguments as a dict, and the `ExecutionContext` if `takes_context`.
        takes_context: Whether `invoke` takes the context as its second argument.
        is_async: Whether `invoke` is a coroutine function.
        timeout: Seconds one call may take; None for the registry's default.
        max_result: Characters of result text that reach the model; None for the registry's default.
        isolated: Whether calls run in a worker process, which is killed when time is up.
        sequential: Whether the tool never runs beside another call of the same batch.
        validator: Checks arguments.
        source: The object, function or handler it was made of.
    """

    __slots__ = (
        "definition",
        "invoke",
        "is_async",
        "isolated",
        "max_result",
        "name",
        "sequential",
        "source",
        "takes_context",
        "timeout",
        "validator",
    )
    gene_kind = "ai_tools.gene_bindings.kinds:TOOL"

    def __init__(
        self,
        definition: ToolDefinition,
        invoke: Callable[..., Any],
        *,
        takes_context: bool = False,
        is_async: bool | None = None,
        timeout: float | None = None,
        max_result: int | None = None,
        isolated: bool = False,
        sequential: bool = False,
        source: Any = None,
    ) -> None:
        check_name(definition.name)
        if not isinstance(definition.description, str):
            raise invalid(definition.name, "description must be a string")
        check_parameters(definition.parameters, definition.name)
        self.definition = definition
        self.name = definition.name
        self.invoke = invoke
        self.takes_context = takes_context
        self.is_async = is_coroutine_function(invoke) if is_async is None else is_async
        self.timeout = None if timeout is None else check_timeout(timeout, definition.name)
        self.max_result = max_result
        self.isolated = isolated
        self.sequential = sequential
        self.validator = Validator(definition.parameters, definition.name)
        self.source = invoke if source is None else source
        if isolated:
            self._check_isolated()

    def _check_isolated(self) -> None:
        if self.is_async:
            raise invalid(self.name, "an isolated tool must be an ordinary function, not an asynchronous one")
        from ai_tools.isolation import dump_call

        dump_call(self, {}, ExecutionContext())

    @property
    def description(self) -> str:
        """What the tool does, for the model."""
        return self.definition.description

    @property
    def parameters(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""
        return self.definition.parameters

    def get_schema(self) -> ChatTool:
        """Return the tool in the OpenAI function format."""
        return self.definition.to_chat_tool()

    def execute(self, args: dict[str, Any]) -> Any:
        """Call the tool as it is, without validation and limits; a registry's calls have both."""
        return self.invoke(args, ExecutionContext()) if self.takes_context else self.invoke(args)

    def renamed(self, name: str) -> Tool:
        """Return the same tool under another name."""
        old = self.definition
        definition = ToolDefinition(
            name,
            old.description,
            old.parameters,
            strict=old.strict,
            tags=old.tags,
            annotations=old.annotations,
            returns=old.returns,
        )
        options = {
            key: getattr(self, key)
            for key in ("takes_context", "is_async", "timeout", "max_result", "source")
        }
        return Tool(definition, self.invoke, isolated=self.isolated, sequential=self.sequential, **options)

    def __repr__(self) -> str:
        return f"<Tool {self.name}>"


def check_timeout(timeout: Any, tool: str = "") -> float:
    """Return a timeout in seconds.

    Raises:
        InvalidDefinitionError: It is not a number above 0.
    """
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not timeout > 0:
        raise invalid(tool, f"timeout must be a number of seconds above 0, not {timeout!r}")
    return float(timeout)


def is_coroutine_function(function: Any) -> bool:
    """Whether calling this makes a coroutine: an async def, or a method, partial or object of one."""
    while (inner := getattr(function, "func", None)) is not None:  # functools.partial
        function = inner
    method = getattr(function, "__call__", None)  # noqa: B004 - the method of an object is wanted
    code = getattr(function, "__code__", None) or getattr(method, "__code__", None)
    return bool(code is not None and code.co_flags & _CO_COROUTINE)


def context_kind(annotation: Any) -> str | None:
    """Return which hidden context an annotation asks for, None if it asks for none."""
    text = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    for name in text.replace(" ", "").replace("Optional[", "").replace("]", "").split("|"):
        if (bare := name.rpartition(".")[2]) in _CONTEXTS:
            return bare
    return None


def context_arguments(wanted: Mapping[str, str], context: ExecutionContext) -> dict[str, Any]:
    """Return the hidden arguments of a handler, by parameter name."""
    return {
        parameter: context if kind == "ExecutionContext" else context.agent
        for parameter, kind in wanted.items()
    }


def check_name(name: Any) -> None:
    """Check a tool's name.

    Raises:
        InvalidDefinitionError: It is not a string, blank, too long or not printable.
    """
    if not isinstance(name, str) or not name.strip():
        raise invalid("", f"name must be a string that is not blank, not {name!r}")
    if len(name) > _MAX_NAME or not name.isprintable():
        raise invalid(name[:80], f"name must have at most {_MAX_NAME} printable characters")


def invalid(name: Any, reason: str) -> InvalidDefinitionError:
    """Return the error of a tool that cannot be registered."""
    name = name if isinstance(name, str) else ""
    return InvalidDefinitionError(
        f"Invalid tool {name!r}: {reason}" if name else f"Invalid tool: {reason}", tool=name
    )
