"""The wire formats by name. A format's module is imported when it is first asked for, and no other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ai_tools.formats.rules import Rules
    from ai_tools.formats.streams import CallStream
    from ai_tools.types import ToolCall, ToolDefinition, ToolResult

CHAT_FORMATS = ("anthropic", "backboard", "gemini", "ollama", "openai", "openai_responses")
"""Formats of conversations with a model."""

FORMATS = (*CHAT_FORMATS, "mcp")
"""All formats."""


class UnknownProviderError(LookupError):
    """There is no format of this name. `known` are the names there are."""

    def __init__(self, name: object, known: Sequence[str]) -> None:
        super().__init__(f"The provider {name!r} is not supported. Supported are: {', '.join(known)}.")
        self.name = name
        self.known = tuple(known)


class Format(Protocol):
    """What every format's module offers."""

    RULES: Rules

    def export(self, definitions: Iterable[ToolDefinition], *, strict: bool = False) -> list[dict[str, Any]]:
        """Return the definitions as the provider takes them; schemas are shared, not copied."""

    def parse_calls(
        self,
        message: Any,
        definitions: Iterable[ToolDefinition] | Mapping[str, ToolDefinition] | None = None,
    ) -> list[ToolCall]:
        """Return the calls of a message or response; what is wrong with a call is its `error`."""

    def format_results(
        self, results: Iterable[ToolResult], calls: Iterable[ToolCall] = ()
    ) -> list[dict[str, Any]]:
        """Return the results as the provider takes them."""


class ChatFormat(Format, Protocol):
    """What the format of a conversation offers besides."""

    StreamParser: type[CallStream]

    def assistant_message(self, calls: Iterable[ToolCall], text: str = "") -> Any:
        """Return the message (for Responses: the items) that made these calls, for the history."""

    def stop_reason(self, response: Any) -> str:
        """Return why an answer ended, in the words of `CallStream.stop_reason`."""


def get(name: str) -> Format:
    """Return the format of a provider.

    Args:
        name: One of `FORMATS`; case does not matter, and ``-`` stands for ``_`` as well.

    Raises:
        UnknownProviderError: It is none of them.
    """
    return cast("Format", _load(name, FORMATS))


def get_chat(name: str) -> ChatFormat:
    """Return the format of a conversation: like `get`, but one of `CHAT_FORMATS`."""
    return cast("ChatFormat", _load(name, CHAT_FORMATS))


def _load(name: object, known: Sequence[str]) -> Any:
    from importlib import import_module

    key = name.lower().replace("-", "_") if isinstance(name, str) else name
    if key not in known:
        raise UnknownProviderError(name, known)
    return import_module(f"ai_tools.formats.{key}")
