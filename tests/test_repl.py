"""The REPL: over a pipe, in a terminal, and what it completes."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

import pytest
from gene_command import environment, gene
from pygments.token import Comment, Keyword, Name, Number, String

from gene import Interpreter
from gene.completion import complete
from gene.highlight import GeneLexer
from gene.repl import BANNER, CONTINUATION, HELP, PROMPT, Session, incomplete, loop
from gene.repl_plain import history_file
from gene.stdlib.capabilities import ALL


def dialogue(*lines):
    """What the REPL answers to lines that are piped in: standard output without the banner, and errors."""
    done = gene("repl", text="".join(line + "\n" for line in lines))
    assert done.returncode == 0
    assert done.stdout.startswith(BANNER + "\n" + PROMPT)
    answers = done.stdout.removeprefix(BANNER + "\n").replace(PROMPT, "").replace(CONTINUATION, "")
    return [line for line in answers.splitlines() if line], done.stderr


def test_values_are_shown_so_that_they_read_back():
    """nil and void are not worth a line."""
    answers, errors = dialogue(
        "(1 + 2)", '"s\\n"', "nil", "void", "'c'", '[1 "a" nil]', '(println "hi")', "(var x 5)"
    )
    assert answers == ["3", '"s\\n"', "'c'", '[1 "a" nil]', "hi", "5"]
    assert errors == ""


def test_input_goes_on_until_the_brackets_balance():
    """Brackets, strings and comments may stay open over lines."""
    answers, _ = dialogue("(fn dbl [x]", "", "  (x * 2))", "(dbl", "21)", '"a', 'b"', "#< c", ">#", "7")
    assert answers == ["VkFunction", "42", '"a\\nb"', "7"]


def test_the_last_values_and_the_last_error_have_names():
    """``*1`` is the last value, ``*e`` the last error, also one of syntax."""
    answers, _ = dialogue(
        "1", "2", "3", "[*1 *2 *3]", '(throw "boom")', "*e/message", "*2/0", ")", "(*e .class) 9"
    )
    assert answers == ["1", "2", "3", "[3 2 1]", '"boom"', "3", "9"]


def test_errors_are_shown_with_source_and_caret_and_the_dialogue_goes_on():
    """A mistake costs nothing but its input."""
    answers, errors = dialogue("(fn f [x]", "  (x + nope))", "(f 1)", ")", "5")
    assert answers == ["VkFunction", "5"]
    assert "  --> <repl:1>:2:8\n    (x + nope))\n         ^^^^\n" in errors
    assert "in the top level at <repl:2>:1:1" in errors
    assert "syntax error: Unmatched delimiter: ) at <repl:3>:1:1" in errors


def test_commands():
    """``exit`` and ``quit`` leave, ``help`` helps."""
    assert dialogue("help")[0] == HELP.splitlines()
    assert dialogue("1", "exit", "2")[0] == ["1"]
    assert dialogue("1", " quit ", "2")[0] == ["1"]


def test_exit_with_a_status():
    """A program's own ``exit`` ends the process with its status."""
    assert gene("repl", text="(exit 4)\n").returncode == 4


def test_an_input_that_ends_in_the_middle_is_reported():
    """End of input leaves with 0, after saying what is missing."""
    done = gene("repl", text="(f\n")
    assert "EOF while reading list )" in done.stderr
    assert done.returncode == 0


def test_ctrl_c_abandons_what_was_typed(capsys):
    """An interrupt while typing drops the lines so far."""
    lines = iter(["(1 +", KeyboardInterrupt, "7", EOFError])

    def read(_prompt):
        line = next(lines)
        if isinstance(line, str):
            return line
        raise line

    assert loop(Session(Interpreter()), read) == 0
    assert capsys.readouterr().out.split("\n")[2:] == ["", "7", "", ""]


