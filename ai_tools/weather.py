"""A mock weather tool: it shows how a tool registers itself, and gives tests an answer without a network.

Importing this module puts ``get_current_weather`` into the registry of `ai_tools.shared`.
"""

from __future__ import annotations

from typing import Any

from ai_tools.errors import InvalidArgumentsError
from ai_tools.making import make
from ai_tools.shared import registry

COLDEST, WARMEST = 65, 75
"""The range of mock temperatures, both included, in degrees Fahrenheit."""

NAME = "get_current_weather"


def current_weather(args: dict[str, Any]) -> dict[str, Any]:
    """Return the mock weather at a place: always sunny, and always the same temperature for the same place.

    Args:
        args: ``{"location": "San Francisco, CA"}``.

    Returns:
        ``{"location": …, "condition": "Sunny", "temperature": 65 to 75, "unit": "fahrenheit"}``.

    Raises:
        InvalidArgumentsError: The location is blank.
    """
    location = args["location"]
    if not location.strip():
        raise InvalidArgumentsError(NAME, "location", "must name a place, such as 'San Francisco, CA'")
    temperature = COLDEST + sum(location.strip().lower().encode(errors="replace")) % (WARMEST - COLDEST + 1)
    return {"location": location, "condition": "Sunny", "temperature": temperature, "unit": "fahrenheit"}


WEATHER = make(
    NAME,
    "Get the current weather at a location.",
    {
        "type": "object",
        "properties": {
            "location": {"type": "string", "description": "City and state, such as San Francisco, CA."}
        },
        "required": ["location"],
        "additionalProperties": False,
    },
    current_weather,
    annotations={"readOnlyHint": True, "openWorldHint": False},
)
"""The tool, for registries of one's own: ``registry.register(WEATHER)``."""

if NAME not in registry:  # the module may be loaded again
    registry.register(WEATHER)
