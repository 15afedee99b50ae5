"""A registered tool: its definition and how to call it, decided once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ai_tools.errors import InvalidDefinitionError
from ai_tools.schema import check_parameters
from ai_tools.types import ChatTool, ExecutionContext, ToolDefinition, no_parameters
from ai_tools.validation import Validator

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_NAME = 512
_CO_COROUTINE = 0x80  # inspect.CO_COROUTINE; inspect is too dear to import for it
_CONTEXTS = frozenset({"ExecutionContext", "ToolContext"})


class Tool:
    """A tool as a registry holds it. Build one with `make`, `of_object`, `of_mapping` or `of_function`.

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
        _check_name(definition.name)
        if not isinstance(definition.description, str):
            raise _invalid(definition.name, "description must be a string")
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
            raise _invalid(
                self.name, "an isolated tool must be an ordinary function, not an asynchronous one"
            )
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


def make(
    name: str,
    description: str,
    parameters: Any,
    handler: Callable[..., Any],
    *,
    strict: bool = False,
    tags: Any = (),
    annotations: Mapping[str, Any] | None = None,
    returns: dict[str, Any] | None = None,
    **options: Any,
) -> Tool:
    """Return a tool whose handler takes one dict of arguments.

    Args:
        name: The tool's name.
        description: What it does, for the model.
        parameters: A JSON Schema, or the short list form (see `ai_tools.parameters`), or None for no
            parameters.
        handler: Called as ``handler(args)``; as ``handler(args, context)`` if a parameter of it is annotated
            `ExecutionContext` or `ToolContext`.
        strict: Whether providers are asked to enforce the schema strictly.
        tags: Labels to filter by.
        annotations: Hints, as in MCP.
        returns: JSON Schema of the result.
        **options: `timeout`, `max_result`, `isolated`, `sequential` of `Tool`.

    Raises:
        InvalidDefinitionError: Something of this is not as it has to be.
    """
    from ai_tools.parameters import to_schema

    _check_name(name)
    if not callable(handler):
        raise _invalid(name, f"handler must be callable, not {type(handler).__name__}")
    definition = ToolDefinition(
        name,
        description,
        to_schema(parameters, name),
        strict=strict,
        tags=tags,
        annotations=annotations,
        returns=returns,
    )
    invoke, takes_context = _with_context(handler)
    return Tool(definition, invoke, takes_context=takes_context, source=handler, **options)


def of_object(tool: Any, **options: Any) -> Tool:
    """Return the tool that an object is.

    Args:
        tool: It has name, description, parameters and execute, or name, get_schema and execute.
        **options: As for `make`; attributes of the object with these names serve as well.

    Raises:
        InvalidDefinitionError: A member is missing or of the wrong kind.
    """
    described = callable(getattr(tool, "get_schema", None))
    needed = ("name", "execute") if described else ("name", "description", "parameters", "execute")
    missing = [member for member in needed if not hasattr(tool, member)]
    name = getattr(tool, "name", "")
    if missing:
        kind = type(tool).__name__
        raise _invalid(name, f"{kind} lacks {' and '.join(repr(member) for member in missing)}")
    if isinstance(tool, type):
        raise _invalid(name, f"{tool.__name__} is a class; register an instance of it")
    if not callable(tool.execute):
        raise _invalid(name, "execute must be a method that takes the arguments")
    for option in (
        "timeout",
        "max_result",
        "isolated",
        "sequential",
        "strict",
        "tags",
        "annotations",
        "returns",
    ):
        if hasattr(tool, option):
            options.setdefault(option, getattr(tool, option))
    if described:
        return _of_schema(tool, options)
    return make(name, tool.description, tool.parameters, tool.execute, **options)


def _of_schema(tool: Any, options: dict[str, Any]) -> Tool:
    schema = tool.get_schema()
    function = schema.get("function") if isinstance(schema, Mapping) else None
    if not isinstance(function, Mapping):
        raise _invalid(tool.name, 'get_schema() must return {"type": "function", "function": {…}}')
    if function.get("name") != tool.name:
        raise _invalid(tool.name, f"get_schema() names it {function.get('name')!r}; the names must be equal")
    options.setdefault("strict", bool(function.get("strict")))
    description = str(function.get("description") or getattr(tool, "description", ""))
    return make(tool.name, description, function.get("parameters"), tool.execute, **options)


