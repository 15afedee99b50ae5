"""OpenAI Chat Completions: shapes against the SDK's types, exchanges with the official client."""

import json

import openai
import pytest
from loopback import Loopback
from openai.types.chat import (
    ChatCompletion,
    ChatCompletionAssistantMessageParam,
    ChatCompletionChunk,
    ChatCompletionFunctionToolParam,
    ChatCompletionMessageParam,
)
from sdk_types import check
from tool_samples import ALL, BARE, CALLS, CHOICE, DOTTED, FREE, NESTED, RESULTS, WEATHER, plain_calls

from ai_tools.formats import openai as fmt
from ai_tools.formats.calls import is_synthetic
from ai_tools.formats.plain import MessageFormatError
from ai_tools.types import ToolCall, ToolDefinition


def tool_call(call_id, name, arguments):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def response(calls, finish="tool_calls"):
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [
            {
                "index": 0, "finish_reason": finish, "logprobs": None,
                "message": {"role": "assistant", "content": None, "refusal": None, "tool_calls": calls},
            }
        ],
    }  # fmt: skip


def chunk(delta=None, finish=None, **more):
    choice = {"index": 0, "delta": delta or {}, "finish_reason": finish}
    return {
        "id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice], **more,
    }  # fmt: skip


def pieces(*entries):
    return chunk({"tool_calls": list(entries)})


def piece(index=None, call_id=None, name=None, arguments=None):
    entry = {"function": {}}
    if index is not None:
        entry["index"] = index
    if call_id is not None:
        entry.update(id=call_id, type="function")
    if name is not None:
        entry["function"]["name"] = name
    if arguments is not None:
        entry["function"]["arguments"] = arguments
    return entry


def run_stream(chunks, definitions=None):
    parser = fmt.StreamParser(definitions)
    for part in chunks:
        parser.feed(part)
    return parser.finish()


@pytest.mark.scenario("C07")
@pytest.mark.parametrize("strict", [False, True])
def test_exported_tools_conform_to_chat_completions(strict):
    """Every tool is {"type": "function", "function": {name, description, parameters, strict}} by the SDK's types."""
    tools = fmt.export(ALL, strict=strict)
    check(list[ChatCompletionFunctionToolParam], tools)
    assert tools[0]["type"] == "function"
    assert list(tools[0]["function"]) == ["name", "description", "parameters", "strict"]
    assert [tool["function"]["name"] for tool in tools[:2]] == ["get_current_weather", "math-dot-factorial"]


@pytest.mark.scenario("T07")
def test_strict_is_false_unless_asked_for():
    """Without strict mode the schema is the definition's own; with it, tools that cannot have it stay without."""
    plain = fmt.export(ALL)
    assert not any(tool["function"]["strict"] for tool in plain)
    assert plain[0]["function"]["parameters"] is WEATHER.parameters
    strict = {tool["function"]["name"]: tool["function"] for tool in fmt.export(ALL, strict=True)}
    assert strict["get_current_weather"]["strict"]
    assert strict["ping"]["strict"]
    assert not strict["store"]["strict"]
    assert strict["store"]["parameters"] == FREE.parameters
    own = ToolDefinition("w", "", WEATHER.parameters, strict=True)
    assert [tool["function"]["strict"] for tool in fmt.export([own, WEATHER])] == [True, False]


@pytest.mark.scenario("T09")
def test_nested_schemas_survive_export_unchanged():
    """Objects in arrays in objects reach the provider as they were defined."""
    assert fmt.export([NESTED])[0]["function"]["parameters"] == NESTED.parameters


def test_no_root_that_would_refuse_the_whole_request():
    """A tool with alternatives at its root is sent without them."""
    assert "anyOf" not in fmt.export([CHOICE])[0]["function"]["parameters"]


