"""Gene inside of a Python program: evaluating, calling both ways, names, errors, capabilities, threads."""

import subprocess
import sys
import threading

import pytest
from gene_command import environment

import gene
from gene import (
    VOID,
    Gene,
    GeneCompileError,
    GeneError,
    GeneException,
    GeneSyntaxError,
    Interpreter,
    Symbol,
    calls,
    read_all,
    read_one,
)


@pytest.fixture
def interpreter():
    """An interpreter without capabilities."""
    return Interpreter()


def test_text_is_evaluated_to_python_values(interpreter):
    """Values cross without conversion."""
    value = interpreter.eval('{^a [1 2.5 "x" true nil] ^b {^c void}}')
    assert value == {"a": [1, 2.5, "x", True, None], "b": {"c": VOID}}
    assert type(value) is dict
    assert type(value["a"]) is list
    assert interpreter.eval("`(f ^k 1 x)").type == Symbol("f")
    assert isinstance(interpreter.eval("`(f ^k 1 x)"), Gene)
    assert interpreter.eval("") is None


def test_an_exception_without_a_message_is_told_by_its_class(interpreter):
    """The text of the Python exception is then the name of the Gene class."""
    with pytest.raises(GeneException, match=r"^Missing$"):
        interpreter.eval("(class Missing < Exception) (throw (new Missing))")


def test_definitions_persist_between_evaluations(interpreter):
    """All text is evaluated in one module."""
    interpreter.eval("(var total 1) (fn add [n] (total = (total + n)))")
    interpreter.eval("(add 5)")
    assert interpreter.get("total") == 6


def test_a_file_is_run_as_a_module(interpreter, tmp_path):
    """What the file defines are members of the module that ``run`` returns."""
    (tmp_path / "tools.gene").write_text('(fn greet [name] #"Hi #{name}") (var x 1) ($if_main (x = 2))')
    module = interpreter.run(tmp_path / "tools.gene")
    assert module.get("greet")("Ada") == "Hi Ada"
    assert module.get("x") == 2
    with pytest.raises(FileNotFoundError):
        interpreter.run(tmp_path / "nope.gene")


def test_python_calls_gene_functions(interpreter):
    """Arguments go by position and by keyword; a Gene function is a Python function."""
    interpreter.eval("(fn area [w h ^scale = 1] (w * h * scale)) (fn sum [xs...] (xs .size))")
    area = interpreter.get("area")
    assert area(2, 3) == 6
    assert area(2, 3, scale=10) == 60
    assert interpreter.get("sum")(1, 2, 3) == 3
    assert interpreter.call("area", 2, 3, scale=2) == 12
    assert interpreter.call(area, 1, 1) == 1


def test_gene_calls_python_functions(interpreter):
    """Any callable can be defined, passed as an argument, kept in data and called back."""
    interpreter.define("join", lambda *parts, sep=" ": sep.join(parts))
    interpreter.define("apply_twice", lambda function, value: function(function(value)))
    assert interpreter.eval('(join "a" "b" ^sep "-")') == "a-b"
    assert interpreter.eval("(apply_twice (fn [x] (x * 3)) 2)") == 18
    assert interpreter.eval("(fn run [m] (m/handler 4)) run")({"handler": lambda x: x + 1}) == 5


def test_data_of_the_host_is_shared(interpreter):
    """Arrays and maps are the host's own lists and dicts, seen and changed from both sides."""
    shared = {"items": [1]}
    interpreter.define("shared", shared)
    interpreter.eval("(shared/items .push 2) (shared .set `done true)")
    assert shared == {"items": [1, 2], "done": True}


def test_namespaces_of_the_host(interpreter):
    """A namespace groups functions and values, and can grow."""
    made = interpreter.namespace("host", {"double": lambda x: x * 2, "limit": 10})
    assert interpreter.eval("[(host/double 4) host/limit]") == [8, 10]
    made.members["late"] = "here"
    assert interpreter.eval("host/late") == "here"


