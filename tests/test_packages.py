"""Packages: imports with ``of``, where they are found, and ``$pkg``."""

import os

import pytest
from gene_command import gene
from support import error

from gene import report
from gene.errors import GeneError
from gene.interpreter import Interpreter
from gene.stdlib.capabilities import ALL


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """Writes files below a directory; its ``run`` runs one of them and returns the member ``result``."""
    monkeypatch.delenv("GENE_WORKSPACE_PATH", raising=False)

    def write(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    def run(file="app/main.gene"):
        return Interpreter(capabilities=ALL).run(tmp_path / file).get("result")

    write.run = run
    write.root = tmp_path
    return write


def failure(tree, file="app/main.gene"):
    """The message that a program fails with."""
    with pytest.raises(GeneError) as failed:
        tree.run(file)
    return str(failed.value)


WORDS = {
    "package.gene": '{^name "words" ^version "1.2.0"}',
    "src/case.gene": '(import mark from "signs") (fn shout [s] (mark (s .to_upper))) (fn hidden [] 1) (export shout)',
    "src/signs.gene": '(fn mark [s] (s .append "!"))',
    "index.gene": '(fn greet [] "hello") (var $ns/where $pkg/name)',
}


def package(at, files):
    """The files of a package, below a directory."""
    return {f"{at}/{name}": text for name, text in files.items()}


USES = '(import shout from "case" of "words") (import greet where of "words") (var result [(shout "a") (greet) where])'


@pytest.mark.parametrize(
    ("at", "description"),
    [
        ("app/dependencies/words", ""),
        ("elsewhere/w", '^name "app" ^dependencies {^words "../elsewhere/w"}'),
        ("app/lib/words", '{^dependencies {^words "lib/words"}}'),
    ],
)
def test_where_packages_are_found(tree, at, description):
    """In the directory of dependencies, or where the description of the importing package says."""
    tree({**package(at, WORDS), "app/main.gene": USES})
    if description:
        tree({"app/package.gene": description})
    assert tree.run() == ["A!", "hello", "words"]


@pytest.mark.parametrize("entry", ["space", "space/words"])
def test_packages_of_the_workspace(tree, monkeypatch, entry):
    """GENE_WORKSPACE_PATH names directories that are packages, or have them."""
    root = tree({**package("space/words", WORDS), "app/main.gene": USES})
    monkeypatch.setenv("GENE_WORKSPACE_PATH", os.pathsep.join([str(root / "none"), "", str(root / entry)]))
    assert tree.run() == ["A!", "hello", "words"]


def test_a_module_finds_its_own_package_and_those_around_it(tree):
    """``of`` may name the own package; packages among the dependencies find each other."""
    tree(
        {
            **package("app/dependencies/words", WORDS),
            "app/package.gene": '^name "app"',
            "app/src/deep/main.gene": '(import go of "tools") (import n of "app" from "data") (var result [(go) n])',
            "app/src/data.gene": "(var $ns/n 7)",
            "app/dependencies/tools/package.gene": '^name tools ^main "lib/start"',
            "app/dependencies/tools/lib/start.gene": '(import shout of "words" from "case") (fn go [] (shout "b"))',
        }
    )
    assert tree.run("app/src/deep/main.gene") == ["B!", 7]


def test_all_forms_of_import_take_a_package(tree):
    """Names, aliases, members of namespaces, and everything that a module offers."""
    tree(
        {
            "app/dependencies/x/tools/package.gene": "{^name x/tools}",
            "app/dependencies/x/tools/index.gene": "(var $ns/a 1) (var $ns/b 2) (ns /n (fn /f [] 3) (var /v 4))",
            "app/main.gene": '(import a:one n/f n/[v] of "x/tools") (import * from "index" of "x/tools")'
            "(var result [one b (f) v])",
        }
    )
    assert tree.run() == [1, 2, 3, 4]


def test_a_module_of_a_package_runs_once(tree):
    """Whichever way it is imported, it is the same module."""
    tree(
        {
            "app/dependencies/p/package.gene": "",
            "app/dependencies/p/index.gene": "(var $ns/box [])",
            "app/main.gene": '(import box of "p") (import box:b of "p" from "index")'
            '(import box:c from "dependencies/p/index") (box .push 1) (c .push 2) (var result b)',
        }
    )
    assert tree.run() == [1, 2]


def test_the_package_of_a_module(tree):
    """``$pkg`` has the entries of the description and the directory; outside of packages it is empty."""
    root = tree(
        {
            "app/package.gene": '^name "app" ^version "0.1" ^license nil',
            "app/src/main.gene": "(var result [$pkg/name $pkg/version $pkg/license $pkg/root $pkg/nope])",
            "plain.gene": "(var result [$pkg/name $pkg/root])",
        }
    )
    *known, missing = tree.run("app/src/main.gene")
    assert known == ["app", "0.1", None, os.path.realpath(root / "app")]
    assert repr(missing) == "void"
    assert [repr(value) for value in tree.run("plain.gene")] == ["void", "void"]


def test_text_imports_from_the_working_directory(tree, monkeypatch):
    """A program without a file has its dependencies in the working directory, if it may read files."""
    monkeypatch.chdir(tree(package("dependencies/words", WORDS)))
    assert Interpreter(capabilities={"files"}).eval('(import greet of "words") (greet)') == "hello"
    with pytest.raises(GeneError, match=r'\(import … from "words"\) needs the capability \'files\''):
        Interpreter().eval('(import greet of "words")')
    assert repr(Interpreter().eval("$pkg/root")) == "void"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ('(import a of "nope")', "[GENE.PACKAGE.NOT_FOUND] Package 'nope' was not found (importer="),
        ('(import a of "../words")', "[GENE.PACKAGE.NOT_FOUND] Package '../words' was not found"),
        (
            '(import a of "words" from "zz")',
            "[GENE.MODULE.NOT_FOUND] Module 'zz' was not found (package=words;",
        ),
        (
            '(import a of "words" from "../../main")',
            "[GENE.MODULE.NOT_FOUND] Module '../../main' was not found",
        ),
        ('(import hidden of "words" from "case")', "[GENE.IMPORT.EXPORT_MISSING] Cannot import 'hidden'"),
        ('(import nope of "words")', "Symbol 'nope' not found in namespace"),
    ],
)
def test_what_is_not_there(tree, code, message):
    """The error says what was looked for, and where."""
    root = tree({**package("app/dependencies/words", WORDS), "app/main.gene": code})
    said = failure(tree)
    assert said.startswith(message)
    if "PACKAGE" in message and ".." not in code:
        assert str(root / "app" / "dependencies" / "nope") in said


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("5", 'is a map, such as {^name "tools" ^version "1.0"}'),
        ("{^name 5}", "^name must be a string"),
        ('{^name ""}', "^name must be a string"),
        ("{^main [1]}", "^main must be a string"),
        ("{^name", "EOF while reading list }"),
        ("(println 1) (println 2)", "Expect key"),
    ],
)
def test_descriptions_that_are_wrong(tree, text, problem):
    """They are an error of whoever imports, which names the file; nothing of them runs."""
    tree({"app/dependencies/p/package.gene": text, "app/main.gene": '(import a of "p")'})
    said = failure(tree)
    assert said.startswith("[GENE.PACKAGE.INVALID]")
    assert os.path.join("dependencies", "p", "package.gene") in said
    assert problem in said


