"""Anthropic Messages, through the official SDK."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any

from ai_tools.formats import anthropic as wire
from ai_tools.formats.plain import items, to_dict
from ai_tools.providers import assembly, diagnosis, history, sdk
from ai_tools.providers.protocol import ReasoningDelta, TextDelta, UsageEvent
from ai_tools.providers.sdk_service import SdkService

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ai_tools.messages import Message, Part
    from ai_tools.providers.control import Control
    from ai_tools.providers.protocol import Event, Request, Usage
    from ai_tools.types import ToolDefinition

BASE_URL = "https://api.anthropic.com"

DEFAULT_MAX_TOKENS = 8192
"""The service demands a limit. This one is known to all models since Claude 3.5."""

_OURS = ("text", "tool_use")
"""Blocks that can be written anew from a message's text and calls. Others have to go back as they came."""


class Assembly(assembly.Assembly):
    """Reads messages, and the events of streamed ones."""

    format = "anthropic"

    def __init__(self, tools: Sequence[ToolDefinition]) -> None:
        super().__init__(tools)
        self._blocks: dict[Any, dict[str, Any]] = {}
        self._inputs: dict[Any, list[str]] = {}
        self._counts: dict[str, Any] = {}

    def read(self, piece: dict[str, Any]) -> Iterator[Event]:
        """Yield what an event or a whole message holds."""
        kind = piece.get("type")
        if kind == "error":
            raise diagnosis.from_event(piece, self.format)
        if kind == "message":
            for index, block in enumerate(items(piece.get("content"))):
                yield from self._block(index, to_dict(block))
            yield from self._usage_event(piece)
        elif kind == "message_start":
            yield from self._usage_event(to_dict(piece.get("message") or {}))
        elif kind == "content_block_start":
            yield from self._block(piece.get("index"), to_dict(piece.get("content_block") or {}))
        elif kind == "content_block_delta":
            yield from self._delta(piece.get("index"), to_dict(piece.get("delta") or {}))
        elif kind == "message_delta":
            yield from self._usage_event(piece)

    def _block(self, index: object, block: dict[str, Any]) -> Iterator[Event]:
        self._blocks[index] = dict(block)
        yield from assembly.text(block.get("text"))
        yield from assembly.reasoning(block.get("thinking"))

    def _delta(self, index: object, delta: dict[str, Any]) -> Iterator[Event]:
        block = self._blocks.setdefault(index, {"type": "text", "text": ""})
        if isinstance(piece := delta.get("partial_json"), str):
            self._inputs.setdefault(index, []).append(piece)
            return
        for name in ("text", "thinking", "signature"):
            if isinstance(piece := delta.get(name), str) and piece:
                block[name] = block.get(name, "") + piece
                if name == "text":
                    yield TextDelta(piece)
                elif name == "thinking":
                    yield ReasoningDelta(piece)
        if delta.get("citation"):
            block["citations"] = [*(block.get("citations") or ()), delta["citation"]]

    def _usage_event(self, holder: dict[str, Any]) -> Iterator[UsageEvent]:
        given = holder.get("usage")
        if isinstance(given, dict):
            self._counts.update({key: value for key, value in given.items() if value is not None})
            yield UsageEvent(_usage(self._counts))

    def returned(self) -> dict[str, Any]:
        """Return the blocks, if there are any that only Anthropic understands."""
        blocks = [self._finished(index, block) for index, block in self._blocks.items()]
        kept = [block for block in blocks if block.get("type") != "thinking" or block.get("signature")]
        return {"content": kept} if any(block.get("type") not in _OURS for block in kept) else {}

    def _finished(self, index: object, block: dict[str, Any]) -> dict[str, Any]:
        if block.get("type") == "tool_use":  # written anew, from the call
            return {"type": "tool_use", "id": block.get("id")}
        if index in self._inputs:
            with contextlib.suppress(ValueError):
                return {**block, "input": json.loads("".join(self._inputs[index]))}
        return block


