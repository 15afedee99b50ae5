"""Validation: the same verdict as jsonschema's on everything, in words that help, and at no risk."""

from __future__ import annotations

import http.server
import json
import threading
import time

import pytest
from ai_support import cases
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from referencing import Registry

from ai_tools.errors import InvalidArgumentsError, InvalidDefinitionError
from ai_tools.patterns import matches
from ai_tools.registry import ToolRegistry
from ai_tools.schema import check_parameters
from ai_tools.validation import Validator


def verdict(schema, arguments, *, plain=False):
    try:
        Validator(schema, "f").check(arguments, plain=plain)
    except InvalidArgumentsError as error:
        return str(error)
    return None


def problems(schema, arguments):
    with pytest.raises(InvalidArgumentsError) as caught:
        Validator({"type": "object", **schema}, "f").check(arguments)
    return list(caught.value.problems)


scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.integers(-3, 3),
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from([1.0, 0.0, -0.0, 2.5, 1e300]),
    st.text(st.characters(), max_size=4),
    st.sampled_from(["", "a", "ab", "é", "\U0001f600"]),
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
clean = values.map(lambda value: json.loads(json.dumps(value, default=str)))

names = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
bounds = st.integers(0, 3)


def keywords(inner):
    """Return schemas of every keyword that tools use, and of those on which the fast path must step aside."""
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.one_of(names, st.lists(names, min_size=1, max_size=3, unique=True)),
            "enum": st.lists(scalars, min_size=1, max_size=3),
            "const": scalars,
            "minimum": st.one_of(bounds, st.just(2.5)),
            "maximum": bounds,
            "exclusiveMinimum": bounds,
            "exclusiveMaximum": bounds,
            "minLength": bounds,
            "maxLength": bounds,
            "minItems": bounds,
            "maxItems": bounds,
            "minProperties": bounds,
            "maxProperties": bounds,
            "uniqueItems": st.booleans(),
            "multipleOf": st.sampled_from([1, 2, 0.5, 0.01]),
            "pattern": st.sampled_from(["^a", "b$", "[0-9]+"]),
            "format": st.sampled_from(["date", "email"]),
            "properties": st.dictionaries(st.sampled_from("abc"), inner, max_size=2),
            "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
            "additionalProperties": st.one_of(st.booleans(), inner),
            "patternProperties": st.dictionaries(st.sampled_from(["^a", "b"]), inner, max_size=1),
            "items": st.one_of(st.booleans(), inner),
            "prefixItems": st.lists(inner, min_size=1, max_size=2),
            "contains": inner,
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "oneOf": st.lists(inner, min_size=1, max_size=2),
            "not": inner,
            "if": inner,
            "then": inner,
            "dependentRequired": st.just({"a": ["b"]}),
            "unevaluatedProperties": st.booleans(),
            "nullable": st.booleans(),
            "$ref": st.just("#/$defs/d"),
        },
    )


schemas = st.recursive(st.one_of(st.just({}), keywords(st.just({}))), keywords, max_leaves=4)


@settings(max_examples=400, deadline=None)
@given(schemas, schemas, st.dictionaries(st.sampled_from("abcd"), values, max_size=3))
def test_never_a_different_verdict(schema, definition, arguments):
    """For any schema and arguments the verdict is jsonschema's, and nothing but the typed error is raised."""
    whole = {**schema, "type": "object", "$defs": {"d": {**definition}}}
    whole["$defs"]["d"].pop("$ref", None)
    try:
        expected = Draft202012Validator(whole, registry=Registry()).is_valid(arguments)
    except RecursionError:
        expected = False
    ours = verdict(whole, arguments)
    if ours is None and not expected:
        # The one allowed difference: nested JSON strings are decoded where the schema wants a container.
        repaired = Validator(whole, "f").check(arguments)
        assert repaired != arguments
        assert Draft202012Validator(whole, registry=Registry()).is_valid(repaired)
    else:
        assert (ours is None) == expected, ours


@settings(max_examples=300, deadline=None)
@given(schemas, st.dictionaries(st.sampled_from("abc"), values, max_size=3))
def test_json_text_has_the_same_verdict(schema, arguments):
    """The path for arguments that come as JSON text agrees with jsonschema too."""
    whole = {**schema, "type": "object", "$defs": {"d": {}}}
    try:
        parsed = json.loads(json.dumps(arguments, allow_nan=False))
    except ValueError:
        return
    expected = Draft202012Validator(whole, registry=Registry()).is_valid(parsed)
    ours = verdict(whole, parsed, plain=True)
    if ours is None and not expected:
        assert Validator(whole, "f").check(parsed) != parsed
    else:
        assert (ours is None) == expected, ours


