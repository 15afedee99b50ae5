"""The one path of a call: whatever a model sends and a tool does, the outcome is a defined result."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import sys
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from ai_support import LOCATION, Echo, Greeter, cases, registry_of, weather

from ai_tools.errors import (
    ExecutionFailedError,
    InvalidArgumentsError,
    NotAvailableError,
    NotFoundError,
    PermissionDeniedError,
    SerializationError,
    ToolError,
)
from ai_tools.registry import ToolRegistry
from ai_tools.types import ExecutionContext, ToolCall, ToolContext


def with_schema(**properties):
    """Return a registry with one tool ``f`` whose handler records its arguments."""
    registry = ToolRegistry()
    seen = []
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    registry.add("f", "d", schema, lambda args: seen.append(args) or args)
    return registry, seen


@pytest.fixture(params=["call", "acall"])
def call(request):
    """Run each test through the synchronous and the asynchronous path."""
    if request.param == "call":
        return ToolRegistry.call
    return lambda registry, *args, **kw: asyncio.run(registry.acall(*args, **kw))


@pytest.mark.scenario("T02")
def test_sync_and_async_tools(call):
    """Coroutine functions are awaited and ordinary ones work in the same registry, called either way."""

    async def slow(args):
        await asyncio.sleep(0.001)
        return "slow"

    class AsyncTool(Echo):
        async def execute(self, args):
            await asyncio.sleep(0)
            return args["text"]

    registry = registry_of(slow, fine)
    registry.register(AsyncTool())
    assert call(registry, "slow").text == "slow"
    assert call(registry, "fine").text == "fine"
    assert call(registry, "echo", {"text": "hi"}).text == "hi"


def fine(_args):
    return "fine"


@pytest.mark.scenario("B04")
@pytest.mark.scenario("E11")
@pytest.mark.scenario("E16")
def test_success(call):
    """A valid call gives the tool's value and its JSON, compact; a string stays as it is."""
    registry = ToolRegistry([Greeter()])
    registry.add("weather", "d", LOCATION, weather)
    result = call(registry, "weather", '{"location": "Zürich"}')
    assert not result.is_error
    assert result.value == {"temp": 72, "condition": "sunny", "location": "Zürich"}
    assert result.text == '{"temp":72,"condition":"sunny","location":"Zürich"}'
    assert result.duration >= 0
    assert result.raise_for_error() is result
    assert registry.execute("greet", {"who": "Ann"}) == "Hello, Ann!"


@pytest.mark.scenario("E12")
@pytest.mark.scenario("B05")
def test_tool_raises(call):
    """A tool's exception becomes a typed error with its message; the exception is kept for the program."""

    def broken(args):
        raise ValueError("no such city")

    result = call(registry_of(broken), "broken")
    assert result.text == "Error executing broken: no such city"
    assert isinstance(result.error, ExecutionFailedError)
    assert isinstance(result.error.__cause__, ValueError)
    assert result.value is None
    with pytest.raises(ExecutionFailedError):
        result.raise_for_error()
    assert registry_of(broken).execute("broken") == "Error executing broken: no such city"


@pytest.mark.scenario("E13")
@pytest.mark.scenario("B09")
def test_unknown_tool(call):
    """A made-up name is answered with an error that names the nearest tool."""  # A: unknown tool; complaint 2
    result = call(registry_of(weather), "wether", "{}")
    assert isinstance(result.error, NotFoundError)
    assert result.text == "Tool 'wether' not found. Did you mean 'weather'?"


@pytest.mark.scenario("E10")
def test_disabled_tool(call):
    """A disabled tool is not run, and the text says that it is not available."""
    registry = registry_of(weather)
    registry.disable("weather")
    result = call(registry, "weather", "{}")
    assert isinstance(result.error, NotAvailableError)
    assert registry.execute("weather", {}) == "Tool 'weather' is not available."


