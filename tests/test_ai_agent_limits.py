"""Limits of a run, and runs that go round in a circle."""

from __future__ import annotations

import asyncio
import itertools
import time

import pytest
from agent_support import WAYS, Tools, agent_of, call, results

from ai_tools.agent import Agent
from ai_tools.agent_limits import REPEATABLE, LimitReachedError
from ai_tools.providers.protocol import Done, Provider, Reply, Usage
from ai_tools.providers.scripted import Turn
from ai_tools.types import ToolCall


@pytest.fixture(params=WAYS)
def talk(request):
    """Run a test through all four ways to talk to an agent."""
    return request.param


def for_ever(*names):
    """Return a script of calls without end, each with new arguments."""
    names = names or ("double",)
    return ([call(name, n=number) for name in names] for number in itertools.count())


def ended_by(talk, agent, message="Go"):
    """Run an agent into a limit and return the error, after a check that the conversation is complete."""
    with pytest.raises(LimitReachedError) as caught:
        talk(agent, message)
    results(agent)
    assert caught.value.limit in str(caught.value)
    assert caught.value.answer.stop_reason == "limit"
    return caught.value


def test_max_steps(talk):
    """A run ends after so many requests, with all its calls answered."""
    tools = Tools()
    error = ended_by(talk, agent_of(for_ever(), tools.registry, limits={"max_steps": 3}))
    assert (error.limit, error.value, error.answer.steps) == ("max_steps", 3, 3)
    assert tools.called == [0, 1, 2]


def test_there_is_a_limit_by_default(talk):
    """Nobody has to think of limits to be safe from a run that never ends."""
    assert ended_by(talk, agent_of(for_ever())).limit == "max_steps"
    assert ended_by(talk, agent_of(for_ever(*["double"] * 5))).limit in ("max_repeats", "max_tool_calls")


def test_max_tool_calls(talk):
    """Calls beyond the limit are answered, not run."""
    tools = Tools()
    agent = agent_of(for_ever("double", "adouble"), tools.registry, limits={"max_tool_calls": 3})
    error = ended_by(talk, agent)
    assert (error.limit, error.answer.tool_calls, len(tools.called)) == ("max_tool_calls", 3, 3)
    assert results(agent)[-1] == "The call of adouble was not run: the limit max_tool_calls=3 is reached."


@pytest.mark.parametrize("usage", [Usage(40, 20), None])
def test_max_total_tokens(talk, usage):
    """Tokens add up over a run; they are estimated where the service does not say."""
    script = (Turn("x" * 100, [call("double", n=n)], usage=usage) for n in itertools.count())
    error = ended_by(talk, agent_of(script, limits={"max_total_tokens": 200}))
    assert error.limit == "max_total_tokens"
    assert 200 <= error.answer.usage.total_tokens < 300
    assert 2 <= error.answer.steps <= 4


def test_max_seconds_ends_a_tool(talk):
    """The time of a run holds for its tools, though each may take longer by itself."""
    tools = Tools()
    tools.registry.add("sleep", "Sleeps.", None, lambda args: asyncio.sleep(20))
    started = time.monotonic()
    error = ended_by(talk, agent_of([[call("sleep")], "Done."], tools.registry, limits={"max_seconds": 0.2}))
    assert (error.limit, error.answer.steps) == ("max_seconds", 1)
    assert time.monotonic() - started < 5


def test_max_seconds_does_not_lengthen_the_time_of_a_tool(talk):
    """A tool's own timeout stays where it is the shorter one."""
    tools = Tools()
    tools.registry.add("sleep", "Sleeps.", None, lambda args: asyncio.sleep(20), timeout=0.1)
    agent = agent_of([[call("sleep")], "Done."], tools.registry, limits={"max_seconds": 10})
    talk(agent, "Go")
    assert results(agent) == ["Error executing sleep: timed out after 0.1 s"]


def test_max_seconds_ends_a_request(talk):
    """A model that does not answer in time ends the run by its limit."""
    error = ended_by(talk, agent_of([Turn("Late", delay=20)], limits={"max_seconds": 0.1}))
    assert error.limit == "max_seconds"


