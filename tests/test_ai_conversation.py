"""Conversations: order, windows of context, files."""

from __future__ import annotations

import json
import os

import pytest
from ai_support import registry_of
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat import ChatCompletionMessageParam
from sdk_types import check

from ai_tools import tokens
from ai_tools.conversation import ContextLimitError, Conversation, ConversationError
from ai_tools.documentation import document, document_all
from ai_tools.messages import Message, Part, check_answered
from ai_tools.registry import ToolRegistry
from ai_tools.types import ToolCall, ToolDefinition, ToolResult


def one_each(_message):
    """Count every message as one token, so that limits in tests are numbers of messages."""
    return 1


def exchange(conversation, *ids):
    """Add calls and their results."""
    conversation.add("assistant", calls=[ToolCall(call_id, "tool", {}) for call_id in ids])
    conversation.add_results([ToolResult(None, f"result {call_id}", call_id=call_id) for call_id in ids])


def texts(messages):
    return [message.text or f"calls {','.join(call.id for call in message.calls)}" for message in messages]


def test_create_with_and_without_system_prompt():
    """The system prompt comes first in the context, and is missing where there is none."""
    with_prompt, without = Conversation("Be brief."), Conversation()
    for conversation in (with_prompt, without):
        conversation.add("user", "Hi")
    assert [message.role for message in with_prompt.get_context()] == ["system", "user"]
    assert [message.role for message in without.get_context()] == ["user"]


def test_clear_keeps_the_system_prompt():
    """Clearing forgets the messages and nothing else."""
    conversation = Conversation("Be brief.")
    conversation.add("user", "Hi")
    conversation.clear()
    assert (len(conversation), conversation.system_prompt) == (0, "Be brief.")
    assert texts(conversation.get_context()) == ["Be brief."]


def test_messages_are_a_snapshot():
    """A caller can do nothing to a conversation through what `messages` returned."""
    conversation = Conversation()
    conversation.add("user", "Hi")
    before = conversation.messages
    conversation.add("assistant", "Hello")
    assert (len(before), len(conversation.messages)) == (1, 2)


def test_a_call_is_answered_before_anything_else():
    """What a service would refuse for ever after cannot be added."""
    conversation = Conversation()
    conversation.add("user", "Hi")
    conversation.add("assistant", calls=[ToolCall("a", "tool", {}), ToolCall("b", "tool", {})])
    with pytest.raises(ConversationError, match=r"calls 'a', 'b' have to be answered"):
        conversation.add("user", "Well?")
    conversation.add_result(ToolResult(None, "done", call_id="b"))
    assert [call.id for call in conversation.open_calls] == ["a"]
    with pytest.raises(ConversationError, match="no open call with the id 'b'; open are: 'a'"):
        conversation.add_result(ToolResult(None, "again", call_id="b"))
    conversation.add_result(ToolResult(None, "done", call_id="a"))
    conversation.add("user", "Thanks.")
    check_answered(conversation.messages)


def test_calls_without_or_with_the_same_id_get_one_of_their_own():
    """Results cannot collide."""  # complaint 11
    conversation = Conversation()
    added = conversation.add(
        "assistant",
        calls=[ToolCall(None, "t"), ToolCall("", "t"), ToolCall("x", "t"), ToolCall("x", "t")],
    )
    assert len({call.id for call in added.calls}) == 4
    assert all(call.id for call in added.calls)


@pytest.mark.parametrize("role", ["system", "robot"])
def test_wrong_roles_are_refused(role):
    """A second system message and unknown roles are told what would be right."""
    with pytest.raises(ValueError, match=r"system_prompt|a role is one of"):
        Conversation().add(role, "Hi")


def test_token_count_of_known_texts():
    """The documented rule: four bytes a token, four tokens a message, a thousand a picture."""
    conversation = Conversation("x" * 40)
    assert conversation.token_count() == 14
    conversation.add("user", "世界" * 2)
    assert conversation.token_count() == 14 + 4 + 3
    conversation.add(Message("user", parts=[Part("text", "abcd"), Part("image", url="http://x/y.png")]))
    assert conversation.token_count() == 21 + 4 + 1 + tokens.PART
    exchange(conversation, "a")
    assert conversation.token_count() > 1030


def test_token_counter_can_be_replaced():
    """A program may count with a real tokenizer."""
    conversation = Conversation("S", count=lambda message: len(message.text))
    conversation.add("user", "12345")
    assert conversation.token_count() == 6


def test_window_keeps_the_newest_and_the_system_prompt():
    """The oldest messages go first, and the window begins with the user."""
    conversation = Conversation("S", count=one_each)
    for number in range(4):
        conversation.add("user", f"u{number}")
        conversation.add("assistant", f"a{number}")
    assert texts(conversation.get_context(5)) == ["S", "u2", "a2", "u3", "a3"]
    assert texts(conversation.get_context(4)) == ["S", "u3", "a3"]
    assert texts(conversation.get_context(1000)) == texts(conversation.get_context())


