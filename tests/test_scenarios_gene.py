"""The twelve scenarios of tool calling in Gene, each run as a Gene program."""

from __future__ import annotations

import pytest
from sdk_types import check
from support import error, output, value

WEATHER = """
(var registry (ai/tools/registry))
(registry .register {
  ^name "get_weather"
  ^description "Get current weather for a location"
  ^parameters [
    {^name "location" ^type "string" ^required true}
  ]
  ^handler (fn [args] {^temp 72 ^condition "sunny"})
})
"""

TWO_TOOLS = (
    WEATHER
    + """
(registry .register {
  ^name "add"
  ^description "Add two integers"
  ^parameters [
    {^name "a" ^type "integer" ^required true}
    {^name "b" ^type "integer" ^required true}
  ]
  ^handler (fn [args] (args/a + args/b))
})
"""
)

MESSAGE = r"""
(var message {
  ^role "assistant"
  ^content nil
  ^tool_calls [
    {^id "call_1" ^type "function"
     ^function {^name "get_weather" ^arguments "{\"location\": \"Paris\"}"}}
    {^id "call_2" ^type "function"
     ^function {^name "add" ^arguments "{\"a\": 2, \"b\": 3}"}}
  ]
})
"""


@pytest.mark.scenario("G01")
def test_a_new_registry_is_empty():
    """`(ai/tools/registry)` makes an empty ToolRegistry."""
    assert (
        output("(var r (ai/tools/registry)) (println (typeof r) (r .size) (r .list))")
        == "ToolRegistry 0 []\n"
    )


@pytest.mark.scenario("G02")
def test_a_registered_tool_can_be_executed():
    """The tool of the scenario is registered and available for execution."""
    program = (
        WEATHER + '[(registry .contains "get_weather") (registry .execute "get_weather" {^location "Rome"})]'
    )
    assert value(program) == [True, {"temp": 72, "condition": "sunny"}]


@pytest.mark.scenario("G03")
def test_the_names_of_the_tools_are_listed_in_order():
    """`.list` gives the names in the order of registration."""
    assert value(TWO_TOOLS + "(registry .list)") == ["get_weather", "add"]


@pytest.mark.scenario("G04")
@pytest.mark.parametrize(
    ("parameter", "words"),
    [
        ('{^name "location"}', ("get_weather", "parameters[0]", "location", "type")),
        ('{^type "string"}', ("get_weather", "parameters[0]", "name")),
        ('{^name "location" ^type "text"}', ("get_weather", "parameters[0].type", "'text'", "string")),
        ('{^name "location" ^type "string" ^required "yes"}', ("parameters[0]", "required", "true or false")),
    ],
)
def test_each_parameter_must_have_name_and_type(parameter, words):
    """A definition with a bad parameter is refused; the message names the tool, the place and what is right."""
    text = str(
        error(
            f"""
            (var registry (ai/tools/registry))
            (registry .register {{^name "get_weather" ^description "Weather" ^parameters [{parameter}]
                                 ^handler (fn [args] 1)}})
            """
        )
    )
    assert all(word in text for word in words), text


@pytest.mark.scenario("G04")
def test_required_parameters_are_validated():
    """A required parameter is required by the schema, one that is not may be left out."""
    program = """
    (var registry (ai/tools/registry))
    (registry .register {^name "greet" ^description "Greet"
      ^parameters [{^name "who" ^type "string" ^required true} {^name "loud" ^type "boolean"}]
      ^handler (fn [args] args/who)})
    """
    assert value(program + '(registry .execute "greet" {^who "you"})') == "you"
    assert "who: is required" in str(error(program + '(registry .execute "greet" {^loud true})'))


@pytest.mark.scenario("G05")
def test_tools_in_openai_format():
    """`.to_openai_format` gives tools of type "function" with a JSON Schema each."""
    tools = value(TWO_TOOLS + "(registry .to_openai_format)")
    assert [tool["type"] for tool in tools] == ["function", "function"]
    assert tools[0]["function"]["name"] == "get_weather"
    assert tools[0]["function"]["description"] == "Get current weather for a location"
    assert tools[0]["function"]["parameters"] == {
        "type": "object",
        "properties": {"location": {"type": "string"}},
        "required": ["location"],
    }


@pytest.mark.scenario("G05")
def test_the_openai_format_passes_the_official_types():
    """The official SDK accepts every tool that `.to_openai_format` gives."""
    from openai.types.chat import ChatCompletionFunctionToolParam

    for tool in value(TWO_TOOLS + "(registry .to_openai_format)"):
        check(ChatCompletionFunctionToolParam, tool)


@pytest.mark.scenario("G06")
def test_the_handlers_value_is_returned():
    """The handler gets the arguments as a map, and `.execute` returns its value as it is."""
    program = """
    (var seen [])
    (var registry (ai/tools/registry))
    (registry .register {^name "get_weather" ^description "Weather"
      ^parameters [{^name "location" ^type "string" ^required true}]
      ^handler (fn [args] (seen .push args) {^temp 72})})
    (var result (registry .execute "get_weather" {^location "San Francisco"}))
    [result seen]
    """
    assert value(program) == [{"temp": 72}, [{"location": "San Francisco"}]]


@pytest.mark.scenario("G07")
def test_a_missing_required_argument_raises():
    """The exception names the tool and the parameter that is missing, and the handler does not run."""
    program = (
        WEATHER
        + """
        (try (registry .execute "get_weather" {})
         catch ai/tools/InvalidArgumentsError [$ex/message $ex/tool $ex/field])
        """
    )
    message, tool, field = value(program)
    assert message == "Invalid arguments for tool 'get_weather': location: is required (a string)"
    assert (tool, field) == ("get_weather", "location")


