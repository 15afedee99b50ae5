"""Gemini generateContent: shapes against the SDK's types, exchanges with the official client."""

import copy

import pytest
from google import genai
from google.genai import types
from loopback import Loopback
from tool_samples import (
    ALL,
    BARE,
    CALLS,
    DOTTED,
    FREE,
    NESTED,
    RECURSIVE,
    REFERRING,
    RESULTS,
    WEATHER,
    plain_calls,
)

from ai_tools.formats import gemini as fmt
from ai_tools.formats.calls import is_synthetic
from ai_tools.formats.gemini_schema import to_gemini_schema
from ai_tools.formats.plain import MessageFormatError
from ai_tools.formats.schemas import walk
from ai_tools.types import ToolDefinition, ToolResult


def part(name="math.factorial", args=None, call_id=None, signature=None):
    call = {"name": name, "args": {"n": 5} if args is None else args}
    if call_id:
        call["id"] = call_id
    return {"functionCall": call, **({"thoughtSignature": signature} if signature else {})}


def response(parts, reason="STOP"):
    candidate = {"content": {"role": "model", "parts": parts}, "index": 0}
    return {
        "candidates": [{**candidate, "finishReason": reason} if reason else candidate],
        "modelVersion": "m",
    }


def declarations(definitions):
    return {d["name"]: d for tool in fmt.export(definitions) for d in tool["functionDeclarations"]}


@pytest.mark.scenario("C09")
def test_exported_tools_conform():
    """All tools are the functionDeclarations of one tool, valid by the SDK's types; none for no tools."""
    tools = fmt.export(ALL)
    assert [list(tool) for tool in tools] == [["functionDeclarations"]]
    types.Tool.model_validate(tools[0])
    weather = tools[0]["functionDeclarations"][0]
    assert list(weather) == ["name", "description", "parameters"]
    assert weather["parameters"]["type"] == "OBJECT"
    assert weather["parameters"]["properties"]["unit"] == {
        "type": "STRING",
        "enum": ["celsius", "fahrenheit"],
    }
    assert weather["parameters"]["required"] == ["location"]
    assert fmt.export([]) == []


def test_names_with_dots_stay():
    """Gemini accepts dots and colons; other characters are mapped."""
    assert list(declarations([DOTTED, ToolDefinition("a b")])) == ["math.factorial", "a-space-b"]


def test_one_of_two_ways_to_say_the_parameters():
    """Schema where it can say everything, else JSON Schema; neither for a tool without parameters."""
    sent = declarations(ALL)
    assert set(sent["ping"]) == {"name", "description"}
    for name in ("store", "book_trip", "find"):
        assert set(sent[name]) == {"name", "description", "parametersJsonSchema"}
    assert sent["store"]["parametersJsonSchema"] == FREE.parameters
    assert sent["route"]["parameters"]["properties"]["end"]["title"] == "End"


@pytest.mark.parametrize("definition", [REFERRING, RECURSIVE, NESTED])
def test_no_reference_reaches_the_provider(definition):
    """References are inlined, also where they lead into themselves."""
    sent = declarations([definition])[definition.name]
    schema = sent.get("parameters") or sent["parametersJsonSchema"]
    assert not any({"$ref", "$defs", "const"} & part.keys() for _, part in walk(schema))


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": ["string", "null"]}, {"type": "STRING", "nullable": True}),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}], "title": "T"}, {"type": "INTEGER", "title": "T", "nullable": True}),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, {"anyOf": [{"type": "INTEGER"}, {"type": "STRING"}]}),
        ({"type": "array", "items": {"type": "number"}, "minItems": 1}, {"type": "ARRAY", "minItems": 1, "items": {"type": "NUMBER"}}),
        ({"type": "string", "format": "date-time"}, {"type": "STRING", "format": "date-time"}),
        ({"type": ["string", "null"], "enum": ["a", None]}, {"type": "STRING", "enum": ["a"], "nullable": True}),
        ({"type": "string", "format": "email"}, None),
        ({"type": "integer", "enum": [1, 2]}, None),
        ({"type": "string", "enum": ["", "a"]}, None),
        ({"type": "array"}, None),
        ({"type": "object"}, None),
        ({"type": "object", "properties": {"a": {}}}, None),
        ({"type": "object", "properties": {"a": {"type": "null"}}, "required": ["b"]}, None),
        ({"type": ["string", "integer"]}, None),
        ({"type": "integer", "exclusiveMinimum": 0}, None),
        ({"oneOf": [{"type": "string"}]}, None),
        (True, None),
    ],
)  # fmt: skip
def test_gemini_schema_says_the_same_or_nothing(schema, expected):
    """What Gemini's Schema cannot express is not approximated, and what it can is valid by the SDK's type."""
    before = copy.deepcopy(schema)
    assert to_gemini_schema(schema) == expected
    assert schema == before
    if expected:
        types.Schema.model_validate(expected)