def test_names_can_be_looked_up(interpreter):
    """``get`` finds module names and global ones; an unknown name is a KeyError."""
    interpreter.eval("(var x 5)")
    assert interpreter.get("x") == 5
    assert interpreter.get("sqrt")(9) == 3
    with pytest.raises(KeyError, match="nope"):
        interpreter.get("nope")
    with pytest.raises(KeyError):
        interpreter.call("nope")
    assert {"x", "println", "sqrt"} <= interpreter.names()


# ------------------------------------------------------------------------------------------------------- errors


def test_errors_of_syntax_are_typed(interpreter):
    """They carry the place as Python's own SyntaxError does, and whether more text could help."""
    with pytest.raises(GeneSyntaxError) as raised:
        interpreter.eval("(f\n  [1 2)", "code")
    assert isinstance(raised.value, SyntaxError)
    assert isinstance(raised.value, GeneError)
    assert (raised.value.filename, raised.value.lineno, raised.value.offset) == ("code", 2, 7)
    assert raised.value.text == "  [1 2)"
    assert raised.value.incomplete is False
    with pytest.raises(GeneSyntaxError) as raised:
        interpreter.eval("(f")
    assert raised.value.incomplete is True


def test_errors_of_compiling_are_typed_and_nothing_runs(interpreter):
    """What cannot be compiled is refused before its first form runs."""
    seen = []
    interpreter.define("note", seen.append)
    with pytest.raises(GeneCompileError) as raised:
        interpreter.run_text("(note 1)\n(fn one [a] a)\n(one 1 2)", "code")
    assert seen == []
    assert (raised.value.span.file, raised.value.span.line, raised.value.span.column) == ("code", 3, 1)


@pytest.mark.parametrize(
    ("code", "name", "message"),
    [
        ('(throw "boom")', "GeneException", "boom"),
        ("(throw {^code 1})", "GeneException", "{^code 1}"),
        ("(nope 1)", "UndefinedName", "nope is not defined"),
        ("(9223372036854775807 + 1)", "RuntimeException", "Integer overflow in addition"),
        ('(1 < "x")', "TypeException", "Cannot compare VkInt < VkString"),
        ("(fn f [n] (1 + (f n))) (f 1)", "RuntimeException", "Stack overflow: the recursion is too deep"),
        ("(nil_ 1 2) (fn g [] (5 1))", "UndefinedName", "nil_ is not defined"),
        ("(var x 5) (x 1)", "TypeException", "IkUnifiedCall1 requires a callable, got VkInt"),
    ],
)
def test_errors_of_programs_are_typed(interpreter, code, name, message):
    """All are GeneExceptions, with the message, the place and the chain of calls."""
    with pytest.raises(GeneException) as raised:
        interpreter.eval(code, "code")
    assert raised.value.message == message
    assert str(raised.value) == message
    assert type(raised.value).__qualname__ == name
    assert raised.value.location.startswith("code:1:")
    assert [call.file for call in calls(raised.value)][-1] == "code"


def test_the_thrown_value_and_the_class_of_the_program_are_kept(interpreter):
    """The value is the cause; properties of an exception class are attributes."""
    with pytest.raises(GeneException) as raised:
        interpreter.eval("(throw {^code 7})")
    assert raised.value.cause == {"code": 7}
    interpreter.eval("(class Lost < Exception (ctor [key] (/key = key) (/message = `lost)))")
    with pytest.raises(interpreter.get("Lost")) as raised:
        interpreter.eval("(throw (new Lost 5))")
    assert raised.value.key == 5


def test_calls_are_named_from_the_inside_out(interpreter):
    """Each call knows function, file, line, column and source."""
    interpreter.eval("(fn inner [x]\n  (throw x))", "a")
    interpreter.eval("(fn outer [x] (inner x) 1)", "b")
    with pytest.raises(GeneException) as raised:
        interpreter.call("outer", "no")
    chain = calls(raised.value)
    assert [repr(call) for call in chain] == ["inner a:2:3", "outer b:1:15"]
    assert chain[0].span.source.line(2) == "  (throw x))"
    assert chain[0].kind == "function"