@pytest.mark.scenario("G08")
def test_an_unknown_tool_raises():
    """The exception says that the tool is not registered, and which one is near."""
    failed = error(WEATHER + '(registry .execute "unknown_tool" {})')
    assert str(failed) == "Tool 'unknown_tool' not found."
    program = (
        WEATHER + '(try (registry .execute "get_wether" {}) catch ai/tools/NotFoundError $ex/suggestion)'
    )
    assert value(program) == "get_weather"


@pytest.mark.scenario("G09")
def test_a_failing_handler_gives_an_error_result():
    """What a handler throws is caught; `.execute` returns a map with the message under `^error`."""
    program = """
    (var registry (ai/tools/registry))
    (registry .register {^name "fail" ^description "Fails" ^parameters [] ^handler (fn [args] (throw "boom"))})
    (registry .execute "fail" {})
    """
    assert value(program) == {"error": "boom", "code": "execution_failed", "tool": "fail"}


@pytest.mark.scenario("G10")
def test_calls_are_parsed_from_an_assistant_message():
    """`parse_tool_calls` gives ToolCalls whose id, name and arguments are read by path."""
    program = (
        TWO_TOOLS
        + MESSAGE
        + "(for c in (ai/tools/parse_tool_calls message) (println c/id c/name c/arguments))"
    )
    assert output(program) == "call_1 get_weather {^location Paris}\ncall_2 add {^a 2 ^b 3}\n"


@pytest.mark.scenario("G10")
def test_a_message_as_json_text_gives_the_same_calls():
    """The message may be JSON text as it came over the wire."""
    program = (
        MESSAGE + "((ai/tools/parse_tool_calls (message .to_json)) .map (fn [c] [c/id c/name c/arguments]))"
    )
    assert value(program) == [
        ["call_1", "get_weather", {"location": "Paris"}],
        ["call_2", "add", {"a": 2, "b": 3}],
    ]


@pytest.mark.scenario("G11")
def test_all_calls_are_executed_in_sequence():
    """`execute_all` runs the calls one after the other and returns one result each, in their order."""
    program = """
    (var order [])
    (var registry (ai/tools/registry))
    (for name in ["one" "two" "three"]
      (registry .register {^name name ^description "Notes its name" ^parameters []
        ^handler (fn [args] (order .push #"#{name} begins") (order .push #"#{name} ends") name)}))
    (var calls (["three" "one" "two"] .map (fn [name] {^id #"call_#{name}" ^name name ^arguments {}})))
    (var results (registry .execute_all calls))
    [order (results .map (fn [r] [r/id r/value]))]
    """
    order, results = value(program)
    assert order == [f"{name} {what}" for name in ("three", "one", "two") for what in ("begins", "ends")]
    assert results == [["call_three", "three"], ["call_one", "one"], ["call_two", "two"]]


@pytest.mark.scenario("G11")
def test_one_bad_call_does_not_keep_the_others_from_running():
    """A call with broken arguments, of an unknown tool, or of a failing tool gets an error for the model."""
    program = (
        TWO_TOOLS
        + r"""
    (registry .register "fail" ^description "Fails" ^handler (fn [args] (throw "boom")))
    (fn call [id name arguments] {^id id ^type "function" ^function {^name name ^arguments arguments}})
    (var message {^role "assistant" ^tool_calls [
      (call "1" "add" "{\"a\": 1, ")
      (call "2" "nothing" "{}")
      (call "3" "fail" "{}")
      (call "4" "add" "{\"a\": 1}")
      (call "5" "add" "{\"a\": 1, \"b\": 2}")]})
    ((registry .execute_all (ai/tools/parse_tool_calls message)) .map (fn [r] [r/id r/ok r/text]))
    """
    )
    results = value(program)
    assert [(call_id, ok) for call_id, ok, _ in results] == [
        ("1", False),
        ("2", False),
        ("3", False),
        ("4", False),
        ("5", True),
    ]
    texts = [text for _, _, text in results]
    assert "not valid JSON" in texts[0]
    assert texts[1:] == [
        "Tool 'nothing' not found.",
        "Error executing fail: boom",
        "Invalid arguments for tool 'add': b: is required (an integer)",
        "3",
    ]


@pytest.mark.scenario("G12")
def test_results_become_messages_for_the_model():
    """`format_results` gives one tool message for each result, under the id of its call."""
    program = (
        TWO_TOOLS
        + MESSAGE
        + """
    (var calls (ai/tools/parse_tool_calls message))
    (ai/tools/format_results (registry .execute_all calls))
    """
    )
    assert value(program) == [
        {"role": "tool", "tool_call_id": "call_1", "content": '{"temp":72,"condition":"sunny"}'},
        {"role": "tool", "tool_call_id": "call_2", "content": "5"},
    ]


@pytest.mark.scenario("G12")
def test_the_whole_exchange_passes_the_official_types():
    """The official SDK accepts the assistant message and the results as the next messages of a request."""
    from openai.types.chat import ChatCompletionMessageParam

    program = (
        TWO_TOOLS
        + MESSAGE
        + """
    (var calls (ai/tools/parse_tool_calls message))
    (var results (ai/tools/format_results (registry .execute_all calls)))
    [(ai/tools/assistant_message calls) results...]
    """
    )
    messages = value(program)
    assert len(messages) == 3
    for message in messages:
        check(ChatCompletionMessageParam, message)