def test_a_description_that_cannot_be_read_is_told_of_once(tree):
    """The report has the syntax error with its place, and no earlier error."""
    tree({"app/dependencies/p/package.gene": "{^name", "app/main.gene": '(import a of "p")'})
    with pytest.raises(GeneError) as failed:
        tree.run("app/main.gene")
    text = report.text(failed.value)
    assert "package.gene:1:1: EOF while reading list }" in text
    assert "earlier" not in text


def test_dependencies_that_are_wrong(tree):
    """A place that is no package, or another one, is named; a list is no map."""
    app = {"app/main.gene": '(import a of "p")', "other/package.gene": '^name "q"'}
    tree({**app, "app/package.gene": '^dependencies {^p "../other"}'})
    assert "other (which is the package q)" in failure(tree)
    tree({"app/package.gene": '^dependencies {^p "../none"}'})
    assert "was not found" in failure(tree)
    tree({"app/package.gene": "^dependencies [p]"})
    assert "package.gene: ^dependencies must be a map of names and paths or versions" in failure(tree)
    tree({"app/package.gene": "^dependencies {^p 5}"})
    assert "package.gene: ^dependencies: p: the place of a package is a path" in failure(tree)
    tree({"app/package.gene": '^dependencies [($dep "p" "1" "2")]'})
    assert "^dependencies: $dep takes the name of a package" in failure(tree)