def test_exceptions_of_the_host_pass_through_gene_code(interpreter):
    """Gene code can catch them; if it does not, the host finds its own exception as the cause."""

    class Refused(Exception):
        pass

    def refuse(reason):
        raise Refused(reason)

    interpreter.define("refuse", refuse)
    assert interpreter.eval('(try (refuse "why") catch * $ex/message)') == "Refused: why"
    with pytest.raises(GeneException, match="Refused: why") as raised:
        interpreter.eval('(fn f [] (refuse "why") 1) (f)')
    assert isinstance(raised.value.__cause__, Refused)
    assert [call.name for call in calls(raised.value)] == ["f", ""]


def test_gene_exceptions_pass_through_python_functions(interpreter):
    """A host function between two Gene functions changes nothing about an error."""
    interpreter.define("through", lambda function: function())
    assert interpreter.eval('(try (through (fn [] (throw "deep"))) catch * $ex/message)') == "deep"
    with pytest.raises(GeneException, match=r"^deep$"):
        interpreter.eval('(through (fn [] (throw "deep")))')


def test_call_translates_what_python_finds_wrong(interpreter):
    """Called directly, a function raises Python's errors for an unknown name; ``call`` makes them Gene's."""
    interpreter.eval("(fn f [] (missing))")
    with pytest.raises(NameError):
        interpreter.get("f")()
    with pytest.raises(GeneException, match="missing is not defined"):
        interpreter.call("f")
    with pytest.raises(GeneException, match="Expected 1 arguments, got 3"):
        interpreter.call(interpreter.eval("(fn [x] x)"), 1, 2, 3)


def test_exit_leaves_as_system_exit():
    """A program that was granted to exit ends the host's run with its status."""
    with pytest.raises(SystemExit) as raised:
        Interpreter(capabilities={"exit"}).eval("(exit 3)")
    assert raised.value.code == 3


# ------------------------------------------------------------------------------------- capabilities and settings


@pytest.mark.parametrize(
    ("code", "capability"),
    [
        ('(File/read "x")', "files"),
        ('(system/shell "true")', "shell"),
        ('(get_env "HOME")', "environment"),
        ("(exit 1)", "exit"),
        ("(readline)", "stdin"),
    ],
)
def test_capabilities_are_granted_not_assumed(code, capability):
    """The error names what is missing; programs can catch it, but not get around it."""
    bare = Interpreter()
    with pytest.raises(GeneException, match=f"needs the capability '{capability}'"):
        bare.eval(code)
    assert bare.eval(f"(try {code} catch * 5)") == 5


def test_granted_capabilities_work(tmp_path):
    """Only what is named is there."""
    (tmp_path / "x.txt").write_text("content")
    granted = Interpreter(capabilities={"files"})
    granted.define("path", str(tmp_path / "x.txt"))
    assert granted.eval("(File/read path)") == "content"
    with pytest.raises(GeneException, match="needs the capability 'shell'"):
        granted.eval('(system/shell "true")')
    assert {"files", "shell"} <= gene.ALL_CAPABILITIES


def test_arguments_and_program_are_what_the_host_says():
    """``$args`` and ``$program`` come from the host, not from the process."""
    assert Interpreter(args=["a", "b"], program="p").eval("[$args $program]") == [["a", "b"], "p"]


def test_warnings_are_kept(interpreter):
    """What the compiler warns of has a message and a place."""
    interpreter.eval("(var x 6)\n(x || 1)", "code")
    (warning,) = interpreter.warnings
    assert (warning.span.file, warning.span.line) == ("code", 2)
    assert warning.message


