"""What a dependency says: a path, or a requirement of versions, and which versions that accepts."""

import os

import pytest

from gene.dependencies import dependency


@pytest.mark.parametrize(
    ("requirement", "accepted", "refused"),
    [
        ("*", ["0.1", "2.0-beta", None, "odd"], []),
        ("1", ["1", "1.0.0", "1.9.3"], ["0.9", "2", "10.0", "1.0-beta"]),
        ("1.2", ["1.2", "1.2.0", "1.2.9", "1.2.3+build5"], ["1", "1.1.9", "1.3", "1.20", None, "odd", 1.2]),
        ("=1.2.3", ["1.2.3"], ["1.2.4", "1.2.3-rc1"]),
        ("1.2.3-rc1", ["1.2.3-rc1"], ["1.2.3", "1.2.3-rc2"]),
        ("^1.2", ["1.2", "1.2.1", "1.9"], ["1.1.9", "2.0", "1.2-beta"]),
        ("^0.2.3", ["0.2.3", "0.2.9"], ["0.3", "0.2.2", "1.0"]),
        ("^0.0.3", ["0.0.3"], ["0.0.4", "0.1"]),
        ("^0", ["0.0.1", "0.9"], ["1"]),
        ("~1.2.3", ["1.2.3", "1.2.10"], ["1.3", "1.2.2"]),
        ("~1", ["1.0", "1.9"], ["2"]),
        (">=1.2", ["1.2", "3"], ["1.1", "1.2-beta"]),
        (">1.2", ["1.2.1", "2"], ["1.2", "1.2.0"]),
        ("<2", ["1.9.9", "2-beta"], ["2", "2.0.1"]),
        ("<=2.0", ["2", "1"], ["2.0.1"]),
        (">=1.2 <2", ["1.2", "1.9"], ["1.1", "2"]),
        (">=1.2, <2", ["1.2", "1.9"], ["1.1", "2"]),
    ],
)
def test_requirements(requirement, accepted, refused):
    """Numbers are compared as numbers, missing ones are 0, and a suffix comes before the version without."""
    needed = dependency(requirement, None, "/")
    assert needed.place is None
    assert [version for version in accepted if needed.refuses(version)] == []
    assert [version for version in refused if not needed.refuses(version)] == []


@pytest.mark.parametrize(
    ("said", "path", "place"),
    [
        ("../words", None, "/base/words"),
        ("words", None, "/base/app/words"),
        ("./1.2", None, "/base/app/1.2"),
        ("1.2/words", None, "/base/app/1.2/words"),
        ("/abs/words", None, "/abs/words"),
        ("1.2", "words", "/base/app/words"),
        (None, "words", "/base/app/words"),
        (None, None, None),
    ],
)
def test_places(said, path, place):
    """What does not look like a version is a path, relative to what declares it."""
    found = dependency(said, path, "/base/app").place
    assert found == (place and os.path.normpath(place))


@pytest.mark.parametrize("said", ["1.x", "^", ">=", "=1..2", "^1.2 oops", "", 5])
def test_what_means_nothing(said):
    """Neither a path nor a requirement."""
    with pytest.raises(ValueError, match=r"is no version|is a path, its version"):
        dependency(said, None, "/")
