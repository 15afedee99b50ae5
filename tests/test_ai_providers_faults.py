"""Connections that break in every way: a typed error or a whole answer, no call lost or doubled."""

import asyncio
import contextlib
import json
import random
import socket
import threading
import time

import pytest
from faults import CUT, END, FaultyServer, answer, chunk, head
from provider_samples import CALLS, EXPECTED, QUICK, REQUEST, SERVICES, TOOLS, made

from ai_tools.cancellation import CancelToken
from ai_tools.messages import Message
from ai_tools.providers import errors
from ai_tools.providers.protocol import Request
from ai_tools.providers.retry import RetryPolicy

every_service = pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)
idempotent = pytest.mark.parametrize("service", SERVICES[:4], ids=lambda service: service.name)
ONCE = RetryPolicy(1)


@pytest.fixture(scope="module", autouse=True)
def made_once():
    """Keep one server and one provider for each service: making an SDK's client reads all certificates."""
    with contextlib.ExitStack() as opened:
        for service in SERVICES:
            service.server = opened.enter_context(FaultyServer([]))
            service.made = service.provider(service.server.url)
            opened.callback(service.made.close)
        yield


@contextlib.contextmanager
def faulty(service, *scripts, retry=QUICK):
    service.server.load(*scripts)
    service.made.retry = retry
    yield service.server, service.made


def stream_of(service, events, *end):
    return [head(), chunk(service.encoded(events, ended=not end)), *(end or (END,))]


def run(provider, request=REQUEST):
    """Return the events of a stream, and the error that ended it, if one did."""
    events = []
    try:
        events.extend(provider.stream(request))
    except errors.ProviderError as error:
        return events, error
    return events, None


@every_service
def test_wherever_a_stream_is_cut_there_is_an_error_or_the_whole_answer(service):
    """Cut after any byte, a stream never ends well with a call missing, changed or doubled."""
    whole = service.encoded(service.events("Hm.", CALLS, "calls"), ended=True)
    places = sorted({0, 1, len(whole) - 1, len(whole), *random.Random(7).sample(range(len(whole)), 25)})
    scripts = []
    for number, place in enumerate(places):
        part = chunk(whole[:place])
        cut = (CUT,), (END,), ()  # reset, ended cleanly, closed within the chunked encoding
        scripts.append([head(), part, *cut[number % 3]])
    ended = 0
    with faulty(service, *scripts, retry=ONCE) as (server, provider):
        for _ in places:
            events, error = run(provider)
            finished = [event.call for event in events if event.kind == "finished"]
            assert made(finished) == EXPECTED[: len(finished)]
            if error is None:
                ended += 1
                assert made(events[-1].reply.calls) == EXPECTED
            else:
                assert isinstance(error, errors.ConnectionFailedError | errors.InvalidResponseError), error
                assert not any(event.kind == "done" for event in events)
        assert server.connections == len(places)
    assert 1 <= ended < len(places)


@idempotent
def test_a_connection_lost_before_any_output_is_tried_again(service):
    """A reset, a close without an answer and half an answer are retried; the answer comes once."""
    good = stream_of(service, service.events("Hm.", CALLS, "calls"))
    with faulty(service, [CUT], [], [head(), chunk(b"da")], good) as (server, provider):
        events, error = run(provider)
        assert error is None
        assert made(events[-1].reply.calls) == EXPECTED
        assert server.connections == 4
    whole = answer(json.dumps(service.whole("Hm.", CALLS, "calls")).encode())
    half = [head(kind="application/json", chunked=False, content_length=900), b'{"half": ']
    with faulty(service, [CUT], half, answer(b'{"half": '), whole) as (server, provider):
        assert made(provider.complete(REQUEST).calls) == EXPECTED
        assert server.connections == 4


@every_service
def test_nothing_is_asked_again_once_output_was_streamed(service):
    """The caller has the text already; a second attempt would say it twice."""
    text = service.events("Hello, you", CALLS, "calls")[:4]
    with faulty(service, stream_of(service, text, 0.02, CUT)) as (server, provider):
        events, error = run(provider)
        assert isinstance(error, errors.ConnectionFailedError)
        assert "".join(event.text for event in events if event.kind == "text")
        assert server.connections == 1


@every_service
def test_a_cut_after_the_end_of_the_answer_does_no_harm(service):
    """Once the answer has said how it ended, its calls are whole, whatever becomes of the connection."""
    events = service.events("Hm.", CALLS, "calls")
    if service.name == "openai":
        events = events[:-1]  # the usage follows the finish reason
    with faulty(service, stream_of(service, events, 0.02, CUT)) as (_, provider):
        found, error = run(provider)
    assert error is None
    assert made(found[-1].reply.calls) == EXPECTED


