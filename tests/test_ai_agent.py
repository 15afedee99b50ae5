"""The agent: its tools, its conversation, its loop."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading

import pytest
from agent_support import WAYS, Tools, agent_of, astream_chat, call, collect, results

from ai_tools.agent import Agent, AgentBusyError
from ai_tools.agent_options import AgentOptions
from ai_tools.errors import NotFoundError
from ai_tools.messages import Message, Part, check_answered
from ai_tools.providers.errors import OverloadedError, ProviderError
from ai_tools.providers.protocol import Done, Provider, Reply, Settings, Usage
from ai_tools.providers.scripted import ScriptedProvider, Turn
from ai_tools.registry import ToolRegistry
from ai_tools.types import ExecutionContext, ToolContext  # noqa: TC001 - tools are made of annotations


@pytest.fixture(params=WAYS)
def talk(request):
    """Run a test through all four ways to talk to an agent."""
    return request.param


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Run a test in an empty directory, where the default tools work."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# Tools at run time


def offered(agent):
    """Return the names of the tools in the latest request to the model."""
    return [tool.name for tool in agent.provider.requests[-1].tools]


@pytest.mark.scenario("E26")
def test_an_agent_has_the_default_tools(here):
    """Provider and options are all it takes; reading, writing and saving are there."""
    for agent in (Agent(ScriptedProvider([])), Agent(ScriptedProvider([]), {"system_prompt": "Hi"})):
        assert agent.tools.names() == ("read_file", "write_file", "save_session_context")


@pytest.mark.scenario("E19")
@pytest.mark.scenario("T16")
def test_a_tool_that_is_added_can_be_called(talk):
    """A tool that comes after construction is offered and run."""
    agent = agent_of([[call("shout", text="hi")], "Done."], tools=[])

    def shout(text: str) -> str:
        """Say it louder."""
        return text.upper()

    agent.add_tool(shout)
    assert talk(agent, "Say hi").text == "Done."
    assert offered(agent) == ["shout"]
    assert results(agent) == ["HI"]


@pytest.mark.scenario("E20")
def test_a_tool_that_is_removed_is_gone(talk):
    """A removed tool is neither offered nor run, and the model is told."""
    tools = Tools()
    agent = agent_of([[call("double", n=1)], "Oh."], tools.registry)
    agent.remove_tool("double")
    agent.remove_tool("double")
    talk(agent, "Double 1")
    assert "double" not in offered(agent)
    assert (results(agent), tools.called) == (["Tool 'double' not found. Did you mean 'adouble'?"], [])


@pytest.mark.scenario("E21")
@pytest.mark.scenario("E22")
def test_tools_are_disabled_and_enabled(talk):
    """A disabled tool stays registered, is not offered and refuses calls, until it is enabled again."""
    tools = Tools()
    agent = agent_of([[call("double", n=1)], "Oh.", [call("double", n=2)], "Four."], tools.registry)
    agent.disable_tool("double")
    talk(agent, "Double 1")
    assert "double" not in offered(agent)
    assert "double" in agent.tools
    agent.enable_tool("double")
    talk(agent, "Double 2")
    assert "double" in offered(agent)
    assert (results(agent), tools.called) == (["Tool 'double' is not available.", "4"], [2])
    with pytest.raises(NotFoundError):
        agent.enable_tool("treble")


@pytest.mark.scenario("E23")
def test_get_tools_returns_the_enabled_schemas():
    """The schemas are those of the registry, of enabled tools only."""
    agent = agent_of([])
    agent.disable_tool("fail")
    assert agent.get_tools() == agent.tools.get_enabled_schemas()
    assert [tool["function"]["name"] for tool in agent.get_tools()] == ["double", "adouble"]


@pytest.mark.scenario("E24")
@pytest.mark.scenario("T16")
def test_calls_run_through_the_registry_and_the_loop_goes_on(talk):
    """Results are added to the conversation, are sent with the next request, and the model has the last word."""
    tools = Tools()
    agent = agent_of(["Two calls.", [call("double", n=4)], [call("adouble", n=8)], "16."], tools.registry)
    assert talk(agent, "Ready?").text == "Two calls."
    answer = talk(agent, "4 * 2 * 2?")
    assert (str(answer), answer.stop_reason, answer.steps, answer.tool_calls) == ("16.", "stop", 3, 2)
    assert tools.called == [4, 8]
    last = agent.provider.requests[-1].messages
    roles = ["user", "assistant", "user", "assistant", "tool", "assistant", "tool"]
    assert [message.role for message in last] == roles
    assert [message.text for message in last if message.role == "tool"] == ["8", "16"]
    assert agent.conversation.messages[-1].text == "16."


@pytest.mark.scenario("B08")
@pytest.mark.parametrize("parallel", [1, 4])
def test_several_calls_of_one_answer(talk, parallel):
    """All are run, their results go back together, in order and with their ids, whatever some of them do."""
    tools = Tools()
    calls = [
        call("double", "a", n=1),
        call("fail", "b"),
        call("nothing", "c"),
        call("adouble", "d", n=4),
        {"name": "double", "id": "e", "arguments": '{"n": '},
        call("double", "f", n="six"),
        call("double", "g", n=7),
    ]
    agent = agent_of([calls, "Done."], tools.registry, parallel=parallel)
    assert talk(agent, "Go").text == "Done."
    texts = results(agent)
    assert [texts[at] for at in (0, 3, 6)] == ["2", "8", "14"]
    assert texts[1] == "Error executing fail: out of luck"
    assert "not found" in texts[2]
    assert "not valid JSON" in texts[4]
    assert "n: " in texts[5]
    sent = agent.provider.requests[-1].messages
    assert [message.call_id for message in sent if message.role == "tool"] == list("abcdefg")
    assert [message.is_error for message in sent[2:]] == [False, True, True, False, True, True, False]


def test_parallel_calls_overlap_in_order(talk):
    """Calls that may run at once do, and results keep the order of the calls."""
    barrier = threading.Barrier(3, timeout=5)

    def meet(args):
        barrier.wait()
        return args["n"]

    registry = ToolRegistry()
    registry.add("meet", "Meets.", {"type": "object"}, meet)
    agent = agent_of([[call("meet", n=n) for n in range(3)], "Met."], registry, parallel=3)
    talk(agent, "Meet")
    assert results(agent) == ["0", "1", "2"]


# State


@pytest.mark.scenario("E15")
def test_tools_see_the_current_state(here):
    """A tool that keeps the context sees what changes afterwards: prompt, conversation, file."""
    agent = Agent(ScriptedProvider(["Hello.", "Yes."]), system_prompt="Be brief.")
    context: ToolContext = agent.context
    assert (context.system_prompt, context.session_context) == ("Be brief.", "")
    agent.chat("Hi")
    assert context.session_context == "user: Hi\n\nassistant: Hello."
    agent.set_system_prompt("Be verbose.")
    agent.chat("Really?")
    assert context.system_prompt == agent.provider.requests[-1].system == "Be verbose."
    agent.clear_context()
    assert (context.session_context, context.system_prompt) == ("", "Be verbose.")
    agent.options.session_context_file_path = "other.txt"
    assert context.session_context_file_path == "other.txt"


@pytest.mark.scenario("E15")
def test_a_tool_in_the_loop_sees_the_agent(talk):
    """What a tool gets as its context is the live state of the agent that runs it, and where it runs."""
    seen = []

    def look(context: ToolContext, where: ExecutionContext) -> str:
        """Look around."""
        seen.append((context.system_prompt, context.session_context, where.channel, where.chat_id))
        return "ok"

    agent = agent_of([[call("look")], "Done."], [look], system_prompt="S", channel="mail", chat_id="7")
    talk(agent, "Hi")
    assert seen == [("S", "user: Hi\n\nassistant calls look: {}", "mail", "7")]


@pytest.mark.scenario("E25")
def test_save_context_runs_the_tool_of_the_registry(here):
    """The conversation lands in the file that the options name; another tool of the name takes over."""
    agent = Agent(ScriptedProvider(["Hello."]), session_context_file_path="notes/context.txt")
    agent.chat("Hi")
    assert "notes/context.txt" in agent.save_context("end of day")
    assert (here / "notes" / "context.txt").read_text() == "user: Hi\n\nassistant: Hello."
    agent.disable_tool("save_session_context")
    assert agent.save_context("again") == "Tool 'save_session_context' is not available."
    agent.remove_tool("save_session_context")
    agent.add_tool(
        {"name": "save_session_context", "description": "", "handler": lambda args: args["reason"]}
    )
    assert agent.save_context("mine") == "mine"


def test_the_model_uses_the_default_tools(here, talk):
    """A whole task on real files: write, read back, save the context."""
    script = [
        [call("write_file", path="a.txt", content="é")],
        [call("read_file", path="a.txt")],
        [call("save_session_context", reason="done")],
        "Done.",
    ]
    agent = Agent(ScriptedProvider(script))
    talk(agent, "Write é to a.txt")
    assert (here / "a.txt").read_text("utf-8") == "é"
    assert results(agent)[1] == "é"
    assert "write_file" in (here / "session_context.txt").read_text("utf-8")


def test_options_as_a_record_a_mapping_or_fields():
    """All three spellings make the same agent; a wrong field or value is named."""
    fields = {"system_prompt": "S", "settings": {"model": "m"}, "limits": {"max_steps": 3}, "tools": []}
    for agent in (
        Agent(ScriptedProvider([]), fields),
        Agent(ScriptedProvider([]), **fields),
        Agent(ScriptedProvider([]), AgentOptions(**fields)),
    ):
        assert agent.context.system_prompt == "S"
        assert (agent.options.settings, agent.options.limits.max_steps) == (Settings("m"), 3)
    with pytest.raises(TypeError, match="not both"):
        Agent(ScriptedProvider([]), AgentOptions(), tools=[])
    for wrong in ({"colour": "red"}, {"limits": {"max_step": 3}}, {"approval": "delete"}):
        with pytest.raises(TypeError, match=r"colour|max_step|'delete'"):
            Agent(ScriptedProvider([]), wrong)
    for wrong in ({"parallel": 0}, {"limits": {"max_steps": 0}}, {"context_tokens": "many"}):
        with pytest.raises(ValueError, match=r"must be a (whole )?number above 0"):
            Agent(ScriptedProvider([]), wrong)


@pytest.mark.parametrize("message", ["", "  \n", Message("user")])
def test_empty_messages_are_refused(talk, message):
    """Services refuse messages without content, so they never get into the conversation."""
    agent = agent_of(["Hi"])
    with pytest.raises(ValueError, match="empty"):
        talk(agent, message)
    assert len(agent.conversation) == 0
    with pytest.raises(TypeError, match="a message is a text"):
        talk(agent, 7)
    with pytest.raises(ValueError, match="nothing to go on with"):
        talk(agent)


def test_a_message_with_parts(talk):
    """Pictures reach the model as they are."""
    agent = agent_of(["A dot."])
    picture = Message("user", parts=[Part("image", url="http://x/y.png")])
    talk(agent, picture)
    assert agent.provider.requests[0].messages == (picture,)


# What is sent


def test_requests_carry_settings_tools_and_window(talk):
    """Settings, enabled tools in a stable order, and only what fits of the conversation."""
    turns = [[call("double", n=n)] for n in range(6)]
    settings = Settings("m", temperature=0.5, extra={"seed": 1})
    agent = agent_of([*turns, "Done."], settings=settings, context_tokens=60, system_prompt="S")
    talk(agent, "Count")
    requests = agent.provider.requests
    assert {request.settings.model for request in requests} == {"m"}
    assert requests[-1].settings.extra == {"seed": 1}
    assert len({id(request.tools) for request in requests}) == 1  # the same tuple: prompts stay cacheable
    assert [message.text for message in requests[-1].messages if message.role == "user"] == ["Count"]
    assert len(requests[-1].messages) < len(agent.conversation) - 1
    assert all(request.system == "S" for request in requests)


def test_a_demanded_call_is_demanded_once(talk):
    """A tool that every answer must call would be called for ever; after its first call the model is free."""
    agent = agent_of([[call("double", n=1)], "Two."], settings=Settings(tool_choice="double"))
    talk(agent, "Go")
    assert [request.settings.tool_choice for request in agent.provider.requests] == ["double", None]


@pytest.mark.scenario("T17")
def test_tools_as_documentation(talk):
    """A model that takes no definitions reads about the tools in its system prompt."""
    agent = agent_of(["Hi"], document_tools=True, system_prompt="S")
    agent.disable_tool("fail")
    talk(agent, "Hi")
    (request,) = agent.provider.requests
    assert request.tools == ()
    assert request.system.startswith("S\n\n# Tools\n\n## double")
    assert "fail" not in request.system


# Answers of all kinds


def test_events_of_a_stream():
    """Text, the call being written, the run of the tool, usage and the end come in this order."""
    script = [
        Turn("Hm. ", [call("double", "a", n=21)], chunk=4, usage=Usage(10, 5), reasoning="think"),
        Turn("It is 42.", usage=Usage(20, 5, 8)),
    ]
    written = ["reasoning", "reasoning", "text", "started", "arguments", "arguments", "arguments", "finished"]
    run = ["usage", "tool_started", "tool_finished", "text", "text", "text", "usage", "answer"]
    script[1].chunk = 4
    events = list(agent_of(script).stream_chat("21 * 2?"))
    assert [event.kind for event in events] == written + run
    assert events[5].arguments_text == '{"n": 21'
    assert events[7].call.arguments == {"n": 21}
    assert (events[10].call.id, events[10].result.value) == ("a", 42)
    assert events[14].usage == Usage(30, 10, 8)
    answer = events[-1].answer
    assert (answer.text, answer.usage.total_tokens) == ("It is 42.", 40)


def test_events_are_the_same_asynchronously():
    """Both streams tell the same."""
    script = [Turn("Hm.", [call("double", "a", n=1), call("adouble", "b", n=2)], chunk=2), "Done."]
    sync = [event.kind for event in agent_of(script).stream_chat("Go")]
    assert [event.kind for event in asyncio.run(collect(agent_of(script).astream_chat("Go")))] == sync


@pytest.mark.parametrize("reason", ["length", "refusal", "error"])
def test_calls_of_a_cut_off_answer_are_not_run(talk, reason):
    """Arguments may be half of what was meant, even where they are valid JSON."""  # complaint 14
    tools = Tools()
    agent = agent_of([Turn("", [call("double", n=1)], stop_reason=reason), "Sorry."], tools.registry)
    answer = talk(agent, "Go")
    assert tools.called == []
    (text,) = results(agent)
    assert "none of its tool calls was run" in text
    assert (answer.stop_reason, answer.steps) == (("refusal", 1) if reason == "refusal" else ("stop", 2))


class Careless(Provider):
    """A provider that does not mark the calls of answers that were cut off."""

    def __init__(self, *replies):
        self.replies = list(replies)

    def stream(self, request):
        check_answered(request.messages)
        yield Done(self.replies.pop(0))


def test_cut_off_calls_of_a_careless_provider(talk):
    """The agent itself sees to it that they are not run."""
    from ai_tools.types import ToolCall

    tools = Tools()
    cut = Reply("", [ToolCall("a", "double", {"n": 1})], stop_reason="length")
    agent = Agent(Careless(cut, Reply("Sorry.", stop_reason="stop")), tools=tools.registry)
    assert talk(agent, "Go").text == "Sorry."
    assert (tools.called, len(results(agent))) == ([], 1)


def test_how_answers_end(talk):
    """A reason that is not the normal one reaches the caller; a pause goes on; an empty answer is not kept."""
    agent = agent_of([Turn("Half", stop_reason="length"), Turn("Hm", stop_reason="pause"), "So.", ""])
    assert talk(agent, "1").stop_reason == "length"
    answer = talk(agent, "2")
    assert (answer.text, answer.steps) == ("So.", 2)
    assert talk(agent, "3").text == ""
    assert agent.conversation.messages[-1].role == "user"


def test_an_error_of_the_provider_leaves_a_conversation_that_goes_on(talk):
    """The error reaches the caller, nothing is lost, and `chat()` without a message tries again."""
    tools = Tools()
    agent = agent_of([[call("double", n=1)], OverloadedError("busy"), "Two."], tools.registry)
    with pytest.raises(OverloadedError, match="busy"):
        talk(agent, "Go")
    assert results(agent) == ["2"]
    assert talk(agent).text == "Two."
    assert tools.called == [1]


def test_an_error_in_the_middle_of_a_stream(talk):
    """Calls that were streamed before the error are not run, and the half answer is not kept."""
    tools = Tools()
    agent = agent_of(
        [Turn("Half", [call("double", n=1)], error=ProviderError("broke"), chunk=1), "Whole."], tools.registry
    )
    with pytest.raises(ProviderError, match="broke"):
        talk(agent, "Go")
    assert [message.role for message in agent.conversation.messages] == ["user"]
    assert talk(agent).text == "Whole."
    assert tools.called == []


def test_a_provider_of_one_method_is_enough(talk):
    """The rest of the protocol, its asynchronous half included, follows from `stream`."""
    agent = Agent(Careless(Reply("Hi.", stop_reason="stop")), tools=[])
    assert talk(agent, "Hello").text == "Hi."


def test_errors_of_a_provider_in_a_thread_reach_the_caller(talk):
    """Nothing is swallowed on the way from the thread of a synchronous provider."""

    class Broken(Provider):
        def stream(self, request):
            yield from ()
            raise OverloadedError("busy")

    agent = Agent(Broken(), tools=[])
    with pytest.raises(OverloadedError):
        talk(agent, "Hello")

    class Mute(Provider):
        def stream(self, request):
            yield from ()

    with pytest.raises(ProviderError, match="broke off"):
        talk(Agent(Mute(), tools=[]), "Hello")


def test_one_run_at_a_time():
    """A second run is refused at once, and so is forgetting what the first one works on."""
    agent = agent_of(["One.", "Two."])
    events = agent.stream_chat("1")
    next(events)
    with pytest.raises(AgentBusyError):
        agent.chat("2")
    with pytest.raises(AgentBusyError):
        agent.clear_context()
    list(events)
    assert agent.chat("2").text == "Two."


def test_an_agent_as_a_tool_of_another(talk):
    """Agents nest: the inner one runs its own tools while the outer one waits."""
    inner = agent_of([[call("adouble", n=5)], "Ten."])

    def ask_expert(question: str) -> str:
        """Ask an expert."""
        return inner.chat(question).text

    async def ask_async(question: str) -> str:
        """Ask an expert."""
        return (await agent_of([[call("double", n=6)], "Twelve."]).achat(question)).text

    script = [[call("ask_expert", question="5*2?"), call("ask_async", question="6*2?")], "So."]
    agent = agent_of(script, [ask_expert, ask_async], parallel=2)
    talk(agent, "Ask")
    assert results(agent) == ["Ten.", "Twelve."]


def test_in_a_running_event_loop():
    """The synchronous methods work inside of a loop, as in a notebook."""

    async def main():
        agent = agent_of([[call("adouble", n=1), call("double", n=2)], "Done."], parallel=2)
        agent.chat("Go")
        return results(agent)

    assert asyncio.run(main()) == ["2", "4"]


def test_without_asyncio():
    """A synchronous program with ordinary tools does not pay for an event loop."""
    program = """if True:
        import json, sys
        from ai_tools.agent import Agent
        from ai_tools.providers.scripted import ScriptedProvider
        def double(n: int) -> int:
            "Doubles."
            return n * 2
        agent = Agent(ScriptedProvider([[{"name": "double", "arguments": {"n": 4}}], "8."]), tools=[double])
        print(json.dumps([agent.chat("4 * 2?").text, "asyncio" in sys.modules, "jsonschema" in sys.modules]))
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == ["8.", False, False]


def test_tools_of_the_main_thread():
    """A synchronous agent in the main thread runs sequential calls there: objects bound to a thread work."""
    import sqlite3

    connection = sqlite3.connect(":memory:")
    registry = ToolRegistry()
    registry.add("select", "Selects.", None, lambda args: connection.execute("select 1").fetchone())
    agent = agent_of([[call("select")], "One."], registry)
    agent.chat("Select 1")
    connection.close()
    assert results(agent) == ["[1]"]


def test_closing_an_asynchronous_stream_early():
    """Whoever stops listening ends the run; the conversation is complete."""
    tools = Tools()
    agent = agent_of([Turn("Hm.", [call("double", n=1)]), "Done."], tools.registry)

    async def main():
        events = agent.astream_chat("Go")
        async for event in events:
            if event.kind == "tool_started":
                break
        await events.aclose()

    asyncio.run(main())
    assert len(results(agent)) == 1
    assert astream_chat(agent).text == "Done."
