"""What one tool call costs, in multiples of the least that any library must do.

The floor is ``json.dumps(handlers[name](json.loads(arguments)))``: no validation, no limits, no error handling.
All figures of a table come from one run, taken in turns, so that a busy machine slows them alike.
"""

from __future__ import annotations

import json
import timeit
from statistics import median
from typing import TYPE_CHECKING, Any

from ai_tools.registry import ToolRegistry

if TYPE_CHECKING:
    from collections.abc import Callable

ARGUMENTS = '{"location": "San Francisco, CA", "unit": "celsius", "days": 3}'
SCHEMA = {
    "type": "object",
    "properties": {
        "location": {"type": "string", "description": "City and state"},
        "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
        "days": {"type": "integer", "minimum": 1, "maximum": 10},
    },
    "required": ["location"],
}
NUMBER = 2_000
ROUNDS = 15


def weather(args: dict[str, Any]) -> dict[str, Any]:
    return {"location": args["location"], "temp": 72, "condition": "sunny"}


def registry_of(count: int) -> ToolRegistry:
    registry = ToolRegistry()
    for i in range(count):
        registry.add(f"weather{i}", "Get the weather.", SCHEMA, weather)
    return registry


def calls() -> dict[str, Callable[[], Any]]:
    """Return what is measured, by its label."""
    from jsonschema import Draft202012Validator

    handlers = {"weather0": weather}
    validator = Draft202012Validator(SCHEMA)
    parsed = json.loads(ARGUMENTS)
    measured: dict[str, Callable[[], Any]] = {
        "floor: loads, lookup, call, dumps": lambda: json.dumps(handlers["weather0"](json.loads(ARGUMENTS))),
        "jsonschema alone (no call)": lambda: validator.is_valid(parsed),
    }
    for count in (1, 8, 1000):
        registry, name = registry_of(count), f"weather{count - 1}"
        measured[f"registry.call, {count} tools"] = lambda r=registry, n=name: r.call(n, ARGUMENTS)
    return measured


def microseconds(measured: dict[str, Callable[[], Any]]) -> dict[str, list[float]]:
    """Return the times of each, one a round, measured in turns."""
    times: dict[str, list[float]] = {label: [] for label in measured}
    for _ in range(ROUNDS):
        for label, work in measured.items():
            times[label].append(timeit.timeit(work, number=NUMBER) / NUMBER * 1e6)
    return times


def once(work: Callable[[], Any], number: int = 1) -> float:
    """Return the best time of three in microseconds."""
    return min(timeit.repeat(work, number=number, repeat=3)) / number * 1e6


def main() -> None:
    """Print the table of calls, then what registration and export cost."""
    times = microseconds(calls())
    floor = next(iter(times.values()))
    print(f"{'one call':<38}{'µs':>8}{'× floor':>9}")
    for label, rounds in times.items():
        ratio = median(time / base for time, base in zip(rounds, floor, strict=True))
        print(f"{label:<38}{min(rounds):>8.2f}{ratio:>9.2f}")
    thousand = registry_of(1000)
    thousand.get_enabled_schemas()
    print()
    print(f"{'registering 1,000 tools':<38}{once(lambda: registry_of(1000)) / 1000:>8.1f} ms")
    print(f"{'exporting 1,000 cached definitions':<38}{once(thousand.get_enabled_schemas, 1000):>8.2f} µs")


if __name__ == "__main__":
    main()