@pytest.mark.parametrize("wrap", [
    lambda r: r,
    json.dumps,
    lambda r: json.dumps(r).encode(),
    ChatCompletion.model_validate,
    lambda r: r["choices"][0]["message"],
    lambda r: ChatCompletion.model_validate(r).choices[0].message,
    lambda r: {"role": "assistant", "tool_calls": ChatCompletion.model_validate(r).choices[0].message.tool_calls},
    lambda r: ChatCompletion.model_validate(r).choices[0].message.tool_calls,
    lambda r: {"required_action": {"type": "submit_tool_outputs",
                                   "submit_tool_outputs": {"tool_calls": r["choices"][0]["message"]["tool_calls"]}}},
])  # fmt: skip
def test_calls_of_every_form_of_an_answer(wrap):
    """Dicts, JSON text, SDK objects, responses, messages and lists of calls all give the same calls."""
    answer = response([tool_call("a", "math-dot-factorial", '{"n": 5}'), tool_call("b", "ping", "")])
    calls = fmt.parse_calls(wrap(answer))
    assert calls == [
        ToolCall("a", "math.factorial", {"n": 5}, raw_arguments='{"n": 5}'),
        ToolCall("b", "ping", {}, raw_arguments=""),
    ]


def test_one_call_and_the_old_function_call():
    """A single call object and the deprecated function_call are understood."""
    assert fmt.parse_calls(tool_call("a", "ping", "{}"))[0].id == "a"
    old = fmt.parse_calls(
        {"role": "assistant", "content": None, "function_call": {"name": "ping", "arguments": "{}"}}
    )
    assert plain_calls(old) == [{"name": "ping", "arguments": {}}]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ('{"n": 5', "ends too early"),
        ("{'n': 5}", "not valid JSON"),
        ('["n"]', "must be a JSON object, not an array"),
        ("5", "must be a JSON object, not a number"),
        ('{"n": NaN}', "NaN"),
        ('{"n": 1} done', "Extra data"),
        ("[" * 100_000, "nested deeper"),
        (["n"], "must be a JSON object, not an array"),
        (7, "must be a JSON object, not a number"),
    ],
)
def test_broken_arguments_become_an_error_of_the_call(arguments, message):
    """Arguments that are no JSON object never raise: the call carries what is wrong, and the raw text."""
    (call,) = fmt.parse_calls([tool_call("a", "f", arguments)])
    assert call.arguments is None
    assert message in call.error
    assert call.raw_arguments == (arguments if isinstance(arguments, str) else None)


@pytest.mark.parametrize("arguments", [None, "", "  ", "null", "{}", {}])
def test_no_arguments_are_an_empty_object(arguments):
    """Servers write calls without arguments in many ways."""
    (call,) = fmt.parse_calls([tool_call("a", "f", arguments)])
    assert (call.arguments, call.error) == ({}, None)


def test_arguments_may_come_as_an_object():
    """Some servers send the arguments parsed."""
    assert fmt.parse_calls([tool_call("a", "f", {"x": 1})])[0].arguments == {"x": 1}


@pytest.mark.parametrize("item", [None, "call", 5, [], {}, {"id": "a"}, {"function": None}, {"function": "f"},
                                  tool_call("a", "", "{}"), tool_call("a", None, "{}"), tool_call("a", 5, "{}")])  # fmt: skip
def test_what_is_no_call_becomes_a_call_with_an_error(item):
    """Nothing that a server puts among the calls is lost or raises."""
    (call,) = fmt.parse_calls({"role": "assistant", "tool_calls": [item]})
    assert call.error
    assert call.id


@pytest.mark.parametrize(("finish", "word"), [("length", "token limit"), ("content_filter", "content filter"),
                                              ("max_tokens", "token limit")])  # fmt: skip
def test_an_answer_that_was_cut_off_runs_nothing(finish, word):
    """When the token limit or a filter ended the answer, every call carries an error, complete or not."""
    calls = fmt.parse_calls(
        response([tool_call("a", "f", '{"x": 1}'), tool_call("b", "g", '{"y": ')], finish)
    )
    assert all(word in call.error for call in calls)
    assert calls[0].arguments == {"x": 1}


