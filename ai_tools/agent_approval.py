"""Approval of calls by a human before they run.

A decision is bound to the id, the tool and the exact arguments of a call. Nobody is asked about a call that
would be refused anyway: arguments are checked first, and what is shown is what would be run.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, TypeAlias

from ai_tools.agent_events import Pending
from ai_tools.agent_limits import canonical, digest
from ai_tools.errors import ToolError
from ai_tools.execution import prepare
from ai_tools.types import ToolCall

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ai_tools.registry import ToolRegistry

Decision: TypeAlias = bool | str
"""True to run a call, False not to run it, or the reason for not running it, which the model reads."""

Required: TypeAlias = bool | Collection[str] | Callable[[ToolCall], bool] | None
"""Which calls need approval: all (True), none, those of the tools named, or those a function says yes to."""


def pending(registry: ToolRegistry, required: Required, calls: Iterable[ToolCall]) -> list[Pending]:
    """Return those calls that a human has to decide about, with checked arguments."""
    return [made for call in calls if (made := _pending(registry, required, call)) is not None]


def _pending(registry: ToolRegistry, required: Required, call: ToolCall) -> Pending | None:
    tool = registry.get(call.name) if registry.is_enabled(call.name) else None
    if tool is None or not _needs(required, call):
        return None
    if call.error is not None:
        return None  # running it gives the model the error
    try:
        arguments = prepare(tool, call.raw_arguments if call.arguments is None else call.arguments)
    except ToolError:
        return None  # likewise
    checked = ToolCall(call.id, call.name, arguments, metadata=call.metadata)
    return Pending(checked, digest(f"{call.id} {canonical(call.name, arguments)}"))


def _needs(required: Required, call: ToolCall) -> bool:
    if required is None or isinstance(required, bool):
        return bool(required)
    return required(call) if callable(required) else call.name in required


def check_required(required: Any) -> Required:
    """Return what says which calls need approval.

    Raises:
        TypeError: It is nothing of the kind.
    """
    if required is None or isinstance(required, bool) or callable(required):
        return required  # type: ignore[no-any-return]  # a function is taken at its word
    if isinstance(required, str) or not isinstance(required, Collection):
        raise TypeError(f"approval is True, the names of tools, or a function of a call, not {required!r}")
    return frozenset(required)


def check_decisions(decisions: Mapping[str, Any], waiting: Iterable[Pending]) -> dict[str, Decision]:
    """Return decisions about calls that wait.

    Raises:
        ValueError: A key belongs to no call that waits, or a decision is none.
    """
    keys = {entry.key for entry in waiting}
    for key, decision in decisions.items():
        if key not in keys:
            raise ValueError(f"no call waits for a decision under {key!r}; its arguments may have changed")
        check_decision(decision)
    return dict(decisions)


def check_decision(decision: Any) -> Decision:
    """Return a decision.

    Raises:
        TypeError: It is neither a bool nor a text.
    """
    if not isinstance(decision, (bool, str)):
        raise TypeError(
            f"a decision is True, False or the reason for a refusal, not {type(decision).__name__}"
        )
    return decision


def shown(entry: Pending) -> Pending:
    """Return a copy for whoever decides, so that nothing done to it reaches the call that is run."""
    from copy import deepcopy

    return deepcopy(entry)
