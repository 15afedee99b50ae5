"""What a run asks of whoever drives it. Each action carries its outcome, which the driver puts in."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ai_tools.agent_approval import Decision
    from ai_tools.agent_events import Pending
    from ai_tools.providers.protocol import Reply, Request
    from ai_tools.types import ToolCall, ToolResult


class Ask:
    """Ask the model. The driver sets `reply`, and collects in `text` what streams in before."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.reply: Reply | None = None
        self.text: list[str] = []


class Execute:
    """Run calls. The driver puts each result into `results`, by call id, as soon as there is one.

    Args:
        calls: The calls, in order.
        seconds: How long all of it may take; None for no limit.
    """

    def __init__(self, calls: Sequence[ToolCall], seconds: float | None) -> None:
        self.calls = calls
        self.results: dict[str | None, ToolResult] = {}
        self._deadline = None if seconds is None else monotonic() + seconds

    def seconds_left(self) -> float | None:
        """Return how long the rest may take: at least a moment, since tools take no less; None for ever."""
        return None if self._deadline is None else max(0.001, self._deadline - monotonic())


class Decide:
    """Ask a human about a call. The driver sets `decision`."""

    def __init__(self, pending: Pending) -> None:
        self.pending = pending
        self.decision: Decision = False
