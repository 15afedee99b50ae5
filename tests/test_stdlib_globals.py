"""The globals of an interpreter: what is there, and what a capability opens or closes."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from gene.data.atoms import VOID
from gene.data.kinds import KINDS
from gene.interpreter import Interpreter
from gene.runtime import namespaces
from gene.runtime.classes import construct
from gene.runtime.exceptions import GeneException, PermissionException
from gene.runtime.methods import send
from gene.runtime.namespaces import Namespace
from gene.runtime.typetests import is_instance
from gene.stdlib.capabilities import ALL, NEEDS, OPENS, check
from gene.stdlib.globals import LATER, NAMESPACES, make_globals, provide


def at(names, path):
    """The value at a path of names."""
    value = names
    for name in path.split("/"):
        value = value[name] if isinstance(value, dict) else value.get(name)
    return value


@pytest.mark.parametrize(
    "name",
    [
        "print",
        "println",
        "flush",
        "readline",
        "debug",
        "stdin",
        "stdout",
        "stderr",
        "assert",
        "len",
        "typeof",
        "exit",
        "cwd",
        "sleep",
        "abs",
        "min",
        "max",
        "floor",
        "ceil",
        "round",
        "sqrt",
        "pow",
        "random",
        "random_int",
        "base64",
        "base64_decode",
        "get_env",
        "set_env",
        "has_env",
        "on_signal",
        "freeze",
        "types_equivalent",
        "String",
        "Int",
        "Float",
        "Bool",
        "Symbol",
        "Nil",
        "Array",
        "Map",
        "Gene",
        "Function",
        "Class",
        "Namespace",
        "Range",
        "Regexp",
        "Date",
        "Time",
        "DateTime",
        "Bytes",
        "Future",
        "parse",
        "HashMap",
        "HashSet",
        "Object",
        "Exception",
        "RuntimeException",
        "TypeException",
        "ArgumentException",
        "IOError",
        "ParseException",
        "AssertionException",
        "ConcurrencyException",
        "NetworkException",
        "ProviderException",
        "TimeoutException",
        "CancellationException",
        "ThreadException",
        "PermissionException",
        "File",
        "Dir",
        "io",
        "system",
        "math",
        "time",
        "gene",
        "genex",
        "$args",
        "$env",
        "$program",
        "$app",
        "$pkg",
        "$vm",
    ],
)
def test_documented_names_are_there(name):
    """Every documented global name has a value, under its own name."""
    assert name in make_globals(capabilities=ALL)


@pytest.mark.parametrize(
    ("space", "members"),
    [
        ("gene/json", "parse stringify serialize deserialize"),
        ("gene/io", "read write"),
        ("gene", "now today yesterday tomorrow json io serdes sleep parse Future"),
        ("gene/serdes", "serialize deserialize read_tree write_tree"),
        ("File", "read write append exists delete read_lines each_line reader"),
        ("io/File", "read write append exists delete read_lines each_line reader"),
        ("Dir", "exists create delete list"),
        ("io/Dir", "exists create delete list"),
        ("io", "path_join path_abs path_basename path_dirname path_ext"),
        ("system", "shell exec cwd cd exit args os arch Process"),
        ("time", "now now_us"),
        ("math", "abs min max floor ceil round sqrt pow random random_int sin cos tan log log10 PI E"),
        ("gene/actor", "enable spawn"),
        ("genex/http", "http_get http_post http_request start_server respond"),
        ("genex/logging", "Logger"),
        ("genex/sqlite", "open Error ConstraintError"),
        ("genex/html", "render document escape raw"),
        ("genex/test", "Suite check check_equal check_throws fail"),
    ],
)
def test_documented_members_are_there(space, members):
    """Every documented member of a namespace can be loaded."""
    found = at(make_globals(capabilities=ALL), space)
    assert [name for name in members.split() if found.get(name, None) is None] == []


def test_every_table_entry_loads():
    """No entry of the tables points nowhere."""
    names = make_globals(capabilities=ALL)
    for path, members in NAMESPACES.items():
        for name in members:
            assert at(names, path).get(name, None) is not None, f"{path}/{name}"
    assert set(LATER) <= set(names)


def test_globals_are_a_plain_dict_of_their_own():
    """Two interpreters share no names and no namespaces."""
    first, second = make_globals(capabilities=ALL), make_globals(capabilities=ALL)
    assert type(first) is dict
    first["math"].members["mine"] = 1
    first["own"] = 2
    assert "own" not in second
    assert "mine" not in second["math"].members


def test_names_arrive_when_mentioned():
    """Without completion a name is loaded by mention, with or without its dollar sign."""
    names = make_globals(capabilities=ALL, complete=False)
    assert "abs" not in names
    provide(names, ["abs", "$max", "$println", "unknown", "$unknown"])
    assert names["abs"](-1) == 1
    assert names["$max"](1, 2) == 2
    assert names["$println"] is names["println"]
    assert "unknown" not in names
    assert "$unknown" not in names


def test_arguments_and_program():
    """$args and system/args are the same array; $program is the program's name."""
    names = make_globals(capabilities=ALL, args=("a", "b"), program="t.gene")
    assert names["$args"] == ["a", "b"]
    assert names["system"].get("args")() is names["$args"]
    assert names["$program"] == "t.gene"
    assert names["$app"].get("name") == "t.gene"


