"""How far a run is: what a paused one takes up again, in this process or another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.providers.protocol import Usage
from ai_tools.types import Record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ai_tools.agent_approval import Decision


class RunState(Record):
    """What a run has used, and what has been decided about the calls that are open.

    Attributes:
        steps: Requests to the model.
        tool_calls: Calls that were run.
        usage: Tokens.
        seconds: Time that the run has taken, pauses left out.
        text: The model's last text.
        repeats: How often each call has been made (see `RepeatDetector`).
        is_counted: Whether the open calls are counted in already.
        refused: Reasons not to run open calls, by call id.
        decisions: Decisions about open calls, by `Pending.key`.
    """

    __slots__ = (
        "decisions",
        "is_counted",
        "refused",
        "repeats",
        "seconds",
        "steps",
        "text",
        "tool_calls",
        "usage",
    )

    def __init__(self) -> None:
        self.steps = 0
        self.tool_calls = 0
        self.usage = Usage()
        self.seconds = 0.0
        self.text = ""
        self.repeats: dict[str, int] = {}
        self.is_counted = False
        self.refused: dict[str, str] = {}
        self.decisions: dict[str, Decision] = {}

    def forget_calls(self) -> None:
        """Forget what concerns calls that are answered now."""
        self.is_counted = False
        self.refused = {}
        self.decisions = {}

    def to_dict(self) -> dict[str, Any]:
        """Return the state as JSON kinds."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return fields | {"usage": {name: getattr(self.usage, name) for name in self.usage.__slots__}}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> RunState:
        """Return the state that `to_dict` wrote.

        Raises:
            ValueError: It is none.
        """
        state = cls()
        try:
            for name in cls.__slots__:
                setattr(state, name, saved[name])
            state.usage = Usage(**saved["usage"])
        except (KeyError, TypeError) as error:
            raise ValueError(f"this is no saved state of a run: {error!r}") from error
        return state
