"""The options of ``gene run`` that decide how a program is compiled and run, and those of the interpreter."""

import os

import pytest
from gene_command import gene

from gene import GeneCompileError, GeneException, Interpreter

CACHED = {"PYTHONDONTWRITEBYTECODE": ""}
"""The environment in which compiled files are cached."""
RULE = "strict nil mode admits nil only for Any, Nil, Option[T], or unions containing Nil"


@pytest.fixture
def program(tmp_path):
    """Writes a program and returns a function that runs it with options."""

    def write(text, name="t.gene"):
        (tmp_path / name).write_text(text, encoding="utf-8")
        return lambda *options, **more: gene("run", *options, name, cwd=tmp_path, env=CACHED, **more)

    write.directory = tmp_path
    return write


def cached(directory):
    """The names of cached files."""
    found = directory / "__pycache__"
    return sorted(os.listdir(found)) if found.exists() else []


# -- checks ----------------------------------------------------------------------------------------------


def test_type_checks_can_be_turned_off(program):
    """What would be refused runs then, up to where it goes wrong."""
    run = program("(fn one [a] a) (println 1) (one 1 2)")
    refused = run()
    assert (refused.stdout, refused.returncode) == ("", 1)
    assert "too many positional arguments" in refused.stderr
    allowed = run("--no-type-check")
    assert (allowed.stdout, allowed.returncode) == ("1\n", 1)
    assert "Expected 1 arguments, got 2" in allowed.stderr
    assert run().stdout == ""  # the unchecked code that is cached by now is not used


def test_code_that_was_not_checked_is_not_taken_for_checked_code(program):
    """Whatever was cached first, each combination of options compiles what it means."""
    run = program("(class A (method m [] 1)) (var a (new A)) (println (try (a .zz 1) catch * $ex/message))")
    for _ in range(2):
        assert run("--no-type-check").stdout == "Method zz not found on instance\n"
        assert "unknown method zz on A" in run().stderr
    assert len(cached(program.directory)) == 1


def test_nil_can_be_refused(program):
    """With ``--strict-nil`` only types that name nil admit it; cached code of the other mode is not used."""
    run = program("(class A) (fn f [a: A] 1) (println (try (f nil) catch * $ex/message))")
    for _ in range(2):
        assert run().stdout == "1\n"
        assert run("--strict-nil").stdout == (
            f"Type error [GENE_TYPE_MISMATCH]: expected A, got Nil in a; {RULE} @ t.gene:1:11\n"
        )
    assert len(cached(program.directory)) == 2


def test_contracts_can_be_turned_off(program):
    """The same compiled code checks them or not."""
    run = program(
        "(fn f ^pre [(n > 0)] ^post [(result > 5)] [n] n) (println (try (f 0) catch * $ex/message))"
    )
    assert "precondition #1 failed" in run().stdout
    assert run("--contracts=off").stdout == "0\n"
    assert "precondition #1 failed" in run("--contracts=on").stdout
    assert "must be on or off, not maybe" in run("--contracts=maybe").stderr


def test_eval_takes_them_too():
    """What decides how code runs decides it for the command line's code as well."""
    code = "(fn f ^pre [(n != 1)] [n: Int] n) [(f nil) (f 1)]"
    assert "precondition #1" in gene("eval", "-p", code).stderr
    assert gene("eval", "-p", "--contracts=off", code).stdout == "[nil 1]\n"
    assert "strict nil" in gene("eval", "-p", "--contracts=off", "--strict-nil", code).stderr


def test_options_hold_in_imported_modules(program):
    """An interpreter has one mode, wherever the code comes from."""
    program("(fn f [n: String] n) (fn g ^pre [false] [] 1)", "m.gene")
    run = program('(import f g from "m") (println (f nil) (g))')
    assert run("--contracts=off").stdout == "nil 1\n"
    assert "expected String, got Nil in n" in run("--strict-nil", "--contracts=off").stderr


# -- the cache -------------------------------------------------------------------------------------------


def test_a_run_may_leave_no_cached_files(program):
    """``--no-gir-cache`` neither reads nor writes them."""
    run = program("(println (6 || 1))")
    assert run("--no-gir-cache").stdout == "7\n"
    assert cached(program.directory) == []
    run()
    assert "warning" not in run().stderr
    assert "warning" in run("--no-gir-cache").stderr


def test_a_run_may_compile_anew(program):
    """``--force-compile`` says again what the compiler warns of, and leaves a fresh cached file."""
    run = program("(println (6 || 1))")
    run()
    (name,) = cached(program.directory)
    before = (program.directory / "__pycache__" / name).stat().st_mtime_ns
    assert "warning" in run("--force-compile").stderr
    assert cached(program.directory) == [name]
    assert (program.directory / "__pycache__" / name).stat().st_mtime_ns > before


@pytest.mark.parametrize("kept", [0, 10, 16, 20, 100])
def test_a_cached_file_that_was_cut_short_is_made_again(program, kept):
    """A full disk leaves a part of a file; the program runs all the same, and the cache is whole again."""
    run = program("(fn f [n] (n + 1)) (println (f 1))")
    run()
    (name,) = cached(program.directory)
    file = program.directory / "__pycache__" / name
    whole = file.read_bytes()
    file.write_bytes(whole[:kept])
    assert (run().stdout, run().stderr) == ("2\n", "")
    assert file.read_bytes() == whole


