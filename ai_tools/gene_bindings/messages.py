"""Between a model's messages and a registry: parse its calls, format their results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.gene_bindings.errors import translated
from ai_tools.registry import ToolRegistry
from ai_tools.types import ToolCall, ToolResult
from gene.runtime.exceptions import ArgumentException
from gene.stdlib.arguments import MISSING, tag_of

if TYPE_CHECKING:
    from ai_tools.errors import ToolError

FORMAT = "openai"
"""The wire format where none is named."""


@translated
def parse_tool_calls(
    message: Any = MISSING,
    format: Any = FORMAT,  # noqa: A002 - the keyword that programs write
    tools: Any = None,
) -> list[ToolCall]:
    """``(ai/tools/parse_tool_calls message ^format "openai" ^tools registry)``: the calls in a message.

    Args:
        message: An assistant message or a whole response, as a map or as JSON text.
        format: The wire format, one of `ai_tools.formats.catalog.CHAT_FORMATS`.
        tools: The registry whose tools were offered. With it, names that a format had to shorten are mapped
            back, and the nulls that strict mode asks for are dropped.

    Returns:
        The calls in their order, none if the message makes none. What is wrong with a call, such as
        arguments that are no JSON, is its ``error``; ``execute_all`` answers it with an error for the model.

    Raises:
        ToolException: ``MessageFormatError``, it is no such message; ``UnknownProviderError``.
    """
    from ai_tools.formats.catalog import get_chat

    if not isinstance(message, dict | list | str):
        raise ArgumentException(
            f"parse_tool_calls requires an assistant message, a Map or JSON text, got {tag_of(message)}"
        )
    if tools is not None and not isinstance(tools, ToolRegistry):
        raise ArgumentException(f"parse_tool_calls: ^tools must be a ToolRegistry, got {tag_of(tools)}")
    definitions = None if tools is None else tools.definitions(enabled_only=False)
    return get_chat(format).parse_calls(message, definitions)


@translated
def format_results(
    results: Any = MISSING,
    format: Any = FORMAT,  # noqa: A002 - the keyword that programs write
    calls: Any = (),
) -> list[dict[str, Any]]:
    """``(ai/tools/format_results results ^format "openai")``: the messages that answer a model's calls.

    Args:
        results: What ``execute_all`` returned, or one result.
        format: The wire format.
        calls: The calls that they answer, where the format wants something of theirs back.

    Raises:
        ToolException: ``UnknownProviderError``.
    """
    from ai_tools.formats.catalog import get

    given = [results] if isinstance(results, ToolResult) else results
    _check(given, ToolResult, "format_results requires ToolResults, as execute_all returns them")
    return get(format).format_results(given, calls)


@translated
def assistant_message(
    calls: Any = MISSING,
    format: Any = FORMAT,  # noqa: A002 - the keyword that programs write
    text: Any = "",
) -> Any:
    """``(ai/tools/assistant_message calls ^text "" ^format "openai")``: the message that made these calls.

    It goes into the history before the results. Arguments that were no JSON become an empty object there,
    since providers refuse every later request otherwise.
    """
    from ai_tools.formats.catalog import get_chat

    _check(calls, ToolCall, "assistant_message requires ToolCalls, as parse_tool_calls returns them")
    return get_chat(format).assistant_message(calls, text)


def reason_of(error: ToolError) -> str:
    """Return what went wrong, without the words about where that a model's text begins with."""
    return str(error).removeprefix(f"Error executing {error.tool}: ")


def _check(values: Any, kind: type, message: str) -> None:
    if not isinstance(values, list):
        raise ArgumentException(f"{message}, got {tag_of(values)}")
    for index, value in enumerate(values):
        if not isinstance(value, kind):
            raise ArgumentException(f"{message}, got {tag_of(value)} at index {index}")
