"""Ollama, over plain HTTP: the types of its package drop nested properties and the ids of calls."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from ai_tools.formats import ollama as wire
from ai_tools.formats.plain import to_dict
from ai_tools.providers import assembly, diagnosis, history, keys, sse
from ai_tools.providers.http import HttpClient, checked, chunks
from ai_tools.providers.protocol import UsageEvent
from ai_tools.providers.service import DEFAULT_TIMEOUT, ModelService

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ai_tools.messages import Message
    from ai_tools.providers.control import Control
    from ai_tools.providers.protocol import Event, Request
    from ai_tools.providers.retry import RetryPolicy

DEFAULT_PORT = 11434

_CLOUD = "https://ollama.com"


class Assembly(assembly.Assembly):
    """Reads answers, and the lines of streamed ones."""

    format = "ollama"

    def read(self, piece: dict[str, Any]) -> Iterator[Event]:
        """Yield what a line holds."""
        if piece.get("error"):
            raise diagnosis.from_event(piece, self.format)
        message = to_dict(piece.get("message") or {})
        if isinstance(thinking := message.get("thinking"), str) and thinking:
            self.extras["thinking"] = self.extras.get("thinking", "") + thinking
            yield from assembly.reasoning(thinking)
        yield from assembly.text(message.get("content"))
        if "eval_count" in piece or "prompt_eval_count" in piece:
            yield UsageEvent(assembly.usage(piece, ("prompt_eval_count",), ("eval_count",)))


class OllamaProvider(ModelService):
    """Models that an Ollama server runs.

    Args:
        model: The model to ask where a request names none.
        base_url: The server's address; else ``OLLAMA_HOST``, else this machine.
        api_key: The key; else ``OLLAMA_API_KEY``, which is sent to ollama.com and to nobody else. A server of
            one's own needs none.
        timeout, retry: See `ModelService`.

    Raises:
        AuthenticationError: There is no key for ollama.com.
        ValueError: `base_url` is no address.
    """

    name = "ollama"

    def __init__(
        self,
        model: str | None = None,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        retry: RetryPolicy | None = None,
    ) -> None:
        super().__init__(model, timeout=timeout, retry=retry)
        self.base_url = checked(base_url or _from_environment(os.environ.get("OLLAMA_HOST") or ""))
        own_host = self.base_url == _CLOUD
        self._key = keys.find(self.name, api_key, ("OLLAMA_API_KEY",), own_host=own_host)
        headers = {"authorization": f"Bearer {self._key.value}"} if self._key.value else {}
        self._http = HttpClient(self.base_url, headers)

    def _assembly(self, request: Request) -> Assembly:
        return Assembly(request.tools)

    def _body(self, request: Request) -> dict[str, Any]:
        settings = request.settings
        system = history.system_prompt(request)
        messages = history.write(request.messages, history.Writer(wire.format_results, _user, _assistant))
        options = {"num_predict": settings.max_tokens, "temperature": settings.temperature}
        body: dict[str, Any] = {
            "model": self._model(request),
            "messages": [{"role": "system", "content": system}, *messages] if system else messages,
        }
        if request.tools and settings.tool_choice != "none":  # it knows no other choice
            body["tools"] = wire.export(request.tools)
        if given := {name: value for name, value in options.items() if value is not None}:
            body["options"] = given
        extra = dict(settings.extra)
        if isinstance(more := extra.get("options"), dict):
            extra["options"] = {**given, **more}
        return {**body, **extra}

    def _send(self, body: dict[str, Any], control: Control) -> dict[str, Any]:
        return self._http.send("POST", "/api/chat", {**body, "stream": False}, control)

    def _open(self, body: dict[str, Any], control: Control) -> Iterator[dict[str, Any]]:
        with self._http.open("POST", "/api/chat", {**body, "stream": True}, control) as answer:
            yield from sse.objects(chunks(answer))


def _from_environment(host: str) -> str:
    """Return the address that ``OLLAMA_HOST`` means: scheme and port may be missing, 0.0.0.0 is this machine.

    Source: https://github.com/ollama/ollama/blob/main/envconfig/config.go.
    """
    parts = urlsplit(host if "//" in host else f"http://{host}")
    name = parts.hostname or "127.0.0.1"
    name = "127.0.0.1" if name == "0.0.0.0" else f"[{name}]" if ":" in name else name  # noqa: S104 - not bound
    port = parts.port or (443 if parts.scheme == "https" else 80 if "//" in host else DEFAULT_PORT)
    return f"{parts.scheme}://{name}:{port}{parts.path}"


def _assistant(message: Message) -> dict[str, Any]:
    thinking = history.extras(message, "ollama")
    return {**wire.assistant_message(message.calls, message.text), **thinking}


def _user(message: Message) -> dict[str, Any]:
    images = []
    for part in message.parts:
        if part.kind == "image" and not part.url:
            images.append(part.data)
        elif part.kind != "text":
            raise history.unsupported(part, "ollama")
    written: dict[str, Any] = {"role": "user", "content": message.text}
    return {**written, "images": images} if images else written