@pytest.mark.scenario("T10")
@pytest.mark.scenario("B12")
def test_arguments_are_validated_first(call):
    """Arguments that break the schema never reach the tool; the error gives field and reason."""
    registry, seen = with_schema(city={"type": "string"}, days={"type": "integer", "minimum": 1})
    result = call(registry, "f", {"city": 5, "days": 0})
    assert isinstance(result.error, InvalidArgumentsError)
    assert (result.error.field, result.error.reason) == ("city", "must be a string, not 5")
    assert result.error.problems[1] == ("days", "must be at least 1, not 0")
    assert result.text == (
        "Invalid arguments for tool 'f': city: must be a string, not 5; days: must be at least 1, not 0"
    )
    assert seen == []


@pytest.mark.scenario("B11")
@pytest.mark.parametrize("parameters", [None, {}, []])
@pytest.mark.parametrize("args", [None, {}, "", "  ", "{}", "null"])
def test_no_parameters(parameters, args):
    """A tool without parameters runs with no arguments, however a provider writes those."""  # A: empty string
    registry = ToolRegistry()
    registry.add("now", "d", parameters, dict)
    assert registry.call("now", args).value == {}


# The awkward cases of the six libraries (facts A), each with the outcome that ours defines.


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ('{"n": ', "ends too early"),  # malformed JSON; complaint 14
        ("{'n': 1}", "Expecting property name enclosed in double quotes at character 1"),  # malformed JSON
        ('["a"]', "must be a JSON object, not an array"),  # arguments that are a list
        ('"n"', "must be a JSON object, not a string"),
        (["a"], "must be a JSON object, not an array"),
        (7, "must be a JSON object, not a number"),
        ('{"n": NaN}', "NaN is not a JSON number"),
        ('{"n": 1, "extra": 2}', "extra: is not a parameter; known are: n, unit, where"),  # extra argument
        ('{"unti": "m"}', "unti: is not a parameter; did you mean 'unit'?"),
        ('{"n": "7"}', 'n: must be an integer, not "7"'),  # "7" for int
        ('{"n": 7.5}', "n: must be an integer, not 7.5"),  # 7.5 for int
        ('{"n": true}', "n: must be an integer, not true"),
        ('{"unit": "mile"}', 'unit: must be one of "m", "km", not "mile"'),  # bad enum
        (
            '{"where": "{\\"lat\\": \\"x\\"}"}',
            'where.lat: must be a number, not "x"',
        ),  # nested JSON string, wrong
    ],
)
def test_awkward_arguments(call, args, message):
    """Wrong arguments of every kind are refused with what is wrong and what would be right."""
    registry, seen = with_schema(
        n={"type": "integer"},
        unit={"type": "string", "enum": ["m", "km"]},
        where={"type": "object", "properties": {"lat": {"type": "number"}}},
    )
    result = call(registry, "f", args)
    assert isinstance(result.error, InvalidArgumentsError)
    assert message in result.text
    assert result.error.is_recoverable
    assert seen == []


def test_nested_object_as_json_string(call):
    """An object that arrives as a JSON string is decoded where the schema wants one; strings stay strings."""
    # A: nested object as JSON string; complaint 15
    registry, seen = with_schema(
        where={"type": "object"}, tags={"type": ["array", "null"]}, text={"type": "string"}
    )
    args = {"where": '{"lat": 1.5}', "tags": '["a"]', "text": '{"lat": 1.5}'}
    assert not call(registry, "f", args).is_error
    assert seen == [{"where": {"lat": 1.5}, "tags": ["a"], "text": '{"lat": 1.5}'}]
    assert args["where"] == '{"lat": 1.5}', "the caller's arguments are not changed"


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("bad"), "bad"),  # A: tool raises ValueError; complaint 3
        (SystemExit(3), "the tool tried to exit the program (status 3)"),  # A: tool raises SystemExit
        (KeyboardInterrupt(), "the tool raised KeyboardInterrupt"),
        (KeyError("x"), "KeyError: 'x'"),
        (RuntimeError(), "RuntimeError"),
        (AssertionError("x > 0"), "AssertionError: x > 0"),
        (MemoryError(), "out of memory"),
        (GeneratorExit(), "GeneratorExit"),
        (BaseExceptionGroup("two", [ValueError("a"), SystemExit(1)]), "two (2 sub-exceptions)"),
        (TimeoutError("socket"), "socket"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)
