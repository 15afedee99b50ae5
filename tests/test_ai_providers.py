"""What holds for every provider: answers, streams, calls, settings, errors, keys."""

import asyncio
import contextlib
import json

import pytest
from provider_samples import CALLS, EXPECTED, KEY, QUICK, REQUEST, SERVICES, TOOLS, made

from ai_tools.messages import Message
from ai_tools.providers import errors
from ai_tools.providers.catalog import PROVIDERS, UnknownProviderError, make_provider
from ai_tools.providers.protocol import ReasoningDelta, Request, Settings, TextDelta, Usage
from ai_tools.providers.sdk import MissingExtraError, load

pytestmark = pytest.mark.usefixtures("made_once")
every_service = pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)


@contextlib.contextmanager
def loopback(service):
    service.server.requests.clear()
    yield service.server, service.made


@every_service
def test_a_whole_answer(service):
    """Text, stop reason, usage and the raw answer come back; the system prompt and the text went out."""
    with loopback(service) as (server, provider):
        service.plain(server, "Hello")
        reply = provider.complete(REQUEST)
    assert (reply.text, reply.calls, reply.stop_reason) == ("Hello", (), "stop")
    cached = 3 if service.name in ("openai", "anthropic", "gemini") else 0
    assert reply.usage == Usage(7, 5, cached)
    assert reply.raw["messages" if service.name == "backboard" else next(iter(service.whole("")))]
    sent = json.dumps(server.requests[0].body)
    assert "Be brief." in sent
    assert "5! and Oslo?" in sent


@every_service
def test_a_whole_answer_with_parallel_calls(service):
    """All calls come back in order, under the names that were registered."""
    with loopback(service) as (server, provider):
        service.plain(server, "Let me see.", CALLS, "calls")
        reply = provider.complete(REQUEST)
    assert made(reply.calls) == EXPECTED
    assert (reply.text, reply.stop_reason) == ("Let me see.", "tool_calls")


@every_service
def test_a_streamed_answer(service):
    """The text comes in pieces, and whole in the one Done at the end."""
    with loopback(service) as (server, provider):
        service.stream(server, "Hello, Åsa \u2028!")
        events = list(provider.stream(REQUEST))
    texts = [event.text for event in events if event.kind == "text"]
    assert len(texts) > 2
    assert "".join(texts) == "Hello, Åsa \u2028!"
    assert [event.kind for event in events].count("done") == 1
    reply = events[-1].reply
    assert (reply.text, reply.stop_reason, reply.calls) == ("Hello, Åsa \u2028!", "stop", ())
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (7, 5)


@every_service
def test_a_streamed_answer_with_parallel_calls(service):
    """Calls that come in pieces are whole when they are finished, each exactly once."""
    with loopback(service) as (server, provider):
        service.stream(server, "Hm.", CALLS, "calls")
        events = list(provider.stream(REQUEST))
    finished = [event.call for event in events if event.kind == "finished"]
    assert made(finished) == made(events[-1].reply.calls) == EXPECTED
    assert events[-1].reply.stop_reason == "tool_calls"


@every_service
def test_the_asynchronous_twins(service):
    """acomplete and astream give what complete and stream give."""

    async def both(provider):
        reply = await provider.acomplete(REQUEST)
        return reply, [event async for event in provider.astream(REQUEST)]

    with loopback(service) as (server, provider):
        service.plain(server, "one", CALLS, "calls")
        service.stream(server, "two", CALLS, "calls")
        reply, events = asyncio.run(both(provider))
    assert (reply.text, made(reply.calls)) == ("one", EXPECTED)
    assert (events[-1].reply.text, made(events[-1].reply.calls)) == ("two", EXPECTED)


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("service", SERVICES[:4], ids=lambda service: service.name)
def test_calls_of_an_answer_that_was_cut_off_carry_an_error(service, streamed):
    """With the token limit reached, no call is fit to run, however complete its arguments look."""
    with loopback(service) as (server, provider):
        (service.stream if streamed else service.plain)(server, "Hm", CALLS, "length")
        reply = list(provider.stream(REQUEST))[-1].reply if streamed else provider.complete(REQUEST)
    assert reply.stop_reason == "length"
    assert [call.error is not None for call in reply.calls] == [True, True]


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("service", SERVICES[:3], ids=lambda service: service.name)
def test_refusals(service, streamed):
    """A refusal is a reply that says so, not an error."""
    with loopback(service) as (server, provider):
        (service.stream if streamed else service.plain)(server, "I cannot", (), "refusal")
        reply = list(provider.stream(REQUEST))[-1].reply if streamed else provider.complete(REQUEST)
    assert (reply.text, reply.stop_reason) == ("I cannot", "refusal")


@every_service
def test_an_error_in_the_middle_of_a_stream(service):
    """It is raised as a typed error after the events before it; nothing is asked again."""
    with loopback(service) as (server, provider):
        events = service.events("Hello, you", CALLS, "calls")[:3]
        service.reply(server, [*events, service.error("too much load")])
        found = []
        with pytest.raises(errors.OverloadedError, match="too much load") as caught:
            found.extend(provider.stream(REQUEST))
    assert found
    assert not any(event.kind in ("finished", "done") for event in found)
    assert caught.value.provider == service.name
    assert len(server.requests) == 1


