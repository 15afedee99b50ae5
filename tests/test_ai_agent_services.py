"""The agent with every real provider: whole turns over sockets, through the official clients."""

from __future__ import annotations

import json
import threading
import time

import pytest
from agent_support import WAYS, Tools, chat, results, stream_chat
from faults import FaultyServer, head
from provider_samples import CALLS, SERVICES

from ai_tools.agent import Agent
from ai_tools.providers.catalog import UnknownProviderError
from ai_tools.registry import ToolRegistry

pytestmark = pytest.mark.usefixtures("made_once")
every_service = pytest.mark.parametrize("service", SERVICES, ids=lambda service: service.name)


def registry():
    """Return the tools that the sampled answers call; one works, one does not."""

    def weather(args):
        raise ConnectionError("no route to the weather")

    made = ToolRegistry()
    made.add("math.factorial", "n!", [{"name": "n", "type": "integer", "required": True}], lambda args: 120)
    made.add("get_current_weather", "Weather.", [{"name": "location", "type": "string"}], weather)
    return made


@pytest.mark.scenario("B08")
@pytest.mark.scenario("T16")
@every_service
@pytest.mark.parametrize("talk", WAYS)
def test_a_turn_with_calls(service, talk):
    """Both calls run, both outputs go back in one request with their ids, and the answer goes on."""
    server = service.server
    server.requests.clear()
    send = service.stream if talk.__name__.endswith("stream_chat") else service.plain
    send(server, "Let me see.", CALLS, "calls")
    send(server, "120, and I do not know.")
    send(server, "You are welcome.")
    agent = Agent(service.made, tools=registry(), system_prompt="Be brief.", parallel=2)
    answer = talk(agent, "5! and Oslo?")
    assert (answer.text, answer.stop_reason, answer.tool_calls) == ("120, and I do not know.", "stop", 2)
    assert results(agent) == ["120", "Error executing get_current_weather: no route to the weather"]
    assert len(server.requests) == 2
    sent = json.dumps(server.requests[1].body)
    assert sent.index("120") < sent.index("no route to the weather")
    if service.name == "backboard":
        outputs = server.requests[1].body["tool_outputs"]
        assert [output["tool_call_id"] for output in outputs] == ["c1", "c2"]
    assert talk(agent, "Thanks.").text == "You are welcome."


@every_service
@pytest.mark.parametrize("talk", [chat, stream_chat])
def test_cancel_while_the_service_is_silent(service, talk):
    """Another thread ends a request that waits for the service, and the run with it."""
    with FaultyServer([]) as server:
        server.load([head(), 20.0])
        provider = service.provider(server.url)
        agent = Agent(provider, tools=registry())
        threading.Timer(0.2, agent.cancel).start()
        started = time.monotonic()
        assert talk(agent, "Hello").stop_reason == "cancelled"
        assert time.monotonic() - started < 5
        provider.close()


def test_a_conversation_moves_between_services():
    """What one service began another one goes on with, calls and results included."""
    agent = None
    for service in SERVICES[:4]:
        server = service.server
        server.requests.clear()
        service.plain(server, "", CALLS, "calls")
        service.plain(server, f"I am {service.name}.")
        agent = Agent(service.made, tools=registry(), conversation=agent.conversation if agent else None)
        assert agent.chat("5! and Oslo?").text == f"I am {service.name}."
    assert len(results(agent)) == 8
    last = json.dumps(server.requests[-1].body)
    assert all(f"I am {service.name}." in last for service in SERVICES[:3])


def test_a_provider_by_its_name(monkeypatch):
    """A name, with a model after a colon, makes the provider; an unknown one is told what there is."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    for text, model in (("openai", None), ("openai:gpt-5", "gpt-5"), ("ollama:qwen3:8b", "qwen3:8b")):
        agent = Agent(text, tools=Tools().registry)
        assert (agent.provider.name, agent.provider.model) == (text.split(":")[0], model)
        agent.provider.close()
    with pytest.raises(UnknownProviderError, match="Known are: anthropic"):
        Agent("opnai", tools=[])
