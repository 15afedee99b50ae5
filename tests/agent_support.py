"""What the tests of the agent share: tools that leave traces, and both ways to talk to an agent."""

from __future__ import annotations

import asyncio

from ai_tools.agent import Agent
from ai_tools.messages import check_answered
from ai_tools.providers.scripted import ScriptedProvider
from ai_tools.registry import ToolRegistry


class Tools:
    """A registry of small tools, and what was called."""

    def __init__(self):
        self.called = []
        self.registry = ToolRegistry()
        number = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
        self.registry.add("double", "Doubles.", number, self.double)
        self.registry.add("fail", "Fails.", None, self.fail)
        self.registry.add("adouble", "Doubles.", number, self.adouble)

    def double(self, args):
        self.called.append(args["n"])
        return args["n"] * 2

    async def adouble(self, args):
        await asyncio.sleep(0)
        self.called.append(args["n"])
        return args["n"] * 2

    def fail(self, args):
        self.called.append("fail")
        raise ValueError("out of luck")


def call(name, call_id=None, **arguments):
    return {"name": name, "arguments": arguments, "id": call_id}


def agent_of(turns, tools=None, **options):
    """Return an agent that plays a script."""
    return Agent(ScriptedProvider(turns), tools=tools if tools is not None else Tools().registry, **options)


def results(agent):
    """Return what the model read of its calls, after a check that each has exactly one answer."""
    check_answered(agent.conversation.messages)
    return [message.text for message in agent.conversation.messages if message.role == "tool"]


def chat(agent, *args, **options):
    return agent.chat(*args, **options)


def achat(agent, *args, **options):
    return asyncio.run(agent.achat(*args, **options))


def stream_chat(agent, *args, **options):
    return list(agent.stream_chat(*args, **options))[-1].answer


def astream_chat(agent, *args, **options):
    return asyncio.run(collect(agent.astream_chat(*args, **options)))[-1].answer


async def collect(events):
    return [event async for event in events]


WAYS = [chat, achat, stream_chat, astream_chat]
