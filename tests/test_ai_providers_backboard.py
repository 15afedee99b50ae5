"""Backboard and Ollama over plain HTTP ask for what their official clients ask for; Backboard's users."""

import asyncio
import sqlite3
import threading

import ollama
import pytest
from loopback import Loopback
from provider_samples import CALLS, KEY, QUICK, SERVICES, THREAD, made
from tool_samples import ALL, BARE, DOTTED, WEATHER

from ai_tools.agent_events import ToolFinished
from ai_tools.backboard_chat import BackboardChat, TooManyRoundsError
from ai_tools.backboard_users import Assistant, UserStore
from ai_tools.cancellation import CancelToken
from ai_tools.formats import backboard as wire
from ai_tools.messages import Message
from ai_tools.providers import errors
from ai_tools.providers.backboard import BackboardProvider
from ai_tools.providers.protocol import Request, Settings
from ai_tools.registry import ToolRegistry

# backboard-sdk declares its models in a way that pydantic 2 will drop one day.
pytestmark = pytest.mark.filterwarnings("ignore:Support for class-based `config`")
OLLAMA, BACKBOARD = SERVICES[3:]
ASSISTANT = "00000000-0000-0000-0000-000000000001"
CREATED = {"assistant_id": ASSISTANT, "name": "assistant", "created_at": "2026-01-01T00:00:00Z"}


@pytest.fixture
def server():
    with Loopback() as server:
        yield server


@pytest.fixture
def ran():
    return []


@pytest.fixture
def registry(ran):
    registry = ToolRegistry()

    def factorial(args):
        ran.append(args["n"])
        result = 1
        for factor in range(2, args["n"] + 1):
            result *= factor
        return result

    registry.add("math.factorial", "n!", DOTTED.parameters, factorial)
    registry.add(
        "get_current_weather",
        "The weather",
        WEATHER.parameters,
        lambda a: {"location": a["location"], "sky": "clear"},
    )
    return registry


def chat_with(server, registry, **options):
    provider = BackboardProvider(api_key=KEY, base_url=f"{server.url}/api", sends_tools=False, retry=QUICK)
    options = {"users": ":memory:", **options}
    return BackboardChat(registry, provider, **options)


@pytest.fixture
def chat(server, registry):
    chat = chat_with(server, registry)
    chat.users.put("ann", Assistant(ASSISTANT, ""))
    server.reply(CREATED)
    chat.ensure_user_exists("ann")
    server.requests.clear()
    yield chat
    chat.close()


def paths(server):
    return [(request.method, request.path.removeprefix("/api")) for request in server.requests]


def asked(*calls):
    """Return the end of a stream that asks for outputs."""
    return BACKBOARD.events("", calls, "calls")


def outputs(request):
    return {entry["tool_call_id"]: entry["output"] for entry in request.body["tool_outputs"]}


# Assistants


@pytest.mark.scenario("B15")
def test_a_new_user_gets_an_assistant_with_all_tools(server, registry, tmp_path):
    """The first contact creates one assistant with the registry's tools; later ones ask for nothing."""
    file = tmp_path / "users.sqlite3"
    chat = chat_with(server, registry, users=file, name="Helper", system_prompt="Be brief.")
    server.reply(CREATED)
    assert chat.ensure_user_exists("ann") == ASSISTANT
    created = server.requests[0]
    assert (created.method, created.path) == ("POST", "/api/assistants")
    assert created.body == {
        "name": "Helper", "system_prompt": "Be brief.", "tools": wire.export(registry.definitions()),
    }  # fmt: skip
    assert [tool["function"]["name"] for tool in created.body["tools"]] == [
        "math-dot-factorial",
        "get_current_weather",
    ]
    assert chat.ensure_user_exists("ann") == ASSISTANT
    chat.close()
    again = chat_with(server, registry, users=file)
    assert again.ensure_user_exists("ann") == ASSISTANT
    server.reply({**CREATED, "assistant_id": "other"})
    assert again.ensure_user_exists("bob") == "other"
    assert len(server.requests) == 2
    again.close()


