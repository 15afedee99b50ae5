"""The registry of tools: what is there, what is enabled, and calls by name.

The registered state is an immutable snapshot that writers replace under a lock. Readers take whatever
snapshot is current: they never wait, never see a half-made change, and can share one registry between any
number of threads.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, TypeVar, overload

from ai_tools import execution
from ai_tools.errors import (
    AlreadyExistsError,
    InvalidArgumentsError,
    NotAvailableError,
    NotFoundError,
    ToolError,
)
from ai_tools.making import as_tool, make
from ai_tools.tool import Tool, check_timeout
from ai_tools.types import ToolCall, ToolResult

if TYPE_CHECKING:
    import builtins
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ai_tools.types import ChatTool, ExecutionContext, ToolDefinition

    Function = TypeVar("Function", bound=Callable[..., Any])
    Built = TypeVar("Built")


class _State:
    """A snapshot: all tools in the order of registration, the enabled ones, what was built of those."""

    __slots__ = ("built", "disabled", "enabled", "tools")

    def __init__(self, tools: dict[str, Tool], disabled: frozenset[str] = frozenset()) -> None:
        self.tools = tools
        self.enabled = (
            {name: tool for name, tool in tools.items() if name not in disabled} if disabled else tools
        )
        self.disabled = disabled
        self.built: dict[Any, Any] = {}


class ToolRegistry:
    """A set of tools by name.

    Args:
        tools: Tools to begin with; each as for `register`.
        timeout: Seconds a call may take where neither the tool nor the call says.
        max_result: Characters of a result that reach the model; longer ones are cut in the middle.
    """

    gene_kind = "ai_tools.gene_bindings.kinds:REGISTRY"

    def __init__(
        self,
        tools: Iterable[Any] = (),
        *,
        timeout: float = execution.DEFAULT_TIMEOUT,
        max_result: int = execution.DEFAULT_MAX_RESULT,
    ) -> None:
        self.timeout = check_timeout(timeout)
        self.max_result = max_result
        self._lock = threading.Lock()
        self._state = _State({})
        self.register_all(tools)

    # Registration

    def register(self, tool: Any, **options: Any) -> Tool:
        """Add a tool, enabled.

        Args:
            tool: A `Tool`; an object with name, description, parameters and execute, or with name, get_schema
                and execute; a mapping with name, description, parameters and handler; or a function, whose
                signature and docstring define it.
            **options: `timeout`, `max_result`, `isolated`, `sequential`, `strict`, `tags`, `annotations`,
                `returns`; for a function also `name` and `description`.

        Returns:
            The tool as registered.

        Raises:
            AlreadyExistsError: The name is taken; the registry is unchanged.
            InvalidDefinitionError: The tool is not complete, or its schema is not right.
        """
        made = as_tool(tool, **options)
        self._add([made])
        return made

    def add(
        self, name: str, description: str, parameters: Any, handler: Callable[..., Any], **options: Any
    ) -> Tool:
        """Add a tool of its parts: ``handler(args)`` takes the arguments as one dict.

        Args:
            name: The tool's name.
            description: What it does, for the model.
            parameters: A JSON Schema, the short list form, or None or empty for none.
            handler: An ordinary or a coroutine function.
            **options: As for `register`.

        Raises:
            AlreadyExistsError: The name is taken; the registry is unchanged.
            InvalidDefinitionError: A part is not right.
        """
        made = make(name, description, parameters, handler, **options)
        self._add([made])
        return made

    @overload
    def tool(self, function: Function) -> Function: ...
    @overload
    def tool(self, **options: Any) -> Callable[[Function], Function]: ...
    def tool(self, function: Any = None, **options: Any) -> Any:
        """Register the decorated function: ``@registry.tool`` or ``@registry.tool(timeout=5)``.

        Args:
            function: The function, which defines the tool by its signature and docstring.
            **options: As for `register`.
        """

        def decorate(function: Any) -> Any:
            self.register(function, **options)
            return function

        return decorate if function is None else decorate(function)

    def register_all(self, tools: Iterable[Any]) -> None:
        """Add several tools, or, if one of them is not right, none.

        Raises:
            AlreadyExistsError: A name is taken, or comes twice.
            InvalidDefinitionError: A tool is not right.
        """
        self._add([as_tool(tool) for tool in tools])

    def merge(self, other: ToolRegistry, prefix: str = "") -> None:
        """Add all tools of another registry, or none; the disabled stay so.

        Args:
            other: The registry to take from; it is not changed.
            prefix: Put before every name, so that tools of two servers can share a name.

        Raises:
            AlreadyExistsError: A name is taken.
        """
        state = other._state
        made = [tool.renamed(prefix + name) if prefix else tool for name, tool in state.tools.items()]
        self._add(made, disabled=frozenset(prefix + name for name in state.disabled))

    def edit(
        self, change: Callable[[dict[str, Tool]], object], *, disabled: frozenset[str] = frozenset()
    ) -> None:
        """Make several changes in one step: others see all of them or none.

        Args:
            change: Changes the dict it is given, the tools by name; what it raises leaves the registry as it
                was. It runs under the registry's lock and must not call other methods that change it.
            disabled: The names of tools to disable in the same step.
        """
        with self._lock:
            state = self._state
            tools = dict(state.tools)
            change(tools)
            self._state = _State(tools, (state.disabled | disabled) & tools.keys())

    def _add(self, added: Sequence[Tool], disabled: frozenset[str] = frozenset()) -> None:
        def change(tools: dict[str, Tool]) -> None:
            for tool in added:
                if tool.name in tools:
                    raise AlreadyExistsError(tool.name, _free_name(tool.name, tools))
                tools[tool.name] = tool

        self.edit(change, disabled=disabled)

    def unregister(self, name: str) -> None:
        """Remove a tool. A name that is not registered is left alone."""
        if name in self._state.tools:
            self.edit(lambda tools: tools.pop(name, None))

    def enable(self, name: str) -> None:
        """Offer a tool to models again.

        Raises:
            NotFoundError: No tool has this name.
        """
        self._switch(name, on=True)

    def disable(self, name: str) -> None:
        """Hide a tool from models and refuse calls of it. It stays registered.

        Raises:
            NotFoundError: No tool has this name.
        """
        self._switch(name, on=False)

    def _switch(self, name: str, *, on: bool) -> None:
        with self._lock:
            state = self._state
            if name not in state.tools:
                raise self._unknown(name)
            disabled = state.disabled
            if (name in disabled) is on:
                self._state = _State(state.tools, disabled - {name} if on else disabled | {name})

    # Looking things up

    def get(self, name: str) -> Tool | None:
        """Return a tool, None if there is none of this name."""
        return self._state.tools.get(name)

    def contains(self, name: str) -> bool:
        """Whether a tool of this name is registered."""
        return name in self._state.tools

    __contains__ = contains

    def __len__(self) -> int:
        return len(self._state.tools)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._state.tools.values())

    def is_enabled(self, name: str) -> bool:
        """Whether a tool of this name is registered and enabled."""
        return name in self._state.enabled

    def names(self, *, enabled_only: bool = False) -> tuple[str, ...]:
        """Return the names of the tools in the order of registration."""
        state = self._state
        return tuple(state.enabled if enabled_only else state.tools)

    def definitions(
        self, allowed_tools: Iterable[str] | None = None, *, enabled_only: bool = True
    ) -> tuple[ToolDefinition, ...]:
        """Return definitions in the order of registration.

        Args:
            allowed_tools: Names to keep; None keeps all. Names that are not registered are ignored.
            enabled_only: Whether disabled tools are left out.
        """
        state = self._state
        chosen = state.enabled if enabled_only else state.tools
        if allowed_tools is None:
            return tuple(tool.definition for tool in chosen.values())
        allowed = frozenset(allowed_tools)
        return tuple(tool.definition for name, tool in chosen.items() if name in allowed)

    def list(self) -> tuple[ToolDefinition, ...]:
        """Return the definitions of all tools, the disabled included, in the order of registration."""
        return self.definitions(enabled_only=False)

    def filter(self, keep: Callable[[Tool], bool] | Iterable[str]) -> ToolRegistry:
        """Return a new registry of some of the tools, with the same limits; it is independent of this one.

        Args:
            keep: A predicate, or the names to keep.
        """
        names = None if callable(keep) else frozenset(keep)
        state = self._state
        chosen = {n: t for n, t in state.tools.items() if (keep(t) if callable(keep) else n in (names or ()))}
        made = ToolRegistry(timeout=self.timeout, max_result=self.max_result)
        made._state = _State(chosen, state.disabled & chosen.keys())
        return made

    # Exports

    def get_enabled_schemas(self, allowed_tools: Iterable[str] | None = None) -> builtins.list[ChatTool]:
        """Return the enabled tools in the OpenAI function format, in the order of registration.

        The list is the caller's; its entries are shared with later calls until a tool changes.
        """
        if allowed_tools is not None:
            return [definition.to_chat_tool() for definition in self.definitions(allowed_tools)]
        return list(self.cached("chat", _chat_tools))

    def cached(self, key: Any, build: Callable[[tuple[ToolDefinition, ...]], Built]) -> Built:
        """Return what `build` makes of the enabled definitions, made once until a tool changes.

        Args:
            key: What is built, such as the name of a wire format; hashable.
            build: Takes the definitions. Its result is shared and must not be changed.
        """
        state = self._state
        if key not in state.built:
            state.built[key] = build(tuple(tool.definition for tool in state.enabled.values()))
        return state.built[key]  # type: ignore[no-any-return]  # made by `build`

    # Calls

    def call(
        self,
        name_or_call: str | ToolCall,
        args: Mapping[str, Any] | str | None = None,
        *,
        timeout: float | None = None,
        context: ExecutionContext | None = None,
    ) -> ToolResult:
        """Call a tool and wait for it. Never raises for what a model or a tool did wrong.

        Args:
            name_or_call: The tool's name, or a call that a model asked for.
            args: The arguments, as a mapping or as JSON text, where a name is given.
            timeout: Seconds it may take; None for the tool's or the registry's.
            context: Where the call runs, for tools that ask for it.

        Returns:
            The value and its text, or the typed error and its text.
        """
        tool, given, call_id = self._look_up(name_or_call, args)
        if tool is None:
            return execution.refused(given, call_id)
        return execution.perform(
            tool, given, self._limit(tool, timeout), tool.max_result or self.max_result, context, call_id
        )

    async def acall(
        self,
        name_or_call: str | ToolCall,
        args: Mapping[str, Any] | str | None = None,
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - it ends the tool, not the await
        context: ExecutionContext | None = None,
    ) -> ToolResult:
        """Call a tool and await it; see `call`. Ordinary functions run in a worker thread.

        Raises:
            asyncio.CancelledError: The caller was cancelled; the tool has been stopped.
        """
        tool, given, call_id = self._look_up(name_or_call, args)
        if tool is None:
            return execution.refused(given, call_id)
        return await execution.aperform(
            tool, given, self._limit(tool, timeout), tool.max_result or self.max_result, context, call_id
        )

    def call_all(
        self,
        calls: Iterable[ToolCall],
        *,
        parallel: int = 1,
        timeout: float | None = None,
        context: ExecutionContext | None = None,
    ) -> builtins.list[ToolResult]:
        """Make all calls of a turn. There is exactly one result for each call, in their order.

        Args:
            calls: The calls. Ids that are missing or repeated are replaced by new ones in the results.
            parallel: How many calls may run at once; 1 runs them in order. A tool that is `sequential` waits
                for the calls before it, and those after it wait for it.
            timeout: Seconds each may take.
            context: Where the calls run.
        """
        from ai_tools import batch

        return batch.call_all(self, calls, parallel, timeout, context)

    async def acall_all(
        self,
        calls: Iterable[ToolCall],
        *,
        parallel: int = 1,
        timeout: float | None = None,  # noqa: ASYNC109 - it ends the tools, not the await
        context: ExecutionContext | None = None,
    ) -> builtins.list[ToolResult]:
        """Make all calls of a turn and await them; see `call_all`."""
        from ai_tools import batch

        return await batch.acall_all(self, calls, parallel, timeout, context)

    def execute(self, name: str, args: Mapping[str, Any] | str | None = None) -> str:
        """Call a tool and return its text, or its error's: ``Error executing {name}: {message}``."""
        return self.call(name, args).text

    def _limit(self, tool: Tool, timeout: float | None) -> float:
        if timeout is not None:
            return check_timeout(timeout, tool.name)
        return tool.timeout or self.timeout

    def _look_up(self, name_or_call: Any, args: Any) -> tuple[Tool | None, Any, str | None]:
        """Return the tool, what it is given, and the call's id; no tool but an error if nothing can run."""
        if type(name_or_call) is str:
            name, call_id = name_or_call, None
        elif isinstance(name_or_call, ToolCall):
            name, call_id = name_or_call.name, name_or_call.id
            args = name_or_call.raw_arguments if name_or_call.arguments is None else name_or_call.arguments
        else:
            raise TypeError(f"a call is a tool's name or a ToolCall, not {type(name_or_call).__name__}")
        tool = self._state.enabled.get(name) if type(name) is str else None
        if tool is None:
            return None, self._unknown(name), call_id
        if name_or_call is not name and name_or_call.error is not None:
            return None, InvalidArgumentsError(name, "", name_or_call.error), call_id
        return tool, args, call_id

    def _unknown(self, name: Any) -> ToolError:
        if type(name) is str and name in self._state.tools:
            return NotAvailableError(name)
        return NotFoundError(name if isinstance(name, str) else "", self._nearest(name))

    def _nearest(self, name: Any) -> str | None:
        import difflib

        near = difflib.get_close_matches(str(name)[:100], self._state.enabled, 1)
        return near[0] if near else None

    def __repr__(self) -> str:
        return f"<ToolRegistry of {len(self)} tools>"


def _chat_tools(definitions: tuple[ToolDefinition, ...]) -> tuple[ChatTool, ...]:
    return tuple(definition.to_chat_tool() for definition in definitions)


def _free_name(name: str, taken: Mapping[str, Any]) -> str:
    for suffix in ("_v2", "_alt"):
        if name + suffix not in taken:
            return name + suffix
    number = 3
    while f"{name}_v{number}" in taken:
        number += 1
    return f"{name}_v{number}"
