"""Model Context Protocol: shapes against the SDK's types per version, exchanges with its client and server."""

import asyncio

import mcp_types
import pytest
from loopback import Loopback
from mcp_types import methods
from tool_samples import ALL, DOTTED, RESULTS, WEATHER, plain_calls

from ai_tools.errors import ExecutionFailedError
from ai_tools.formats import mcp as fmt
from ai_tools.formats.plain import MessageFormatError
from ai_tools.types import ToolCall, ToolDefinition, ToolResult

RICH = ToolDefinition(
    "weather/today", "Weather", WEATHER.parameters,
    annotations={"title": "Weather", "readOnlyHint": True, "note": "ours"},
    returns={"type": "object", "properties": {"temp": {"type": "integer"}}},
)  # fmt: skip
LISTS = ToolDefinition("lists", "", returns={"type": "array", "items": {"type": "integer"}})


def request(name="math.factorial", arguments=None, request_id=7):
    params = {"name": name, "arguments": {"n": 5} if arguments is None else arguments}
    return {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}


@pytest.mark.parametrize("version", fmt.VERSIONS)
def test_tools_list_conforms_to_every_version(version):
    """A tools/list result is valid in each version, with the fields that this version knows."""
    result = fmt.list_result([*ALL, RICH, LISTS], version=version, ttl_ms=1000, cache_scope="public")
    methods.validate_server_result("tools/list", version, result)
    rich, lists = result["tools"][-2:]
    assert rich["name"] == "weather-slash-today"
    assert ("annotations" in rich) is (version >= "2025-03-26")
    assert ("outputSchema" in rich) is ("title" in rich) is (version >= "2025-06-18")
    assert ("outputSchema" in lists) is (version >= "2026-07-28")
    assert ("ttlMs" in result) is (version >= "2026-07-28")
    if "annotations" in rich:
        assert rich["annotations"] == {"title": "Weather", "readOnlyHint": True}


def test_tools_come_in_their_order():
    """The list keeps the order of the definitions, so that prompts can be cached."""
    assert [tool["name"] for tool in fmt.export(ALL)] == [definition.name for definition in ALL]


def test_listed_tools_become_definitions_again():
    """What a server lists is read back: schema, annotations, title and output schema."""
    (again,) = fmt.parse_tools({"jsonrpc": "2.0", "id": 1, "result": fmt.list_result([RICH])})
    assert again.parameters == WEATHER.parameters
    assert again.returns == RICH.returns
    assert again.annotations == {"title": "Weather", "readOnlyHint": True}
    sdk = mcp_types.ListToolsResult.model_validate({"tools": fmt.export([WEATHER])})
    assert fmt.parse_tools(sdk)[0] == WEATHER
    assert fmt.parse_tools(sdk.tools)[0] == WEATHER
    with pytest.raises(MessageFormatError, match="'name'"):
        fmt.parse_tools({"tools": [{"inputSchema": {}}]})
    with pytest.raises(MessageFormatError, match="tools/list"):
        fmt.parse_tools({})


@pytest.mark.parametrize("wrap", [
    lambda r: r, lambda r: r["params"], mcp_types.CallToolRequest.model_validate,
    lambda r: mcp_types.CallToolRequest.model_validate(r).params,
])  # fmt: skip
def test_the_call_of_a_request(wrap):
    """Requests and params, as dicts or SDK objects, give one call."""
    assert plain_calls(fmt.parse_calls(wrap(request()))) == [
        {"name": "math.factorial", "arguments": {"n": 5}}
    ]


def test_a_request_for_an_unlisted_name_or_with_bad_arguments():
    """Listed names are mapped back; arguments that are no object are an error of the call."""
    assert fmt.parse_calls(request("weather-slash-today"))[0].name == "weather/today"
    (bad,) = fmt.parse_calls(request(arguments=[1]))
    assert "not an array" in bad.error
    assert fmt.parse_calls({"name": "ping"})[0].arguments == {}
    for wrong in ({"method": "tools/list", "id": 1}, {}, 5):
        with pytest.raises(MessageFormatError):
            fmt.parse_calls(wrong)


@pytest.mark.parametrize("version", fmt.VERSIONS)
def test_results_conform_to_every_version(version):
    """Failures are isError; structured content is what the version allows."""
    lists = ToolResult([1, 2], "[1,2]", call_id="x", name="lists")
    text = ToolResult("[1]", "[1]", call_id="y", name="text")
    cut = ToolResult({"a": 1}, "{…", call_id="z", name="cut", full_text='{"a":1}')
    answers = fmt.format_results([*RESULTS, lists, text, cut], version=version)
    for answer in answers:
        methods.validate_server_result("tools/call", version, answer)
    assert [answer["isError"] for answer in answers] == [False, False, True, False, False, False]
    objects, anything = version >= "2025-06-18", version >= "2026-07-28"
    assert [answer.get("structuredContent") for answer in answers] == [
        {"temp": 21} if objects else None, 120 if anything else None, None, [1, 2] if anything else None, None, None,
    ]  # fmt: skip
    assert ("resultType" in answers[0]) is anything


