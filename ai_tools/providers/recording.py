"""Record the exchanges with a model service into a file, and play them back without it.

The file holds a JSON object a line: the request, the events of the answer, and the error if it failed. Keys
are taken out (`ai_tools.providers.redaction`).
"""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

from ai_tools import messages
from ai_tools.formats.streams import CallEvent, OpenCall
from ai_tools.json_files import encode
from ai_tools.providers import errors, protocol
from ai_tools.providers.redaction import Redactor
from ai_tools.types import ToolCall

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping

    from ai_tools.providers.protocol import Event, Provider, Reply, Request


class ReplayMismatchError(errors.ProviderError):
    """A request is not the one that was recorded; `path` is the first place where they differ."""

    code = "replay_mismatch"

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message, provider="replay")
        self.path = path


class RecordingProvider(protocol.Provider):
    """Passes requests on and appends each exchange to a file.

    Args:
        provider: The service.
        path: The file; it is created, or added to.
        secrets: Further texts to take out (see `Redactor`).
    """

    def __init__(
        self, provider: Provider, path: str | os.PathLike[str], *, secrets: Iterable[str] = ()
    ) -> None:
        self.name = provider.name
        self._provider = provider
        self._path = path
        self._redactor = Redactor(secrets)
        self._lock = threading.Lock()

    def stream(self, request: Request) -> Iterator[Event]:
        """Ask the service, pass its events on, and record them."""
        events: list[Any] = []
        error: errors.ProviderError | None = None
        try:
            for event in self._provider.stream(request):
                events.append(_event_to_dict(event))
                yield event
        except errors.ProviderError as caught:
            error = caught
            raise
        finally:
            self._write(request, events, error)

    def complete(self, request: Request) -> Reply:
        """Ask the service for a whole reply and record it."""
        try:
            reply = self._provider.complete(request)
        except errors.ProviderError as error:
            self._write(request, [], error)
            raise
        self._write(request, [_event_to_dict(protocol.Done(reply))], None)
        return reply

    def close(self) -> None:
        """Close the service's connections."""
        self._provider.close()

    def _write(self, request: Request, events: list[Any], error: errors.ProviderError | None) -> None:
        exchange = {"request": request_to_dict(request), "events": events}
        if error is not None:
            exchange["error"] = _error_to_dict(error)
        line = encode(self._redactor.clean(exchange)) + b"\n"
        with self._lock, open(self._path, "ab") as file:
            file.write(line)


class ReplayProvider(protocol.Provider):
    """Plays recorded exchanges, in their order.

    Args:
        path: The file.
        strict: Whether each request has to be the one that was recorded. Tools whose results change from run
            to run need False.
        secrets: What was taken out of the recording beside the usual.

    Raises:
        OSError: The file cannot be read.
        ValueError: It holds no exchanges.
    """

    name = "replay"

    def __init__(
        self, path: str | os.PathLike[str], *, strict: bool = True, secrets: Iterable[str] = ()
    ) -> None:
        self._exchanges = _read(path)
        self._strict = strict
        self._redactor = Redactor(secrets)
        self._next = 0
        self._lock = threading.Lock()

    def stream(self, request: Request) -> Iterator[Event]:
        """Play the next exchange.

        Raises:
            ReplayMismatchError: There is none, or it began with another request.
            ProviderError: The error that was recorded.
        """
        with self._lock:
            self._next += 1
            number = self._next
        if number > len(self._exchanges):
            raise ReplayMismatchError(f"request {number} comes after the end of the recording")
        exchange = self._exchanges[number - 1]
        if self._strict:
            self._compare(number, exchange["request"], request)
        yield from _events_from_dicts(exchange["events"])
        if "error" in exchange:
            raise _error_from_dict(exchange["error"])

    def _compare(self, number: int, recorded: Any, request: Request) -> None:
        now = json.loads(encode(self._redactor.clean(request_to_dict(request))))
        path = _difference(recorded, now, "request")
        if path is not None:
            raise ReplayMismatchError(f"request {number} differs from the recorded one at {path}", path)