def test_const_becomes_an_enum_of_one():
    """Gemini does not know const."""
    definition = ToolDefinition(
        "f", "d", {"type": "object", "properties": {"k": {"const": "a", "type": "string"}, "n": {"const": 1}}}
    )
    assert declarations([definition])["f"]["parametersJsonSchema"]["properties"] == {
        "k": {"type": "string", "enum": ["a"]}, "n": {"enum": [1]},
    }  # fmt: skip


@pytest.mark.parametrize("wrap", [
    lambda r: r,
    types.GenerateContentResponse.model_validate,
    lambda r: types.GenerateContentResponse.model_validate(r).model_dump(),
    lambda r: r["candidates"][0]["content"],
    lambda r: r["candidates"][0]["content"]["parts"],
    lambda r: types.GenerateContentResponse.model_validate(r).candidates[0].content,
])  # fmt: skip
def test_calls_of_every_form_of_an_answer(wrap):
    """Camel case, snake case and SDK objects give the same calls, thought signature included."""
    answer = response(
        [{"text": "hm", "thought": True}, part(call_id="c1", signature="c2ln"), part("ping", {})]
    )
    one, two = fmt.parse_calls(wrap(answer))
    assert (one.id, one.name, one.arguments) == ("c1", "math.factorial", {"n": 5})
    assert one.metadata == {"format": "gemini", "fields": {"thoughtSignature": "c2ln"}}
    assert (two.name, two.arguments, two.metadata) == ("ping", {}, None)
    assert is_synthetic(two.id)


def test_one_part():
    """A single part is understood."""
    assert plain_calls(fmt.parse_calls(part())) == [{"name": "math.factorial", "arguments": {"n": 5}}]


@pytest.mark.parametrize(("reason", "expected"), [
    ("MAX_TOKENS", "length"), ("SAFETY", "refusal"), ("MALFORMED_FUNCTION_CALL", "error"),
    ("UNEXPECTED_TOOL_CALL", "error"), ("BRAND_NEW_REASON", "error"),
])  # fmt: skip
def test_an_answer_that_ended_badly_runs_nothing(reason, expected):
    """Every reason but STOP makes the calls errors."""
    answer = response([part()], reason)
    assert fmt.parse_calls(answer)[0].error
    assert fmt.stop_reason(answer) == expected


