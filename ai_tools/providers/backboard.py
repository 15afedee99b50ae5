"""Backboard, over plain HTTP: the SDK skips events that it cannot read, and with them what they held.

Backboard keeps the conversation itself, as a thread of an assistant. The neutral history is matched to that:
an answer's extras name its thread and run; what follows it in the history is what is new, and only that is
sent. Source: the ``backboard-sdk`` package (``client.py``) and https://app.backboard.io/docs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ai_tools.formats import backboard as wire
from ai_tools.formats.calls import ERROR, normal_stop_reason
from ai_tools.formats.plain import items, to_dict
from ai_tools.messages import ASSISTANT, SYSTEM, TOOL, USER, to_result
from ai_tools.providers import assembly, diagnosis, history, keys, sse
from ai_tools.providers.errors import InvalidResponseError
from ai_tools.providers.http import HttpClient, checked, chunks
from ai_tools.providers.protocol import UsageEvent
from ai_tools.providers.service import DEFAULT_TIMEOUT, ModelService

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ai_tools.cancellation import CancelToken
    from ai_tools.messages import Message
    from ai_tools.providers.control import Control
    from ai_tools.providers.errors import ProviderError
    from ai_tools.providers.protocol import Event, Request
    from ai_tools.providers.retry import RetryPolicy
    from ai_tools.types import ToolDefinition

BASE_URL = "https://app.backboard.io/api"


class Assembly(assembly.Assembly):
    """Reads responses, and the events of streamed runs."""

    format = "backboard"
    parser: wire.StreamParser

    def __init__(self, tools: Sequence[ToolDefinition]) -> None:
        super().__init__(tools)
        self._accumulated = ""

    def read(self, piece: dict[str, Any]) -> Iterator[Event]:
        """Yield what an event or a whole response holds."""
        kind = piece.get("type")
        if kind in ("error", "run_failed", "run_cancelled"):
            raise diagnosis.from_event({"message": f"The run failed ({kind}).", **piece}, self.format)
        if kind == "content_streaming":
            yield from assembly.text(self._new(piece))
        elif kind == "reasoning_streaming":
            yield from assembly.reasoning(piece.get("content") or piece.get("reasoning"))
        elif kind is None:
            yield from self._message(piece)
        if normal_stop_reason(piece.get("status")) == ERROR:
            raise diagnosis.from_event({"message": f"The run ended as {piece['status']}."}, self.format)
        if "input_tokens" in piece or "output_tokens" in piece:
            yield UsageEvent(assembly.usage(piece, ("input_tokens",), ("output_tokens",)))

    def _new(self, piece: dict[str, Any]) -> Any:
        """Return the new text: some servers send all text so far in a second field, or in both."""
        new, whole, before = piece.get("content"), piece.get("accumulated_content"), self._accumulated
        if not isinstance(new, str) or not isinstance(whole, str):
            return new
        self._accumulated = whole
        # After tools have run, the text so far may begin with that of the rounds before.
        is_piece = whole == before + new or not (before and whole.startswith(before))
        return new if is_piece else whole[len(before) :]

    def _message(self, answer: dict[str, Any]) -> Iterator[Event]:
        found = to_dict((items(answer.get("messages")) or [answer])[-1])
        if normal_stop_reason(found.get("status")) == ERROR:
            raise diagnosis.from_event({"message": f"The run ended as {found['status']}."}, self.format)
        self.extras = _link(*wire.run_of(answer))
        yield from assembly.reasoning(found.get("reasoning"))
        yield from assembly.text(found.get("content"))
        if "input_tokens" in found:
            yield UsageEvent(assembly.usage(found, ("input_tokens",), ("output_tokens",)))

    def returned(self) -> dict[str, Any]:
        """Return the thread and the run."""
        return self.extras or _link(self.parser.thread_id, self.parser.run_id)


class BackboardProvider(ModelService):
    """Assistants of Backboard.

    Of a request's settings, `model` may be ``"model"`` or ``"provider/model"``; `extra` may name the
    ``assistant_id`` and ``thread_id`` to begin with, and other fields of a message such as ``memory``.

    Args:
        model: The model to ask where a request names none; None for the assistant's own.
        api_key: The key; else ``BACKBOARD_API_KEY``, which is not sent to another `base_url`.
        base_url: The service's address.
        sends_tools: Whether a request's tools are sent along. If not, the assistant has them already.
        timeout, retry: See `ModelService`. What adds to a thread is sent again only where the service cannot
            have begun to work on it: else the user would be heard twice.

    Raises:
        AuthenticationError: There is no key for Backboard.
        ValueError: `base_url` is no address.
    """

    name = "backboard"
    is_idempotent = False

    def __init__(
        self,
        model: str | None = None,
        *,
        api_key: str | None = None,
        base_url: str = BASE_URL,
        sends_tools: bool = True,
        timeout: float = DEFAULT_TIMEOUT,
        retry: RetryPolicy | None = None,
    ) -> None:
        super().__init__(model, timeout=timeout, retry=retry)
        self.base_url = checked(base_url)
        own_host = self.base_url == BASE_URL
        self._key = keys.find(self.name, api_key, ("BACKBOARD_API_KEY",), own_host=own_host)
        self._http = HttpClient(self.base_url, {"x-api-key": self._key.value} if self._key.value else {})
        self._sends_tools = sends_tools

    # Assistants and runs

    def create_assistant(self, name: str, tools: Sequence[ToolDefinition], system_prompt: str = "") -> str:
        """Create an assistant and return its id.

        Args:
            name: Its name.
            tools: The tools it may call; none for an assistant that answers in text only.
            system_prompt: What it is told before every conversation.

        Raises:
            ProviderError: The request failed.
        """
        body: dict[str, Any] = {"name": name, "tools": wire.export(tools)}
        if system_prompt:
            body["system_prompt"] = system_prompt
        answer = self._request("POST", "/assistants", body, is_idempotent=False)
        if not (assistant_id := answer.get("assistant_id")):
            raise InvalidResponseError("The new assistant has no 'assistant_id'.", provider=self.name)
        return str(assistant_id)

    def update_assistant(self, assistant_id: str, tools: Sequence[ToolDefinition]) -> None:
        """Replace an assistant's tools.

        Raises:
            ProviderError: The request failed; its status is 404 where there is no such assistant.
        """
        self._request("PUT", f"/assistants/{quote(assistant_id, '')}", {"tools": wire.export(tools)})

    def delete_assistant(self, assistant_id: str) -> None:
        """Delete an assistant.

        Raises:
            ProviderError: The request failed.
        """
        self._request("DELETE", f"/assistants/{quote(assistant_id, '')}")

    def cancel_run(self, thread_id: str, run_id: str, *, timeout: float | None = None) -> None:
        """End a run that waits for outputs, so that its thread takes messages again.

        Raises:
            ProviderError: The request failed.
        """
        self._request("POST", f"{_run(thread_id, run_id)}/cancel", timeout=timeout)

    def _request(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        timeout: float | None = None,
        cancel: CancelToken | None = None,
        is_idempotent: bool = True,
    ) -> dict[str, Any]:
        control = self._control(timeout, cancel)

        def attempt() -> dict[str, Any]:
            with self._translating(control):
                return self._http.send(method, path, body, control)

        return self.retry.run(attempt, control, is_idempotent=is_idempotent)

    # The protocol

    def _assembly(self, request: Request) -> Assembly:
        return Assembly(request.tools)

    def _body(self, request: Request) -> dict[str, Any]:
        """Return where to post what: the outputs of a run that waits for them, or else a message."""
        link, calls, new = _split(request.messages)
        results = [message for message in new if message.role == TOOL]
        tools = {"tools": wire.export(request.tools)} if self._offers(request) else {}
        waiting = bool(calls and link.get("thread_id"))
        if waiting and len(results) == len(new) >= calls:
            return _submission(link, results, tools)
        body: dict[str, Any] = {"content": _content(new), **tools, **self._configuration(request)}
        if link.get("thread_id"):
            body["thread_id"] = link["thread_id"]
        if body.get("thread_id"):
            body.pop("assistant_id", None)
        left = link if waiting and link.get("run_id") else None
        return {"path": "/threads/messages", "json": body, "left": left}

    def _offers(self, request: Request) -> bool:
        return self._sends_tools and bool(request.tools) and request.settings.tool_choice != "none"

    def _configuration(self, request: Request) -> dict[str, Any]:
        model = request.settings.model or self.model or ""
        service, _, name = model.rpartition("/")
        given = {
            "system_prompt": history.system_prompt(request),
            "llm_provider": service,
            "model_name": name,
            **request.settings.extra,
        }
        return {key: value for key, value in given.items() if value not in ("", None)}

    def _send(self, body: dict[str, Any], control: Control) -> dict[str, Any]:
        self._leave(body)
        return self._http.send("POST", *_posted(body, stream=False), control)

    def _open(self, body: dict[str, Any], control: Control) -> Iterator[dict[str, Any]]:
        self._leave(body)
        with self._http.open("POST", *_posted(body, stream=True), control) as answer:
            for event in sse.events(chunks(answer)):
                yield event
                if event.get("type") == "tool_submit_required":  # the server may now wait for us
                    return

    def _leave(self, body: dict[str, Any]) -> None:
        """End the run that the user did not wait for; its thread takes no message before."""
        if left := body.get("left"):
            self.cancel_run(left["thread_id"], left["run_id"])


def _link(thread_id: str | None, run_id: str | None) -> dict[str, Any]:
    found = {"thread_id": thread_id, "run_id": run_id}
    return {key: value for key, value in found.items() if value}


def _run(thread_id: str, run_id: str) -> str:
    return f"/threads/{quote(thread_id, '')}/runs/{quote(run_id, '')}"


def _split(messages: Sequence[Message]) -> tuple[dict[str, Any], int, list[Message]]:
    """Return the thread and run that a conversation is at, how many calls wait there, and what is new."""
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if message.role == ASSISTANT and (link := history.extras(message, "backboard")):
            return link, len(message.calls), list(messages[index + 1 :])
    return {}, 0, list(messages)


def _submission(link: dict[str, Any], results: list[Message], tools: dict[str, Any]) -> dict[str, Any]:
    outputs = [to_result(message) for message in results]
    thread_id, run_id = link["thread_id"], link.get("run_id")
    if not (tools and run_id):
        return {"path": "/threads/tool-outputs", "json": wire.submission(outputs, thread_id)}
    body = {"tool_outputs": wire.format_results(outputs), **tools}
    return {"path": f"{_run(thread_id, run_id)}/submit-tool-outputs", "json": body}


def _posted(body: dict[str, Any], *, stream: bool) -> tuple[str, dict[str, Any]]:
    if body["path"].endswith("/submit-tool-outputs"):
        return f"{body['path']}?stream={'true' if stream else 'false'}", body["json"]
    return body["path"], {**body["json"], "stream": stream}


def _content(messages: list[Message]) -> str:
    """Return what to say: the user's text, or, where more is new to the thread, a transcript."""
    for message in messages:
        if part := next((part for part in message.parts if part.kind != "text"), None):
            raise history.unsupported(part, "backboard")
    told = [message for message in messages if message.role != SYSTEM]
    if len(told) == 1 and told[0].role == USER:
        return told[0].text
    return "\n\n".join(_told(message) for message in told)


def _told(message: Message) -> str:
    if message.role == TOOL:
        return f"Result of the tool {message.name}: {message.text}"
    calls = "".join(f"\n[calls the tool {call.name} with {call.arguments}]" for call in message.calls)
    return f"{'Assistant' if message.role == ASSISTANT else 'User'}: {message.text}{calls}"


def is_missing(error: ProviderError) -> bool:
    """Whether an error says that what was asked for does not exist (any more)."""
    return error.status in (404, 410)