def test_truncation_is_seen_in_the_text_whatever_the_finish_reason_says():
    """Routers rewrite the finish reason; cut-off arguments are an error all the same."""
    calls = fmt.parse_calls(response([tool_call("a", "f", '{"path": "/etc/pass')], "tool_calls"))
    assert "ends too early" in calls[0].error


def test_ids_are_made_up_where_they_are_missing_or_repeated():
    """Every call has an id of its own, so that results cannot collide."""
    calls = fmt.parse_calls([tool_call(i, "f", "{}") for i in (None, "", "same", "same", 7)])
    assert len({call.id for call in calls}) == 5
    assert [is_synthetic(call.id) for call in calls] == [True, True, False, True, False]


def test_fields_that_a_server_added_go_back_to_it():
    """What a compatible server hangs on a call (Gemini's thought signature) is sent back with it, to it alone."""
    extra = {"extra_content": {"google": {"thought_signature": "abc"}}}
    calls = fmt.parse_calls([{**tool_call("a", "f", "{}"), **extra}])
    assert fmt.assistant_message(calls)["tool_calls"][0]["extra_content"] == extra["extra_content"]
    foreign = ToolCall("a", "f", {}, metadata={"format": "gemini", "fields": {"thoughtSignature": "x"}})
    assert "thoughtSignature" not in fmt.assistant_message([foreign])["tool_calls"][0]


def test_nulls_that_strict_mode_asked_for_are_dropped():
    """With the definitions at hand, an optional parameter that came as null counts as left out."""
    sent = [tool_call("a", "get_current_weather", '{"location": "Paris", "unit": null}')]
    assert fmt.parse_calls(sent, [WEATHER])[0].arguments == {"location": "Paris"}
    assert fmt.parse_calls(sent)[0].arguments == {"location": "Paris", "unit": None}


@pytest.mark.parametrize("message", [5, None, "no json", "5", {}, {"error": {"message": "quota"}}, {"usage": {}},
                                     {"role": "assistant", "tool_calls": "f"}, {"choices": "x"}])  # fmt: skip
def test_what_is_no_message_is_refused(message):
    """Something else than a message is a typed error that says what was expected or what the provider said."""
    with pytest.raises(MessageFormatError, match=r"Expected|not JSON|quota"):
        fmt.parse_calls(message)


def test_messages_without_calls_have_none():
    """Plain answers, empty lists and answers without choices give no calls."""
    for message in (
        {"role": "assistant", "content": "hi"},
        response([]),
        response(None),
        {"choices": []},
        [],
    ):
        assert fmt.parse_calls(message) == []


@pytest.mark.parametrize(("finish", "calls", "expected"), [
    ("stop", [], "stop"), ("stop", [tool_call("a", "f", "")], "tool_calls"), ("length", [tool_call("a", "f", "")], "length"),
    ("content_filter", [], "refusal"), (None, [tool_call("a", "f", "")], "tool_calls"), ("eos", [], "stop"), ("new", [], ""),
])  # fmt: skip
def test_stop_reasons_have_one_vocabulary(finish, calls, expected):
    """The reason is told in the words that all formats share."""
    assert fmt.stop_reason(response(calls, finish)) == expected


def test_history_conforms_and_broken_arguments_become_an_empty_object():
    """Assistant and tool messages are valid by the SDK's types; a broken call cannot poison later requests."""
    assistant = fmt.assistant_message(CALLS, "on it")
    check(ChatCompletionAssistantMessageParam, assistant)
    assert [c["function"]["arguments"] for c in assistant["tool_calls"]] == [
        '{"location": "Paris"}',
        '{"n": 5}',
        "{}",
    ]
    results = fmt.format_results(RESULTS)
    check(list[ChatCompletionMessageParam], [assistant, *results])
    assert results[0] == {"role": "tool", "tool_call_id": "call_1", "content": '{"temp":21}'}
    check(ChatCompletionAssistantMessageParam, fmt.assistant_message([], "hello"))
    assert "tool_calls" not in fmt.assistant_message([], "hello")


