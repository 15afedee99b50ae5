"""``gene chat``: processes of their own, over pipes and in a terminal, with Ctrl-C."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time

import pytest
from gene_command import environment, gene
from loopback import Loopback

from ai_tools.conversation import Conversation
from ai_tools.messages import check_answered

TOOLS = """
(fn word_count ^intent "Count words" [text: String] (println "from the tool") ((text .split " ") .length))
(fn slow ^intent "Takes long" [] (sleep 30000) 1)
"""
COUNT = {"text": "Counting", "calls": [{"name": "word_count", "arguments": {"text": "a b c"}}], "chunk": 3}


@pytest.fixture
def chat(tmp_path):
    """Run ``gene chat`` with the tools and a script, and lines as its input."""
    (tmp_path / "tools.gene").write_text(TOOLS, encoding="utf-8")

    def run(script, text, *arguments):
        (tmp_path / "script.json").write_text(json.dumps(script), encoding="utf-8")
        options = ("chat", "tools.gene", "--provider", "scripted:script.json", *arguments)
        return gene(*options, cwd=tmp_path, text=text)

    return run


def without_times(text):
    """Lines without the time that a call took, which is checked to be there."""
    lines = text.splitlines()
    for line in lines:
        assert not line.startswith("  * ") or line.endswith("s]")
    return [line.rpartition("  [")[0] if line.startswith("  * ") else line for line in lines]


class TestOverAPipe:
    """Each line is a message; the transcript is standard output."""

    def test_an_answer_with_a_call(self, chat):
        """The streamed text, a line for the call, and the answer; what a tool prints goes to standard error."""
        done = chat(["Hello.", COUNT, "Three."], "hi\n\ncount\n")
        assert without_times(done.stdout) == [
            "Hello.",
            "Counting",
            '  * word_count(text="a b c") -> 3',
            "Three.",
        ]
        assert (done.returncode, done.stderr) == (0, "from the tool\n")

    def test_a_call_that_fails(self, chat):
        """Its line says what the model is told."""
        done = chat([[{"name": "word_count", "arguments": {"text": 5}}, {"name": "nope"}], "ok"], "go\n")
        first, second, last = without_times(done.stdout)
        assert first.startswith(
            "  * word_count(text=5) failed: Invalid arguments for tool 'word_count': text:"
        )
        assert second.startswith("  * nope() failed: ")
        assert last == "ok"

    def test_text_cannot_drive_the_terminal(self, chat):
        """Control characters of a model are shown, not obeyed; long results stay on one line."""
        arguments = {"text": "x\x1b[2J " * 400}
        done = chat([[{"name": "word_count", "arguments": arguments}], "red \x1b[31m\x07"], "go\n")
        assert "\x1b" not in done.stdout
        assert "\x07" not in done.stdout
        assert max(map(len, done.stdout.splitlines())) < 300

    def test_a_failing_service(self, chat):
        """The error is shown, the conversation goes on, and an empty line tries again; the status is 1."""
        error = {"error": {"code": "rate_limited", "message": "slow down"}}
        done = chat([error, error, "Here."], "hi\n\nagain\n")
        assert done.stdout == "Here.\n"
        assert done.stderr == "error: scripted: slow down\n" * 2
        assert done.returncode == 1

    @pytest.mark.parametrize(
        ("answer", "lines", "text"),
        [
            ("y\n", 1, "3"),
            ("n\n", 0, "did not allow this call"),
            ("that is private\n", 0, "that is private"),
            ("", 0, "nobody was there to allow it"),
        ],
    )
    def test_a_call_is_approved_or_not(self, chat, tmp_path, answer, lines, text):
        """With ``--approve`` the next line decides; what is refused is not run, and the model reads why."""
        done = chat([COUNT, "Done."], f"count\n{answer}", "--approve", "word_count", "--save", "c.json")
        assert 'run word_count(text="a b c")?' in done.stdout
        assert done.stderr.count("from the tool") == lines
        (result,) = (m for m in Conversation.load(tmp_path / "c.json").messages if m.role == "tool")
        assert text in result.text

    def test_always_asks_once(self, chat):
        """After "always" the same tool is not asked about again."""
        done = chat([COUNT, COUNT, "Done."], "count\na\n", "--approve", "all")
        assert done.stdout.count("run word_count") == 1
        assert done.stderr.count("from the tool") == 2

    def test_a_saved_conversation_goes_on(self, chat, tmp_path):
        """``--save`` writes the file after each turn and begins with what it holds."""
        assert chat(["One."], "first\n", "--save", "c.json").returncode == 0
        done = chat(["Two."], "second\n", "--save", "c.json")
        assert done.stdout == "going on after 2 messages of c.json\nTwo.\n"
        texts = [message.text for message in Conversation.load(tmp_path / "c.json").messages]
        assert texts == ["first", "One.", "second", "Two."]

    def test_a_script_of_gene_data(self, chat, tmp_path):
        """A script may be written as Gene data, and tools may be left out."""
        (tmp_path / "s.gene").write_text('["Hello." {^text "Bye." ^chunk 2}]', encoding="utf-8")
        done = gene("chat", "--provider", "scripted:s.gene", cwd=tmp_path, text="a\nb\nquit\nc\n")
        assert (done.stdout, done.returncode) == ("Hello.\nBye.\n", 0)

    def test_a_service_over_http(self, tmp_path):
        """``--base-url`` and ``--model`` reach a server that speaks OpenAI's protocol, which streams."""
        piece = {"choices": [{"index": 0, "delta": {"content": "Hello."}, "finish_reason": None}]}
        end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        with Loopback() as server:
            server.reply_sse([piece, end], done=True)
            options = ("--base-url", server.url + "/v1", "--model", "m1", "--system", "Be brief")
            done = gene("chat", *options, cwd=tmp_path, text="hi\n")
            (request,) = server.requests
        assert (done.stdout, done.stderr, done.returncode) == ("Hello.\n", "", 0)
        assert request.body["model"] == "m1"
        assert [message["content"] for message in request.body["messages"]] == ["Be brief", "hi"]