def test_ctrl_c_stops_what_is_running(capsys):
    """An interrupt while a program runs ends only that."""
    gene_ = Interpreter()

    def interrupted():
        raise KeyboardInterrupt

    gene_.define("interrupted", interrupted)
    session = Session(gene_)
    session.evaluate("(interrupted)")
    session.evaluate("5")
    assert capsys.readouterr() == ("5\n", "Interrupted\n")


@pytest.mark.parametrize(
    ("text", "open_"),
    [
        ("", False),
        ("1", False),
        ("(a", True),
        ('"a', True),
        ("(a))", False),
        ("(a]", False),
        ("`", True),
        ("{^a", True),
    ],
)
def test_incomplete(text, open_):
    """Only what more text could make right is incomplete."""
    assert incomplete(text) is open_


# ---------------------------------------------------------------------------------------------- in a terminal


class Terminal:
    """A REPL at the other end of a pseudo-terminal, typed at as a person does."""

    def __init__(self, home, *options):
        self.fd, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        env = environment(TERM="xterm", XDG_STATE_HOME=str(home), PROMPT_TOOLKIT_NO_CPR="1", COLUMNS="100")
        command = [sys.executable, *options, "-m", "gene", "repl"]
        self.process = subprocess.Popen(
            command,
            stdin=child,
            stdout=child,
            stderr=child,
            env=env,
            start_new_session=True,
            # The terminal has to control the process, or Ctrl-C would not reach it.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - no threads here
        )
        os.close(child)
        self.shown = ""

    def type(self, text):
        """Type text, all at once."""
        os.write(self.fd, text.encode())

    def wait(self, text, seconds=20):
        """Wait until the screen shows a text, after what it showed the last time."""
        end = time.monotonic() + seconds
        while text not in self.shown:
            assert time.monotonic() < end, f"{text!r} is not in {self.shown!r}"
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    data = os.read(self.fd, 65536).decode("utf-8", "replace")
                except OSError:
                    data = ""
                self.shown += re.sub(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[=>])", "", data)
        self.shown = self.shown.partition(text)[2]

    def end(self):
        """End the process, and return its status."""
        try:
            return self.process.wait(timeout=20)
        finally:
            self.process.kill()
            os.close(self.fd)


WITHOUT = (
    "import sys; sys.modules['prompt_toolkit'] = None; from gene.cli import main; sys.exit(main(['repl']))"
)


@pytest.fixture(params=["prompt_toolkit", "readline"])
def terminal(request, tmp_path):
    """A REPL in a terminal, with prompt_toolkit or as if that were not installed."""
    made = Terminal(tmp_path, *(["-c", WITHOUT] if request.param == "readline" else []))
    try:
        made.kind = request.param
        made.home = tmp_path
        made.wait("gene>")
        yield made
    finally:
        made.process.kill()
        made.process.wait()


def test_a_dialogue_in_a_terminal(terminal):
    """Several lines, completion by the tab key, an interrupt, and leaving by Ctrl-D."""
    terminal.type("(fn dbl [x]\r")
    terminal.wait("...")
    terminal.type("(x * 2))\r")
    terminal.wait("VkFunction")
    terminal.wait("gene>")
    terminal.type("(dbl 21)\r")
    terminal.wait("42")
    terminal.wait("gene>")
    terminal.type('("abc" .to_uppe')
    terminal.wait(".to_uppe")
    terminal.type("\t")
    terminal.wait("case" if terminal.kind == "prompt_toolkit" else "\x07r")
    time.sleep(0.3)  # readline hears an interrupt only while it waits for a key
    terminal.type("\x03")
    terminal.wait("gene>")
    terminal.type("(math/sqr\t")
    terminal.wait("sqrt")
    terminal.type(" 9)\r")
    terminal.wait("3.0")
    terminal.wait("gene>")
    terminal.type("(loop 1)\r")
    time.sleep(1)
    terminal.type("\x03")
    terminal.wait("Interrupted")
    terminal.wait("gene>")
    terminal.type("(7 * 6)\r")
    terminal.wait("42")
    terminal.wait("gene>")
    terminal.type("\x04")
    assert terminal.end() == 0