def test_window_never_parts_a_call_from_its_results():
    """An exchange is kept whole or left out whole; the task stays though it is far back."""
    conversation = Conversation("S", count=one_each)
    conversation.add("user", "task")
    for ids in ("ab", "cd", "ef"):
        exchange(conversation, *ids)
    assert texts(conversation.get_context(8)) == [
        "S", "task", "calls c,d", "result c", "result d", "calls e,f", "result e", "result f",
    ]  # fmt: skip
    for limit in (5, 6, 7):
        assert texts(conversation.get_context(limit)) == ["S", "task", "calls e,f", "result e", "result f"]


def test_what_cannot_fit_is_said_in_numbers():
    """A limit that is too small for the least context is an error, not a broken context."""
    conversation = Conversation("S", count=one_each)
    conversation.add("user", "task")
    exchange(conversation, "a", "b")
    with pytest.raises(ContextLimitError) as caught:
        conversation.get_context(4)
    assert (caught.value.needed, caught.value.limit) == (5, 4)


def test_an_exchange_that_is_not_complete_is_left_out():
    """A context is always one that a service takes."""
    conversation = Conversation()
    conversation.add("user", "task")
    conversation.add("assistant", calls=[ToolCall("a", "t", {}), ToolCall("b", "t", {})])
    conversation.add_result(ToolResult(None, "done", call_id="a"))
    assert texts(conversation.get_context()) == ["task"]
    assert texts(conversation.get_context(1000)) == ["task"]


@given(
    st.lists(st.one_of(st.just("user"), st.just("text"), st.integers(1, 4)), min_size=1, max_size=30),
    st.integers(1, 40),
)
def test_every_window_is_valid_and_fits(shape, limit):
    """Whatever the conversation and the limit: calls and results together, begun by the user, within the limit."""
    conversation = Conversation("S", count=one_each)
    conversation.add("user", "begin")
    for number, kind in enumerate(shape):
        if kind == "user":
            conversation.add("user", f"u{number}")
        elif kind == "text":
            conversation.add("assistant", f"a{number}")
        else:
            exchange(conversation, *(f"{number}.{at}" for at in range(kind)))
    needed = 0
    try:
        context = conversation.get_context(limit)
    except ContextLimitError as error:
        needed = error.needed
    if needed:
        assert needed > limit
        return
    assert len(context) <= limit
    assert context[0].role == "system"
    assert len(context) == 1 or context[1].role == "user"
    check_answered(context[1:])


@pytest.mark.scenario("T17")
def test_the_registry_documents_its_enabled_tools():
    """The context holds documentation of what is enabled, made anew only when a tool changes."""
    registry = ToolRegistry()

    @registry.tool
    def get_weather(location: str, days: int = 3, unit: str | None = None) -> str:
        """Forecast the weather.

        Args:
            location: City and state.
            days: How many days.
            unit: Celsius or Fahrenheit.
        """
        return ""

    registry.add("delete_all", "Deletes everything.", None, lambda args: "")
    registry.disable("delete_all")
    conversation = Conversation("Be brief.")
    conversation.add("user", "Hi")
    system, user = conversation.get_context(registry=registry)
    assert system.text.startswith(
        "Be brief.\n\n# Tools\n\n## get_weather\nForecast the weather.\nParameters:"
    )
    assert "- location (string, required): City and state." in system.text
    assert "- days (integer, optional, default 3): How many days." in system.text
    assert "delete_all" not in system.text
    assert user.text == "Hi"
    registry.enable("delete_all")
    assert (
        "## delete_all\nDeletes everything.\nNo parameters."
        in conversation.get_context(registry=registry)[0].text
    )
    assert document(registry) is document(registry)
    with pytest.raises(ContextLimitError):  # the documentation counts
        conversation.get_context(30, registry=registry)


def test_documentation_alone_is_a_system_message():
    """A conversation without a prompt of its own still tells the model about the tools."""
    conversation = Conversation()
    conversation.add("user", "Hi")
    assert conversation.get_context(registry=registry_of(one_each))[0].text.startswith("# Tools")
    assert conversation.get_context(registry=ToolRegistry())[0].role == "user"


def test_documentation_names_types():
    """Types are given in words a model can follow; a schema that says nothing is any."""
    properties = {
        "unit": {"enum": ["c", 1, None]},
        "names": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
        "size": {"type": ["integer", "null"]},
        "free": True,
    }
    text = document_all([ToolDefinition("t", "T.", {"type": "object", "properties": properties})])
    types = [line[2:] for line in text.splitlines() if line.startswith("- ")]
    assert types == [
        'unit ("c" | 1 | null, optional)',
        "names (array of array of string, optional)",
        "size (integer or null, optional)",
        "free (any, optional)",
    ]
    assert document_all([]) == ""


