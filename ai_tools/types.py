"""The values that every part of the package exchanges: definitions, calls, results and contexts.

All classes here are small slotted records. They import nothing heavy, because every program that uses a tool
pays for this module at start-up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ai_tools.errors import ToolError

ChatTool: TypeAlias = dict[str, Any]
"""A tool in the OpenAI function format: ``{"type": "function", "function": {name, description, …}}``."""


def no_parameters() -> dict[str, Any]:
    """Return the schema of a tool that takes no arguments."""
    return {"type": "object", "properties": {}}


class Record:
    """A slotted value that compares and prints by its fields."""

    __slots__: tuple[str, ...] = ()
    _fields: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._fields = (*cls._fields, *cls.__dict__.get("__slots__", ()))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._fields)

    __hash__ = None  # type: ignore[assignment]  # fields hold dicts

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self._fields)
        return f"{type(self).__name__}({fields})"


class ToolDefinition(Record):
    """What a model is told about a tool. Treat it as frozen: registries share and cache it.

    Attributes:
        name: The tool's unique name, as registered (formats map it to what a provider allows).
        description: What the tool does, for the model.
        parameters: JSON Schema (2020-12) of the arguments; its ``type`` is ``"object"``.
        strict: Whether providers are asked to enforce the schema strictly.
        tags: Free labels to filter by.
        annotations: Hints such as MCP's ``title``, ``readOnlyHint``, ``destructiveHint``.
        returns: JSON Schema of the result value, if known.
    """

    __slots__ = ("annotations", "description", "name", "parameters", "returns", "strict", "tags")

    def __init__(
        self,
        name: str,
        description: str = "",
        parameters: dict[str, Any] | None = None,
        *,
        strict: bool = False,
        tags: Iterable[str] = (),
        annotations: Mapping[str, Any] | None = None,
        returns: dict[str, Any] | None = None,
    ) -> None:
        self.name = name
        self.description = description
        self.parameters = parameters or no_parameters()
        self.strict = strict
        self.tags = tuple(tags)
        self.annotations = dict(annotations or {})
        self.returns = returns

    def to_chat_tool(self) -> ChatTool:
        """Return the definition in the OpenAI function format (the schema is shared, not copied)."""
        function = {
            "name": self.name,
            "description": self.description,
            "parameters": self.parameters,
            "strict": self.strict,
        }
        return {"type": "function", "function": function}


class ToolCall(Record):
    """One call that a model asked for.

    Attributes:
        id: The provider's call id; None or "" where it gave none (the registry then makes one up).
        name: The registered name of the tool.
        arguments: The parsed arguments; None where only `raw_arguments` is known or parsing failed.
        raw_arguments: The argument text as the model wrote it, for the log and for parsing by the registry.
        error: Why the call could not be parsed. The registry answers such a call with an error result.
        metadata: What a provider wants back unchanged (Gemini's thought signature, OpenAI's caller, …).
    """

    __slots__ = ("arguments", "error", "id", "metadata", "name", "raw_arguments")
    gene_kind = "ai_tools.gene_bindings.kinds:TOOL_CALL"

    def __init__(
        self,
        id: str | None,  # noqa: A002 - the field's name in every wire format
        name: str,
        arguments: dict[str, Any] | None = None,
        *,
        raw_arguments: str | None = None,
        error: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> None:
        self.id = id
        self.name = name
        self.arguments = arguments
        self.raw_arguments = raw_arguments
        self.error = error
        self.metadata = metadata


class ToolResult(Record):
    """The outcome of one call: a value and its text, or an error and its text.

    Attributes:
        value: What the tool returned; None after an error.
        text: What the model reads: the value's text, cut to the size limit, or the error's message.
        error: The typed error, or None.
        call_id: The id of the call it answers (None for a direct call without one).
        name: The tool's name as it was called.
        duration: Seconds from the start of the call to its result.
        full_text: The text before it was cut to the size limit; the same object as `text` when it was not.
    """

    __slots__ = ("call_id", "duration", "error", "full_text", "name", "text", "value")
    gene_kind = "ai_tools.gene_bindings.kinds:TOOL_RESULT"

    def __init__(
        self,
        value: Any,
        text: str,
        error: ToolError | None = None,
        call_id: str | None = None,
        name: str = "",
        duration: float = 0.0,
        full_text: str | None = None,
    ) -> None:
        self.value = value
        self.text = text
        self.error = error
        self.call_id = call_id
        self.name = name
        self.duration = duration
        self.full_text = text if full_text is None else full_text

    @property
    def is_error(self) -> bool:
        """Whether the call failed."""
        return self.error is not None

    @property
    def is_truncated(self) -> bool:
        """Whether `text` is a cut form of `full_text`."""
        return self.text is not self.full_text

    def raise_for_error(self) -> ToolResult:
        """Raise the error if there is one, else return this result.

        Raises:
            ToolError: The call's typed error.
        """
        if self.error is not None:
            raise self.error
        return self


class ToolContext(Protocol):
    """State of an agent that a tool may read. Properties, so that a tool always sees the current values."""

    @property
    def system_prompt(self) -> str:
        """The agent's system prompt."""

    @property
    def session_context(self) -> str:
        """What the session is about so far."""

    @property
    def session_context_file_path(self) -> str:
        """Where the session context is kept."""


class ExecutionContext(Record):
    """Where a call runs. Handlers that ask for it receive it; no schema ever shows it.

    Attributes:
        channel: The conversation's channel, None outside a conversation.
        chat_id: The conversation's id, None outside a conversation.
        agent: The state of the agent, for handlers that ask for a `ToolContext`.
    """

    __slots__ = ("agent", "channel", "chat_id")
    gene_kind = "ai_tools.gene_bindings.kinds:EXECUTION_CONTEXT"

    def __init__(
        self, channel: str | None = None, chat_id: str | None = None, agent: ToolContext | None = None
    ) -> None:
        self.channel = channel
        self.chat_id = chat_id
        self.agent = agent