def test_a_stream_in_the_documented_form():
    """Interleaved pieces of two calls are put together by index, and events tell what happened."""
    parser = fmt.StreamParser([DOTTED])
    events = []
    for part in (
        chunk({"role": "assistant", "content": None}),
        pieces(piece(0, "a", "math-dot-factorial", "")),
        pieces(piece(0, arguments='{"n"')),
        pieces(piece(1, "b", "ping", "")),
        pieces(piece(1, arguments="{}"), piece(0, arguments=": 5}")),
        chunk(finish="tool_calls"),
        {**chunk(), "choices": [], "usage": {"prompt_tokens": 4, "completion_tokens": 5, "total_tokens": 9}},
    ):
        events += parser.feed(ChatCompletionChunk.model_validate(part))
    assert [(e.kind, e.position, e.delta) for e in events] == [
        ("started", 0, ""), ("arguments", 0, '{"n"'), ("started", 1, ""), ("arguments", 1, "{}"),
        ("arguments", 0, ": 5}"), ("finished", 0, ""), ("finished", 1, ""),
    ]  # fmt: skip
    assert [events[i].arguments_text for i in (1, 4)] == ['{"n"', '{"n": 5}']
    assert events[0].name == "math.factorial"
    assert events[5].call == ToolCall("a", "math.factorial", {"n": 5}, raw_arguments='{"n": 5}')
    assert parser.stop_reason == "tool_calls"
    assert parser.finish() == parser.calls == [events[5].call, events[6].call]


ONE = {"name": "f", "arguments": {"x": 1}}
TWO = {"name": "g", "arguments": {"y": 2}}


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        pytest.param([piece(None, "a", "f", '{"x"'), piece(None, arguments=":1}")], [ONE], id="no index"),
        pytest.param(
            [piece(0, "a", "f", '{"x":1}'), piece(0, "b", "g", '{"y"'), piece(0, arguments=":2}")],
            [ONE, TWO], id="all indexes 0",
        ),
        pytest.param(
            [piece(0, "a", "f"), piece(1, "b", "g"), piece(5, "a", arguments='{"x":1}'), piece(7, "b", arguments='{"y":2}')],
            [ONE, TWO], id="id wins over a wrong index",
        ),
        pytest.param(
            [piece(0, "a", "f", '{"x"'), piece(3, arguments=":1}")], [ONE], id="unknown index goes to the current call"
        ),
        pytest.param(
            [piece(0, None, "f", '{"x":1}'), piece(0, None, "g", '{"y":2}')], [ONE, TWO], id="no ids, one index"
        ),
        pytest.param(
            [piece(0, None, "f", '{"x":1}'), piece(0, None, "f", '{"x":1}')], [ONE, ONE], id="same call twice without ids"
        ),
        pytest.param(
            [piece(0, "a", "f", '{"x"'), piece(0, "a", "f", ":1}")], [ONE], id="id and name in every piece"
        ),
        pytest.param(
            [piece(0, None, "f", '{"x"'), piece(0, None, "f", ":1}")], [ONE], id="name in every piece, no id"
        ),
        pytest.param(
            [piece(0, "a", "f", '{"x"'), piece(0, "z9", None, ":1}")], [ONE], id="a new id in every piece"
        ),
        pytest.param(
            [piece(0, None, "f", ""), piece(0, "a", None, '{"x":1}')], [ONE], id="the id comes later"
        ),
        pytest.param(
            [piece(0, "a", "f", ""), piece(0, arguments=""), piece(0), {"index": 0, "function": None},
             piece(0, arguments='{"x":1}')], [ONE], id="empty deltas",
        ),
        pytest.param([piece(0, "", "f", '{"x":1}'), piece(1, "", "g", '{"y":2}')], [ONE, TWO], id="empty ids"),
        pytest.param([piece(0, "a", "f", {"x": 1})], [ONE], id="arguments as an object"),
        pytest.param([piece(None, None, "f", '{"x":1}'), piece(None, None, "g", '{"y":2}')], [ONE, TWO], id="names only"),
    ],
)  # fmt: skip
def test_streams_of_careless_servers(entries, expected):
    """Pieces are routed by id, then index, then to the call being written."""
    calls = run_stream([*(pieces(entry) for entry in entries), chunk(finish="tool_calls")])
    assert plain_calls(calls) == expected
    assert len({call.id for call in calls}) == len(expected)
    assert not any(call.error for call in calls)