def test_recorded_cases_have_the_same_verdict():
    """On 940 real calls the verdict is jsonschema's."""
    for case in cases():
        schemas_by_name = {tool["name"]: tool["parameters"] for tool in case["tools"]}
        for call in case["calls"]:
            schema = schemas_by_name[call["name"]]
            expected = Draft202012Validator(schema).is_valid(call["arguments"])
            assert (verdict(schema, call["arguments"], plain=True) is None) == expected


@pytest.mark.parametrize(
    ("schema", "value", "valid"),
    [
        ({"type": "integer"}, 7.0, True),
        ({"type": "integer"}, True, False),
        ({"type": "integer"}, "7", False),
        ({"uniqueItems": True}, [1, 1.0], False),
        ({"type": "string", "nullable": True}, None, False),
        ({"multipleOf": 0.01}, 19.99, False),
        ({"pattern": "^\\d$"}, "٣", True),
        ({"type": "array"}, (1, 2), False),
        ({"format": "email"}, "nobody", True),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, False),
        ({"unevaluatedProperties": False}, {"a": 1}, False),
        ({"type": "string"}, "\ud800", True),
        ({"type": "number"}, float("nan"), True),
    ],
)
def test_probes_where_validators_differ(schema, value, valid):
    """On the known points of disagreement the verdict is jsonschema's."""  # facts D2
    whole = {"type": "object", "properties": {"a": schema}}
    assert (verdict(whole, {"a": value}) is None) is valid
    assert Draft202012Validator(whole).is_valid({"a": value}) is valid


@pytest.mark.scenario("T09")
def test_nested_schema():
    """Nested objects and arrays survive export unchanged, and arguments in them are validated."""
    schema = {
        "type": "object",
        "properties": {
            "orders": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"sizes": {"type": "array", "items": {"type": "integer"}}},
                    "required": ["sizes"],
                },
            }
        },
    }
    registry = ToolRegistry()
    registry.add("f", "d", schema, lambda args: "done")
    assert registry.get_enabled_schemas()[0]["function"]["parameters"] == schema
    assert registry.call("f", {"orders": [{"sizes": [1, 2]}]}).text == "done"
    error = registry.call("f", {"orders": [{"sizes": [1]}, {"sizes": [1, "L"]}, {}]}).error
    assert error.problems == (
        ("orders[1].sizes[1]", 'must be an integer, not "L"'),
        ("orders[2].sizes", "is required (an array)"),
    )


@pytest.mark.parametrize(
    ("schema", "value", "problem"),
    [
        ({"type": "string"}, 1, ("a", "must be a string, not 1")),
        ({"type": ["string", "null"]}, 1, ("a", "must be a string or null, not 1")),
        ({"enum": ["x", 2]}, "y", ("a", 'must be one of "x", 2, not "y"')),
        ({"const": "x"}, "y", ("a", 'must be "x", not "y"')),
        ({"minimum": 2}, 1, ("a", "must be at least 2, not 1")),
        ({"maximum": 2}, 3, ("a", "must be at most 2, not 3")),
        ({"exclusiveMinimum": 2}, 2, ("a", "must be more than 2, not 2")),
        ({"exclusiveMaximum": 2}, 2, ("a", "must be less than 2, not 2")),
        ({"minLength": 2}, "x", ("a", "must have 2 characters or more, not 1")),
        ({"maxLength": 2}, "xxx", ("a", "must have 2 characters or fewer, not 3")),
        ({"minItems": 1}, [], ("a", "must have 1 items or more, not 0")),
        ({"maxItems": 1}, [1, 2], ("a", "must have 1 items or fewer, not 2")),
        ({"uniqueItems": True}, [1, 1], ("a", "must not repeat an item")),
        ({"multipleOf": 5}, 7, ("a", "must be a multiple of 5, not 7")),
        ({"pattern": "^x"}, "y", ("a", "must match the pattern '^x', not \"y\"")),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 1, ("a", "must be a string or null, not 1")),
        (
            {"anyOf": [{"type": "integer", "minimum": 5}, {"type": "null"}]},
            1,
            ("a", "must be at least 5, not 1"),
        ),
        ({"required": ["b"]}, {}, ("a.b", "is required")),
    ],
)
def test_messages(schema, value, problem):
    """Each broken keyword is described by the field, what is wrong, and what would be right."""
    assert problems({"properties": {"a": schema}}, {"a": value}) == [problem]


def test_long_values_are_cut():
    """A wrong value of megabytes is not repeated to the model, nor are hundreds of choices."""
    found = problems({"properties": {"a": {"type": "integer"}}}, {"a": "x" * 1_000_000})
    assert len(found[0][1]) < 150
    found = problems({"properties": {"a": {"enum": list(range(500))}}}, {"a": "x"})
    assert "and 480 more" in found[0][1]
    assert len(problems({"required": [f"p{i}" for i in range(50)]}, {})) == 5


