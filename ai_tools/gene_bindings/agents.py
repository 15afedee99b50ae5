"""Agents in Gene: ``(var agent (ai/agent/new provider ^tools registry))``, ``(agent .chat "…")``."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from ai_tools.agent import Agent
from ai_tools.agent_limits import Limits
from ai_tools.agent_options import AgentOptions
from ai_tools.conversation import Conversation
from ai_tools.gene_bindings import conversations, methods
from ai_tools.gene_bindings.chat_errors import AGENT_CLASSES, explained, explaining
from ai_tools.gene_bindings.permission import require
from ai_tools.gene_bindings.providers import provider_of
from ai_tools.gene_bindings.words import data, given, word
from ai_tools.messages import Message
from ai_tools.providers.protocol import Provider, Settings
from ai_tools.registry import ToolRegistry
from gene.data.atoms import Symbol
from gene.runtime.exceptions import ArgumentException
from gene.runtime.futures import Future, await_futures
from gene.runtime.namespaces import Namespace
from gene.stdlib.arguments import MISSING, is_true, tag_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ai_tools.agent_events import AgentEvent, Pending
    from ai_tools.types import ToolCall

_LIMITS = frozenset(Limits.__slots__)
_SETTINGS = frozenset(Settings.__slots__)
_OPTIONS = frozenset(AgentOptions.__slots__) - {"limits", "settings"}
_CALLBACKS = ("on_token", "on_reasoning", "on_tool_call", "on_tool_result", "on_done", "on_error")


def namespace(*, network: bool, files: bool) -> Namespace:
    """Return ``ai/agent``.

    Args:
        network: Whether the program may name a provider that reaches the network.
        files: Whether agents without tools of their own get the default ones, which read and write files.
    """
    return Namespace("ai/agent", {"new": _maker(network=network, files=files), **AGENT_CLASSES})


def _maker(*, network: bool, files: bool) -> Callable[..., Agent]:
    def new(provider: Any = MISSING, **options: Any) -> Agent:
        """``(ai/agent/new provider ^system "…" ^tools registry ^max_steps 10 …)``: an agent.

        Args:
            provider: What ``ai/providers/…`` returns, or a name such as ``"openai:gpt-5"``.
            **options: ``system``; ``tools``, a registry or an Array of tools; ``conversation``; the limits
                (``max_steps``, ``max_tool_calls``, …); how to answer (``model``, ``temperature``, …);
                ``approval``, ``approve`` and what else `AgentOptions` has.
        """
        chosen = provider_of(
            options.pop("provider", None) if provider is MISSING else provider, network=network
        )
        return Agent(chosen, _options(options, files=files))

    return explaining(new)


def _options(written: dict[str, Any], *, files: bool) -> AgentOptions:
    """Return the options of an agent; in Gene limits and settings stand among the others."""
    written = {name: value for name, value in written.items() if given(value)}
    if "system" in written:
        written["system_prompt"] = written.pop("system")
    if unknown := sorted(written.keys() - _OPTIONS - _LIMITS - _SETTINGS):
        known = ", ".join(sorted(("system", *(_OPTIONS - {"system_prompt"} | _LIMITS | _SETTINGS))))
        raise ArgumentException(f"ai/agent/new has no option {', '.join(unknown)}; it has: {known}")
    made = {name: _option(name, written[name]) for name in _OPTIONS & written.keys()}
    if "tools" not in made and not files:
        made["tools"] = ToolRegistry()  # the default tools are for programs that may use files
    return AgentOptions(
        **made,
        limits={name: written[name] for name in _LIMITS & written.keys()},
        settings={name: data(written[name]) for name in _SETTINGS & written.keys()},
    )


def _option(name: str, value: Any) -> Any:
    if name == "tools":
        return registry_of(value)
    if name == "approve":
        return _approver(_function(value, "^approve"))
    if name == "approval":
        return _asking(value) if callable(value) else data(value)
    if name == "conversation" and not isinstance(value, Conversation):
        raise ArgumentException(f"^conversation must be a Conversation, got {tag_of(value)}")
    if name == "document_tools":
        return is_true(value)
    return value if name == "conversation" else data(value)


def registry_of(tools: Any) -> ToolRegistry:
    """Return a registry: itself, or a new one of the functions, maps and tools in an array."""
    if isinstance(tools, ToolRegistry):
        return tools
    if not isinstance(tools, list):
        raise ArgumentException(f"^tools must be a ToolRegistry or an Array of tools, got {tag_of(tools)}")
    made = ToolRegistry()
    for tool in tools:
        methods.METHODS["register"](made, tool)
    return made


def _function(value: Any, what: str) -> Callable[..., Any]:
    if not callable(value):
        raise ArgumentException(f"{what} must be a function, got {tag_of(value)}")
    return value  # type: ignore[no-any-return]  # it can be called


def _waited(value: Any) -> Any:
    return await_futures(value) if type(value) is Future else value


def _approver(function: Callable[..., Any]) -> Callable[[Pending], Any]:
    """Return what asks a Gene function: true, nil or false, or the reason against the call."""

    def approve(pending: Pending) -> Any:
        decision = _waited(function(pending))
        return decision if isinstance(decision, str) else is_true(decision)

    return approve


def _asking(function: Callable[..., Any]) -> Callable[[ToolCall], bool]:
    return lambda call: is_true(_waited(function(call)))


# Runs


def chat(agent: Agent, message: Any = None, decisions: Any = None, **callbacks: Any) -> Any:
    """``(agent .chat "…")``: say something and return the text of the answer, after all its calls.

    Args:
        agent: The agent.
        message: What the user says, a String or a Message; nil goes on where the last run stopped.
        decisions: Decisions about calls that wait for approval: a Map of true, false or a reason by key.
        **callbacks: See `stream_chat`; here ``on_token`` is not called.

    Returns:
        The text. ``^on_done`` gets the whole Answer, with why it ended and the tokens used.

    Raises:
        ProviderException: The service failed. The conversation is complete; ``(agent .chat)`` goes on.
        LimitReachedError: A limit ended the run.
    """
    return _run(agent, message, decisions, callbacks, streaming=False)


def stream_chat(agent: Agent, message: Any = None, decisions: Any = None, **callbacks: Any) -> Any:
    """``(agent .stream_chat "…" ^on_token (fn [text] …))``: like `chat`, and tell what happens meanwhile.

    Args:
        agent: The agent.
        message: As for `chat`.
        decisions: As for `chat`.
        **callbacks: ``on_token`` gets each piece of the text; ``on_reasoning`` of the reasoning;
            ``on_tool_call`` a ToolCall that begins to run; ``on_tool_result`` the call and its ToolResult;
            ``on_done`` the Answer. ``on_error`` gets the exception of a run that fails, which is not thrown
            then. What a callback throws ends the run and is thrown.

    Returns:
        The text of the answer; nil after an error that ``on_error`` got.
    """
    return _run(agent, message, decisions, callbacks, streaming=True)


@explaining
def stream_chat_with(agent: Any = MISSING, message: Any = None, **options: Any) -> Any:
    """``(ai/stream_chat agent "…" ^on_token …)``: `stream_chat` of an agent, or of a provider without tools.

    Args:
        agent: An agent or a provider.
        message: What the user says; with a provider also a Conversation, which gets the answer.
        **options: The callbacks; with a provider also what ``ai/agent/new`` takes.
    """
    if isinstance(agent, Agent):
        return stream_chat(agent, message, **options)
    if not isinstance(agent, Provider):
        raise ArgumentException(f"ai/stream_chat requires an Agent or a provider, got {tag_of(agent)}")
    callbacks = {name: options.pop(name) for name in _CALLBACKS if name in options}
    if isinstance(message, Conversation):
        options["conversation"], message = message, None
    return stream_chat(Agent(agent, _options({"tools": [], **options}, files=False)), message, **callbacks)


def _run(agent: Agent, message: Any, decisions: Any, callbacks: dict[str, Any], *, streaming: bool) -> Any:
    calls = _checked(callbacks)
    said = _message(message)
    chosen = _decisions(decisions)
    on_error = calls.get("on_error")
    source: Any = agent._events(said, chosen, streaming=streaming)  # noqa: SLF001 - chat() keeps the events to itself
    with closing(source):
        events = _watched(source)
        for event, error in events:
            if error is None:
                answer = _tell(event, calls)
            elif on_error is None:
                raise error
            else:
                _waited(on_error(explained(error)))
                return None
    return answer.text


def _watched(events: Iterator[AgentEvent]) -> Iterator[tuple[Any, Exception | None]]:
    """Yield each event, or the error that ends them: what callbacks throw must not be taken for one."""
    while True:
        try:
            event = next(events)
        except StopIteration:
            return
        except Exception as error:  # noqa: BLE001 - handed on
            yield None, error
            return
        yield event, None


def _tell(event: Any, calls: dict[str, Callable[..., Any]]) -> Any:
    """Tell the program of an event; return the answer that the last one carries."""
    told: dict[str, tuple[str, tuple[Any, ...]]] = {
        "text": ("on_token", (getattr(event, "text", ""),)),
        "reasoning": ("on_reasoning", (getattr(event, "text", ""),)),
        "tool_started": ("on_tool_call", (getattr(event, "call", None),)),
        "tool_finished": ("on_tool_result", (getattr(event, "call", None), getattr(event, "result", None))),
        "answer": ("on_done", (getattr(event, "answer", None),)),
    }
    name, arguments = told.get(event.kind, ("", ()))
    if name in calls:
        _waited(calls[name](*arguments))
    return getattr(event, "answer", None)


def _checked(callbacks: dict[str, Any]) -> dict[str, Callable[..., Any]]:
    if unknown := sorted(callbacks.keys() - set(_CALLBACKS)):
        raise ArgumentException(
            f"there is no option {', '.join(unknown)}; there are: {', '.join(_CALLBACKS)}"
        )
    return {name: _function(value, f"^{name}") for name, value in callbacks.items() if given(value)}


def _message(message: Any) -> Any:
    if message is None or isinstance(message, str | Message):
        return message
    raise ArgumentException(f"Agent.chat requires a String or a Message, got {tag_of(message)}")


def _decisions(decisions: Any) -> dict[str, Any] | None:
    if not given(decisions):
        return None
    if not isinstance(decisions, dict):
        raise ArgumentException(f"^decisions must be a Map of decisions by key, got {tag_of(decisions)}")
    return decisions


# Tools and state


def add_tool(agent: Agent, *parts: Any, **options: Any) -> Agent:
    """``(agent .add_tool fn)``: add a tool, written in any way that a registry's ``.register`` takes."""
    methods.METHODS["register"](agent.tools, *parts, **options)
    return agent


