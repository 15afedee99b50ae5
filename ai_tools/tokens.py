"""How many tokens a message takes: an estimate that needs no provider's tokenizer.

The rule: a token for every four bytes of UTF-8, which is about right for English text and for JSON and counts
Chinese, Japanese and Korean at three quarters of a token a character; four tokens for each message, the cost
of its frame in OpenAI's chat format
(https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken); `PART` tokens for an image or file.
Whoever needs exact numbers gives a conversation a counter of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ai_tools.messages import Message

MESSAGE = 4
"""Tokens of a message beside its content."""

PART = 1_000
"""Tokens of an image or file: between what the large services charge for a small and for a large image."""


def estimate(text: str) -> int:
    """Return about how many tokens a text takes."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return (size + 3) // 4


def count(message: Message) -> int:
    """Return about how many tokens a message takes, with all that is in it."""
    total = MESSAGE + estimate(message.text)
    for part in message.parts:
        total += 0 if part.kind == "text" else PART
    for call in message.calls:
        total += MESSAGE + estimate(call.name) + estimate(call.raw_arguments or str(call.arguments or ""))
    return total
