"""``genex/test`` through Gene programs."""

import pytest
from gene_command import gene
from support import error, fails, run, value

IMPORTS = """
(import genex/test/Suite genex/test/check genex/test/check_equal genex/test/check_throws genex/test/fail)
"""


def checked(text):
    """The value of code that can use checks."""
    return value(IMPORTS + text)


def message(text):
    """The message that a check fails with."""
    failed = error(IMPORTS + text)
    assert type(failed).__gene__.name == "AssertionException"
    return str(failed)


def test_check():
    """Truthy values pass and are returned; nil, void and false do not."""
    assert checked("(check 0)") == 0
    assert checked('(check "")') == ""
    assert message("(check nil)") == "expected something truthy, got nil"
    assert message("(check ({} ./ `x))") == "expected something truthy, got void"
    assert message('(check (1 > 2) "order")') == "order: expected something truthy, got false"
    assert fails(IMPORTS + "(check)") == "check requires a condition"


def test_check_equal():
    """Values are compared as ``==`` compares them, and both are shown as literals."""
    assert checked('(check_equal {^a [1 "x"]} {^a [1 "x"]})') == {"a": [1, "x"]}
    assert checked("(check_equal nil nil)") is None
    assert message("(check_equal 1 1.0)") == "expected 1.0, got 1"
    assert message('(check_equal "1" 1 "kinds")') == 'kinds: expected 1, got "1"'
    assert fails(IMPORTS + "(check_equal 1)") == "check_equal requires an actual and an expected value"


def test_check_throws():
    """It passes when the function throws what it should, and returns the exception."""
    assert checked('((check_throws (fn [] (throw "a b"))) .message)') == "a b"
    assert checked('((check_throws (fn [] (throw "a b")) "b") .message)') == "a b"
    assert checked("((check_throws (fn [] (1 % 0)) RuntimeException) .message)") == "Modulo by zero"
    assert checked("((check_throws (fn [] (nope))) .message)") == "nope is not defined"
    assert message("(check_throws (fn [] 5))") == "expected an error, got 5"
    assert message('(check_throws (fn [] 5) "x")') == 'expected an error with "x", got 5'
    assert message('(check_throws (fn [] (throw "a")) "x")') == (
        'expected an error with "x", but it failed with a'
    )
    assert message('(check_throws (fn [] (throw "a")) TypeException)') == (
        "expected an error with TypeException, but it failed with a"
    )
    assert fails(IMPORTS + "(check_throws 5)") == "check_throws callback must be a function, got VkInt"


def test_fail():
    """It always throws."""
    assert message('(fail "not here")') == "not here"
    assert message("(fail)") == "failed"


SUITE = IMPORTS + '(var suite (new Suite "numbers"))\n'


def test_a_suite_whose_tests_pass():
    """Nothing is shown of tests that pass but their number."""
    made, printed = run(
        SUITE + '(suite .test "a" (fn [] (check true))) (suite .test "b" (fn [] nil)) (suite .finish)'
    )
    assert made == {"passed": 2, "failed": 0, "skipped": 0}
    assert printed == "numbers: 2 passed, 0 failed\n"


def test_a_test_that_fails_is_shown_with_its_place_and_the_others_run():
    """Whatever a test throws, the next ones run, and ``finish`` throws in the end."""
    made, printed = run(
        SUITE
        + """(suite .test "one" (fn [] (check_equal 1 2)))
(suite .test "two" (fn [] (nope)))
(suite .test "three" (fn [] 1))
[suite/name suite/passed suite/failed suite/skipped (try (suite .finish) catch AssertionException $ex/message)]"""
    )
    assert printed.splitlines() == [
        "FAILED numbers: one: expected 2, got 1 (t.gene:4:27)",
        "FAILED numbers: two: nope is not defined (t.gene:5:28)",
        "numbers: 1 passed, 2 failed",
    ]
    name, passed, failed, skipped, thrown = made
    assert (name, passed, skipped) == ("numbers", ["three"], [])
    assert list(failed) == ["one", "two"]
    assert thrown == "numbers: failed: one, two"


def test_skipped_tests_are_counted():
    """They do not run, and do not fail."""
    made, printed = run(SUITE + '(suite .skip "later" (fn [] (fail))) (suite .finish)')
    assert made == {"passed": 0, "failed": 0, "skipped": 1}
    assert printed == "numbers: 0 passed, 0 failed, 1 skipped\n"


def test_asynchronous_tests_are_waited_for():
    """A test that returns a future passes or fails with it."""
    made, printed = run(
        SUITE
        + """(fn late ^^async [n] (await (gene/sleep_async 5)) (check_equal n 1))
[(suite .test "good" (fn [] (late 1))) (suite .test "bad" (fn [] (late 2)))]"""
    )
    assert made == [True, False]
    assert printed.startswith("FAILED numbers: bad: expected 1, got 2")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("(suite .finish)", "numbers: there are no tests"),
        ('(suite .test "a" (fn [] 1)) (suite .test "a" (fn [] 1))', "numbers has two tests called a"),
        ("(suite .test 5 (fn [] 1))", "Suite.test requires a string name, got VkInt"),
        ('(suite .test "a")', "Suite.test callback must be a function, got nothing"),
        ("(suite .skip)", "Suite.skip requires a string name, got nothing"),
        ("(new Suite 5)", "Suite requires a string name, got VkInt"),
    ],
)
def test_suites_that_are_wrong(code, expected):
    """A mistake in the test program is no failed test."""
    assert fails(SUITE + code) == expected


def test_the_exit_status_of_a_test_program(tmp_path):
    """``gene run`` ends with 1 when a test failed, and with 0 when all passed."""
    for body, status in (("1", 0), ("(fail)", 1)):
        text = f'{SUITE}(suite .test "a" (fn [] {body}))\n(suite .finish)\n'
        (tmp_path / "t.gene").write_text(text, encoding="utf-8")
        assert gene("run", "t.gene", cwd=tmp_path).returncode == status