def _read(path: str | os.PathLike[str]) -> list[dict[str, Any]]:
    with open(path, encoding="utf-8") as file:
        exchanges = [json.loads(line) for line in file if line.strip()]
    for number, exchange in enumerate(exchanges, 1):
        if not isinstance(exchange, dict) or not {"request", "events"} <= exchange.keys():
            raise ValueError(f"{path}, line {number}: this is no recorded exchange")
    return exchanges


def request_to_dict(request: Request) -> dict[str, Any]:
    """Return what a request asks, as JSON kinds."""
    settings = request.settings
    return {
        "system": request.system,
        "messages": [messages.to_dict(message) for message in request.messages],
        "tools": [tool.to_chat_tool() for tool in request.tools],
        "settings": {name: getattr(settings, name) for name in settings.__slots__},
    }


def _difference(recorded: Any, now: Any, path: str) -> str | None:
    """Return the first place where two JSON values differ, None if they do not."""
    if isinstance(recorded, dict) and isinstance(now, dict):
        pairs = [(f"{path}.{key}", recorded.get(key), now.get(key)) for key in {**recorded, **now}]
    elif isinstance(recorded, list) and isinstance(now, list) and len(recorded) == len(now):
        pairs = [(f"{path}[{at}]", *pair) for at, pair in enumerate(zip(recorded, now, strict=True))]
    else:
        return None if recorded == now else path
    return next((found for where, old, new in pairs if (found := _difference(old, new, where))), None)


def _event_to_dict(event: Event) -> dict[str, Any]:
    if isinstance(event, CallEvent):
        fields = {name: getattr(event, name) for name in ("kind", "position", "name", "delta")}
        return fields | {"call": event.call and _fields(event.call)}
    if isinstance(event, protocol.UsageEvent):
        return {"kind": event.kind, "usage": _fields(event.usage)}
    if isinstance(event, protocol.Done):
        return {"kind": event.kind, "reply": _reply_to_dict(event.reply)}
    return {"kind": event.kind, "text": event.text}


def _fields(record: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__slots__}


def _reply_to_dict(reply: Reply) -> dict[str, Any]:
    calls = [_fields(call) for call in reply.calls]
    # The raw answer says the same once more, and in a form that nobody has to be able to read again.
    return _fields(reply) | {"calls": calls, "usage": reply.usage and _fields(reply.usage), "raw": None}


def _events_from_dicts(events: Iterable[Mapping[str, Any]]) -> Iterator[Event]:
    open_calls: dict[int, OpenCall] = {}
    for event in events:
        kind = event["kind"]
        if kind == "done":
            yield protocol.Done(_reply_from_dict(event["reply"]))
        elif kind == "usage":
            yield protocol.UsageEvent(protocol.Usage(**event["usage"]))
        elif kind in ("text", "reasoning"):
            delta = protocol.TextDelta if kind == "text" else protocol.ReasoningDelta
            yield delta(event["text"])
        else:
            yield _call_event(event, open_calls)


def _call_event(event: Mapping[str, Any], open_calls: dict[int, OpenCall]) -> CallEvent:
    position = event["position"]
    source = open_calls.setdefault(position, OpenCall(position, position, None, event["name"]))
    if event["delta"]:
        source.pieces.append(event["delta"])
    source.call = _call(event["call"]) if event["call"] else None
    return CallEvent(event["kind"], source, event["name"], event["delta"])


def _reply_from_dict(fields: Mapping[str, Any]) -> Reply:
    calls = [_call(call) for call in fields["calls"]]
    usage = protocol.Usage(**fields["usage"]) if fields["usage"] else None
    return protocol.Reply(**{**fields, "calls": calls, "usage": usage})


def _call(fields: Mapping[str, Any]) -> ToolCall:
    return ToolCall(fields["id"], **{key: value for key, value in fields.items() if key != "id"})


def _error_to_dict(error: errors.ProviderError) -> dict[str, Any]:
    fields = {name: getattr(error, name) for name in ("message", "provider", "status", "retry_after")}
    return {"code": error.code, **fields}


def _error_from_dict(fields: Mapping[str, Any]) -> errors.ProviderError:
    kinds: dict[str, Any] = {getattr(kind, "code", ""): kind for kind in vars(errors).values()}
    rest = {name: fields[name] for name in ("provider", "status", "retry_after")}
    made: errors.ProviderError = kinds.get(fields["code"], errors.ProviderError)(fields["message"], **rest)
    return made
