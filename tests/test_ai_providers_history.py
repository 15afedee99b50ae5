"""Conversations on the wire: what providers send is checked against the SDKs' own types, and comes back whole."""

import pytest
from anthropic.types import MessageParam
from google.genai import types as genai
from openai.types.chat import ChatCompletionMessageParam
from provider_samples import CALLS, SERVICES, THREAD, TOOLS
from sdk_types import check

from ai_tools.errors import ExecutionFailedError
from ai_tools.messages import Message, Part, from_dict, result_message, to_dict
from ai_tools.providers import errors
from ai_tools.providers.protocol import Request
from ai_tools.types import ToolCall, ToolResult

OPENAI, ANTHROPIC, GEMINI, OLLAMA, BACKBOARD = SERVICES
pytestmark = pytest.mark.usefixtures("made_once")
every_service = pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)
PNG = "iVBORw0KGgo="


def results(calls):
    found = [
        ToolResult(120, "120", None, calls[0].id, calls[0].name),
        ToolResult(None, "no", ExecutionFailedError("w", "no"), calls[1].id, calls[1].name),
    ]
    return [result_message(result) for result in found]


def conversation(service, streamed):
    """Return a conversation of which the service's answers come from the service."""
    messages = [Message("user", "5! and Oslo?")]
    service.server.requests.clear()
    (service.stream if streamed else service.plain)(service.server, "Let me see.", CALLS, "calls")
    reply = answer_to(service, messages, streamed=streamed)
    messages += [reply.to_message(), *results(reply.calls)]
    return [from_dict(to_dict(message)) for message in messages]


def answer_to(service, messages, *, streamed=False, **more):
    request = Request(messages, tools=TOOLS, **more)
    return list(service.made.stream(request))[-1].reply if streamed else service.made.complete(request)


def sent(service, messages, **more):
    """Return the body that carries these messages."""
    service.plain(service.server, "Done.")
    answer_to(service, messages, **more)
    return service.server.requests[-1].body


def checked(service, body):
    """Check a body's messages against the types of the service's SDK, and return them."""
    if service is OPENAI:
        check(list[ChatCompletionMessageParam], body["messages"])
    if service is ANTHROPIC:
        check(list[MessageParam], body["messages"])
    if service is GEMINI:
        for content in body["contents"]:
            genai.Content.model_validate(content)
    return body["contents" if service is GEMINI else "messages"]


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("service", SERVICES[:4], ids=lambda service: service.name)
def test_calls_and_results_go_back(service, streamed):
    """The call and its result, its failure included, are sent as the service wants them, from a saved file too."""
    messages = checked(service, sent(service, conversation(service, streamed), system="Be brief."))
    factorial, weather = {"n": 5}, {"location": "Oslo"}
    expected = {
        "openai": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "5! and Oslo?"},
            {
                "role": "assistant",
                "content": "Let me see.",
                "tool_calls": [
                    OPENAI.whole("", CALLS)["choices"][0]["message"]["tool_calls"][n] for n in (0, 1)
                ],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "120"},
            {"role": "tool", "tool_call_id": "c2", "content": "no"},
        ],
        "anthropic": [
            {"role": "user", "content": [{"type": "text", "text": "5! and Oslo?"}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "text", "text": "Let me see."},
                    {"type": "tool_use", "id": "c1", "name": "math-dot-factorial", "input": factorial},
                    {"type": "tool_use", "id": "c2", "name": "get_current_weather", "input": weather},
                ],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "content": "120"},
                    {"type": "tool_result", "tool_use_id": "c2", "content": "no", "is_error": True},
                ],
            },
        ],
        "gemini": [
            {"role": "user", "parts": [{"text": "5! and Oslo?"}]},
            {
                "role": "model",
                "parts": [
                    {"text": "Let me see."},
                    {"functionCall": {"id": "c1", "name": "math.factorial", "args": factorial}},
                    {"functionCall": {"id": "c2", "name": "get_current_weather", "args": weather}},
                ],
            },
            {
                "role": "user",
                "parts": [
                    {
                        "functionResponse": {
                            "id": "c1",
                            "name": "math.factorial",
                            "response": {"output": "120"},
                        }
                    },
                    {
                        "functionResponse": {
                            "id": "c2",
                            "name": "get_current_weather",
                            "response": {"error": "no"},
                        }
                    },
                ],
            },
        ],
        "ollama": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "5! and Oslo?"},
            {
                "role": "assistant",
                "content": "Let me see.",
                "tool_calls": [
                    {"id": "c1", "function": {"name": "math.factorial", "arguments": factorial}},
                    {"id": "c2", "function": {"name": "get_current_weather", "arguments": weather}},
                ],
            },
            {"role": "tool", "tool_name": "math.factorial", "tool_call_id": "c1", "content": "120"},
            {"role": "tool", "tool_name": "get_current_weather", "tool_call_id": "c2", "content": "no"},
        ],
    }
    assert messages == expected[service.name]


