"""Conversations, providers, agents and event streams, as Gene programs use them."""

from __future__ import annotations

import io
import json

import pytest
from loopback import Loopback
from support import error, fails, output, value

from ai_tools.agent import Agent
from ai_tools.conversation import Conversation
from ai_tools.errors import ToolError
from ai_tools.providers.scripted import ScriptedProvider
from gene.errors import GeneError
from gene.interpreter import Interpreter

TOOLS = """
(fn add ^intent "Add" [a: Int b: Int] (a + b))
(fn fail ^intent "Fail" [] (throw "out of luck"))
"""
CALL = '[{^name "add" ^arguments {^a 1 ^b 2}}]'


def agent(turns, options="^tools [add fail]", then=""):
    """A program with an agent that plays a script."""
    return f"{TOOLS} (var p (ai/providers/scripted [{turns}])) (var agent (ai/agent/new p {options})) {then}"


def confined(text, *capabilities, **members):
    """The value of a program that has no capabilities but those named."""
    interpreter = Interpreter(capabilities=capabilities)
    for name, member in members.items():
        interpreter.define(name, member)
    return interpreter.eval(text, "t.gene")


class TestWords:
    """A word that starts with a colon stands for itself."""

    def test_a_word_is_a_symbol(self):
        """It evaluates to itself, as an argument, in arrays, in maps and in comparisons."""
        assert (
            output("(println :user (typeof :user) [:a {^k :b}] (:x == `:x))")
            == ":user Symbol [:a {^k :b}] true\n"
        )

    def test_a_variable_of_that_name_comes_first(self):
        """Programs that have such variables or parameters go on as before."""
        assert value("(var :y 5) (fn f [:z] [:y :z :w]) ((f 3) .map (fn [x] (x .to_s)))") == ["5", "3", ":w"]

    @pytest.mark.parametrize("role", [":user", '"user"', "`user", '":user"'])
    def test_words_strings_and_symbols_mean_the_same(self, role):
        """The role of a message may be written in each of these ways."""
        assert value(
            f'(var conv (ai/conversation/new)) (conv .add {role} "hi") (conv .to_openai_format)'
        ) == [{"role": "user", "content": "hi"}]


