"""Model Context Protocol: ``tools/list`` and ``tools/call``, as a server answers and a client asks.

Source: https://modelcontextprotocol.io/specification, versions 2024-11-05 to 2026-07-28.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ai_tools.errors import ExecutionFailedError
from ai_tools.formats.calls import CallReader, history_arguments, keep
from ai_tools.formats.names import NameRule, with_wire_names
from ai_tools.formats.plain import items, refuse, to_dict, to_plain
from ai_tools.formats.rules import Rules
from ai_tools.types import ToolDefinition, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ai_tools.types import ToolCall

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
LATEST = VERSIONS[-1]

_ANNOTATIONS_SINCE = "2025-03-26"
_OUTPUT_SINCE = "2025-06-18"  # title, outputSchema and structuredContent (objects only)
_STATELESS_SINCE = "2026-07-28"  # resultType, caching hints, structuredContent of any kind
_HINTS = ("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")

RULES = Rules(NameRule(r"a-zA-Z0-9_.\-", 128))


def export(
    definitions: Iterable[ToolDefinition],
    *,
    strict: bool = False,  # noqa: ARG001 - MCP has no strict mode
    version: str = LATEST,
) -> list[dict[str, Any]]:
    """Return the ``tools`` of a ``tools/list`` result.

    Args:
        definitions: The tools, in the order to list them.
        strict: Has no meaning here.
        version: The protocol version; older ones know fewer fields.

    Raises:
        InvalidDefinitionError: Two tools would be listed under one name.
    """
    return [_tool(*pair, version) for pair in with_wire_names(definitions, RULES.names)]


def _tool(wire: str, definition: ToolDefinition, version: str) -> dict[str, Any]:
    tool: dict[str, Any] = {
        "name": wire, "description": definition.description, "inputSchema": definition.parameters,
    }  # fmt: skip
    hints = {key: definition.annotations[key] for key in _HINTS if key in definition.annotations}
    if hints and version >= _ANNOTATIONS_SINCE:
        tool["annotations"] = hints
    if version >= _OUTPUT_SINCE:
        if "title" in hints:
            tool["title"] = hints["title"]
        if _can_return(definition.returns, version):
            tool["outputSchema"] = definition.returns
    return tool


def _can_return(schema: dict[str, Any] | None, version: str) -> bool:
    return schema is not None and (version >= _STATELESS_SINCE or schema.get("type") == "object")


def list_result(
    definitions: Iterable[ToolDefinition],
    *,
    version: str = LATEST,
    ttl_ms: int = 0,
    cache_scope: str = "private",
) -> dict[str, Any]:
    """Return a whole ``tools/list`` result.

    Args:
        definitions: The tools.
        version: The protocol version.
        ttl_ms: How long a client may keep the list, in milliseconds (since 2026-07-28).
        cache_scope: Who may keep it: ``"private"`` or ``"public"``.
    """
    result: dict[str, Any] = {"tools": export(definitions, version=version)}
    if version >= _STATELESS_SINCE:
        result.update(resultType="complete", ttlMs=ttl_ms, cacheScope=cache_scope)
    return result


def parse_tools(result: Any) -> list[ToolDefinition]:
    """Return the definitions in a ``tools/list`` result (or in its list of tools).

    Raises:
        MessageFormatError: It is no such result, or one of the tools has no name.
    """
    plain = to_plain(result)
    if isinstance(plain, dict) and "result" in plain:
        plain = to_dict(plain["result"])
    if isinstance(plain, dict):
        if "tools" not in plain:
            raise refuse(plain, "a tools/list result (with 'tools')")
        plain = items(plain["tools"])
    return [_definition(to_dict(tool)) for tool in plain]


def _definition(tool: dict[str, Any]) -> ToolDefinition:
    name = tool.get("name")
    if not isinstance(name, str) or not name:
        raise refuse(tool, "a tool with a 'name'")
    annotations = dict(tool.get("annotations") or {})
    if tool.get("title"):
        annotations["title"] = tool["title"]
    return ToolDefinition(
        name,
        tool.get("description") or "",
        tool.get("inputSchema"),
        annotations={key: value for key, value in annotations.items() if value is not None},
        returns=tool.get("outputSchema"),
    )


def parse_calls(
    message: Any, definitions: Iterable[ToolDefinition] | Mapping[str, ToolDefinition] | None = None
) -> list[ToolCall]:
    """Return the call of a ``tools/call`` request.

    Args:
        message: The JSON-RPC request, or its params (``name`` and ``arguments``).
        definitions: The tools that were listed (see `CallReader`).

    Raises:
        MessageFormatError: It is no such request.
    """
    plain = to_plain(message)
    params = plain
    if isinstance(plain, dict) and "method" in plain:
        if plain["method"] != "tools/call":
            raise refuse(plain, f"a tools/call request, not {plain['method']!r}")
        params = plain.get("params")
    if not isinstance(params, dict) or "name" not in params:
        raise refuse(params, "a tools/call request (with 'name')")
    reader = CallReader(RULES.names, definitions)
    metadata = keep("mcp", {"_meta": params.get("_meta")})
    request_id = plain.get("id")
    return [reader.call(request_id, params["name"], params.get("arguments"), metadata=metadata)]


def call_params(call: ToolCall) -> dict[str, Any]:
    """Return the params of the ``tools/call`` request that makes a call of a tool that a server listed.

    The name is the server's own, so it is sent as it is.
    """
    return {"name": call.name, "arguments": history_arguments(call)}


def format_results(
    results: Iterable[ToolResult],
    calls: Iterable[ToolCall] = (),  # noqa: ARG001 - other formats need them
    *,
    version: str = LATEST,
) -> list[dict[str, Any]]:
    """Return one ``tools/call`` result for each result; a failure is ``isError``, never a protocol error."""
    return [_result(result, version) for result in results]


def _result(result: ToolResult, version: str) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "content": [{"type": "text", "text": result.text}],
        "isError": result.is_error,
    }
    if version >= _STATELESS_SINCE:
        answer["resultType"] = "complete"
    structured = _structured(result)
    if version >= _OUTPUT_SINCE and (
        isinstance(structured, dict) or (structured is not None and version >= _STATELESS_SINCE)
    ):
        answer["structuredContent"] = structured
    return answer


def _structured(result: ToolResult) -> Any:
    """Return the value as JSON, where it is structured and was not cut to the size limit."""
    if result.is_error or result.is_truncated or isinstance(result.value, str):
        return None
    try:
        return json.loads(result.text)
    except (ValueError, RecursionError):
        return None


def parse_result(answer: Any, call: ToolCall) -> ToolResult:
    """Return the result in the answer to a ``tools/call`` request; ``isError`` becomes a typed error.

    Args:
        answer: The result object, or the whole JSON-RPC response (a JSON-RPC error becomes an error result
            too).
        call: The call it answers.
    """
    plain = to_dict(answer)
    if "error" in plain and "content" not in plain:
        problem = plain["error"]
        return _failed(str(problem.get("message") if isinstance(problem, dict) else problem), call)
    plain = to_dict(plain["result"]) if "result" in plain else plain
    text = "\n".join(_text_of(to_dict(part)) for part in items(plain.get("content")))
    if plain.get("isError"):
        return _failed(text or "the server gave no reason", call)
    value = plain.get("structuredContent")
    if not text and value is not None:
        text = json.dumps(value, ensure_ascii=False)
    return ToolResult(text if value is None else value, text, call_id=call.id, name=call.name)


def _failed(message: str, call: ToolCall) -> ToolResult:
    error = ExecutionFailedError(call.name, message)
    return ToolResult(None, error.message, error, call_id=call.id, name=call.name)


def _text_of(part: dict[str, Any]) -> str:
    """Return what a model can read of one content block: its text, or what there would be to see."""
    kind = part.get("type")
    if kind == "text":
        return str(part.get("text") or "")
    if kind == "resource":
        resource = to_dict(part.get("resource") or {})
        return str(resource.get("text") or f"[resource {resource.get('uri', '')}]")
    if kind == "resource_link":
        return f"[resource {part.get('uri', '')}]"
    return f"[{kind}: {part.get('mimeType') or 'unknown type'}]"
