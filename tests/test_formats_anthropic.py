"""Anthropic Messages: shapes against the SDK's types, exchanges with the official client."""

import anthropic
import pytest
from anthropic.types import Message, MessageParam, ToolParam, ToolUseBlockParam
from loopback import Loopback
from sdk_types import check
from tool_samples import ALL, CALLS, CHOICE, DOTTED, RECURSIVE, REFERRING, RESULTS, WEATHER, plain_calls

from ai_tools.formats import anthropic as fmt
from ai_tools.formats.plain import MessageFormatError
from ai_tools.types import ToolCall, ToolDefinition, ToolResult


def use(call_id="toolu_1", name="math-dot-factorial", arguments=None, **more):
    return {
        "type": "tool_use",
        "id": call_id,
        "name": name,
        "input": {"n": 5} if arguments is None else arguments,
        **more,
    }


def message(content, stop="tool_use"):
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content, "stop_reason": stop,
        "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip


def run_stream(events, definitions=None):
    parser = fmt.StreamParser(definitions)
    for event in events:
        parser.feed(event)
    return parser.finish()


@pytest.mark.parametrize("strict", [False, True])
def test_exported_tools_conform(strict):
    """Tools have name, description and input_schema by the SDK's types; the root is a plain object."""
    tools = fmt.export(ALL, strict=strict)
    check(list[ToolParam], tools)
    assert all(tool["input_schema"]["type"] == "object" for tool in tools)
    assert not any({"anyOf", "oneOf", "allOf"} & tool["input_schema"].keys() for tool in tools)
    assert tools[1]["name"] == "math-dot-factorial"


def test_references_are_inlined_unless_recursive():
    """A recursive schema is sent as it is; any other has no references left."""
    plain, recursive = fmt.export([REFERRING, RECURSIVE])
    assert "$defs" not in plain["input_schema"]
    assert recursive["input_schema"] is RECURSIVE.parameters
    assert fmt.export([CHOICE])[0]["input_schema"]["properties"].keys() == {"limit", "id", "mail"}