def test_openai_format_is_what_the_sdk_takes():
    """Every kind of message has the form that OpenAI's own types demand."""
    conversation = Conversation("Be brief.")
    parts = [Part("text", "What is this?"), Part("image", data="aGk=", media_type="image/png")]
    conversation.add(Message("user", parts=parts))
    broken = ToolCall("c2", "math.factorial", None, raw_arguments='{"n": ', error="cut off")
    conversation.add("assistant", "Let me see.", calls=[ToolCall("c1", "look", {"at": "é"}), broken])
    conversation.add_results(
        [ToolResult(1, "1", call_id="c1", name="look"), ToolResult(None, "no", call_id="c2")]
    )
    conversation.add("assistant", "A dot.")
    written = conversation.to_openai_format()
    for message in written:
        check(ChatCompletionMessageParam, message)
    assert [message["role"] for message in written] == [
        "system",
        "user",
        "assistant",
        "tool",
        "tool",
        "assistant",
    ]
    assert written[1]["content"][1]["image_url"]["url"] == "data:image/png;base64,aGk="
    calls = written[2]["tool_calls"]
    assert json.loads(calls[0]["function"]["arguments"]) == {"at": "é"}
    assert calls[1]["function"] == {"name": "math-dot-factorial", "arguments": "{}"}  # complaint 1


def test_openai_format_keeps_to_what_the_service_takes():
    """What one server wants back does not go to another, and a file must come with its content."""
    conversation = Conversation()
    conversation.add("assistant", "Hi", extras={"openai": {"reasoning_content": "hm", "host": "x.example"}})
    assert conversation.to_openai_format() == [{"role": "assistant", "content": "Hi"}]
    conversation.add(Message("user", parts=[Part("file", url="http://x/y.pdf")]))
    with pytest.raises(ValueError, match="with its content, not by its address"):
        conversation.to_openai_format()


def full_conversation():
    conversation = Conversation("Sei kurz. ☃")
    conversation.add(
        Message("user", parts=[Part("text", "Hi \ud800"), Part("file", url="http://x/y.pdf", name="y")])
    )
    call = ToolCall(
        "c", "t", None, raw_arguments='{"a"', error="cut off", metadata={"format": "gemini", "fields": {}}
    )
    conversation.add("assistant", calls=[call], extras={"anthropic": {"content": [1]}})
    conversation.add_result(ToolResult(None, "no ☃", error=ValueError("no"), call_id="c", name="t"))
    return conversation


def test_save_and_load_lose_nothing(tmp_path):
    """A conversation comes back from its file field by field, lone surrogates and opaque extras included."""
    conversation = full_conversation()
    conversation.save(tmp_path / "deep" / "c.json")
    loaded = Conversation.load(tmp_path / "deep" / "c.json")
    assert loaded.system_prompt == conversation.system_prompt
    assert loaded.messages == conversation.messages
    assert loaded.messages[2].is_error


def test_a_file_stays_readable(tmp_path):
    """Text that is not ASCII is not escaped without need."""
    conversation = Conversation("☃")
    conversation.save(tmp_path / "c.json")
    assert "☃" in (tmp_path / "c.json").read_text("utf-8")


def test_a_save_that_fails_leaves_the_file(tmp_path):
    """The old content stays whole where the new one cannot be written, and nothing else is left behind."""
    path = tmp_path / "c.json"
    Conversation("old").save(path)
    conversation = Conversation("new")
    conversation.add("assistant", calls=[ToolCall("a", "t", {"x": object()})])
    with pytest.raises(TypeError):
        conversation.save(path)
    assert Conversation.load(path).system_prompt == "old"
    assert os.listdir(tmp_path) == ["c.json"]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"version": 2, "system_prompt": "", "messages": []}',
        '{"version": 1, "system_prompt": "", "messages": [{"role": "robot"}]}',
        '{"version": 1, "system_prompt": "", "messages": [{"role": "user", "colour": "red"}]}',
        '{"version": 1, "system_prompt": "", "messages": ["Hi"]}',
        '{"version": 1, "system_prompt": "", "messages": [{"role": "tool", "call_id": "x"}]}',
    ],
)
def test_files_that_hold_no_conversation(tmp_path, content):
    """A wrong file is named, and so is what is wrong with it."""
    path = tmp_path / "c.json"
    path.write_text(content)
    with pytest.raises(ConversationError, match=r"c\.json: "):
        Conversation.load(path)


def test_transcript():
    """The text for people tells who said what, and what was called."""
    conversation = Conversation("S")
    conversation.add("user", "1+2?")
    conversation.add("assistant", "Let me see.", calls=[ToolCall("a", "add", {"a": 1, "b": 2})])
    conversation.add_result(ToolResult(3, "3", call_id="a", name="add"))
    assert conversation.transcript() == (
        'user: 1+2?\n\nassistant: Let me see.\n\nassistant calls add: {"a": 1, "b": 2}\n\nresult of add: 3'
    )
