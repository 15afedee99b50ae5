"""What the tests of `ai_tools` share: real calls, small tools, and functions that another process can import."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any

from ai_tools.registry import ToolRegistry

DATA = Path(__file__).parent / "data" / "tool-calls.jsonl"

LOCATION = [
    {"name": "location", "type": "string", "required": True, "description": "City and state"},
    {"name": "unit", "type": "string", "enum": ["celsius", "fahrenheit"]},
]


@functools.cache
def cases() -> list[dict[str, Any]]:
    """Return the 600 recorded cases."""
    with DATA.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def weather(args: dict[str, Any]) -> dict[str, Any]:
    """Answer like a weather tool."""
    return {"temp": 72, "condition": "sunny", "location": args["location"]}


def registry_of(*handlers: Any, **options: Any) -> ToolRegistry:
    """Return a registry of handlers without parameters, each under its function's name."""
    registry = ToolRegistry()
    for handler in handlers:
        registry.add(handler.__name__, "A tool of a test.", None, handler, **options)
    return registry


class Echo:
    """A tool class with the four members."""

    description = "Returns its arguments."

    def __init__(self, name: str = "echo") -> None:
        self.name = name
        self.parameters = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
        self.calls = 0

    def execute(self, args: dict[str, Any]) -> str:
        self.calls += 1
        return args["text"]


class Greeter:
    """A tool class that brings its own schema."""

    name = "greet"

    def get_schema(self) -> dict[str, Any]:
        parameters = {"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who"]}
        return {
            "type": "function",
            "function": {"name": "greet", "description": "Greets.", "parameters": parameters},
        }

    def execute(self, args: dict[str, Any]) -> str:
        return f"Hello, {args['who']}!"


# For worker processes, which import handlers by module and name.


def process_id(_args: dict[str, Any]) -> int:
    return os.getpid()


def block_for_ever(_args: dict[str, Any]) -> None:
    """Run in C code that no interrupt can end."""
    hashlib.pbkdf2_hmac("sha256", b"x", b"y", 10**9)


def block_for_a_second(_args: dict[str, Any]) -> None:
    """Run in C code that no interrupt can end, for about a second."""
    deadline = time.monotonic() + 1
    while time.monotonic() < deadline:
        hashlib.pbkdf2_hmac("sha256", b"x", b"y", 200_000)


def kill_own_process(_args: dict[str, Any]) -> None:
    os._exit(7)


def raise_value_error(_args: dict[str, Any]) -> None:
    raise ValueError("bad value")
