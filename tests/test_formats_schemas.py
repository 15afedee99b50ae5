"""Schemas as providers want them."""

import copy

import jsonschema
import pytest
from tool_samples import ALL, CHOICE, NESTED, REAL, RECURSIVE, REFERRING, WEATHER, real_definitions

from ai_tools.formats import anthropic, openai
from ai_tools.formats.nulls import drop_added_nulls
from ai_tools.formats.schemas import flatten_root, inline_references, is_recursive, walk
from ai_tools.formats.strict import strict_schema

OPENAI, ANTHROPIC = openai.RULES.strict, anthropic.RULES.strict


def accepts(schema, value):
    return jsonschema.Draft202012Validator(schema).is_valid(value)


def test_walk_visits_schemas_only():
    """Properties that are called like keywords, and literal values, are not schemas."""
    schema = {
        "type": "object",
        "properties": {"$ref": {"type": "string"}, "items": {"type": "array", "items": {"type": "number"}}},
        "default": {"properties": {"x": {}}},
    }
    assert [path for path, _ in walk(schema)] == [
        "",
        ".properties.$ref",
        ".properties.items",
        ".properties.items.items",
    ]


def test_references_are_replaced_by_what_they_name():
    """Inlined schemas hold no references or definitions, keep the siblings, and leave the input alone."""
    before = copy.deepcopy(REFERRING.parameters)
    flat = inline_references(REFERRING.parameters)
    point = REFERRING.parameters["$defs"]["Point"]
    assert flat["properties"] == {"start": point, "end": {**point, "title": "End"}}
    assert "$defs" not in flat
    assert REFERRING.parameters == before


def test_schemas_without_references_are_not_copied():
    """Inlining costs nothing where there is nothing to inline."""
    assert inline_references(NESTED.parameters) is NESTED.parameters


def test_a_recursive_schema_is_cut_to_one_that_accepts_more():
    """Recursion ends in a schema of the same type, and is reported."""
    assert is_recursive(RECURSIVE.parameters)
    assert not is_recursive(REFERRING.parameters)
    flat = inline_references(RECURSIVE.parameters)
    tree = {
        "root": {"label": "a", "children": [{"label": "b", "children": [{"label": "c", "children": []}]}]}
    }
    assert accepts(flat, tree)
    assert not accepts(flat, {"root": {"label": "a"}})


def test_a_reference_bomb_is_defused():
    """Definitions that double at every step are cut after a bounded number of references."""
    defs = {
        f"d{i}": {"type": "object", "properties": {k: {"$ref": f"#/$defs/d{i + 1}"} for k in "ab"}}
        for i in range(40)
    }
    defs["d40"] = {"type": "string"}
    flat = inline_references({"type": "object", "properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": defs})
    assert sum(1 for _ in walk(flat)) < 10_000


@pytest.mark.parametrize("reference", ["#/$defs/none", "http://127.0.0.1:9/x", "#nowhere"])
def test_a_reference_to_nothing_accepts_everything(reference):
    """Nothing is fetched, and no unknown reference reaches a provider."""
    schema = {"type": "object", "properties": {"x": {"$ref": reference}}}
    assert inline_references(schema)["properties"] == {"x": {}}


def test_references_by_anchor_pointer_and_root():
    """Anchors, escaped pointers and the root itself are found."""
    schema = {
        "type": "object",
        "properties": {
            "a": {"$ref": "#here"},
            "b": {"$ref": "#/$defs/x~1y%20z"},
            "c": {"$ref": "#", "description": "again"},
        },
        "$defs": {"here": {"$anchor": "here", "type": "string"}, "x/y z": {"type": "null"}},
    }
    assert inline_references(schema)["properties"] == {
        "a": {"type": "string"},
        "b": {"type": "null"},
        "c": {"type": "object", "description": "again"},
    }


