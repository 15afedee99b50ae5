"""``comptime``: code that decides, while a module is compiled, which definitions it has."""

from __future__ import annotations

import pytest
from support import fails, output, value

from gene.errors import GeneError
from gene.interpreter import Interpreter
from gene.stdlib.capabilities import ALL


def test_definitions_on_the_path_taken():
    """They become definitions of the module; those of other paths do not exist."""
    text = '(comptime (var x 3) (if (x > 2) (fn f [] "big") (fn both [] 1) else (fn g [] "small")))'
    assert value(f"{text} [(f) (both)]") == ["big", 1]
    assert fails(f"{text} (g)") == "g is not defined"


@pytest.mark.parametrize(
    "definition",
    [
        "(fn f [] 1)",
        "(class C (fn /f [] 1)) (fn f [] (C/f))",
        "(enum E a) (fn f [] (case E/a when E/a 1))",
        "(ns /n (fn /f [] 1)) (fn f [] (n/f))",
        "(type T Int) (fn f [] -> T 1)",
        "(object O (method m [] 1)) (fn f [] (O .m))",
        "(interface I (method m [])) (class C) (implement I for C (method m [] 1)) (fn f [] ((I (new C)) .m))",
        "(fn-interceptor I [g] (after g ^^replace_result [r] 1)) (fn f [] ((I (fn [] 2))))",
        "(import math/abs) (fn f [] (abs -1))",
    ],
)
def test_all_kinds_of_definitions(definition):
    """Whatever can stand at the top level of a module."""
    assert value(f"(comptime (do {definition})) (f)") == 1


def test_emitted_definitions_are_hoisted():
    """In a file they can be used before the ``comptime`` form, and call each other in any order."""
    assert output("(println (f)) (comptime (fn f [] (g)) (fn g [] 5))") == "5\n"


def test_environment_variables(monkeypatch):
    """By ``$env`` and ``get_env``, with defaults."""
    monkeypatch.setenv("GENE_TEST_MODE", "fast")
    monkeypatch.delenv("GENE_TEST_NONE", raising=False)
    assert value('(comptime (if ($env/GENE_TEST_MODE == "fast") (fn f [] 1) else (fn f [] 2))) (f)') == 1
    assert value('(comptime (if ((get_env "GENE_TEST_MODE") == "fast") (fn f [] 1))) (f)') == 1
    assert value('(comptime (if ((get_env "GENE_TEST_NONE" "d") == "d") (fn f [] 1))) (f)') == 1
    assert value("(comptime (if $env/GENE_TEST_NONE (fn f [] 1) else (fn f [] 2))) (f)") == 2
    assert value('(comptime (if (($env/GENE_TEST_NONE || "x") == "x") (fn f [] 1))) (f)') == 1


def test_the_environment_is_a_capability(monkeypatch):
    """A program that was not granted it cannot find out about variables while it is compiled either."""
    monkeypatch.setenv("GENE_TEST_MODE", "fast")
    for read in ("$env/GENE_TEST_MODE", '(get_env "GENE_TEST_MODE")', "$env"):
        with pytest.raises(GeneError, match="comptime needs the capability 'environment'"):
            Interpreter().eval(f"(comptime (if {read} (fn f [] 1)))")
    assert Interpreter(capabilities={"environment"}).eval("(comptime (if $env (fn f [] 1))) (f)") == 1


def test_cached_code_does_not_remember_the_environment(monkeypatch, tmp_path):
    """A file that is run again decides again; without variables in it, its code is cached as usual."""
    (tmp_path / "mode.gene").write_text(
        '(comptime (if ($env/GENE_TEST_MODE == "a") (fn f [] 1) else (fn f [] 2)))'
    )
    (tmp_path / "plain.gene").write_text("(comptime (if (1 < 2) (fn f [] 3)))")
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    found = []
    for mode in ("a", "b", "a"):
        monkeypatch.setenv("GENE_TEST_MODE", mode)
        found += [
            Interpreter(capabilities=ALL).run(tmp_path / name).get("f")()
            for name in ("mode.gene", "plain.gene")
        ]
    assert found == [1, 3, 2, 3, 1, 3]
    assert [path.name.partition(".")[0] for path in (tmp_path / "__pycache__").iterdir()] == ["plain"]


