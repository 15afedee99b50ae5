"""Dependencies: what ``$dep`` and ``^dependencies`` say of a package, where it is and which versions will do.

A version is numbers between points, with a suffix behind a dash for what comes before it: ``1.2.0-beta``. A
requirement of versions is ``*`` for any; numbers, for all versions that begin with them; one of
``= > >= < <=`` and a version; ``~1.2.3``, for at least that one with the same first two numbers; ``^1.2.3``,
for at least that one up to the next number that may break programs, the first one that is not 0 (Semantic
Versioning, https://semver.org); or several of these between blanks, all of which hold.
"""

from __future__ import annotations

import os

from gene.data.atoms import Symbol
from gene.data.forms import Gene
from gene.runtime.exceptions import GeneException

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final

    Version = tuple[tuple[int, ...], bool, str]

_OPERATORS: Final = ("^", "~", ">=", "<=", ">", "<", "=", "")
_REQUIRED: Final = frozenset("0123456789^~<>=*")
"""What a requirement of versions starts with; anything else is a path, and so is what has a slash."""


class Dependency:
    """What is said of a package that another one, or a module, depends on.

    Attributes:
        place: Its directory, or None when it is where packages are looked for.
        version: The versions that will do.
    """

    __slots__ = ("place", "version")

    def __init__(self, place: str | None, version: str) -> None:
        self.place = place
        self.version = version

    def refuses(self, version: Any) -> bool:
        """Whether a package's version, or its lack of one, is not what is required."""
        if self.version == "*":
            return False
        known = _version(version) if isinstance(version, str) else None
        return known is None or not all(_holds(each, known) for each in _parts(self.version))


def dependency(said: Any, path: Any, directory: str) -> Dependency:
    """What a declaration says.

    Args:
        said: A path or a requirement of versions; None for neither.
        path: A path; None for none.
        directory: What paths are relative to.

    Raises:
        ValueError: It is neither a path nor a requirement; the message says what is wrong.
    """
    for given in (said, path):
        if given is not None and (not isinstance(given, str) or not given):
            raise ValueError("the place of a package is a path, its version a text such as ^1.2")
    if said is not None and not _is_requirement(said):
        if path is not None:
            raise ValueError(f"{said} and {path} are two paths")
        said, path = None, said
    version = said or "*"
    for part in _parts(version):
        if part != "*" and _version(_split(part)[1]) is None:
            raise ValueError(f"{part} is no version; versions are required as 1.2, ^1.2.3, ~1.2.3 or >=1.2")
    place = None if path is None else os.path.normpath(os.path.join(directory, path))
    return Dependency(place, version)


def dependencies(said: Any, directory: str) -> dict[str, Dependency]:
    """What ``^dependencies`` says: a map of names and places or versions, or an array of ``$dep`` forms.

    Raises:
        ValueError: It is something else.
    """
    found = {}
    for name, version, path in _declarations(said):
        try:
            found[name] = dependency(version, path, directory)
        except ValueError as error:
            raise ValueError(f"^dependencies: {name}: {error}") from None
    return found


def _declarations(said: Any) -> Iterator[tuple[str, Any, Any]]:
    """What ``^dependencies`` says of each package: its name, a path or version, a path."""
    if isinstance(said, dict):
        yield from ((name, value, None) for name, value in said.items())
        return
    for item in said if isinstance(said, list) else [said]:
        if type(item) is not Gene or item.type != Symbol("$dep"):
            raise ValueError(
                "^dependencies must be a map of names and paths or versions,"
                ' or an array of forms like ($dep "words" "../words")'
            )
        yield _declared(item)


def _declared(form: Gene) -> tuple[str, Any, Any]:
    """The parts of a ``$dep`` form in a description."""
    name, *rest = form.children or [None]
    if not isinstance(name, str) or len(rest) > 1 or not set(form.props) <= {"path"}:
        raise ValueError("^dependencies: $dep takes the name of a package, a path or a version, and ^path")
    return name, rest[0] if rest else None, form.props.get("path")


def missing(name: str, importer: str | None, searched: list[str]) -> GeneException:
    """The error of a package that is nowhere.

    Args:
        name: The package.
        importer: The file that asks for it; None for text.
        searched: Where it was looked for, each with what was found instead.
    """
    return GeneException(
        f"[GENE.PACKAGE.NOT_FOUND] Package '{name}' was not found"
        f" (importer={importer or 'text'}; searched=[{', '.join(searched)}])"
    )


def _is_requirement(text: str) -> bool:
    return text[0] in _REQUIRED and "/" not in text


def _parts(requirement: str) -> list[str]:
    return requirement.replace(",", " ").split()


def _split(part: str) -> tuple[str, str]:
    """The operator of a requirement, and the version behind it."""
    operator = next(each for each in _OPERATORS if part.startswith(each))
    return operator, part[len(operator) :]


def _version(text: str) -> Version | None:
    """What versions are compared by; None for a text that is none. A suffix comes before none."""
    numbers, dash, suffix = text.partition("+")[0].partition("-")
    parts = numbers.split(".")
    if not all(part.isascii() and part.isdigit() for part in parts):
        return None
    return tuple(map(int, parts)), not dash, suffix


def _holds(part: str, version: Version) -> bool:
    """Whether a version is what one part of a requirement asks for."""
    if part == "*":
        return True
    operator, text = _split(part)
    wanted = _version(text)
    assert wanted is not None, "requirements are checked when they are declared"
    at_least = _padded(version) >= _padded(wanted)
    if operator == ">=":
        return at_least
    if operator == ">":
        return _padded(version) > _padded(wanted)
    if operator == "<":
        return not at_least
    if operator == "<=":
        return _padded(version) <= _padded(wanted)
    if operator in ("=", ""):
        return _begins(version, wanted[0]) and version[1:] == wanted[1:]
    return at_least and _begins(version, _kept(operator, wanted[0]))


def _kept(operator: str, numbers: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers that a newer version shares with a required one."""
    if operator == "~":
        return numbers[:2]
    first = next((at for at, number in enumerate(numbers) if number), len(numbers) - 1)
    return numbers[: first + 1]


def _begins(version: Version, numbers: tuple[int, ...]) -> bool:
    return _padded(version)[0][: len(numbers)] == numbers


def _padded(version: Version) -> Version:
    return (*version[0], 0, 0, 0)[: max(3, len(version[0]))], *version[1:]
