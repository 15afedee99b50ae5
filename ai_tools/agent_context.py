"""What tools see of an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ai_tools.agent import Agent


class AgentContext:
    """The state of an agent as its tools see it: a `ToolContext` whose values are always the current ones."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    @property
    def system_prompt(self) -> str:
        """The agent's system prompt."""
        return self._agent.conversation.system_prompt

    @property
    def session_context(self) -> str:
        """The conversation so far, as text."""
        return self._agent.conversation.transcript()

    @property
    def session_context_file_path(self) -> str:
        """Where the session context is kept."""
        return self._agent.options.session_context_file_path
