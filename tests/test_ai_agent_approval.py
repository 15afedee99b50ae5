"""Approval of calls: by a callback, or by a pause that may last longer than the process."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time

import pytest
from agent_support import WAYS, Tools, achat, agent_of, astream_chat, call, chat, results

from ai_tools.messages import check_answered
from ai_tools.providers.errors import OverloadedError


@pytest.fixture(params=WAYS)
def talk(request):
    """Run a test through all four ways to talk to an agent."""
    return request.param


def test_a_callback_decides(talk):
    """What it approves is run; what it does not is answered with its reason, and the run goes on."""
    asked = []

    def approve(pending):
        asked.append(pending.call.arguments["n"])
        return {1: True, 2: False, 3: "too much"}[pending.call.arguments["n"]]

    tools = Tools()
    calls = [call("double", n=n) for n in (1, 2, 3)]
    agent = agent_of([[*calls, call("fail")], "Done."], tools.registry, approval=["double"], approve=approve)
    assert talk(agent, "Go").text == "Done."
    assert (asked, tools.called) == ([1, 2, 3], [1, "fail"])
    assert results(agent)[:3] == [
        "2",
        "Error executing double: the user did not allow this call: no reason given",
        "Error executing double: the user did not allow this call: too much",
    ]


def test_which_calls_need_approval(talk):
    """All, those of the tools named, or those that a function picks."""
    for approval, expected in (
        (True, ["double", "adouble"]),
        (False, []),
        ({"adouble"}, ["adouble"]),
        (lambda made: made.arguments["n"] > 1, ["adouble"]),
    ):
        asked = []
        agent = agent_of(
            [[call("double", n=1), call("adouble", n=2)], "Done."],
            approval=approval,
            approve=lambda pending, asked=asked: asked.append(pending.call.name) or True,
        )
        talk(agent, "Go")
        assert asked == expected


def test_nobody_is_asked_about_calls_that_cannot_run(talk):
    """Wrong arguments and names are found first, and what is shown is what would run."""  # complaint 23
    asked = []
    calls = [
        call("double", n="six"),
        {"name": "double", "arguments": '{"n": '},
        call("nothing"),
        call("wrap", item='{"x": 1}'),
    ]
    tools = Tools()
    item = {"type": "object", "properties": {"item": {"type": "object"}}, "required": ["item"]}
    tools.registry.add("wrap", "Wraps.", item, lambda args: args["item"])
    agent = agent_of(
        [calls, "Done."], tools.registry, approval=True, approve=lambda p: asked.append(p.call) or True
    )
    talk(agent, "Go")
    assert [made.arguments for made in asked] == [{"item": {"x": 1}}]
    assert results(agent)[3] == '{"x":1}'


def test_a_callback_cannot_change_what_is_run(talk):
    """The decision is about the arguments that were shown; a copy is shown."""

    def approve(pending):
        pending.call.arguments["n"] = 1_000
        return True

    tools = Tools()
    agent = agent_of([[call("double", n=1)], "Done."], tools.registry, approval=True, approve=approve)
    talk(agent, "Go")
    assert tools.called == [1]


def test_a_callback_that_fails(talk):
    """Its error reaches the caller, nothing is run, and the conversation is complete."""

    def approve(pending):
        raise KeyError("dialog closed")

    tools = Tools()
    agent = agent_of([[call("double", n=1)], "Done."], tools.registry, approval=True, approve=approve)
    with pytest.raises(KeyError, match="dialog closed"):
        talk(agent, "Go")
    assert (tools.called, len(results(agent))) == ([], 1)
    agent.options.approve = lambda pending: 1
    with pytest.raises(TypeError, match="a decision is True, False or the reason"):
        talk(agent_of([[call("double", n=1)]], approval=True, approve=lambda pending: 1), "Go")


def test_an_asynchronous_callback():
    """The asynchronous methods await it; the synchronous ones say what to use."""

    async def approve(pending):
        await asyncio.sleep(0)
        return True

    for talk in (achat, astream_chat):
        agent = agent_of([[call("double", n=1)], "Two."], approval=True, approve=approve)
        assert talk(agent, "Go").text == "Two."
    with pytest.raises(TypeError, match="use achat or astream_chat"):
        chat(agent_of([[call("double", n=1)]], approval=True, approve=approve), "Go")


def test_pause_and_resume(talk):
    """Without a callback the run pauses before any call of the answer runs, and goes on with the decisions."""
    tools = Tools()
    script = [[call("double", n=1)], [call("fail"), call("double", n=2), call("double", n=3)], "Done."]
    agent = agent_of(script, tools.registry, approval=lambda made: (made.arguments or {}).get("n", 0) > 1)
    paused = talk(agent, "Go")
    assert (paused.is_paused, paused.steps, tools.called) == (True, 2, [1])
    assert [pending.call.arguments for pending in paused.pending] == [{"n": 2}, {"n": 3}]
    assert agent.pending == list(paused.pending)
    yes, no = (pending.key for pending in paused.pending)
    still = talk(agent, decisions={yes: True})
    assert [pending.key for pending in still.pending] == [no]
    answer = talk(agent, decisions={no: "not that one"})
    assert (answer.text, answer.steps, answer.tool_calls) == ("Done.", 3, 3)
    assert tools.called == [1, "fail", 2]
    assert results(agent)[-1].endswith("not that one")
    assert agent.pending == []


def test_a_decision_reaches_no_other_call(talk):
    """A key is good for one id, tool and set of arguments; any other key is refused before anything runs."""
    tools = Tools()
    agent = agent_of(
        [[call("double", "a", n=1)], [call("double", "a", n=2)], "Done."], tools.registry, approval=True
    )
    (first,) = talk(agent, "Go").pending
    with pytest.raises(ValueError, match="no call waits for a decision under 'x'"):
        talk(agent, decisions={"x": True})
    (second,) = talk(agent, decisions={first.key: True}).pending
    assert first.key != second.key
    with pytest.raises(ValueError, match="its arguments may have changed"):
        talk(agent, decisions={first.key: True})
    with pytest.raises(TypeError, match="a decision is"):
        talk(agent, decisions={second.key: None})
    assert tools.called == [1]
    assert talk(agent, decisions={second.key: True}).text == "Done."
    with pytest.raises(ValueError, match="no call waits"):
        talk(agent, decisions={second.key: True})
    assert tools.called == [1, 2]


def test_a_new_message_instead_of_a_decision(talk):
    """The calls that waited are answered as not allowed, and the model hears both."""
    tools = Tools()
    agent = agent_of([[call("double", n=1)], "All right."], tools.registry, approval=True)
    assert talk(agent, "Go").is_paused
    assert talk(agent, "Never mind").text == "All right."
    assert results(agent) == ["Error executing double: the user went on without allowing this call"]
    assert tools.called == []


def test_a_message_and_decisions_at_once(talk):
    """It cannot be both, and nothing is done."""
    agent = agent_of([[call("double", n=1)], "Done."], approval=True)
    (pending,) = talk(agent, "Go").pending
    with pytest.raises(ValueError, match="decisions or a message"):
        talk(agent, "And hurry", decisions={pending.key: True})
    assert talk(agent, decisions={pending.key: True}).text == "Done."


def test_a_stream_that_is_left_at_the_pause():
    """Whoever stops listening when asked for approval can still give it."""
    agent = agent_of([[call("double", n=1)], "Done."], approval=True)
    events = agent.stream_chat("Go")
    (pending,) = next(event.pending for event in events if event.kind == "approval_required")
    events.close()
    assert agent.chat(decisions={pending.key: True}).text == "Done."


def test_time_to_think_is_not_counted(talk):
    """A human who takes long does not use up the time of the run."""
    agent = agent_of(
        [[call("double", n=1)], "Done."],
        limits={"max_seconds": 0.2},
        approval=True,
        approve=lambda pending: time.sleep(0.3) or True,
    )
    assert talk(agent, "Go").text == "Done."


def test_clearing_ends_a_pause():
    """Nothing of a paused run is left after the conversation is cleared."""
    agent = agent_of([[call("double", n=1)], "Hi."], approval=True)
    agent.chat("Go")
    agent.clear_context()
    assert agent.pending == []
    assert agent.chat("Hello").text == "Hi."


def test_a_tool_that_is_gone_while_a_call_waits(talk):
    """A call whose tool was removed or no longer needs approval does not wait; it goes its ordinary way."""
    tools = Tools()
    agent = agent_of([[call("double", n=1)], "Done."], tools.registry, approval=True)
    talk(agent, "Go")
    agent.remove_tool("double")
    assert agent.pending == []
    assert talk(agent).text == "Done."
    assert "not found" in results(agent)[0]


RESUME = """if True:
    import json, sys
    from ai_tools.agent import Agent
    from ai_tools.providers.scripted import ScriptedProvider
    called = []
    def pay(amount: int) -> str:
        "Pays."
        called.append(amount)
        return f"paid {amount}"
    agent = Agent(ScriptedProvider(json.loads(sys.argv[2])), tools=[pay], approval=True, limits={"max_repeats": 2})
    if sys.argv[3] == "begin":
        answer = agent.chat("Pay 1, then 2")
        answer = agent.chat(decisions={p.key: True for p in answer.pending})
        agent.save_state(sys.argv[1])
    else:
        agent.load_state(sys.argv[1])
        answer = agent.chat(decisions={p.key: True for p in agent.pending})
    print(json.dumps({"called": called, "text": answer.text, "steps": answer.steps, "transcript":
        agent.conversation.transcript(), "pending": [p.call.arguments for p in answer.pending]}))
