"""The scripted model, and exchanges that are recorded and played back."""

from __future__ import annotations

import asyncio
import json
import threading
import time

import pytest
from agent_support import Tools, agent_of, call, results

from ai_tools.agent import Agent
from ai_tools.cancellation import CancelToken
from ai_tools.messages import Message
from ai_tools.providers.errors import (
    BadRequestError,
    OverloadedError,
    ProviderError,
    RateLimitedError,
    RequestCancelledError,
    RequestTimeoutError,
)
from ai_tools.providers.protocol import Provider, Request, Settings, Usage
from ai_tools.providers.recording import RecordingProvider, ReplayMismatchError, ReplayProvider
from ai_tools.providers.redaction import REDACTED, Redactor
from ai_tools.providers.scripted import ScriptedProvider, ScriptEndedError, Turn
from ai_tools.types import ToolCall

HELLO = Request([Message("user", "Hello")])


def kinds(events):
    return [event.kind for event in events]


async def collect(events):
    return [event async for event in events]


def test_every_spelling_of_a_turn():
    """Texts, calls, mappings, errors, turns and functions of the request stand for turns, in order."""
    script = [
        "a",
        Turn("b"),
        {"text": "c", "stop_reason": "length"},
        [ToolCall("x", "t", {"n": 1})],
        lambda request: request.messages[0].text,
        OverloadedError("busy"),
        7,
    ]
    provider = ScriptedProvider(iter(script))
    replies = [provider.complete(HELLO) for _ in range(5)]
    assert [reply.text for reply in replies] == ["a", "b", "c", "", "Hello"]
    assert [reply.stop_reason for reply in replies] == ["stop", "stop", "length", "tool_calls", "stop"]
    assert replies[3].calls[0] == ToolCall("x", "t", {"n": 1}, raw_arguments='{"n": 1}')
    with pytest.raises(OverloadedError):
        provider.complete(HELLO)
    with pytest.raises(TypeError, match="a turn is a text"):
        provider.complete(HELLO)
    with pytest.raises(ScriptEndedError, match="request 8 came after the end of the script"):
        provider.complete(HELLO)
    assert len(provider.requests) == 8


def test_a_stream_is_the_same_each_time():
    """Chunks, ids and events are determined by the script, streamed in a loop or not."""
    turn = Turn("Hello", [call("t", n=1), {"name": "u", "arguments": '{"n": '}], chunk=3, usage=Usage(1, 2))
    first = list(ScriptedProvider([turn]).stream(HELLO))
    again = asyncio.run(collect(ScriptedProvider([turn]).astream(HELLO)))
    assert kinds(first) == kinds(again)
    assert [event.text for event in first if event.kind == "text"] == ["Hel", "lo"]
    reply = first[-1].reply
    assert [made.id for made in reply.calls] == ["call_1_1", "call_1_2"]
    assert reply == again[-1].reply
    assert "not valid JSON" in reply.calls[1].error
    assert reply.calls[1].raw_arguments == '{"n": '
    assert asyncio.run(ScriptedProvider([turn]).acomplete(HELLO)) == reply


def test_it_is_as_strict_as_real_services():
    """A request whose calls are not answered one for one is refused."""
    calls = Message("assistant", calls=[ToolCall("a", "t", {}), ToolCall("b", "t", {})])
    answer_a, answer_b, user = (
        Message("tool", "1", call_id="a"),
        Message("tool", "2", call_id="b"),
        Message("user", "?"),
    )
    provider = ScriptedProvider(["Hi"] * 9)
    for messages in (
        [user, calls],
        [user, calls, answer_a],
        [user, calls, answer_a, user, answer_b],
        [user, calls, answer_a, answer_b, answer_b],
        [user, calls, answer_a, answer_a],
        [user, answer_a],
    ):
        with pytest.raises(BadRequestError):
            provider.complete(Request(messages))
    assert provider.complete(Request([user, calls, answer_b, answer_a, user])).text == "Hi"