@pytest.mark.scenario("B15")
def test_the_assistant_uses_its_tools_in_a_conversation(server, registry, ran):
    """From first contact to answer: the tools are on the assistant, not on the message."""
    chat = chat_with(server, registry)
    server.reply(CREATED)
    server.reply(BACKBOARD.whole("", CALLS[:1], "calls"))
    server.reply(BACKBOARD.whole("120."))
    reply = chat.chat("ann", "5!")
    assert (reply.text, reply.stop_reason, ran) == ("120.", "stop", [5])
    message = server.requests[1]
    assert message.body == {"content": "5!", "assistant_id": ASSISTANT, "stream": False}
    chat.close()


@pytest.mark.scenario("B16")
def test_without_tools_the_assistant_gets_an_empty_list(server):
    """An assistant of an empty registry is created with no tools and answers in text."""
    chat = chat_with(server, ToolRegistry())
    server.reply(CREATED)
    server.reply(BACKBOARD.whole("Hello."))
    assert chat.chat("ann", "Hi").text == "Hello."
    assert server.requests[0].body["tools"] == []
    chat.close()


@pytest.mark.scenario("B17")
def test_an_assistant_from_before_gets_the_tools(server, registry, ran):
    """One that was made without tools is updated once, and can then call them."""
    chat = chat_with(server, registry)
    chat.adopt("ann", ASSISTANT)
    server.reply(CREATED)
    server.reply(BACKBOARD.whole("", CALLS[:1], "calls"))
    server.reply(BACKBOARD.whole("120."))
    assert chat.chat("ann", "5!").text == "120."
    update = server.requests[0]
    assert (update.method, update.path) == ("PUT", f"/api/assistants/{ASSISTANT}")
    assert update.body == {"tools": wire.export(registry.definitions())}
    assert ran == [5]
    chat.ensure_user_exists("ann")
    assert len(server.requests) == 3
    chat.close()


def test_changed_tools_reach_the_assistant(chat, server, registry):
    """What is registered or disabled later is sent before the user's next message."""
    registry.disable("math.factorial")
    server.reply(CREATED)
    chat.ensure_user_exists("ann")
    assert [tool["function"]["name"] for tool in server.requests[0].body["tools"]] == ["get_current_weather"]
    registry.disable("get_current_weather")
    server.reply(CREATED)
    chat.ensure_user_exists("ann")
    assert server.requests[1].body == {"tools": []}


def test_an_assistant_that_is_gone_is_made_anew(server, registry):
    """An update that finds no assistant creates one; another failure is raised and changes nothing."""
    chat = chat_with(server, registry)
    chat.adopt("ann", "old")
    server.reply({"detail": "forbidden"}, status=403)
    with pytest.raises(errors.AuthenticationError):
        chat.ensure_user_exists("ann")
    server.reply({"detail": "no such assistant"}, status=404)
    server.reply(CREATED)
    assert chat.ensure_user_exists("ann") == ASSISTANT
    assert [method for method, _ in paths(server)] == ["PUT", "PUT", "POST"]
    chat.close()


def test_first_messages_at_once_make_one_assistant(server, registry):
    """Threads wait for each other; of two processes the slower one deletes its own again."""
    chat = chat_with(server, registry)
    server.reply(CREATED)
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(chat.ensure_user_exists("ann"))) for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [ASSISTANT] * 5
    assert len(server.requests) == 1

    def other_process_is_faster(_request):
        chat.users.add("bob", Assistant("theirs", ""))
        return {**CREATED, "assistant_id": "ours"}

    server.reply_with(other_process_is_faster)
    server.reply({})
    assert chat.ensure_user_exists("bob") == "theirs"
    assert paths(server)[-1] == ("DELETE", "/assistants/ours")
    chat.close()


def test_users_of_two_services_are_others(tmp_path):
    """The store keeps assistants apart by service, and is an ordinary SQLite file."""
    file = tmp_path / "users.sqlite3"
    here, there = UserStore(file, "here"), UserStore(file, "there")
    assert here.add("ann", Assistant("1", "")) == Assistant("1", "")
    assert here.add("ann", Assistant("2", "")) == Assistant("1", "")
    assert there.get("ann") is None
    there.put("ann", Assistant("3", "x"))
    here.close()
    there.close()
    database = sqlite3.connect(file)
    assert sorted(database.execute("SELECT * FROM assistants")) == [
        ("here", "ann", "1", ""),
        ("there", "ann", "3", "x"),
    ]
    database.close()


