"""gene/json: what is read, what is written, and what is refused."""

from __future__ import annotations

import json as python_json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gene.data.atoms import VOID, Char, PathSymbol, Symbol
from gene.data.forms import ArrayForm, Gene, MapForm
from gene.runtime.exceptions import ArgumentException, GeneException, ParseException, TypeException
from gene.runtime.ranges import Range
from gene.stdlib.json import MAX_C_DEPTH, parse, stringify

PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def nested(depth: int) -> list[object]:
    """An array around an array around an array …"""
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


def depth_of(value: object) -> int:
    depth = 0
    while value:
        value = value[0] if isinstance(value, list) else next(iter(value.values()))
        depth += 1
    return depth


@given(PLAIN)
@settings(max_examples=60)
def test_plain_data_survives_a_round_trip(value):
    """What stringify writes, parse reads back as the same value with the same types."""
    assert repr(parse(stringify(value))) == repr(value)


@given(PLAIN)
@settings(max_examples=50)
def test_python_reads_what_gene_writes(value):
    """The text is JSON for everyone else, too."""
    assert repr(python_json.loads(stringify(value))) == repr(value)


@given(st.lists(PLAIN, max_size=3))
@settings(max_examples=50)
def test_deep_and_shallow_paths_agree(value):
    """Data deep enough to leave the C code is written and read exactly like shallow data."""
    deep: object = value
    for _ in range(MAX_C_DEPTH + 5):
        deep = [deep]
    text = stringify(deep)
    assert text.strip("[]") == stringify(value).strip("[]")
    assert stringify(parse(text)) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"list": [1, 2.5, None, True, 'q"n\n']}, '{"list":[1,2.5,null,true,"q\\"n\\n"]}'),
        ("s", '"s"'),
        (None, "null"),
        (False, "false"),
        (1.0, "1.0"),
        (1e21, "1e+21"),
        (1e-8, "1e-8"),
        (1e16, "10000000000000000.0"),
        (0.0000001, "0.0000001"),
        (["-1e+21 is text: 5e-9", 2e-5], '["-1e+21 is text: 5e-9",0.00002]'),
        (-(2**63), "-9223372036854775808"),
        ([], "[]"),
        ({}, "{}"),
        ({"two words": {"a/b": 1}}, '{"two words":{"a/b":1}}'),
        ("é😀\x00\x1f\x7f/", '"é😀\\u0000\\u001f\x7f/"'),
        ("\ud83d x", '"\\ud83d x"'),
        ({"\udc00": 1e30}, '{"\\udc00":1e+30}'),
        (Symbol("sym"), '"sym"'),
        (PathSymbol(("a", "b")), '"a/b"'),
        (Char("c"), "\"'c'\""),
        (VOID, '"void"'),
        (Range(1, 2), '"1..2"'),
        (Gene(Symbol("f"), {"k": "v"}, [1, "x"]), '"(f ^k \\"v\\" 1 \\"x\\")"'),
        (stringify, '"VkNativeFn"'),
        ((1, 2), "[1,2]"),
        (ArrayForm([1, MapForm({"a": 2})]), '[1,{"a":2}]'),
    ],
    ids=repr,
)
def test_stringify(value, text):
    """Each value has its documented text, also inside an array and beside a number that needs care."""
    assert stringify(value) == text
    assert stringify([value]) == f"[{text}]"
    assert stringify([1e21, value]) == f"[1e+21,{text}]"


def test_numbers_keep_their_type():
    """Integers become Ints, everything with a point or an exponent becomes a Float."""
    values = parse("[3, 3.0, 3e0, -0, -0.0, 1E+2, 0.1]")
    assert repr(values) == "[3, 3.0, 3.0, 0, -0.0, 100.0, 0.1]"


def test_parse_documented_example():
    """Objects become maps, null becomes nil, escapes are resolved."""
    value = parse('{"n": 3, "f": 1.5, "l": [null, true, "\\u00e9"], "o": {}}')
    assert value == {"n": 3, "f": 1.5, "l": [None, True, "é"], "o": {}}


def test_the_last_of_repeated_keys_counts():
    """A key that is repeated has its last value, at the place of the first."""
    assert list(parse('{"a": 1, "b": 2, "a": 3}').items()) == [("a", 3), ("b", 2)]


def test_surrogates():
    """A pair of surrogates is one character; a lone one is kept, and written so that it reads back."""
    assert parse('"\\ud83d\\ude00"') == "😀"
    assert parse('"\\ud83d"') == "\ud83d"
    assert parse(stringify("\ud83d")) == "\ud83d"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{oops", "input(1, 2) Error: Expecting property name enclosed in double quotes"),
        ("", "input(1, 1) Error: Expecting value"),
        ("  \n ", "input(2, 2) Error: Expecting value"),
        ('["a" "b"]', "input(1, 6) Error: Expecting ',' delimiter"),
        ('{"a" 1}', "input(1, 6) Error: Expecting ':' delimiter"),
        ('{"a": 1,\n "b": }', "input(2, 7) Error: Expecting value"),
        ("[1, ]", "input(1, 3) Error: Illegal trailing comma before end of array"),
        ('{"a": 1,}', "input(1, 8) Error: Illegal trailing comma before end of object"),
        ("[1] x", "input(1, 5) Error: Extra data"),
        ("[1", "input(1, 3) Error: Expecting ',' delimiter"),
        ('"a\nb"', "input(1, 3) Error: Invalid control character at"),
        ("[1, NaN]", "input(1, 5) Error: NaN is not a JSON value"),
        ("-Infinity", "input(1, 1) Error: -Infinity is not a JSON value"),
        (
            '{"n":\n9223372036854775808}',
            "input(2, 1) Error: the integer 9223372036854775808 does not fit in 64 bits",
        ),
        (
            '["9223372036854775808", -9223372036854775809]',
            "input(1, 25) Error: the integer -9223372036854775809 does not fit in 64 bits",
        ),
        ("[" + "7" * 5000 + "]", f"input(1, 2) Error: the integer {'7' * 40}… does not fit in 64 bits"),
        ("1e400", "input(1, 1) Error: the number 1e400 does not fit in a 64-bit float"),
    ],
)
def test_parse_errors_say_where_and_why(text, message):
    """Every fault is reported with line, column and reason, the same from deep inside of other data."""
    with pytest.raises(ParseException) as caught:
        parse(text)
    assert caught.value.message.startswith(f"Invalid JSON: {message}")


