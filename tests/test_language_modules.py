"""Modules: what a file offers, every form of import, and what goes wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from gene_command import gene
from support import output

from gene.interpreter import Interpreter
from gene.report import gene_text
from gene.runtime.exceptions import GeneException
from gene.stdlib.capabilities import ALL

if TYPE_CHECKING:
    from pathlib import Path

TOOLS = """
(println "tools runs")
(var secret 1)
(var $ns/LIMIT 10)
(var /size 3)
(fn add [a b] (a + b))
(fn $ns/twice [x] (add x x))
(class Box (ctor [/v]))
(fn counter [] (secret += 1))
(ns /Inner (fn /deep [] "deep") (var /n 5))
"""


def play(path: Path, files: dict[str, str], capsys: pytest.CaptureFixture[str]) -> str:
    """Write files and run the one called main; what it printed."""
    for name, text in files.items():
        target = path / f"{name}.gene"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    Interpreter(capabilities=ALL).run(path / "main.gene")
    return capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ('(import add twice from "tools") (println (add 1 2) (twice 4))', "3 8"),
        ('(import add:plus LIMIT:max from "tools") (println (plus 1 2) max)', "3 10"),
        ('(import * from "tools") (println (add 1 2) LIMIT size)', "3 10 3"),
        ('(import Box from "tools") (var b (new Box 5)) (println b/v)', "5"),
        ('(import Inner/deep from "tools") (println (deep))', "deep"),
        ('(import Inner/[deep n:count] from "tools") (println (deep) count)', "deep 5"),
        ('(import Inner from "tools") (println (Inner/deep) Inner/n)', "deep 5"),
        ('(import counter from "tools") (println (counter) (counter))', "2 3"),
        ('(import add from "./tools") (println (add 1 1))', "2"),
        ('(println (f)) (fn f [] (add 1 5)) (import add from "tools")', "6"),
    ],
)
def test_forms_of_import(text, printed, tmp_path, capsys):
    """Names, aliases, everything, members of namespaces; imports come before all other statements."""
    assert play(tmp_path, {"tools": TOOLS, "main": text}, capsys) == f"tools runs\n{printed}\n"


def test_definitions_come_first():
    """All kinds of them, in their order, before the other statements, which keep theirs."""
    text = """
        (println (f 2) ((new C 3) .m) E/a n/x (O .m) ((I [4]) .m))
        (type T (Int | Nil))
        (fn f [x: T] (x + 1))
        (interface I (method m []))
        (class C implements [I] (ctor [/v]) (method m [] /v))
        (println "then")
        (enum E a)
        (ns /n (var /x 5))
        (object O (method m [] 6))
        (implement I for Array (method m [] /inner/0))
    """
    assert output(text) == "3 3 E/a 5 6 4\nthen\n"


@pytest.mark.parametrize("places", [["app/deep", "app", "app/src", "app/lib", "app/build", "one", "two"]])
def test_the_order_of_the_lookup(places, tmp_path, monkeypatch, capsys):
    """Beside the importer, in the root, src, lib and build of the package, then in the workspace."""
    monkeypatch.setenv("GENE_WORKSPACE_PATH", f"{tmp_path / 'one'}:{tmp_path / 'two'}")
    (tmp_path / "app" / "deep").mkdir(parents=True)
    (tmp_path / "app" / "package.gene").write_text("^name app")
    (tmp_path / "app" / "deep" / "main.gene").write_text('(import at from "where/is") (println at)')
    found = []
    for place in reversed(places):
        target = tmp_path / place / "where" / "is.gene"
        target.parent.mkdir(parents=True)
        target.write_text(f'(var $ns/at "{place}")')
        Interpreter(capabilities=ALL).run(tmp_path / "app" / "deep" / "main.gene")
        found.append(capsys.readouterr().out.strip())
    assert found == list(reversed(places))


def test_errors_of_modules_lead_back_to_the_import(tmp_path):
    """The place is in the module, and the calls name the file that imports it."""
    (tmp_path / "m.gene").write_text('(var x 1)\n(throw "inside")')
    (tmp_path / "main.gene").write_text('(println 1)\n(import x from "m")')
    done = gene("run", "main.gene", cwd=tmp_path)
    assert "error[GENE.RUNTIME.ERROR]: inside" in done.stderr
    assert "m.gene:2:1" in done.stderr
    assert "in the top level at main.gene:2:1" in done.stderr
    assert done.stdout == ""


def test_a_module_runs_once(tmp_path, capsys):
    """Two importers share one module, its variables included."""
    files = {
        "tools": TOOLS,
        "a": '(import counter from "tools") (fn go [] (counter))',
        "b": '(import counter from "tools") (fn go [] (counter))',
        "main": '(import go:a from "a") (import go:b from "b") (println (a) (b))',
    }
    assert play(tmp_path, files, capsys) == "tools runs\n2 3\n"


def test_a_file_is_found_beside_its_importer(tmp_path, capsys):
    """A module in another directory imports its own neighbours."""
    files = {
        "lib/one": '(import two from "two") (fn one [] (two))',
        "lib/two": '(fn two [] "two of lib")',
        "two": '(fn two [] "wrong")',
        "main": '(import one from "lib/one") (println (one))',
    }
    assert play(tmp_path, files, capsys) == "two of lib\n"


def test_the_workspace_path_is_searched(tmp_path, capsys, monkeypatch):
    """Directories of GENE_WORKSPACE_PATH hold modules for everyone."""
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "common.gene").write_text("(fn hello [] 1)")
    monkeypatch.setenv("GENE_WORKSPACE_PATH", str(shared))
    assert play(tmp_path, {"main": '(import hello from "common") (println (hello))'}, capsys) == "1\n"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"main": '(import x from "none")'},
            r"^\[GENE.MODULE.NOT_FOUND\] Module 'none' was not found \(importer=",
        ),
        ({"main": '(import nope from "m")', "m": "1"}, "^Symbol 'nope' not found in namespace$"),
        (
            {"main": '(import secret from "m")', "m": "(var secret 1)"},
            "^Symbol 'secret' not found in namespace$",
        ),
        (
            {"main": '(import f from "m")', "m": "(export g) (fn f [] 1) (fn g [] 2)"},
            r"^\[GENE.IMPORT.EXPORT_MISSING\] Cannot import 'f' from module with explicit exports$",
        ),
        (
            {
                "main": '(import f from "a")',
                "a": '(import g from "b") (fn f [])',
                "b": '(import f from "a") (fn g [])',
            },
            r"^\[GENE.MODULE.CYCLE\] Cyclic import detected: a -> b -> a$",
        ),
        ({"main": '(import f from "main")'}, r"^\[GENE.MODULE.CYCLE\] Cyclic import detected: main -> main$"),
        ({"main": "(import x)"}, "^Module path not specified in import statement$"),
        ({"main": '(fn f [] (import x from "m"))'}, "^import is compile-time only"),
        ({"main": '(if true (import x from "m"))'}, "^import is compile-time only"),
        ({"main": '(try (import x from "m") catch * 1)'}, "^import is compile-time only"),
        ({"main": '(do (import x from "m"))'}, "^import is compile-time only"),
        ({"main": '(import "x" from "m")'}, "^import takes names$"),
        ({"main": '(import x: from "m")'}, "^import takes names$"),
        ({"main": '(import :x from "m")'}, "^import takes names$"),
        ({"main": '(import n/ from "m")'}, "^import takes names$"),
        ({"main": '(import [x] from "m")'}, "^import takes names$"),
        ({"main": "(import genex/nope/x)"}, "^Symbol 'genex/nope/x' not found in namespace$"),
        ({"main": "(import nope/x)"}, "^nope is not defined$"),
        ({"main": "(fn f [] (export f))"}, "^export is possible only at the top level of a module$"),
        ({"main": '(export "f")'}, "^export takes names$"),
        ({"main": "(export f:g)"}, "^export takes names$"),
        ({"main": '(import f from "m")', "m": "(fn f ["}, "^EOF while reading list"),
        ({"main": '(import f from "m")', "m": '(throw "inside")'}, "^inside$"),
    ],
)
def test_imports_that_fail(files, message, tmp_path, capsys):
    """Missing files and names, hidden names, circles, and faults of the module itself."""
    with pytest.raises(Exception, match=message):
        play(tmp_path, files, capsys)


@pytest.mark.parametrize(
    ("module", "hint"),
    [
        ("(var x 1)", "x is private there; (var $ns/x …) or (export x) offers it"),
        ("(y = 1)", None),
        ("(fn xx [] 1) (fn other [] 1)", "did you mean xx?"),
        ("(x = 1)", "x is private there; (var $ns/x …) or (export x) offers it"),
    ],
)
def test_private_names_are_told_from_missing_ones(module, hint, tmp_path):
    """The error is at the name, and says how the module would offer it."""
    (tmp_path / "m.gene").write_text(module)
    (tmp_path / "main.gene").write_text('(import * y:z\n  x from "m")'.replace("y:z", ""))
    with pytest.raises(GeneException, match="Symbol 'x' not found in namespace") as failed:
        Interpreter(capabilities=ALL).run(tmp_path / "main.gene")
    assert failed.value.hint == hint
    assert str(failed.value.location).endswith("main.gene:2:3")
    assert "^line 1 ^column 1" in gene_text(failed.value)  # the reference reports the form


def test_exports_may_name_variables(tmp_path, capsys):
    """What export lists can be imported, plain variables too."""
    files = {"m": "(export a f) (var a 5) (fn f [] a)", "main": '(import a f from "m") (println a (f))'}
    assert play(tmp_path, files, capsys) == "5 5\n"


def test_a_module_that_failed_runs_again(tmp_path):
    """A module whose first run threw is not half there."""
    (tmp_path / "m.gene").write_text('(var $ns/x 1) (throw "not yet")')
    (tmp_path / "main.gene").write_text('(import x from "m")')
    interpreter = Interpreter(capabilities=ALL)
    for _ in range(2):
        with pytest.raises(Exception, match="not yet"):
            interpreter.run(tmp_path / "main.gene")


def test_the_started_file_knows_it(tmp_path, capsys):
    """$if_main runs in the started file only."""
    files = {
        "m": '($if_main (println "m is main")) (fn f [] 1)',
        "main": '(import f from "m") ($if_main (println "main"))',
    }
    assert play(tmp_path, files, capsys) == "main\n"


def test_namespaces_of_the_language_can_be_imported():
    """A path without a file names a member of a namespace."""
    interpreter = Interpreter(capabilities=ALL)
    assert interpreter.eval("(import math/sqrt) (sqrt 16)") == 4.0
    assert interpreter.eval(
        '(import math/[abs sqrt:root] gene/json:j) [(abs -1) (root 4) (j/parse "[1]")]'
    ) == [1, 2.0, [1]]


def test_cached_code_is_used_and_renewed(tmp_path, capsys):
    """A second run uses the compiled file; a changed source is compiled again."""
    import os

    assert play(tmp_path, {"main": "(println 1)"}, capsys) == "1\n"
    assert play(tmp_path, {"main": "(println 22)"}, capsys) == "22\n"
    os.utime(tmp_path / "main.gene", (0, 0))
    assert play(tmp_path, {"main": "(println 333)"}, capsys) == "333\n"


def test_interpreters_share_nothing(tmp_path):
    """Two interpreters run the same file with modules and globals of their own."""
    (tmp_path / "m.gene").write_text("(var n 0) (fn next [] (n += 1))")
    (tmp_path / "main.gene").write_text('(import next from "m") (var $ns/value (next))')
    values = [Interpreter(capabilities=ALL).run(tmp_path / "main.gene").get("value") for _ in range(2)]
    assert values == [1, 1]