class TestConversations:
    """``ai/conversation``."""

    def test_messages_are_added_and_read(self):
        """``.add`` can be chained; a message has its role and text; ``:system`` sets the prompt."""
        program = """
        (var conv (ai/conversation/new))
        (conv .add :system "Be brief"; .add :user "hi"; .add :assistant "ho")
        [conv/system_prompt (conv .size) ((conv .messages) .map (fn [m] [m/role m/text])) (conv .transcript)]
        """
        assert value(program) == [
            "Be brief",
            2,
            [["user", "hi"], ["assistant", "ho"]],
            "user: hi\n\nassistant: ho",
        ]

    def test_calls_are_answered_by_the_results_of_a_registry(self):
        """What ``execute_all`` returns goes in by ``.add_tool_results``, and OpenAI's form has it all."""
        program = f"""
        {TOOLS} (var r (ai/tools/registry)) (r .register add)
        (var conv (ai/conversation/new ^system "S"))
        (conv .add :user "sum"; .add :assistant "" ^calls [{{^id "c1" ^name :add ^arguments {{^a 1 ^b 2}}}}])
        (var open ((conv .open_calls) .size))
        (conv .add_tool_results (r .execute_all (conv .open_calls)))
        [open (conv .to_openai_format)]
        """
        opened, messages = value(program)
        assert opened == 1
        assert [message["role"] for message in messages] == ["system", "user", "assistant", "tool"]
        assert messages[3] == {"role": "tool", "tool_call_id": "c1", "content": "3"}

    def test_a_conversation_is_saved_and_loaded(self, tmp_path):
        """Python reads what Gene wrote, and both ways of loading give the same conversation back."""
        path = tmp_path / "c.json"
        program = f"""
        (var conv (ai/conversation/new ^system "S"))
        (conv .add :user "hi"; .save "{path}")
        (var other (ai/conversation/new)) (other .add :user "old"; .load "{path}")
        [(conv .to_openai_format) (other .to_openai_format) ((ai/conversation/load "{path}") .to_openai_format)]
        """
        first, second, third = value(program)
        assert first == second == third == Conversation.load(path).to_openai_format()

    def test_a_message_of_parts(self):
        """Strings are text; a map is an image or a file."""
        program = """
        (var conv (ai/conversation/new))
        (conv .add :user ^parts ["Look:" {^kind :image ^url "http://example.com/y.png"}])
        (conv .to_openai_format)
        """
        assert value(program)[0]["content"] == [
            {"type": "text", "text": "Look:"},
            {"type": "image_url", "image_url": {"url": "http://example.com/y.png"}},
        ]

    def test_a_window_of_the_newest_messages(self):
        """``.get_context`` leaves out what does not fit; ``.clear`` leaves nothing but the prompt."""
        program = """
        (var conv (ai/conversation/new))
        (for i in (0 .. 20) (conv .add :user "some words, again and again"; .add :assistant "yes"))
        (var total (conv .token_count))
        (var window (conv .get_context 60))
        (conv .clear)
        [(total > 200) ((window .size) < 20) (conv .size) (conv .token_count)]
        """
        assert value(program) == [True, True, 0, 0]

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            ('(conv .add :boss "x")', "a role is one of system, user, assistant, tool, not 'boss'"),
            ("(conv .add)", "a message requires its role, got nothing"),
            ("(conv .add :user 5)", "a message's text must be a String, got VkInt"),
            ('(conv .add :user "x" ^colour 1)', "a message has no colour"),
            ('(conv .add :tool "x" ^call_id "c9")', "There is no open call with the id 'c9'"),
            ('(conv .add :assistant "" ^calls 5)', "a message's ^calls must be an Array, got VkInt"),
            (
                '(conv .add :assistant "" ^calls [5])',
                "a call is a ToolCall, or a Map with name, arguments and id",
            ),
            (
                '(conv .add :assistant "" ^calls [{^name "t" ^arguments 5}])',
                "the arguments of a call must be a Map, got VkInt",
            ),
            ('(conv .add :user "" ^parts [{^colour 1}])', "a part is a String, or a Map with data, kind"),
            ("(conv .add_tool_results 5)", "requires ToolResults, as execute_all returns them, got VkInt"),
            ('(conv .get_context "many")', "requires a number of tokens, got VkString"),
            ('(conv .load "/nowhere/c.json")', "/nowhere/c.json"),
        ],
    )
    def test_what_is_wrong_is_said(self, call, message):
        """Each mistake is an exception that says what would be right."""
        assert message in fails(f"(var conv (ai/conversation/new)) {call}")

    def test_errors_have_classes(self):
        """A message out of place is a ConversationError; a window too small a ContextLimitError."""
        program = """
        (var conv (ai/conversation/new)) (conv .add :user "hello hello hello")
        [(try (conv .add :tool "x") catch ai/conversation/ConversationError "place")
         (try (conv .get_context 1) catch ai/conversation/ContextLimitError ["small" $ex/limit])]
        """
        assert value(program) == ["place", ["small", 1]]