def test_environment_is_a_snapshot(monkeypatch):
    """$env is a map of the variables at the start of the program."""
    monkeypatch.setenv("GENE_TEST_START", "there")
    names = make_globals(capabilities=ALL)
    names["set_env"]("GENE_TEST_LATER", "1")
    monkeypatch.delenv("GENE_TEST_LATER")
    assert names["$env"]["GENE_TEST_START"] == "there"
    assert "GENE_TEST_LATER" not in names["$env"]
    assert names["typeof"](names["$env"]) == "Map"


def test_class_values_are_the_kinds():
    """The class values work on the right of ``is`` and as what values are made of."""
    names = make_globals(capabilities=ALL)
    assert is_instance("x", names["String"])
    assert is_instance(construct(names["HashMap"], 1, 2), names["HashMap"])
    assert is_instance(GeneException("x"), names["Exception"])
    assert is_instance(names["IOError"]("x"), names["Object"])
    assert not is_instance(1, names["Float"])


def test_unknown_capabilities_are_refused():
    """A misspelled capability, or a string instead of a set, is an error that names what exists."""
    with pytest.raises(ValueError, match=r"unknown capability 'file'; known are environment, exit, files"):
        make_globals(capabilities={"file"})
    with pytest.raises(ValueError, match=r"must be a set of names such as \{'files'\}, not a string"):
        make_globals(capabilities="files")
    assert check(["files", "files"]) == {"files"}


FUNCTIONS = [
    (path, name, NEEDS.get(f"{path}/{name}") or NEEDS.get(path))
    for path, members in NAMESPACES.items()
    for name in members
    if NEEDS.get(f"{path}/{name}") or NEEDS.get(path)
] + [
    ("", name, capability)
    for name, capability in NEEDS.items()
    if name in LATER or name in ("exit", "readline")
]


@pytest.mark.parametrize(("path", "name", "capability"), FUNCTIONS, ids=str)
def test_what_is_not_granted_refuses(path, name, capability):
    """With everything but one capability, each function behind that one is there and refuses when used."""
    names = make_globals(capabilities=ALL - {capability})
    value = at(names, f"{path}/{name}".lstrip("/"))
    use = (lambda: send(value, "read")) if name == "stdin" else (lambda: value("x"))
    full = f"{path}/{name}".lstrip("/")
    with pytest.raises(PermissionException) as caught:
        use()
    assert caught.value.message == (
        f"{full} needs the capability '{capability}', which this program was not granted; "
        f'the host grants it with Interpreter(capabilities={{"{capability}"}})'
    )


def test_every_opened_name_exists():
    """What the capabilities name is what programs find, but for what optional parts of the library add."""
    names = make_globals(capabilities=ALL)
    for opened in NEEDS:
        if opened != "genex/http":
            assert at(names, opened) is not None, opened
    assert set(OPENS) == ALL


def test_refused_names_stay_refused():
    """Neither a dollar sign, nor another name, nor a second mention leads around a refusal."""
    names = make_globals(capabilities=(), complete=False)
    provide(names, ["get_env", "$get_env", "$exit", "cwd", "$cwd", "$stdin"])
    for name in ("get_env", "$get_env", "$exit", "cwd", "$cwd"):
        with pytest.raises(PermissionException):
            names[name]("HOME")
    for space in ("io/File", "File", "io/Dir", "gene/io"):
        for value in at(names, space).members.values():
            with pytest.raises(PermissionException):
                value("x")


def test_refused_environment():
    """Without the capability every variable of $env refuses, and nothing of the environment is inside."""
    environment = make_globals(capabilities=())["$env"]
    assert type(environment) is Namespace
    with pytest.raises(PermissionException, match=r"^\$env needs the capability 'environment'"):
        environment.get("HOME")
    with pytest.raises(PermissionException):
        send(environment, "get", "HOME", "default")
    assert environment.members == {}


def test_refused_process_class():
    """Neither ``start`` nor ``new`` makes a process that was not granted."""
    process = make_globals(capabilities=())["system"].get("Process")
    for make in (process.__gene__.members["start"], process, lambda *args: construct(process, *args)):
        with pytest.raises(PermissionException, match=r"system/Process needs the capability 'shell'"):
            make("echo")


