"""The loop of an agent as a generator that does nothing itself.

It yields what is to be done (`Ask` the model, `Execute` calls, `Decide` about one) and the events of the run;
whoever drives it does that, sync or async, and puts the outcome into the action. So there is one loop, and
errors of all kinds are thrown into it at the place where they happen. Whatever happens, every call has
exactly one result in the conversation when the generator ends, unless the run pauses for approval.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any

from ai_tools import agent_approval
from ai_tools.agent_actions import Ask, Decide, Execute
from ai_tools.agent_events import Answer, ApprovalRequired, Pending
from ai_tools.agent_limits import REPEATABLE, LimitReachedError, NotRunError, RepeatDetector
from ai_tools.agent_replies import error_result, to_message
from ai_tools.errors import CallCancelledError, InvalidArgumentsError, PermissionDeniedError
from ai_tools.messages import ASSISTANT, SYSTEM, Message
from ai_tools.providers.errors import RequestCancelledError, RequestTimeoutError
from ai_tools.providers.protocol import Request, Settings, Usage, UsageEvent

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from ai_tools.agent_options import AgentOptions
    from ai_tools.agent_state import RunState
    from ai_tools.cancellation import CancelToken
    from ai_tools.conversation import Conversation
    from ai_tools.errors import ToolError
    from ai_tools.providers.protocol import Reply
    from ai_tools.registry import ToolRegistry
    from ai_tools.types import ToolCall, ToolResult

    Steps = Generator[Any, None, Answer]


class Run:
    """One run: what follows from one message of the user.

    Args:
        conversation: The conversation; the user's message, or open calls, come last.
        registry: The tools.
        options: Limits, settings and what needs approval.
        state: How far the run is.
        cancel: Ends the run from another thread.
    """

    def __init__(
        self,
        conversation: Conversation,
        registry: ToolRegistry,
        options: AgentOptions,
        state: RunState,
        cancel: CancelToken,
    ) -> None:
        self.conversation = conversation
        self.registry = registry
        self.options = options
        self.state = state
        self.cancel = cancel
        self._began = monotonic() - state.seconds
        self._reached: str | None = None  # a limit that ends the run once the calls are answered

    def steps(self) -> Steps:
        """Do the run: yield actions and events, return the answer.

        Raises:
            LimitReachedError: A limit ended the run.
        """
        try:
            while not self.cancel.is_cancelled:
                if self.conversation.open_calls:
                    if (yield from self._answer_calls()):
                        return self.answer("paused")
                    continue
                reply = yield from self._ask()
                if reply.stop_reason == "refusal" or not (reply.calls or reply.stop_reason == "pause"):
                    self._answer_rest()
                    return self.answer(reply.stop_reason)
        except RequestCancelledError:
            if not self.cancel.is_cancelled:
                raise
        finally:
            self.state.seconds = self._seconds()
        self._answer_rest()
        return self.answer("cancelled")

    def answer(self, stop_reason: str) -> Answer:
        """Return what there is of an answer."""
        state = self.state
        return Answer(
            state.text,
            stop_reason,
            state.usage,
            steps=state.steps,
            tool_calls=state.tool_calls,
            pending=self.undecided() if stop_reason == "paused" else (),
        )

    def undecided(self) -> list[Pending]:
        """Return the open calls that nobody has decided about."""
        return [entry for entry in self._pending() if entry.key not in self.state.decisions]

    def _pending(self) -> list[Pending]:
        if not self.options.approval:
            return []
        calls = [call for call in self.conversation.open_calls if call.id not in self.state.refused]
        return agent_approval.pending(self.registry, self.options.approval, calls)

    # The model

    def _ask(self) -> Generator[Any, None, Reply]:
        self._check_limits()
        ask = Ask(self._request())
        self.state.steps += 1
        try:
            yield ask
        except BaseException as error:
            if isinstance(error, RequestCancelledError) or not isinstance(error, Exception):
                self._add(Message(ASSISTANT, "".join(ask.text)))  # what people have seen stays
            if isinstance(error, RequestTimeoutError):
                self._check_limits()
            raise
        reply = ask.reply
        assert reply is not None
        self.state.usage += reply.usage or self._estimate(reply)
        self.state.text = reply.text or self.state.text
        self._add(to_message(reply))
        yield UsageEvent(self.state.usage)
        return reply

    def _add(self, message: Message) -> None:
        if message.text or message.calls or message.extras:  # services refuse a message without content
            self.conversation.add(message)

    def _request(self) -> Request:
        options = self.options
        context = self.conversation.get_context(
            options.context_tokens, registry=self.registry if options.document_tools else None
        )
        system = context.pop(0).text if context and context[0].role == SYSTEM else ""
        return Request(
            context,
            system=system,
            tools=() if options.document_tools else self.registry.cached("agent", tuple),
            settings=self._settings(),
            timeout=self._seconds_left(),
            cancel=self.cancel,
        )

    def _settings(self) -> Settings:
        settings = self.options.settings
        if self.state.tool_calls == 0 or settings.tool_choice in (None, "auto", "none"):
            return settings
        # A tool that every answer has to call would be called for ever.
        fields = {name: getattr(settings, name) for name in settings.__slots__}
        return Settings(**fields | {"tool_choice": None})

    def _estimate(self, reply: Reply) -> Usage:
        if self.options.limits.max_total_tokens is None:
            return Usage()
        from ai_tools.tokens import count

        return Usage(self.conversation.token_count(), count(reply.to_message()))

    # The calls

    def _answer_calls(self) -> Generator[Any, None, bool]:
        """Answer the open calls, or return True where the run has to pause first."""
        calls = self.conversation.open_calls
        self._count(calls)
        job, paused = Execute((), None), False
        try:
            yield from self._ask_about_calls()
            waiting = self.undecided()
            if waiting:
                paused = True
                yield ApprovalRequired(waiting)
                return True
            job = Execute(self._runnable(calls), self._seconds_left())
            self.state.tool_calls += len(job.calls)
            yield job
        finally:
            if not paused:
                self._add_results(calls, job.results)
        if self._reached:
            raise self._limit_error(self._reached)
        return False

    def _count(self, calls: Sequence[ToolCall]) -> None:
        """Count calls, once, and decide which are not run for a limit's sake."""
        if self.state.is_counted:
            return
        detector = RepeatDetector(self.state.repeats)
        for number, call in enumerate(calls, self.state.tool_calls + 1):
            reason = self._reason_against(call, number, detector)
            if reason:
                self.state.refused[call.id or ""] = reason
        self.state.repeats, self.state.is_counted = detector.counts, True

    def _reason_against(self, call: ToolCall, number: int, detector: RepeatDetector) -> str:
        limits, left = self.options.limits, self._seconds_left()
        if left is not None and left <= 0:
            self._reached = "max_seconds"
        elif limits.max_tool_calls is not None and number > limits.max_tool_calls:
            self._reached = "max_tool_calls"
        elif limits.max_repeats is None or self._is_repeatable(call):
            return ""
        else:
            times = detector.add(call)
            if times <= limits.max_repeats:
                return ""
            if times == limits.max_repeats + 1:
                return (
                    f"it has been made {limits.max_repeats} times with these arguments already. Use the "
                    "results you have, or do something else; making it once more ends the run."
                )
            self._reached = "max_repeats"
        return f"the limit {self._reached}={getattr(limits, self._reached):g} is reached."

    def _is_repeatable(self, call: ToolCall) -> bool:
        tool = self.registry.get(call.name)
        return tool is not None and REPEATABLE in tool.definition.tags

    def _ask_about_calls(self) -> Generator[Any, None, None]:
        if self.options.approve is None:
            return
        for entry in self.undecided():
            decide, asked = Decide(entry), monotonic()
            yield decide
            self._began += monotonic() - asked
            self.state.decisions[entry.key] = decide.decision

    def _runnable(self, calls: Sequence[ToolCall]) -> list[ToolCall]:
        """Return the calls to run: not refused, and approved where they need it, with what was approved."""
        chosen = {call.id: call for call in calls if call.id not in self.state.refused}
        for entry in self._pending():
            decision = self.state.decisions[entry.key]
            if decision is True:
                chosen[entry.call.id] = entry.call
            else:
                del chosen[entry.call.id]
                reason = decision if isinstance(decision, str) and decision.strip() else "no reason given"
                self.state.refused[entry.call.id or ""] = f"{_DENIED}{reason}"
        return list(chosen.values())

    def _add_results(self, calls: Sequence[ToolCall], results: dict[str | None, ToolResult]) -> None:
        for call in calls:
            result = results.get(call.id) or error_result(call, self._why_not_run(call))
            self.conversation.add_result(result)
        self.state.forget_calls()

    def _why_not_run(self, call: ToolCall) -> ToolError:
        reason = self.state.refused.get(call.id or "")
        if call.error is not None:
            return InvalidArgumentsError(call.name, "", call.error)
        if reason is None:
            return CallCancelledError(call.name)
        if reason.startswith(_DENIED):
            return PermissionDeniedError(call.name, reason)
        return NotRunError(call.name, reason)

    def _answer_rest(self) -> None:
        self._add_results(self.conversation.open_calls, {})

    # Limits

    def _check_limits(self) -> None:
        limits = self.options.limits
        used = {
            "max_steps": self.state.steps,
            "max_total_tokens": self.state.usage.total_tokens,
            "max_seconds": self._seconds(),
        }
        for name, amount in used.items():
            limit = getattr(limits, name)
            if limit is not None and amount >= limit:
                raise self._limit_error(name)

    def _limit_error(self, name: str) -> LimitReachedError:
        return LimitReachedError(name, getattr(self.options.limits, name), self.answer("limit"))

    def _seconds(self) -> float:
        return monotonic() - self._began

    def _seconds_left(self) -> float | None:
        limit = self.options.limits.max_seconds
        return None if limit is None else limit - self._seconds()


_DENIED = "the user did not allow this call: "