def test_stop_means_calls_where_there_are_some():
    """Gemini says STOP about answers with calls; blocked prompts are refusals."""
    assert fmt.stop_reason(response([part()])) == "tool_calls"
    assert fmt.stop_reason(response([{"text": "hi"}])) == "stop"
    assert fmt.stop_reason({"promptFeedback": {"blockReason": "SAFETY"}}) == "refusal"
    assert fmt.parse_calls({"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]}) == []


def test_arguments_that_come_in_parts_do_not_run():
    """Streamed function call arguments would run incomplete."""
    partial = {"functionCall": {"name": "f", "partialArgs": [{"jsonPath": "$.a"}], "willContinue": True}}
    assert "not supported" in fmt.parse_calls([partial])[0].error
    parser = fmt.StreamParser()
    parser.feed(response([partial]))
    assert "not supported" in parser.finish()[0].error


@pytest.mark.parametrize("wrong", [{}, 5, {"error": {"message": "quota"}}, [5]])
def test_what_is_no_response_is_refused(wrong):
    """Something else is a typed error."""
    with pytest.raises(MessageFormatError):
        fmt.parse_calls(wrong)


def test_history_conforms():
    """Signatures and ids go back; results are objects in one user content; made-up ids stay away."""
    calls = [*fmt.parse_calls([part(call_id="c1", signature="c2ln"), part("ping", {})]), CALLS[2]]
    content = fmt.assistant_message(calls, "on it")
    types.Content.model_validate(content)
    assert content["parts"][1] == part(call_id="c1", signature="c2ln")
    assert content["parts"][2] == {"functionCall": {"name": "ping", "args": {}}}
    assert content["parts"][3]["functionCall"]["args"] == {}
    results = [*RESULTS, ToolResult(None, '{"$ref": "#"}', call_id=calls[1].id, name="ping")]
    (user,) = fmt.format_results(results)
    types.Content.model_validate(user)
    assert [p["functionResponse"]["response"] for p in user["parts"]] == [
        {"output": '{"temp":21}'}, {"output": "120"}, {"error": "Error executing ping: no"}, {"output": '{"$ref": "#"}'},
    ]  # fmt: skip
    assert [p["functionResponse"].get("id") for p in user["parts"]] == ["call_1", "call_2", "call_3", None]
    assert fmt.format_results([]) == []


def test_calls_of_a_stream_come_in_several_chunks():
    """Whole calls are gathered over chunks and finished by the last one."""
    parser = fmt.StreamParser()
    chunks = [
        response([{"text": "hm"}], None),
        response([part(signature="c2ln")], None),
        response([part("ping", {})]),
        {"usageMetadata": {}},
    ]
    kinds = [[event.kind for event in parser.feed(chunk)] for chunk in chunks]
    assert kinds == [[], ["started"], ["started", "finished", "finished"], []]
    assert plain_calls(parser.finish()) == [
        {"name": "math.factorial", "arguments": {"n": 5}},
        {"name": "ping", "arguments": {}},
    ]
    assert parser.calls[0].metadata["fields"] == {"thoughtSignature": "c2ln"}
    assert parser.stop_reason == "stop"


def test_a_stream_that_ends_badly_runs_nothing():
    """Limits and errors leave calls with errors."""
    for end in (
        response([], "MAX_TOKENS"),
        {"error": {"code": 503}},
        {"promptFeedback": {"blockReason": "OTHER"}},
    ):
        parser = fmt.StreamParser()
        parser.feed(response([part()], None))
        parser.feed(end)
        assert parser.finish()[0].error


def test_the_official_client_runs_a_whole_turn():
    """Tools out, calls in, results out through google.genai, plain and streamed."""
    definitions = [WEATHER, DOTTED, BARE, NESTED]
    with Loopback() as server:
        server.reply(response([part(call_id="c1", signature="c2ln")]))
        server.reply_sse([response([part("get_current_weather", {"location": "Paris"})], None), response([])])
        client = genai.Client(api_key="k", http_options=types.HttpOptions(base_url=server.url))
        config = {"tools": fmt.export(definitions), "automatic_function_calling": {"disable": True}}
        history = [{"role": "user", "parts": [{"text": "5!"}]}]
        answer = client.models.generate_content(model="m", contents=history, config=config)
        calls = fmt.parse_calls(answer, definitions)
        history += [fmt.assistant_message(calls), *fmt.format_results(RESULTS[1:2])]
        parser = fmt.StreamParser(definitions)
        for chunk in client.models.generate_content_stream(model="m", contents=history, config=config):
            parser.feed(chunk)
        client.close()
        assert plain_calls(calls) == [{"name": "math.factorial", "arguments": {"n": 5}}]
        assert plain_calls(parser.finish()) == [
            {"name": "get_current_weather", "arguments": {"location": "Paris"}}
        ]
        sent = server.requests[0].body["tools"][0]["functionDeclarations"]
        assert [tool["name"] for tool in sent] == [
            "get_current_weather",
            "math.factorial",
            "ping",
            "book_trip",
        ]
        assert sent[0]["parameters"] == fmt.export(definitions)[0]["functionDeclarations"][0]["parameters"]
        assert server.requests[1].body["contents"][1]["parts"][0]["thoughtSignature"] == "c2ln"
        assert server.requests[1].body["contents"][2]["parts"][0]["functionResponse"]["response"] == {
            "output": "120"
        }