def test_an_assistant_without_an_id_is_an_error(server, registry):
    """An answer that names no assistant is not remembered."""
    chat = chat_with(server, registry)
    server.reply({"name": "assistant"})
    with pytest.raises(errors.InvalidResponseError, match="assistant_id"):
        chat.ensure_user_exists("ann")
    assert chat.users.get("ann") is None
    chat.close()


# Tool calls


@pytest.mark.scenario("B07")
def test_a_call_in_the_stream_is_run_and_the_stream_goes_on(chat, server, ran):
    """tool_submit_required leads to execution, one submission, and more text from the same iterator."""
    server.reply_sse([*BACKBOARD.events("Let me see. ")[:-1], *asked(CALLS[0])])
    server.reply_sse(BACKBOARD.events("It is 120."))
    events = list(chat.stream("ann", "5!"))
    kinds = [event.kind for event in events]
    assert kinds.index("finished") < kinds.index("tool_started") < kinds.index("tool_finished")
    assert "text" in kinds[kinds.index("tool_finished") :]
    assert "".join(event.text for event in events if event.kind == "text") == "Let me see. It is 120."
    reply = events[-1].reply
    assert (reply.text, reply.stop_reason, ran) == ("Let me see. It is 120.", "stop", [5])
    assert (reply.usage.input_tokens, reply.extras["thread_id"]) == (14, THREAD)
    assert paths(server) == [("POST", "/threads/messages"), ("POST", "/threads/tool-outputs")]
    assert server.requests[1].body == {
        "thread_id": THREAD, "tool_outputs": [{"tool_call_id": "c1", "output": "120"}], "stream": True,
    }  # fmt: skip


@pytest.mark.scenario("B08")
def test_all_outputs_of_a_turn_are_submitted_together(chat, server, ran):
    """Several calls give one submission with an output for each id, and the answer goes on."""
    calls = [
        ("c1", "math.factorial", '{"n": 3}'),
        ("c2", "math.factorial", '{"n": 4}'),
        ("c3", "get_current_weather", '{"location": "Oslo"}'),
    ]
    server.reply_sse(asked(*calls))
    server.reply_sse(BACKBOARD.events("Done."))
    events = list(chat.stream("ann", "Everything!"))
    assert len(server.requests) == 2
    assert list(outputs(server.requests[1]).items()) == [
        ("c1", "6"), ("c2", "24"), ("c3", '{"location":"Oslo","sky":"clear"}'),
    ]  # fmt: skip
    assert ran == [3, 4]
    assert events[-1].reply.text == "Done."


@pytest.mark.scenario("B07")
@pytest.mark.parametrize("streamed", [False, True])
def test_several_rounds_of_tools_in_one_answer(chat, server, ran, streamed):
    """After its outputs the model may ask again, and again; every round is answered."""
    rounds = [
        [("c1", "math.factorial", '{"n": 3}')],
        [("c2", "math.factorial", '{"n": 4}')],
        [("c3", "math.factorial", '{"n": 5}')],
    ]
    for calls in rounds:
        (BACKBOARD.stream if streamed else BACKBOARD.plain)(server, "", calls, "calls")
    (BACKBOARD.stream if streamed else BACKBOARD.plain)(server, "Done.")
    reply = list(chat.stream("ann", "x"))[-1].reply if streamed else chat.chat("ann", "x")
    assert (reply.text, ran) == ("Done.", [3, 4, 5])
    assert [outputs(request) for request in server.requests[1:]] == [{"c1": "6"}, {"c2": "24"}, {"c3": "120"}]


@pytest.mark.scenario("B09")
def test_an_unknown_tool_is_answered_and_the_others_run(chat, server, ran):
    """The one call gets an error that says so; the valid calls of the batch run, and the stream goes on."""
    server.reply_sse(asked(("c1", "get_stock", "{}"), ("c2", "math.factorial", '{"n": 5}')))
    server.reply_sse(BACKBOARD.events("Sorry."))
    events = list(chat.stream("ann", "x"))
    found = outputs(server.requests[1])
    assert "'get_stock' not found" in found["c1"]
    assert (found["c2"], ran) == ("120", [5])
    results = [event.result for event in events if isinstance(event, ToolFinished)]
    assert [result.is_error for result in results] == [True, False]
    assert events[-1].reply.text == "Sorry."