class TestAgents:
    """``ai/agent``: the loop, its options and its callbacks."""

    def test_an_agent_answers_after_its_calls(self):
        """``.chat`` runs the calls of an answer and returns the text of the last one."""
        program = agent(
            f'{{^text "Let me see" ^calls {CALL}}} (fn [request] (request/messages/2/text .append "!"))',
            then='[(agent .chat "sum") (agent/conversation .size)]',
        )
        assert value(program) == ["3!", 4]

    def test_callbacks_are_told_what_happens(self):
        """Pieces of text, calls, results and the answer come in their order."""
        program = agent(
            f'{{^text "Let me" ^chunk 4 ^calls {CALL}}} {{^text "Done" ^usage {{^input_tokens 4 ^output_tokens 1}}}}',
            then="""
            (var told [])
            (var answer (ai/stream_chat agent "sum"
              ^on_token (fn [text] (told .push text))
              ^on_tool_call (fn [call] (told .push [call/name call/arguments]))
              ^on_tool_result (fn [call result] (told .push result/value))
              ^on_done (fn [done] (told .push [done/stop_reason done/steps done/tool_calls done/usage/total_tokens]))))
            [answer told]
            """,
        )
        told = ["Let ", "me", ["add", {"a": 1, "b": 2}], 3, "Done", ["stop", 2, 1, 5]]
        assert value(program) == ["Done", told]

    def test_a_failing_tool_is_the_models_business(self):
        """What a tool throws reaches the model as a message, and the run goes on."""
        program = agent(
            '[{^name "fail"}] "I see."', then='[(agent .chat "go") (agent/conversation .transcript)]'
        )
        answer, transcript = value(program)
        assert answer == "I see."
        assert "out of luck" in transcript

    def test_an_error_goes_to_on_error(self):
        """With ``^on_error`` the exception is handed over, not thrown; the conversation can go on."""
        program = agent(
            '{^text "I w" ^error {^code "rate_limited" ^message "slow down" ^status 429 ^retry_after 2}} "Fine."',
            then="""
            (var seen [])
            (var first (agent .stream_chat "hi" ^on_error (fn [e] (seen .push [e/code e/status e/retry_after e/retryable e/message]))))
            [first seen (agent .chat)]
            """,
        )
        seen = [["rate_limited", 429, 2, True, "scripted 429: slow down"]]
        assert value(program) == [None, seen, "Fine."]

    @pytest.mark.parametrize("name", ["ProviderException", "ai/providers/RateLimitedError"])
    def test_an_error_without_on_error_is_thrown(self, name):
        """It is a ProviderException, of a class for its kind, with the service's words."""
        program = agent(
            '{^error {^code "rate_limited" ^message "slow down"}}',
            then=f'(try (agent .chat "hi") catch {name} $ex/message)',
        )
        assert value(program) == "scripted: slow down"

    def test_what_a_callback_throws_is_thrown(self):
        """It is not taken for a failure of the service, keeps its place, and the agent can go on."""
        program = agent(
            '"one" "two"',
            then="""
            (var seen [])
            (var thrown (try (agent .stream_chat "hi" ^on_token (fn [t] (throw "mine")) ^on_error (fn [e] (seen .push e)))
                        catch * $ex/message))
            [thrown seen (agent .chat "again")]
            """,
        )
        assert value(program) == ["mine", [], "two"]
        failed = error(agent('"one"', then='(agent .stream_chat "hi" ^on_token (fn [t] (undefined_name)))'))
        assert "undefined_name is not defined" in str(failed)

    def test_a_limit_ends_a_run(self):
        """Limits stand among the options; one that is reached is a LimitReachedError with its name."""
        program = agent(
            f"{CALL} {CALL} {CALL}",
            "^tools [add] ^max_steps 2",
            '(try (agent .chat "go") catch ai/agent/LimitReachedError [$ex/limit $ex/value])',
        )
        assert value(program) == ["max_steps", 2]

    def test_tools_come_and_go(self):
        """Tools are added, removed, disabled and enabled; ``get_tools`` is what the model is offered."""
        program = agent(
            '"x"',
            "^tools [add]",
            """
            (fn names [] ((agent .get_tools) .map (fn [tool] tool/function/name)))
            (agent .add_tool fail)
            (var both (names)) (agent .disable_tool :add) (var one (names))
            (agent .enable_tool "add"; .remove_tool "fail")
            [both one (names) (agent/registry .list)]
            """,
        )
        assert value(program) == [["add", "fail"], ["fail"], ["add"], ["add"]]

    def test_an_unknown_tool_is_an_error_of_tools(self):
        """Enabling what is not there is a NotFoundError."""
        program = agent(
            '"x"', then="(try (agent .enable_tool :nope) catch ai/tools/NotFoundError $ex/message)"
        )
        assert "nope" in value(program)

    @pytest.mark.parametrize(
        ("decision", "expected"), [("true", "3"), ("nil", "did not allow"), ('"too risky"', "too risky")]
    )
    def test_a_human_is_asked(self, decision, expected):
        """``^approve`` gets the call with its checked arguments; its decision holds."""
        program = agent(
            f'{CALL} "ok"',
            f"^tools [add] ^approval [:add] ^approve (fn [p] (assert (p/call/arguments/a == 1)) {decision})",
            '(agent .chat "go") (agent/conversation .transcript)',
        )
        assert expected in value(program)

    def test_a_run_pauses_without_anybody_to_ask(self, tmp_path):
        """The calls that wait are ``pending``; the state is saved, and goes on with decisions elsewhere."""
        path = tmp_path / "state.json"
        options = '^tools [add] ^approval (fn [call] (call/name == "add"))'
        first = agent(
            CALL,
            options,
            f"""
            (var end nil)
            (agent .chat "go" ^on_done (fn [done] (end = done/stop_reason)))
            (agent .save_state "{path}")
            [end ((agent .pending) .size)]
            """,
        )
        assert value(first) == ["paused", 1]
        second = agent(
            '"Three."',
            options,
            f"""
            (agent .load_state "{path}")
            (var decisions {{}})
            (for waiting in (agent .pending) (decisions .set waiting/key true))
            [(agent .chat ^decisions decisions) ((agent .pending) .size)]
            """,
        )
        assert value(second) == ["Three.", 0]

    def test_the_system_prompt_and_the_context(self):
        """The model gets the prompt that was set last; a cleared context is forgotten."""
        program = agent(
            '"a" "b"',
            '^system "One"',
            """
            (agent .chat "first") (agent .clear_context; .set_system_prompt "Two") (agent .chat "second")
            ((p .requests) .map (fn [r] [r/system (r/messages .size)]))
            """,
        )
        assert value(program) == [["One", 1], ["Two", 1]]

    def test_a_provider_alone_streams_as_well(self):
        """``ai/stream_chat`` takes a provider with a text, or with a conversation that gets the answer."""
        program = """
        (var conv (ai/conversation/new)) (conv .add :user "hi")
        (var p (ai/providers/scripted ["one" "two"]))
        [(ai/stream_chat p "hi") (ai/stream_chat p conv) (conv .size)]
        """
        assert value(program) == ["one", "two", 2]

    def test_cancelling_from_a_callback(self):
        """``.cancel`` ends the run; the answer says so."""
        program = agent(
            '{^text "a long answer" ^chunk 1} "next"',
            then="""
            (var end nil)
            (agent .stream_chat "hi" ^on_token (fn [t] (agent .cancel)) ^on_done (fn [d] (end = d/stop_reason)))
            [end (agent .chat "again")]
            """,
        )
        assert value(program) == ["cancelled", "next"]

    def test_an_agent_of_python_can_be_handed_in(self):
        """The host's agent answers to the same methods, and both sides see one conversation."""
        host = Agent(ScriptedProvider(["Hello."]), tools=[])
        assert confined('(agent .chat "hi")', agent=host) == "Hello."
        assert len(host.conversation) == 2

    @pytest.mark.parametrize(
        ("program", "message"),
        [
            ("(ai/agent/new)", "an agent requires a provider or its name, got VkNil"),
            ("(ai/agent/new 5)", "an agent requires a provider or its name, got VkInt"),
            ('(ai/agent/new "nobody:x")', "There is no provider 'nobody'"),
            ("(ai/agent/new p ^colour 1)", "ai/agent/new has no option colour; it has: approval"),
            ("(ai/agent/new p ^tools 5)", "^tools must be a ToolRegistry or an Array of tools, got VkInt"),
            ("(ai/agent/new p ^max_steps 0)", "max_steps must be a number above 0"),
            ("(ai/agent/new p ^approve 5)", "^approve must be a function, got VkInt"),
            ("(ai/agent/new p ^conversation 5)", "^conversation must be a Conversation, got VkInt"),
            ("((ai/agent/new p) .chat 5)", "Agent.chat requires a String or a Message, got VkInt"),
            ('((ai/agent/new p) .chat "")', "the message is empty"),
            ("((ai/agent/new p) .chat)", "there is nothing to go on with"),
            ('((ai/agent/new p) .chat "x" ^on_tokn 5)', "there is no option on_tokn; there are: on_token"),
            ('((ai/agent/new p) .chat "x" ^on_done 5)', "^on_done must be a function, got VkInt"),
            ('(ai/stream_chat 5 "x")', "ai/stream_chat requires an Agent or a provider, got VkInt"),
        ],
    )
    def test_what_is_wrong_is_said(self, program, message):
        """Each mistake is an exception that says what would be right."""
        assert message in fails(f'(var p (ai/providers/scripted ["x"])) {program}')


