"""The ``gene`` command: arguments, output, exit status."""

import contextlib
import os
import signal
import subprocess
import sys
import time
import tomllib

import pytest
from gene_command import environment, gene

import gene as package
from gene.commands.options import UsageError, parse
from gene.commands.run import strip_dashes


@pytest.fixture
def program(tmp_path):
    """Writes a program file and returns its name; the tests run in its directory."""

    def write(text, name="t.gene"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    write.directory = tmp_path
    return write


# ------------------------------------------------------------------------------------------------- gene run


def test_run_prints_what_the_program_prints_and_ends_with_0(program):
    """A program's output is all that ``gene run`` prints."""
    done = gene("run", program('(println "hé")'), cwd=program.directory)
    assert (done.stdout, done.stderr, done.returncode) == ("hé\n", "", 0)


def test_run_reads_the_program_from_standard_input():
    """Without FILE, or with a dash, the program comes from standard input."""
    assert gene("run", text="(println 1)").stdout == "1\n"
    assert gene("run", "-", "a", text="(println $args)").stdout == "[a]\n"


def test_run_hands_over_arguments_without_their_dashes(program):
    """``$args`` has the arguments as the reference implementation hands them over; options end at FILE."""
    file = program("(println $args/.size $args/.to_json)")
    done = gene("run", file, "--flag", "--k=v", "-x", "plain", "--", "--no-warnings", cwd=program.directory)
    assert done.stdout == '7 ["flag","k","v","x","plain","","no-warnings"]\n'


def test_run_can_leave_the_arguments_alone(program):
    """``--raw-args`` keeps every dash."""
    file = program("(println $args/.to_json)")
    done = gene("run", "--raw-args", file, "--flag", "-5", "--", "--k=v", cwd=program.directory)
    assert done.stdout == '["--flag","-5","--","--k=v"]\n'


@pytest.mark.parametrize(
    ("given", "items"),
    [([], []), (["a=b"], ["a=b"]), (["-k="], ["k", ""]), (["---x"], ["x"]), (["-"], [""])],
)
def test_strip_dashes(given, items):
    """Only arguments that start with a dash change."""
    assert strip_dashes(given) == items


def test_exit_ends_the_program_with_its_status(program):
    """``(exit n)`` ends with n, and what was printed before is not lost."""
    done = gene("run", program('(print "bye") (exit 3) (println "never")'), cwd=program.directory)
    assert (done.stdout, done.returncode) == ("bye", 3)


def test_exit_runs_finally_and_no_catch(program):
    """Leaving is no error, but whoever has to clean up does; from a callback too."""
    code = '(try ([1] .each (fn [x] (exit 3))) catch * (println "caught") finally (println "cleaned up"))'
    done = gene("run", program(code), cwd=program.directory)
    assert (done.stdout, done.returncode) == ("cleaned up\n", 3)


def test_a_missing_file_is_an_error():
    """The name that was given is the name in the message."""
    done = gene("run", "nope.gene")
    assert (done.stdout, done.stderr, done.returncode) == ("", "Error: File not found: nope.gene\n", 1)


def test_a_directory_is_no_program(tmp_path):
    """What cannot be read is named together with the reason."""
    done = gene("run", str(tmp_path))
    assert done.stderr == f"Error: Cannot read {tmp_path}: Is a directory\n"
    assert done.returncode == 1


def test_a_file_that_is_not_utf_8_is_an_error(tmp_path):
    """The line of the first wrong byte is named."""
    (tmp_path / "t.gene").write_bytes(b'(println 1)\n(println "\xff")')
    done = gene("run", "t.gene", cwd=tmp_path)
    assert "the file is not UTF-8: invalid start byte\n  --> t.gene:2:11\n" in done.stderr
    assert done.returncode == 1


def test_warnings_stand_on_standard_error_before_the_output(program):
    """What the compiler warns of names file, line and column; ``--no-warnings`` drops it."""
    file = program("(var x 6)\n(println (x || 1))")
    done = gene("run", file, cwd=program.directory, env={"PYTHONDONTWRITEBYTECODE": "1"})
    assert done.stdout == "7\n"
    assert done.stderr.startswith("t.gene:2:10: warning: ")
    quiet = gene("run", "--no-warnings", file, cwd=program.directory, env={"PYTHONDONTWRITEBYTECODE": "1"})
    assert quiet.stderr == ""


def test_a_second_run_uses_the_cached_code(program):
    """The cache file stands beside the source, and the compiler is not imported when it is fresh."""
    file = program("(println 1)")
    show = "import sys; from gene.cli import main; main(['run', 't.gene']); print('gene.compiler' in sys.modules)"
    command = [sys.executable, "-c", show]
    env = environment()
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    runs = [
        subprocess.run(
            command, cwd=program.directory, env=env, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert runs == ["1\nTrue\n", "1\nFalse\n"]
    assert [
        name
        for name in os.listdir(program.directory / "__pycache__")
        if name.startswith(f"{file[:-5]}.gene-")
    ]


def test_the_way_of_a_cached_script_imports_nothing_heavy(program):
    """Modules that cost more than a whole small script are not imported to run one from the cache."""
    program('(fn f [x] #"Hi #{x}") (for x in [1 2] (println (f x)))')
    heavy = "argparse json typing enum re dataclasses functools inspect traceback lark attrs attr jsonschema asyncio"
    show = (
        "import sys; before = set(sys.modules); from gene.cli import main; main(['run', 't.gene']);"
        f"print(sorted((set(sys.modules) - before) & set({heavy.split()!r})))"
    )
    env = environment()
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", show],
            cwd=program.directory,
            env=env,
            capture_output=True,
            text=True,
            check=True,
        )
    assert done.stdout == "Hi 1\nHi 2\n[]\n"


# ------------------------------------------------------------------------------------- interrupts and pipes


@pytest.fixture
def start(program):
    """A function that starts ``gene`` with arguments; what still runs in the end is killed."""
    with contextlib.ExitStack() as started:

        def run(*arguments):
            process = subprocess.Popen(
                [sys.executable, "-m", "gene", *arguments],
                cwd=program.directory,
                env=environment(),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            started.enter_context(process)
            started.callback(process.kill)
            return process

        yield run


@pytest.mark.parametrize(
    "body",
    [
        "(while true)",
        "(loop (try (throw 1) catch * 2))",
        "(fn f [n] (f (n + 1))) (f 0)",
        "(sleep 60000)",
        "(var i 0) (while true (i += 1) (if (i > 1000) (i = 0)))",
    ],
)
def test_ctrl_c_ends_a_program_with_130(program, start, body):
    """An interrupt ends a program wherever it is, quietly, and what it printed is not lost."""
    file = program(f'(println "ready") (flush) {body}')
    process = start("run", file)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, "")


def test_ctrl_c_runs_finally(program, start):
    """A program can clean up after an interrupt, but not catch it."""
    body = '(try (var i 0) (while true (i += 1)) catch * (println "no") finally (println "clean"))'
    file = program(f'(println "ready") (flush) {body}')
    process = start("run", file)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=20)
    assert (process.returncode, output) == (130, "clean\n")


def test_a_broken_pipe_is_quiet(program, start):
    """When nobody reads the output any more, the program ends without a word."""
    process = start("run", program("(loop (println 1))"))
    assert process.stdout.readline() == "1\n"
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait(timeout=20) == 141


# ------------------------------------------------------------------------------------------- deep recursion

_PLAIN = "(fn f [n] (if (n == 0) 0 else (1 + (f (n - 1)))))"
_MAP = "(fn f [n] (if (n == 0) 0 else (1 + (([n] .map (fn [x] (f (x - 1)))) .get 0))))"
_SORT = """
(fn f [n]
  (if (n == 0) (return 0))
  (var c 0)
  ([1 2] .sort (fn [a b] (c = (f (n - 1))) (a - b)))
  (1 + c))
"""
_NEW = """
(class A (ctor [n] (if (n == 0) (/n = 0) else (do (var a (new A (n - 1))) (/n = (a/n + 1))))))
(fn f [n] (var a (new A n)) a/n)
"""
DEEP = {
    "plain calls": (_PLAIN, 100_000),
    "map": (_MAP, 10_000),
    "sort": (_SORT, 10_000),
    "constructors": (_NEW, 5_000),
}


@pytest.mark.parametrize("kind", DEEP)
def test_deep_recursion(program, kind):
    """Calls nest as deep as the language promises, also through methods that call back."""
    definition, depth = DEEP[kind]
    done = gene("run", program(f"{definition} (println (f {depth}))"), cwd=program.directory)
    assert (done.stdout, done.stderr, done.returncode) == (f"{depth}\n", "", 0)


ENDLESS = {
    "plain calls": "(fn f [n] (1 + (f (n + 1)))) (f 0)",
    "map": "(fn f [n] (1 + (([n] .map (fn [x] (f (x + 1)))) .get 0))) (f 0)",
    "sort": "(fn f [n] ([1 2] .sort (fn [a b] (f (n + 1)) (a - b))) 1) (f 0)",
    "constructors": "(class A (ctor [n] (/x = (new A (n + 1))))) (new A 0)",
    "instances that are called": "(class A (method call [n] (1 + (self (n + 1))))) ((new A) 0)",
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_endless_recursion_is_an_error(program, kind):
    """A recursion without end is reported like any other error; the process does not crash."""
    done = gene("run", program(ENDLESS[kind]), cwd=program.directory)
    assert done.returncode == 1
    assert done.stderr.startswith(
        "error[GENE.VM.STACK_OVERFLOW]: Stack overflow: the recursion is too deep\n"
    )
    assert "more calls of" in done.stderr
    assert len(done.stderr.splitlines()) < 30


# ---------------------------------------------------------------------------------------- the other commands


def test_eval_prints_nothing_by_itself():
    """The arguments are one text, joined with blanks."""
    done = gene("eval", "(var x 1)", "(println", "x)")
    assert (done.stdout, done.returncode) == ("1\n", 0)


@pytest.mark.parametrize(
    ("code", "shown"),
    [('"s\\n"', '"s\\n"'), ('[1 "a" nil]', '[1 "a" nil]'), ("nil", "nil"), ("void", "void"), ("'c'", "'c'")],
)
def test_eval_prints_the_last_value_on_request(code, shown):
    """``-p`` prints the value in the form that reads back."""
    assert gene("eval", "-p", "1", code).stdout == shown + "\n"


def test_eval_runs_a_whole_program():
    """Definitions come first, and what cannot be right is refused before anything runs, as in a file."""
    assert gene("eval", "-p", "(var y (f 1)) (fn f [x] (new A)) (class A < B) (class B) 2").stdout == "2\n"
    done = gene("eval", '(println "ran") (fn f [a] a) (f 1 2)')
    assert (done.stdout, done.returncode) == ("", 1)
    assert "too many positional arguments in call (expected 1, got 2)" in done.stderr


def test_eval_reads_standard_input():
    """Without CODE, standard input is the code."""
    assert gene("eval", "--print-last", text="(1 +\n 2)").stdout == "3\n"


def test_eval_reports_errors():
    """An uncaught error ends with 1."""
    done = gene("eval", '(throw "boom")')
    assert done.returncode == 1
    assert done.stderr.startswith("error[GENE.RUNTIME.ERROR]: boom\n  --> <eval>:1:1\n")


def test_parse_shows_data_over_several_lines(program):
    """What does not fit on a line goes below its opening bracket, indented."""
    long = " ".join(f'"text {number}"' for number in range(10))
    file = program(f"(f ^k [1 2]) (g {{^a [{long}]}} {long})")
    done = gene("parse", file, cwd=program.directory)
    inner = "\n".join(f'      "text {number}"' for number in range(10))
    outer = "\n".join(f'  "text {number}"' for number in range(10))
    assert done.stdout == f"(f ^k [1 2])\n(g\n  {{\n    ^a [\n{inner}\n    ]\n  }}\n{outer})\n"


_TAGGED = (
    '(Gene (Symbol a) (^k (Int 1)) (^flag (Bool true)) (Array (Symbol x) (String "s"))'
    " (Map (^... (Symbol m))) (Quote (Symbol y)))"
)


@pytest.mark.parametrize(
    ("style", "shown"),
    [
        ("pretty", '(a ^k 1 ^flag true [x "s"] {^... m} `y)\n7\n'),
        ("compact", '(a ^k 1 ^flag true [x "s"] {^... m} `y)\n7\n'),
        ("sexp", _TAGGED + "\n(Int 7)\n"),
    ],
)
def test_parse_styles(style, shown):
    """The three styles show the same data."""
    assert gene("parse", f"-f={style}", "-e", '(a ^k 1 ^^flag [x "s"] {^... m} `y) 7').stdout == shown


@pytest.mark.parametrize("text", ["(a", '#"x #{', "{^a 1 ^b", "[1 2"])
def test_parse_reports_errors_of_syntax(text):
    """An error names its place, on standard error, with status 1."""
    done = gene("parse", text=text)
    assert done.stderr.startswith("Parse error in <stdin>: ")
    assert "  --> <stdin>:1:" in done.stderr
    assert (done.stdout, done.returncode) == ("", 1)


def test_pretty_data_reads_back():
    """What ``gene parse`` shows reads as what it showed, also when shown over several lines."""
    words = " ".join(f"word_{number}" for number in range(30))
    text = f"(fn f [{words}] ^doc {{^deep {{{{1 [{words}] 2 {{}}}}}}}} `({words}) #[{words}] %x)"
    once = gene("parse", "-e", text).stdout
    assert once.count("\n") > 100
    assert gene("parse", text=once).stdout == once


def test_version():
    """The version is that of the package, which is also that of the distribution."""
    with open(os.path.join(os.path.dirname(__file__), "..", "pyproject.toml"), "rb") as file:
        assert tomllib.load(file)["project"]["version"] == package.__version__
    assert gene("--version").stdout == f"gene {package.__version__}\n"


@pytest.mark.parametrize(
    "arguments", [[], ["help"], ["--help"], ["-h"], ["help", "run"], ["run", "--help"], ["repl", "-h"]]
)
def test_help(arguments):
    """Without arguments the command explains itself, and where it is asked to."""
    done = gene(*arguments)
    assert done.stdout.startswith("usage: gene COMMAND")
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x"], "Error: Unknown command: x"),
        (["--x"], "Error: Unknown option: --x"),
        (["run", "--nope", "f"], "Error: Unknown option: --nope"),
        (["run", "--error-format=xml", "f"], "Error: Option --error-format must be text or gene, not xml"),
        (["run", "--error-format"], "Error: Option --error-format needs a value"),
        (["run", "--no-warnings=1", "f"], "Error: Option --no-warnings takes no value"),
        (["repl", "x"], "Error: gene repl takes no arguments, got x"),
        (["parse", "a", "b"], "Error: gene parse reads one FILE, or the text of -e"),
    ],
)
def test_wrong_usage(arguments, message):
    """A command line that means nothing ends with 1 and says what is wrong with it."""
    done = gene(*arguments)
    assert done.stderr.splitlines()[0] == message
    assert done.returncode == 1


def test_a_file_in_place_of_a_command_gets_a_hint(program):
    """Whoever forgets ``run`` is told."""
    done = gene(program("(println 1)"), cwd=program.directory)
    assert "hint: to run a file, write: gene run t.gene" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "options", "rest"),
    [
        (["-e", "1", "x"], {"--eval": "1"}, ["x"]),
        (["-e=1"], {"--eval": "1"}, []),
        (["-e:a=b"], {"--eval": "a=b"}, []),
        (["--eval=a=b", "-"], {"--eval": "a=b"}, ["-"]),
        (["--flag", "--", "-e"], {"--flag": ""}, ["-e"]),
        (["x", "--flag"], {}, ["x", "--flag"]),
    ],
)
def test_options(arguments, options, rest):
    """Options end at the first argument that is none."""
    assert parse(arguments, {"--eval": "", "-e": "--eval", "--flag": None}) == (options, rest)


def test_an_unknown_option_is_named():
    """The whole argument is in the message."""
    with pytest.raises(UsageError, match="Unknown option: --x=1"):
        parse(["--x=1"], {})