def test_a_stream_cut_by_the_token_limit_runs_nothing():
    """finish_reason "length" makes every call of the stream an error."""
    calls = run_stream(
        [pieces(piece(0, "a", "f", '{"x":1}')), pieces(piece(1, "b", "g", '{"y"')), chunk(finish="length")]
    )
    assert [("token limit" in call.error) for call in calls] == [True, True]


def test_a_stream_that_breaks_off_is_judged_by_its_text():
    """Without a finish reason, complete calls stand; incomplete and empty ones carry an error."""
    entries = [piece(0, "a", "f", '{"x":1}'), piece(1, "b", "g", '{"y"'), piece(2, "c", "h")]
    calls = run_stream([pieces(entry) for entry in entries])
    assert [bool(call.error) for call in calls] == [False, True, True]
    assert "broke off" in calls[2].error


def test_an_error_in_the_stream_stops_its_calls():
    """A server's error event means that nothing runs."""
    calls = run_stream([pieces(piece(0, "a", "f", "{}")), {"error": {"message": "overloaded"}}])
    assert "ended with an error" in calls[0].error


def test_raw_lines_of_a_stream_are_read():
    """Lines of server-sent events can be fed as they come."""
    lines = [": ping", "", f"data: {json.dumps(pieces(piece(0, 'a', 'f', '{}')))}", "event: x",
             f"data: {json.dumps(chunk(finish='stop'))}".encode(), "data: [DONE]"]  # fmt: skip
    assert plain_calls(run_stream(lines)) == [{"name": "f", "arguments": {}}]


def test_long_arguments_cost_no_more_than_their_length():
    """50,000 pieces are gathered in linear time."""
    parser = fmt.StreamParser()
    parser.feed(pieces(piece(0, "a", "f", '{"x":"')))
    entry = pieces(piece(0, arguments="abcd"))
    for _ in range(50_000):
        parser.feed(entry)
    parser.feed(pieces(piece(0, arguments='"}')))
    assert len(parser.finish()[0].arguments["x"]) == 200_000


def test_the_official_client_runs_a_whole_turn():
    """Tools out, calls in, results out through openai.OpenAI, as a plain answer and as a stream."""
    definitions = [WEATHER, DOTTED, BARE]
    with Loopback() as server:
        server.reply(response([tool_call("a", "get_current_weather", '{"location": "Paris"}')]))
        server.reply_sse([
            pieces(piece(0, "b", "math-dot-factorial", "")), pieces(piece(0, arguments='{"n":5}')), chunk(finish="tool_calls"),
        ], done=True)  # fmt: skip
        with openai.OpenAI(base_url=f"{server.url}/v1", api_key="k", max_retries=0) as client:
            messages = [{"role": "user", "content": "weather?"}]
            tools = fmt.export(definitions, strict=True)
            answer = client.chat.completions.create(model="m", messages=messages, tools=tools)
            calls = fmt.parse_calls(answer, definitions)
            messages += [fmt.assistant_message(calls), *fmt.format_results(RESULTS[:1])]
            parser = fmt.StreamParser(definitions)
            for part in client.chat.completions.create(
                model="m", messages=messages, tools=tools, stream=True
            ):
                parser.feed(part)
        assert plain_calls(calls) == [{"name": "get_current_weather", "arguments": {"location": "Paris"}}]
        assert plain_calls(parser.finish()) == [{"name": "math.factorial", "arguments": {"n": 5}}]
        assert server.requests[0].body["tools"] == tools
        assert [message["role"] for message in server.requests[1].body["messages"]] == [
            "user",
            "assistant",
            "tool",
        ]
