"""``genex/test``: checks, and suites of tests.

::

    (import genex/test/Suite genex/test/check_equal genex/test/check_throws)
    (var suite (new Suite "numbers"))
    (suite .test "addition" (fn []
      (check_equal (1 + 2) 3)))
    (suite .test "zero" (fn []
      (check_throws (fn [] (1 % 0)) "Modulo by zero")))
    (suite .finish)

A test that fails is shown at once, and the others still run; ``finish`` prints how many passed and throws if
one failed, so that ``gene run`` ends with status 1.
"""

from __future__ import annotations

from gene.data.atoms import VOID
from gene.data.kinds import Kind
from gene.errors import GeneError
from gene.runtime.classes import GeneClass
from gene.runtime.equality import equal
from gene.runtime.exceptions import ArgumentException, AssertionException, GeneException
from gene.runtime.text import inspect
from gene.stdlib.arguments import MISSING, callback, tag_of
from gene.stdlib.core import println

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final, NoReturn


class Suite:
    """``(new genex/test/Suite name)``: tests that belong together.

    Attributes:
        name: What they test.
        passed: The names of the tests that passed.
        failed: The messages of those that failed, by name.
        skipped: The names of those that were left out.
    """

    __slots__ = ("failed", "name", "passed", "skipped")

    def __init__(self, name: Any = "tests") -> None:
        if type(name) is not str:
            raise ArgumentException(f"Suite requires a string name, got {tag_of(name)}")
        self.name = name
        self.passed: list[str] = []
        self.failed: dict[str, str] = {}
        self.skipped: list[str] = []

    def test(self, name: Any = MISSING, body: Any = MISSING) -> bool:
        """``(suite .test name fn)``: run a test; it passes unless it throws.

        A test that returns a future is waited for.

        Returns:
            Whether it passed.
        """
        label, run = self._named(name, "test"), callback(body, "Suite.test")
        problem = problem_of(run)
        if problem is None:
            self.passed.append(label)
            return True
        self.failed[label] = problem
        println(f"FAILED {self.name}: {label}: {problem}")
        return False

    def skip(self, name: Any = MISSING, _body: Any = None) -> None:
        """``(suite .skip name fn)``: a test that is not to run."""
        self.skipped.append(self._named(name, "skip"))

    def finish(self) -> dict[str, int]:
        """``(suite .finish)``: print how many tests passed, failed and were skipped.

        Returns:
            These numbers, a map.

        Raises:
            AssertionException: A test failed, or there was none.
        """
        counts = {"passed": len(self.passed), "failed": len(self.failed), "skipped": len(self.skipped)}
        skipped = f", {counts['skipped']} skipped" if self.skipped else ""
        println(f"{self.name}: {counts['passed']} passed, {counts['failed']} failed{skipped}")
        if self.failed:
            raise AssertionException(f"{self.name}: failed: {', '.join(self.failed)}")
        if not self.passed and not self.skipped:
            raise AssertionException(f"{self.name}: there are no tests")
        return counts

    def gene_members(self, name: str) -> Any:
        """``suite/name``, ``suite/passed``, ``suite/failed`` and ``suite/skipped``."""
        return getattr(self, name) if name in self.__slots__ else VOID

    def _named(self, name: Any, method: str) -> str:
        if type(name) is not str:
            raise ArgumentException(f"Suite.{method} requires a string name, got {tag_of(name)}")
        if name in self.failed or name in self.passed or name in self.skipped:
            raise ArgumentException(f"{self.name} has two tests called {name}")
        return name


SUITE: Final = Kind(
    "Suite",
    "VkSuite",
    Suite,
    methods={"finish": Suite.finish, "skip": Suite.skip, "test": Suite.test},
    construct=Suite,
)


def problem_of(run: Callable[[], Any]) -> str | None:
    """What a test fails with, and where; None if it passes."""
    from gene.runtime.failures import caught

    try:
        _settle(run())
    except Exception as error:  # noqa: BLE001 - whatever a test fails with is its result
        if isinstance(error, GeneError) and not isinstance(error, GeneException):
            return error.message
        made = caught(error)
        return str(made) if made.location is VOID else f"{made} ({made.location})"
    return None


def _settle(value: Any) -> None:
    """Wait for a future."""
    import sys

    futures = sys.modules.get("gene.runtime.futures")
    if futures is not None and isinstance(value, futures.Future):
        futures.await_futures(value)


def check(condition: Any = MISSING, message: Any = None) -> Any:
    """``(check condition message?)``: throw unless a condition is truthy; return its value.

    Raises:
        AssertionException: It is nil, void or false.
    """
    if condition is MISSING:
        raise ArgumentException("check requires a condition")
    if condition is None or condition is False or condition is VOID:
        _fail(message, f"expected something truthy, got {inspect(condition)}")
    return condition


def check_equal(actual: Any = MISSING, expected: Any = MISSING, message: Any = None) -> Any:
    """``(check_equal actual expected message?)``: throw unless two values are equal as ``==`` has it.

    Returns:
        The actual value.

    Raises:
        AssertionException: They are not; the message shows both.
    """
    if expected is MISSING:
        raise ArgumentException("check_equal requires an actual and an expected value")
    if not equal(actual, expected):
        _fail(message, f"expected {inspect(expected)}, got {inspect(actual)}")
    return actual


def check_throws(body: Any = MISSING, part: Any = None) -> GeneException:
    """``(check_throws fn part?)``: throw unless a function throws.

    Args:
        body: The function.
        part: A part of the message that it has to throw, or the class of the exception; nil for any.

    Returns:
        The exception.

    Raises:
        AssertionException: It did not throw, or something else.
    """
    from gene.runtime.failures import caught

    run = callback(body, "check_throws")
    wanted = "an error" if part is None else f"an error with {_described(part)}"
    try:
        value = run()
    except Exception as error:  # noqa: BLE001 - the exception is what is looked at
        thrown = caught(error)
    else:
        _fail(None, f"expected {wanted}, got {inspect(value)}")
    if not _matches(thrown, part):
        _fail(None, f"expected {wanted}, but it failed with {thrown}", thrown)
    return thrown


def fail(message: Any = "failed") -> NoReturn:
    """``(fail message?)``: throw."""
    _fail(message, "")


def _matches(thrown: GeneException, part: Any) -> bool:
    if isinstance(part, GeneClass):
        return isinstance(thrown, part)
    return part is None or str(part) in str(thrown)


def _described(part: Any) -> str:
    return part.__gene__.name if isinstance(part, GeneClass) else inspect(part)


def _fail(message: Any, detail: str, cause: GeneException | None = None) -> NoReturn:
    said = "" if message is None else str(message)
    raise AssertionException(": ".join(filter(None, (said, detail)))) from cause