# -- looking at a program --------------------------------------------------------------------------------


def test_a_program_can_be_profiled(program):
    """Gene functions are listed by file and line on standard error, also if the program fails."""
    run = program('(fn slow [n] (if (n > 0) (slow (n - 1)) (throw "end")))\n(println 1)\n(slow 3)')
    done = run("--profile")
    assert done.stdout == "1\n"
    assert "t.gene:1(slow)" in done.stderr
    assert "error[GENE.RUNTIME.ERROR]: end" in done.stderr
    assert "interpreter.py" not in done.stderr
    assert done.returncode == 1


def test_a_repl_after_an_error(program):
    """It sees the variables of the module that failed; the exit status stays that of the program."""
    program('(var secret 41) (fn $ns/f [] (throw "boo"))', "m.gene")
    run = program('(import f from "m") (f)')
    done = run("--repl-on-error", text="(secret + 1)\n*e/message\n")
    assert "gene> 42\n" in done.stdout
    assert 'gene> "boo"\n' in done.stdout
    assert "error[GENE.RUNTIME.ERROR]: boo" in done.stderr
    assert done.returncode == 1
    fine = program("(println 1)")("--repl-on-error", text="2\n")
    assert (fine.stdout, fine.returncode) == ("1\n", 0)


# -- options of the reference implementation -------------------------------------------------------------


def test_options_that_change_nothing_are_accepted(program):
    """They choose between kinds of code that the reference implementation has."""
    run = program("(println 1)")
    done = run("--compile", "--checked-vm", "--native-code", "--native-tier=full")
    assert (done.stdout, done.stderr, done.returncode) == ("1\n", "", 0)


@pytest.mark.parametrize("option", ["--trace", "--trace-instruction"])
def test_options_that_cannot_be_met_are_refused(program, option):
    """The message says what to use instead."""
    done = program("(println 1)")(option)
    assert (done.stdout, done.returncode) == ("", 1)
    assert done.stderr.startswith(f"Error: Option {option} is not supported: ")
    assert "--debug" in done.stderr


# -- the same for hosts ----------------------------------------------------------------------------------


def test_an_interpreter_without_type_checks():
    """Too many arguments are then an exception, which a program can catch."""
    text = "(fn one [a] a) (var $ns/message (try (one 1 2) catch * $ex/message))"
    with pytest.raises(GeneCompileError, match="too many positional arguments"):
        Interpreter().run_text(text)
    assert Interpreter(type_check=False).run_text(text).get("message") == "Expected 1 arguments, got 2"


def test_a_strict_interpreter():
    """Each interpreter has a mode of its own, for text and for evaluated data."""
    text = "(class A) (fn f [a: A] 1) (f nil)"
    strict, usual = Interpreter(strict_nil=True), Interpreter()
    assert usual.eval(text) == 1
    with pytest.raises(GeneException, match="got Nil in a; strict nil mode"):
        strict.eval(text)
    assert usual.eval("(eval `((fn [a: A] 1) nil))") == 1
    with pytest.raises(GeneException, match="got Nil in a; strict nil mode"):
        strict.eval("(eval `((fn [a: A] 1) nil))")


@pytest.mark.parametrize(
    ("program", "what"),
    [
        ("(fn f [x: Int] x) (f nil)", "Int, got Nil in x"),
        ("(fn f [x: Int = nil] x) (f)", "Int, got Nil in x"),
        ("(fn f [^k: Array] k) (f ^k nil)", "Array, got Nil in k"),
        ("(fn f [] -> String nil) (f)", "String, got Nil in return value of f"),
        ("(fn f [] (var x: Int nil)) (f)", "Int, got Nil in variable"),
        ("(fn f [] (var x: (Int | String) 1) (x = nil)) (f)", "(Int | String), got Nil in variable"),
        ("(enum E (A n: Int)) (E/A nil)", "Int, got Nil in field E/A.n"),
        ("(interface I) (fn f [x: I] 1) (f nil)", "I, got Nil in x"),
        ("(type T Int) (fn f [x: T] 1) (f nil)", "Int, got Nil in x"),
    ],
)
def test_where_a_strict_interpreter_refuses_nil(program, what):
    """Wherever types are checked; the message tells the rule and the place."""
    with pytest.raises(GeneException) as failed:
        Interpreter(strict_nil=True).eval(program, "t.gene")
    assert failed.value.message.startswith(
        f"Type error [GENE_TYPE_MISMATCH]: expected {what}; {RULE} @ t.gene:1:"
    )


@pytest.mark.parametrize(
    "type_",
    ["Any", "Nil", "(Option Int)", "Option", "(Int | Nil)", "(Option | Int)", "(Int | (Nil | String))"],
)
def test_where_a_strict_interpreter_admits_nil(type_):
    """Types that name it, in every place."""
    text = f"(fn f [x: {type_}] -> {type_} (var y: {type_} x) y) (f nil)"
    assert Interpreter(strict_nil=True).eval(text) is None
    assert Interpreter(strict_nil=True).eval(f"(type T {type_}) (fn f [x: T] x) (f nil)") is None


def test_a_mode_of_the_cache_that_does_not_exist():
    """The message lists those that do."""
    with pytest.raises(ValueError, match="cache must be one of use, renew, off, not 'no'"):
        Interpreter(cache="no")
