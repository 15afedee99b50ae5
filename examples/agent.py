"""An agent from end to end: tools, a stream of events, approval by a human, and a pause that outlives it.

    python examples/agent.py

No network, no key: the model is a script. With a real one, only the provider changes.
"""

from __future__ import annotations

import os
import tempfile

from ai_tools.agent import Agent
from ai_tools.providers.scripted import ScriptedProvider, Turn

TABLES = {"Luigi": 2, "Chez Anne": 6}


def find_tables(people: int) -> list[str]:
    """Find restaurants with a free table.

    Args:
        people: How many people have to sit at it.
    """
    return [name for name, seats in TABLES.items() if seats >= people]


def book_table(restaurant: str, people: int) -> str:
    """Book a table.

    Args:
        restaurant: Name of the restaurant.
        people: How many people come.
    """
    if people > TABLES[restaurant]:
        raise ValueError(f"{restaurant} has no table for {people}")
    return f"booked {restaurant} for {people}"


# What the model says. It gets one thing wrong in its first call, reads the error, and does better.
BEFORE = [
    Turn("Let me look.", [{"name": "find_tables", "arguments": {"people": "four"}}], chunk=6),
    Turn(calls=[{"name": "find_tables", "arguments": {"people": 4}}]),
    Turn("Chez Anne it is.", [{"name": "book_table", "arguments": {"restaurant": "Chez Anne", "people": 4}}]),
]
AFTER = [lambda request: f"Done: {request.messages[-1].text}."]


def agent_with(script: list[object]) -> Agent:
    """Return the agent; every booking needs a human's approval."""
    return Agent(
        ScriptedProvider(script),
        system_prompt="You book tables.",
        tools=[find_tables, book_table],
        approval=["book_table"],
        limits={"max_steps": 10},
    )


def main() -> None:
    """Talk to the agent until it pauses; go on with another one, as another process would."""
    print("Streaming:")
    agent = agent_with(BEFORE)
    for event in agent.stream_chat("A table for four, please."):
        if event.kind == "text":
            print("  text:", repr(event.text))
        elif event.kind == "tool_finished":
            print("  tool:", event.call.name, event.call.arguments, "->", event.result.text)
        elif event.kind == "approval_required":
            print("  asks:", *(f"{entry.call.name} {entry.call.arguments}" for entry in event.pending))
        elif event.kind == "answer":
            print("  ended:", event.answer.stop_reason, "after", event.answer.steps, "steps")

    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "state.json")
        agent.save_state(path)
        other = agent_with(AFTER)
        other.load_state(path)

    print("Later, elsewhere:")
    (waiting,) = other.pending
    print("  yes to", waiting.call.name, waiting.call.arguments)
    answer = other.chat(decisions={waiting.key: True})
    print(" ", answer)

    print("The whole conversation:")
    for line in other.conversation.transcript().split("\n\n"):
        print(" ", line)


if __name__ == "__main__":
    main()
