"""Definitions and results that the tests of all formats share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ai_tools.errors import ExecutionFailedError
from ai_tools.types import ToolCall, ToolDefinition, ToolResult

WEATHER = ToolDefinition(
    "get_current_weather",
    "Get the current weather for a location",
    {
        "type": "object",
        "properties": {
            "location": {"type": "string", "description": "City and country"},
            "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
        },
        "required": ["location"],
    },
)
DOTTED = ToolDefinition(
    "math.factorial", "n!", {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
)
BARE = ToolDefinition("ping", "Answer with pong")
NESTED = ToolDefinition(
    "book_trip",
    "Book a trip",
    {
        "type": "object",
        "properties": {
            "legs": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "to": {"type": "string"},
                        "by": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                        "day": {"type": "string", "format": "date"},
                    },
                    "required": ["to"],
                    "additionalProperties": False,
                },
            },
            "seats": {"type": ["integer", "null"], "minimum": 1, "default": 1},
        },
        "required": ["legs"],
    },
)
FREE = ToolDefinition(
    "store",
    "Store labels",
    {"type": "object", "properties": {"labels": {"type": "object"}}, "required": ["labels"]},
)
REFERRING = ToolDefinition(
    "route",
    "Find a route",
    {
        "type": "object",
        "properties": {"start": {"$ref": "#/$defs/Point"}, "end": {"$ref": "#/$defs/Point", "title": "End"}},
        "required": ["start", "end"],
        "$defs": {
            "Point": {
                "type": "object",
                "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}},
                "required": ["lat", "lon"],
            }
        },
    },
)
RECURSIVE = ToolDefinition(
    "draw",
    "Draw a tree",
    {
        "type": "object",
        "properties": {"root": {"$ref": "#/$defs/Node"}},
        "required": ["root"],
        "$defs": {
            "Node": {
                "type": "object",
                "properties": {
                    "label": {"type": "string"},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
                },
                "required": ["label", "children"],
            }
        },
    },
)
CHOICE = ToolDefinition(
    "find",
    "Find a user",
    {
        "type": "object",
        "properties": {"limit": {"type": "integer"}},
        "anyOf": [
            {"properties": {"id": {"type": "integer"}}, "required": ["id"]},
            {"properties": {"mail": {"type": "string"}}, "required": ["mail"]},
        ],
    },
)
ALL = [WEATHER, DOTTED, BARE, NESTED, FREE, REFERRING, RECURSIVE, CHOICE]

CALLS = [
    ToolCall("call_1", "get_current_weather", {"location": "Paris"}),
    ToolCall("call_2", "math.factorial", {"n": 5}, raw_arguments='{"n": 5}'),
    ToolCall("call_3", "ping", None, raw_arguments='{"n": ', error="cut off"),
]
RESULTS = [
    ToolResult({"temp": 21}, '{"temp":21}', call_id="call_1", name="get_current_weather"),
    ToolResult(120, "120", call_id="call_2", name="math.factorial"),
    ToolResult(
        None, "Error executing ping: no", ExecutionFailedError("ping", "no"), call_id="call_3", name="ping"
    ),
]

_DATA = Path(__file__).parent / "data" / "tool-calls.jsonl"
REAL = [json.loads(line) for line in _DATA.read_text().splitlines()]
"""600 real cases: tools, the assistant's message in OpenAI's shape, and its calls with parsed arguments."""


def real_definitions() -> list[ToolDefinition]:
    """Return the tools of the real cases, one for each name."""
    found: dict[str, ToolDefinition] = {}
    for case in REAL:
        for tool in case["tools"]:
            found.setdefault(
                tool["name"], ToolDefinition(tool["name"], tool["description"], tool["parameters"])
            )
    return list(found.values())


def plain_calls(calls: list[ToolCall]) -> list[dict[str, Any]]:
    """Return calls as the real data writes them."""
    return [{"name": call.name, "arguments": call.arguments} for call in calls]