def test_strict_stays_within_the_limits_of_a_request():
    """At most 20 strict tools with 24 optional parameters together; the rest is sent without strict mode."""
    many = [ToolDefinition(f"t{i}", "", DOTTED.parameters, strict=True) for i in range(25)]
    assert [tool.get("strict") for tool in fmt.export(many)] == [True] * 20 + [None] * 5
    optional = {"type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(20)}}
    tools = fmt.export(
        [ToolDefinition("a", "", optional), ToolDefinition("b", "", optional), WEATHER], strict=True
    )
    assert [tool.get("strict") for tool in tools] == [True, None, True]
    assert tools[1]["input_schema"] is optional


@pytest.mark.parametrize("wrap", [
    lambda m: m, Message.model_validate, lambda m: m["content"], lambda m: Message.model_validate(m).content,
    lambda m: {"role": "assistant", "content": m["content"]},
])  # fmt: skip
def test_calls_of_every_form_of_an_answer(wrap):
    """Tool uses are found among text, thinking and server tools, in dicts and SDK objects."""
    content = [
        {"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "ok"}, use(),
        {"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {}}, use("toolu_2", "ping", {}),
    ]  # fmt: skip
    calls = fmt.parse_calls(wrap(message(content)))
    assert calls == [ToolCall("toolu_1", "math.factorial", {"n": 5}), ToolCall("toolu_2", "ping", {})]


def test_one_block_and_plain_text():
    """A single block is understood; a message of plain text has no calls."""
    assert fmt.parse_calls(use())[0].name == "math.factorial"
    assert fmt.parse_calls({"role": "assistant", "content": "hi"}) == []


@pytest.mark.parametrize(("stop", "word", "reason"), [
    ("max_tokens", "token limit", "length"), ("refusal", "refusal", "refusal"),
    ("model_context_window_exceeded", "token limit", "length"),
])  # fmt: skip
def test_an_answer_that_was_cut_off_runs_nothing(stop, word, reason):
    """Tool uses of an answer that ended by limit or refusal carry an error."""
    answer = message([use()], stop)
    assert word in fmt.parse_calls(answer)[0].error
    assert fmt.stop_reason(answer) == reason


def test_a_paused_turn_has_no_calls_yet():
    """pause_turn means: send the answer back unchanged; nothing is to be run."""
    answer = message([use()], "pause_turn")
    assert fmt.parse_calls(answer) == []
    assert fmt.stop_reason(answer) == "pause"
    assert run_stream(stream_events("pause_turn")) == []


def test_input_that_is_text_or_no_object():
    """Input as JSON text is parsed; anything but an object is an error of the call."""
    good, bad = fmt.parse_calls([use(arguments='{"n": 1}'), use("b", arguments=[1])])
    assert good.arguments == {"n": 1}
    assert "not an array" in bad.error


@pytest.mark.parametrize(
    "wrong", [{}, 5, {"type": "error", "error": {"message": "overloaded"}}, ["x"], {"content": 5}]
)
def test_what_is_no_message_is_refused(wrong):
    """Something else is a typed error."""
    with pytest.raises(MessageFormatError):
        fmt.parse_calls(wrong)


def test_history_conforms():
    """Results come first in one user message, errors are marked, callers go back, broken input becomes {}."""
    calls = [
        *CALLS,
        *fmt.parse_calls([use("toolu_9", caller={"type": "code_execution_20260120", "tool_id": "srv"})]),
    ]
    assistant = fmt.assistant_message(calls, "on it")
    check(MessageParam, assistant)
    check(list[ToolUseBlockParam], assistant["content"][1:])
    assert [block["input"] for block in assistant["content"][1:4]] == [{"location": "Paris"}, {"n": 5}, {}]
    assert assistant["content"][4]["caller"]["tool_id"] == "srv"
    (user,) = fmt.format_results(RESULTS)
    check(MessageParam, user)
    assert [block["type"] for block in user["content"]] == ["tool_result"] * 3
    assert [block.get("is_error") for block in user["content"]] == [None, None, True]
    assert fmt.format_results([]) == []


def test_ids_of_other_providers_become_acceptable_and_still_match():
    """A history that began elsewhere has ids that Anthropic refuses; call and result are mapped alike."""
    used = fmt.assistant_message([ToolCall("functions.f:0", "f", {})])["content"][0]["id"]
    answer = ToolResult(1, "1", call_id="functions.f:0", name="f")
    assert used == fmt.format_results([answer])[0]["content"][0]["tool_use_id"]
    assert used == "functions-dot-f-colon-0"


def stream_events(stop="tool_use"):
    return [
        {"type": "message_start", "message": message([], None)},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "ok"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": use(arguments={})},
        {"type": "ping"},
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": ""},
        },
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": '{"n"'},
        },
        {
            "type": "content_block_delta",
            "index": 1,
            "delta": {"type": "input_json_delta", "partial_json": ": 5}"},
        },
        {"type": "content_block_stop", "index": 1},
        {
            "type": "message_delta",
            "delta": {"stop_reason": stop, "stop_sequence": None},
            "usage": {"output_tokens": 9},
        },
        {"type": "message_stop"},
    ]


def test_a_stream_in_the_documented_form():
    """A call is finished only when the reason for the end is known."""
    parser = fmt.StreamParser()
    kinds = [[e.kind for e in parser.feed(event)] for event in stream_events()]
    assert [k for k in kinds if k] == [["started"], ["arguments"], ["arguments"], ["finished"]]
    assert kinds.index(["finished"]) == 10
    assert parser.finish() == [ToolCall("toolu_1", "math.factorial", {"n": 5}, raw_arguments='{"n": 5}')]


def test_a_stream_that_is_cut_off_runs_nothing():
    """Limit, refusal, error event and broken connection all leave calls with errors."""
    assert "token limit" in run_stream(stream_events("max_tokens"))[0].error
    assert "refusal" in run_stream(stream_events("refusal"))[0].error
    assert (
        "error"
        in run_stream([*stream_events()[:8], {"type": "error", "error": {"type": "overloaded_error"}}])[
            0
        ].error
    )
    assert "too early" in run_stream(stream_events()[:8])[0].error
    assert "broke off" in run_stream(stream_events()[:5])[0].error


def test_a_gateway_may_send_the_input_at_once():
    """Input in the opening event counts where no deltas follow."""
    events = [{"type": "content_block_start", "index": 0, "content_block": use()}, stream_events()[-2]]
    assert run_stream(events)[0].arguments == {"n": 5}


def test_the_official_client_runs_a_whole_turn():
    """Tools out, calls in, results out through anthropic.Anthropic, plain and streamed."""
    definitions = [WEATHER, DOTTED]
    with Loopback() as server:
        server.reply(message([use()]))
        server.reply_sse(stream_events(), named=True)
        with anthropic.Anthropic(base_url=server.url, api_key="k", max_retries=0) as client:
            tools = fmt.export(definitions, strict=True)
            history = [{"role": "user", "content": "5!"}]
            answer = client.messages.create(model="m", max_tokens=99, messages=history, tools=tools)
            calls = fmt.parse_calls(answer, definitions)
            history += [fmt.assistant_message(calls), *fmt.format_results(RESULTS[1:2])]
            parser = fmt.StreamParser(definitions)
            with client.messages.stream(model="m", max_tokens=99, messages=history, tools=tools) as stream:
                for event in stream:
                    parser.feed(event)
        assert (
            plain_calls(calls)
            == plain_calls(parser.finish())
            == [{"name": "math.factorial", "arguments": {"n": 5}}]
        )
        assert server.requests[0].body["tools"] == tools
        assert server.requests[1].body["messages"][2]["content"][0]["type"] == "tool_result"
