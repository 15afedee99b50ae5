"""OpenAI Chat Completions, and every server that speaks the same: vLLM, llama.cpp, OpenRouter, Azure, ….

The official SDK writes and authenticates the requests; the answers' bytes are read here, since the SDK keeps
to itself whether a stream ended with ``[DONE]`` or merely stopped.
"""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ai_tools import openai_messages
from ai_tools.formats import openai as wire
from ai_tools.formats.plain import items, to_dict
from ai_tools.providers import assembly, diagnosis, history, sdk, sse
from ai_tools.providers.errors import InvalidResponseError
from ai_tools.providers.protocol import UsageEvent
from ai_tools.providers.sdk_service import SdkService

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ai_tools.messages import Message
    from ai_tools.providers.control import Control
    from ai_tools.providers.protocol import Event, Request

BASE_URL = "https://api.openai.com/v1"

_RETURNED = ("reasoning_content", "reasoning_details", "reasoning")
"""What servers that show their reasoning want back (DeepSeek, OpenRouter); no other server gets to see it."""


class Assembly(assembly.Assembly):
    """Reads ``chat.completion`` and ``chat.completion.chunk`` objects."""

    format = "openai"
    host = ""  # of the server that answers

    def read(self, piece: dict[str, Any]) -> Iterator[Event]:
        """Yield what a piece holds of the first choice, and the usage."""
        if piece is sse.DONE:
            return
        if piece.get("error"):
            raise diagnosis.from_event(piece, self.format)
        for choice in map(to_dict, items(piece.get("choices"))):
            if not choice.get("index"):
                yield from self._message(to_dict(choice.get("delta") or choice.get("message") or {}))
        if piece.get("usage"):
            counts = ("prompt_tokens",), ("completion_tokens",), ("prompt_tokens_details.cached_tokens",)
            yield UsageEvent(assembly.usage(piece["usage"], *counts))

    def _message(self, message: dict[str, Any]) -> Iterator[Event]:
        for name in _RETURNED:
            if value := message.get(name):
                before = self.extras.get(name)
                self.extras[name] = value if before is None else before + value
                self.extras["host"] = self.host
        yield from assembly.reasoning(message.get("reasoning_content") or message.get("reasoning"))
        yield from assembly.text(message.get("content"))
        if refusal := message.get("refusal"):
            self.refused = True
            yield from assembly.text(refusal)

    def feed(self, piece: dict[str, Any]) -> Iterator[Event]:
        """Take a chunk; ``[DONE]`` ends the answer also where no chunk gave a reason."""
        if piece is not sse.DONE:
            yield from super().feed(piece)
        elif not self.has_ended:
            yield from self.parser.feed({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})


class OpenAIProvider(SdkService):
    """OpenAI, or a server that is compatible with it.

    Args:
        model: The model to ask where a request names none.
        api_key: The key; else ``OPENAI_API_KEY``, which is sent to OpenAI's own address and to that in
            ``OPENAI_BASE_URL`` only. Other servers get the key that was given for them, or none.
        base_url: The server's address up to ``/v1``; else ``OPENAI_BASE_URL``, else OpenAI's.
        client: A client of the SDK, such as ``AzureOpenAI``, to use instead of one made of these.
        strict: Whether strict mode is asked for for every tool.
        timeout, retry: See `ModelService`.

    Raises:
        AuthenticationError: There is no key for OpenAI.
        MissingExtraError: The package ``openai`` is not installed.
        ValueError: `base_url` is no address.
    """

    name = "openai"
    client_class = "OpenAI"
    default_url = BASE_URL

    def _assembly(self, request: Request) -> Assembly:
        made = Assembly(request.tools)
        made.host = self._host
        return made

    def _body(self, request: Request) -> dict[str, Any]:
        settings = request.settings
        body: dict[str, Any] = {"model": self._model(request), "messages": self._messages(request)}
        if request.tools:
            body["tools"] = wire.export(request.tools, strict=self._strict)
            if settings.tool_choice:
                body["tool_choice"] = _choice(settings.tool_choice)
            if settings.parallel_tool_calls is not None:
                body["parallel_tool_calls"] = settings.parallel_tool_calls
        if settings.max_tokens is not None:
            body[self._limit_name] = settings.max_tokens
        if settings.temperature is not None:
            body["temperature"] = settings.temperature
        return {**body, **settings.extra}

    def _messages(self, request: Request) -> list[dict[str, Any]]:
        system = history.system_prompt(request)
        messages = history.write(
            request.messages, history.Writer(wire.format_results, _user, self._assistant)
        )
        return [{"role": "system", "content": system}, *messages] if system else messages

    def _assistant(self, message: Message) -> dict[str, Any]:
        written = wire.assistant_message(message.calls, message.text)
        returned = history.extras(message, self.name)
        if returned.pop("host", None) == self._host:
            written.update(returned)
        return written

    @property
    def _limit_name(self) -> str:
        # OpenAI's newer models refuse the old name, most other servers know only that one.
        is_openai = self.base_url.rstrip("/") == BASE_URL or "Azure" in type(self._client).__name__
        return "max_completion_tokens" if is_openai else "max_tokens"

    @property
    def _host(self) -> str:
        return urlsplit(self.base_url).netloc.rpartition("@")[2]

    def _send(self, body: dict[str, Any], control: Control) -> dict[str, Any]:
        with self._response(body, control) as response:
            content = response.read()
        try:
            return to_dict(json.loads(content))
        except (ValueError, RecursionError) as error:
            raise InvalidResponseError(f"The answer is no JSON object: {error}") from error

    def _open(self, body: dict[str, Any], control: Control) -> Iterator[dict[str, Any]]:
        options = {"include_usage": True}
        with self._response({"stream_options": options, **body, "stream": True}, control) as response:
            yield from sse.events(response.iter_bytes())

    @contextlib.contextmanager
    def _response(self, body: dict[str, Any], control: Control) -> Iterator[Any]:
        known = {"model": body["model"], "messages": body["messages"]}
        rest = {key: value for key, value in body.items() if key not in known and value is not None}
        create = self._client.chat.completions.with_streaming_response.create
        with sdk.line(control) as line, contextlib.ExitStack() as opened:
            with line.opening():
                sending = create(**known, extra_body=rest, timeout=control.remaining + 1.0)
                response = opened.enter_context(sending)
            line.follow(response.http_response)
            yield response


def _choice(choice: str) -> Any:
    if choice in ("auto", "none", "required"):
        return choice
    return {"type": "function", "function": {"name": wire.RULES.names.encode(choice)}}


def _user(message: Message) -> dict[str, Any]:
    for part in message.parts:
        if part.kind == "file" and part.url:
            raise history.unsupported(part, "openai")
    return openai_messages.prompt(message)
