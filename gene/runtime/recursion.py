"""Deep recursion: how far Python lets Gene programs nest their calls."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Final

LIMIT: Final = 400_000
"""How deep Python may recurse: 100,000 nested Gene calls, each of which can take a few Python frames."""

STACK: Final = 256 << 20
"""Bytes that the C stack may grow to. Python 3.11 recurses on it when an instance that is called, or a call
with spread arguments, leads to itself; 400,000 such frames take 120 MB. Later versions count their own C
recursion and stop before the usual 8 MB are used up."""


def allow(limit: int) -> None:
    """Let programs recurse, in this whole process.

    On Python 3.11 the stack of the main thread is allowed to grow too; other threads have the stack that
    they were started with, so start those that run Gene code with ``threading.stack_size(STACK)``.

    Args:
        limit: The number of Python frames; the recursion limit is never lowered.
    """
    if sys.getrecursionlimit() < limit:
        sys.setrecursionlimit(limit)
    if sys.version_info < (3, 12):
        _grow_stack()


def _grow_stack() -> None:
    """Let the stack of the main thread grow; Linux looks at the limit when the stack needs another page."""
    try:
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
        wanted = STACK if hard == resource.RLIM_INFINITY else min(STACK, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_STACK, (wanted, hard))
    except (ImportError, ValueError, OSError):
        pass  # a system without such limits, or one that forbids it: recursion through C is not as deep there