# ------------------------------------------------------------------------------------------------ several at once


def test_interpreters_share_nothing():
    """Names, namespaces and classes of one are unknown to the other."""
    one, two = Interpreter(), Interpreter()
    one.eval("(var x 1) (class A (method m [] 1))")
    one.define("host", 5)
    for name in ("x", "A", "host"):
        with pytest.raises(GeneException, match=f"{name} is not defined"):
            two.eval(name)
    assert two.eval("(try x catch * 2)") == 2
    one.get("println")
    assert one.get("x") == 1


def test_interpreters_in_threads():
    """Each thread may have an interpreter of its own; none sees another one's names or errors."""
    results, failed = {}, []

    def work(number):
        try:
            mine = Interpreter()
            mine.define("number", number)
            mine.eval("(fn f [n] (if (n == 0) number else (f (n - 1)))) (var seen [])")
            for turn in range(50):
                mine.eval(f"(seen .push (f {turn}))")
                with pytest.raises(GeneException, match=f"^no {number}$"):
                    mine.eval('(throw #"no #{number}")')
            results[number] = mine.get("seen")
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert results == {number: [number] * 50 for number in range(8)}


def test_one_function_in_many_threads(interpreter):
    """Gene functions keep no state of their own between calls."""
    interpreter.eval("(fn count [n] (var i 0) (while (i < n) (i += 1)) i)")
    count, results = interpreter.get("count"), []
    threads = [threading.Thread(target=lambda: results.append(count(20_000))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [20_000] * 8


@pytest.fixture
def hasty_threads():
    """Threads that take turns a hundred times as often as usual."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(0.00005)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("hasty_threads")
def test_data_is_evaluated_in_many_threads(interpreter):
    """Evaluated code sees the variables of its own place, whatever other threads evaluate in the module."""
    interpreter.eval("""
    (fn total [n]
      (var sum 0)
      (for k in (1 .. 60)
        (var pair (eval `[k n]))
        (sum += pair/1)
        (sum += (eval ($render `(%n * k)))))
      sum)
    """)
    total, results, failed = interpreter.get("total"), {}, []

    def work(number):
        try:
            results[number] = [total(number) for _ in range(4)]
            assert interpreter.eval(f"(+ {number} 1)") == number + 1
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert results == {number: [60 * number + 1830 * number] * 4 for number in range(1, 7)}


def test_an_interpreter_tells_which_files_were_imported(tmp_path):
    """Whoever watches a program for changes learns which files it is made of."""
    (tmp_path / "helper.gene").write_text("(fn help [] 1)")
    (tmp_path / "main.gene").write_text('(import help from "helper")')
    interpreter = Interpreter()
    interpreter.run(tmp_path / "main.gene")
    assert interpreter.imported() == [str((tmp_path / "helper.gene").resolve())]


# ---------------------------------------------------------------------------------------------------- the package


def test_data_can_be_read_without_running_anything():
    """``read_all`` and ``read_one`` give the data of a text."""
    assert [repr(datum) for datum in read_all("(f 1) x")] == ["(f 1)", "x"]
    assert read_one("[1 2] rest") == [1, 2]
    assert gene.inspect(read_one('{^a "b"}')) == '{^a "b"}'
    assert gene.display(read_one('["b"]')) == "[b]"


def test_the_package_offers_what_it_lists():
    """Every public name loads, the list is sorted as the linter wants it, and unknown names are errors."""
    for name in gene.__all__:
        assert getattr(gene, name) is not None
    assert set(gene.__all__) <= set(dir(gene))
    with pytest.raises(AttributeError, match="module 'gene' has no attribute 'nope'"):
        _ = gene.nope


def test_importing_the_package_costs_next_to_nothing():
    """Nothing is loaded until it is used."""
    code = "import sys; known = set(sys.modules); import gene; print(sorted(set(sys.modules) - known))"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout in ("['gene']\n", "['__future__', 'gene']\n")