def test_delays_end_with_the_time_of_the_request_or_by_cancellation():
    """A model that takes long is waited for, up to the timeout, and no longer than wanted."""
    provider = ScriptedProvider(Turn("Late", delay=0.1) for _ in range(9))
    started = time.monotonic()
    assert provider.complete(HELLO).text == "Late"
    assert time.monotonic() - started >= 0.1
    for run in (provider.complete, lambda request: asyncio.run(provider.acomplete(request))):
        with pytest.raises(RequestTimeoutError, match=r"within 0\.05 s"):
            run(Request(HELLO.messages, timeout=0.05))
        token = CancelToken()
        threading.Timer(0.02, token.cancel).start()
        with pytest.raises(RequestCancelledError):
            run(Request(HELLO.messages, cancel=token))


def test_many_threads_share_a_script():
    """Each request takes one turn; none is taken twice."""
    provider = ScriptedProvider(str(number) for number in range(400))
    texts = []

    def ask():
        texts.extend(provider.complete(HELLO).text for _ in range(50))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(int, texts)) == list(range(400))


def test_cancel_tokens():
    """What is closing is closed once, also when it comes too late; its errors are dropped."""
    token, closed = CancelToken(), []
    with token.closing(lambda: closed.append("left before")):
        pass
    with token.closing(lambda: closed.append("in time")), token.closing(lambda: 1 / 0):
        token.cancel()
        token.cancel()
    with token.closing(lambda: closed.append("too late")):
        assert token.is_cancelled
    assert closed == ["in time", "too late"]


@pytest.mark.parametrize("error", [RateLimitedError, OverloadedError, BadRequestError])
def test_errors_tell_what_a_program_needs(error):
    """Every error is typed, says who and what, and whether trying again can help."""
    made = error("slow down", provider="openai", status=429, retry_after=2.5)
    assert isinstance(made, ProviderError)
    assert str(made) == "openai 429: slow down"
    assert made.is_retryable is (error is not BadRequestError)
    assert made.retry_after == 2.5


# Recording

SCRIPT = [
    Turn("Hm.", [call("double", n=1), call("fail")], chunk=2, usage=Usage(3, 4), reasoning="think"),
    OverloadedError("busy", provider="scripted", status=529, retry_after=1.5),
    Turn("Two. ☃", usage=Usage(5, 6)),
]


def seen_of(agent):
    """Talk to an agent through an error and return what can be seen."""
    seen = []
    with pytest.raises(OverloadedError) as caught:
        seen.extend(agent.stream_chat("Go"))
    seen.extend(agent.stream_chat())
    shown = [(event.kind, getattr(event, "text", ""), getattr(event, "delta", "")) for event in seen]
    return [*shown, str(caught.value), caught.value.retry_after]


def test_record_and_replay(tmp_path):
    """What was recorded plays back event by event, errors included, through the same agent."""
    path = tmp_path / "exchange.jsonl"
    recorded = Agent(RecordingProvider(ScriptedProvider(SCRIPT), path), tools=Tools().registry)
    seen = seen_of(recorded)
    replayed = Agent(ReplayProvider(path), tools=Tools().registry)
    assert seen == seen_of(replayed)
    assert recorded.conversation.messages == replayed.conversation.messages
    assert results(replayed)[0] == "2"
    assert len(path.read_text("utf-8").splitlines()) == 3
    with pytest.raises(ReplayMismatchError, match="after the end of the recording"):
        replayed.chat("More")


def test_whole_replies_are_recorded_too(tmp_path):
    """`chat` and `achat` record and replay like the streams do."""
    path = tmp_path / "exchange.jsonl"
    turns = [SCRIPT[0], SCRIPT[2]]
    for provider in (RecordingProvider(ScriptedProvider(turns), path), ReplayProvider):
        agent = Agent(provider if isinstance(provider, Provider) else provider(path), tools=Tools().registry)
        answer = agent.chat("Go")
        assert (answer.text, answer.usage) == ("Two. ☃", Usage(8, 10))
    agent = Agent(ReplayProvider(path), tools=Tools().registry)
    assert asyncio.run(agent.achat("Go")).text == "Two. ☃"


