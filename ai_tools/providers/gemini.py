"""Google Gemini, through the official SDK."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ai_tools.formats import gemini as wire
from ai_tools.formats.plain import items, to_dict
from ai_tools.providers import assembly, diagnosis, history, keys, sdk
from ai_tools.providers.errors import BadRequestError
from ai_tools.providers.http import checked
from ai_tools.providers.protocol import UsageEvent
from ai_tools.providers.service import DEFAULT_TIMEOUT, ModelService

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ai_tools.messages import Message, Part
    from ai_tools.providers.control import Control
    from ai_tools.providers.protocol import Event, Request
    from ai_tools.providers.retry import RetryPolicy

_COUNTS = (
    ("promptTokenCount", "toolUsePromptTokenCount"),
    ("candidatesTokenCount", "thoughtsTokenCount"),
    ("cachedContentTokenCount",),
)


class Assembly(assembly.Assembly):
    """Reads responses, whole ones and those of a stream."""

    format = "gemini"

    def read(self, piece: dict[str, Any]) -> Iterator[Event]:
        """Yield what a response holds of the first candidate, and the usage."""
        if piece.get("error"):
            raise diagnosis.from_event(piece, self.format)
        for candidate in map(to_dict, items(piece.get("candidates"))[:1]):
            content = to_dict(candidate.get("content") or {})
            for part in map(to_dict, items(content.get("parts"))):
                yield from self._part(part)
        if piece.get("usageMetadata"):
            yield UsageEvent(assembly.usage(piece["usageMetadata"], *_COUNTS))

    def _part(self, part: dict[str, Any]) -> Iterator[Event]:
        if part.get("thought"):
            yield from assembly.reasoning(part.get("text"))
            return
        yield from assembly.text(part.get("text"))
        if part.get("thoughtSignature") and not part.get("functionCall"):
            self.extras["thoughtSignature"] = part["thoughtSignature"]


class GeminiProvider(ModelService):
    """Google's models.

    Args:
        model: The model to ask where a request names none.
        api_key: The key; else ``GEMINI_API_KEY`` or ``GOOGLE_API_KEY``, which are not sent to a `base_url`.
        base_url: The address of another server that speaks the same, without ``/v1beta``.
        client: A ``genai.Client``, such as one for Vertex AI, to use instead of one made of these. Its
            ``retry_options`` should be left unset.
        timeout, retry: See `ModelService`.

    Raises:
        AuthenticationError: There is no key for Google.
        MissingExtraError: The package ``google-genai`` is not installed.
        ValueError: `base_url` is no address.
    """

    name = "gemini"

    def __init__(
        self,
        model: str | None = None,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        client: Any = None,
        timeout: float = DEFAULT_TIMEOUT,
        retry: RetryPolicy | None = None,
    ) -> None:
        super().__init__(model, timeout=timeout, retry=retry)
        genai = sdk.load("google.genai", "gemini", "google.genai")
        self._types = sdk.load("google.genai.types", "gemini", "google.genai")
        if client is not None:
            self._client = client
            return
        self.base_url = checked(base_url) if base_url else ""
        variables = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
        self._key = keys.find(self.name, api_key, variables, own_host=not base_url)
        options = self._types.HttpOptions(base_url=self.base_url or None, httpx_client=sdk.http_client())
        self._client = genai.Client(vertexai=False, api_key=self._key.value or "none", http_options=options)

    def close(self) -> None:
        """Give back connections."""
        self._client.close()

    def _assembly(self, request: Request) -> Assembly:
        return Assembly(request.tools)

    def _body(self, request: Request) -> dict[str, Any]:
        settings = request.settings
        contents = history.write(request.messages, history.Writer(wire.format_results, _user, _assistant))
        config: dict[str, Any] = {"automaticFunctionCalling": {"disable": True}}
        if system := history.system_prompt(request):
            config["systemInstruction"] = {"parts": [{"text": system}]}
        if request.tools:
            config["tools"] = wire.export(request.tools)
            if settings.tool_choice:
                config["toolConfig"] = {"functionCallingConfig": _choice(settings.tool_choice)}
        if settings.max_tokens is not None:
            config["maxOutputTokens"] = settings.max_tokens
        if settings.temperature is not None:
            config["temperature"] = settings.temperature
        return {
            "model": self._model(request),
            "contents": history.joined(contents, "user", "parts"),
            "config": {**config, **settings.extra},
        }

    def _send(self, body: dict[str, Any], control: Control) -> dict[str, Any]:
        arguments = self._typed(body)
        with sdk.line(control) as line, line.opening():
            return sdk.plain(self._client.models.generate_content(**arguments))

    def _open(self, body: dict[str, Any], control: Control) -> Iterator[dict[str, Any]]:
        arguments = self._typed(body)
        with sdk.line(control) as line:
            responses = self._client.models.generate_content_stream(**arguments)
            with line.opening():  # the request is sent when the first response is asked for
                response = next(responses, None)
            while response is not None:
                yield sdk.plain(response)
                response = next(responses, None)

    def _typed(self, body: dict[str, Any]) -> dict[str, Any]:
        """Return the SDK's arguments. Read as JSON, since there base64 text stands for bytes."""
        try:
            contents = [self._types.Content.model_validate_json(json.dumps(c)) for c in body["contents"]]
            config = self._types.GenerateContentConfig.model_validate_json(json.dumps(body["config"]))
        except ValueError as error:
            raise BadRequestError(f"The SDK refuses the request: {error}", provider=self.name) from error
        return {"model": body["model"], "contents": contents, "config": config}


def _choice(choice: str) -> dict[str, Any]:
    modes = {"auto": "AUTO", "none": "NONE", "required": "ANY"}
    if choice in modes:
        return {"mode": modes[choice]}
    return {"mode": "ANY", "allowedFunctionNames": [wire.RULES.names.encode(choice)]}


def _assistant(message: Message) -> dict[str, Any] | None:
    """Return the content; None for an empty one, which the service refuses."""
    written = wire.assistant_message(message.calls, message.text)
    signature = history.extras(message, "gemini").get("thoughtSignature")
    if signature and message.text:
        written["parts"][0]["thoughtSignature"] = signature
    return written if written["parts"] else None


def _user(message: Message) -> dict[str, Any]:
    if message.parts:
        return {"role": "user", "parts": [_part(part) for part in message.parts]}
    return {"role": "user", "parts": [{"text": message.text}]}


def _part(part: Part) -> dict[str, Any]:
    if part.kind == "text":
        return {"text": part.text}
    kind = {"mimeType": part.media_type} if part.media_type else {}
    if part.url:
        return {"fileData": {"fileUri": part.url, **kind}}
    return {"inlineData": {"data": part.data, **kind}}
