"""Conversations in Gene: ``(var conv (ai/conversation/new))``, ``(conv .add :user "…")``."""

from __future__ import annotations

from typing import Any, Final

from ai_tools.conversation import Conversation
from ai_tools.gene_bindings.chat_errors import explaining
from ai_tools.gene_bindings.permission import require
from ai_tools.gene_bindings.values import plain
from ai_tools.gene_bindings.words import data, given, word
from ai_tools.messages import SYSTEM, Message, Part
from ai_tools.registry import ToolRegistry
from ai_tools.types import ToolCall, ToolResult
from gene.data.atoms import VOID
from gene.runtime.exceptions import ArgumentException
from gene.stdlib.arguments import MISSING, tag_of

_FIELDS = {"calls", "call_id", "name", "is_error", "parts", "extras"}


@explaining
def new(system: Any = None) -> Conversation:
    """``(ai/conversation/new ^system "…")``: an empty conversation.

    Args:
        system: The system prompt, what a model is told before everything else.
    """
    return Conversation(_text(system, "ai/conversation/new: ^system") if given(system) else "")


@explaining
def load(path: Any = MISSING) -> Conversation:
    """``(ai/conversation/load path)``: the conversation that ``.save`` wrote.

    Raises:
        PermissionException: The program may not read files.
        IOException: The file cannot be read.
        ConversationError: It holds no conversation.
    """
    require("files", "ai/conversation/load")
    return Conversation.load(_text(path, "ai/conversation/load requires a path"))


def message_of(role: Any, text: Any = "", **fields: Any) -> Message:
    """Return a message from what a program writes.

    Args:
        role: ``:user``, ``:assistant``, ``:tool`` or ``:system``.
        text: Its text.
        **fields: ``calls``, ToolCalls or maps with name, arguments and id; ``call_id``, ``name`` and
            ``is_error`` of a tool's message; ``parts``, Strings or maps with kind, text, data, url, ….
    """
    if unknown := sorted(fields.keys() - _FIELDS):
        raise ArgumentException(
            f"a message has no {', '.join(unknown)}; it has: text, {', '.join(sorted(_FIELDS))}"
        )
    made = {
        name: data(value) for name, value in fields.items() if given(value) and name not in ("calls", "parts")
    }
    calls = [_call(item) for item in _items(fields.get("calls"), "^calls")]
    parts = [_part(item) for item in _items(fields.get("parts"), "^parts")]
    written = _text(text, "a message's text must be a String") if given(text) else ""
    return Message(word(role, "a message requires its role"), written, calls=calls, parts=parts, **made)


def _items(value: Any, what: str) -> list[Any]:
    if value is None or value is VOID:
        return []
    if not isinstance(value, list):
        raise ArgumentException(f"a message's {what} must be an Array, got {tag_of(value)}")
    return value


def _call(value: Any) -> ToolCall:
    if isinstance(value, ToolCall):
        return value
    if (
        not isinstance(value, dict)
        or not value.keys() >= {"name"}
        or not value.keys() <= {"id", "name", "arguments"}
    ):
        raise ArgumentException("a call is a ToolCall, or a Map with name, arguments and id")
    arguments = value.get("arguments")
    if given(arguments) and not isinstance(arguments, dict):
        raise ArgumentException(f"the arguments of a call must be a Map, got {tag_of(arguments)}")
    return ToolCall(
        value.get("id"), word(value["name"], "a call requires the tool's name"), plain(arguments or {})
    )


def _part(value: Any) -> Part:
    if isinstance(value, str):
        return Part("text", value)
    if not isinstance(value, dict) or not value.keys() <= set(Part.__slots__):
        raise ArgumentException(f"a part is a String, or a Map with {', '.join(sorted(Part.__slots__))}")
    return Part(**{"kind": "text", **data(value)})


def add(conversation: Conversation, role: Any = MISSING, text: Any = "", **fields: Any) -> Conversation:
    """``(conv .add :user "…")``: add a message. ``:system`` sets the system prompt, of which there is one.

    Args:
        conversation: The conversation.
        role: The role, or a Message.
        text: The text.
        **fields: See `message_of`.

    Returns:
        The conversation, so that calls can be chained.

    Raises:
        ConversationError: Calls are open that have to be answered first, or it answers none.
    """
    message = role if isinstance(role, Message) else message_of(role, text, **fields)
    if message.role == SYSTEM:
        conversation.system_prompt = message.text
    else:
        conversation.add(message)
    return conversation


def add_tool_results(conversation: Conversation, results: Any = MISSING) -> Conversation:
    """``(conv .add_tool_results (registry .execute_all calls))``: add the answers to the last calls."""
    items = [results] if isinstance(results, ToolResult) else results
    if not isinstance(items, list) or not all(isinstance(item, ToolResult) for item in items):
        raise ArgumentException(
            "Conversation.add_tool_results requires ToolResults, as execute_all returns them, "
            f"got {tag_of(results)}"
        )
    conversation.add_results(items)
    return conversation


def clear(conversation: Conversation) -> Conversation:
    """``(conv .clear)``: forget all messages. The system prompt stays."""
    conversation.clear()
    return conversation


def get_context(conversation: Conversation, max_tokens: Any = None, registry: Any = None) -> list[Message]:
    """``(conv .get_context 4000)``: the system message and the newest messages that fit."""
    if given(max_tokens) and (type(max_tokens) is not int or max_tokens < 1):
        raise ArgumentException(
            f"Conversation.get_context requires a number of tokens, got {tag_of(max_tokens)}"
        )
    if given(registry) and not isinstance(registry, ToolRegistry):
        raise ArgumentException(f"^registry must be a ToolRegistry, got {tag_of(registry)}")
    limit = max_tokens if given(max_tokens) else None
    return conversation.get_context(limit, registry=registry if given(registry) else None)


def to_openai_format(conversation: Conversation) -> list[dict[str, Any]]:
    """``(conv .to_openai_format)``: the ``messages`` of a request to OpenAI, the system message included."""
    made: list[dict[str, Any]] = plain(conversation.to_openai_format())
    return made


def save(conversation: Conversation, path: Any = MISSING) -> Conversation:
    """``(conv .save path)``: write the conversation to a JSON file in one step."""
    require("files", "Conversation.save")
    conversation.save(_text(path, "Conversation.save requires a path"))
    return conversation


def load_into(conversation: Conversation, path: Any = MISSING) -> Conversation:
    """``(conv .load path)``: replace what the conversation holds by what a file holds."""
    loaded = load(path)
    conversation.clear()
    conversation.system_prompt = loaded.system_prompt
    for message in loaded:
        conversation.add(message)
    return conversation


def set_system_prompt(conversation: Conversation, text: Any = MISSING) -> Conversation:
    """``(conv .set_system_prompt "…")``: set what a model is told before everything else."""
    conversation.system_prompt = _text(text, "Conversation.set_system_prompt requires a String")
    return conversation


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise ArgumentException(f"{what}, got {tag_of(value)}")
    return value


_METHODS: dict[str, Any] = {
    "add": add,
    "add_tool_results": add_tool_results,
    "messages": lambda conversation: list(conversation.messages),
    "open_calls": lambda conversation: list(conversation.open_calls),
    "size": Conversation.__len__,
    "clear": clear,
    "token_count": Conversation.token_count,
    "get_context": get_context,
    "to_openai_format": to_openai_format,
    "transcript": Conversation.transcript,
    "system_prompt": lambda conversation: conversation.system_prompt,
    "set_system_prompt": set_system_prompt,
    "save": save,
    "load": load_into,
}
METHODS: Final = {name: explaining(method) for name, method in _METHODS.items()}