def test_nothing_escapes(call, error, text):
    """Whatever a tool raises, ordinary or asynchronous, becomes an error result."""

    def broken(args):
        raise error

    async def abroken(args):
        raise error

    assert call(registry_of(broken), "broken").text == f"Error executing broken: {text}"
    assert call(registry_of(abroken), "abroken").text == f"Error executing abroken: {text}"


def test_stop_iteration(call):
    """StopIteration, which Python treats specially in coroutines, is an error like the others."""

    def broken(args):
        raise StopIteration(3)

    assert "StopIteration" in call(registry_of(broken), "broken").text


def test_endless_recursion(call):
    """A tool that recurses without end fails by itself."""

    def endless(args):
        return endless(args)

    assert "maximum recursion depth exceeded" in call(registry_of(endless), "endless").text


def test_permission_error(call):
    """A builtin PermissionError is typed, and not worth another try."""

    def guarded(args):
        raise PermissionError("not your file")

    result = call(registry_of(guarded), "guarded")
    assert isinstance(result.error, PermissionDeniedError)
    assert not result.error.is_recoverable
    assert result.text == "Error executing guarded: not your file"


def test_tool_raises_typed_error(call):
    """A typed error that a tool raises itself stands as it is and learns the tool's name."""

    def picky(args):
        raise ToolError("come back tomorrow")

    error = call(registry_of(picky), "picky").error
    assert str(error) == "come back tomorrow"
    assert error.tool_name == "picky"


def test_error_of_an_inner_tool(call):
    """A typed error that comes from another tool keeps that tool's name; the result has the called one's."""
    registry = ToolRegistry([Echo()])

    def outer(args):
        return registry.call("echo", {}).raise_for_error()

    registry.add("outer", "d", None, outer)
    result = call(registry, "outer")
    assert (result.name, result.error.tool_name) == ("outer", "echo")


def test_broken_str(call):
    """An exception whose own text fails is named by its class."""

    class Nasty(Exception):
        def __str__(self):
            raise RuntimeError("no text")

    def broken(args):
        raise Nasty

    assert call(registry_of(broken), "broken").text == "Error executing broken: Nasty"


def test_own_message(call):
    """An exception may bring the message for the model in ``__tool_message__``."""

    class GeneError(Exception):
        def __tool_message__(self):
            return "line 3: no such key"

    def broken(args):
        raise GeneError("internal")

    assert call(registry_of(broken), "broken").text == "Error executing broken: line 3: no such key"


def test_huge_message_is_cut(call):
    """An exception with a message of megabytes does not flood the model."""

    def broken(args):
        raise ValueError("x" * 5_000_000)

    assert len(call(registry_of(broken), "broken").text) < 5_000


@pytest.mark.scenario("B06")
@pytest.mark.parametrize(
    ("value", "message"),
    [
        (object(), "Error executing f: the result is an object, which has no JSON form"),  # A: opaque object
        ({"a": [1, object()]}, "Error executing f: the result at a[1] is an object, which has no JSON form"),
        (socket, "Error executing f: the result is a module, which has no JSON form"),
    ],
)
def test_result_without_json_form(call, value, message):
    """A result that JSON cannot hold is a structured error with the place, and nothing stops."""
    registry = ToolRegistry()
    registry.add("f", "d", None, lambda args: value)
    result = call(registry, "f")
    assert isinstance(result.error, SerializationError)
    assert result.text == message


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (datetime(2026, 11, 21, 12, tzinfo=UTC), "2026-11-21T12:00:00+00:00"),  # A: datetime; complaint 16
        (Decimal("1.50"), "1.50"),  # A: Decimal
        (float("nan"), "NaN"),  # A: NaN
        ({"x": float("-inf")}, '{"x":"-Infinity"}'),
        (b"\x00\xff", "AP8="),  # A: bytes
        (None, "null"),
        (True, "true"),
    ],
)
def test_awkward_results(call, value, text):
    """Results of awkward kinds have one documented form."""
    registry = ToolRegistry()
    registry.add("f", "d", None, lambda args: value)
    result = call(registry, "f")
    assert not result.is_error
    assert result.text == text