def test_max_seconds_is_over_before_the_calls(talk):
    """Calls of an answer that came too late, from a provider that knows no timeout, are answered, not run."""

    class Slow(Provider):
        def stream(self, request):
            time.sleep(0.15)
            yield Done(Reply("", [ToolCall("a", "double", {"n": 1})], stop_reason="tool_calls"))

    tools = Tools()
    agent = Agent(Slow(), tools=tools.registry, limits={"max_seconds": 0.1})
    assert ended_by(talk, agent).limit == "max_seconds"
    assert results(agent) == ["The call of double was not run: the limit max_seconds=0.1 is reached."]
    assert tools.called == []


def test_limits_hold_for_one_run(talk):
    """The next message begins anew, and `chat()` goes on where a limit ended the run."""
    tools = Tools()
    agent = agent_of(
        [*([[call("double", n=n)] for n in range(3)]), "Done.", "Hi."],
        tools.registry,
        limits={"max_steps": 3},
    )
    ended_by(talk, agent)
    assert talk(agent).text == "Done."
    assert talk(agent, "Hello").steps == 1


def test_one_call_again_and_again(talk):
    """The model is told first; if it goes on, the run ends. The order of keys makes no difference."""  # complaint 22
    tools = Tools()
    tools.registry.add(
        "look", "Looks.", {"type": "object"}, lambda args: tools.called.append(args) or "nothing"
    )
    orders = itertools.cycle(['{"a": 1, "b": [2]}', '{ "b": [2], "a": 1 }'])
    script = ([{"name": "look", "arguments": text}] for text in orders)
    agent = agent_of(script, tools.registry, limits={"max_repeats": 3})
    error = ended_by(talk, agent)
    assert (error.limit, error.value, len(tools.called)) == ("max_repeats", 3, 3)
    texts = results(agent)
    assert texts[:3] == ["nothing"] * 3
    assert "has been made 3 times with these arguments already" in texts[3]
    assert texts[4] == "The call of look was not run: the limit max_repeats=3 is reached."


def test_a_model_that_takes_the_hint_goes_on(talk):
    """The warning is an ordinary result; a run that does something else then is not ended."""
    agent = agent_of(
        [*[[call("double", n=1)]] * 3, [call("double", n=2)], "Done."], limits={"max_repeats": 2}
    )
    assert talk(agent, "Go").text == "Done."
    assert results(agent)[3] == "4"


def test_a_circle_of_several_calls(talk):
    """A circle is found whatever its length and however its calls are ordered and grouped."""
    a, b, c = (call("double", n=n) for n in range(3))
    script = itertools.cycle([[a, b], [c], [b, a], [c], [a], [b, c]])
    tools = Tools()
    error = ended_by(talk, agent_of(script, tools.registry, limits={"max_repeats": 4}))
    assert error.limit == "max_repeats"
    assert sorted(set(tools.called)) == [0, 1, 2]
    assert len(tools.called) <= 12


def test_failing_calls_count_too(talk):
    """A call that cannot be parsed, or names no tool, is a call made again."""
    for made in ({"name": "double", "arguments": '{"n": '}, call("nothing", n=1)):
        agent = agent_of(itertools.repeat([made]), limits={"max_repeats": 2})
        assert ended_by(talk, agent).limit == "max_repeats"


def test_tools_that_may_be_repeated(talk):
    """A tool that polls is exempt by its tag."""
    tools = Tools()
    tools.registry.add("poll", "Polls.", None, lambda args: "pending", tags=[REPEATABLE])
    assert talk(agent_of([*[[call("poll")]] * 20, "Done."], tools.registry), "Wait").text == "Done."


def test_limits_can_be_switched_off(talk):
    """None is no limit."""
    limits = dict.fromkeys(["max_steps", "max_tool_calls", "max_repeats"])
    agent = agent_of([*[[call("double", n=1)] * 4] * 60, "Done."], limits=limits)
    assert talk(agent, "Go").tool_calls == 240