def test_the_history_is_kept(terminal):
    """What was typed is offered again by the next dialogue."""
    terminal.type("(40 + 2)\r")
    terminal.wait("42")
    terminal.wait("gene>")
    terminal.type("\x04")
    assert terminal.end() == 0
    again = Terminal(terminal.home, *(["-c", WITHOUT] if terminal.kind == "readline" else []))
    again.wait("gene>")
    again.type("\x1b[A")
    again.wait("(40 + 2)")
    again.type("\r")
    again.wait("42")
    again.wait("gene>")
    again.type("\x04")
    assert again.end() == 0


def test_the_history_file_is_in_the_state_directory(tmp_path, monkeypatch):
    """The directory is that of the XDG base directory specification."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert history_file("history") == str(tmp_path / "gene" / "history")
    monkeypatch.delenv("XDG_STATE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert history_file("history") == str(tmp_path / ".local" / "state" / "gene" / "history")


def test_an_interrupt_over_a_pipe_ends_nothing_but_the_input():
    """A REPL that reads from a pipe survives an interrupt, too."""
    process = subprocess.Popen(
        [sys.executable, "-m", "gene", "repl"],
        env=environment(PYTHONUNBUFFERED="1"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdin.write('(println "ready") (loop 1)\n')
    process.stdin.flush()
    while "ready" not in process.stdout.readline():
        pass
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate("(1 + 1)\n", timeout=20)
    assert (output, errors, process.returncode) == (f"{PROMPT}2\n{PROMPT}\n", "Interrupted\n", 0)


# ------------------------------------------------------------------------------------------------- completion


@pytest.fixture(scope="module")
def interpreter():
    """An interpreter with definitions to complete."""
    made = Interpreter(capabilities=ALL)
    made.eval(
        "(var counter 1) (fn count_words [t] 1) (var config {^path 1 ^pattern 2})"
        " (class Point (ctor [] (/px = 1)) (method distance [] 1)) (var point (new Point))"
    )
    return made


@pytest.mark.parametrize(
    ("before", "start", "some"),
    [
        ("(coun", 1, ["count_words", "counter"]),
        ("prin", 0, ["print", "println"]),
        ("(whi", 1, ["while"]),
        ('("x" .to_up', 5, [".to_upper"]),
        ("(point .dist", 7, [".distance"]),
        ("config/pa", 0, ["config/path", "config/pattern"]),
        ("config/.si", 0, ["config/.size"]),
        ("[math/sq", 1, ["math/sqrt"]),
        ("gene/io/re", 0, ["gene/io/read"]),
        ("point/p", 0, ["point/px"]),
        ("(sqr", 1, ["sqrt"]),
        ("(nope/x", 1, []),
        ("nope/nope/x", 0, []),
        ("$ar", 0, ["$args"]),
    ],
)
def test_complete(interpreter, before, start, some):
    """Names, special words, methods after a dot, members after a slash."""
    found_start, found = complete(interpreter, before)
    assert found_start == start
    assert found == sorted(found)
    assert set(some) <= set(found)
    assert all(candidate.startswith(before[start:]) for candidate in found)
    assert not [candidate for candidate in found if "%" in candidate or "__" in candidate]
    assert bool(found) is bool(some)


def test_colours():
    """Each kind of token has its colour, and every character is kept."""
    text = '(fn f [x] # note\n  #"a #{x}" ^doc "d" 1.5 nil x/.size #< b >#)'
    tokens = list(GeneLexer(stripnl=False, ensurenl=False).get_tokens(text))
    assert "".join(value for _, value in tokens) == text
    kinds = {value: kind for kind, value in tokens}
    assert kinds["fn"] is Keyword
    assert kinds["# note"] is Comment.Single
    assert kinds["#< b >#"] is Comment.Multiline
    assert kinds['"d"'] is String
    assert kinds["^doc"] is Name.Attribute
    assert kinds["1.5"] is Number
    assert kinds["nil"] is Keyword.Constant