class TestProviders:
    """``ai/providers``."""

    def test_a_service_is_reached_over_http(self):
        """``ai/providers/openai`` talks to the server that ``^base_url`` names, with the key it was given."""
        reply = {
            "choices": [
                {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Hello."}}
            ]
        }
        with Loopback() as server:
            server.reply(reply)
            program = f"""
            (var p (ai/providers/openai ^model "m1" ^base_url "{server.url}/v1" ^api_key "sk-secret-key"))
            (var agent (ai/agent/new p ^tools [] ^temperature 0))
            [(agent .chat "hi") p/name p/model (p .to_s)]
            """
            answer, name, model, text = value(program)
        assert (answer, name, model) == ("Hello.", "openai", "m1")
        assert "secret" not in text

    @pytest.mark.parametrize("name", ["openai", "anthropic", "gemini", "ollama", "backboard"])
    def test_the_network_has_to_be_granted(self, name):
        """Without the capability a provider cannot be made, nor named for an agent."""
        for program in (f'(ai/providers/{name} ^model "m")', f'(ai/agent/new "{name}:m")'):
            with pytest.raises(GeneError, match="needs the capability 'network'"):
                confined(program)

    def test_a_script_needs_no_capability(self):
        """An embedded program can run an agent offline; it has no tools but its own."""
        program = '(var a (ai/agent/new (ai/providers/scripted ["x"]))) [(a .chat "hi") (a/registry .list)]'
        assert confined(program) == ["x", []]
        made = "(var a (ai/agent/new (ai/providers/scripted []))) (a/registry .list)"
        assert "read_file" in confined(made, "files")

    @pytest.mark.parametrize(
        "call",
        ["(conv .save path)", "(conv .load path)", "(agent .save_state path)", "(agent .load_state path)"],
    )
    def test_files_have_to_be_granted(self, tmp_path, call):
        """Not even through objects that the host hands in can a confined program touch a file."""
        path = tmp_path / "x.json"
        host = Agent(ScriptedProvider([]), tools=[])
        with pytest.raises(GeneError, match="needs the capability 'files'"):
            confined(call, conv=Conversation(), agent=host, path=str(path))
        assert not path.exists()

    @pytest.mark.parametrize(
        ("script", "message"),
        [
            ("5", "ai/providers/scripted requires an Array of turns, got VkInt"),
            ("[5]", "turn 1 is a text, an array of calls or an object, not int"),
            ('["x" {^txt "y"}]', "turn 2 has unknown fields: txt; there are: calls, chunk"),
            ("[[5]]", "turn 1: call 1 must be an object with the tool's name"),
            ('[{^error {^code "oops" ^message "m"}}]', "turn 1: error: there is no error 'oops'"),
            ("[{^chunk 0}]", "turn 1: chunk must be a number of characters"),
            ("[{^usage {^tokens 1}}]", "turn 1: usage must be an object of"),
        ],
    )
    def test_a_wrong_script_is_refused_at_once(self, script, message):
        """The message names the turn."""
        assert message in fails(f"(ai/providers/scripted {script})")

    def test_a_missing_key_is_said(self, monkeypatch):
        """The error names the variable to set."""
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        assert "Set OPENAI_API_KEY" in fails('(ai/providers/openai ^model "m")')

    def test_unknown_options_are_named(self):
        """So are those that there are."""
        message = fails("(ai/providers/ollama ^colour 1)")
        assert message.startswith("The provider 'ollama' has no option colour. It has: model, ")


class TestEventStreams:
    """``ai/streaming/sse_writer``."""

    EVENTS = '(w .send {^token "é"}; .send "a\\nb" ^event :token ^id 7; .comment "ping"; .done)'
    TEXT = 'data: {"token":"é"}\n\nevent: token\nid: 7\ndata: a\ndata: b\n\n: ping\n\ndata: [DONE]\n\n'

    def test_to_standard_output(self):
        """Events have the form of the standard: a data line for each line of text, and a blank one."""
        assert output(f"(var w (ai/streaming/sse_writer stdout)) {self.EVENTS}") == self.TEXT

    def test_to_a_function(self):
        """A function gets the text of each event."""
        program = f'(var sent "") (var w (ai/streaming/sse_writer (fn [t] (sent = (sent .append t))))) {self.EVENTS} sent'
        assert value(program) == self.TEXT

    def test_to_an_object_with_a_method(self):
        """An object that has ``write`` is a stream."""
        program = f"""
        (class Sink (ctor [] (/text = "")) (method write [t] (/text = (/text .append t))))
        (var sink (new Sink)) (var w (ai/streaming/sse_writer sink)) {self.EVENTS} sink/text
        """
        assert value(program) == self.TEXT

    @pytest.mark.parametrize("make", [io.StringIO, io.BytesIO])
    def test_to_a_file_of_the_hosts(self, make):
        """A file of text gets text, one of bytes UTF-8."""
        stream = make()
        confined(f"(var w (ai/streaming/sse_writer stream)) {self.EVENTS}", stream=stream)
        written = stream.getvalue()
        assert (written if isinstance(written, str) else written.decode()) == self.TEXT

    def test_to_a_file_opened_for_bytes(self, tmp_path):
        """Each event is flushed, so it is there before the file is closed."""
        path = tmp_path / "events"
        with path.open("wb") as stream:
            confined(f"(var w (ai/streaming/sse_writer stream)) {self.EVENTS}", stream=stream)
            assert path.read_text(encoding="utf-8") == self.TEXT

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            (
                "(ai/streaming/sse_writer 5)",
                "requires a stream to write to, or a function of the text, got VkInt",
            ),
            ("((ai/streaming/sse_writer stdout) .send)", "EventWriter.send requires what to send"),
            (
                '((ai/streaming/sse_writer stdout) .send 1 ^event "a\\nb")',
                "the event of an event is one line",
            ),
        ],
    )
    def test_what_is_wrong_is_said(self, call, message):
        """A line's end in a field would begin another one, so it is refused."""
        assert message in fails(call)

    def test_an_answer_streams_as_events(self):
        """Each piece arrives as an event whose data is JSON."""
        program = agent(
            '{^text "one two" ^chunk 4}',
            then="""(var w (ai/streaming/sse_writer stdout))
            (agent .stream_chat "hi" ^on_token (fn [t] (w .send {^token t})) ^on_done (fn [d] (w .done)))""",
        )
        events = [line.removeprefix("data: ") for line in output(program).splitlines() if line]
        assert [json.loads(event)["token"] for event in events[:-1]] == ["one ", "two"]
        assert events[-1] == "[DONE]"


def test_python_errors_of_the_host_keep_their_cause():
    """A typed error of Python's stays the cause of the exception that Gene sees."""
    host = Agent(ScriptedProvider([]), tools=[])
    with pytest.raises(GeneError) as failed:
        confined("(agent .disable_tool :nope)", agent=host)
    assert isinstance(failed.value.__cause__, ToolError)
