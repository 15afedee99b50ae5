"""Backboard: shapes against the SDK's types, exchanges with the official client."""

import asyncio
import uuid

import jsonschema
import pytest
from loopback import Loopback
from tool_samples import ALL, CALLS, DOTTED, RESULTS, WEATHER, plain_calls

from ai_tools.formats import backboard as fmt
from ai_tools.formats.plain import MessageFormatError
from ai_tools.formats.schemas import walk
from ai_tools.types import ToolCall
from ai_tools.types import ToolDefinition as Definition

# backboard-sdk declares its models in a way that pydantic 2 will drop one day.
pytestmark = pytest.mark.filterwarnings("ignore:Support for class-based `config`")

THREAD = str(uuid.UUID(int=7))


def tool_call(call_id="call_1", name="math-dot-factorial", arguments='{"n": 5}'):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def response(calls, status="REQUIRES_ACTION"):
    last = {
        "role": "assistant",
        "content": None,
        "status": status,
        "run_id": "run_1",
        "thread_id": THREAD,
        "tool_calls": calls,
    }
    return {"messages": [{"role": "user", "content": "5!", "thread_id": THREAD}, last]}


def submit_required(calls):
    return {
        "type": "tool_submit_required",
        "thread_id": THREAD,
        "run_id": "run_1",
        "tool_calls": calls,
        "input_tokens": 3,
    }


@pytest.mark.scenario("B10")
def test_exported_tools_conform():
    """A tool has name, description and parameters in JSON Schema, by the SDK's types, and no references."""
    from backboard.models import ToolDefinition

    tools = fmt.export(ALL)
    for tool in tools:
        seen = ToolDefinition.model_validate(tool).model_dump(exclude_none=True)
        assert seen["function"]["parameters"]["properties"] == tool["function"]["parameters"]["properties"]
        assert not any("$ref" in part or "$defs" in part for _, part in walk(tool["function"]["parameters"]))
    weather = tools[0]["function"]
    assert weather == {
        "name": WEATHER.name,
        "description": WEATHER.description,
        "parameters": WEATHER.parameters,
    }
    assert weather["parameters"]["required"] == ["location"]


def test_types_that_backboard_cannot_hold_are_written_otherwise():
    """Type lists, enums of numbers and boolean schemas become unions that accept the same."""
    properties = {
        "a": {"type": ["integer", "null"], "minimum": 1},
        "b": {"type": "integer", "enum": [1, 2]},
        "c": {"type": ["string", "null"], "enum": ["x", None]},
        "d": True,
        "e": {"type": "string"},
    }
    definition = Definition("f", "", {"type": "object", "properties": properties})
    sent = fmt.export([definition])[0]["function"]["parameters"]
    assert sent["properties"] == {
        "a": {"minimum": 1, "anyOf": [{"type": "integer"}, {"type": "null"}]},
        "b": {"type": "integer", "anyOf": [{"const": 1}, {"const": 2}]},
        "c": {
            "allOf": [
                {"anyOf": [{"type": "string"}, {"type": "null"}]},
                {"anyOf": [{"const": "x"}, {"const": None}]},
            ]
        },
        "d": {},
        "e": {"type": "string"},
    }
    for value in ({"a": 0}, {"a": None}, {"b": 2}, {"b": "1"}, {"c": None}, {"c": "y"}, {"d": []}):
        checks = (
            jsonschema.Draft202012Validator(schema).is_valid(value)
            for schema in (sent, definition.parameters)
        )
        assert len(set(checks)) == 1


def test_calls_of_every_form_of_an_answer():
    """Responses, messages, events and lists of calls give the same calls."""
    from backboard.models import ChatMessagesResponse

    calls = [tool_call(), tool_call("call_2", "ping", "")]
    answer = response(calls)
    expected = fmt.parse_calls(answer)
    assert expected == [
        ToolCall("call_1", "math.factorial", {"n": 5}, raw_arguments='{"n": 5}'),
        ToolCall("call_2", "ping", {}, raw_arguments=""),
    ]
    sdk = ChatMessagesResponse.model_validate(answer)
    for form in (sdk, sdk.tool_calls, answer["messages"][-1], submit_required(calls), calls):
        assert fmt.parse_calls(form) == [*expected]
    assert fmt.run_of(answer) == fmt.run_of(submit_required(calls)) == (THREAD, "run_1")


