"""Commands and child processes: real ones."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from gene.runtime.classes import construct
from gene.runtime.exceptions import ArgumentException, GeneException, IOException
from gene.runtime.methods import send
from gene.stdlib import system
from gene.stdlib.core import typeof
from gene.stdlib.processes import Process

start = Process.__gene__.members["start"]


@pytest.fixture
def run():
    """Starts processes, and ends those that a test leaves running."""
    started = []

    def begin(*args, **options):
        started.append(start(*args, **options))
        return started[-1]

    yield begin
    for process in started:
        send(process, "shutdown", timeout=0)


def ends_within(seconds, condition):
    limit = time.monotonic() + seconds
    while not condition() and time.monotonic() < limit:
        time.sleep(0.01)
    return condition()


def is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


# -- commands -----------------------------------------------------------------------------------------


def test_shell_gives_code_and_merged_output():
    """Exit code and output, standard error merged in, the final newline kept."""
    assert system.shell("echo one; exit 2") == {"exit_code": 2, "output": "one\n"}
    assert system.shell("echo a; echo b >&2; echo c") == {"exit_code": 0, "output": "a\nb\nc\n"}
    assert system.shell("nonexistent-command-xyz")["exit_code"] == 127


def test_shell_runs_a_whole_command_line(tmp_path):
    """Directories, pipes and quotes work as in a terminal."""
    result = system.shell(f"cd '{tmp_path}' && printf 'b\\na\\n' | sort && pwd")
    assert result["output"] == f"a\nb\n{tmp_path}\n"


def test_shell_reads_no_input():
    """A command that reads its input finds its end at once."""
    assert system.shell("cat; echo done")["output"] == "done\n"


def test_shell_ended_by_a_signal():
    """The exit code is 128 and the number of the signal."""
    assert system.shell("kill -9 $$")["exit_code"] == 137


def test_shell_output_of_any_bytes():
    """Large output arrives whole; bytes that are no UTF-8 become replacement characters."""
    assert len(system.shell("head -c 1000000 /dev/zero | tr '\\0' x")["output"]) == 1_000_000
    assert system.shell("printf 'a\\377b'")["output"] == "a\ufffdb"


@pytest.mark.parametrize("command", [None, 5, ["echo"], True])
def test_shell_requires_a_string(command):
    """Anything but a String is refused with the documented message."""
    with pytest.raises(ArgumentException, match=r"^shell requires a string command$"):
        system.shell(command)


def test_shell_cannot_run_a_null():
    """A null character is no part of a command."""
    with pytest.raises(IOException, match=r"Failed to run 'a\0b': embedded null byte"):
        system.shell("a\0b")


def test_interrupted_shell_leaves_nothing_running(tmp_path):
    """When the wait is broken off, what the command started is killed, children included."""
    note = tmp_path / "pid"

    class LimitReached(BaseException):
        pass

    def interrupt(_number, _frame):
        raise LimitReached

    old = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(LimitReached):
            system.shell(f"sleep 60 & echo $! > {note}; wait")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert ends_within(5, lambda: not is_running(int(note.read_text())))


def test_exec_gives_the_text():
    """A program gets its arguments as they are; only what it wrote comes back."""
    assert system.execute("echo", "a b", "$HOME; 'x'") == "a b $HOME; 'x'\n"
    assert system.execute("sh", "-c", "echo out; echo err >&2; exit 3") == "out\nerr\n"


def test_exec_errors():
    """A program that does not exist is named; arguments must be Strings."""
    with pytest.raises(IOException, match=r"^Failed to run 'no-such-program': No such file or directory$"):
        system.execute("no-such-program")
    for args in ((), (5,), ("echo", 5)):
        with pytest.raises(ArgumentException, match=r"exec requires a string command and string arguments"):
            system.execute(*args)


def test_directory_of_the_process(tmp_path, monkeypatch):
    """``cd`` changes what ``cwd`` and commands see; a wrong place is named."""
    monkeypatch.chdir("/")
    assert system.change_directory(str(tmp_path)) is None
    assert system.current_directory() == str(tmp_path)
    assert system.shell("pwd")["output"] == f"{tmp_path}\n"
    with pytest.raises(
        IOException, match=r"^Failed to change directory to 'nope': No such file or directory$"
    ):
        system.change_directory("nope")
    with pytest.raises(ArgumentException, match=r"cd requires a string path"):
        system.change_directory(None)


def test_directory_that_is_gone(tmp_path, monkeypatch):
    """A current directory that was removed is an error with a name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d").mkdir()
    os.chdir(tmp_path / "d")
    (tmp_path / "d").rmdir()
    with pytest.raises(IOException, match=r"Failed to find the current directory"):
        system.current_directory()