@pytest.mark.scenario("B05")
def test_after_a_tool_that_fails_the_stream_goes_on(chat, server, registry):
    """The error's message is the output, and the model answers."""

    def fail(_args):
        raise OSError("the disk is full")

    registry.add("save", "Save", None, fail)
    server.reply(CREATED)
    server.reply_sse(asked(("c1", "save", "{}")))
    server.reply_sse(BACKBOARD.events("It could not be saved."))
    events = list(chat.stream("ann", "Save it"))
    assert outputs(server.requests[2]) == {"c1": "Error executing save: the disk is full"}
    assert events[-1].reply.text == "It could not be saved."


@pytest.mark.scenario("B06")
def test_after_a_result_without_a_json_form_the_stream_goes_on(chat, server, registry):
    """The output is a message that says what was wrong, and the model answers."""
    registry.add("cycle", "A cycle", None, lambda _args: (loop := []).append(loop) or loop)
    server.reply(CREATED)
    server.reply_sse(asked(("c1", "cycle", "{}"), ("c2", "math.factorial", '{"n": 5}')))
    server.reply_sse(BACKBOARD.events("Odd."))
    events = list(chat.stream("ann", "x"))
    found = outputs(server.requests[2])
    assert found["c1"].startswith("Error executing cycle: the result")
    assert found["c2"] == "120"
    assert events[-1].reply.text == "Odd."


def test_broken_arguments_are_answered(chat, server, ran):
    """Half JSON and wrong types give errors that say what is wrong; nothing runs."""
    server.reply_sse(asked(("c1", "math.factorial", '{"n": '), ("c2", "math.factorial", '{"n": "x"}')))
    server.reply_sse(BACKBOARD.events("Sorry."))
    list(chat.stream("ann", "x"))
    assert all(
        "Invalid arguments for tool 'math.factorial'" in text for text in outputs(server.requests[1]).values()
    )
    assert ran == []


def test_a_conversation_goes_on_in_its_thread(chat, server):
    """The reply names the thread, which the next message goes to."""
    BACKBOARD.plain(server, "Hello.")
    first = chat.chat("ann", "Hi")
    BACKBOARD.plain(server, "Fine.")
    chat.chat("ann", "How are you?", thread_id=first.extras["thread_id"])
    assert server.requests[1].body == {"content": "How are you?", "thread_id": THREAD, "stream": False}


def test_too_many_rounds_end_the_run(server, registry):
    """A model that only asks for tools is stopped: the error names the limit, the run is cancelled."""
    chat = chat_with(server, registry, rounds=2)
    server.reply(CREATED)
    for _ in range(3):
        BACKBOARD.stream(server, "", CALLS[:1], "calls")
    server.reply({"cancelled": True})
    with pytest.raises(TooManyRoundsError, match="more than 2 times"):
        list(chat.stream("ann", "x"))
    assert paths(server)[-1] == ("POST", f"/threads/{THREAD}/runs/run_1/cancel")
    assert len(server.requests) == 5
    chat.close()


def test_a_chat_that_is_left_or_fails_cancels_the_run(chat, server):
    """Whoever closes the iterator between call and outputs, or a submission that fails, leaves no run waiting."""
    BACKBOARD.stream(server, "", CALLS[:1], "calls")
    server.reply({"cancelled": True})
    events = chat.stream("ann", "x")
    while next(events).kind != "tool_started":
        pass
    events.close()
    assert paths(server)[-1][1].endswith("/cancel")
    BACKBOARD.stream(server, "", CALLS[:1], "calls")
    server.reply({"detail": "no such run"}, status=404)
    server.reply({"cancelled": True})
    with pytest.raises(errors.BadRequestError, match="no such run"):
        list(chat.stream("ann", "x"))
    assert [path.rpartition("/")[2] for _, path in paths(server)[2:]] == [
        "messages",
        "tool-outputs",
        "cancel",
    ]


