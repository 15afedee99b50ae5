"""The two drivers of a run: they do what it asks for, sync or async, and yield its events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.agent_actions import Ask, Decide, Execute
from ai_tools.agent_approval import check_decision, shown
from ai_tools.agent_events import Finished
from ai_tools.providers.errors import InvalidResponseError, RequestCancelledError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from ai_tools.agent_events import AgentEvent
    from ai_tools.agent_run import Run
    from ai_tools.agent_tools import ToolRunner
    from ai_tools.providers.protocol import Event, Provider

_OWN = frozenset({"usage", "done"})  # kinds of provider events that the run tells in its own way


class Driver:
    """Drives runs.

    Args:
        provider: The model service.
        runner: Runs calls.
        approve: The callback that is asked about calls.
        streaming: Whether the answers are streamed.
    """

    def __init__(self, provider: Provider, runner: ToolRunner, approve: Any, *, streaming: bool) -> None:
        self.provider = provider
        self.runner = runner
        self.approve = approve
        self.streaming = streaming

    def drive(self, run: Run) -> Iterator[AgentEvent]:
        """Do a run and yield its events; the last one is `Finished`."""
        steps = run.steps()
        try:
            action = next(steps)
            while True:
                try:
                    yield from self._perform(action)
                except BaseException as error:  # noqa: BLE001 - the run decides what becomes of it
                    action = steps.throw(error)
                else:
                    action = next(steps)
        except StopIteration as stop:
            answer = stop.value
        yield Finished(answer)

    def _perform(self, action: Any) -> Iterator[AgentEvent]:
        if isinstance(action, Execute):
            yield from self.runner.run(action)
        elif isinstance(action, Ask):
            yield from self._ask(action)
        elif isinstance(action, Decide):
            decision = self.approve(shown(action.pending))
            if hasattr(decision, "__await__"):
                decision.close()
                raise TypeError("`approve` is a coroutine function: use achat or astream_chat")
            action.decision = check_decision(decision)
        else:
            yield action

    def _ask(self, ask: Ask) -> Iterator[AgentEvent]:
        if not self.streaming:
            ask.reply = self.provider.complete(ask.request)
            return
        events = self.provider.stream(ask.request)
        try:
            for event in events:
                yield from self._take(event, ask)
        finally:
            if hasattr(events, "close"):
                events.close()
        self._check_done(ask)

    def _take(self, event: Event, ask: Ask) -> tuple[Any, ...]:
        """Take in one event of the provider and return what the run's consumer is to see."""
        if event.kind == "done":
            ask.reply = event.reply  # type: ignore[union-attr]  # only Done is of this kind
        elif self.runner.cancel.is_cancelled:
            raise RequestCancelledError("cancelled", provider=self.provider.name)
        elif event.kind == "text":
            ask.text.append(event.text)  # type: ignore[union-attr]  # only TextDelta is of this kind
        return () if event.kind in _OWN else (event,)

    def _check_done(self, ask: Ask) -> None:
        if ask.reply is None:
            raise InvalidResponseError("the answer broke off", provider=self.provider.name)

    async def adrive(self, run: Run) -> AsyncIterator[AgentEvent]:
        """Do a run and yield its events asynchronously; see `drive`."""
        from contextlib import aclosing

        steps = run.steps()
        try:
            action = next(steps)
            while True:
                try:
                    async with aclosing(self._aperform(action)) as events:  # type: ignore[type-var]
                        async for event in events:
                            yield event
                except BaseException as error:  # noqa: BLE001 - the run decides what becomes of it
                    action = steps.throw(error)
                else:
                    action = next(steps)
        except StopIteration as stop:
            answer = stop.value
        yield Finished(answer)

    async def _aperform(self, action: Any) -> AsyncIterator[AgentEvent]:
        from contextlib import aclosing

        if isinstance(action, Decide):
            decision = self.approve(shown(action.pending))
            action.decision = check_decision(await decision if hasattr(decision, "__await__") else decision)
        elif isinstance(action, Ask) and not self.streaming:
            action.reply = await self.provider.acomplete(action.request)
        elif isinstance(action, (Ask, Execute)):
            source: Any = self._aask(action) if isinstance(action, Ask) else self.runner.arun(action)
            async with aclosing(source) as events:
                async for event in events:
                    yield event
        else:
            yield action

    async def _aask(self, ask: Ask) -> AsyncIterator[AgentEvent]:
        source = self.provider.astream(ask.request)
        try:
            async for event in source:
                for taken in self._take(event, ask):
                    yield taken
        finally:
            if hasattr(source, "aclose"):
                await source.aclose()
        self._check_done(ask)