@pytest.mark.parametrize("service", SERVICES[:4], ids=lambda service: service.name)
def test_broken_arguments_go_back_as_an_empty_object(service):
    """A service refuses every later request whose history holds arguments that are no object."""
    broken = ToolCall("c1", "math.factorial", None, raw_arguments='{"n": 5', error="cut off")
    history = [
        Message("user", "5!"),
        Message("assistant", "", calls=[broken]),
        Message("tool", "Bad arguments.", call_id="c1", name="math.factorial", is_error=True),
    ]
    messages = checked(service, sent(service, history))
    found = {
        "openai": lambda: messages[1]["tool_calls"][0]["function"]["arguments"] == "{}",
        "anthropic": lambda: messages[1]["content"][0]["input"] == {},
        "gemini": lambda: messages[1]["parts"][0]["functionCall"].get("args", {}) == {},
        "ollama": lambda: messages[1]["tool_calls"][0]["function"]["arguments"] == {},
    }
    assert found[service.name]()


@pytest.mark.parametrize("service", SERVICES[:4], ids=lambda service: service.name)
def test_a_conversation_moves_to_another_service(service):
    """Each service takes what any other has answered, ids and signatures included."""
    for other in SERVICES:
        history = conversation(other, streamed=True)
        assert len(checked(service, sent(service, history))) >= 3


def test_neighbours_and_empty_messages():
    """Anthropic and Gemini get results and what the user adds in one message, and no empty message."""
    call = ToolCall("c1", "math.factorial", {"n": 5})
    history = [
        Message("user", "5!"),
        Message("assistant", "", calls=[call]),
        Message("tool", "120", call_id="c1", name="math.factorial"),
        Message("user", "Thanks."),
        Message("assistant", ""),
        Message("system", "Be kind."),
        Message("user", "And 6!"),
    ]
    body = sent(ANTHROPIC, history, system="Be brief.")
    assert [message["role"] for message in checked(ANTHROPIC, body)] == ["user", "assistant", "user"]
    kinds = [block["type"] for block in body["messages"][2]["content"]]
    assert kinds == ["tool_result", "text", "text"]
    assert body["system"] == "Be brief.\n\nBe kind."
    contents = checked(GEMINI, sent(GEMINI, history))
    assert [content["role"] for content in contents] == ["user", "model", "user"]
    assert [next(iter(part)) for part in contents[2]["parts"]] == ["functionResponse", "text", "text"]


PARTS = [Part("text", "See:"), Part("image", data=PNG, media_type="image/png")]
FILES = [Part("image", url="https://example.org/a.png"), Part("file", data=PNG, media_type="application/pdf", name="a.pdf")]  # fmt: skip