def test_cancelling_a_chat(chat, server, registry):
    """A token that is cancelled while a tool runs ends the chat before its outputs are sent."""
    token = CancelToken()
    registry.add("stop", "Stop", None, lambda _args: token.cancel())
    server.reply(CREATED)
    BACKBOARD.stream(server, "", [("c1", "stop", "{}")], "calls")
    server.reply({"cancelled": True})
    with pytest.raises(errors.RequestCancelledError):
        list(chat.stream("ann", "x", cancel=token))
    assert paths(server)[-1][1].endswith("/cancel")
    assert len(server.requests) == 3


def test_the_asynchronous_twins_of_a_chat(chat, server, ran):
    """achat and astream give what chat and stream give."""
    BACKBOARD.plain(server, "", CALLS[:1], "calls")
    BACKBOARD.plain(server, "120.")
    assert asyncio.run(chat.achat("ann", "5!", thread_id=THREAD)).text == "120."
    BACKBOARD.stream(server, "", CALLS[:1], "calls")
    BACKBOARD.stream(server, "120.")

    async def stream():
        return [event async for event in chat.astream("ann", "5!")]

    events = asyncio.run(stream())
    assert [event.kind for event in events][-1] == "done"
    assert (events[-1].reply.text, ran) == ("120.", [5, 5])


def test_leaving_an_asynchronous_chat_cancels_the_run(chat, server, registry):
    """Whoever leaves while a tool runs waits for the tool, and leaves no run waiting for its output."""
    go_on = threading.Event()
    registry.add("wait", "Wait", None, lambda _args: go_on.wait(5))
    server.reply(CREATED)
    BACKBOARD.stream(server, "", [("c1", "wait", "{}")], "calls")
    server.reply({"cancelled": True})

    async def leave():
        stream = chat.astream("ann", "x")
        async for event in stream:
            if event.kind == "tool_started":
                threading.Timer(0.05, go_on.set).start()
                break
        await stream.aclose()

    asyncio.run(leave())
    assert [path.rpartition("/")[2] for _, path in paths(server)[1:]] == ["messages", "cancel"]


FAILURES = [
    {"type": "run_failed", "error": "out of luck"},
    {"type": "error", "message": "out of luck"},
    {"type": "run_ended", "status": "FAILED"},
    {"type": "run_cancelled"},
]


@pytest.mark.parametrize("event", FAILURES, ids=lambda event: event["type"])
def test_failed_runs(chat, server, event):
    """A run that fails or is cancelled elsewhere is a typed error with the service's words."""
    server.reply_sse([{"type": "content_streaming", "content": "Hm"}, event])
    with pytest.raises(errors.ProviderError, match=r"out of luck|FAILED|run_cancelled"):
        list(chat.stream("ann", "x"))
    server.reply(
        BACKBOARD.whole("") | {"messages": [{"role": "assistant", "status": "FAILED", "content": "x"}]}
    )
    with pytest.raises(errors.ProviderError, match="FAILED"):
        chat.chat("ann", "x")


def test_text_that_servers_accumulate():
    """Only what is new is told, whether the second field holds all text of the round or of all rounds."""
    service = BACKBOARD
    pieces = [("Hel", "Hel"), ("lo ", "Hello "), ("you", "Hello you")]
    whole = [(text, text) for _, text in pieces]
    later = [("Hel", "Before. Hel"), ("lo ", "Before. Hello "), ("you", "Before. Hello you")]
    with Loopback() as server:
        provider = service.provider(server.url)
        for variant in (pieces, whole, later):
            events = [
                {"type": "content_streaming", "content": c, "accumulated_content": a} for c, a in variant
            ]
            server.reply_sse([*events, {"type": "run_ended", "status": "completed"}])
            reply = list(provider.stream(Request([Message("user", "x")])))[-1].reply
            assert (reply.text, reply.stop_reason) == ("Hello you", "stop")


