"""The methods of strings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gene.data.atoms import VOID, Char, Symbol
from gene.data.octets import Octets
from gene.data.regex import Regex
from gene.runtime.exceptions import ArgumentException, GeneException, RuntimeException
from gene.runtime.methods import send

DIGITS = Regex(r"\d+")


@pytest.mark.parametrize(
    ("text", "method", "args", "result"),
    [
        ("naïve", "length", (), 5),
        ("naïve", "size", (), 5),
        ("naïve", "bytesize", (), 6),
        ("", "empty?", (), True),
        ("x", "empty?", (), False),
        ("", "empty", (), True),
        ("x", "not_empty?", (), True),
        ("", "not_empty?", (), False),
        ("42", "to_i", (), 42),
        ("-007", "to_i", (), -7),
        ("+5", "to_i", (), 5),
        ("9223372036854775807", "to_i", (), 2**63 - 1),
        ("-9223372036854775808", "to_i", (), -(2**63)),
        ("0" * 50 + "1", "to_i", (), 1),
        ("2.5", "to_f", (), 2.5),
        (" 7", "to_f", (), 7.0),
        ("-1e3\n", "to_f", (), -1000.0),
        ("x", "to_s", (), "x"),
        ("a", "append", (), "a"),
        ("a", "append", ("b", 3, None, Char("c"), ["d"], VOID), "ab3'c'[\"d\"]void"),
        *[("Straße", name, (), "STRASSE") for name in ("to_upper", "to_uppercase", "upper", "upcase")],
        *[("ÄB", name, (), "äb") for name in ("to_lower", "to_lowercase", "lower", "downcase")],
        ("hELLO wORLD", "capitalize", (), "Hello world"),
        ("aé😀", "reverse", (), "😀éa"),
        (" \t a b \n", "trim", (), "a b"),
        (" a ", "strip", (), "a"),
        (" a ", "lstrip", (), "a "),
        (" a ", "rstrip", (), " a"),
        ("abcdef", "substr", (1, 3), "bcd"),
        ("abcdef", "substr", (4,), "ef"),
        ("abcdef", "substr", (-2,), "ef"),
        ("abcdef", "substr", (0, 0), "a"),
        ("abcdef", "substr", (-3, -2), "de"),
        ("abcdef", "substr", (0, -1), "abcdef"),
        ("abc", "substr", (9,), ""),
        ("abc", "substr", (1, 99), "bc"),
        ("abc", "substr", (2, 1), ""),
        ("abc", "substr", (-9, 1), "ab"),
        ("abc", "substr", (0, -9), ""),
        ("", "substr", (0, 0), ""),
        ("a,b,,c", "split", (",",), ["a", "b", "", "c"]),
        ("k=v=w", "split", ("=", 2), ["k", "v=w"]),
        ("k=v=w", "split", ("=", 1), ["k=v=w"]),
        ("k=v=w", "split", ("=", 0), ["k", "v", "w"]),
        ("abc", "split", ("",), ["abc"]),
        ("", "split", (",",), [""]),
        ("a1b22c", "split", (DIGITS,), ["a", "b", "c"]),
        ("a1b22c", "split", (DIGITS, 2), ["a", "b22c"]),
        ("a-b", "split", (Regex("(-)"),), ["a", "b"]),
        ("abc", "split", (Regex(""),), ["a", "b", "c"]),
        ("banana", "index", ("an",), 1),
        ("banana", "index", ("an", 2), 3),
        ("banana", "index", ("zz",), -1),
        ("banana", "index", ("a", -2), 5),
        ("ab12", "index", (DIGITS,), 2),
        ("1ab2", "index", (DIGITS, 1), 3),
        ("ab", "index", (DIGITS,), -1),
        ("éa", "index", ("a",), 1),
        ("banana", "rindex", ("an",), 3),
        ("banana", "rindex", ("zz",), -1),
        ("1a23", "rindex", (DIGITS,), 3),
        ("ab", "rindex", (DIGITS,), -1),
        ("banana", "contains", ("nan",), True),
        ("banana", "contains", ("x",), False),
        ("banana", "include?", ("x",), False),
        ("a1", "include?", (DIGITS,), True),
        ("a", "contain", (DIGITS,), False),
        ("a", "contain", ("a",), True),
        ("banana", "starts_with", ("ba",), True),
        ("banana", "start_with?", ("na",), False),
        ("banana", "ends_with", ("na",), True),
        ("banana", "end_with?", ("ba",), False),
        ("aXbXc", "replace", ("X", "-"), "a-bXc"),
        ("aXbXc", "sub", ("X", "-"), "a-bXc"),
        ("aXbXc", "replace_all", ("X", "-"), "a-b-c"),
        ("aXbXc", "gsub", ("X", ""), "abc"),
        ("a1b2", "replace", (DIGITS, "#"), "a#b2"),
        ("a1b2", "replace_all", (DIGITS, "<\\0>"), "a<1>b<2>"),
        ("2024-05", "replace", (Regex(r"(\d+)-(\d+)"), "\\2.\\1"), "05.2024"),
        ("k=v", "sub", (Regex(r"(?<key>\w)=(?<val>\w)"), "\\k<val>=\\k<key>\\\\"), "v=k\\"),
        ("ab", "sub", (Regex("(a)|(x)"), "[\\2\\1]"), "[a]b"),
        ("ab", "sub", (Regex("(a)"), "\\10"), "a0b"),
        ("a.b", "replace_all", (".", "\\1"), "a\\1b"),
        ("ab", "replace", (Regex("a", "", "X"),), "Xb"),
        ("añc", "char_at", (1,), Char("ñ")),
        ("aé😀", "chars", (), [Char("a"), Char("é"), Char("😀")]),
        ("é", "byte_at", (1,), 0xA9),
        ("é", "bytes", (), Octets(b"\xc3\xa9")),
        ("é", "to_bytes", (), Octets(b"\xc3\xa9")),
        ("aéb", "byteslice", (1, 2), Octets(b"\xc3\xa9")),
        ("abc", "byteslice", (-1, 5), Octets(b"c")),
        ("room 12", "match?", (DIGITS,), True),
        ("none", "match?", (DIGITS,), False),
        ("none", "match", (DIGITS,), None),
        ("ABC", "match?", (Regex("abc", "i"),), True),
        ("a\nb", "match?", (Regex("a.b"),), False),
        ("a\nb", "match?", (Regex("a.b", "m"),), True),
        ("a1b22", "find", (DIGITS,), "1"),
        ("ab", "find", (DIGITS,), None),
        ("ab", "find", ("b",), "b"),
        ("ab", "find", ("x",), None),
        ("a1b22", "find_all", (DIGITS,), ["1", "22"]),
        ("a1b22", "scan", (Regex(r"(\d)(\d)?"),), ["1", "22"]),
        ("abab", "find_all", ("ab",), ["ab", "ab"]),
        ("abab", "find_all", ("",), []),
    ],
)
def test_what_methods_answer(text, method, args, result):
    """Each method answers what the language says, of the kind that it says."""
    answer = send(text, method, *args)
    assert answer == result
    assert type(answer) is type(result)


@pytest.mark.parametrize(
    ("text", "method", "args", "error", "message"),
    [
        *[
            (text, "to_i", (), ArgumentException, "to_i requires a numeric string")
            for text in ("", " 4", "3.7", "4px", "-", "--1", "1_0", "٣", "²")
        ],
        (
            "9223372036854775808",
            "to_i",
            (),
            RuntimeException,
            "Integer overflow in to_i: 9223372036854775808",
        ),
        ("9" * 10**6, "to_i", (), RuntimeException, f"Integer overflow in to_i: {'9' * 30}…"),
        *[
            (text, "to_f", (), ArgumentException, "to_f requires a numeric string")
            for text in ("", "x", "1_0", "1,5", "٣")
        ],
        ("a", "substr", (), ArgumentException, "String.substr requires start index"),
        ("a", "substr", ("0",), ArgumentException, "String.substr start must be an Int, got VkString"),
        ("a", "substr", (0, 1.5), ArgumentException, "String.substr end must be an Int, got VkFloat"),
        ("a", "split", (), ArgumentException, "String.split requires separator"),
        ("a", "split", (5,), ArgumentException, "String.split expects a Regexp or string pattern"),
        ("a", "split", ("a", "b"), ArgumentException, "String.split limit must be an Int, got VkString"),
        ("a", "index", (), ArgumentException, "String.index expects a Regexp or string pattern"),
        ("a", "index", (Symbol("a"),), ArgumentException, "String.index expects a Regexp or string pattern"),
        ("a", "rindex", (None,), ArgumentException, "String.rindex expects a Regexp or string pattern"),
        ("a", "contain", (5,), ArgumentException, "String.contain expects a Regexp or string pattern"),
        ("a", "include?", (), ArgumentException, "String.contain expects a Regexp or string pattern"),
        ("a", "starts_with", (), ArgumentException, "starts_with expects string arguments"),
        ("a", "ends_with", (5,), ArgumentException, "ends_with expects string arguments"),
        ("a", "replace", (), ArgumentException, "String.replace requires target and replacement"),
        ("a", "replace", ("a",), ArgumentException, "String.replace requires target and replacement"),
        ("a", "replace", (Regex("a"),), ArgumentException, "String.replace requires target and replacement"),
        (
            "a",
            "replace",
            ("a", 5),
            ArgumentException,
            "String.replace expects a replacement string, got VkInt",
        ),
        ("a", "gsub", (5, "a"), ArgumentException, "String.replace_all expects a Regexp or string pattern"),
        ("a", "sub", (Regex("a"), "\\1"), ArgumentException, "String.replace: the pattern has no group 1"),
        ("a", "sub", (Regex("a"), "\\k<n>"), ArgumentException, "String.replace: the pattern has no group n"),
        ("abc", "char_at", (3,), GeneException, "char_at index out of bounds"),
        ("abc", "char_at", (-1,), GeneException, "char_at index out of bounds"),
        ("abc", "char_at", (), ArgumentException, "String.char_at index is missing: an Int is required"),
        ("abc", "byte_at", (3,), GeneException, "byte_at index out of bounds"),
        ("a", "match", ("a",), ArgumentException, "String.match requires a Regexp"),
        ("a", "match?", ("a",), ArgumentException, "String.match? requires a Regexp"),
        ("a", "find", (5,), ArgumentException, "String.find expects a Regexp or string pattern"),
        ("a", "each_char", (5,), GeneException, "each_char callback must be a function, got VkInt"),
        ("a", "each_byte", (), GeneException, "each_byte callback must be a function, got nothing"),
        *[
            ("a", name, (), GeneException, f"Method {name} not found on VkString")
            for name in ("slice", "join", "to_json", "repeat", "lines", "to_symbol", "pad", "format", "iter")
        ],
    ],
)
def test_wrong_calls_are_named(text, method, args, error, message):
    """What is missing or of the wrong kind is named by its method."""
    with pytest.raises(GeneException) as caught:
        send(text, method, *args)
    assert (type(caught.value), str(caught.value)) == (error, message)


def test_a_malformed_expression_is_reported_when_used():
    """The error shows the expression."""
    with pytest.raises(GeneException, match=r"Invalid regular expression #/\(/"):
        send("a", "match", Regex("("))


def test_callbacks_get_characters_and_bytes():
    """each_char gives characters, each_byte Ints; both return the string."""
    seen = []
    assert send("é!", "each_char", seen.append) == "é!"
    assert send("é!", "each_byte", seen.append) == "é!"
    assert seen == [Char("é"), Char("!"), 0xC3, 0xA9, 33]


def test_a_match_knows_where_it_is():
    """Its fields are properties; groups that took no part are nil."""
    match = send("id: 77!", "match", Regex(r"(?<num>\d+)(x)?"))
    assert (match.value, match.start, match.end) == ("77", 4, 6)
    assert (match.pre_match, match.post_match) == ("id: ", "!")
    assert match.captures == ["77", None]
    assert match.named_captures == {"num": "77"}
    assert send(match, "value") == "77"


@given(st.text(), st.integers(-12, 12), st.integers(-12, 12))
def test_substr_is_slicing_with_an_included_end(text, start, end):
    """Whatever the positions are, the answer is part of the text, and nothing raises."""
    low = start if start >= 0 else max(start + len(text), 0)
    high = end if end >= 0 else end + len(text)
    assert send(text, "substr", start, end) == "".join(c for i, c in enumerate(text) if low <= i <= high)


@given(st.text("ab,"), st.integers(1, 5))
def test_split_and_join_are_inverse(text, limit):
    """Nothing is lost, and there are never more parts than asked for."""
    parts = send(text, "split", ",", limit)
    assert len(parts) <= limit
    assert send(parts, "join", ",") == text
    assert send(text, "split", Regex(","), limit) == parts