@pytest.mark.parametrize(
    "code", ["(import a of)", "(import a of p)", '(import of "p" from "m" from "n")', "(import a from 5)"]
)
def test_import_forms_that_are_wrong(code):
    """A package and a module are strings."""
    assert str(error(code)) == "Module path not specified in import statement"


def test_circles_through_packages(tree):
    """Modules that import each other are refused, across packages too."""
    tree(
        {
            "app/package.gene": '^name "app"',
            "app/main.gene": '(import b of "p") (var $ns/a 1)',
            "app/dependencies/p/package.gene": "",
            "app/dependencies/p/index.gene": '(import a of "app" from "main") (var $ns/b 1)',
        }
    )
    assert failure(tree) == "[GENE.MODULE.CYCLE] Cyclic import detected: main -> index -> main"


def test_the_command_runs_programs_with_packages(tree):
    """``gene run`` finds packages relative to the program's file, from any directory; caches change nothing."""
    root = tree({**package("app/dependencies/words", WORDS), "app/main.gene": USES + "(println result)"})
    for _ in range(2):
        done = gene("run", "app/main.gene", cwd=root)
        assert (done.stdout, done.stderr) == ("[A! hello words]\n", "")


# -- $dep ------------------------------------------------------------------------------------------------


def test_a_module_declares_its_dependencies(tree):
    """``$dep`` says where a package is, relative to the file; it counts before all imports, wherever it stands."""
    tree(
        {
            **package("elsewhere/w", WORDS),
            "app/src/main.gene": USES + '(println "runs") ($dep "words" "../../elsewhere/w")',
        }
    )
    assert tree.run("app/src/main.gene") == ["A!", "hello", "words"]


def test_a_declaration_holds_for_its_module(tree):
    """Other modules do not see it, so what a module imports does not depend on who loaded it first."""
    tree(
        {
            **package("w", WORDS),
            "app/main.gene": '($dep "words" "../w") (import greet of "words") (import go from "other")',
            "app/other.gene": '(import greet of "words") (fn go [] (greet))',
        }
    )
    assert failure(tree).startswith("[GENE.PACKAGE.NOT_FOUND] Package 'words' was not found (importer=")


def test_a_declaration_goes_before_the_description(tree):
    """What a module says counts before what its package says, and before the package's own name."""
    tree(
        {
            **package("old", {"package.gene": "^name words", "index.gene": "(var $ns/n 1)"}),
            **package("new", {"package.gene": "^name words", "index.gene": "(var $ns/n 2)"}),
            "app/package.gene": '^dependencies {^words "../old"}',
            "app/main.gene": '($dep "words" "../new") (import n of "words") (import n:m from "other") (var result [n m])',
            "app/other.gene": '(import n of "words") (var $ns/n n)',
        }
    )
    assert tree.run() == [2, 1]


def test_declarations_of_comptime(tree, monkeypatch):
    """``comptime`` may decide on them."""
    tree(
        {
            **package("w", WORDS),
            "app/main.gene": '(comptime (if ($env/WORDS_AT == "w") ($dep "words" "../w"))) (import greet of "words")'
            "(var result (greet))",
        }
    )
    monkeypatch.setenv("WORDS_AT", "w")
    assert tree.run() == "hello"