def test_images_and_files():
    """Parts are written in each service's way; what it does not take is a clear error before anything is sent."""
    history = [Message("user", parts=[*PARTS, *FILES])]
    parts = checked(OPENAI, sent(OPENAI, history))[0]["content"]
    assert parts[1] == {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
    assert parts[2] == {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
    assert parts[3]["file"] == {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PNG}"}
    blocks = checked(ANTHROPIC, sent(ANTHROPIC, history))[0]["content"]
    assert [block["type"] for block in blocks] == ["text", "image", "image", "document"]
    assert blocks[1]["source"] == {"type": "base64", "media_type": "image/png", "data": PNG}
    parts = checked(GEMINI, sent(GEMINI, history))[0]["parts"]  # the SDK writes some fields in snake case
    assert parts[1] == {"inlineData": {"mime_type": "image/png", "data": PNG}}
    assert parts[2] == {"fileData": {"file_uri": "https://example.org/a.png"}}
    message = checked(OLLAMA, sent(OLLAMA, [Message("user", parts=PARTS)]))[0]
    assert message == {"role": "user", "content": "See:", "images": [PNG]}
    for service in (OLLAMA, BACKBOARD):
        before = len(service.server.requests)
        with pytest.raises(errors.BadRequestError, match=r"image, by its address|image/png"):
            service.made.complete(Request([Message("user", parts=FILES if service is OLLAMA else PARTS)]))
        assert len(service.server.requests) == before


def test_what_only_anthropic_understands_goes_back_unchanged():
    """Thinking with its signature and server tools stand before and between the calls where they stood."""
    thinking = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
    search = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "5!"}}
    found = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": []}
    text = {"type": "text", "text": "So:"}
    use = {"type": "tool_use", "id": "c1", "name": "math-dot-factorial", "input": {"n": 5}}
    answer = ANTHROPIC.whole("", (), "calls")
    server = ANTHROPIC.server

    def events():
        yield from ANTHROPIC.events("")[:1]
        starts = [{"type": "thinking", "thinking": "", "signature": ""}, {**search, "input": {}}, found,
                  {"type": "text", "text": ""}, {**use, "input": {}}]  # fmt: skip
        deltas = [
            [{"type": "thinking_delta", "thinking": "Hm."}, {"type": "signature_delta", "signature": "c2ln"}],
            [{"type": "input_json_delta", "partial_json": p} for p in ('{"query"', ': "5!"}')],
            [],
            [{"type": "text_delta", "text": "So:"}],
            [{"type": "input_json_delta", "partial_json": '{"n": 5}'}],
        ]
        for index, (block, changes) in enumerate(zip(starts, deltas, strict=True)):
            yield {"type": "content_block_start", "index": index, "content_block": block}
            for delta in changes:
                yield {"type": "content_block_delta", "index": index, "delta": delta}
            yield {"type": "content_block_stop", "index": index}
        yield from ANTHROPIC.events("", (), "calls")[-2:]

    for streamed in (False, True):
        if streamed:
            server.reply_sse(events(), named=True)
        else:
            server.reply({**answer, "content": [thinking, search, found, text, use]})
        reply = answer_to(ANTHROPIC, [Message("user", "5!")], streamed=streamed)
        assert (reply.reasoning, reply.text, reply.stop_reason) == ("Hm.", "So:", "tool_calls")
        assert [call.arguments for call in reply.calls] == [{"n": 5}]
        history = [
            Message("user", "5!"),
            from_dict(to_dict(reply.to_message())),
            *results(reply.calls * 2)[:1],
        ]
        assert sent(ANTHROPIC, history)["messages"][1]["content"] == [thinking, search, found, text, use]
        broken = ToolCall("c1", "math.factorial", None, error="no")
        history[1] = Message("assistant", "So:", calls=[broken], extras=history[1].extras)
        assert sent(ANTHROPIC, history)["messages"][1]["content"][-1]["input"] == {}
        history[1] = Message("assistant", "Edited.", calls=reply.calls, extras=history[1].extras)
        assert [block["type"] for block in sent(ANTHROPIC, history)["messages"][1]["content"]] == [
            "text",
            "tool_use",
        ]