class TestRefusals:
    """A chat that cannot begin says why, with status 1."""

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--provider", "bogus"], "There is no provider 'bogus'"),
            (["--provider", "scripted"], "scripted needs a script: --provider scripted:FILE"),
            (["--provider", "scripted:nope.json"], "nope.json"),
            (["--provider", "scripted:bad.json"], "bad.json: turn 1 is a text"),
            (["--provider", "scripted:bad.gene"], "bad.gene: a script is an array of turns"),
            (["--provider", "scripted:ok.json", "--approve", "x"], "--approve: there is no tool x"),
            (["--provider", "scripted:ok.json", "--save", "bad.json"], "bad.json"),
            (["nowhere.gene", "--provider", "scripted:ok.json"], "there is no file nowhere.gene"),
        ],
    )
    def test_what_is_wrong_is_said(self, tmp_path, arguments, message):
        """Nothing is printed but the error."""
        (tmp_path / "bad.json").write_text("[5]", encoding="utf-8")
        (tmp_path / "bad.gene").write_text("{^a 1}", encoding="utf-8")
        (tmp_path / "ok.json").write_text("[]", encoding="utf-8")
        done = gene("chat", *arguments, cwd=tmp_path, text="hi\n")
        assert (done.returncode, done.stdout) == (1, "")
        assert message in done.stderr
        assert "Traceback" not in done.stderr


class Process:
    """A chat that goes on while the test looks at it."""

    def __init__(self, directory, script):
        (directory / "tools.gene").write_text(TOOLS, encoding="utf-8")
        (directory / "script.json").write_text(json.dumps(script), encoding="utf-8")
        options = ["chat", "tools.gene", "--provider", "scripted:script.json", "--save", "c.json"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gene", *options],
            cwd=directory,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
        )

    def say(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()


class TestInterrupts:
    """Ctrl-C."""

    def test_it_stops_the_turn_and_keeps_the_conversation(self, tmp_path):
        """A running tool and a waiting request end at once; the next message is answered, all calls too."""
        script = [
            {"text": "I begin", "calls": [{"name": "slow"}]},
            {"text": "late", "delay": 60},
            "Still here.",
        ]
        with Process(tmp_path, script) as chat:
            chat.say("one")
            assert chat.process.stdout.readline() == "I begin\n"
            time.sleep(0.5)  # until the tool sleeps
            began = time.monotonic()
            chat.interrupt()
            assert chat.process.stdout.readline() == "(stopped)\n"
            chat.say("two")
            time.sleep(0.5)  # until the provider waits
            chat.interrupt()
            assert chat.process.stdout.readline() == "(stopped)\n"
            chat.say("three")
            out, err = chat.process.communicate(timeout=20)
            assert time.monotonic() - began < 20
        assert (out, err, chat.process.returncode) == ("Still here.\n", "", 0)
        messages = Conversation.load(tmp_path / "c.json").messages
        check_answered(messages)
        assert [message.text for message in messages if message.role != "tool"] == [
            "one",
            "I begin",
            "two",
            "three",
            "Still here.",
        ]

    def test_it_ends_a_chat_that_waits_for_a_line_of_a_pipe(self, tmp_path):
        """The status is that of an interrupted command; what was said is saved."""
        with Process(tmp_path, ["Hello."]) as chat:
            chat.say("hi")
            assert chat.process.stdout.readline() == "Hello.\n"
            time.sleep(0.5)  # until it waits again
            chat.interrupt()
            out, err = chat.process.communicate(timeout=20)
        assert (out, err, chat.process.returncode) == ("", "", 130)
        assert len(Conversation.load(tmp_path / "c.json")) == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no pseudo-terminals")
class TestInATerminal:
    """A person at a keyboard."""

    def test_a_prompt_a_spinner_and_a_question(self, tmp_path):
        """One is asked before a tool runs, sees that something goes on, and leaves with Ctrl-D."""
        import pty

        script = [{"delay": 0.5, **COUNT, "chunk": None}, "Three."]
        (tmp_path / "tools.gene").write_text(TOOLS, encoding="utf-8")
        (tmp_path / "script.json").write_text(json.dumps(script), encoding="utf-8")
        main, terminal = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "gene", "chat", "tools.gene", "--provider", "scripted:script.json"],
            cwd=tmp_path,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=environment(TERM="dumb", NO_COLOR="1"),
            start_new_session=True,
        )
        os.close(terminal)
        try:
            seen = read_until(main, "> ")
            os.write(main, b"count\n")
            seen += read_until(main, "or why not: ")
            os.write(main, b"y\n")
            seen += read_until(main, "Three.\r\n> ")
            os.write(main, b"\x04")
            assert process.wait(timeout=20) == 0
        finally:
            process.kill()
            process.wait()
            os.close(main)
        assert "| thinking" in seen
        assert 'run word_count(text="a b c")?' in seen
        assert '* word_count(text="a b c") -> 3  [' in seen


def read_until(descriptor, text, seconds=20):
    """Read from a terminal until a text is there."""
    seen, end = "", time.monotonic() + seconds
    while text not in seen:
        assert time.monotonic() < end, seen
        if select.select([descriptor], [], [], 0.1)[0]:
            seen += os.read(descriptor, 4096).decode("utf-8", "replace")
    return seen