def test_models_and_further_fields():
    """provider/model is taken apart; what extra says goes into the message."""
    with Loopback() as server:
        BACKBOARD.plain(server, "Hello.")
        settings = Settings("openai/gpt-5", extra={"memory": "Auto", "assistant_id": ASSISTANT})
        BACKBOARD.provider(server.url).complete(
            Request([Message("user", "x")], system="S", settings=settings)
        )
        assert server.requests[0].body == {
            "content": "x", "system_prompt": "S", "llm_provider": "openai", "model_name": "gpt-5", "memory": "Auto",
            "assistant_id": ASSISTANT, "stream": False,
        }  # fmt: skip


# The official clients


def test_backboard_is_asked_as_its_own_client_asks(server):
    """Paths and bodies are those of BackboardClient, and the tools are valid by its types."""
    from backboard import BackboardClient
    from backboard.models import ToolDefinition

    tools = wire.export(ALL)
    results = [{"tool_call_id": "c1", "output": "120"}]
    created = {**CREATED, "tools": tools}
    answer = BACKBOARD.whole("Hello.")

    async def theirs():
        client = BackboardClient(api_key=KEY, base_url=f"{server.url}/api")
        await client.create_assistant("Helper", system_prompt="S", tools=tools)
        await client.update_assistant(ASSISTANT, tools=tools)
        await client.send_message("x", assistant_id=ASSISTANT, model_name="model-1", tools=tools)
        async for _ in await client.submit_tool_outputs_simple(THREAD, results, stream=True):
            pass
        async for _ in await client.submit_tool_outputs(THREAD, "run_1", results, stream=True, tools=tools):
            pass
        await client.cancel_run(THREAD, "run_1")
        await client.aclose()

    def ours():
        provider = BACKBOARD.provider(f"{server.url}", api_key=KEY)
        provider.create_assistant("Helper", ALL, "S")
        provider.update_assistant(ASSISTANT, ALL)
        extra = Settings(extra={"assistant_id": ASSISTANT})
        provider.complete(Request([Message("user", "x")], tools=ALL, settings=extra))
        link = {"backboard": {"thread_id": THREAD, "run_id": "run_1"}}
        call = wire.parse_calls([{"id": "c1", "function": {"name": "ping", "arguments": "{}"}}])
        done = [
            Message("assistant", "", calls=call, extras=link),
            Message("tool", "120", call_id="c1", name="ping"),
        ]
        list(provider.stream(Request(done)))
        list(provider.stream(Request(done, tools=ALL)))
        provider.cancel_run(THREAD, "run_1")

    seen = []
    for run in (lambda: asyncio.run(theirs()), ours):
        server.requests.clear()
        for body in (created, created, answer):
            server.reply(body)
        for _ in range(2):
            server.reply_sse([*BACKBOARD.events("Hello.")[:-1], {"type": "run_ended", "status": "completed"}])
        server.reply({"cancelled": True})
        run()
        seen.append([(r.method, r.path, r.headers["x-api-key"], r.body) for r in server.requests])
    assert seen[0] == seen[1]
    for tool in tools:
        ToolDefinition.model_validate(tool)


def test_ollama_is_asked_as_its_own_client_asks(server):
    """The request is that of ollama.Client, as far as that client's types reach."""
    for _ in range(2):
        OLLAMA.plain(server, "Hello.", [("c1", "ping", "{}")])
        OLLAMA.stream(server, "Hello.")
    messages = [{"role": "system", "content": "S"}, {"role": "user", "content": "x"}]
    tool = {"type": "function", "function": {"name": "ping", "description": BARE.description, "parameters": {"type": "object", "properties": {}}}}  # fmt: skip
    theirs = ollama.Client(host=server.url)
    options = {"model": "m", "messages": messages, "tools": [tool], "options": {"temperature": 0.5}}
    theirs.chat(**options)
    list(theirs.chat(**options, stream=True))
    ours = OLLAMA.provider(server.url)
    request = Request(
        [Message("user", "x")], system="S", tools=[BARE], settings=Settings("m", temperature=0.5)
    )
    assert made(ours.complete(request).calls) == [("c1", "ping", {})]
    assert list(ours.stream(request))[-1].reply.text == "Hello."
    plain, streamed, our_plain, our_streamed = server.requests
    assert (our_plain.path, our_plain.body) == (plain.path, plain.body)
    assert (our_streamed.path, our_streamed.body) == (streamed.path, streamed.body)
    theirs._client.close()
