"""``gene/actor``: making actors. What they are stands in :mod:`gene.runtime.actors`."""

from __future__ import annotations

from gene.runtime.actors import Actor
from gene.runtime.exceptions import ArgumentException
from gene.stdlib.arguments import MISSING, callback, tag_of

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any


def enable(*, workers: Any = None) -> None:
    """``(gene/actor/enable)``: does nothing, since actors need no preparation here.

    Args:
        workers: Accepted for programs that say how many threads to share; every busy actor has its own.

    Raises:
        ArgumentException: ``workers`` is no positive Int.
    """
    if workers is not None and (type(workers) is not int or workers < 1):
        got = workers if type(workers) is int else tag_of(workers)
        raise ArgumentException(f"gene/actor/enable requires a positive Int as ^workers, got {got}")


def spawn(handler: Any = MISSING, *, state: Any = None) -> Actor:
    """``(gene/actor/spawn ^state s (fn [ctx msg state] …))``: a new actor.

    Args:
        handler: Called with the context, the message and the state; its value is the next state.
        state: The first state.
    """
    if handler is MISSING:
        raise ArgumentException("gene/actor/spawn requires a handler: (fn [ctx msg state] …)")
    return Actor(callback(handler, "gene/actor/spawn"), state)
