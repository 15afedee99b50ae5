"""OpenAI Responses: shapes against the SDK's types, exchanges with the official client."""

import openai
import pytest
from loopback import Loopback
from openai.types.responses import FunctionToolParam, ResponseFunctionToolCallParam, ResponseInputItemParam
from openai.types.responses.response_input_item_param import FunctionCallOutput
from sdk_types import check
from tool_samples import ALL, CALLS, DOTTED, RESULTS, WEATHER, plain_calls

from ai_tools.formats import openai_responses as fmt
from ai_tools.formats.plain import MessageFormatError
from ai_tools.types import ToolCall


def item(call_id="call_1", name="math-dot-factorial", arguments='{"n": 5}', **more):
    return {
        "type": "function_call", "id": f"fc_{call_id}", "call_id": call_id, "name": name, "arguments": arguments,
        "status": "completed", **more,
    }  # fmt: skip


def response(output, status="completed", **more):
    return {
        "id": "resp_1", "object": "response", "created_at": 1, "model": "m", "output": output, "status": status,
        "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None, "incomplete_details": None,
        "instructions": None, "metadata": {}, "temperature": 1, "top_p": 1, **more,
    }  # fmt: skip


def run_stream(events):
    parser = fmt.StreamParser([DOTTED])
    for event in events:
        parser.feed(event)
    return parser.finish()


@pytest.mark.parametrize("strict", [False, True])
def test_exported_tools_conform(strict):
    """Tools are flat and carry strict, by the SDK's types."""
    tools = fmt.export(ALL, strict=strict)
    check(list[FunctionToolParam], tools)
    assert tools[1]["name"] == "math-dot-factorial"
    assert tools[0]["strict"] is strict
    assert tools[4]["strict"] is False


def test_calls_of_a_response():
    """Function calls are found among reasoning, messages and server tools, names mapped back."""
    output = [
        {"type": "reasoning", "id": "r", "summary": []},
        item(),
        {"type": "message", "content": []},
        item("call_2", "ping", ""),
    ]
    calls = fmt.parse_calls(response(output))
    assert calls[0] == ToolCall("call_1", "math.factorial", {"n": 5}, raw_arguments='{"n": 5}')
    assert (calls[1].id, calls[1].arguments) == ("call_2", {})
    assert fmt.parse_calls(output) == calls
    assert fmt.parse_calls(item()) == calls[:1]
    assert fmt.stop_reason(response(output)) == "tool_calls"
    assert fmt.stop_reason(response([])) == "stop"


@pytest.mark.parametrize(("details", "word", "reason"), [
    ({"reason": "max_output_tokens"}, "token limit", "length"), ({"reason": "content_filter"}, "filter", "refusal"),
    (None, "error", "error"),
])  # fmt: skip
def test_an_incomplete_response_runs_nothing(details, word, reason):
    """A response that was cut off makes all its calls errors."""
    answer = response([item()], "incomplete", incomplete_details=details)
    assert word in fmt.parse_calls(answer)[0].error
    assert fmt.stop_reason(answer) == reason


def test_an_incomplete_item_and_free_text_do_not_run():
    """An item that is not complete, or that carries free text, has an error."""
    assert "cut off" in fmt.parse_calls([item(status="incomplete")])[0].error
    custom = {"type": "custom_tool_call", "call_id": "c", "name": "shell", "input": "ls"}
    assert "free text" in fmt.parse_calls([custom])[0].error


@pytest.mark.parametrize("message", [{}, 7, {"error": {"message": "quota"}}, [5]])
def test_what_is_no_response_is_refused(message):
    """Something else is a typed error."""
    with pytest.raises(MessageFormatError):
        fmt.parse_calls(message)


def test_history_items_conform():
    """Calls and outputs are valid input items; a program's caller is repeated; broken arguments become {}."""
    program = fmt.parse_calls(
        [item("call_1", "get_current_weather", "{}", caller={"type": "program", "caller_id": "p"})]
    )
    calls = [*program, *CALLS[1:]]
    items = fmt.assistant_message(calls, "on it")
    check(list[ResponseFunctionToolCallParam], items[1:])
    assert items[1]["caller"] == {"type": "program", "caller_id": "p"}
    assert "id" not in items[1]
    assert items[3]["arguments"] == "{}"
    outputs = fmt.format_results(RESULTS, calls)
    check(list[FunctionCallOutput], outputs)
    check(list[ResponseInputItemParam], [*items, *outputs])
    assert [output.get("caller") for output in outputs] == [{"type": "program", "caller_id": "p"}, None, None]


