"""What the loop of an agent costs beside the calls of its tools, with a model that answers at once.

A turn is a message, an answer that makes calls, their results, and the last answer: two requests. The loop's
own share is the turn less what the model's script and the calls take by themselves. A real model takes half a
second and more for each request.
"""

from __future__ import annotations

import asyncio
import itertools
import timeit
from statistics import median
from typing import TYPE_CHECKING, Any

from ai_tools.agent import Agent
from ai_tools.messages import Message
from ai_tools.providers.protocol import Request
from ai_tools.providers.scripted import ScriptedProvider
from ai_tools.registry import ToolRegistry
from benchmarks.tools import SCHEMA, weather

if TYPE_CHECKING:
    from collections.abc import Callable

ARGUMENTS = {"location": "San Francisco, CA", "unit": "celsius", "days": 3}
NUMBER = 200
ROUNDS = 9


def registry_of_one() -> ToolRegistry:
    registry = ToolRegistry()
    registry.add("weather", "Get the weather.", SCHEMA, weather)
    return registry


def script(calls: int) -> Any:
    return itertools.cycle([[{"name": "weather", "arguments": ARGUMENTS}] * calls, "Sunny."])


def agent_of(calls: int, **options: Any) -> Agent:
    # A service would get all of the conversation; here it is the loop that is measured.
    return Agent(
        ScriptedProvider(script(calls)), tools=registry_of_one(), limits={"max_repeats": None}, **options
    )


def turn(agent: Agent) -> Callable[[], Any]:
    def run() -> None:
        agent.chat("What is the weather?")
        agent.clear_context()

    return run


def streamed(agent: Agent) -> Callable[[], Any]:
    def run() -> None:
        for _ in agent.stream_chat("What is the weather?"):
            pass
        agent.clear_context()

    return run


def awaited(agent: Agent, runner: asyncio.Runner) -> Callable[[], Any]:
    async def run() -> None:
        await agent.achat("What is the weather?")
        agent.clear_context()

    return lambda: runner.run(run())


def model_alone(calls: int) -> Callable[[], Any]:
    """Return what plays both answers of a turn, without an agent."""
    provider = ScriptedProvider(script(calls))
    request = Request([Message("user", "What is the weather?")], tools=registry_of_one().definitions())

    def run() -> None:
        provider.complete(request)
        provider.complete(request)

    return run


def calls_alone(calls: int) -> Callable[[], Any]:
    registry = registry_of_one()
    return lambda: [registry.call("weather", ARGUMENTS) for _ in range(calls)]


def measured(runner: asyncio.Runner) -> dict[str, Callable[[], Any]]:
    """Return what is measured, by its label."""
    return {
        "registry.call": calls_alone(1),
        "script of a turn, 1 call": model_alone(1),
        "chat, 1 call": turn(agent_of(1)),
        "stream_chat, 1 call": streamed(agent_of(1)),
        "achat, 1 call": awaited(agent_of(1), runner),
        "8 times registry.call": calls_alone(8),
        "script of a turn, 8 calls": model_alone(8),
        "chat, 8 calls in order": turn(agent_of(8)),
        "chat, 8 calls in parallel": turn(agent_of(8, parallel=8)),
    }


def microseconds(works: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """Return the median time of each, measured in turns."""
    times: dict[str, list[float]] = {label: [] for label in works}
    for _ in range(ROUNDS):
        for label, work in works.items():
            times[label].append(timeit.timeit(work, number=NUMBER) / NUMBER * 1e6)
    return {label: median(rounds) for label, rounds in times.items()}


def main() -> None:
    """Print the table, then the loop's own share."""
    with asyncio.Runner() as runner:
        times = microseconds(measured(runner))
    call = times["registry.call"]
    print(f"{'one turn':<38}{'µs':>8}{'× a call':>10}")
    for label, time in times.items():
        print(f"{label:<38}{time:>8.1f}{time / call:>10.1f}")
    own = times["chat, 1 call"] - times["script of a turn, 1 call"] - call
    more = (
        times["chat, 8 calls in order"] - times["script of a turn, 8 calls"] - times["8 times registry.call"]
    )
    print()
    print(f"{'the loop itself, turn with 1 call':<38}{own:>8.1f}{own / call:>10.1f}")
    print(
        f"{'the loop itself, each further call':<38}{(more - own) / 7:>8.1f}{(more - own) / 7 / call:>10.1f}"
    )


if __name__ == "__main__":
    main()
