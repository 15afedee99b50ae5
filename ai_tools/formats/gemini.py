"""Google Gemini ``generateContent``.

Source: the types of the ``google-genai`` package and https://ai.google.dev/api/caching#FunctionDeclaration.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.formats.calls import (
    ERROR,
    REFUSAL,
    STOP,
    TOOL_CALLS,
    UNKNOWN,
    CallReader,
    history_arguments,
    is_synthetic,
    keep,
    normal_stop_reason,
    own_metadata,
)  # fmt: skip
from ai_tools.formats.gemini_schema import to_gemini_schema, to_json_schema
from ai_tools.formats.names import NameRule, with_wire_names
from ai_tools.formats.plain import items, refuse, to_dict, to_plain
from ai_tools.formats.rules import Rules
from ai_tools.formats.streams import CallStream

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ai_tools.types import ToolCall, ToolDefinition, ToolResult

_IGNORED = "is not among the keywords that Gemini knows, and is ignored"

RULES = Rules(
    NameRule(r"a-zA-Z0-9_.:\-", 128, first="a-zA-Z_"),
    properties=NameRule("a-zA-Z0-9_", 64, first="a-zA-Z_"),
    max_tools=512,
    needs_description=True,
    inlines=True,
    dropped=dict.fromkeys(
        (
            "allOf", "not", "if", "then", "else", "patternProperties", "propertyNames", "dependentRequired",
            "dependentSchemas", "contains", "minContains", "maxContains", "uniqueItems", "multipleOf",
            "unevaluatedProperties", "unevaluatedItems",
        ),
        _IGNORED,
    ),
)  # fmt: skip


def export(
    definitions: Iterable[ToolDefinition],
    *,
    strict: bool = False,  # noqa: ARG001 - Gemini has no strict mode for single tools
) -> list[dict[str, Any]]:
    """Return the ``tools`` of a request: one tool with all declarations, or none.

    A declaration carries ``parameters`` where Gemini's own Schema can say all that the tool's schema says,
    else ``parametersJsonSchema``; neither for a tool without parameters.

    Raises:
        InvalidDefinitionError: Two tools would be sent under one name.
    """
    declarations = [_declaration(*pair) for pair in with_wire_names(definitions, RULES.names)]
    return [{"functionDeclarations": declarations}] if declarations else []


def _declaration(wire: str, definition: ToolDefinition) -> dict[str, Any]:
    declaration: dict[str, Any] = {"name": wire, "description": definition.description}
    schema = to_json_schema(definition.parameters)
    if not schema.get("properties") and schema.keys() <= {
        "type",
        "properties",
        "required",
        "description",
        "title",
    }:
        return declaration
    own = to_gemini_schema(schema)
    if own is not None:
        return {**declaration, "parameters": own}
    return {**declaration, "parametersJsonSchema": schema}


def parse_calls(
    message: Any, definitions: Iterable[ToolDefinition] | Mapping[str, ToolDefinition] | None = None
) -> list[ToolCall]:
    """Return the calls of an answer.

    Args:
        message: A response (its first candidate counts), a content, the list of its parts, or one part; field
            names in camel or snake case.
        definitions: The tools that were offered (see `CallReader`).

    Raises:
        MessageFormatError: It is none of these.
    """
    parts, reason = _locate(message)
    reader = CallReader(RULES.names, definitions, reason)
    return [_call(part, reader) for part in parts if _field(part, "functionCall")]


def _locate(message: Any) -> tuple[list[dict[str, Any]], str]:
    """Return the parts in what was given, and why the answer ended."""
    plain = to_plain(message)
    reason = UNKNOWN
    if isinstance(plain, dict):
        if plain.get("candidates"):
            candidate = to_dict(items(plain["candidates"])[0])
            reason = _reason(_field(candidate, "finishReason"))
            plain = to_dict(candidate.get("content") or {"parts": []})
        elif _field(plain, "promptFeedback"):
            return [], REFUSAL
        elif "usageMetadata" in plain or "usage_metadata" in plain:
            return [], reason
        if "parts" in plain:
            plain = items(plain["parts"])
        elif _field(plain, "functionCall") or "text" in plain:
            plain = [plain]
    if isinstance(plain, list):
        return [to_dict(part) for part in plain], reason
    raise refuse(plain, "a Gemini response (with 'candidates'), content (with 'parts') or part")


def _reason(reason: object) -> str:
    # Any word that is neither an end nor known means that the answer is not to be trusted.
    return (normal_stop_reason(reason) or ERROR) if reason else UNKNOWN


def _field(value: dict[str, Any], camel: str) -> Any:
    if camel in value:
        return value[camel]
    return value.get("".join(f"_{c.lower()}" if c.isupper() else c for c in camel))


def _call(part: dict[str, Any], reader: CallReader) -> ToolCall:
    call = to_dict(_field(part, "functionCall"))
    error = None
    if _field(call, "partialArgs") or _field(call, "willContinue"):
        error = "The call was streamed in parts of arguments, which is not supported. Make the call again."
    return reader.call(
        call.get("id"), call.get("name"), call.get("args"), metadata=_metadata(part), error=error
    )


def _metadata(part: dict[str, Any]) -> dict[str, Any] | None:
    signature = _field(part, "thoughtSignature")
    if isinstance(signature, bytes):
        from base64 import b64encode

        signature = b64encode(signature).decode()
    return keep("gemini", {"thoughtSignature": signature})


def stop_reason(response: Any) -> str:
    """Return why the answer ended: ``"tool_calls"`` for an answer with calls, where Gemini says STOP."""
    parts, reason = _locate(response)
    has_calls = any(_field(part, "functionCall") for part in parts)
    return TOOL_CALLS if has_calls and reason in (STOP, UNKNOWN) else reason


def format_results(
    results: Iterable[ToolResult],
    calls: Iterable[ToolCall] = (),  # noqa: ARG001 - other formats need them
) -> list[dict[str, Any]]:
    """Return the one user content that answers all calls of a turn; none for no results.

    The response has to be an object, and one that holds a key ``$ref`` is refused: so the text is sent as it
    is, as ``{"output": text}`` or ``{"error": text}``.
    """
    parts = [{"functionResponse": _response(result)} for result in results]
    return [{"role": "user", "parts": parts}] if parts else []


def _response(result: ToolResult) -> dict[str, Any]:
    answer = {"error" if result.is_error else "output": result.text}
    response: dict[str, Any] = {"name": RULES.names.encode(result.name), "response": answer}
    return response if is_synthetic(result.call_id) else {"id": result.call_id, **response}


def assistant_message(calls: Iterable[ToolCall], text: str = "") -> dict[str, Any]:
    """Return the content that made these calls, with thought signatures; broken arguments become ``{}``."""
    parts: list[dict[str, Any]] = [{"text": text}] if text else []
    for call in calls:
        function: dict[str, Any] = {"name": RULES.names.encode(call.name), "args": history_arguments(call)}
        if not is_synthetic(call.id):
            function = {"id": call.id, **function}
        parts.append({"functionCall": function, **own_metadata(call, "gemini")})
    return {"role": "model", "parts": parts}


class StreamParser(CallStream):
    """Gathers the calls of a stream of responses. Each call comes whole, several calls in several chunks."""

    rule = RULES.names

    def _read(self, event: dict[str, Any]) -> None:
        if event.get("error"):
            self._fail()
            return
        if not event.get("candidates") and not _field(event, "promptFeedback"):
            return
        parts, reason = _locate(event)
        for part in parts:
            if function := _field(part, "functionCall"):
                self._part(part, to_dict(function))
        if reason:
            self._end(reason)

    def _part(self, part: dict[str, Any], function: dict[str, Any]) -> None:
        entry = self._start(len(self._open), function.get("id"), function.get("name"))
        entry.metadata = _metadata(part)
        if _field(function, "partialArgs") or _field(function, "willContinue"):
            entry.error = (
                "The call was streamed in parts of arguments, which is not supported. Make the call again."
            )
        self._append(entry, function.get("args") or {})