def stream_events(end="response.completed", **more):
    added = {"type": "response.output_item.added", "output_index": 1, "sequence_number": 1}
    delta = {
        "type": "response.function_call_arguments.delta",
        "item_id": "fc_call_1",
        "output_index": 1,
        "sequence_number": 2,
    }
    return [
        {"type": "response.created", "sequence_number": 0, "response": response([], "in_progress")},
        {**added, "item": item(arguments="", status="in_progress")},
        {**delta, "delta": '{"n"'},
        {**delta, "delta": ""},
        {**delta, "delta": ": 5}"},
        {"type": "response.function_call_arguments.done", "item_id": "fc_call_1", "output_index": 1, "sequence_number": 5,
         "name": "math-dot-factorial", "arguments": '{"n": 5}'},
        {"type": "response.output_item.done", "output_index": 1, "sequence_number": 6, "item": item()},
        {"type": end, "sequence_number": 7, "response": response([item()], end.split(".")[1], **more)},
    ]  # fmt: skip


def test_a_stream_in_the_documented_form():
    """Deltas are gathered by item; the call is finished when the response is."""
    parser = fmt.StreamParser()
    kinds = [[(e.kind, e.delta) for e in parser.feed(event)] for event in stream_events()]
    assert kinds == [
        [], [("started", "")], [("arguments", '{"n"')], [], [("arguments", ": 5}")], [], [], [("finished", "")],
    ]  # fmt: skip
    assert parser.finish() == [ToolCall("call_1", "math.factorial", {"n": 5}, raw_arguments='{"n": 5}')]


@pytest.mark.parametrize("keep", [(1, 5, 7), (1, 6, 7), (6, 7), (7,), (1, 2, 6, 7), (2, 4, 6, 7)])
def test_streams_that_leave_events_out(keep):
    """Arguments are complete whether deltas, done events, items or only the final response bring them."""
    events = stream_events()
    calls = run_stream([events[i] for i in keep])
    assert [call.arguments for call in calls] == [{"n": 5}]


@pytest.mark.parametrize(("end", "more"), [
    ("response.incomplete", {"incomplete_details": {"reason": "max_output_tokens"}}), ("response.failed", {}),
])  # fmt: skip
def test_a_stream_that_ends_badly_runs_nothing(end, more):
    """An incomplete or failed response makes its calls errors, as does a connection that breaks."""
    assert run_stream(stream_events(end, **more))[0].error
    assert run_stream([*stream_events()[:3], {"type": "error", "message": "x"}])[0].error
    assert run_stream(stream_events()[:3])[0].error


def test_the_official_client_runs_a_whole_turn():
    """Tools out, calls in, results out through openai.OpenAI, plain and streamed."""
    definitions = [WEATHER, DOTTED]
    with Loopback() as server:
        server.reply(response([item()]))
        server.reply_sse(stream_events(), named=True)
        with openai.OpenAI(base_url=f"{server.url}/v1", api_key="k", max_retries=0) as client:
            tools = fmt.export(definitions, strict=True)
            answer = client.responses.create(model="m", input="5!", tools=tools)
            calls = fmt.parse_calls(answer, definitions)
            history = [
                {"role": "user", "content": "5!"},
                *fmt.assistant_message(calls),
                *fmt.format_results(RESULTS[1:2], calls),
            ]
            parser = fmt.StreamParser(definitions)
            for event in client.responses.create(model="m", input=history, tools=tools, stream=True):
                parser.feed(event)
        assert (
            plain_calls(calls)
            == plain_calls(parser.finish())
            == [{"name": "math.factorial", "arguments": {"n": 5}}]
        )
        assert server.requests[0].body["tools"] == tools
        assert server.requests[1].body["input"][1]["type"] == "function_call"
