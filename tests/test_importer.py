"""Python's import of Gene files."""

import importlib
import inspect
import os
import subprocess
import sys
import traceback
import warnings

import pytest
from gene_command import environment

import gene.importer
from gene import GeneException, GeneSyntaxError

TOOLS = """\
# Tools for words.

(fn word_count [text]
  ((text .split " ") .size))

(fn fail [x]
  (throw #"bad #{x}"))

(var answer 42)
(fn ok? [x] (x == answer))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A directory on ``sys.path``; the modules imported from it are forgotten afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    known = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - known:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def write(path, text):
    path.write_text(text, encoding="utf-8")
    importlib.invalidate_caches()


def test_a_gene_file_is_imported_as_a_module(folder):
    """What the file defines are the module's attributes; its functions are called like any others."""
    write(folder / "words_tools.gene", TOOLS)
    import words_tools

    assert words_tools.word_count("a b c") == 3
    assert words_tools.answer == 42
    assert getattr(words_tools, "ok?")(42) is True
    assert words_tools.__file__ == str(folder / "words_tools.gene")
    assert words_tools.__name__ == "words_tools"
    assert isinstance(words_tools.__spec__.loader, gene.importer.GeneLoader)


def test_import_star_takes_what_the_module_offers(folder):
    """The names are those that other Gene modules could import."""
    write(folder / "star_tools.gene", TOOLS)
    namespace = {}
    exec("from star_tools import *", namespace)
    assert {name for name in namespace if not name.startswith("__")} == {"word_count", "fail", "ok?"}


def test_a_python_module_of_the_same_name_wins(folder):
    """Gene files never shadow Python ones."""
    write(folder / "both_tools.gene", "(var which 1)")
    write(folder / "both_tools.py", "which = 2")
    assert importlib.import_module("both_tools").which == 2


def test_modules_of_packages(folder):
    """A package may contain Gene modules, with or without an ``__init__.py``."""
    (folder / "mixed").mkdir()
    write(folder / "mixed" / "__init__.py", "")
    write(folder / "mixed" / "inner.gene", "(fn twice [x] (x * 2))")
    (folder / "loose").mkdir()
    write(folder / "loose" / "part.gene", "(var n 1)")
    assert importlib.import_module("mixed.inner").twice(4) == 8
    assert importlib.import_module("mixed.inner").__name__ == "mixed.inner"
    assert importlib.import_module("loose.part").n == 1


def test_gene_modules_share_what_python_imported(folder):
    """A file runs once, whether Python or a Gene module imports it first."""
    write(folder / "base_tools.gene", "(fn made [] 1) (var state [])\n(fn note [x] (state .push x))")
    write(folder / "user_tools.gene", '(import note from "base_tools")\n(fn add [x] (note x))')
    base = importlib.import_module("base_tools")
    user = importlib.import_module("user_tools")
    user.add(5)
    base.note(6)
    assert base.state == [5, 6]


def test_reload_runs_the_file_again_in_the_same_module(folder):
    """Whoever holds the module sees what the file says now."""
    write(folder / "changing_tools.gene", "(fn version [] 1)")
    module = importlib.import_module("changing_tools")
    write(folder / "changing_tools.gene", "(fn version [] 22)")
    os.utime(folder / "changing_tools.gene", (0, 0))
    assert importlib.reload(module) is module
    assert module.version() == 22


def test_errors_are_typed_and_tracebacks_show_gene_lines(folder):
    """A Python traceback shows the line of the Gene file, underlined."""
    write(folder / "failing_tools.gene", TOOLS)
    module = importlib.import_module("failing_tools")
    with pytest.raises(GeneException, match="bad 3") as raised:
        module.fail(3)
    shown = "".join(traceback.format_exception(raised.value))
    assert (
        f'File "{folder / "failing_tools.gene"}", line 7, in fail\n    (throw #"bad #{{x}}"))\n    ^^^^'
        in shown
    )


