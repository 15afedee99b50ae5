"""``gene run-examples``: what functions state of themselves is checked."""

import pytest
from gene_command import gene

MODULE = """
(var half 0.5)
(fn divide
  ^intent "Divide"
  ^examples [
    [6 2 -> 3.0]
    [1 2 -> half]
    [1 "2" throws "Cannot divide"]
    (7 2 ^^whole -> 3)
  ]
  [a b ^whole = false]
  (if whole ((a / b) .to_i) else (a / b)))
(fn $ns/origin ^examples [[-> {^x 0 ^y [0 "a"]}]] [] {^x 0 ^y [0 "a"]})
(fn plain [] nil)
($if_main (println "never"))
"""


@pytest.fixture
def check(tmp_path):
    """Runs the examples of a module."""

    def run(text, *more):
        (tmp_path / "m.gene").write_text(text, encoding="utf-8")
        return gene("run-examples", "m.gene", *more, cwd=tmp_path)

    run.folder = tmp_path
    return run


def test_examples_that_hold(check):
    """Positional and keyword arguments, expressions, and errors; the module is not the main program."""
    done = check(MODULE)
    assert (done.stdout, done.stderr, done.returncode) == ("5 examples passed, 0 failed\n", "", 0)


FAILURES = {
    "[1 2 -> 4]": "expected 4, got 3",
    '[1 2 -> "3"]': 'expected "3", got 3',
    "[1 2 -> 3.0]": "expected 3.0, got 3",
    '[1 "x" -> 1]': "expected 1, but it failed with Cannot add VkInt and VkString",
    '[1 2 throws "x"]': 'expected an error with "x", got 3',
    '[1 "x" throws "zero"]': 'expected an error with "zero", but it failed with Cannot add VkInt and VkString',
    "[1 -> 1]": "expected 1, but it failed with Expected 2 arguments, got 1",
    "[(nope) 2 -> 3]": "failed with nope is not defined",
    "(1 ^c 3 2 -> 3)": "expected 3, but it failed with Unexpected keyword argument: c",
    "[1 2]": 'an example is [arguments… -> result] or [arguments… throws "message"]',
    "5": 'an example is [arguments… -> result] or [arguments… throws "message"]',
}


@pytest.mark.parametrize(("example", "problem"), FAILURES.items())
def test_examples_that_fail(check, example, problem):
    """A failure names the function, the example, and both values; the others still count."""
    done = check(f"\n(fn add\n  ^examples [[1 1 -> 2] {example}]\n  [a b]\n  (a + b))")
    assert done.stdout == f"m.gene:2: add {example}: {problem}\n1 example passed, 1 failed\n"
    assert (done.stderr, done.returncode) == ("", 1)


def test_examples_in_a_value_that_is_no_array_are_malformed(check):
    """``^examples`` of the wrong kind is a failure, not silence."""
    done = check("(fn f ^examples {^a 1} [] 1)")
    assert "m.gene:1: f {^a 1}: an example is" in done.stdout
    assert done.returncode == 1


def test_functions_that_are_imported_are_not_checked_again(check):
    """Each module answers for its own functions; a function with two names counts once."""
    (check.folder / "other.gene").write_text("(fn f ^examples [[-> 2]] [] 1)", encoding="utf-8")
    done = check('(import f from "other")\n(fn g ^examples [[-> 1]] [] (f))\n(var $ns/h g)')
    assert done.stdout == "1 example passed, 0 failed\n"


def test_several_files_and_broken_ones(check):
    """A file that cannot be run is reported; those that can be are checked."""
    (check.folder / "broken.gene").write_text("(f", encoding="utf-8")
    done = check("(fn f ^examples [[-> 1]] [] 1)", "broken.gene", "missing.gene")
    assert done.stdout == "1 example passed, 0 failed\n"
    assert "syntax error: EOF while reading list ) broken.gene 1" in done.stderr
    assert "Error: File not found: missing.gene" in done.stderr
    assert done.returncode == 1


def test_a_file_without_examples_passes(check):
    """There is nothing to fail."""
    assert check("(fn f [] 1)").stdout == "0 examples passed, 0 failed\n"
    assert gene("run-examples").stderr == "Error: gene run-examples needs FILES\n"
