"""Answers of five model services in their own wire formats, for the tests that hold for all providers."""

# ruff: noqa: RUF012 - the samples' class attributes are never changed

from __future__ import annotations

import json
from typing import Any

from tool_samples import DOTTED, WEATHER

from ai_tools.messages import Message
from ai_tools.providers.catalog import make_provider
from ai_tools.providers.protocol import Request
from ai_tools.providers.retry import RetryPolicy

KEY = "sk-secret-0123456789"
THREAD = "00000000-0000-0000-0000-000000000007"
TOOLS = (WEATHER, DOTTED)
REQUEST = Request([Message("user", "5! and Oslo?")], system="Be brief.", tools=TOOLS)
QUICK = RetryPolicy(4, base=0.01)

CALLS = [("c1", "math.factorial", '{"n": 5}'), ("c2", "get_current_weather", '{"location": "Oslo"}')]


class Service:
    """One service: makes its provider, and its answers as JSON bodies and as events of a stream."""

    name = ""
    prefix = ""  # of the base URL
    sse = {"done": False, "named": False}

    def provider(self, url: str, **options: Any) -> Any:
        options = {"api_key": KEY, "retry": QUICK, **options}
        return make_provider(self.name, "model-1", base_url=url + self.prefix, **options)

    def plain(self, server: Any, *answer: Any, **more: Any) -> None:
        server.reply(self.whole(*answer, **more))

    def stream(self, server: Any, *answer: Any, **more: Any) -> None:
        self.reply(server, self.events(*answer, **more))

    def reply(self, server: Any, events: list[Any]) -> None:
        """Answer the next request with a stream."""
        server.reply_sse(events, **self.sse)

    def encoded(self, events: list[Any], *, ended: bool = False) -> bytes:
        """Return events as the bytes of a stream, with the mark of its end if it has one."""
        parts = []
        for event in events:
            head = f"event: {event['type']}\n" if self.sse["named"] else ""
            parts.append(f"{head}data: {json.dumps(event)}\n\n")
        return "".join([*parts, "data: [DONE]\n\n" if ended and self.sse["done"] else ""]).encode()

    def whole(self, text: str, calls: Any = (), reason: str = "") -> dict[str, Any]:
        raise NotImplementedError

    def events(self, text: str, calls: Any = (), reason: str = "") -> list[dict[str, Any]]:
        raise NotImplementedError

    def error(self, message: str) -> dict[str, Any]:
        """Return an error event."""
        raise NotImplementedError


def pieces(text: str, size: int = 3) -> list[str]:
    """Cut a text."""
    return [text[start : start + size] for start in range(0, len(text), size)]


class OpenAI(Service):
    name = "openai"
    prefix = "/v1"
    sse = {"done": True, "named": False}
    reasons = {"": "stop", "calls": "tool_calls", "length": "length", "refusal": "content_filter"}

    def _call(self, index, call, arguments=None):
        call_id, name, whole = call
        wire = name.replace(".", "-dot-")
        function = {"name": wire, "arguments": whole if arguments is None else arguments}
        return {"index": index, "id": call_id, "type": "function", "function": function}

    def whole(self, text, calls=(), reason=""):
        message = {"role": "assistant", "content": text, "refusal": None}
        if calls:
            message["tool_calls"] = [
                {k: v for k, v in self._call(i, call).items() if k != "index"} for i, call in enumerate(calls)
            ]
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": self.reasons[reason]}
        head = {"id": "x", "object": "chat.completion", "created": 1, "model": "m"}
        usage = {
            "prompt_tokens": 7,
            "completion_tokens": 5,
            "total_tokens": 12,
            "prompt_tokens_details": {"cached_tokens": 3},
        }
        return {**head, "choices": [choice], "usage": usage}

    def chunk(self, delta, reason=None):
        head = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}

    def events(self, text, calls=(), reason=""):
        events = [self.chunk({"role": "assistant", "content": ""})]
        events += [self.chunk({"content": piece}) for piece in pieces(text)]
        for index, call in enumerate(calls):
            events.append(self.chunk({"tool_calls": [self._call(index, call, "")]}))
            for piece in pieces(call[2]):
                events.append(
                    self.chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
                )
        events.append(self.chunk({}, self.reasons[reason]))
        return [*events, {**self.chunk({}), "choices": [], "usage": self.whole("")["usage"]}]

    def error(self, message):
        return {"error": {"message": message, "type": "server_error", "code": None}}


