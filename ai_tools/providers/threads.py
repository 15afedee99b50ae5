"""The asynchronous side of a synchronous provider: the request runs in a thread, its events come over."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from ai_tools.cancellation import CancelToken
from ai_tools.providers.protocol import Request

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from ai_tools.providers.protocol import Event, Provider, Reply

_END = object()


async def complete(provider: Provider, request: Request) -> Reply:
    """Run ``provider.complete`` in a thread and await it; a cancelled await cancels the request."""
    own = _with_token(request)
    try:
        return await asyncio.to_thread(provider.complete, own)
    except asyncio.CancelledError:
        _token(own).cancel()
        raise


async def stream(provider: Provider, request: Request) -> AsyncIterator[Event]:
    """Run ``provider.stream`` in a thread and yield its events; leaving early cancels the request."""
    own = _with_token(request)
    loop = asyncio.get_running_loop()
    events: asyncio.Queue[Any] = asyncio.Queue()

    def send(item: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed; nobody waits any more
            loop.call_soon_threadsafe(events.put_nowait, item)

    pumping = loop.run_in_executor(None, _pump, provider, own, send)
    try:
        while (item := await events.get()) is not _END:
            yield item
        await pumping
    finally:
        if not pumping.done():
            _token(own).cancel()
            with contextlib.suppress(Exception):
                await pumping


def _pump(provider: Provider, request: Request, send: Any) -> None:
    events = provider.stream(request)
    try:
        for event in events:
            if _token(request).is_cancelled:
                break
            send(event)
    finally:
        send(_END)
        if hasattr(events, "close"):
            events.close()


def _with_token(request: Request) -> Request:
    if request.cancel is not None:
        return request
    return Request(
        request.messages,
        system=request.system,
        tools=request.tools,
        settings=request.settings,
        timeout=request.timeout,
        cancel=CancelToken(),
    )


def _token(request: Request) -> CancelToken:
    assert request.cancel is not None
    return request.cancel
