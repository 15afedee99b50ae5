"""Actors: functions with a state of their own that answer one message after the other.

Each actor works in a thread of its own, which exists while there are messages for it. What goes in and out
is copied, so an actor shares nothing that changes with anybody, unless its handler refers to variables
around it.
"""

from __future__ import annotations

from gene.data.kinds import Kind
from gene.errors import LimitError
from gene.runtime.copying import copied
from gene.runtime.events import Events, current, enter, report
from gene.runtime.exceptions import ConcurrencyException
from gene.runtime.failures import caught
from gene.runtime.futures import CANCELLED, FAILURE, Future
from gene.runtime.recursion import STACK
from gene.runtime.workers import Workers

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final


class Actor:
    """An actor.

    Args:
        handler: Called as ``handler(context, message, state)``; what it returns is the next state. Where it
            raises, the state stays.
        state: The first state, which is copied.
    """

    __slots__ = ("_events", "_handler", "_state", "_stopped", "_workers")

    def __init__(self, handler: Callable[..., Any], state: Any) -> None:
        self._handler = handler
        self._state = copied(state)
        self._stopped = ""
        self._workers = Workers("gene actor", 1, stack=STACK)
        self._events = Events(current().program, self._submit)

    def send(self, message: Any = None) -> None:
        """``(a .send message)``: have the actor handle a copy of a message.

        Raises:
            ConcurrencyException: The actor was stopped.
        """
        self._post(message, None)

    def send_expect_reply(self, message: Any = None) -> Future:
        """``(a .send_expect_reply message)``: as send; returns the future of what the handler replies.

        Raises:
            ConcurrencyException: The actor was stopped.
        """
        reply = Future()
        self._post(message, reply)
        return reply

    def stop(self) -> None:
        """``(a .stop)``: take no more messages; those that were sent are handled still."""
        self._stopped = self._stopped or "stopping"

    def finish(self) -> None:
        """Handle no more messages, not even those that were sent."""
        self._stopped = "finished"

    def _post(self, message: Any, reply: Future | None) -> None:
        if self._stopped:
            raise _stopped("the actor was stopped and takes no more messages")
        copy = copied(message)
        self._submit(lambda: self._handle(copy, reply))

    def _submit(self, job: Callable[[], None]) -> None:
        self._events.program.begin()
        try:
            self._workers.submit(lambda: self._perform(job))
        except ConcurrencyException:
            self._events.program.end()
            raise

    def _perform(self, job: Callable[[], None]) -> None:
        """Do a job in the actor's thread; ``(exit)`` and limits there end the program as soon as it looks."""
        enter(self._events)
        try:
            job()
        except (SystemExit, LimitError) as error:
            end = error
            self._events.program.events.post(lambda: _raise(end))
        finally:
            self._events.program.end()

    def _handle(self, message: Any, reply: Future | None) -> None:
        if self._stopped == "finished":
            if reply is not None:
                reply.settle(FAILURE, error=_stopped("the actor was stopped before it handled the message"))
            return
        context = Context(self, reply)  # kept to the end: when it goes, so does the hope of a reply
        try:
            self._state = self._handler(context, message, self._state)
        except Exception as error:  # noqa: BLE001 - the actor goes on; whoever waits for the reply is told
            if reply is None or not reply.settle(FAILURE, error=caught(error)):
                report(error, "an actor")


class Context:
    """What a handler is given to deal with one message.

    A handler may keep it and reply later, as in the callback of a future.
    """

    __slots__ = ("_actor", "_reply")

    def __init__(self, actor: Actor, reply: Future | None) -> None:
        self._actor = actor
        self._reply = reply

    def reply(self, value: Any = None) -> None:
        """``(ctx .reply value)``: answer with a copy of a value; nothing happens if nobody waits for it.

        Raises:
            ConcurrencyException: There was a reply already.
        """
        if self._reply is not None and self._reply.state != CANCELLED:
            self._reply.complete(copied(value))

    def stop(self) -> None:
        """``(ctx .stop)``: handle no message after this one."""
        self._actor.finish()

    def __del__(self) -> None:
        """When nobody is left who could reply, whoever waits is told so."""
        if self._reply is not None:
            error = ConcurrencyException(
                "the actor handled the message without a reply", code="GENE.ACTOR.NO_REPLY"
            )
            self._reply.settle(FAILURE, error=error)


def _stopped(message: str) -> ConcurrencyException:
    return ConcurrencyException(message, code="GENE.ACTOR.STOPPED")


def _raise(error: BaseException) -> None:
    raise error


ACTOR: Final = Kind(
    "Actor",
    "VkActor",
    Actor,
    methods={"send": Actor.send, "send_expect_reply": Actor.send_expect_reply, "stop": Actor.stop},
)
CONTEXT: Final = Kind(
    "ActorContext", "VkActorContext", Context, methods={"reply": Context.reply, "stop": Context.stop}
)