class Anthropic(Service):
    name = "anthropic"
    sse = {"done": False, "named": True}
    reasons = {"": "end_turn", "calls": "tool_use", "length": "max_tokens", "refusal": "refusal"}

    def _block(self, call):
        return {"type": "tool_use", "id": call[0], "name": call[1].replace(".", "-dot-")}

    def _message(self, content, reason, output):
        usage = {
            "input_tokens": 4,
            "cache_read_input_tokens": 3,
            "cache_creation_input_tokens": 0,
            "output_tokens": output,
        }
        head = {"id": "m", "type": "message", "role": "assistant", "model": "m", "stop_sequence": None}
        return {**head, "content": content, "stop_reason": reason, "usage": usage}

    def whole(self, text, calls=(), reason=""):
        content = [{"type": "text", "text": text}] if text else []
        content += [{**self._block(call), "input": json.loads(call[2])} for call in calls]
        return self._message(content, self.reasons[reason], 5)

    def events(self, text, calls=(), reason=""):
        events = [{"type": "message_start", "message": self._message([], None, 1)}, {"type": "ping"}]
        blocks = [({"type": "text", "text": ""}, "text_delta", "text", text)] if text else []
        blocks += [({**self._block(c), "input": {}}, "input_json_delta", "partial_json", c[2]) for c in calls]
        for index, (block, kind, field, whole) in enumerate(blocks):
            events.append({"type": "content_block_start", "index": index, "content_block": block})
            events += [
                {"type": "content_block_delta", "index": index, "delta": {"type": kind, field: piece}}
                for piece in pieces(whole)
            ]
            events.append({"type": "content_block_stop", "index": index})
        delta = {"stop_reason": self.reasons[reason], "stop_sequence": None}
        events.append({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 5}})
        return [*events, {"type": "message_stop"}]

    def error(self, message):
        return {"type": "error", "error": {"type": "overloaded_error", "message": message}}


class Gemini(Service):
    name = "gemini"
    reasons = {"": "STOP", "calls": "STOP", "length": "MAX_TOKENS", "refusal": "SAFETY"}

    def _response(self, parts, reason=None):
        candidate = {"content": {"role": "model", "parts": parts}, "index": 0}
        usage = {
            "promptTokenCount": 7,
            "candidatesTokenCount": 3,
            "thoughtsTokenCount": 2,
            "cachedContentTokenCount": 3,
        }
        return {
            "candidates": [{**candidate, "finishReason": reason} if reason else candidate],
            "usageMetadata": usage,
        }

    def _part(self, call):
        return {"functionCall": {"id": call[0], "name": call[1], "args": json.loads(call[2])}}

    def whole(self, text, calls=(), reason=""):
        parts = ([{"text": text}] if text else []) + [self._part(call) for call in calls]
        return self._response(parts, self.reasons[reason])

    def events(self, text, calls=(), reason=""):
        events = [self._response([{"text": piece}]) for piece in pieces(text)]
        events += [self._response([self._part(call)]) for call in calls]
        return [*events, self._response([{"text": ""}], self.reasons[reason])]

    def error(self, message):
        return {"error": {"code": 503, "message": message, "status": "UNAVAILABLE"}}


class Ollama(Service):
    name = "ollama"
    reasons = {"": "stop", "calls": "stop", "length": "length", "refusal": "stop"}

    def reply(self, server, events):
        server.reply_lines(events)

    def encoded(self, events, *, ended=False):
        return b"".join(json.dumps(event).encode() + b"\n" for event in events)

    def _line(self, text="", calls=(), **more):
        message = {"role": "assistant", "content": text}
        if calls:
            message["tool_calls"] = [
                {"id": i, "function": {"index": n, "name": name, "arguments": json.loads(arguments)}}
                for n, (i, name, arguments) in enumerate(calls)
            ]
        return {"model": "m", "created_at": "2026-01-01T00:00:00Z", "message": message, "done": False, **more}

    def whole(self, text, calls=(), reason=""):
        end = {"done": True, "done_reason": self.reasons[reason], "prompt_eval_count": 7, "eval_count": 5}
        return self._line(text, calls, **end)

    def events(self, text, calls=(), reason=""):
        lines = [self._line(piece) for piece in pieces(text)] + [self._line("", [call]) for call in calls]
        return [*lines, self.whole("", (), reason)]

    def error(self, message):
        return {"error": message}


class Backboard(Service):
    name = "backboard"
    prefix = "/api"
    run = {"thread_id": THREAD, "run_id": "run_1"}
    reasons = {"": "COMPLETED", "calls": "REQUIRES_ACTION"}

    def _call(self, call):
        wire = call[1].replace(".", "-dot-")
        return {"id": call[0], "type": "function", "function": {"name": wire, "arguments": call[2]}}

    def whole(self, text, calls=(), reason=""):
        last = {
            "role": "assistant", "content": text, "status": self.reasons[reason], **self.run,
            "tool_calls": [self._call(call) for call in calls] or None, "input_tokens": 7, "output_tokens": 5,
        }  # fmt: skip
        return {"messages": [{"role": "user", "content": "…", "thread_id": THREAD}, last]}

    def events(self, text, calls=(), reason=""):
        events = [{"type": "content_streaming", "content": piece} for piece in pieces(text)]
        counts = {"input_tokens": 7, "output_tokens": 5}
        if calls:
            asked = [self._call(call) for call in calls]
            return [*events, {"type": "tool_submit_required", **self.run, "tool_calls": asked, **counts}]
        return [*events, {"type": "run_ended", "status": self.reasons[reason], **self.run, **counts}]

    def error(self, message):
        return {"type": "error", "error": message}


SERVICES = [OpenAI(), Anthropic(), Gemini(), Ollama(), Backboard()]


def made(calls: Any) -> list[tuple[Any, str, Any]]:
    """Return calls in short."""
    return [(call.id, call.name, call.arguments) for call in calls]


EXPECTED = [(call_id, name, json.loads(arguments)) for call_id, name, arguments in CALLS]