def test_an_anthropic_pause_goes_back_as_it_came():
    """A paused turn has no calls to run; its blocks are resent unchanged."""
    blocks = [
        {"type": "text", "text": "Searching."},
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}},
    ]
    ANTHROPIC.server.reply({**ANTHROPIC.whole(""), "content": blocks, "stop_reason": "pause_turn"})
    reply = answer_to(ANTHROPIC, [Message("user", "Find x.")])
    assert (reply.stop_reason, reply.calls) == ("pause", ())
    assert (
        sent(ANTHROPIC, [Message("user", "Find x."), reply.to_message()])["messages"][1]["content"] == blocks
    )


@pytest.mark.parametrize("streamed", [False, True])
def test_gemini_signatures_go_back(streamed):
    """The signatures of calls and of text return as the same bytes, and only with what they belong to."""
    parts = [
        {"text": "hm", "thought": True},
        {"text": "So:", "thoughtSignature": "dGV4dA=="},
        {"functionCall": {"name": "math.factorial", "args": {"n": 5}}, "thoughtSignature": "+/8="},
        {"functionCall": {"name": "math.factorial", "args": {"n": 6}}},
    ]
    answer = {"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}]}
    GEMINI.server.reply_sse([answer]) if streamed else GEMINI.server.reply(answer)
    reply = answer_to(GEMINI, [Message("user", "5!")], streamed=streamed)
    assert (reply.text, reply.reasoning, len(reply.calls)) == ("So:", "hm", 2)
    history = [Message("user", "5!"), from_dict(to_dict(reply.to_message())), *results(reply.calls)]
    text, first, second = sent(GEMINI, history)["contents"][1]["parts"]
    as_standard = {key: str(value).translate(str.maketrans("-_", "+/")) for key, value in first.items()}
    assert as_standard["thoughtSignature"] == "+/8="
    assert text == {"text": "So:", "thoughtSignature": "dGV4dA=="}
    assert second == {"functionCall": {"name": "math.factorial", "args": {"n": 6}}}
    assert "id" not in first["functionCall"]


@pytest.mark.parametrize("streamed", [False, True])
def test_reasoning_of_compatible_servers_goes_back_to_them_only(streamed):
    """DeepSeek and OpenRouter want their reasoning again; another server never sees it."""
    message = {
        "role": "assistant",
        "content": "120",
        "reasoning_content": "Hm.",
        "reasoning_details": [{"a": 1}],
    }
    if streamed:
        deltas = [
            {"reasoning_content": "H"},
            {"reasoning_content": "m."},
            {"reasoning_details": [{"a": 1}]},
            {"content": "120"},
        ]
        OPENAI.server.reply_sse([*map(OPENAI.chunk, deltas), OPENAI.chunk({}, "stop")], done=True)
    else:
        OPENAI.server.reply({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
    reply = answer_to(OPENAI, [Message("user", "5!")], streamed=streamed)
    assert (reply.reasoning, reply.text) == ("Hm.", "120")
    history = [Message("user", "5!"), reply.to_message(), Message("user", "6!")]
    assert sent(OPENAI, history)["messages"][1] == message
    other = OPENAI.provider("http://127.0.0.1:1")
    assert other._body(Request(history, tools=TOOLS))["messages"][1] == {
        "role": "assistant",
        "content": "120",
    }
    other.close()


@pytest.mark.parametrize("streamed", [False, True])
def test_an_openai_refusal_in_its_own_field(streamed):
    """The words of the refusal are the text, and the reason says refusal although the server says stop."""
    if streamed:
        OPENAI.server.reply_sse(
            [OPENAI.chunk({"refusal": "I "}), OPENAI.chunk({"refusal": "won't"}), OPENAI.chunk({}, "stop")]
        )
    else:
        message = {"role": "assistant", "content": None, "refusal": "I won't"}
        OPENAI.server.reply({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
    reply = answer_to(OPENAI, [Message("user", "x")], streamed=streamed)
    assert (reply.text, reply.stop_reason) == ("I won't", "refusal")


def test_a_gemini_prompt_that_is_blocked():
    """A response without candidates that names a reason is a refusal."""
    for streamed in (False, True):
        blocked = {"promptFeedback": {"blockReason": "SAFETY"}}
        GEMINI.server.reply_sse([blocked]) if streamed else GEMINI.server.reply(blocked)
        reply = answer_to(GEMINI, [Message("user", "x")], streamed=streamed)
        assert (reply.text, reply.calls, reply.stop_reason) == ("", (), "refusal")


@pytest.mark.parametrize("streamed", [False, True])
def test_ollama_thinking_goes_back(streamed):
    """The thinking that led to a call is part of the message that the server wants again."""
    line = {
        "model": "m",
        "message": {"role": "assistant", "content": "Hi", "thinking": "Hm."},
        "done": True,
        "done_reason": "stop",
    }
    OLLAMA.server.reply_lines([line]) if streamed else OLLAMA.server.reply(line)
    reply = answer_to(OLLAMA, [Message("user", "x")], streamed=streamed)
    assert reply.reasoning == "Hm."
    assert sent(OLLAMA, [Message("user", "x"), reply.to_message()])["messages"][1]["thinking"] == "Hm."


@pytest.mark.parametrize("streamed", [False, True])
def test_backboard_gets_only_what_is_new(streamed):
    """Outputs go to the run that waits for them, all in one request; a new message to the thread."""
    server = BACKBOARD.server
    history = conversation(BACKBOARD, streamed)
    assert server.requests[-1].path == "/api/threads/messages"
    assert server.requests[-1].body["content"] == "5! and Oslo?"
    (BACKBOARD.stream if streamed else BACKBOARD.plain)(server, "Done.")
    reply = answer_to(BACKBOARD, history, streamed=streamed)
    outputs = [{"tool_call_id": "c1", "output": "120"}, {"tool_call_id": "c2", "output": "no"}]
    stream = "true" if streamed else "false"
    assert server.requests[-1].path == f"/api/threads/{THREAD}/runs/run_1/submit-tool-outputs?stream={stream}"
    assert server.requests[-1].body["tool_outputs"] == outputs
    assert [tool["function"]["name"] for tool in server.requests[-1].body["tools"]][1] == "math-dot-factorial"
    history += [reply.to_message(), Message("user", "Thanks.")]
    body = sent(BACKBOARD, history)
    assert (body["content"], body["thread_id"], body["stream"]) == ("Thanks.", THREAD, False)


def test_a_backboard_run_that_was_left_waiting_is_ended_first():
    """When the user speaks instead of the tools, the run is cancelled and the results are told as text."""
    server = BACKBOARD.server
    history = [*conversation(BACKBOARD, streamed=False), Message("user", "Never mind.")]
    server.reply({"thread_id": THREAD, "run_id": "run_1", "cancelled": True})
    body = sent(BACKBOARD, history)
    assert server.requests[-2].path == f"/api/threads/{THREAD}/runs/run_1/cancel"
    assert "Result of the tool math.factorial: 120" in body["content"]
    assert body["content"].endswith("User: Never mind.")


def test_a_conversation_from_elsewhere_reaches_backboard_as_a_transcript():
    """A new thread has not heard what was said before, so it is told."""
    history = [
        *conversation(OLLAMA, streamed=False),
        Message("assistant", "120."),
        Message("user", "Thanks."),
    ]
    body = sent(BACKBOARD, history)
    assert "thread_id" not in body
    assert body["content"].startswith(
        "User: 5! and Oslo?\n\nAssistant: Let me see.\n[calls the tool math.factorial"
    )
    assert body["content"].endswith("Assistant: 120.\n\nUser: Thanks.")
