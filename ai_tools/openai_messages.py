"""Neutral messages in the form of OpenAI's Chat Completions, which many servers speak.

Source: ``openai.types.chat.ChatCompletionMessageParam``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.formats import openai
from ai_tools.messages import ASSISTANT, TOOL, Message, Part, to_result

if TYPE_CHECKING:
    from collections.abc import Iterable


def to_openai(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """Return the ``messages`` of a request.

    Raises:
        ValueError: A message holds a file by its URL; Chat Completions take the content of files only.
    """
    return [_message(message) for message in messages]


def _message(message: Message) -> dict[str, Any]:
    if message.role == TOOL:
        return openai.format_results([to_result(message)])[0]
    if message.role == ASSISTANT:
        return openai.assistant_message(message.calls, message.text)
    return prompt(message)


def prompt(message: Message) -> dict[str, Any]:
    """Return what a user, or the system prompt, says.

    Raises:
        ValueError: As for `to_openai`.
    """
    content = [_part(part) for part in message.parts] if message.parts else message.text
    return {"role": message.role, "content": content}


def _part(part: Part) -> dict[str, Any]:
    if part.kind == "text":
        return {"type": "text", "text": part.text}
    if part.kind == "image":
        return {"type": "image_url", "image_url": {"url": part.address}}
    if part.url:
        raise ValueError(f"a file must come with its content, not by its address {part.url}")
    return {"type": "file", "file": {"filename": part.name or "file", "file_data": part.address}}