def test_a_client_reads_results():
    """Text, structured content, other content, isError and protocol errors become results."""
    call = ToolCall("7", "f", {})
    assert fmt.parse_result(fmt.format_results(RESULTS[:1])[0], call) == ToolResult(
        {"temp": 21}, '{"temp":21}', call_id="7", name="f"
    )
    failed = fmt.parse_result(
        {"jsonrpc": "2.0", "id": 7, "result": {"content": [{"type": "text", "text": "no"}], "isError": True}},
        call,
    )
    assert isinstance(failed.error, ExecutionFailedError)
    assert failed.text == "Error executing f: no"
    refused = fmt.parse_result(
        {"jsonrpc": "2.0", "id": 7, "error": {"code": -32602, "message": "unknown tool"}}, call
    )
    assert "unknown tool" in refused.text
    content = [
        {"type": "image", "data": "", "mimeType": "image/png"}, {"type": "text", "text": "a"},
        {"type": "resource", "resource": {"uri": "x:", "text": "b"}}, {"type": "resource_link", "uri": "y:", "name": "n"},
    ]  # fmt: skip
    assert fmt.parse_result({"content": content}, call).text == "[image: image/png]\na\nb\n[resource y:]"
    assert fmt.parse_result({"content": [], "structuredContent": [1]}, call).text == "[1]"


def test_params_of_a_call_conform():
    """A client's request is valid, with the name as the server listed it and without broken arguments."""
    for call in (
        ToolCall("1", "math.factorial", {"n": 5}),
        ToolCall("2", "weather-slash-today", None, error="cut off"),
    ):
        mcp_types.CallToolRequestParams.model_validate(fmt.call_params(call))
    assert fmt.call_params(call) == {"name": "weather-slash-today", "arguments": {}}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_reads_our_server_side(mode):
    """The SDK's server, fed with our lists and results, serves its client in the newest and in older versions."""
    import mcp
    from mcp.server.lowlevel import Server

    async def list_tools(_context, _params):
        return mcp_types.ListToolsResult.model_validate(fmt.list_result([WEATHER, RICH]))

    async def call_tool(_context, params):
        (call,) = fmt.parse_calls(params, [WEATHER, RICH])
        answers = {"get_current_weather": RESULTS[0], "weather/today": RESULTS[2]}
        return mcp_types.CallToolResult.model_validate(fmt.format_results([answers[call.name]])[0])

    async def talk():
        server = Server("ours", on_list_tools=list_tools, on_call_tool=call_tool)
        async with mcp.Client(server, mode=mode) as client:
            definitions = fmt.parse_tools(await client.list_tools())
            calls = [ToolCall("1", definition.name, {"location": "Paris"}) for definition in definitions]
            answers = [await client.call_tool(**fmt.call_params(call)) for call in calls]
            return definitions, [fmt.parse_result(*pair) for pair in zip(answers, calls, strict=True)]

    definitions, (good, bad) = asyncio.run(talk())
    assert [definition.name for definition in definitions] == ["get_current_weather", "weather-slash-today"]
    assert definitions[0].parameters == WEATHER.parameters
    assert good.value == {"temp": 21}
    assert "Error executing ping: no" in bad.text


def test_we_read_the_official_server():
    """What the SDK's own server lists and answers becomes definitions and results."""
    import mcp
    from mcp.server import MCPServer

    server = MCPServer("calc")

    @server.tool()
    def factorial(n: int) -> int:
        """n!"""
        return 120

    async def talk():
        async with mcp.Client(server) as client:
            definitions = fmt.parse_tools(await client.list_tools())
            calls = [ToolCall("1", "factorial", {"n": n}) for n in (5, "x")]
            answers = [await client.call_tool(**fmt.call_params(call)) for call in calls]
            return definitions, [fmt.parse_result(*pair) for pair in zip(answers, calls, strict=True)]

    (definition,), (good, bad) = asyncio.run(talk())
    assert (definition.name, definition.description) == ("factorial", "n!")
    assert definition.parameters["properties"]["n"]["type"] == "integer"
    assert definition.returns["type"] == "object"
    assert (good.text, good.value) == ("120", {"result": 120})
    assert bad.is_error


def test_the_official_client_over_http():
    """tools/list and tools/call over real HTTP, as the client sends them."""
    import mcp

    def answer(result):
        return lambda asked: {"jsonrpc": "2.0", "id": asked.body["id"], "result": result}

    discovered = {
        "resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
        "serverInfo": {"name": "ours", "version": "1"}, "ttlMs": 0, "cacheScope": "private",
    }  # fmt: skip

    async def talk(url):
        async with mcp.Client(f"{url}/mcp") as client:
            listed = fmt.parse_tools(await client.list_tools())
            call = ToolCall("1", "math.factorial", {"n": 5})
            return listed, fmt.parse_result(await client.call_tool(**fmt.call_params(call)), call)

    with Loopback() as server:
        server.reply_with(answer(discovered))
        server.reply_with(answer(fmt.list_result([DOTTED])))
        server.reply_with(answer(fmt.format_results(RESULTS[1:2])[0]))
        listed, result = asyncio.run(talk(server.url))
        sent = [request.body for request in server.requests if request.body]
    assert listed == [DOTTED]
    assert (result.value, result.text) == (120, "120")
    assert plain_calls(fmt.parse_calls(sent[-1])) == [{"name": "math.factorial", "arguments": {"n": 5}}]