@pytest.mark.parametrize(
    "code",
    [
        '(File/read "x")',
        '(io/File/read "x")',
        '(import File/read) (read "x")',
        '((Dir .get "list") ".")',
        '(gene/serdes/read_tree "x")',
        '($env .get "HOME")',
        "$env/HOME",
        '($get_env "HOME")',
        "(stdin .read)",
        "(readline)",
        '(new system/Process "ls")',
        '(system/Process/start "ls")',
        '((system .get "shell") "ls")',
        "(system/exit 1)",
        '(on_signal "INT" println)',
        "(var f cwd) (f)",
    ],
)
def test_programs_find_no_way_around(code):
    """A program without capabilities is refused whichever way it takes, and can catch that."""
    interpreter = Interpreter()
    with pytest.raises(
        PermissionException, match=r"which this program was not granted; the host grants it with"
    ):
        interpreter.eval(code)
    assert interpreter.eval("(try (exit 3) catch PermissionException $ex/message)").startswith("exit needs")


def test_programs_with_capabilities(tmp_path):
    """A program that was granted a capability uses it, and its library as a whole works together."""
    interpreter = Interpreter(capabilities={"files", "shell"})
    interpreter.define("path", str(tmp_path / "f"))
    program = """
        (File/write path (gene/json/stringify {^k [1.0 `s]}))
        (var p (system/Process/start "cat" path))
        [(p .read_line ^timeout 5) (p .wait ^timeout 5) ((system/shell #"wc -c < #{path}") .get "exit_code")]
    """
    assert interpreter.eval(program) == ['{"k":[1.0,"s"]}', 0, 0]


def test_capabilities_are_independent(tmp_path):
    """Granting one capability opens what it names and nothing else."""
    names = make_globals(capabilities={"files"})
    path = str(tmp_path / "f")
    names["File"].get("write")(path, "x")
    assert names["gene"].get("io").get("read")(path) == "x"
    with pytest.raises(PermissionException):
        names["system"].get("shell")("true")
    assert names["system"].get("os")()
    assert names["io"].get("path_join")("a", "b") == "a/b"


def test_native_objects_have_kinds():
    """Streams, readers and loggers are of named kinds."""
    names = make_globals(capabilities=ALL)
    assert KINDS[type(names["stdin"])].name == "IOHandle"
    assert names["typeof"](construct(names["genex"].get("logging").get("Logger"), "x")) == "Logger"


@pytest.mark.parametrize(
    "made",
    ["stdout", '(new genex/logging/Logger "x")', '(new genex/test/Suite "x")', "(File/reader path)"],
)
def test_native_objects_print_as_their_kind(made, tmp_path):
    """What a program sees of them is no Python object with its address."""
    (tmp_path / "a").write_text("a")
    interpreter = Interpreter(capabilities=ALL)
    interpreter.define("path", str(tmp_path / "a"))
    assert interpreter.eval(f"($ {made})") in ("VkIOHandle", "VkLogger", "VkSuite", "VkFileReader")


@pytest.mark.parametrize(
    "mention", ["{}", "({}/x 1)", "(new {}/X)", "(import {}/x)", '(genex .get "{name}")']
)
@pytest.mark.parametrize(("name", "instead"), [("ai", "ai/"), ("postgres", "genex/sqlite")])
def test_extensions_of_the_reference_say_what_to_use(name, instead, mention):
    """Whoever mentions one learns that it is not here, and what is."""
    with pytest.raises(GeneException) as caught:
        Interpreter(capabilities=ALL).eval(mention.format(f"genex/{name}", name=name))
    assert f"genex/{name} is an extension of the reference implementation only: use " in str(caught.value)
    assert instead in str(caught.value)
    assert caught.value.code == "GENE.EXT.LOAD_FAILED"


def test_other_members_of_genex_are_void():
    """What neither has is missing as in any namespace; the extensions are not listed."""
    assert Interpreter().eval('[genex/nope (genex .has "ai") ((genex .keys) .contains "ai")]') == [
        VOID,
        False,
        False,
    ]


def test_a_member_is_there_while_another_thread_loads_it(monkeypatch):
    """A namespace that several threads share never looks as if it lacked the member that one of them loads."""
    started, go_on = threading.Event(), threading.Event()

    def slow(where):
        if not started.is_set():
            started.set()
            go_on.wait(5)
        return where

    monkeypatch.setattr(namespaces, "load", slow)
    space = namespaces.Namespace("n", loaders={"a": "here"})
    first = threading.Thread(target=space.get, args=("a",))
    first.start()
    started.wait(5)
    assert space.get("a") == "here"
    go_on.set()
    first.join()


def test_start_up_imports_nothing_heavy():
    """Making globals loads no module that a small script would have to wait for."""
    code = (
        "import sys; before = set(sys.modules);"
        "from gene.stdlib.globals import make_globals; from gene.stdlib.capabilities import ALL;"
        "make_globals(capabilities=ALL, complete=False);"
        "print(*sorted(set(sys.modules) - before))"
    )
    loaded = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    heavy = {
        "typing",
        "re",
        "enum",
        "collections",
        "functools",
        "json",
        "subprocess",
        "dataclasses",
        "attr",
        "contextlib",
    }
    assert heavy & set(loaded) == set()
    assert [name for name in loaded if name.startswith("gene.stdlib.")] == [
        "gene.stdlib.capabilities",
        "gene.stdlib.core",
        "gene.stdlib.globals",
    ]