def test_a_file_that_cannot_be_read_is_a_syntax_error(folder):
    """Python shows the error as one of syntax, and the failed module is not kept."""
    write(folder / "broken_tools.gene", "(fn f [x]\n  (x + ]")
    with pytest.raises(GeneSyntaxError) as raised:
        importlib.import_module("broken_tools")
    assert isinstance(raised.value, SyntaxError)
    assert (raised.value.lineno, raised.value.filename) == (2, str(folder / "broken_tools.gene"))
    assert "broken_tools" not in sys.modules
    write(folder / "broken_tools.gene", "(var fine 1)")
    assert importlib.import_module("broken_tools").fine == 1


def test_a_module_that_does_not_exist_is_not_found(folder):
    """The error is Python's own."""
    with pytest.raises(ModuleNotFoundError, match="no_such_tools"):
        importlib.import_module("no_such_tools")


def test_warnings_of_the_compiler_are_python_s_warnings(folder):
    """They carry the place in the Gene file."""
    write(folder / "warned_tools.gene", "(var x 6)\n(var y (x || 1))")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        importlib.import_module("warned_tools")
    (warning,) = caught
    assert issubclass(warning.category, SyntaxWarning)
    assert (warning.filename, warning.lineno) == (str(folder / "warned_tools.gene"), 2)


def test_inspect_finds_the_source(folder):
    """``inspect`` shows a module's source and a function's place; ``gene.getsource`` cuts functions out."""
    write(folder / "inspected_tools.gene", TOOLS)
    module = importlib.import_module("inspected_tools")
    assert inspect.getsource(module) == TOOLS
    assert inspect.getsourcefile(module.fail) == str(folder / "inspected_tools.gene")
    assert module.fail.__code__.co_firstlineno == 6
    assert gene.getsource(module.fail) == '(fn fail [x]\n  (throw #"bad #{x}"))'
    assert gene.getsource(module.word_count).startswith("(fn word_count [text]\n")
    assert module.__spec__.loader.get_source("inspected_tools") == TOOLS


def test_getsource_of_what_is_no_gene_function():
    """The error says what was given."""
    with pytest.raises(TypeError, match="a Gene function is needed, got <built-in function len>"):
        gene.getsource(len)


@pytest.mark.parametrize(
    ("program", "find", "source"),
    [
        ("(fn outer [] (fn [] 1)) (fn two [] 2)", "outer", "(fn outer [] (fn [] 1))"),
        ("(var g (fn [x] (x + 1))) (var h (fn [y] y))", "h", "(fn [y] y)"),
        ("(fn a [] 1)\n(fn b\n  [x]\n  x)", "b", "(fn b\n  [x]\n  x)"),
        ("(fn π [é] é) (fn tail [n] (if (n == 0) 0 else (tail (n - 1))))", "π", "(fn π [é] é)"),
        ("(fn empty [])", "empty", "(fn empty [])"),
    ],
)
def test_getsource(program, find, source):
    """The text is that of the form that defines the function."""
    interpreter = gene.Interpreter()
    interpreter.eval(program)
    interpreter.eval("(var later 1)")
    assert gene.getsource(interpreter.get(find)) == source


def test_compiled_code_is_cached_beside_the_source(folder):
    """A second process imports neither the reader nor the compiler."""
    write(folder / "cached_tools.gene", TOOLS)
    code = (
        "import gene.importer, cached_tools, sys; cached_tools.word_count('a');"
        "print(any(name.startswith(('gene.compiler', 'gene.reader')) for name in sys.modules))"
    )
    env = environment()
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], cwd=folder, env=env, capture_output=True, text=True, check=True
        )
        for _ in range(2)
    ]
    assert [run.stdout for run in runs] == ["True\n", "False\n"]
    (cached,) = os.listdir(folder / "__pycache__")
    assert cached.startswith("cached_tools.gene-")
    assert cached.endswith(".pyc")


def test_the_finder_stands_last_and_once():
    """Importing the importer again, or reloading it, adds no second finder."""
    importlib.reload(gene.importer)
    finders = [finder for finder in sys.meta_path if type(finder).__name__ == "GeneFinder"]
    assert len(finders) == 1


def test_without_the_importer_python_finds_no_gene_files(folder):
    """``import gene`` alone changes nothing about Python's import."""
    write(folder / "quiet_tools.gene", TOOLS)
    code = "import gene\ntry:\n    import quiet_tools\nexcept ModuleNotFoundError:\n    print('none')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "none\n"
