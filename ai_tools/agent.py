"""An agent: a model, tools and a conversation, and the loop between them.

``agent.chat("…")`` asks the model, runs the calls of its answer through the registry, hands the results back,
and goes on until the model has answered. ``stream_chat`` tells what happens meanwhile; ``achat`` and
``astream_chat`` are their asynchronous twins.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ai_tools import agent_approval, json_files
from ai_tools.agent_context import AgentContext
from ai_tools.agent_drivers import Driver
from ai_tools.agent_options import AgentOptions
from ai_tools.agent_replies import error_result
from ai_tools.agent_run import Run
from ai_tools.agent_state import RunState
from ai_tools.agent_tools import ToolRunner
from ai_tools.cancellation import CancelToken
from ai_tools.conversation import Conversation
from ai_tools.errors import PermissionDeniedError
from ai_tools.messages import ASSISTANT, USER, Message
from ai_tools.registry import ToolRegistry
from ai_tools.types import ExecutionContext

if TYPE_CHECKING:
    import os
    from collections.abc import AsyncIterator, Iterator, Mapping

    from ai_tools.agent_approval import Decision
    from ai_tools.agent_events import AgentEvent, Answer, Pending
    from ai_tools.providers.protocol import Provider
    from ai_tools.tool import Tool
    from ai_tools.types import ChatTool

VERSION = 1
"""Of the saved state."""


class AgentBusyError(RuntimeError):
    """The agent does a run already; one conversation cannot go two ways."""


class Agent:
    """A model with tools and a conversation.

    Any thread may call `cancel` and the methods that manage tools; one run goes on at a time.

    Args:
        provider: The model service, or its name as ``"openai"`` or ``"openai:gpt-5"`` (see
            `ai_tools.providers.catalog`).
        options: An `AgentOptions`, or a mapping of its fields.
        **more: Fields of `AgentOptions`, where `options` is a mapping or missing.

    Attributes:
        conversation: The conversation.
        tools: The registry.
        context: What tools see of the agent.
    """

    gene_kind = "ai_tools.gene_bindings.chat_kinds:AGENT"

    def __init__(
        self, provider: Provider | str, options: AgentOptions | Mapping[str, Any] | None = None, **more: Any
    ) -> None:
        if isinstance(options, AgentOptions) and more:
            raise TypeError("give the options as an AgentOptions or as fields, not both")
        self.provider = _provider(provider) if isinstance(provider, str) else provider
        self.options = (
            options if isinstance(options, AgentOptions) else AgentOptions(**(options or {}), **more)
        )
        self.conversation = self.options.conversation or Conversation()
        if self.options.system_prompt is not None:
            self.conversation.system_prompt = self.options.system_prompt
        self.context = AgentContext(self)
        self.tools = self._registry(self.options.tools)
        self._running = threading.Lock()
        self._cancel = CancelToken()
        self._state = RunState()

    def _registry(self, tools: Any) -> ToolRegistry:
        if isinstance(tools, ToolRegistry):
            return tools
        if tools is not None:
            return ToolRegistry(tools)
        from ai_tools.factory import create_default_tool_registry

        return create_default_tool_registry(self.context, root=self.options.root)

    # Tools

    def add_tool(self, tool: Any, **options: Any) -> Tool:
        """Add a tool, for this and later answers; see `ToolRegistry.register`."""
        return self.tools.register(tool, **options)

    def remove_tool(self, name: str) -> None:
        """Remove a tool. A name that is not there is left alone."""
        self.tools.unregister(name)

    def enable_tool(self, name: str) -> None:
        """Offer a tool to the model again.

        Raises:
            NotFoundError: No tool has this name.
        """
        self.tools.enable(name)

    def disable_tool(self, name: str) -> None:
        """Hide a tool from the model and refuse calls of it. It stays registered.

        Raises:
            NotFoundError: No tool has this name.
        """
        self.tools.disable(name)

    def get_tools(self) -> list[ChatTool]:
        """Return the enabled tools in the OpenAI function format."""
        return self.tools.get_enabled_schemas()

    # State

    def set_system_prompt(self, text: str) -> None:
        """Set what the model is told before everything else, from its next answer on."""
        self.conversation.system_prompt = text

    def clear_context(self) -> None:
        """Forget the conversation, a paused run included. The system prompt and the tools stay.

        Raises:
            AgentBusyError: A run is going on.
        """
        with self._busy():
            self.conversation.clear()
            self._state = RunState()

    def save_context(self, reason: str) -> str:
        """Save the session context to its file with the tool ``save_session_context``.

        Returns:
            The tool's text, or that of its error.
        """
        return self.tools.execute("save_session_context", {"reason": reason})

    def save_state(self, path: str | os.PathLike[str]) -> None:
        """Write the conversation, and how far a paused run is, to a JSON file in one step.

        Raises:
            AgentBusyError: A run is going on.
            OSError: The file cannot be written; what it held is still there.
        """
        with self._busy():
            saved = {"version": VERSION, "run": self._state.to_dict()}
            json_files.write(path, saved | {"conversation": self.conversation.to_dict()})

    def load_state(self, path: str | os.PathLike[str]) -> None:
        """Take up what `save_state` wrote; the agent must have the same tools.

        Finished calls are part of the conversation and are not run again. The file stays; it is up to the
        program that only one agent goes on from it.

        Raises:
            AgentBusyError: A run is going on.
            OSError: The file cannot be read.
            ValueError: It holds no state of an agent; the agent is unchanged.
        """
        with self._busy():
            try:
                state, conversation = self._parse(json_files.read(path))
            except ValueError as error:
                raise ValueError(f"{path} holds no state of an agent: {error}") from error
            self._state, self.conversation = state, conversation

    def _parse(self, saved: Any) -> tuple[RunState, Conversation]:
        if not isinstance(saved, dict) or saved.get("version") != VERSION:
            raise ValueError(f"it is not of version {VERSION}")
        state = RunState.from_dict(saved.get("run", {}))
        return state, self.conversation.like(saved.get("conversation", {}))

    @property
    def pending(self) -> list[Pending]:
        """The calls that wait for approval."""
        return self._run().undecided()

    # Runs

    def chat(
        self,
        message: str | Message | None = None,
        *,
        decisions: Mapping[str, Decision] | None = None,
    ) -> Answer:
        """Say something and return the answer, after all the calls that it takes.

        Args:
            message: The user's message. None goes on where the last run was paused, cancelled, or ended by an
                error or a limit. A message while calls wait for approval takes them as not approved.
            decisions: Decisions about the calls that wait for approval, by `Pending.key`.

        Returns:
            The answer. ``str(answer)`` is its text; `Answer.stop_reason` tells a paused or cancelled run.

        Raises:
            ProviderError: The model service failed. The conversation is complete; ``chat()`` goes on.
            LimitReachedError: A limit ended the run.
            ContextLimitError: The conversation does not fit into ``context_tokens``.
            AgentBusyError: A run is going on.
            ValueError: There is nothing to answer, or a decision is not about a call that waits.
        """
        return _last(self._events(message, decisions, streaming=False))

    def stream_chat(
        self,
        message: str | Message | None = None,
        *,
        decisions: Mapping[str, Decision] | None = None,
    ) -> Iterator[AgentEvent]:
        """Say something and yield what happens: text, calls, results, usage; `Finished` comes last.

        Closing the iterator ends the run as `cancel` does. Takes and raises what `chat` does, while it is
        iterated.
        """
        return self._events(message, decisions, streaming=True)

    async def achat(
        self,
        message: str | Message | None = None,
        *,
        decisions: Mapping[str, Decision] | None = None,
    ) -> Answer:
        """Say something and await the answer; see `chat`. Cancelling the await ends the run."""
        async for event in self._aevents(message, decisions, streaming=False):
            last = event
        return last.answer  # type: ignore[union-attr]  # Finished comes last

    def astream_chat(
        self,
        message: str | Message | None = None,
        *,
        decisions: Mapping[str, Decision] | None = None,
    ) -> AsyncIterator[AgentEvent]:
        """Say something and yield what happens asynchronously; see `stream_chat`."""
        return self._aevents(message, decisions, streaming=True)

    def cancel(self) -> None:
        """End the run that is going on, from any thread. Running tools are stopped.

        The run returns an answer with the stop reason ``"cancelled"``; calls that had not finished are
        answered with an error, so the conversation can go on.
        """
        self._cancel.cancel()

    def _events(self, message: Any, decisions: Any, *, streaming: bool) -> Iterator[AgentEvent]:
        with self._busy():
            run = self._begin(message, decisions)
            yield from self._driver(run, streaming=streaming).drive(run)

    async def _aevents(self, message: Any, decisions: Any, *, streaming: bool) -> AsyncIterator[AgentEvent]:
        from contextlib import aclosing

        with self._busy():
            run = self._begin(message, decisions)
            events: Any = self._driver(run, streaming=streaming).adrive(run)
            async with aclosing(events):
                async for event in events:
                    yield event

    def _begin(self, message: str | Message | None, decisions: Mapping[str, Decision] | None) -> Run:
        if message is not None and decisions:
            raise ValueError("give decisions or a message: a message gives the waiting calls up")
        checked = agent_approval.check_decisions(decisions, self.pending) if decisions else {}
        if message is None:
            self._check_unfinished()
        else:
            added = _user_message(message)
            self._leave_open_calls()
            self.conversation.add(added)
        if not self.conversation.open_calls:
            self._state = RunState()
        self._state.decisions |= checked
        self._cancel = CancelToken()
        return self._run()

    def _run(self) -> Run:
        return Run(self.conversation, self.tools, self.options, self._state, self._cancel)

    def _driver(self, run: Run, *, streaming: bool) -> Driver:
        options = self.options
        context = ExecutionContext(options.channel, options.chat_id, self.context)
        runner = ToolRunner(self.tools, options.parallel, context, run.cancel)
        return Driver(self.provider, runner, options.approve, streaming=streaming)

    def _check_unfinished(self) -> None:
        messages = self.conversation.messages
        if not messages or (messages[-1].role == ASSISTANT and not messages[-1].calls):
            raise ValueError("there is nothing to go on with: give a message")

    def _leave_open_calls(self) -> None:
        for call in self.conversation.open_calls:
            error = PermissionDeniedError(call.name, "the user went on without allowing this call")
            self.conversation.add_result(error_result(call, error))

    @contextmanager
    def _busy(self) -> Iterator[None]:
        if not self._running.acquire(blocking=False):
            raise AgentBusyError("the agent does a run already; wait for its end, or cancel it")
        try:
            yield
        finally:
            self._running.release()


def _provider(text: str) -> Provider:
    from ai_tools.providers.catalog import make_provider

    name, _, model = text.partition(":")
    return make_provider(name, model or None)


def _last(events: Iterator[AgentEvent]) -> Answer:
    for event in events:
        last = event
    return last.answer  # type: ignore[union-attr]  # Finished comes last


def _user_message(message: Any) -> Message:
    made = Message(USER, message) if isinstance(message, str) else message
    if not isinstance(made, Message) or made.role != USER:
        raise TypeError("a message is a text or a Message of the user")
    if not made.text.strip() and not made.parts:
        raise ValueError("the message is empty")
    return made
