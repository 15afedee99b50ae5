"""What a run of an agent may use up, and how it notices that it goes round in a circle.

A run is all that one message of the user sets off: requests to the model, and the calls of its answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import define, field

from ai_tools.errors import ToolError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attrs import Attribute

    from ai_tools.agent_events import Answer
    from ai_tools.types import ToolCall

REPEATABLE = "repeatable"
"""The tag of tools that may be called again and again with the same arguments, such as one that polls."""


def _positive(_limits: object, attribute: Attribute[Any], value: Any) -> None:
    if value is not None and (
        isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0
    ):
        raise ValueError(f"{attribute.name} must be a number above 0, or None for no limit, not {value!r}")


@define(kw_only=True, weakref_slot=False)
class Limits:
    """Limits of one run; None switches one off.

    Attributes:
        max_steps: Requests to the model. 50 is more than nearly all real tasks need, and ends a run that
            leads nowhere within minutes.
        max_tool_calls: Calls that are run.
        max_total_tokens: Tokens of all requests and answers together, estimated where the service does not
            say.
        max_seconds: Time from beginning to end; waiting for a human's approval does not count.
        max_repeats: Runs of one tool with the same arguments. The next such call is answered with an error
            that says so; the one after it ends the run.
    """

    max_steps: int | None = field(default=50, validator=_positive)
    max_tool_calls: int | None = field(default=200, validator=_positive)
    max_total_tokens: int | None = field(default=None, validator=_positive)
    max_seconds: float | None = field(default=None, validator=_positive)
    max_repeats: int | None = field(default=5, validator=_positive)


class LimitReachedError(RuntimeError):
    """A run was ended by one of its limits. The conversation is complete: the next message may follow.

    Attributes:
        limit: The limit's name, such as ``"max_steps"``.
        value: Its value.
        answer: What there is of an answer.
    """

    def __init__(self, limit: str, value: float, answer: Answer) -> None:
        super().__init__(f"The run was ended by its limit {limit}={value:g}.")
        self.limit = limit
        self.value = value
        self.answer = answer


class NotRunError(ToolError):
    """The agent did not run a call: a limit is reached, or it has been made too often."""

    code = "not_run"

    def __init__(self, tool: str, reason: str) -> None:
        super().__init__(f"The call of {tool} was not run: {reason}", tool=tool)
        self.reason = reason


def canonical(name: str, arguments: Mapping[str, Any] | None, raw: str | None = None) -> str:
    """Return a text that is the same for the same call, whatever the order of its arguments' keys."""
    import json

    if arguments is None and raw is not None:
        return f"{name} {raw}"
    return f"{name} {json.dumps(arguments or {}, sort_keys=True, default=repr)}"


class RepeatDetector:
    """Counts the calls of a run by tool and arguments.

    What counts is how often a call has been made, not whether it failed nor what came between: so a circle of
    several calls, in whatever order, is found as well as one call again and again.

    Args:
        counts: Counts to go on from, by digest.
    """

    def __init__(self, counts: Mapping[str, int] | None = None) -> None:
        self.counts = dict(counts or {})

    def add(self, call: ToolCall) -> int:
        """Count a call and return how often it has been made."""
        key = digest(canonical(call.name, call.arguments, call.raw_arguments))
        self.counts[key] = self.counts.get(key, 0) + 1
        return self.counts[key]


def digest(text: str) -> str:
    """Return a short digest: 96 bits, so that nobody finds two calls with the same one."""
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]
