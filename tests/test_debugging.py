"""Python's tools on Gene code: tracebacks, the debugger, the profiler, tracing."""

import cProfile
import io
import pstats
import subprocess
import sys
import traceback

import pytest
from gene_command import environment, gene

from gene import GeneException, Interpreter, calls

PROGRAM = """\
(fn square [n]
  (var result (n * n))
  result)

(fn total [n]
  (var sum 0)
  (for i in (1 .. n)
    (sum = (sum + (square i))))
  sum)

(println (total 3))
"""


@pytest.fixture
def file(tmp_path):
    """The program as a file."""
    path = tmp_path / "work.gene"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def debug(file, *commands):
    """What the debugger shows for a Gene program and these commands."""
    done = gene("run", "--debug", str(file), text="".join(command + "\n" for command in commands))
    return done.stdout.replace("(Pdb) ", "")


def test_the_debugger_stops_at_a_line_of_a_gene_file(file):
    """A breakpoint stops there; variables have the names and values of the program; the stack shows Gene lines."""
    shown = debug(
        file, f"break {file}:3", "continue", "p n, result", "up", "p i, sum", "where", "clear 1", "continue"
    )
    assert f"> {file}(3)square()\n-> result)\n(1, 1)\n> {file}(8)total()\n" in shown
    assert "-> (sum = (sum + (square i))))\n(1, 0)\n" in shown
    assert f"  {file}(11)<module>()\n-> (println (total 3))\n" in shown
    assert shown.endswith("\n14\n")


def test_the_debugger_steps_from_one_gene_line_to_the_next(file):
    """It starts at the first line, and never stops inside of the implementation of Gene."""
    shown = debug(file, *["step"] * 14, "list", "continue")
    stops = [line for line in shown.splitlines() if line.startswith("> ")]
    assert stops[0] == f"> {file}(1)<module>()"
    assert all(stop.startswith(f"> {file}(") for stop in stops)
    assert f"> {file}(2)square()" in stops
    assert "  2  \t  (var result (n * n))\n" in shown


def test_the_debugger_stops_where_an_error_came_up(file):
    """After an uncaught error the variables of the failed call can be looked at; the error is reported then."""
    file.write_text("(fn f [amount?]\n  (throw `lost))\n(f 21)")
    done = gene("run", "--debug", str(file), text="continue\np amount?\nquit\n")
    assert f"Exception: lost\n> {file}(2)f()\n-> (throw `lost))\n(Pdb) 21\n" in done.stdout
    assert done.stderr.startswith(f"error[GENE.RUNTIME.ERROR]: lost\n  --> {file}:2:3\n")
    assert done.returncode == 1


def test_no_program_catches_that_the_debugger_is_left(file):
    """``quit`` ends the program at once, without a word, also in the body of a ``try``."""
    file.write_text('(try\n  (println "a")\n  (println "b")\ncatch * (println "caught"))\n(println "end")')
    for commands in ("quit\n", f"break {file}:3\ncontinue\nquit\n"):
        done = gene("run", "--debug", str(file), text=commands)
        assert "caught" not in done.stdout
        assert "end" not in done.stdout.splitlines()
        assert "BdbQuit" not in done.stdout + done.stderr
        assert done.stderr == ""
        assert done.returncode == 0


def test_python_s_own_debugger_shows_gene_lines(file):
    """``breakpoint()`` in a function of the host shows the Gene line that called it."""
    script = (
        "from gene import Interpreter\n"
        "def stop(*values):\n    breakpoint()\n"
        f"interpreter = Interpreter()\ninterpreter.define('println', stop)\ninterpreter.run({str(file)!r})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(),
        input="up\nlist\ncontinue\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert f"> {file}(11)<module>()\n-> (println (total 3))\n" in done.stdout
    assert "  7  \t  (for i in (1 .. n)\n" in done.stdout


def test_the_profiler_names_gene_functions(file):
    """Calls are counted by function, with file and line."""
    profiler = cProfile.Profile()
    interpreter = Interpreter()
    interpreter.define("println", lambda *_values: None)
    profiler.runcall(interpreter.run, file)
    stream = io.StringIO()
    pstats.Stats(profiler, stream=stream).print_stats("work.gene")
    lines = {
        line.rpartition("(")[2].rstrip(")"): line.split()[0]
        for line in stream.getvalue().splitlines()
        if "work.gene:" in line
    }
    assert lines["square"] == "3"
    assert lines["total"] == "1"
    assert "work.gene:1(square)" in stream.getvalue()
    assert "work.gene:5(total)" in stream.getvalue()


def test_tracebacks_show_gene_lines(tmp_path):
    """Python's traceback has a line for each Gene call, with its source and markers."""
    path = tmp_path / "fails.gene"
    path.write_text('(fn inner [x]\n  (throw "no"))\n(fn outer [x]\n  (inner x) 1)\n(outer 5)\n')
    with pytest.raises(GeneException) as raised:
        Interpreter().run(path)
    shown = "".join(traceback.format_exception(raised.value))
    assert f'File "{path}", line 5, in <module>\n    (outer 5)\n' in shown
    assert f'File "{path}", line 4, in outer\n    (inner x) 1)\n    ^^^^^^^^^\n' in shown
    assert f'File "{path}", line 2, in inner\n    (throw "no"))\n    ^^^^^^^^^^^^\n' in shown


def test_tracing_sees_every_gene_line(file):
    """Trace functions, which debuggers and coverage tools are made of, get line events of the Gene file."""
    seen = set()

    def trace(frame, event, _argument):
        if frame.f_code.co_filename == str(file) and event == "line":
            seen.add(frame.f_lineno)
        return trace

    interpreter = Interpreter()
    interpreter.define("println", lambda *_values: None)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        interpreter.run(file)
    finally:
        sys.settrace(before)
    assert {2, 3, 6, 7, 8, 9, 11} <= seen


def test_post_mortem_frames_have_the_variables(file):
    """What a debugger shows after a crash: the values at the time."""
    with pytest.raises(GeneException) as raised:
        Interpreter().eval("(fn f [amount] (var doubled (amount * 2)) (throw `stop)) (f 21)")
    innermost = calls(raised.value)[0]
    assert innermost.frame.f_locals["doubled"] == 42
    assert innermost.frame.f_locals["amount"] == 21