@pytest.mark.parametrize(
    "declaration", ['"words"', '"words" "*"', '"words" "^1.1"', '"words" "~1.2" ^path "../lib"']
)
def test_declarations_without_a_path(tree, declaration):
    """They demand a package, of any version or of some, where packages are looked for or at ``^path``."""
    at = "lib" if "lib" in declaration else "app/dependencies/words"
    tree(
        {
            **package(at, WORDS),
            "app/main.gene": f'($dep {declaration}) (import greet of "words") (var result (greet))',
        }
    )
    assert tree.run() == "hello"


@pytest.mark.parametrize(
    ("declaration", "message"),
    [
        ('"words" "../nope"', "[GENE.PACKAGE.NOT_FOUND] Package 'words' was not found (importer="),
        ('"words" "../q"', "(which is the package q)"),
        ('"words" "^2.0" ^path "../w"', "w (whose version is 1.2.0, and ^2.0 is required)"),
        ('"q" "1.0" ^path "../q"', "q (whose version is unknown, and 1.0 is required)"),
        (
            '"words" "1.x"',
            '[GENE.PACKAGE.INVALID] $dep "words": 1.x is no version; versions are required as 1.2,',
        ),
        ('"words" "../w" ^path "../q"', '[GENE.PACKAGE.INVALID] $dep "words": ../w and ../q are two paths'),
        ("", "$dep takes the name of a package, and a path or a version"),
        ("words", "$dep takes the name of a package, and a path or a version"),
        ('"words" "a" "b"', "$dep takes the name of a package, and a path or a version"),
        ('"words" ^git "https://example.org"', "$dep takes the name of a package, and a path or a version"),
    ],
)
def test_declarations_that_are_wrong(tree, declaration, message):
    """They fail before anything of the module runs, whether or not the package is imported."""
    tree(
        {
            **package("w", WORDS),
            "q/package.gene": "^name q",
            "app/main.gene": f'(import a from "b") ($dep {declaration})',
        }
    )
    assert message in failure(tree)


@pytest.mark.parametrize(
    "code", ['(fn f [] ($dep "a"))', '(if true ($dep "a"))', '(do ($dep "a"))', '(ns /n ($dep "a"))']
)
def test_declarations_stand_at_the_top(code):
    """Anywhere else they would come too late for imports."""
    assert str(error(code)).startswith("$dep is compile-time only")


def test_a_package_is_declared_once(tree):
    """Two places for one package are a mistake; in a REPL the later one counts."""
    root = tree({**package("a", WORDS), **package("b", {**WORDS, "index.gene": '(var $ns/where "b")'})})
    tree({"app/main.gene": '($dep "words" "../a") ($dep "words" "../b")'})
    assert failure(tree) == '[GENE.PACKAGE.INVALID] $dep "words": it is declared already'
    declared = f'($dep "words" "{root}/a") ($dep "words" "{root}/b")'
    assert Interpreter(capabilities=ALL).eval(f'{declared} (import where of "words") where') == "b"


def test_text_declares_from_the_working_directory(tree, monkeypatch):
    """In a REPL a declaration holds for what is typed after it; it needs to read files."""
    monkeypatch.chdir(tree(package("w", WORDS)))
    typed = Interpreter(capabilities={"files"})
    with pytest.raises(GeneError, match="was not found"):
        typed.eval('($dep "words" "nowhere")')
    typed.eval('($dep "words" "w")')
    assert typed.eval('(import greet of "words") (greet)') == "hello"
    with pytest.raises(GeneError, match=r'\(\$dep "words"\) needs the capability \'files\''):
        Interpreter().eval('($dep "words" "w")')


def test_descriptions_declare_with_dep_as_well(tree):
    """An array of ``$dep`` forms says the same as a map, and has room for a version and a path."""
    tree({**package("w", WORDS), "app/main.gene": USES})
    for said in (
        '[($dep "words" "../w")]',
        '[($dep "words" "^1.2" ^path "../w")]',
        '($dep "words" ^path "../w")',
    ):
        tree({"app/package.gene": f"^dependencies {said}"})
        assert tree.run() == ["A!", "hello", "words"]