def test_result_of_two_megabytes(call):
    """A huge result is cut in the middle with a marker; the whole stays with the program."""  # A; complaint 17
    text = "a" * 1_000_000 + "b" * 1_000_000
    registry = ToolRegistry(max_result=1_000)
    registry.add("f", "d", None, lambda args: text)
    result = call(registry, "f")
    assert result.is_truncated
    assert len(result.text) < 1_100
    assert result.text.startswith("a" * 750 + "\n… [1999000 of 2000000 characters omitted] …\n")
    assert result.text.endswith("b" * 250)
    assert result.full_text is text
    assert result.value is text


def test_result_limit_of_one_tool():
    """A tool's own limit on results goes before the registry's."""
    registry = ToolRegistry(max_result=10)
    registry.add("f", "d", None, lambda args: "x" * 100, max_result=50)
    assert registry.call("f").text.startswith("x" * 38 + "\n")


def test_generators_and_late_coroutines(call):
    """A generator gives a list; a coroutine from an ordinary function is awaited; so is an async generator."""

    def counting(args):
        yield from range(3)

    async def answer():
        return [1]

    def late(args):
        return answer()

    async def streaming(args):
        yield 1
        yield 2

    registry = registry_of(counting, late, streaming)
    assert call(registry, "counting").value == [0, 1, 2]
    assert call(registry, "late").text == "[1]"
    assert call(registry, "streaming").text == "[1,2]"


def test_endless_generator(call):
    """A generator without end is stopped at a number of items."""

    def endless(args):
        while True:
            yield 1

    result = call(registry_of(endless), "endless")
    assert isinstance(result.error, SerializationError)
    assert "more than 100,000 items" in result.text


@pytest.mark.scenario("B13")
def test_network_error(call, caplog):
    """A failing connection is caught, told to the model, and logged with its details."""

    def fetch(args):
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
        socket.create_connection(("127.0.0.1", port), timeout=1)

    with caplog.at_level(logging.ERROR, logger="ai_tools"):
        result = call(registry_of(fetch), "fetch")
    assert "Error executing fetch:" in result.text
    assert "refused" in result.text
    assert caplog.records[0].exc_info[0] is ConnectionRefusedError


@pytest.mark.scenario("T13")
@pytest.mark.parametrize(
    "args",
    [
        "[" * 1_000_000,
        '{"a":' * 1_000_000,
        '{"text": "' + "x" * 1_000_000 + '"}',
        '{"text": ' + "9" * 10_000 + "}",
        "\x00",
        "\ud800",
        '{"text": "\\ud800"}',
        "{" * 3,
        "\ufeff{}",
        " " * 17_000_000,
        3.5,
        object(),
        {1: 2},
        {"text": {1, 2}},
        {"text": float("nan")},
        b"{}",
        [],
        "nullnull",
        '{"text": 1e999}',
    ],
    ids=lambda args: repr(args)[:12],
)
def test_arguments_of_any_shape(call, args):
    """Arguments of any shape, size or type end in a result or a typed error, with any recursion limit."""
    registry = ToolRegistry()
    registry.add(
        "f", "d", {"type": "object", "properties": {"text": {"type": "string"}}}, lambda args: "done"
    )
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000_000)
    try:
        result = call(registry, "f", args)
    finally:
        sys.setrecursionlimit(limit)
    assert result.text == "done" or isinstance(result.error, InvalidArgumentsError)


@pytest.mark.scenario("T13")
@pytest.mark.parametrize("name", [None, 7, ["f"], {}, "", "x" * 100_000, "\ud800"])
def test_names_of_any_shape(call, name):
    """A call with an impossible tool name is answered like any unknown tool."""
    result = call(registry_of(weather), ToolCall("1", name, {}))
    assert isinstance(result.error, NotFoundError)
    assert result.call_id == "1"
    assert len(result.text) < 300


def test_deep_dict_arguments(call):
    """Arguments given as a dict that nests 100,000 deep are refused, not a crash."""
    deep = {}
    for _ in range(100_000):
        deep = {"a": deep}
    registry = ToolRegistry()
    registry.add("f", "d", {"type": "object", "properties": {"s": {"pattern": "x"}}}, lambda args: "done")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000_000)
    try:
        result = call(registry, "f", deep)
    finally:
        sys.setrecursionlimit(limit)
    assert "nested deeper than 200 levels" in result.text