def of_mapping(tool: Mapping[str, Any], **options: Any) -> Tool:
    """Return the tool that a mapping describes.

    Args:
        tool: It has name, description and handler; parameters and the options of `make` if wanted.
        **options: More of its entries.

    Raises:
        InvalidDefinitionError: A key is missing or unknown, or a value is of the wrong kind.
    """
    entries = {**tool, **options}
    name = entries.get("name", "")
    missing = [key for key in ("name", "description", "handler") if entries.get(key) is None]
    if missing:
        raise _invalid(name, f"lacks {' and '.join(repr(key) for key in missing)}")
    unknown = entries.keys() - _KEYS
    if unknown:
        raise _invalid(name, f"has unknown entries: {', '.join(sorted(map(str, unknown)))}")
    entries.setdefault("parameters", None)
    return make(**entries)


_KEYS = frozenset(
    [
        "name",
        "description",
        "parameters",
        "handler",
        "strict",
        "tags",
        "annotations",
        "returns",
        "timeout",
        "max_result",
        "isolated",
        "sequential",
    ]
)


def of_function(function: Callable[..., Any], **options: Any) -> Tool:
    """Return a tool whose definition comes from a function's signature and docstring.

    Args:
        function: Its parameters are the tool's, except those annotated `ExecutionContext` or `ToolContext`.
        **options: `name` and `description` to replace the function's, and the options of `make`.

    Raises:
        InvalidDefinitionError: A parameter has no JSON form.
    """
    from ai_tools.signature import Binding, Signature, define

    signature = Signature(function, options.pop("name", None))
    behaviour = {
        k: options.pop(k) for k in ("timeout", "max_result", "isolated", "sequential") if k in options
    }
    return Tool(
        define(signature, **options),
        Binding(function, signature.name, signature),
        takes_context=True,
        is_async=is_coroutine_function(function),
        source=function,
        **behaviour,
    )


def check_timeout(timeout: Any, tool: str = "") -> float:
    """Return a timeout in seconds.

    Raises:
        InvalidDefinitionError: It is not a number above 0.
    """
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not timeout > 0:
        raise _invalid(tool, f"timeout must be a number of seconds above 0, not {timeout!r}")
    return float(timeout)


def is_coroutine_function(function: Any) -> bool:
    """Whether calling this makes a coroutine: an async def, or a method, partial or object of one."""
    while (inner := getattr(function, "func", None)) is not None:  # functools.partial
        function = inner
    method = getattr(function, "__call__", None)  # noqa: B004 - the method of an object is wanted
    code = getattr(function, "__code__", None) or getattr(method, "__code__", None)
    return bool(code is not None and code.co_flags & _CO_COROUTINE)


class _WithContext:
    """Calls a handler with arguments and context. A class, so that a worker process can receive it."""

    __slots__ = ("func", "wanted")

    def __init__(self, func: Callable[..., Any], wanted: dict[str, str]) -> None:
        self.func = func
        self.wanted = wanted

    def __call__(self, args: dict[str, Any], context: ExecutionContext) -> Any:
        return self.func(args, **context_arguments(self.wanted, context))


def _with_context(handler: Callable[..., Any]) -> tuple[Callable[..., Any], bool]:
    """Return what to call and whether it takes the execution context."""
    annotations = getattr(handler, "__annotations__", None) or {}
    wanted = {
        name: kind for name, note in annotations.items() if name != "return" and (kind := context_kind(note))
    }
    return (_WithContext(handler, wanted), True) if wanted else (handler, False)


def context_kind(annotation: Any) -> str | None:
    """Return which hidden context an annotation asks for, None if it asks for none."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    for name in text.replace(" ", "").split("|"):
        if (bare := name.rpartition(".")[2]) in _CONTEXTS:
            return bare
    return None


def context_arguments(wanted: Mapping[str, str], context: ExecutionContext) -> dict[str, Any]:
    """Return the hidden arguments of a handler, by parameter name."""
    return {
        parameter: context if kind == "ExecutionContext" else context.agent
        for parameter, kind in wanted.items()
    }


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or not name.strip():
        raise _invalid("", f"name must be a string that is not blank, not {name!r}")
    if len(name) > _MAX_NAME or not name.isprintable():
        raise _invalid(name[:80], f"name must have at most {_MAX_NAME} printable characters")


def _invalid(name: Any, reason: str) -> InvalidDefinitionError:
    name = name if isinstance(name, str) else ""
    return InvalidDefinitionError(
        f"Invalid tool {name!r}: {reason}" if name else f"Invalid tool: {reason}", tool=name
    )


__all__ = [
    "Tool",
    "check_timeout",
    "context_arguments",
    "context_kind",
    "is_coroutine_function",
    "make",
    "no_parameters",
    "of_function",
    "of_mapping",
    "of_object",
]