STATUSES = [
    (400, {"error": {"message": "bad field", "type": "invalid_request_error"}}, errors.BadRequestError),
    (400, {"error": {"message": "maximum context length is 8192 tokens", "code": "context_length_exceeded"}}, errors.ContextTooLongError),
    (400, {"error": {"message": "The content management policy", "code": "content_filter"}}, errors.RefusedError),
    (401, {"error": {"message": "no such key"}}, errors.AuthenticationError),
    (402, {"error": {"message": "pay"}}, errors.QuotaExceededError),
    (403, {"detail": "forbidden"}, errors.AuthenticationError),
    (404, {"detail": "no such model"}, errors.BadRequestError),
    (429, {"error": {"message": "quota", "type": "insufficient_quota"}}, errors.QuotaExceededError),
    (308, {}, errors.BadRequestError),
]  # fmt: skip


@every_service
@pytest.mark.parametrize("streamed", [False, True])
def test_statuses_become_typed_errors(service, streamed):
    """Each kind of refusal has its class, with the service's words and the status, and is not tried again."""
    with loopback(service) as (server, provider):
        for status, body, kind in STATUSES:
            server.reply(body, status=status)
            with pytest.raises(errors.ProviderError) as caught:
                list(provider.stream(REQUEST)) if streamed else provider.complete(REQUEST)
            assert type(caught.value) is kind, (status, caught.value)
            assert (caught.value.status, caught.value.provider) == (status, service.name)
            words = body.get("detail") or body.get("error", {}).get("message") or "base_url"
            assert words in str(caught.value)
    assert len(server.requests) == len(STATUSES)


@every_service
@pytest.mark.parametrize("streamed", [False, True])
def test_a_storm_of_refusals_is_waited_out(service, streamed):
    """429 and 503 are tried again, up to the policy's limit, also for what must not arrive twice."""
    with loopback(service) as (server, provider):
        for status in (429, 503, 429):
            server.reply({"error": {"message": "later"}}, status=status)
        (service.stream if streamed else service.plain)(server, "Hello", CALLS, "calls")
        reply = list(provider.stream(REQUEST))[-1].reply if streamed else provider.complete(REQUEST)
        assert made(reply.calls) == EXPECTED
        assert len(server.requests) == 4
        for _ in range(4):
            server.reply({"error": {"message": "later"}}, status=429)
        with pytest.raises(errors.RateLimitedError, match="later"):
            list(provider.stream(REQUEST)) if streamed else provider.complete(REQUEST)
        assert len(server.requests) == 8


@every_service
def test_the_key_is_shown_nowhere(service, caplog):
    """It is in no repr, no message and no cause, even where the service repeats it; it is sent."""
    caplog.set_level(0)
    with loopback(service) as (server, provider):
        server.reply({"error": {"message": f"the key {KEY} is wrong"}}, status=401)
        with pytest.raises(errors.AuthenticationError, match=r"the key \*\*\* is wrong") as caught:
            provider.complete(REQUEST)
    shown = [
        repr(provider),
        repr(vars(provider)),
        str(caught.value),
        repr(caught.value),
        str(caught.value.__cause__),
    ]
    assert not any(KEY in text for text in [*shown, caplog.text])
    assert any(KEY in value for value in server.requests[0].headers.values())


@every_service
def test_settings_reach_the_service(service):
    """Model, limits, choice and further fields are in the body, in the service's own words."""
    settings = Settings(
        "model-2",
        max_tokens=99,
        temperature=0.5,
        tool_choice="math.factorial",
        parallel_tool_calls=False,
        extra={"seed": 7},
    )
    with loopback(service) as (server, provider):
        service.plain(server, "Hello")
        provider.complete(Request([Message("user", "hi")], tools=TOOLS, settings=settings))
    sent = server.requests[0]
    assert "model-2" in sent.path + json.dumps(sent.body)
    expected = {
        "openai": {
            "max_tokens": 99,
            "temperature": 0.5,
            "tool_choice": {"type": "function", "function": {"name": "math-dot-factorial"}},
            "parallel_tool_calls": False,
            "seed": 7,
        },
        "anthropic": {
            "max_tokens": 99,
            "temperature": 0.5,
            "seed": 7,
            "tool_choice": {"type": "tool", "name": "math-dot-factorial", "disable_parallel_tool_use": True},
        },
        "gemini": {
            "generationConfig": {"maxOutputTokens": 99, "temperature": 0.5, "seed": 7},
            "toolConfig": {
                "functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["math.factorial"]}
            },
        },
        "ollama": {"options": {"num_predict": 99, "temperature": 0.5}, "seed": 7},
        "backboard": {"seed": 7},
    }
    for key, value in expected[service.name].items():
        assert sent.body[key] == value