@pytest.mark.parametrize(
    "condition",
    [
        "(1 < 2)",
        "(1 < 2 <= 2)",
        "(not false)",
        "(! nil)",
        "(false || (2 > 1))",
        "(true && 0)",
        "(false || true || nowhere)",
        "((1 + 2 * 3) == 7)",
        "((7 % 4) == 3)",
        "((6 / 4) == 1.5)",
        '(("a" ++ "b") == "ab")',
        "([1 {^k 2}] == [1 {^k 2}])",
        "(`a == `a)",
        "(1 != 1.0)",
        "(+ 1 2)",
        "(== (+ 1 2) 3)",
        "(ifel true 1 nil)",
        "(do nil 1)",
        "(if false nil elif 1 2)",
    ],
)
def test_conditions(condition):
    """Arithmetic, comparison, logic that stops early, choices, quoting, arrays and maps."""
    assert value(f'(comptime (if {condition} (fn f [] "yes") else (fn f [] "no"))) (f)') == "yes"


def test_variables():
    """They are declared, assigned and read, and are gone when the program runs."""
    assert value("(comptime (var x 1) (x = (x + 1)) (x += 5) (if (x == 7) (fn f [] 1))) (f)") == 1
    assert value("(comptime (var m {^a [1]}) (if (m/a == [1]) (fn f [] 1))) (f)") == 1
    assert value("(comptime (var m {^a [1 {^k 2}]}) (if (m/a/-1/k == 2) (fn f [] 1))) (f)") == 1
    assert fails("(comptime (var y 5)) y") == "y is not defined"
    assert value("(comptime (var y 5)) (var y 6) (comptime (y += 1) (if (y == 6) (fn f [] y))) (f)") == 6
    assert output("(comptime (var debug true)) (println (f)) (comptime (if debug (fn f [] 1)))") == "1\n"


def test_nested_choices():
    """``if`` in ``if``, ``elif``, ``if not`` and ``then``."""
    text = '(comptime (var os "mac") (if (os == "win") (fn f [] 1) elif (os == "mac") then (if not false (ifel (1 > 2) (fn f [] 2) (fn f [] 3))))) (f)'
    assert value(text) == 3
    assert value("(comptime (comptime (fn f [] 1))) (f)") == 1


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("(println 1)", "comptime cannot evaluate (println 1)"),
        ("(for x in [1 2] x)", "comptime cannot evaluate (for x in [1 2] x)"),
        ('(if_not false "x")', 'comptime cannot evaluate (if_not false "x")'),
        ("nope", "nope is not defined in comptime"),
        ("(x = 1)", "x is not defined in comptime"),
        ("(var)", "var needs a name"),
        ('(1 + "a")', "comptime: Cannot add VkInt and VkString"),
        ("(1 % 0)", "comptime: Modulo by zero"),
        ('("a" < "b")', "comptime: Cannot compare VkString < VkString"),
        ("(1 + )", "Incomplete infix expression"),
        ("(1 ** 2)", "comptime has no operator **"),
        ("(ifel 1)", "ifel takes a condition and one or two expressions"),
        ("(not)", "not expects exactly 1 argument"),
        ("(get_env)", "get_env needs the name of a variable"),
    ],
)
def test_what_it_cannot_do(form, message):
    """Calls, loops and mistakes are refused while the module is compiled."""
    assert fails(f'(println "ran") (comptime {form})') == message


def test_comptime_belongs_to_the_top_level():
    """Inside of anything else it comes too late."""
    assert (
        fails("(fn f [] (comptime (fn g [] 1)))") == "comptime is possible only at the top level of a module"
    )
    assert fails("(if true (comptime 1))") == "comptime is possible only at the top level of a module"