def test_descriptions_require_versions(tree):
    """What is looked for must have a version that will do; others are passed over."""
    old = {"package.gene": '^name words ^version "0.9"'}
    tree(
        {**package("app/dependencies/words", old), **package("dependencies/words", WORDS), "package.gene": ""}
    )
    tree({"app/package.gene": '^dependencies {^words "1.2"}', "app/main.gene": USES})
    assert tree.run() == ["A!", "hello", "words"]
    tree({"app/package.gene": '^dependencies {^words ">=2"}'})
    assert "words (whose version is 0.9, and >=2 is required)" in failure(tree)


# -- running in a package --------------------------------------------------------------------------------


APP = {
    "package.gene": '^name "app" ^version "2.0" ^main "src/start" ^dependencies {^words "../w"}',
    "src/start.gene": "(println $args $pkg/name)",
    "src/data.gene": "(var $ns/n 7) (var $ns/where $pkg/name)",
}


def test_a_program_runs_in_a_package(tree):
    """``gene run --pkg`` gives it the modules, the dependencies and ``$pkg`` of a package, wherever its file is."""
    code = '(import n where from "data") (import greet of "words") (import n:m of "app" from "data")(println n m where (greet) $pkg/version)'
    root = tree({**package("pkgs/app", APP), **package("pkgs/w", WORDS), "else/main.gene": code})
    expected = "7 7 app hello 2.0\n"
    assert gene("run", "--pkg=pkgs/app", "else/main.gene", cwd=root).stdout == expected
    assert gene("run", "--pkg", str(root / "pkgs" / "app"), "main.gene", cwd=root / "else").stdout == expected
    assert gene("run", "--pkg=.", "-", cwd=root / "pkgs" / "app", text=code).stdout == expected
    assert "NOT_FOUND" in gene("run", "else/main.gene", cwd=root).stderr


def test_modules_of_the_package_are_run_by_name(tree):
    """A file that is not in the working directory is one of the package's modules."""
    root = tree(package("pkgs/app", APP))
    assert gene("run", "--pkg=pkgs/app", "start", "a", cwd=root).stdout == "[a] app\n"
    done = gene("run", "--pkg=pkgs/app", "nope", cwd=root)
    assert "[GENE.MODULE.NOT_FOUND] Module 'nope' was not found (package=app;" in done.stderr
    assert done.returncode == 1


def test_modules_of_other_packages_stay_there(tree):
    """Only the program itself, and files in no package, belong to the package that is named."""
    files = {
        "main.gene": '(import a from "lib/a") (import b from "inner/b") (var result [$pkg/name a b])',
        "lib/a.gene": "(var $ns/a $pkg/name)",
        "inner/package.gene": "^name inner",
        "inner/b.gene": "(var $ns/b $pkg/name)",
    }
    root = tree({**package("app", APP), **files})
    program = Interpreter(capabilities=ALL, package=root / "app").run(root / "main.gene")
    assert program.get("result") == ["app", "app", "inner"]


def test_hosts_name_a_package(tree):
    """The embedding program finds out at once that a directory is none; text needs to read files to use it."""
    root = tree({**package("app", APP), **package("w", WORDS)})
    inside = Interpreter(capabilities={"files"}, package=root / "app")
    assert inside.eval('(import n of "app" from "data") (import greet of "words") [n (greet) $pkg/name]') == [
        7,
        "hello",
        "app",
    ]
    assert inside.run_text('(import n from "data")').get("n") == 7
    with pytest.raises(GeneError, match=r"is no package: it has no package\.gene"):
        Interpreter(package=root)


@pytest.mark.parametrize("file", ["main.gene", "nope"])
def test_a_directory_that_is_no_package(tree, file):
    """It is named, and nothing runs."""
    root = tree({"main.gene": '(println "ran")'})
    done = gene("run", "--pkg=none", file, cwd=root)
    assert (done.stdout, done.returncode) == ("", 1)
    assert "[GENE.PACKAGE.NOT_FOUND]" in done.stderr
    assert "none is no package: it has no package.gene" in done.stderr