@every_service
@pytest.mark.parametrize("choice", ["auto", "none", "required"])
def test_tool_choices(service, choice):
    """The three words of the protocol are understood; a service without a choice gets no tools for none."""
    with loopback(service) as (server, provider):
        service.plain(server, "Hello")
        provider.complete(Request(REQUEST.messages, tools=TOOLS, settings=Settings(tool_choice=choice)))
    body = server.requests[0].body
    expected = {
        "openai": lambda: body["tool_choice"] == choice,
        "anthropic": lambda: body["tool_choice"]["type"] == {"required": "any"}.get(choice, choice),
        "gemini": lambda: body["toolConfig"]["functionCallingConfig"]["mode"] == {"auto": "AUTO", "none": "NONE", "required": "ANY"}[choice],
        "ollama": lambda: ("tools" in body) is (choice != "none"),
        "backboard": lambda: ("tools" in body) is (choice != "none"),
    }  # fmt: skip
    assert expected[service.name]()


@every_service
def test_what_cannot_be_sent_is_refused_before(service):
    """A body that is no JSON is a typed error; half of a surrogate pair is replaced."""
    with loopback(service) as (server, provider):
        with pytest.raises(errors.BadRequestError):
            provider.complete(Request([Message("user", "hi")], settings=Settings(extra={"seed": {1, 2}})))
        assert not server.requests
        service.plain(server, "Hello")
        provider.complete(Request([Message("user", "a\ud83d b")]))
        assert "a\ufffd b" in json.dumps(server.requests[0].body, ensure_ascii=False)


@pytest.mark.parametrize("service", SERVICES[:4], ids=lambda service: service.name)
def test_a_model_has_to_be_named(service):
    """Without one the error says where to name it."""
    provider = make_provider(service.name, base_url="http://127.0.0.1:9", api_key=KEY)
    with pytest.raises(errors.BadRequestError, match="pass model"):
        provider.complete(REQUEST)
    provider.close()


def test_the_catalog_makes_every_provider():
    """Names are known in any case; an unknown one lists the known ones, a wrong option the right ones."""
    for service in SERVICES:
        provider = make_provider(service.name.upper(), "m", api_key=KEY, retry=QUICK)
        assert (provider.name, provider.model) == (service.name, "m")
        provider.close()
    assert {service.name for service in SERVICES} == set(PROVIDERS)
    with pytest.raises(UnknownProviderError, match=r"'bard'.*anthropic, backboard, gemini, ollama, openai"):
        make_provider("bard")
    with pytest.raises(TypeError, match=r"no option colour.*It has: model, .*api_key"):
        make_provider("ollama", colour="red")


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("openai", "OPENAI_API_KEY"),
        ("anthropic", "ANTHROPIC_API_KEY"),
        ("gemini", "GEMINI_API_KEY"),
        ("backboard", "BACKBOARD_API_KEY"),
    ],
)
def test_keys_come_from_the_environment_and_go_to_the_service_only(name, variable, monkeypatch):
    """Without a key the error names the variable; the variable's key is not sent to another host."""
    for other in (variable, "GOOGLE_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(other, raising=False)
    with pytest.raises(errors.AuthenticationError, match=variable):
        make_provider(name, "m")
    monkeypatch.setenv(variable, KEY)
    make_provider(name, "m").close()
    service = next(service for service in SERVICES if service.name == name)
    with loopback(service) as (server, _):
        service.plain(server, "Hello")
        provider = service.provider(server.url, api_key=None)
        provider.complete(REQUEST)
        provider.close()
    assert not any(KEY in value for value in server.requests[0].headers.values())
    with pytest.raises(errors.AuthenticationError, match="characters that no key has"):
        make_provider(name, "m", api_key="sk-1\r\nx: y")


def test_a_missing_sdk_names_the_extra():
    """The error says what to install; an SDK that lacks a part of its own is another matter."""
    with pytest.raises(MissingExtraError, match=r"pip install 'gene-tools\[openai\]'"):
        load("no_such_sdk.part", "openai")
    with pytest.raises(ModuleNotFoundError) as caught:
        load("openai.no_such_part", "openai")
    assert caught.value.name == "openai.no_such_part"


@pytest.mark.parametrize("url", ["example.org", "file:///etc/passwd", "http://", "https://a/b?c=d"])
def test_base_urls_are_checked(url):
    """What is no http address is refused at once."""
    with pytest.raises(ValueError, match="base_url"):
        make_provider("ollama", "m", base_url=url)


def test_a_password_in_an_address_is_not_shown():
    """User and password are left out of the repr."""
    provider = make_provider("ollama", "m", base_url="http://me:secret@127.0.0.1:1")
    assert "secret" not in repr(provider)
    assert "127.0.0.1:1" in repr(provider)


def test_events_compare_by_what_they_hold():
    """Reasoning is told apart by its text, and from the answer's text."""
    assert ReasoningDelta("a") == ReasoningDelta("a")
    assert ReasoningDelta("a") != ReasoningDelta("b")
    assert ReasoningDelta("a") != TextDelta("a")
    assert repr(ReasoningDelta("a")) == "ReasoningDelta(text='a')"
