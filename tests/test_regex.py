"""Regular expressions: how they print, and what of PCRE they understand."""

from __future__ import annotations

import pytest

from gene.data.regex import Regex, translate
from gene.errors import GeneError
from gene.reader import read_one


@pytest.mark.parametrize(
    ("regex", "text"),
    [
        (Regex("o+"), "#/o+/"),
        (Regex("AbC", "i"), "#/AbC/i"),
        (Regex(r"\s/"), r"#/\\s\//"),
        (Regex("a", "im", "b/c"), r"#/a/b\/c/im"),
        (Regex(""), "#//"),
    ],
)
def test_printing(regex, text):
    """A regular expression prints as a literal that reads as the same again."""
    assert repr(regex) == str(regex) == text
    again = read_one(text)
    assert (again.pattern, again.flags, again.replacement) == (regex.pattern, regex.flags, regex.replacement)


def test_identity():
    """Two regular expressions are never equal."""
    regex = Regex("a")
    assert regex == regex
    assert regex != Regex("a")
    assert len({regex, Regex("a")}) == 2


@pytest.mark.parametrize(
    ("pattern", "flags", "subject", "value"),
    [
        ("abc", "i", "xABC", "ABC"),
        ("a.b", "", "a\nb", None),
        ("a.b", "m", "a\nb", "a\nb"),
        (r"(?<num>\d+)", "", "id: 77", "77"),
        (r"(?'num'\d)", "", "7", "7"),
        (r"(?P<num>\d)", "", "7", "7"),
        (r"(?<=a)b(?<!c)(?!d)(?=e)", "", "abe", "b"),
        (r"(?<q>['\"]).*?\k<q>", "", "x 'a\"' y", "'a\"'"),
        (r"(?<q>.)\k{q}\k'q'", "", "abbb", "bbb"),
        (r"[[:alpha:]]+[[:digit:][:space:]]", "", "1ab2", "ab2"),
        (r"\Qa.b\E+", "", "axb a.bb", "a.bb"),
        (r"\Qa.b", "", "axb a.b", "a.b"),
        (r"\x{1F642}", "", "🙂", "🙂"),
        (r"a\z", "", "a\n", None),
        (r"a\Z", "", "a\n", "a"),
        (r"a\hb", "", "a\tb", "a\tb"),
        (r"\\h\[:alpha:]", "", r"\h[:a]", None),
        (r"\(?<n>", "", "<n>", "<n>"),
        (r"(?>a+)b", "", "aab", "aab"),
        (r"a++b", "", "aab", "aab"),
    ],
)
def test_pcre(pattern, flags, subject, value):
    """Patterns are PCRE's, where Python spells things differently too."""
    match = Regex(pattern, flags).compiled.search(subject)
    assert (match and match[0]) == value


def test_named_groups():
    """Named groups keep their names."""
    match = Regex(r"(?<key>\w+)=(?<value>\w+)").compiled.search("a=b")
    assert match.groupdict() == {"key": "a", "value": "b"}


def test_compiled_once():
    """The pattern is compiled on first use, and only then."""
    regex = Regex("a")
    assert regex.compiled is regex.compiled


@pytest.mark.parametrize("pattern", ["(", "[", r"\x{110000}", "a**", "(?<n>a)(?<n>b)"])
def test_invalid_patterns(pattern):
    """What is no pattern is refused on first use, with the literal in the message."""
    with pytest.raises(GeneError) as caught:
        _ = Regex(pattern).compiled
    assert caught.value.message.startswith(f"Invalid regular expression {Regex(pattern)}: ")


def test_unknown_classes_stay():
    """What only looks like a POSIX class is left alone."""
    assert translate("[[:nope:]]") == "[[:nope:]]"