@pytest.mark.parametrize(
    "text", ["{oops", "", '["a" "b"]', '{"a" 1}', "[1", '{"a": 1,}', "[1,]", "nul", "{1: 2}", '"a']
)
def test_deep_reader_reports_the_same_faults(text):
    """Beyond the depth of C code the message is the same, at a column further right."""
    with pytest.raises(ParseException) as shallow:
        parse(text)
    padding = "[" * (MAX_C_DEPTH + 1)
    with pytest.raises(ParseException) as deep:
        parse(padding + text)
    assert deep.value.message.partition("Error")[2] == shallow.value.message.partition("Error")[2]


@pytest.mark.parametrize("text", ["[1]]", "]", '{"a": [}', "[{]"])
def test_misplaced_brackets_are_errors_at_any_depth(text):
    """Brackets that do not match are refused."""
    for padding in ("", "[" * (MAX_C_DEPTH + 1)):
        with pytest.raises(ParseException, match=r"Invalid JSON"):
            parse(padding + text + "]" * len(padding) + ("]" if not padding else "]]"))


def test_numbers_at_the_limits_are_read():
    """The whole range of 64 bits and of doubles is readable, and long digits in strings are nobody's number."""
    text = '[9223372036854775807, -9223372036854775808, 1.7976931348623157e308, 1e-400, "1e400", "%s"]' % (
        "9" * 30
    )
    assert parse(text) == [2**63 - 1, -(2**63), 1.7976931348623157e308, 0.0, "1e400", "9" * 30]


@pytest.mark.parametrize("value", [None, 5, VOID, Symbol("x"), ["{}"], True])
def test_parse_expects_a_string(value):
    """Anything but a String is refused with the documented message."""
    with pytest.raises(ArgumentException, match=r"^json.parse expects a string$"):
        parse(value)


def test_missing_arguments():
    """A call without arguments says what is missing."""
    with pytest.raises(ArgumentException, match=r"json.parse expects a string"):
        parse()
    with pytest.raises(ArgumentException, match=r"json.stringify requires a value"):
        stringify()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_numbers_without_json_form_are_refused(value):
    """nan and the infinities have no JSON form, wherever they stand."""
    for around in (value, {"a": [1, value]}, [1e21, value]):
        with pytest.raises(ArgumentException, match=rf"json.stringify requires finite numbers, got {value}"):
            stringify(around)


def test_keys_of_another_kind_are_refused():
    """A host's dict whose keys are no strings is refused with the kind of the key."""
    with pytest.raises(TypeException, match=r"json.stringify requires String keys, got VkSymbol"):
        stringify([{Symbol("k"): 1}])
    with pytest.raises(TypeException, match=r"requires String keys, got VkChar"):
        stringify([1e21, {Char("k"): 1}])


def test_cycles_are_refused():
    """Data that contains itself is an error, even where every level doubles; shared data is none."""
    cyclic: list[object] = []
    cyclic += [cyclic, cyclic]
    mapped: dict[str, object] = {}
    mapped["self"] = [mapped]
    for value in (cyclic, mapped):
        with pytest.raises(
            ArgumentException, match=r"json.stringify requires data that does not contain itself"
        ):
            stringify(value)
    shared = [1]
    assert stringify([shared, shared, {"a": shared}]) == '[[1],[1],{"a":[1]}]'
    assert stringify([shared, shared, 1e21]) == "[[1],[1],1e+21]"


def test_any_depth_works_both_ways():
    """Data nested 100,000 deep is written and read."""
    text = stringify(nested(100_000))
    assert text == "[" * 100_001 + "]" * 100_001
    assert depth_of(parse(text)) == 100_000
    objects = '{"a":' * 50_000 + "1" + "}" * 50_000
    assert stringify(parse(objects)) == objects


def test_unclosed_depth_is_an_error():
    """Very many opening brackets are an error, no crash."""
    with pytest.raises(ParseException, match=r"input\(1, 200001\) Error: Expecting value"):
        parse("[" * 200_000)


def test_brackets_in_strings_do_not_hide_depth():
    """Closing brackets inside of strings do not make deep data look shallow."""
    text = '["]\\"]\\\\",' * 5_000 + "1" + "]" * 5_000
    assert stringify(parse(text)) == text


def test_wide_data_is_read_by_the_fast_path():
    """Thousands of brackets next to each other are no depth."""
    text = "[" + ",".join(['{"a":["]]][[","\\\\"]}'] * 10_000) + "]"
    assert stringify(parse(text)) == text


def test_errors_are_gene_exceptions():
    """What JSON raises can be caught by a Gene program."""
    with pytest.raises(GeneException):
        parse("[")
