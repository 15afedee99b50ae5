"""Exceptions: throwing, catching, $ex, and the message of every failure."""

import contextlib
import io
import re
from pathlib import Path

import pytest
from support import error, fails, output, run, value

from gene.interpreter import Interpreter

SCRIPTS = sorted((Path(__file__).parent / "errors").glob("*.gene"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_with_one_error(script):
    """Each script fails with the error and at the place that its comments name."""
    text = script.read_text(encoding="utf-8")
    message = re.search(r"^# expect error: (.*)$", text, re.MULTILINE)
    place = re.search(r"^# at line: (\d+)$", text, re.MULTILINE)
    assert message is not None, "a script says what it expects"
    failed = error(text)
    assert str(failed) == message[1]
    if place is not None:
        line = failed.span.line if failed.span is not None else int(str(failed.location).split(":")[1])
        assert line == int(place[1])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('(try (throw "a") catch * $ex/message)', "a"),
        ("(try (throw 5) catch * [$ex/message $ex/cause])", ["5", 5]),
        ("(try (throw {^code 1}) catch e [e/message e/cause])", ["{^code 1}", {"code": 1}]),
        ("(try 1 catch * 2)", 1),
        ("(try)", None),
        ("(try catch * 1)", None),
        ("(try (throw) catch * [$ex/message $ex/cause])", ["nil", None]),
        ("(try (throw true) catch * $ex/message)", "true"),
        ("(try (throw [1 `a 'c']) catch * $ex/message)", "[1 a c]"),
        ("(class P) (try (throw (new P)) catch * (typeof $ex/cause))", "P"),
        ("(try (+ nil 1) catch TypeException 1 catch * 2)", 1),
        ("(try (throw 1) catch TypeException 1 catch Exception 2)", 2),
        ("(try (throw 1) catch _ 3)", 3),
        ('(class E < Exception (ctor [m] (/message = m))) (try (throw (new E "x")) catch E $ex/message)', "x"),
        ("(class E < Exception) (class F < E) (try (throw (new F)) catch E 1)", 1),
        ("(ns /n (class /E < Exception)) (try (throw (new n/E)) catch n/E 1)", 1),
        ('(try (throw (new Exception "m")) catch * $ex/message)', "m"),
        ('(class E < Exception) (try (throw (new E "m")) catch E $ex/message)', "m"),
        ('(class E < Exception (ctor [m] (/message = ($ m "!")))) (try (throw (new E "m")) catch E $ex/message)', "m!"),
        ('(class E < IOError (ctor [m /path] (super .ctor m))) (try (throw (new E "m" "p")) catch IOError [$ex/message $ex/path])', ["m", "p"]),
        ('(try (throw "a") catch e (e = 5) e)', 5),
        ('(var e 1) (try (throw "a") catch e 2) e', 1),
        ('(fn f [] (try (throw "x") finally (return 2))) (f)', 2),
        ("(fn f [] (try (return 1) finally (return 2))) (f)", 2),
        ("(loop (try (break 5) finally 6))", 5),
        ('(var seen []) (for i in [1 2 3] (try (if (i == 2) (continue)) (seen .push i) finally (seen .push "f"))) seen', [1, "f", "f", 3, "f"]),
        ('(try (try (throw "a") catch * (throw "b")) catch * $ex/message)', "b"),
        ('(try (try (throw "a") catch TypeException 1) catch * $ex/message)', "a"),
        ('(try (try (throw "a") finally (throw "b")) catch * $ex/message)', "b"),
        ('(try (throw "a") catch * (try (throw "b") catch * nil) $ex/message)', "a"),
        ('(fn report [] $ex/message) (try (throw "a") catch * (report))', "a"),
        ('(try (throw "a") catch * nil) $ex', None),
        ('(var f (try (throw "a") catch * (fn [] $ex/message))) (f)', "a"),
        ("(var fs []) (for i in [1 2] (try (throw i) catch e (fs .push (fn [] e/cause)))) (fs .map (fn [f] (f)))", [1, 2]),
        ('(try ([1] .each (fn [x] (throw "a"))) catch * $ex/message)', "a"),
        ("(try ({^a 1} .each (fn [k v] (throw {^code 3}))) catch * $ex/cause/code)", 3),
        ('(try ([1] .filter (fn [x] (throw "a"))) catch * $ex/message)', "a"),
        ('(try ([1] .reduce 0 (fn [s x] (throw "a"))) catch * $ex/message)', "a"),
        ('(try ([2 1] .sort (fn [a b] (throw "a"))) catch * $ex/message)', "a"),
        ("(try ([1] .map (fn [x] (x .nope))) catch * $ex/message)", "Unified method call not supported for VkInt"),
        ('(var e (try (throw "a") catch * $ex)) (try (throw e) catch * $ex/message)', "a"),
        ('(try (throw "a") catch * 1 finally 2)', 1),
        ("(len [(try (throw 1) catch * 2)])", 1),
        ('(fn f [n] (if (n == 0) (throw "deep") else (+ 1 (f (n - 1))))) (try (f 1000) catch * $ex/message)', "deep"),
    ],
)  # fmt: skip
def test_catching(text, expected):
    """Patterns, values, nesting and what $ex is, where."""
    assert value(text) == expected


