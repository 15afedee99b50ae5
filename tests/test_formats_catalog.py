"""The formats by name, and what holds for all of them."""

import subprocess
import sys

import pytest
from tool_samples import ALL, BARE, REAL, plain_calls, real_definitions

from ai_tools.formats import catalog
from ai_tools.formats.plain import MessageFormatError
from ai_tools.registry import ToolRegistry
from ai_tools.types import ToolCall, ToolDefinition, ToolResult


@pytest.mark.scenario("C11")
@pytest.mark.parametrize("name", ["cohere", "", "os", "calls", "openai.x", None, 5])
def test_an_unknown_provider_is_an_error_that_lists_the_known(name):
    """The error says that the provider is not supported, and which are; no other module can be reached."""
    with pytest.raises(catalog.UnknownProviderError, match="is not supported") as caught:
        catalog.get(name)
    for known in ("openai", "openai_responses", "anthropic", "gemini", "ollama", "backboard", "mcp"):
        assert known in str(caught.value)
        assert known in caught.value.known


def test_names_are_forgiving():
    """Case and dashes do not matter; MCP is a format, but no conversation."""
    assert catalog.get("OpenAI-Responses") is catalog.get("openai_responses")
    with pytest.raises(catalog.UnknownProviderError):
        catalog.get_chat("mcp")


@pytest.mark.parametrize("name", catalog.FORMATS)
def test_a_format_offers_what_the_protocol_says(name):
    """Every format has the functions of the protocol, and imports no other format and no SDK."""
    module = catalog.get(name)
    wanted = {"RULES", "export", "parse_calls", "format_results"}
    if name in catalog.CHAT_FORMATS:
        wanted |= {"StreamParser", "assistant_message", "stop_reason"}
    assert wanted <= vars(module).keys()
    code = f"import sys\nfrom ai_tools.formats import catalog\ncatalog.get({name!r})\nprint(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    ).stdout.split()
    others = {f"ai_tools.formats.{other}" for other in catalog.FORMATS} - {f"ai_tools.formats.{name}"}
    assert not others & set(loaded)
    assert not {"openai", "anthropic", "google.genai", "ollama", "mcp", "pydantic", "jsonschema"} & set(
        loaded
    )


@pytest.mark.parametrize("name", catalog.FORMATS)
@pytest.mark.parametrize("strict", [False, True])
def test_every_real_definition_is_exported(name, strict):
    """All 423 real tools are exported in order, under distinct names that the provider accepts."""
    module = catalog.get(name)
    exported = module.export(real_definitions(), strict=strict)
    if name == "gemini":
        exported = exported[0]["functionDeclarations"]
    names = [tool.get("function", tool)["name"] for tool in exported]
    assert len(set(names)) == 423
    assert all(module.RULES.names.accepts(wire) for wire in names)
    assert [module.RULES.names.decode(wire) for wire in names] == [d.name for d in real_definitions()]


@pytest.mark.parametrize("name", catalog.CHAT_FORMATS)
def test_every_real_call_survives_the_round_trip(name):
    """The 940 real calls, written as this provider's message and read back, are the same calls."""
    module, openai = catalog.get_chat(name), catalog.get("openai")
    definitions = {definition.name: definition for definition in real_definitions()}
    count = 0
    for case in REAL:
        calls = openai.parse_calls(case["message"])
        assert plain_calls(calls) == case["calls"]
        message = module.assistant_message(calls)
        for known in (None, definitions):
            again = module.parse_calls(message, known)
            assert plain_calls(again) == case["calls"]
            assert not any(call.error for call in again)
            assert [call.id for call in again] == [call.id for call in calls]
        count += len(calls)
    assert count == 940


@pytest.mark.parametrize("name", catalog.CHAT_FORMATS)
def test_ids_of_calls_and_results_match(name):
    """An id that was made up for a call is the one that its result answers, or is sent with neither."""
    module = catalog.get_chat(name)
    openai = catalog.get("openai")
    calls = openai.parse_calls([{"type": "function", "function": {"name": "ping", "arguments": "{}"}}] * 2)
    results = [ToolResult(None, "pong", call_id=call.id, name=call.name) for call in calls]
    sent, answered = str(module.assistant_message(calls)), str(module.format_results(results, calls))
    for call in calls:
        assert (call.id in sent) == (call.id in answered) == (name not in ("gemini", "ollama"))


@pytest.mark.parametrize("name", catalog.FORMATS)
def test_exports_share_schemas_and_change_nothing(name):
    """Exporting leaves the definitions as they were, and gives the same result again."""
    before = [repr(definition) for definition in ALL]
    first, second = (catalog.get(name).export(ALL, strict=True) for _ in range(2))
    assert first == second
    assert [repr(definition) for definition in ALL] == before


@pytest.mark.parametrize("name", catalog.FORMATS)
def test_two_tools_of_one_name_are_refused(name):
    """Providers refuse a request with two tools of one name; so does the export, and it says which."""
    with pytest.raises(ValueError, match="'ping' and 'ping' would both be sent as 'ping'"):
        catalog.get(name).export([BARE, BARE])


@pytest.mark.parametrize("name", catalog.CHAT_FORMATS)
def test_long_names_come_back_with_the_definitions(name):
    """A name over every provider's limit is found again among the offered tools."""
    module = catalog.get_chat(name)
    long = ToolDefinition("server." + "x" * 150, "long")
    (call,) = catalog.get("openai").parse_calls(
        [{"id": "a", "function": {"name": long.name, "arguments": "{}"}}]
    )
    message = module.assistant_message([call])
    assert module.parse_calls(message, [BARE, long])[0].name == long.name