class AnthropicProvider(SdkService):
    """Anthropic's models.

    Args:
        model: The model to ask where a request names none.
        api_key: The key; else ``ANTHROPIC_API_KEY``, which is sent to Anthropic's own address and to that in
            ``ANTHROPIC_BASE_URL`` only.
        base_url: The service's address; else ``ANTHROPIC_BASE_URL``, else Anthropic's.
        client: A client of the SDK, such as ``AnthropicBedrock``, to use instead of one made of these.
        strict: Whether strict mode is asked for for every tool.
        timeout, retry: See `ModelService`.

    Raises:
        AuthenticationError: There is no key for Anthropic.
        MissingExtraError: The package ``anthropic`` is not installed.
        ValueError: `base_url` is no address.
    """

    name = "anthropic"
    client_class = "Anthropic"
    default_url = BASE_URL

    def _assembly(self, request: Request) -> Assembly:
        return Assembly(request.tools)

    def _body(self, request: Request) -> dict[str, Any]:
        settings = request.settings
        messages = history.write(request.messages, history.Writer(wire.format_results, _user, _assistant))
        body: dict[str, Any] = {
            "model": self._model(request),
            "max_tokens": settings.max_tokens or DEFAULT_MAX_TOKENS,
            "messages": history.joined(messages, "user", "content"),
        }
        if system := history.system_prompt(request):
            body["system"] = system
        if request.tools:
            body["tools"] = wire.export(request.tools, strict=self._strict)
            if settings.tool_choice or settings.parallel_tool_calls is not None:
                body["tool_choice"] = _choice(
                    settings.tool_choice or "auto", parallel=settings.parallel_tool_calls
                )
        if settings.temperature is not None:
            body["temperature"] = settings.temperature
        return {**body, **settings.extra}

    def _send(self, body: dict[str, Any], control: Control) -> dict[str, Any]:
        with self._answer(body, control, stream=False) as message:
            return sdk.plain(message)

    def _open(self, body: dict[str, Any], control: Control) -> Iterator[dict[str, Any]]:
        with self._answer(body, control, stream=True) as events, events:
            for event in events:
                yield sdk.plain(event)

    @contextlib.contextmanager
    def _answer(self, body: dict[str, Any], control: Control, *, stream: bool) -> Iterator[Any]:
        known = {key: body[key] for key in ("model", "max_tokens", "messages")}
        rest = {key: value for key, value in body.items() if key not in known and value is not None}
        with sdk.line(control) as line:
            with line.opening():
                answer = self._client.messages.create(
                    **known, stream=stream, extra_body=rest, timeout=control.remaining + 1.0
                )
            if stream:
                line.follow(answer.response)
            yield answer


def _usage(counts: dict[str, Any]) -> Usage:
    cached = ("cache_read_input_tokens",)
    inputs = ("input_tokens", "cache_creation_input_tokens", *cached)
    return assembly.usage(counts, inputs, ("output_tokens",), cached)


def _choice(choice: str, *, parallel: bool | None) -> dict[str, Any]:
    kinds = {"auto": "auto", "none": "none", "required": "any"}
    found: dict[str, Any] = {"type": kinds.get(choice, "tool")}
    if choice not in kinds:
        found["name"] = wire.RULES.names.encode(choice)
    if parallel is not None and choice != "none":
        found["disable_parallel_tool_use"] = not parallel
    return found


def _assistant(message: Message) -> dict[str, Any] | None:
    """Return the message; None for an empty one, which the service refuses."""
    written = wire.assistant_message(message.calls, message.text)
    kept = items(history.extras(message, "anthropic").get("content"))
    if kept and "".join(block.get("text") or "" for block in kept) == message.text:
        written["content"] = _woven(kept, wire.assistant_message(message.calls)["content"])
    return written if written["content"] else None


def _woven(kept: list[dict[str, Any]], calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the kept blocks with the message's calls in the places where they were."""
    left = {block["id"]: block for block in calls}
    woven = [
        left.pop(block.get("id"), None) if block["type"] == "tool_use" else block
        for block in kept
        if block["type"] != "text" or block.get("text")
    ]
    return [*(block for block in woven if block is not None), *left.values()]


def _user(message: Message) -> dict[str, Any]:
    if message.parts:
        return {"role": "user", "content": [_part(part) for part in message.parts]}
    return {"role": "user", "content": [{"type": "text", "text": message.text}]}


def _part(part: Part) -> dict[str, Any]:
    if part.kind == "text":
        return {"type": "text", "text": part.text}
    source = (
        {"type": "url", "url": part.url}
        if part.url
        else {"type": "base64", "media_type": part.media_type, "data": part.data}
    )
    if part.kind == "image":
        return {"type": "image", "source": source}
    if not part.url and part.media_type != "application/pdf":
        raise history.unsupported(part, "anthropic")
    return {"type": "document", "source": source, **({"title": part.name} if part.name else {})}
