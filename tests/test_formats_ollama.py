"""Ollama /api/chat: shapes against the SDK's types, exchanges with the official client and raw HTTP."""

import json
import urllib.request

import ollama
import pytest
from loopback import Loopback
from tool_samples import ALL, CALLS, DOTTED, NESTED, RESULTS, WEATHER, plain_calls

from ai_tools.formats import ollama as fmt
from ai_tools.formats.plain import MessageFormatError
from ai_tools.formats.schemas import walk
from ai_tools.types import ToolCall


def call(name="math.factorial", arguments=None, **more):
    return {"function": {"name": name, "arguments": {"n": 5} if arguments is None else arguments}, **more}


def response(calls=(), done_reason="stop", content="", done=True):
    message = {"role": "assistant", "content": content, **({"tool_calls": list(calls)} if calls else {})}
    body = {"model": "m", "created_at": "2026-11-21T00:00:00Z", "message": message, "done": done}
    return {**body, "done_reason": done_reason} if done else body


@pytest.mark.scenario("C08")
def test_exported_tools_conform():
    """Tools have OpenAI's shape, names as registered, no references, and are valid by the SDK's types."""
    tools = fmt.export(ALL)
    for tool in tools:
        ollama.Tool.model_validate(tool)
        assert list(tool) == ["type", "function"]
        assert list(tool["function"]) == ["name", "description", "parameters"]
        assert not any("$ref" in part for _, part in walk(tool["function"]["parameters"]))
    assert [tool["function"]["name"] for tool in tools] == [definition.name for definition in ALL]
    assert tools[3]["function"]["parameters"] == NESTED.parameters
    weather = tools[0]
    assert ollama.Tool.model_validate(weather).model_dump(exclude_none=True) == weather


@pytest.mark.parametrize("wrap", [
    lambda r: r, json.dumps, ollama.ChatResponse.model_validate, lambda r: r["message"],
    lambda r: ollama.ChatResponse.model_validate(r).message, lambda r: r["message"]["tool_calls"],
])  # fmt: skip
def test_calls_of_every_form_of_an_answer(wrap):
    """Arguments come as objects; each call gets an id."""
    calls = fmt.parse_calls(wrap(response([call(), call("ping", {})])))
    assert plain_calls(calls) == [
        {"name": "math.factorial", "arguments": {"n": 5}},
        {"name": "ping", "arguments": {}},
    ]
    assert len({entry.id for entry in calls}) == 2


def test_arguments_as_text_and_ids_are_understood():
    """Newer servers give ids, and some models write the arguments as text."""
    (one,) = fmt.parse_calls(call(arguments='{"n": 5}', id="call_7"))
    assert (one.id, one.arguments) == ("call_7", {"n": 5})


def test_an_answer_that_was_cut_off_runs_nothing():
    """done_reason "length" makes the calls errors."""
    assert "token limit" in fmt.parse_calls(response([call()], "length"))[0].error
    assert fmt.stop_reason(response([call()], "length")) == "length"
    assert fmt.stop_reason(response([call()])) == "tool_calls"
    assert fmt.stop_reason(response(content="hi")) == "stop"


@pytest.mark.parametrize("wrong", [{}, 5, {"error": "model not found"}])
def test_what_is_no_response_is_refused(wrong):
    """Something else is a typed error."""
    with pytest.raises(MessageFormatError, match=r"Expected|model not found"):
        fmt.parse_calls(wrong)


def test_history_conforms():
    """Arguments go back as objects, results name their tool, made-up ids stay away."""
    calls = [*CALLS, *fmt.parse_calls([call()])]
    assistant = fmt.assistant_message(calls, "on it")
    ollama.Message.model_validate(assistant)
    assert [c["function"]["arguments"] for c in assistant["tool_calls"]] == [
        {"location": "Paris"},
        {"n": 5},
        {},
        {"n": 5},
    ]
    assert [c.get("id") for c in assistant["tool_calls"]] == ["call_1", "call_2", "call_3", None]
    results = fmt.format_results(RESULTS)
    for message in results:
        ollama.Message.model_validate(message)
    assert results[1] == {
        "role": "tool",
        "tool_name": "math.factorial",
        "content": "120",
        "tool_call_id": "call_2",
    }


def test_calls_of_a_stream():
    """Calls come whole in lines; the last line finishes them."""
    parser = fmt.StreamParser()
    lines = [
        json.dumps(line)
        for line in (response([call()], done=False), response([call("ping", "{}")], done=False), response())
    ]
    assert [[event.kind for event in parser.feed(line)] for line in [*lines, ""]] == [
        ["started"], ["started", "arguments"], ["finished", "finished"], [],
    ]  # fmt: skip
    assert plain_calls(parser.finish()) == [
        {"name": "math.factorial", "arguments": {"n": 5}},
        {"name": "ping", "arguments": {}},
    ]


@pytest.mark.parametrize("end", [{"error": "out of memory"}, response(done_reason="length")])
def test_a_stream_that_ends_badly_runs_nothing(end):
    """An error line or the token limit leaves calls with errors."""
    parser = fmt.StreamParser()
    parser.feed(response([call()], done=False))
    parser.feed(end)
    assert parser.finish()[0].error


def test_the_official_client_runs_a_whole_turn():
    """Tools out, calls in, results out through ollama.Client, plain and streamed."""
    definitions = [WEATHER, DOTTED]
    with Loopback() as server:
        server.reply(response([call()]))
        server.reply_lines(
            [response([call("get_current_weather", {"location": "Paris"})], done=False), response()]
        )
        client = ollama.Client(host=server.url)
        history = [{"role": "user", "content": "5!"}]
        calls = fmt.parse_calls(
            client.chat(model="m", messages=history, tools=fmt.export(definitions)), definitions
        )
        history += [fmt.assistant_message(calls), *fmt.format_results(RESULTS[1:2])]
        parser = fmt.StreamParser(definitions)
        for line in client.chat(model="m", messages=history, tools=fmt.export(definitions), stream=True):
            parser.feed(line)
        client.close()
        assert plain_calls(calls) == [{"name": "math.factorial", "arguments": {"n": 5}}]
        assert plain_calls(parser.finish()) == [
            {"name": "get_current_weather", "arguments": {"location": "Paris"}}
        ]
        assert server.requests[0].body["tools"] == fmt.export(definitions)
        assert server.requests[1].body["messages"][2]["tool_name"] == "math.factorial"


def test_raw_http_keeps_what_the_client_drops():
    """Over plain HTTP nested schemas and the ids of calls survive."""
    with Loopback() as server:
        server.reply_lines([response([call(id="call_7")], done=False), response()])
        body = json.dumps({"model": "m", "messages": [], "tools": fmt.export([NESTED])}).encode()
        request = urllib.request.Request(f"{server.url}/api/chat", body, {"content-type": "application/json"})
        parser = fmt.StreamParser()
        with urllib.request.urlopen(request, timeout=5) as answer:
            for line in answer:
                parser.feed(line)
        assert parser.finish() == [ToolCall("call_7", "math.factorial", {"n": 5})]
        assert server.requests[0].body["tools"][0]["function"]["parameters"] == NESTED.parameters