@every_service
def test_what_is_no_answer_is_a_typed_error(service):
    """HTML, other JSON, half JSON, binary and empty bodies are told apart from answers."""
    bodies = [b"", b"<html>hi</html>", b"[1, 2]", b'"text"', b"null", b'{"a": ', b"{}", b"\xff\x00", b'{"choices": 5}',
              b'{"candidates": "x"}', b'{"messages": 5}', b'{"content": 5, "type": "message"}', b'{"message": []}']  # fmt: skip
    for streamed in (False, True):
        with faulty(service, *map(answer, bodies), retry=ONCE) as (_, provider):
            for body in bodies:
                with contextlib.suppress(errors.ProviderError):
                    reply = run(provider)[0] if streamed else provider.complete(REQUEST)
                    assert not reply, body


@every_service
def test_a_slow_drip_is_an_answer(service):
    """Bytes that come one by one are put together."""
    raw = service.encoded(service.events("Åsa.", CALLS, "calls"))
    drip = [step for place in range(0, len(raw), 97) for step in (chunk(raw[place : place + 97]), 0.0005)]
    with faulty(service, [head(), *drip, END]) as (_, provider):
        events, error = run(provider)
    assert error is None
    assert made(events[-1].reply.calls) == EXPECTED
    assert events[-1].reply.text == "Åsa."


SILENCES = {
    "before the head": lambda service: [9],
    "after the head": lambda service: [head(), 9],
    "within the text": lambda service: [head(), chunk(service.encoded(service.events("Hello, you")[:3])), 9],
    "within a body without an end": lambda service: [
        head(chunked=False),
        service.encoded(service.events("Hello, you")[:3]),
        9,
    ],
    "dripping": lambda service: [head(), *([chunk(b" "), 0.02] * 400)],
}


@every_service
@pytest.mark.parametrize("silence", SILENCES)
def test_the_timeout_is_for_the_whole_request(service, silence):
    """Silence at any point, and drops that never end, are a typed error when the time is up."""
    request = Request(REQUEST.messages, tools=TOOLS, timeout=0.15)
    with faulty(service, SILENCES[silence](service)) as (server, provider):
        started = time.monotonic()
        _, error = run(provider, request)
        assert isinstance(error, errors.RequestTimeoutError), error
        assert "0.15 s" in str(error)
        assert time.monotonic() - started < 2
        assert server.gone.wait(2)
        assert server.connections == 1


@every_service
@pytest.mark.parametrize("silence", ["before the head", "within the text", "within a body without an end"])
def test_another_thread_cancels_a_request(service, silence):
    """Whatever the request waits for, it ends at once with its own error, and so does the connection."""
    token = CancelToken()
    request = Request(REQUEST.messages, tools=TOOLS, cancel=token)
    timer = threading.Timer(0.1, token.cancel)
    with faulty(service, SILENCES[silence](service)) as (server, provider):
        timer.start()
        started = time.monotonic()
        _, error = run(provider, request)
        assert isinstance(error, errors.RequestCancelledError), error
        assert time.monotonic() - started < 2
        assert server.gone.wait(2)
        assert isinstance(run(provider, request)[1], errors.RequestCancelledError)
        assert server.connections == 1


@every_service
def test_closing_a_stream_closes_the_connection(service):
    """Who has read enough leaves, and the service can stop."""
    with faulty(service, SILENCES["within the text"](service)) as (server, provider):
        events = provider.stream(REQUEST)
        next(events)
        events.close()
        assert server.gone.wait(2)


@every_service
def test_a_cancelled_task_ends_its_request(service):
    """An asyncio task that is cancelled while the model is silent leaves nothing behind."""

    async def cancelled(provider):
        async def read():
            return [event async for event in provider.astream(REQUEST)]

        task = asyncio.create_task(read())
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with faulty(service, SILENCES["within the text"](service)) as (server, provider):
        asyncio.run(cancelled(provider))
        assert server.gone.wait(2)


