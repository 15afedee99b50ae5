"""A chat service for users of Backboard, whose assistants call tools that run in this process.

Runs offline: a small server on the loopback interface stands in for Backboard and prints what it is asked.
For the real one, leave out `base_url` and set BACKBOARD_API_KEY.

    python examples/backboard_service.py
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from ai_tools.backboard_chat import BackboardChat
from ai_tools.providers.backboard import BackboardProvider
from ai_tools.registry import ToolRegistry
from ai_tools.weather import WEATHER

registry = ToolRegistry([WEATHER])


@registry.tool
def book_table(restaurant: str, guests: int) -> dict[str, Any]:
    """Book a table for tonight.

    Args:
        restaurant: The restaurant's name.
        guests: How many people come.
    """
    if guests > 8:
        raise ValueError(f"{restaurant} has no table for {guests}, only for up to 8")
    return {"restaurant": restaurant, "guests": guests, "time": "19:30"}


def main() -> None:
    """Let a user chat, and show what passes between the service, Backboard and the tools."""
    server = HTTPServer(("127.0.0.1", 0), StandIn)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/api"
    provider = BackboardProvider(api_key="demo-key", base_url=url, sends_tools=False)
    chat = BackboardChat(registry, provider, users=":memory:", system_prompt="You plan evenings.")
    ask(chat, "ann", "How is the weather in Oslo, and is there a table for 12 at Maaemo?")
    chat.close()
    server.shutdown()


def ask(chat: BackboardChat, user: str, text: str) -> None:
    """Send a message and print what comes back, as it comes."""
    print(f"{user}: {text}")
    for event in chat.stream(user, text):
        if event.kind == "text":
            print(f"assistant: {event.text}")
        elif event.kind == "tool_finished":
            print(f"tool {event.call.name}: {event.result.text}")
        elif event.kind == "done":
            print(f"done: {event.reply.stop_reason}, {event.reply.usage.total_tokens} tokens")


def call(call_id: str, name: str, **arguments: Any) -> dict[str, Any]:
    """Return a call as Backboard writes it."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"id": call_id, "type": "function", "function": function}


RUN = {"thread_id": "thread-1", "run_id": "run-1", "input_tokens": 40, "output_tokens": 10}
ANSWERS: list[list[dict[str, Any]]] = [
    [
        {"type": "content_streaming", "content": "Let me look."},
        {
            "type": "tool_submit_required",
            **RUN,
            "tool_calls": [
                call("call-1", "get_current_weather", location="Oslo"),
                call("call-2", "book_table", restaurant="Maaemo", guests=12),
            ],
        },
    ],
    [
        {"type": "content_streaming", "content": "Sunny! I take two tables of six."},
        {
            "type": "tool_submit_required",
            **RUN,
            "tool_calls": [call(f"call-{n}", "book_table", restaurant="Maaemo", guests=6) for n in (3, 4)],
        },
    ],
    [
        {"type": "content_streaming", "content": "Two tables at Maaemo, 19:30. Enjoy the evening."},
        {"type": "run_ended", "status": "completed", **RUN},
    ],
]


class StandIn(BaseHTTPRequestHandler):
    """Answers like Backboard, from a script."""

    answers = iter(ANSWERS)

    def do_POST(self) -> None:
        """Create an assistant, or stream the script's next answer."""
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        print(f"  -> POST {self.path} {summary(body)}")
        if self.path.endswith("/assistants"):
            self._send("application/json", [json.dumps({"assistant_id": "assistant-1"})])
        else:
            events = (f"data: {json.dumps(event)}\n\n" for event in next(self.answers))
            self._send("text/event-stream", events)

    def _send(self, kind: str, pieces: Any) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.end_headers()
        for piece in pieces:
            self.wfile.write(piece.encode())

    def log_message(self, *_: object) -> None:
        """Keep the output clean."""


def summary(body: dict[str, Any]) -> str:
    """Return a request's body with every tool's name in place of its definition."""
    names = [tool["function"]["name"] for tool in body.get("tools", ())]
    return json.dumps({**body, "tools": names} if names else body)


if __name__ == "__main__":
    main()