def test_machine():
    """Names of system and processor, as Gene writes them."""
    assert system.operating_system() == ("macosx" if sys.platform == "darwin" else "linux")
    assert system.architecture() in ("amd64", "arm64") or system.architecture() == os.uname().machine


# -- processes ----------------------------------------------------------------------------------------


def test_talk_with_a_process(run):
    """Lines go in and come out; after the end of input the process ends with its code."""
    process = run("cat")
    assert send(process, "write_line", "ping") is None
    assert send(process, "read_line", timeout=5) == "ping"
    assert send(process, "alive?") is True
    send(process, "write", "a", 1)
    send(process, "close_stdin")
    send(process, "close_stdin")
    assert send(process, "read_line", timeout=5.0) == "a1"
    assert send(process, "read_line", timeout=5) is None
    assert send(process, "wait", timeout=5) == 0
    assert send(process, "alive?") is False
    assert typeof(process) == "Process"


def test_new_starts_a_process_too(run):
    """``(new system/Process …)`` is the same as ``start``."""
    process = construct(Process, "sh", "-c", "exit 4")
    assert send(process, "wait", timeout=5) == 4


def test_timeouts_give_nil(run):
    """What does not come in time is nil, and nothing that came is lost."""
    process = run("cat")
    for method, args in (("read_line", ()), ("read_until", ("x",)), ("read_stderr", ()), ("wait", ())):
        begin = time.monotonic()
        assert send(process, method, *args, timeout=0.1) is None
        assert 0.05 < time.monotonic() - begin < 2
    send(process, "write", "half")
    assert send(process, "read_line", timeout=0.1) is None
    send(process, "write_line", " whole")
    assert send(process, "read_line", timeout=5) == "half whole"
    send(process, "write_line", "quick")
    time.sleep(0.2)
    assert send(process, "read_line", timeout=0) == "quick"


def test_read_until(run):
    """Everything up to and with the delimiter; the rest stays for the next reader."""
    process = run("printf", "abc> d\\303\\251f>> rest")
    assert send(process, "read_until", "> ", timeout=5) == "abc> "
    assert send(process, "read_until", ">>", timeout=5) == "déf>>"
    assert send(process, "read_until", "never", timeout=5) is None
    assert send(process, "read_line", timeout=5) == " rest"


def test_delimiter_that_arrives_in_two_pieces(run):
    """A delimiter is found where its halves were read one after the other."""
    process = run("sh", "-c", "printf 'xEN'; sleep 0.3; printf 'Dy'")
    assert send(process, "read_until", "END", timeout=5) == "xEND"


def test_read_available(run):
    """What is there is given at once, nothing is an empty String, half a character waits."""
    process = run("sh", "-c", "read go; printf 'a\\303'; read go; printf '\\251'; read go")
    assert send(process, "read_available") == ""
    send(process, "write_line")
    seen = []
    assert ends_within(5, lambda: seen.append(send(process, "read_available")) or "".join(seen) == "a")
    send(process, "write_line")
    assert ends_within(5, lambda: seen.append(send(process, "read_available")) or "".join(seen) == "aé")


def test_standard_error(run):
    """Standard error is read on its own, or joins the output when asked to; at its end comes nil."""
    process = run("sh", "-c", "echo out; echo err >&2")
    assert send(process, "read_stderr", timeout=5) == "err\n"
    assert send(process, "read_stderr", timeout=5) is None
    assert send(process, "read_line", timeout=5) == "out"
    merged = run("sh", "-c", "echo err >&2", stderr_to_stdout=True)
    assert send(merged, "read_line", timeout=5) == "err"
    assert send(merged, "read_stderr", timeout=5) is None


def test_full_pipes_block_nobody(run):
    """A process that floods one pipe while the program uses another one goes on."""
    process = run("sh", "-c", "head -c 500000 /dev/zero >&2; echo done")
    assert send(process, "read_line", timeout=10) == "done"
    assert len(send(process, "read_stderr", timeout=5)) == 500_000
    echo = run("cat")
    send(echo, "write_line", "x" * 1_000_000)
    assert len(send(echo, "read_line", timeout=10)) == 1_000_000
    flood = run("head", "-c", "500000", "/dev/zero")
    assert send(flood, "wait", timeout=10) == 0
    assert len(send(flood, "read_available")) == 500_000