def test_call_that_could_not_be_parsed(call):
    """A call that a format could not parse is answered with its reason, under its id."""  # complaint 1
    broken = ToolCall("call_1", "weather", raw_arguments='{"a', error="the stream ended inside the arguments")
    result = call(registry_of(weather), broken)
    assert isinstance(result.error, InvalidArgumentsError)
    assert result.text.endswith("the stream ended inside the arguments")
    assert result.call_id == "call_1"


def test_call_with_raw_arguments(call):
    """A call that carries only the argument text is parsed by the registry."""
    registry = ToolRegistry()
    registry.add("weather", "d", LOCATION, weather)
    assert call(registry, ToolCall("1", "weather", raw_arguments='{"location": "Rome"}')).call_id == "1"
    assert call(registry, ToolCall("1", "weather", {"location": "Rome"})).value["location"] == "Rome"


class Agent:
    """An agent's state as a tool sees it."""

    def __init__(self):
        self.system_prompt = "You are kind."
        self.session_context = "Talked about rain."
        self.session_context_file_path = "/context.md"


@pytest.mark.scenario("E14")
@pytest.mark.scenario("E15")
@pytest.mark.scenario("E34")
def test_tool_with_context():
    """A tool built with a ToolContext reads the agent's present state, without an Agent."""

    class Prompt:
        name = "prompt"
        description = "Shows the prompt."
        parameters = None

        def __init__(self, context: ToolContext):
            self.context = context

        def execute(self, args):
            return self.context.system_prompt

    state = Agent()
    registry = ToolRegistry([Prompt(state)])
    assert registry.execute("prompt", {}) == "You are kind."
    state.system_prompt = "You are brief."
    assert registry.execute("prompt", {}) == "You are brief."


@pytest.mark.scenario("T18")
def test_execution_context(call):
    """A tool that asks for it learns channel and chat, None outside a conversation; no schema shows it."""

    def where(args, context: ExecutionContext):
        return [context.channel, context.chat_id]

    def who(question: str, context: ExecutionContext, agent: ToolContext) -> str:
        return f"{question} {context.channel} {agent.session_context}"

    registry = registry_of(where)
    registry.register(who)
    assert call(registry, "where").value == [None, None]
    context = ExecutionContext("mail", "42", Agent())
    assert call(registry, "where", context=context).value == ["mail", "42"]
    assert call(registry, "who", {"question": "?"}, context=context).text == "? mail Talked about rain."
    assert list(registry.get("who").parameters["properties"]) == ["question"]
    assert "context" not in json.dumps(registry.get_enabled_schemas())


def test_context_cannot_be_forged(call):
    """A model cannot pass a hidden argument itself."""

    def where(context: ExecutionContext) -> str:
        return str(context.chat_id)

    registry = ToolRegistry([where])
    assert call(registry, "where", {"context": {"chat_id": "1"}}).is_error


@pytest.mark.scenario("T19")
def test_result_formatting(call):
    """Results are strings of one form: text as it is, JSON for the rest."""
    registry = ToolRegistry()
    for i, value in enumerate(["plain", {"b": 1, "a": "é"}, [1, 2.5, None], 3, True, "", "[1]"]):
        registry.add(f"t{i}", "d", None, lambda args, value=value: value)
    texts = [call(registry, f"t{i}").text for i in range(7)]
    assert texts == ["plain", '{"b":1,"a":"é"}', "[1,2.5,null]", "3", "true", "", "[1]"]


def test_recorded_calls():
    """Of 940 calls of real models exactly the one that breaks its schema is refused."""
    refused = []
    for case in cases():
        registry = ToolRegistry()
        for tool in case["tools"]:
            registry.add(tool["name"], tool["description"], tool["parameters"], dict)
        for call, expected in zip(case["message"]["tool_calls"], case["calls"], strict=True):
            function = call["function"]
            result = registry.call(
                ToolCall(call["id"], function["name"], raw_arguments=function["arguments"])
            )
            if result.is_error:
                refused.append(case["id"])
            else:
                assert result.value == expected["arguments"]
    assert refused == ["simple_python_200"]
