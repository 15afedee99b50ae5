"""The mock weather tool."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from ai_tools.errors import InvalidArgumentsError
from ai_tools.registry import ToolRegistry
from ai_tools.weather import WEATHER


@pytest.fixture
def registry():
    return ToolRegistry([WEATHER])


@pytest.mark.scenario("B18")
@pytest.mark.parametrize(
    "location", ["San Francisco, CA", "東京", "x", " Rome ", "'; drop table", "a\ud800", "é" * 1000]
)
def test_always_sunny(registry, location):
    """Every location is sunny, at 65 to 75 °F, and named in the answer."""
    answer = registry.call("get_current_weather", {"location": location}).value
    assert answer["condition"] == "Sunny"
    assert answer["location"] == location
    assert 65 <= answer["temperature"] <= 75
    assert answer["unit"] == "fahrenheit"


@pytest.mark.scenario("B18")
def test_temperatures_vary_with_the_location(registry):
    """Places differ, and both ends of the range occur; the same place is always the same."""
    places = [f"Town {i}" for i in range(100)]
    first = [
        registry.call("get_current_weather", {"location": place}).value["temperature"] for place in places
    ]
    again = [
        registry.call("get_current_weather", {"location": place}).value["temperature"] for place in places
    ]
    assert set(first) == set(range(65, 76))
    assert first == again


@pytest.mark.scenario("B19")
def test_location_is_returned_as_json(registry):
    """The text of the answer is JSON with the location as it was given."""
    assert json.loads(registry.execute("get_current_weather", {"location": "Paris"}))["location"] == "Paris"


@pytest.mark.scenario("B19")
@pytest.mark.parametrize(
    "args", [{}, {"location": None}, {"location": 7}, {"location": " "}, {"city": "Rome"}]
)
def test_location_is_validated(registry, args):
    """A missing, blank or wrong location is refused, and the error names the parameter."""
    result = registry.call("get_current_weather", args)
    assert isinstance(result.error, InvalidArgumentsError)
    assert "location" in result.text


@pytest.mark.scenario("B10")
def test_definition():
    """The tool has a name, a description, a JSON Schema and a function that takes arguments."""
    function = WEATHER.get_schema()["function"]
    assert function["name"] == "get_current_weather"
    assert "weather" in function["description"]
    assert function["parameters"]["type"] == "object"
    assert WEATHER.execute({"location": "Oslo"})["location"] == "Oslo"


@pytest.mark.scenario("B20")
def test_registers_itself_when_loaded():
    """The shared registry is empty until the module is imported; loading it again changes nothing."""
    program = """
import importlib, json
from ai_tools.shared import registry
before = registry.names()
import ai_tools.weather
importlib.reload(ai_tools.weather)
function = registry.get("get_current_weather").get_schema()["function"]
print(json.dumps([before, registry.names(), function]))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    before, after, function = json.loads(ran.stdout)
    assert before == []
    assert after == ["get_current_weather"]
    assert function["description"] == "Get the current weather at a location."
    assert function["parameters"]["properties"]["location"]["type"] == "string"
    assert function["parameters"]["required"] == ["location"]