def test_directory_and_environment(run, tmp_path, monkeypatch):
    """``^cwd`` is where it runs; ``^env`` adds variables, nil removes one, the others stay."""
    monkeypatch.setenv("GENE_TEST_KEPT", "kept")
    monkeypatch.setenv("GENE_TEST_GONE", "gone")
    process = run(
        "sh",
        "-c",
        'pwd; echo "$GENE_TEST_NEW $GENE_TEST_KEPT ${GENE_TEST_GONE-none}"',
        cwd=str(tmp_path),
        env={"GENE_TEST_NEW": "new", "GENE_TEST_GONE": None},
    )
    assert send(process, "read_line", timeout=5) == str(tmp_path)
    assert send(process, "read_line", timeout=5) == "new kept none"


def test_signals(run):
    """A signal is sent by name, with or without SIG; the code tells which one ended the process."""
    for name, code in (("TERM", 143), ("SIGKILL", 137), ("INT", 130)):
        process = run("sleep", "60")
        assert send(process, "signal", name) is None
        assert send(process, "wait", timeout=5) == code
        send(process, "signal", name)
    for wrong, text in (("NOPE", "'NOPE'"), ("_IGN", "'_IGN'"), (9, "VkInt"), ("", "''")):
        with pytest.raises(
            ArgumentException, match=rf"Process.signal requires a signal name such as TERM, got {text}"
        ):
            send(process, "signal", wrong)


def test_shutdown(run):
    """A process that reads its input ends by itself, another by TERM, a stubborn one is killed."""
    assert send(run("cat"), "shutdown", timeout=4) == 0
    assert send(run("sleep", "60"), "shutdown", timeout=0.4) == 143
    stubborn = run("sh", "-c", "trap '' TERM; echo ready; while true; do sleep 0.05; done")
    assert send(stubborn, "read_line", timeout=5) == "ready"
    assert send(stubborn, "shutdown", timeout=0.4) is None
    assert send(stubborn, "alive?") is False
    assert send(stubborn, "wait", timeout=1) == 137


@pytest.mark.parametrize(
    ("name", "args"),
    [("read_line", ()), ("read_until", ("x",)), ("read_stderr", ()), ("wait", ()), ("shutdown", ())],
)
def test_timeout_is_required(run, name, args):
    """The documented message for a missing ^timeout, and one for a wrong one."""
    process = run("cat")
    with pytest.raises(ArgumentException, match=rf"^Process.{name} requires \^timeout$"):
        send(process, name, *args)
    for wrong, got in (("1", "VkString"), (-1, "-1"), (True, "VkBool"), (float("nan"), "nan")):
        with pytest.raises(
            ArgumentException, match=rf"^Process.{name} requires \^timeout in seconds, got {got}$"
        ):
            send(process, name, *args, timeout=wrong)


def test_writing_to_a_process_that_is_gone(run):
    """Input that nobody reads is an error, no signal that ends the program."""
    process = run("true")
    send(process, "wait", timeout=5)
    with pytest.raises(IOException, match=r"Failed to write to the process: Broken pipe"):
        send(process, "write", "x" * 100_000)
    send(process, "close_stdin")
    with pytest.raises(IOException, match=r"Failed to write to the process: its input is closed"):
        send(process, "write", "x")


def test_start_errors(tmp_path):
    """What cannot be started is named with the reason; arguments of a wrong kind are refused."""
    with pytest.raises(IOException, match=r"^Failed to start 'no-such-program': No such file or directory$"):
        start("no-such-program")
    with pytest.raises(IOException, match=r"^Failed to start 'true' in '.*nope': No such file or directory$"):
        start("true", cwd=str(tmp_path / "nope"))
    for args in ((), (5,), ("echo", 5)):
        with pytest.raises(
            ArgumentException, match=r"Process.start requires a string command and string arguments"
        ):
            start(*args)
    with pytest.raises(ArgumentException, match=r"Process.start requires a string \^cwd, got VkInt"):
        start("true", cwd=5)
    with pytest.raises(ArgumentException, match=r"Process.start requires a map of strings as \^env"):
        start("true", env={"A": 1})
    with pytest.raises(ArgumentException, match=r"Process.read_until requires the text to read up to"):
        send(start("true"), "read_until", timeout=1)


def test_unknown_methods(run):
    """Other methods are missing, and the machinery behind a process is out of reach."""
    process = run("true")
    for name in ("nope", "_popen", "__init__"):
        with pytest.raises(GeneException, match=rf"Method {name} not found on instance"):
            send(process, name)


def test_processes_in_threads(run):
    """Several threads talk with processes of their own at once."""
    answers = []

    def talk(number):
        process = run("cat")
        send(process, "write_line", number)
        answers.append(send(process, "read_line", timeout=10))

    threads = [threading.Thread(target=talk, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == ["0", "1", "2", "3"]