@pytest.mark.parametrize("name", catalog.CHAT_FORMATS)
def test_a_turn_through_the_registry(name):
    """Definitions, calls and results of a registry go out and come in; a broken call is answered, not run."""
    ran = []
    registry = ToolRegistry()
    registry.add("math.factorial", "n!", ALL[1].parameters, lambda args: ran.append(args["n"]) or 120)
    registry.add("ping", "Ping", None, lambda _args: ran.append("ping") or "pong")
    module = catalog.get_chat(name)
    tools = registry.cached(name, module.export)
    assert tools is registry.cached(name, module.export)
    good, broken = ToolCall("a", "math.factorial", {"n": 5}), ToolCall("b", "ping", {})
    message = module.assistant_message([good, broken])
    calls = module.parse_calls(message, registry.definitions())
    calls[1] = module.parse_calls(module.assistant_message([broken]))[0]
    calls[1].error = "the text ends too early"
    results = registry.call_all(calls)
    assert [result.is_error for result in results] == [False, True]
    assert ran == [5]
    sent = str(module.format_results(results, calls))
    assert "120" in sent
    assert "ends too early" in sent


def test_what_is_wrong_with_arguments_is_said_once():
    """The error of a call that could not be parsed reads as one sentence in its result."""
    registry = ToolRegistry()
    registry.add("ping", "Ping", None, lambda _args: "pong")
    (call,) = catalog.get("openai").parse_calls(
        [{"id": "a", "function": {"name": "ping", "arguments": '{"n'}}]
    )
    text = registry.call(call).text
    assert text.startswith("Invalid arguments for tool 'ping': the text is not valid JSON: it ends too early")
    assert text.count("Invalid arguments") == 1


_CALL = {"id": "a", "type": "function", "index": 0, "function": {"name": "f", "arguments": "{}"}}
_ITEM = {
    "type": "function_call",
    "id": "fc",
    "call_id": "a",
    "name": "f",
    "arguments": "{}",
    "status": "completed",
}
_USE = {"type": "tool_use", "id": "a", "name": "f", "input": {}}
_PART = {"functionCall": {"id": "a", "name": "f", "args": {}}, "thoughtSignature": "s"}
_MESSAGE = {"role": "assistant", "content": "", "tool_calls": [_CALL]}
_SAMPLES = {
    "anthropic": [
        {"type": "message", "role": "assistant", "content": [_USE], "stop_reason": "tool_use"},
        {"type": "content_block_start", "index": 0, "content_block": _USE},
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": "{}"},
        },
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}},
    ],
    "backboard": [
        {"messages": [{**_MESSAGE, "status": "REQUIRES_ACTION", "run_id": "r", "thread_id": "t"}]},
        {"type": "tool_submit_required", "run_id": "r", "thread_id": "t", "tool_calls": [_CALL]},
    ],
    "gemini": [{"candidates": [{"content": {"role": "model", "parts": [_PART]}, "finishReason": "STOP"}]}],
    "ollama": [{"message": _MESSAGE, "done": True, "done_reason": "stop"}],
    "openai": [
        {"choices": [{"index": 0, "message": _MESSAGE, "finish_reason": "tool_calls"}]},
        {"choices": [{"index": 0, "delta": _MESSAGE, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    ],
    "openai_responses": [
        {"output": [_ITEM], "status": "completed"},
        {"type": "response.output_item.added", "output_index": 0, "item": _ITEM},
        {"type": "response.function_call_arguments.delta", "item_id": "fc", "output_index": 0, "delta": "{"},
        {
            "type": "response.function_call_arguments.done",
            "item_id": "fc",
            "output_index": 0,
            "arguments": "{}",
        },
        {"type": "response.completed", "response": {"output": [_ITEM], "status": "completed"}},
    ],
}
_WRONG = [None, True, 5, 1.5, "", "x", [], {}, [1], ["x"], {"a": 1}, [[]], [None], float("nan")]


def spoiled(value):
    """Yield copies of a JSON value in which one part, at any depth, is something else."""
    yield from _WRONG
    for key, item in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        for other in spoiled(item):
            copy = value.copy()
            copy[key] = other
            yield copy


@pytest.mark.parametrize("name", catalog.CHAT_FORMATS)
def test_no_message_breaks_a_parser(name):
    """Whatever is wrong with one part of an answer, the calls carry ids and errors, or one typed error refuses it."""
    module = catalog.get_chat(name)
    samples = _SAMPLES[name]
    outcomes = [
        outcome
        for position, sample in enumerate(samples)
        for wrong in spoiled(sample)
        for outcome in (
            calls_or_none(module.parse_calls, wrong),
            calls_or_none(feed_all, module, [*samples[:position], wrong, *samples[position + 1 :]]),
        )
    ]
    understood = [calls for calls in outcomes if calls is not None]
    assert len(understood) > 100
    for calls in understood:
        module.assistant_message(calls)
        assert len({call.id for call in calls}) == len(calls)
        assert all(call.error or call.arguments is not None for call in calls)


def calls_or_none(read, *given):
    try:
        return read(*given)
    except MessageFormatError:
        return None


def feed_all(module, events):
    parser = module.StreamParser()
    for event in events:
        parser.feed(event)
    return parser.finish()