def test_an_error_is_recorded_with_a_whole_reply(tmp_path):
    """A failed request replays as the same failure."""
    path = tmp_path / "exchange.jsonl"
    for provider in (
        lambda: RecordingProvider(ScriptedProvider([SCRIPT[1]]), path),
        lambda: ReplayProvider(path),
    ):
        with pytest.raises(OverloadedError) as caught:
            Agent(provider(), tools=[]).chat("Go")
        assert (caught.value.status, caught.value.retry_after) == (529, 1.5)


def test_a_replay_finds_what_has_changed(tmp_path):
    """Another request is refused with the place of the difference, unless the replay is told to be lenient."""
    path = tmp_path / "exchange.jsonl"
    Agent(RecordingProvider(ScriptedProvider(["Hi."]), path), tools=[], settings=Settings("m")).chat("Hello")
    for message, options, place in (
        ("Hello!", {"settings": Settings("m")}, r"request\.messages\[0\]\.text"),
        ("Hello", {"settings": Settings("n")}, r"request\.settings\.model"),
        ("Hello", {"settings": Settings("m"), "system_prompt": "S"}, r"request\.system"),
    ):
        with pytest.raises(ReplayMismatchError, match=f"request 1 differs from the recorded one at {place}"):
            Agent(ReplayProvider(path), tools=[], **options).chat(message)
        assert Agent(ReplayProvider(path, strict=False), tools=[], **options).chat(message).text == "Hi."


def test_keys_are_not_recorded(tmp_path, monkeypatch):
    """Neither keys of the environment nor what looks like one gets into the file, and the replay still fits."""
    monkeypatch.setenv("ACME_API_KEY", "very-private-value")
    path = tmp_path / "exchange.jsonl"
    secrets = ["very-private-value", "sk-proj-abcdefghij0123456789", "hunter2", "Bearer abc.def-123456"]
    extra = {"api_key": "short", "headers": {"Authorization": "x", "x-api-key": "y"}}

    def agent(provider):
        return Agent(provider, tools=[], settings=Settings(extra=extra))

    text = "use " + ", ".join(secrets)
    agent(RecordingProvider(ScriptedProvider(["Ok, hunter2."]), path, secrets=["hunter2"])).chat(text)
    written = path.read_text("utf-8")
    assert not [secret for secret in [*secrets, '"short"', '"x"', '"y"'] if secret in written]
    assert written.count(REDACTED) >= 7
    assert agent(ReplayProvider(path, secrets=["hunter2"])).chat(text).text == f"Ok, {REDACTED}."


def test_redaction_leaves_the_rest():
    """Ordinary words, numbers and structure stay as they are."""
    value = {
        "max_tokens": 5,
        "keyboard": "token",
        "list": [1, None, "task-force-of-the-year-2026"],
        "é": {"a": True},
    }
    assert Redactor().clean(value) == value


def test_an_exchange_that_was_left_early_is_recorded(tmp_path):
    """What had come until somebody stopped listening is in the file, which stays readable."""
    path = tmp_path / "exchange.jsonl"
    provider = RecordingProvider(ScriptedProvider([Turn("Hello", chunk=1), "Bye"]), path)
    events = provider.stream(HELLO)
    next(events)
    events.close()
    provider.complete(HELLO)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [len(line["events"]) for line in lines] == [1, 1]


def test_files_that_hold_no_exchanges(tmp_path):
    """A wrong file is refused with its line."""
    path = tmp_path / "exchange.jsonl"
    path.write_text('{"request": {}, "events": []}\n{"request": {}}\n')
    with pytest.raises(ValueError, match=r"exchange\.jsonl, line 2: this is no recorded exchange"):
        ReplayProvider(path)


def test_the_script_sees_the_conversation():
    """A turn can answer what it was sent, as a model would."""

    def answer(request):
        return f"It is {request.messages[-1].text}."

    assert agent_of([[call("double", n=21)], answer]).chat("21 * 2?").text == "It is 42."