@every_service
def test_nobody_there(service):
    """A refused connection is tried again, for every service: nothing can have arrived; then the error says so."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
    provider = service.provider(url, retry=QUICK)
    with pytest.raises(errors.ConnectionFailedError) as caught:
        provider.complete(REQUEST)
    assert caught.value.provider == service.name
    provider.close()


@every_service
def test_several_threads_share_a_provider(service):
    """Requests side by side get their own answers, and cancelling one leaves the others alone."""
    good = stream_of(service, service.events("Hm.", CALLS, "calls"))
    slow = [good[0], 0.15, *good[1:]]
    token = CancelToken()
    outcomes = {}

    def ask(number):
        cancel = token if number == 0 else None
        outcomes[number] = run(provider, Request(REQUEST.messages, tools=TOOLS, cancel=cancel))

    with faulty(service, slow) as (_, provider):
        threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        time.sleep(0.05)
        token.cancel()
        for thread in threads:
            thread.join()
    assert isinstance(outcomes[0][1], errors.RequestCancelledError)
    assert all(made(outcomes[number][0][-1].reply.calls) == EXPECTED for number in (1, 2, 3))


@pytest.mark.parametrize("streamed", [False, True])
def test_what_adds_to_a_thread_is_not_sent_twice(streamed):
    """Backboard heard the message before the connection broke: saying it again would double it."""
    service = SERVICES[4]
    with faulty(service, [CUT]) as (server, provider):
        with pytest.raises(errors.ConnectionFailedError):
            list(provider.stream(REQUEST)) if streamed else provider.complete(REQUEST)
        assert server.connections == 1


def test_a_backboard_stream_ends_with_the_request_for_outputs():
    """The server may keep the stream open until it has the outputs; nobody waits for the other."""
    service = SERVICES[4]
    asked = service.encoded(service.events("Hm.", CALLS, "calls"))
    with faulty(service, [head(), chunk(asked), 9]) as (server, provider):
        started = time.monotonic()
        events, error = run(provider, Request(REQUEST.messages, tools=TOOLS, timeout=3))
        assert error is None
        assert time.monotonic() - started < 2
        assert made(events[-1].reply.calls) == EXPECTED
        assert server.gone.wait(2)


def test_wrong_indexes_of_an_openai_stream():
    """Servers that number every call 0, repeat ids, or leave indexes out lose no call and double none."""
    service = SERVICES[0]

    def piece(index, call_id, name, arguments):
        function = {
            key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None
        }
        entry = {"index": index, "id": call_id, "function": function}
        return service.chunk({"tool_calls": [{k: v for k, v in entry.items() if v is not None}]})

    streams = [
        [piece(0, "c1", "math-dot-factorial", '{"n": 5}'), piece(0, "c2", "get_current_weather", '{"location": "Oslo"}')],
        [piece(None, "c1", "math-dot-factorial", ""), piece(None, None, None, '{"n": 5}'),
         piece(None, "c2", "get_current_weather", '{"location":'), piece(None, None, None, ' "Oslo"}')],
        [piece(0, "c1", "math-dot-factorial", '{"n"'), piece(1, "c2", "get_current_weather", '{"loc'),
         piece(0, "c1", None, ": 5}"), piece(1, "c2", None, 'ation": "Oslo"}')],
    ]  # fmt: skip
    for events in streams:
        with faulty(service, stream_of(service, [*events, service.chunk({}, "tool_calls")])) as (_, provider):
            found, error = run(provider)
        assert error is None
        assert made(found[-1].reply.calls) == EXPECTED


def test_an_openai_stream_without_a_finish_reason():
    """[DONE] ends an answer as well; half of a call's arguments are then an error of the call."""
    service = SERVICES[0]
    events = service.events("Hm.", CALLS, "calls")[:-2]
    with faulty(service, stream_of(service, events)) as (_, provider):
        reply = run(provider)[0][-1].reply
        assert (made(reply.calls), reply.stop_reason) == (EXPECTED, "tool_calls")
    with faulty(service, stream_of(service, events[:-1])) as (_, provider):
        first, second = run(provider)[0][-1].reply.calls
        assert first.error is None
        assert second.error


def test_bare_json_instead_of_a_stream():
    """A server that ignores "stream" is understood, and so is an error that it answers with."""
    service = SERVICES[0]
    body = json.dumps(service.whole("Hm.", CALLS, "calls"), indent=1).encode()
    refusal = json.dumps({"error": {"message": "no streams here", "type": "invalid_request_error"}}).encode()
    with faulty(service, answer(body), answer(refusal)) as (_, provider):
        assert made(run(provider)[0][-1].reply.calls) == EXPECTED
        assert isinstance(run(provider)[1], errors.BadRequestError)


@every_service
def test_redirects_are_not_followed(service):
    """The key in a header would go to whoever the redirect names."""
    with FaultyServer(answer(b"{}")) as other:
        moved = answer(b"", status=307, location=f"{other.url}/elsewhere")
        with (
            faulty(service, moved) as (_, provider),
            pytest.raises(errors.BadRequestError, match="set base_url"),
        ):
            provider.complete(Request([Message("user", "hi")]))
        assert other.connections == 0


@pytest.mark.parametrize("service", [SERVICES[0], SERVICES[1], SERVICES[4]], ids=lambda service: service.name)
def test_arguments_that_stop_in_the_middle(service):
    """An answer that ends well but holds half of a call's arguments gives that call an error, and keeps the other."""
    call_id, name, _ = CALLS[1]
    events = service.events("Hm.", [CALLS[0], (call_id, name, '{"location": "Os')], "calls")
    with faulty(service, stream_of(service, events)) as (_, provider):
        first, second = run(provider)[0][-1].reply.calls
    assert made([first]) == EXPECTED[:1]
    assert (second.id, second.name, second.arguments) == (call_id, name, None)
    assert "JSON" in second.error
    assert second.raw_arguments == '{"location": "Os'
