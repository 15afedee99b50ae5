"""What a provider will refuse, drop or change, told before it does."""

import pytest
from tool_samples import BARE, CHOICE, DOTTED, FREE, NESTED, RECURSIVE, WEATHER, real_definitions

from ai_tools.formats import catalog
from ai_tools.lint import lint, lint_all
from ai_tools.types import ToolDefinition


def findings(definition, provider, **options):
    return [(f.severity, f.path) for f in lint(definition, provider, **options)]


def with_property(name="x", schema=None):
    return ToolDefinition("f", "d", {"type": "object", "properties": {name: schema or {"type": "string"}}})


@pytest.mark.parametrize("provider", catalog.FORMATS)
def test_a_plain_tool_has_no_findings(provider):
    """What every provider takes as it is raises no finding."""
    assert lint(WEATHER, provider) == []
    assert lint_all([WEATHER, BARE], provider) == []


def test_names_that_change_are_reported():
    """A mapped name is a change for those who map it, nothing for the others."""
    assert findings(DOTTED, "openai") == [("changed", "name")]
    assert findings(DOTTED, "gemini") == findings(DOTTED, "ollama") == []
    assert "'math-dot-factorial'" in lint(DOTTED, "anthropic")[0].message


def test_parameter_names():
    """Anthropic and Gemini refuse some names of parameters."""
    assert findings(with_property("two words"), "anthropic") == [
        ("refused", "parameters.properties.two words")
    ]
    assert findings(with_property("a.b"), "anthropic") == []
    assert findings(with_property("a.b"), "gemini") == [("refused", "parameters.properties.a.b")]
    assert findings(with_property("two words"), "openai") == []


def test_descriptions():
    """Gemini needs a description; some deployments of OpenAI refuse long ones."""
    assert findings(ToolDefinition("f"), "gemini") == [("refused", "description")]
    assert findings(ToolDefinition("f", "x" * 1025), "openai") == [("refused", "description")]
    assert findings(ToolDefinition("f", "x" * 1024), "openai") == []


def test_keywords_that_do_not_arrive():
    """Dropped keywords are named with their place, behind references too."""
    assert ("dropped", "parameters.properties.x.pattern") in findings(
        with_property(schema={"type": "string", "pattern": "a"}), "ollama"
    )
    assert findings(with_property(schema={"not": {"type": "null"}}), "gemini") == [
        ("dropped", "parameters.properties.x.not")
    ]
    assert ("dropped", "parameters") in findings(RECURSIVE, "gemini")
    assert findings(RECURSIVE, "openai") == []
    nested = findings(NESTED, "ollama")
    assert ("dropped", "parameters.properties.legs.items.additionalProperties") in nested


def test_a_root_with_alternatives():
    """Alternatives at the root are taken apart for those who refuse them."""
    assert findings(CHOICE, "openai") == findings(CHOICE, "anthropic") == [("changed", "parameters.anyOf")]


def test_why_a_tool_is_not_strict():
    """The reasons against strict mode are told when it is asked for."""
    assert lint(FREE, "openai") == []
    (finding,) = lint(FREE, "openai", strict=True)
    assert finding.severity == "changed"
    assert (
        finding.message
        == "is sent without strict mode: parameters.properties.labels: is an object with free keys"
    )
    own = ToolDefinition("f", "d", FREE.parameters, strict=True)
    assert findings(own, "anthropic") == [("changed", "strict")]
    assert findings(own, "ollama") == [("dropped", "strict")]


def test_schemas_that_are_not_json():
    """A value that JSON cannot hold is found before the client fails on it."""
    assert findings(with_property(schema={"enum": {1, 2}}), "openai") == [("refused", "parameters")]
    assert findings(with_property(schema={"default": float("nan")}), "openai") == [("refused", "parameters")]


def test_all_tools_of_a_request():
    """Too many tools, and names that would collide, are found together."""
    long = "x" * 70
    wire = catalog.get("openai").RULES.names.encode(long)
    many = [ToolDefinition(f"t{i}", "d") for i in range(127)] + [
        ToolDefinition(long, "d"),
        ToolDefinition(wire, "d"),
    ]
    found = lint_all(many, "openai")
    assert [(f.severity, f.tool, f.path) for f in found[:2]] == [
        ("refused", wire, "name"),
        ("refused", "", "tools"),
    ]
    assert "129 tools are more than the 128" in found[1].message


def test_findings_read_well():
    """A finding's text names provider, tool, place and what happens."""
    assert str(lint(DOTTED, "openai")[0]) == (
        "openai: math.factorial: name: changed: is sent as 'math-dot-factorial', and mapped back in calls"
    )


def test_the_real_tools_lint_quickly_and_find_the_dotted_names():
    """Of the 423 real tools, exactly the 195 with dots change their names for OpenAI."""
    changed = [f for f in lint_all(real_definitions(), "openai") if f.path == "name"]
    assert len(changed) == 195


def test_an_unknown_provider():
    """The lint knows the formats that the catalog knows."""
    with pytest.raises(catalog.UnknownProviderError):
        lint(WEATHER, "cohere")