def test_siblings_that_restrict_stay_in_force():
    """A restriction beside a reference is not lost when both say something about the same keyword."""
    schema = {
        "type": "object",
        "properties": {"n": {"$ref": "#/$defs/n", "minimum": 5}},
        "$defs": {"n": {"type": "integer", "minimum": 7}},
    }
    flat = inline_references(schema)
    assert not accepts(flat, {"n": 6})
    assert accepts(flat, {"n": 7})


def test_a_root_with_alternatives_is_taken_apart():
    """Alternatives at the root become optional properties; what they accept stays accepted."""
    flat = flatten_root(CHOICE.parameters)
    assert not {"anyOf", "oneOf", "allOf"} & flat.keys()
    assert list(flat["properties"]) == ["limit", "id", "mail"]
    assert accepts(flat, {"id": 1})
    assert accepts(flat, {"mail": "a@b.c", "limit": 3})
    assert flatten_root(WEATHER.parameters) is WEATHER.parameters


def test_what_all_alternatives_require_stays_required():
    """Required names survive where every branch of anyOf, or any of allOf, demands them; clashes become unions."""
    schema = {
        "type": "object",
        "oneOf": [
            {"properties": {"kind": {"const": "a"}}, "required": ["kind", "x"]},
            {"properties": {"kind": {"const": "b"}}, "required": ["kind"]},
        ],
        "allOf": [{"required": ["id"]}, {"properties": {"id": {"type": "integer"}}}],
    }
    flat = flatten_root(schema)
    assert flat["required"] == ["id", "kind"]
    assert flat["properties"]["kind"] == {"anyOf": [{"const": "a"}, {"const": "b"}]}


def test_strict_for_openai_requires_everything_and_closes_objects():
    """Optional parameters become "or null", objects closed, defaults are told in the description."""
    schema, reasons = strict_schema(NESTED.parameters, OPENAI)
    assert reasons == []
    leg = schema["properties"]["legs"]["items"]
    assert leg["required"] == ["to", "by", "day"]
    assert leg["additionalProperties"] is False
    assert leg["properties"]["day"] == {"type": ["string", "null"], "format": "date"}
    assert schema["required"] == ["legs", "seats"]
    assert schema["properties"]["seats"] == {
        "type": ["integer", "null"], "minimum": 1, "description": "{default: 1}",
    }  # fmt: skip


def test_strict_for_anthropic_keeps_parameters_optional():
    """Anthropic's subset has optional parameters, but no numeric limits."""
    schema, _ = strict_schema(NESTED.parameters, ANTHROPIC)
    assert schema["required"] == ["legs"]
    assert schema["properties"]["seats"] == {
        "type": ["integer", "null"], "description": "{minimum: 1, default: 1}",
    }  # fmt: skip


def test_an_enum_that_becomes_optional_lists_null():
    """An optional enum accepts null in both its type and its values."""
    schema, _ = strict_schema(WEATHER.parameters, OPENAI)
    assert schema["properties"]["unit"] == {
        "type": ["string", "null"],
        "enum": ["celsius", "fahrenheit", None],
    }


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"type": "object"}, "is an object with free keys"),
        ({"type": "object", "additionalProperties": {"type": "string"}}, "accepts additional properties"),
        (
            {"type": "object", "additionalProperties": {}, "properties": {"a": {"type": "null"}}},
            "additional properties",
        ),
        ({"type": "object", "patternProperties": {"^x": {"type": "string"}}}, "has patternProperties"),
        ({}, "has no type"),
        (True, "accepts any value"),
        ({"description": "anything"}, "has no type"),
        ({"type": "array"}, "accepts any value"),
        ({"allOf": [{"type": "string"}, {"minLength": 2}]}, "has allOf"),
        ({"type": "object", "properties": {"a": {"type": "null"}}, "required": ["b"]}, "requires 'b'"),
        ({"type": ["object", "null"]}, "is an object with free keys"),
    ],
)
def test_strict_is_refused_where_it_would_change_what_is_accepted(schema, reason):
    """A schema that cannot be closed without harm has no strict form, and the reason names the place."""
    for rules in (OPENAI, ANTHROPIC):
        parameters = {"type": "object", "properties": {"x": schema}, "required": ["x"]}
        rewritten, reasons = strict_schema(parameters, rules)
        assert rewritten is None
        assert any(reason in text and text.startswith("parameters.properties.x") for text in reasons)


