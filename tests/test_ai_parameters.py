"""The short list form of parameters."""

from __future__ import annotations

import pytest
from ai_support import LOCATION

from ai_tools.errors import InvalidDefinitionError
from ai_tools.parameters import to_schema


@pytest.mark.scenario("C03")
def test_list_form():
    """A list of parameters becomes an object schema; what is required is listed."""
    assert to_schema(LOCATION, "f") == {
        "type": "object",
        "properties": {
            "location": {"type": "string", "description": "City and state"},
            "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
        },
        "required": ["location"],
    }


def test_nested_list_form():
    """Properties and items nest in either form; keywords of JSON Schema pass through."""
    entries = [
        {
            "name": "filter",
            "type": "object",
            "properties": [{"name": "tags", "type": "array", "items": "string", "required": True}],
        },
        {"name": "sizes", "type": "array", "items": {"type": "int"}, "minItems": 1, "default": [1]},
        {"name": "raw", "type": "object", "properties": {"a": {"type": "string"}}},
        {"name": "either", "type": ["string", "nil"]},
    ]
    assert to_schema(entries, "f")["properties"] == {
        "filter": {
            "type": "object",
            "properties": {"tags": {"type": "array", "items": {"type": "string"}}},
            "required": ["tags"],
        },
        "sizes": {"type": "array", "minItems": 1, "default": [1], "items": {"type": "integer"}},
        "raw": {"type": "object", "properties": {"a": {"type": "string"}}},
        "either": {"type": ["string", "null"]},
    }


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        (["x"], r"parameters\[0\]: must be an object with name and type, not str"),
        ([{"type": "string"}], r"parameters\[0\]: lacks a name"),
        ([{"name": "a"}], r"parameters\[0\]: \('a'\) lacks a type"),
        ([{"name": "a", "type": "strin"}], r"parameters\[0\].type: must be one of string"),
        ([{"name": "a", "type": "string", "required": "yes"}], "required must be true or false, not 'yes'"),
        ([{"name": "a", "type": "string"}] * 2, r"parameters\[1\]: repeats the name 'a'"),
        (
            [{"name": "o", "type": "object", "properties": [{"name": "a"}]}],
            r"parameters\[0\].properties\[0\]",
        ),
        ("string", "must be a JSON Schema object or a list"),
    ],
)
def test_wrong_entries(entries, message):
    """A wrong entry is refused with its place."""
    with pytest.raises(InvalidDefinitionError, match=message):
        to_schema(entries, "f")


@pytest.mark.scenario("B11")
@pytest.mark.parametrize("empty", [None, {}, [], ()])
def test_no_parameters(empty):
    """Nothing, in any form, means no parameters."""
    assert to_schema(empty, "f") == {"type": "object", "properties": {}}