def _by_name(method: str, function: Callable[[Agent, str], Any]) -> Callable[..., Agent]:
    def call(agent: Agent, name: Any = MISSING) -> Agent:
        text = name.name if isinstance(name, Symbol) else name  # as registered, colon included
        if not agent.tools.contains(text):
            text = word(name, f"Agent.{method} requires a tool's name")
        function(agent, text)
        return agent

    return call


def set_system_prompt(agent: Agent, text: Any = MISSING) -> Agent:
    """``(agent .set_system_prompt "…")``: set what the model is told before everything else."""
    conversations.set_system_prompt(agent.conversation, text)
    return agent


def clear_context(agent: Agent) -> Agent:
    """``(agent .clear_context)``: forget the conversation. The system prompt and the tools stay."""
    agent.clear_context()
    return agent


def save_context(agent: Agent, reason: Any = "saved by the program") -> str:
    """``(agent .save_context "why")``: save the session context with the tool ``save_session_context``."""
    require("files", "Agent.save_context")
    return agent.save_context(reason)


def save_state(agent: Agent, path: Any = MISSING) -> Agent:
    """``(agent .save_state path)``: write the conversation, and how far a paused run is, to a file."""
    require("files", "Agent.save_state")
    agent.save_state(path)
    return agent


def load_state(agent: Agent, path: Any = MISSING) -> Agent:
    """``(agent .load_state path)``: take up what ``.save_state`` wrote."""
    require("files", "Agent.load_state")
    agent.load_state(path)
    return agent


def cancel(agent: Agent) -> None:
    """``(agent .cancel)``: end the run that is going on, from a callback or another thread."""
    agent.cancel()


_METHODS: dict[str, Any] = {
    "chat": chat,
    "stream_chat": stream_chat,
    "add_tool": add_tool,
    "remove_tool": _by_name("remove_tool", Agent.remove_tool),
    "enable_tool": _by_name("enable_tool", Agent.enable_tool),
    "disable_tool": _by_name("disable_tool", Agent.disable_tool),
    "get_tools": lambda agent: data(agent.get_tools()),
    "registry": lambda agent: agent.tools,
    "conversation": lambda agent: agent.conversation,
    "pending": lambda agent: list(agent.pending),
    "set_system_prompt": set_system_prompt,
    "clear_context": clear_context,
    "save_context": save_context,
    "save_state": save_state,
    "load_state": load_state,
    "cancel": cancel,
}
METHODS: Final = {name: explaining(method) for name, method in _METHODS.items()}