def test_strict_and_recursion():
    """OpenAI's subset allows recursion, Anthropic's does not."""
    schema, _ = strict_schema(RECURSIVE.parameters, OPENAI)
    assert schema["properties"]["root"] == {"$ref": "#/$defs/Node"}
    assert schema["$defs"]["Node"]["additionalProperties"] is False
    assert strict_schema(RECURSIVE.parameters, ANTHROPIC) == (None, ["parameters: refers to itself"])


def test_strict_respects_the_limits_of_a_request():
    """Too many levels, properties or enum values mean: no strict form, with the numbers."""
    deep = {"type": "string"}
    for _ in range(11):
        deep = {"type": "object", "properties": {"x": deep}}
    assert "has 11 levels of objects; at most 10 are allowed" in strict_schema(deep, OPENAI)[1][0]
    wide = {"type": "object", "properties": {"x": {"type": "string", "enum": [str(n) for n in range(1001)]}}}
    assert "1,001 enum values; at most 1,000" in strict_schema(wide, ANTHROPIC)[1][0]


def test_strict_accepts_what_the_tool_accepts():
    """Every real call, with nulls for what it leaves out, fits its tool's strict schema."""
    schemas = {d.name: strict_schema(d.parameters, OPENAI)[0] for d in real_definitions()}
    checked = 0
    for case in REAL:
        for tool, call in zip(case["tools"], case["calls"], strict=False):
            strict = strict_schema(tool["parameters"], OPENAI)[0]
            if strict is None or case["id"] == "simple_python_200":
                continue
            arguments = {name: call["arguments"].get(name) for name in strict["required"]}
            if all(not isinstance(value, (dict, list)) for value in arguments.values()):
                assert accepts(strict, arguments), (case["id"], arguments)
                checked += 1
    assert checked > 300
    assert sum(schema is None for schema in schemas.values()) == 3


@pytest.mark.parametrize("definition", ALL, ids=lambda d: d.name)
def test_rewriting_never_changes_its_input(definition):
    """Definitions are shared by every export, so no rewriting touches them."""
    before = copy.deepcopy(definition.parameters)
    for rules in (OPENAI, ANTHROPIC):
        strict_schema(definition.parameters, rules)
    flatten_root(inline_references(definition.parameters))
    assert definition.parameters == before


def test_added_nulls_are_dropped_and_others_stay():
    """Nulls of optional parameters that do not accept null go, at every depth; all other nulls stay."""
    arguments = {"legs": [{"to": None, "by": None, "day": None}], "seats": None, "extra": None}
    assert drop_added_nulls(arguments, NESTED.parameters) == {
        "legs": [{"to": None, "by": None}], "seats": None, "extra": None,
    }  # fmt: skip


def test_dropping_nulls_follows_references():
    """Optional parameters behind a reference are found."""
    schema = {
        "type": "object",
        "properties": {"p": {"anyOf": [{"$ref": "#/$defs/P"}, {"type": "null"}]}},
        "$defs": {
            "P": {"type": "object", "properties": {"a": {"enum": [1, 2]}, "b": {"const": None}, "c": {}}}
        },
    }
    assert drop_added_nulls({"p": {"a": None, "b": None, "c": None}}, schema) == {"p": {"b": None, "c": None}}
    loop = {
        "type": "object",
        "properties": {"x": {"$ref": "#/properties/y"}, "y": {"$ref": "#/properties/x"}},
    }
    assert drop_added_nulls({"x": None}, loop) == {"x": None}