def test_an_error_in_a_catch_goes_outwards():
    """It does not enter the clauses of the same try again."""
    assert fails('(try (throw "a") catch * (throw "b"))') == "b"
    assert fails('(try (throw "a") catch TypeException 1)') == "a"
    assert fails('(try (throw "a") catch Nope 1)') == "Nope is not defined"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("(5 % 0)", "RuntimeException"),
        ("(9223372036854775807 + 1)", "RuntimeException"),
        ('("a" .replace)', "ArgumentException"),
        ('(gene/io/read "nowhere")', "IOError"),
        ('(File/read "nowhere")', "IOError"),
        ('("a" < "b")', "TypeException"),
        ("(nil + 1)", "TypeException"),
        ('(assert false "no")', "AssertionException"),
        ('(gene/json/parse "{")', "ParseException"),
        ('($parse "(")', "ParseException"),
        ("(nope)", "Exception"),
        ('("x" .nope)', "Exception"),
        ('(throw (new TimeoutException "t"))', "ConcurrencyException"),
        ('(throw (new CancellationException "t"))', "ConcurrencyException"),
        ('(throw (new ThreadException "t"))', "ConcurrencyException"),
        ('(throw (new NetworkException "t"))', "NetworkException"),
        ('(throw (new ProviderException "t"))', "ProviderException"),
    ],
)
def test_classes_of_errors(text, kind):
    """What the language itself throws has a class by what went wrong; Exception is the parent of all."""
    assert value(f"(try {text} catch {kind} true)") is True
    assert value(f"(try (throw (try {text} catch * $ex)) catch Exception true)") is True


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(try 1 catch)", "catch needs a pattern"),
        ("(try 1 catch finally 2)", "catch needs a pattern"),
        ("(try 1 catch 5 2)", "catch takes *, a class, or a name to bind"),
        ("(try 1 catch [a b] 2)", "catch takes *, a class, or a name to bind"),
        ("(try 1 catch (E e) 2)", "catch takes *, a class, or a name to bind"),
        ("(try 1 catch Exception as e e)", "catch takes no as"),
        ("(try 1 catch e: Exception e)", "catch takes no type of a name"),
        ("(try 1 finally 2 catch * 3)", "catch cannot follow finally"),
        ("(try 1 finally 2 finally 3)", "finally cannot follow finally"),
    ],
)
def test_mistakes_in_try(text, message):
    """Are refused before anything runs."""
    assert fails(f'(println "ran") {text}') == message


def test_classes_that_cannot_be_caught():
    """What is no class of exceptions can never match, so it is an error at its place."""
    failed = error('(try\n  (throw "a")\n  catch Int 1)')
    assert (str(failed), failed.location) == (
        "catch requires an exception class, and Int is none",
        "t.gene:3:9",
    )
    assert fails("(class A) (try (throw 1) catch A 1)") == "catch requires an exception class, and A is none"
    assert fails("(ns /n) (try (throw 1) catch n/E 1)") == "catch requires an exception class, got VkVoid"


def test_locations():
    """An exception knows file, line and column of the form that failed."""
    assert value('(try\n  (throw "a") catch * $ex/location)') == "t.gene:2:3"
    assert value("(try\n\n  (nil + 1) catch * $ex/location)") == "t.gene:3:3"


def test_locations_count_characters(tmp_path):
    """In texts, and in files on the first run and from the cache."""
    program = '"é" (println "日本" (try (throw 1) catch * $ex/location))'
    assert output(program) == "日本 t.gene:1:24\n"
    path = tmp_path / "wide.gene"
    path.write_text(program, encoding="utf-8")
    for _ in range(2):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            Interpreter().run(path)
        assert printed.getvalue() == f"日本 {path}:1:24\n"


def test_recursion_without_end_is_an_exception():
    """It is caught like any other, and the interpreter goes on."""
    assert value("(fn f [n] (+ 1 (f n))) (try (f 1) catch * $ex/code)") == "GENE.VM.STACK_OVERFLOW"


def test_output_before_an_error_stays():
    """What was printed before an error was printed."""
    assert run('(try (do (println "a") (throw 1)) catch * (println "b"))')[1] == "a\nb\n"


@pytest.mark.parametrize(
    ("text", "capability"),
    [
        ('(system/shell "true")', "shell"),
        ('(system/exec "true")', "shell"),
        ('(File/read "x")', "files"),
        ('(gene/io/write "x" "y")', "files"),
        ('(Dir/list ".")', "files"),
        ('(get_env "HOME")', "environment"),
        ("$env/HOME", "environment"),
        ("(exit 3)", "exit"),
        ("(readline)", "stdin"),
    ],
)
def test_what_is_not_granted_is_refused(text, capability):
    """Without its capability a function raises an exception that names it."""
    with pytest.raises(Exception, match=capability) as refused:
        Interpreter().eval(text)
    assert type(refused.value).__name__ == "PermissionException"


def test_nothing_runs_when_the_compiler_refuses():
    """Faults of form are found before the first effect."""
    with pytest.raises(Exception, match="break used outside"):
        output('(println "ran") (break)')
