"""Cancellation, and what a run leaves behind: a complete conversation and nothing that still runs."""

from __future__ import annotations

import asyncio
import gc
import itertools
import signal
import subprocess
import sys
import threading
import time

import pytest
from agent_support import WAYS, Tools, agent_of, call, chat, collect, results

from ai_tools import workers
from ai_tools.messages import Message, check_answered
from ai_tools.providers.errors import RequestCancelledError
from ai_tools.providers.protocol import Provider, Request, TextDelta
from ai_tools.providers.scripted import Turn
from ai_tools.registry import ToolRegistry


@pytest.fixture(params=WAYS)
def talk(request):
    """Run a test through all four ways to talk to an agent."""
    return request.param


@pytest.fixture(params=["main thread", "other thread"])
def in_thread(request):
    """Run work in the main thread, which signals can reach, or in another one."""
    if request.param == "main thread":
        return lambda work: work()

    def run(work):
        done = []
        thread = threading.Thread(target=lambda: done.append(work()))
        thread.start()
        thread.join(20)
        return done[0]

    return run


class Sleepers:
    """Tools that take long in different ways; `began` is set when one has begun, `late` if one was not ended."""

    def __init__(self):
        self.began = threading.Event()
        self.late = False
        self.registry = ToolRegistry()
        for tool in (self.spin, self.asleep):
            self.registry.add(tool.__name__, "Takes long.", None, tool)
        self.registry.add("quick", "Is quick.", None, lambda args: "quick")

    def spin(self, args):
        self.began.set()
        deadline = time.monotonic() + 15
        while time.monotonic() < deadline:
            pass
        self.late = True

    async def asleep(self, args):
        self.began.set()
        await asyncio.sleep(15)
        self.late = True


def cancel_when(event, agent):
    """Cancel an agent from another thread as soon as something has begun."""
    thread = threading.Thread(target=lambda: (event.wait(10), time.sleep(0.05), agent.cancel()))
    thread.start()
    return thread


@pytest.mark.parametrize("name", ["spin", "asleep"])
@pytest.mark.parametrize("parallel", [1, 4])
def test_cancel_ends_running_tools(talk, in_thread, name, parallel):
    """The tool is really ended, finished calls keep their results, and the conversation goes on."""  # complaint 5
    tools = Sleepers()
    agent = agent_of(
        [[call("quick"), call(name), call("quick")], "Go on."], tools.registry, parallel=parallel
    )
    thread = cancel_when(tools.began, agent)
    started = time.monotonic()
    answer = in_thread(lambda: talk(agent, "Go"))
    assert time.monotonic() - started < 5
    assert answer.stop_reason == "cancelled"
    texts = results(agent)
    assert (texts[0], texts[1]) == ("quick", f"Error executing {name}: the call was cancelled")
    assert len(texts) == 3
    assert talk(agent, "What now?").text == "Go on."
    thread.join()
    assert not tools.late


def test_cancel_ends_a_blocking_call(in_thread):
    """Nobody waits for a tool that sleeps in a system call."""
    began = threading.Event()
    registry = ToolRegistry()
    registry.add("sleep", "Sleeps.", None, lambda args: began.set() or time.sleep(3))
    agent = agent_of([[call("sleep")]], registry)
    cancel_when(began, agent)
    started = time.monotonic()
    assert in_thread(lambda: agent.chat("Go")).stop_reason == "cancelled"
    assert time.monotonic() - started < 2


def test_cancel_while_the_model_thinks(talk):
    """The request is ended, and the next message follows."""
    agent = agent_of([Turn("Late.", delay=15), "Hi."])
    timer = threading.Timer(0.1, agent.cancel)
    timer.start()
    started = time.monotonic()
    assert talk(agent, "Go").stop_reason == "cancelled"
    assert time.monotonic() - started < 5
    assert talk(agent, "Hello").text == "Hi."


class Endless(Provider):
    """A stream without end, of a provider that knows nothing of cancellation."""

    def __init__(self):
        self.closed = threading.Event()

    def stream(self, request):
        try:
            while True:
                yield TextDelta("blah ")
        finally:
            self.closed.set()


def test_cancel_within_a_stream():
    """The stream is closed, and the text that people have seen stays in the conversation."""
    from ai_tools.agent import Agent

    agent = Agent(Endless(), tools=[])
    events = agent.stream_chat("Go")
    texts = [next(events).text for _ in range(3)]
    agent.cancel()
    assert next(events).answer.stop_reason == "cancelled"
    assert agent.conversation.messages[-1].text == "".join(texts)
    assert agent.provider.closed.is_set()


def test_closing_a_stream_within_an_answer():
    """Whoever stops iterating ends the run as a cancellation does, sync and async."""
    from ai_tools.agent import Agent

    agent = Agent(Endless(), tools=[])
    events = agent.stream_chat("Go")
    next(events)
    events.close()
    assert [message.text for message in agent.conversation.messages] == ["Go", "blah "]
    assert agent.provider.closed.is_set()

    async def main():
        agent = Agent(Endless(), tools=[])
        events = agent.astream_chat("Go")
        async for _ in events:
            break
        await events.aclose()
        return agent

    agent = asyncio.run(main())
    assert agent.provider.closed.wait(5)
    assert agent.conversation.messages[-1].role == "assistant"