@pytest.mark.parametrize("status", ["COMPLETED", "FAILED", "CANCELLED", "completed"])
def test_a_run_that_has_ended_waits_for_nothing(status):
    """Calls of a finished message are history: running them again would double their effects."""
    assert fmt.parse_calls(response([tool_call()], status)) == []


def test_stop_reasons():
    """REQUIRES_ACTION and the event mean calls."""
    assert fmt.stop_reason(response([tool_call()])) == "tool_calls"
    assert fmt.stop_reason(submit_required([tool_call()])) == "tool_calls"
    assert fmt.stop_reason(response(None, "COMPLETED")) == "stop"
    assert fmt.parse_calls({"messages": []}) == []


@pytest.mark.parametrize("wrong", [{}, 5, {"detail": "x"}, {"error": "no key"}])
def test_what_is_no_response_is_refused(wrong):
    """Something else is a typed error."""
    with pytest.raises(MessageFormatError):
        fmt.parse_calls(wrong)


def test_all_outputs_go_into_one_submission():
    """The body holds every output of the turn, by the SDK's types; errors are told in words."""
    from backboard.models import SubmitToolOutputsRequest

    body = fmt.submission(RESULTS, THREAD, stream=True)
    SubmitToolOutputsRequest.model_validate({"tool_outputs": body["tool_outputs"]}, extra="forbid")
    assert body["thread_id"] == THREAD
    assert body["stream"] is True
    assert [entry["output"] for entry in body["tool_outputs"]] == [
        '{"temp":21}',
        "120",
        "Error executing ping: no",
    ]
    assert fmt.assistant_message(CALLS)["tool_calls"][2]["function"]["arguments"] == "{}"


@pytest.mark.parametrize("end", [{"type": "run_ended", "status": "completed"}, {"type": "run_failed"}, None])
def test_a_stream_names_its_run_and_calls(end):
    """tool_submit_required finishes its calls at once, whatever follows."""
    parser = fmt.StreamParser([DOTTED])
    parser.feed('data: {"type": "content_streaming", "content": "hm"}')
    events = parser.feed(submit_required([tool_call()]))
    if end:
        parser.feed(end)
    assert [event.kind for event in events] == ["started", "arguments", "finished"]
    assert (parser.thread_id, parser.run_id) == (THREAD, "run_1")
    assert parser.finish()[0].error is None


def test_the_official_client_runs_a_whole_turn():
    """Tools out, calls in, outputs in one go through BackboardClient, plain and streamed."""
    from backboard import BackboardClient

    definitions = [WEATHER, DOTTED]

    async def turn(url):
        client = BackboardClient(api_key="k", base_url=f"{url}/api")
        tools = fmt.export(definitions)
        calls = fmt.parse_calls(await client.send_message("5!", tools=tools), definitions)
        outputs = fmt.format_results(RESULTS[1:2])
        parser = fmt.StreamParser(definitions)
        async for event in await client.submit_tool_outputs_simple(THREAD, outputs, stream=True):
            parser.feed(event)
        await client.aclose()
        return calls, parser

    with Loopback() as server:
        server.reply(response([tool_call()]))
        server.reply_sse(
            [
                {"type": "content_streaming", "content": "hm"},
                submit_required([tool_call("c2", "get_current_weather", '{"location": "Oslo"}')]),
            ]
        )
        calls, parser = asyncio.run(turn(server.url))
        assert plain_calls(calls) == [{"name": "math.factorial", "arguments": {"n": 5}}]
        assert plain_calls(parser.finish()) == [
            {"name": "get_current_weather", "arguments": {"location": "Oslo"}}
        ]
        first, second = server.requests
        assert first.headers["x-api-key"] == "k"
        assert second.path == "/api/threads/tool-outputs"
        assert second.body == {
            **fmt.submission(RESULTS[1:2], THREAD, stream=True),
            "tool_outputs": [{"tool_call_id": "call_2", "output": "120"}],
        }
