"""All calls of a turn: one result each, in their order, whatever happens."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from ai_support import registry_of

from ai_tools.registry import ToolRegistry
from ai_tools.types import ToolCall


@pytest.fixture(params=["call_all", "acall_all"])
def call_all(request):
    """Run each test through the synchronous and the asynchronous path."""
    if request.param == "call_all":
        return lambda registry, calls, **kw: registry.call_all(calls, **kw)
    return lambda registry, calls, **kw: asyncio.run(registry.acall_all(calls, **kw))


def echo(args):
    time.sleep(args.get("wait", 0))
    if args.get("fail"):
        raise SystemExit(1)
    return args["n"]


def registry_with_echo(**options):
    registry = ToolRegistry()
    registry.add("echo", "d", {"type": "object"}, echo, **options)
    return registry


@pytest.mark.scenario("B09")
@pytest.mark.parametrize("parallel", [1, 4])
def test_one_result_for_each_call(call_all, parallel):
    """Good, unknown, unparsable, failing and hanging calls get exactly one result each, in order."""
    # complaints 2, 3, 4
    registry = registry_with_echo()
    calls = [
        ToolCall("a", "echo", {"n": 1, "wait": 0.05}),
        ToolCall("b", "nope", {}),
        ToolCall("c", "echo", raw_arguments='{"n": '),
        ToolCall("d", "echo", {"n": 4, "fail": True}),
        ToolCall("e", "echo", {"n": 5, "wait": 30}),
        ToolCall("f", "echo", None, error="cut off"),
        ToolCall("g", None, {}),
        ToolCall("h", "echo", {"n": 8}),
    ]
    results = call_all(registry, calls, parallel=parallel, timeout=0.3)
    assert [result.call_id for result in results] == list("abcdefgh")
    assert [result.is_error for result in results] == [False, True, True, True, True, True, True, False]
    assert (results[0].value, results[-1].value) == (1, 8)
    assert "not found" in results[1].text
    assert "timed out" in results[4].text


def test_order_under_concurrency(call_all):
    """Results keep the order of the calls though later calls end first, and calls really overlap."""  # complaint 7
    registry = registry_with_echo()
    calls = [ToolCall(str(n), "echo", {"n": n, "wait": 0.3 - n / 50}) for n in range(6)]
    start = time.monotonic()
    assert [result.value for result in call_all(registry, calls, parallel=6)] == list(range(6))
    assert time.monotonic() - start < 1.2


def test_cap(call_all):
    """No more calls run at once than allowed."""
    running, most, lock = [0], [0], threading.Lock()

    def watch(args):
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.02)
        with lock:
            running[0] -= 1

    call_all(registry_of(watch), [ToolCall(str(n), "watch", {}) for n in range(10)], parallel=3)
    assert 2 <= most[0] <= 3


def test_sequential_tool_is_a_barrier(call_all):
    """A sequential tool waits for the calls before it, and those after it wait for it."""
    log = []

    def step(args):
        time.sleep(args["wait"])
        log.append(args["n"])

    registry = ToolRegistry()
    registry.add("step", "d", {"type": "object"}, step)
    registry.add("alone", "d", {"type": "object"}, step, sequential=True)
    waits = [("step", 0.15), ("step", 0.05), ("alone", 0.05), ("step", 0.0), ("step", 0.05)]
    calls = [ToolCall(str(n), name, {"n": n, "wait": wait}) for n, (name, wait) in enumerate(waits)]
    call_all(registry, calls, parallel=8)
    assert log == [1, 0, 2, 3, 4]


def test_sequence_is_the_default(call_all):
    """Without `parallel` the calls run one after the other."""
    log = []

    def step(args):
        log.append(args["n"])
        time.sleep(0.02)
        log.append(args["n"])

    registry = ToolRegistry()
    registry.add("step", "d", {"type": "object"}, step)
    call_all(registry, [ToolCall(str(n), "step", {"n": n}) for n in range(3)])
    assert log == [0, 0, 1, 1, 2, 2]


def test_ids_are_made_up(call_all):
    """Missing, blank and repeated ids are replaced by unique ones in the results only."""  # complaint 11
    calls = [ToolCall(i, "echo", {"n": 1}) for i in (None, "", " ", "same", "same")]
    results = call_all(registry_with_echo(), calls)
    ids = [result.call_id for result in results]
    assert len(set(ids)) == 5
    assert all(ids)
    assert ids[3] == "same"
    assert [call.id for call in calls] == [None, "", " ", "same", "same"]


def test_no_calls(call_all):
    """A turn without calls gives no results."""
    assert call_all(registry_with_echo(), []) == []