@pytest.mark.parametrize("way", ["achat", "astream_chat"])
@pytest.mark.parametrize("name", ["spin", "asleep"])
def test_a_cancelled_task(way, name):
    """Cancelling the await ends the tools, answers the calls and raises CancelledError."""
    tools = Sleepers()
    agent = agent_of([[call("quick"), call(name)], "Go on."], tools.registry)

    async def main():
        coroutine = agent.achat("Go") if way == "achat" else collect(agent.astream_chat("Go"))
        task = asyncio.create_task(coroutine)
        await asyncio.to_thread(tools.began.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert results(agent)[0] == "quick"
    assert len(results(agent)) == 2
    assert chat(agent, "What now?").text == "Go on."
    assert not tools.late


class Silent(Provider):
    """A synchronous service that answers to nothing but a cancellation."""

    def __init__(self):
        self.began, self.ended = threading.Event(), threading.Event()

    def stream(self, request):
        woken = threading.Event()
        with request.cancel.closing(woken.set):
            self.began.set()
            woken.wait(15)
        self.ended.set()
        raise RequestCancelledError("gone")
        yield


@pytest.mark.parametrize("way", ["complete", "stream"])
def test_a_cancelled_await_ends_the_request_in_its_thread(way):
    """No thread is left waiting for a service that nobody listens to any more."""

    async def main():
        provider = Silent()
        request = Request([Message("user", "Hi")])
        work = provider.acomplete(request) if way == "complete" else collect(provider.astream(request))
        task = asyncio.create_task(work)
        await asyncio.to_thread(provider.began.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(provider.ended.wait, 5)

    asyncio.run(main())


def test_cancel_before_and_after_a_run(talk):
    """A cancellation concerns the run that goes on, and no later one."""
    agent = agent_of(["Hi.", "Hello."])
    agent.cancel()
    assert talk(agent, "1").stop_reason == "stop"
    agent.cancel()
    assert talk(agent, "2").stop_reason == "stop"


def test_a_provider_that_is_cancelled_by_somebody_else(talk):
    """Only the agent's own cancellation is an answer; another one is an error."""
    with pytest.raises(RequestCancelledError):
        talk(agent_of([RequestCancelledError("who?")]), "Go")


INTERRUPTED = """if True:
    import sys, time
    from ai_tools.agent import Agent
    from ai_tools.messages import check_answered
    from ai_tools.providers.scripted import ScriptedProvider
    def sleep() -> None:
        "Sleeps."
        sys.stdout.write("began\\n")
        sys.stdout.flush()
        time.sleep(20)
    agent = Agent(ScriptedProvider([[{"name": "sleep"}, {"name": "sleep"}], "Go on."]), tools=[sleep],
        parallel=int(sys.argv[1]))
    try:
        agent.chat("Go")
    except KeyboardInterrupt:
        check_answered(agent.conversation.messages)
        print(len(agent.conversation), agent.chat("What now?"), flush=True)
"""


@pytest.mark.parametrize("parallel", ["1", "2"])
def test_ctrl_c(parallel):
    """Ctrl-C reaches the program at once, and the conversation is complete."""
    program = [sys.executable, "-c", INTERRUPTED, parallel]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "began\n"
        time.sleep(0.2)
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        lines = iter(process.stdout.readline, "")
        assert next(line for line in lines if line != "began\n") == "4 Go on.\n"
        assert time.monotonic() - started < 5
        process.kill()  # its abandoned tool still sleeps


# Soak

TURNS, CALLS = 1_000, 8


@pytest.mark.parametrize("way", ["sync", "async"])
def test_a_thousand_turns(way):
    """A thousand turns of eight parallel calls: all answered, memory flat, no thread left over."""
    tools = Tools()
    turn = [call(("double", "adouble")[n % 2], n=n) for n in range(CALLS)]
    agent = agent_of(itertools.cycle([turn, "Done."]), tools.registry, parallel=CALLS)

    def one_is_done():
        assert sorted(tools.called) == list(range(CALLS))
        tools.called.clear()
        if len(agent.conversation) > 500:
            forget()

    def forget():
        check_answered(agent.conversation.messages)
        agent.clear_context()
        agent.provider.requests.clear()

    async def aturns(count):
        for _ in range(count):
            await agent.achat("Go")
            one_is_done()

    def turns(count):
        if way == "async":
            asyncio.run(aturns(count))
        for _ in range(count if way == "sync" else 0):
            agent.chat("Go")
            one_is_done()
        forget()
        gc.collect()
        return sys.getallocatedblocks()

    before, threads = turns(100), set(threading.enumerate())
    assert turns(TURNS - 100) - before < 2_000  # blocks of memory, after 7,200 calls
    new = [thread.name for thread in set(threading.enumerate()) - threads]
    assert set(new) <= {"ai_tools worker"}  # they wait for work, so many at most
    assert len(new) <= workers.MAX_IDLE
