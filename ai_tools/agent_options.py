"""How an agent is set up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import define, field

from ai_tools.agent_approval import check_required
from ai_tools.agent_limits import Limits
from ai_tools.providers.protocol import Settings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from ai_tools.agent_approval import Decision, Required
    from ai_tools.agent_events import Pending
    from ai_tools.conversation import Conversation
    from ai_tools.registry import ToolRegistry

SESSION_CONTEXT_FILE = "session_context.txt"
"""Where `save_context` writes unless the options name another file."""


def _settings(given: Settings | Mapping[str, Any] | None) -> Settings:
    return given if isinstance(given, Settings) else Settings(**(given or {}))


def _limits(given: Limits | Mapping[str, Any] | None) -> Limits:
    return given if isinstance(given, Limits) else Limits(**(given or {}))


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{name} must be a whole number above 0, not {value!r}")
    return value


def _parallel(value: Any) -> int:
    return _whole("parallel", value)


def _context_tokens(value: Any) -> int | None:
    return None if value is None else _whole("context_tokens", value)


@define(kw_only=True, weakref_slot=False)
class AgentOptions:
    """The options of an agent.

    Attributes:
        system_prompt: What the model is told before everything else.
        tools: A registry, or tools for a new one, in place of the default registry.
        conversation: One to go on with; its system prompt holds where `system_prompt` is None.
        settings: How the model is to answer; a `Settings`, or a mapping of its fields.
        limits: What one run may use up; a `Limits`, or a mapping of its fields.
        parallel: How many calls of one answer may run at once.
        context_tokens: Tokens of the conversation that are sent; None for all of it. Definitions of tools
            are not counted in.
        document_tools: Whether the tools are described in the system prompt in place of being sent as
            definitions, for models that take none.
        approval: Which calls need a human's approval: True for all, names of tools, or a function of a
            `ToolCall`.
        approve: Asked about such a call: takes a `Pending`, returns True, False or the reason against it; may
            be a coroutine function for the asynchronous methods. Where it is None, the run pauses.
        session_context_file_path: Where the session context is saved.
        root: The directory that the default registry's file tools are confined to.
        channel: For tools that ask for their `ExecutionContext`.
        chat_id: Likewise.
    """

    system_prompt: str | None = None
    tools: ToolRegistry | Iterable[Any] | None = None
    conversation: Conversation | None = None
    settings: Settings = field(default=None, converter=_settings)
    limits: Limits = field(default=None, converter=_limits)
    parallel: int = field(default=1, converter=_parallel)
    context_tokens: int | None = field(default=None, converter=_context_tokens)
    document_tools: bool = False
    approval: Required = field(default=None, converter=check_required)
    approve: Callable[[Pending], Decision | Awaitable[Decision]] | None = None
    session_context_file_path: str = SESSION_CONTEXT_FILE
    root: str = "."
    channel: str | None = None
    chat_id: str | None = None
