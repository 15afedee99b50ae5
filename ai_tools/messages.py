"""The messages of a conversation in a form that belongs to no provider.

A conversation is a list of messages in the order in which they came. An assistant's message carries the calls
that it makes; each call is answered by one ``tool`` message with its id. What only one provider understands
(thought signatures, encrypted reasoning) travels along in `Message.extras` and `ToolCall.metadata`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.errors import ToolError
from ai_tools.types import Record, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

SYSTEM, USER, ASSISTANT, TOOL = ROLES = ("system", "user", "assistant", "tool")


class Part(Record):
    """A piece of a message that is more than text.

    Attributes:
        kind: ``"text"``, ``"image"`` or ``"file"``.
        text: The text of a ``"text"`` part.
        data: The content of an image or file as base64 text; "" where `url` says where it is.
        url: Where an image or file is; "" where `data` holds it.
        media_type: Its type, such as ``image/png``.
        name: A file's name.
    """

    __slots__ = ("data", "kind", "media_type", "name", "text", "url")

    def __init__(
        self,
        kind: str,
        text: str = "",
        *,
        data: str = "",
        url: str = "",
        media_type: str = "",
        name: str = "",
    ) -> None:
        if kind not in ("text", "image", "file"):
            raise ValueError(f"a part is a text, an image or a file, not {kind!r}")
        self.kind = kind
        self.text = text
        self.data = data
        self.url = url
        self.media_type = media_type
        self.name = name

    @property
    def address(self) -> str:
        """Where the content of an image or file is: its URL, or a ``data:`` URL that holds it."""
        return self.url or f"data:{self.media_type or 'application/octet-stream'};base64,{self.data}"


class Message(Record):
    """One message.

    Attributes:
        role: ``"system"``, ``"user"``, ``"assistant"`` or ``"tool"``.
        text: Its text; of a message with parts, the text parts joined.
        parts: Text, images and files in order; empty where `text` is all there is.
        calls: The calls that an assistant's message makes.
        call_id: The id of the call that a ``tool`` message answers.
        name: The registered name of the tool that a ``tool`` message answers for.
        is_error: Whether a ``tool`` message reports a failure.
        extras: What a provider wants back unchanged with this message, by the provider's format name, as JSON
            kinds: ``{"anthropic": {…}}``. Each provider reads its own entry and no other.
    """

    __slots__ = ("call_id", "calls", "extras", "is_error", "name", "parts", "role", "text")
    gene_kind = "ai_tools.gene_bindings.chat_kinds:MESSAGE"

    def __init__(
        self,
        role: str,
        text: str = "",
        *,
        parts: Iterable[Part] = (),
        calls: Iterable[ToolCall] = (),
        call_id: str | None = None,
        name: str = "",
        is_error: bool = False,
        extras: Mapping[str, Any] | None = None,
    ) -> None:
        if role not in ROLES:
            raise ValueError(f"a role is one of {', '.join(ROLES)}, not {role!r}")
        self.role = role
        self.parts = tuple(parts)
        self.text = text or "".join(part.text for part in self.parts)
        self.calls = tuple(calls)
        self.call_id = call_id
        self.name = name
        self.is_error = is_error
        self.extras = dict(extras or {})


def result_message(result: ToolResult) -> Message:
    """Return the message that answers a call. It keeps the text that the model reads, not the value."""
    return Message(TOOL, result.text, call_id=result.call_id, name=result.name, is_error=result.is_error)


def to_result(message: Message) -> ToolResult:
    """Return a ``tool`` message as the result that ``format_results`` of a wire format takes."""
    error = ToolError(message.text, tool=message.name) if message.is_error else None
    return ToolResult(None, message.text, error, message.call_id, message.name)


def grouped(messages: Iterable[Message]) -> Iterator[list[Message]]:
    """Yield the messages in order: ``tool`` messages that follow each other together, any other one alone.

    Providers that want all results of a turn in one message (Anthropic, Gemini) build it of such a group.
    """
    group: list[Message] = []
    for message in messages:
        if group and message.role != TOOL:
            yield group
            group = []
        if message.role == TOOL:
            group.append(message)
        else:
            yield [message]
    if group:
        yield group


def unanswered(messages: Sequence[Message]) -> list[ToolCall]:
    """Return the calls of the last assistant's message that no ``tool`` message after it answers."""
    answered: set[str | None] = set()
    for message in reversed(messages):
        if message.role == ASSISTANT:
            return [call for call in message.calls if call.id not in answered]
        if message.role == TOOL:
            answered.add(message.call_id)
    return []


def check_answered(messages: Iterable[Message]) -> None:
    """Check what every service demands: each call is answered once, right after the message that makes it.

    Raises:
        ValueError: A call has no answer, or a ``tool`` message answers no call or one that has an answer.
    """
    open_ids: list[str | None] = []
    for group in grouped(messages):
        answers = [message.call_id for message in group if message.role == TOOL]
        if sorted(map(str, answers)) != sorted(map(str, open_ids)):
            raise ValueError(f"the calls with the ids {open_ids} are answered by results for {answers}")
        open_ids = [] if answers else [call.id for call in group[0].calls]
    if open_ids:
        raise ValueError(f"the calls with the ids {open_ids} are not answered")


def to_dict(message: Message) -> dict[str, Any]:
    """Return a message as JSON kinds, without the fields that are empty."""
    fields = {name: getattr(message, name) for name in message.__slots__}
    fields["parts"] = [_filled(part) for part in message.parts]
    fields["calls"] = [_filled(call) for call in message.calls]
    return {"role": message.role} | {key: value for key, value in fields.items() if value}


def _filled(record: Record) -> dict[str, Any]:
    values = {name: getattr(record, name) for name in record.__slots__}
    return {name: value for name, value in values.items() if value is not None and value != ""}


def from_dict(fields: Mapping[str, Any]) -> Message:
    """Return the message that `to_dict` wrote.

    Raises:
        ValueError: The fields are not those of a message.
    """
    try:
        rest = {key: value for key, value in fields.items() if key not in ("parts", "calls")}
        parts = [Part(**part) for part in fields.get("parts", ())]
        calls = [_call(call) for call in fields.get("calls", ())]
        return Message(**rest, parts=parts, calls=calls)
    except (TypeError, AttributeError) as error:
        raise ValueError(f"this is not a saved message: {error}") from error


def _call(fields: Mapping[str, Any]) -> ToolCall:
    return ToolCall(fields.get("id"), **{key: value for key, value in fields.items() if key != "id"})