def test_references_are_never_fetched():
    """A schema that points to a server is refused, and the server is never asked."""  # complaint 24
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_error(404)

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        schema = {
            "type": "object",
            "properties": {"a": {"$ref": f"http://127.0.0.1:{server.server_port}/schema.json"}},
        }
        with pytest.raises(InvalidDefinitionError, match="references are never fetched"):
            check_parameters(schema, "f")
        with pytest.raises(Exception, match="Unresolvable"):
            Validator(schema, "f").check({"a": 1})
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert asked == []


@pytest.mark.parametrize(
    "pattern", ["^(a+)+$", "^(a|a)*$", "(.*)*x", "^(([a-z])+.)+[A-Z]([a-z])+$", r"(a*)*b\1"]
)
def test_catastrophic_patterns(pattern):
    """A pattern on which Python's engine takes exponential time is decided at once."""
    start = time.monotonic()
    assert verdict({"type": "object", "properties": {"a": {"pattern": pattern}}}, {"a": "a" * 40 + "!"})
    assert time.monotonic() - start < 1


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("^a+$", "aaa", True),
        ("b", "abc", True),
        ("^a{2,3}b*$", "aab", True),
        ("^[a-z]+@[a-z]+$", "a@b", True),
        ("^[a-z]+@[a-z]+$", "a@", False),
        ("a*b", "a" * 50_000, False),
    ],
)
def test_patterns(pattern, text, expected):
    """Patterns match anywhere in the text, whichever engine decides."""
    assert matches(pattern, text) is expected


@pytest.mark.scenario("T06")
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"type": "string"}, "parameters.type: must be \"object\", not 'string'"),
        ({"properties": {}}, 'parameters.type: must be "object", not None'),
        (
            {"type": "object", "properties": {"a": {"type": "strin"}}},
            "parameters.properties.a.type: must be one of string, integer, number, boolean, object",
        ),
        ({"type": "object", "properties": []}, "parameters.properties: [] is not of type 'object'"),
        ({"type": "object", "required": "a"}, "parameters.required: 'a' is not of type 'array'"),
        (
            {"type": "object", "properties": {"a": {"minimum": "1"}}},
            "parameters.properties.a.minimum: '1' is not",
        ),
        ({"type": "object", "$ref": "#"}, "parameters.$ref: '#' leads back to itself"),
        (
            {"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}},
            "parameters.properties.a.$ref: '#/$defs/b' does not name a place in this schema",
        ),
        (
            {"type": "object", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}},
            "'#/$defs/a' leads back to itself",
        ),
        (
            {"type": "object", "properties": {"a": {"pattern": "(("}}},
            "parameters.properties.a.pattern: is not a regular expression",
        ),
        ({"type": "object", "default": {1, 2}}, "must consist of JSON values"),
        ({"type": "object", 1: 2}, "must consist of JSON values"),
    ],
)
def test_invalid_schema(parameters, message):
    """A schema that is not right is refused at registration, with the place of the fault."""
    registry = ToolRegistry()
    with pytest.raises(InvalidDefinitionError) as caught:
        registry.add("f", "d", parameters, dict)
    assert message in str(caught.value)
    assert len(registry) == 0


def test_deep_schema():
    """A schema that nests thousands deep is refused, not a crash."""
    schema = {"type": "string"}
    for _ in range(5_000):
        schema = {"type": "object", "properties": {"a": schema}}
    with pytest.raises(InvalidDefinitionError, match="nested"):
        ToolRegistry().add("f", "d", schema, dict)


def test_cyclic_schema():
    """A schema that contains itself as a Python object is refused."""
    schema = {"type": "object"}
    schema["properties"] = {"a": schema}
    with pytest.raises(InvalidDefinitionError, match="nested"):
        ToolRegistry().add("f", "d", schema, dict)


def test_property_called_like_a_keyword():
    """Parameters may be called $ref, enum, pattern or properties."""
    names = ["$ref", "enum", "pattern", "properties", "default", "format"]
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    registry = ToolRegistry()
    registry.add("f", "d", schema, dict)
    assert registry.call("f", dict.fromkeys(names, "x")).value == dict.fromkeys(names, "x")
    assert registry.call("f", {"enum": 1}).error.field == "enum"


def test_recursive_schema():
    """A schema that refers to itself through its data is fine, and validates at every level."""
    schema = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#"}}},
        "required": ["name"],
    }
    registry = ToolRegistry()
    registry.add("f", "d", schema, lambda args: "done")
    assert registry.call("f", {"name": "a", "children": [{"name": "b", "children": []}]}).text == "done"
    assert registry.call("f", {"name": "a", "children": [{"name": 1}]}).error.field == "children[0].name"