"""


def test_resume_in_another_process(tmp_path):
    """A paused run goes on in another process: finished calls are not run again, counts go on."""

    def run(script, mode):
        program = [sys.executable, "-c", RESUME, str(tmp_path / "state.json"), json.dumps(script), mode]
        done = subprocess.run(program, capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    pay = [[call("pay", amount=1)], [call("pay", amount=2)]]
    first = run(pay, "begin")
    assert (first["called"], first["pending"], first["steps"]) == ([1], [{"amount": 2}], 2)
    second = run(["Paid."], "resume")
    assert (second["called"], second["text"], second["steps"]) == ([2], "Paid.", 3)
    assert [second["transcript"].count(f"paid {amount}") for amount in (1, 2)] == [1, 1]


def test_decisions_are_saved_too(tmp_path, talk):
    """What has been decided before the save need not be decided again."""
    tools = Tools()
    agent = agent_of([[call("double", n=1), call("double", n=2)]], tools.registry, approval=True)
    first, second = talk(agent, "Go").pending
    talk(agent, decisions={first.key: "no"})
    agent.save_state(tmp_path / "state.json")
    other = agent_of(["Done."], tools.registry, approval=True)
    other.load_state(tmp_path / "state.json")
    assert [pending.key for pending in other.pending] == [second.key]
    assert talk(other, decisions={second.key: True}).text == "Done."
    assert tools.called == [2]


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"version": 1}', '{"version": 1, "run": {"steps": 1}}'])
def test_files_that_hold_no_state(tmp_path, content):
    """A wrong file is refused and leaves the agent as it is."""
    agent = agent_of(["Hi."])
    agent.chat("Hello")
    (tmp_path / "state.json").write_text(content)
    with pytest.raises(ValueError, match=r"state\.json holds no state of an agent: "):
        agent.load_state(tmp_path / "state.json")
    assert len(agent.conversation) == 2


def test_an_error_after_the_approved_call(talk):
    """What was approved and has run is not asked for or run again when the run goes on after an error."""
    tools = Tools()
    agent = agent_of([[call("double", n=1)], OverloadedError("busy"), "Done."], tools.registry, approval=True)
    (pending,) = talk(agent, "Go").pending
    with pytest.raises(OverloadedError):
        talk(agent, decisions={pending.key: True})
    assert talk(agent).text == "Done."
    assert tools.called == [1]
    check_answered(agent.conversation.messages)
