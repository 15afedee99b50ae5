"""The text of results: one form for every kind of value, and no way to break the process."""

from __future__ import annotations

import collections
import dataclasses
import enum
import json
import pathlib
import sys
import threading
import tracemalloc
import typing
import uuid
from datetime import date, time, timedelta
from fractions import Fraction

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai_tools.serialization import NoJsonFormError, is_plain, register, to_jsonable, to_text, truncate


class Color(enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


@dataclasses.dataclass
class Point:
    unit: typing.ClassVar[str] = "m"
    x: int
    tags: list


@attrs.define
class City:
    name: str


class Pair(typing.NamedTuple):
    a: int
    b: int


class Own:
    def to_jsonable(self):
        return {"own": 1}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (date(2026, 1, 2), "2026-01-02"),
        (time(1, 2), "01:02:00"),
        (timedelta(minutes=1), "60.0"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (Fraction(1, 3), "1/3"),
        (pathlib.PurePosixPath("/a/b"), "/a/b"),
        (Color.RED, "red"),
        (Level.HIGH, "3"),
        ({Color.RED: 1}, '{"red":1}'),
        (Point(1, [Point(2, [])]), '{"x":1,"tags":[{"x":2,"tags":[]}]}'),
        (City("Rome"), '{"name":"Rome"}'),
        (Pair(1, 2), "[1,2]"),
        (Own(), '{"own":1}'),
        ({3, 1, 2}, "[1,2,3]"),
        ({"b", 1}, '["b",1]'),
        (frozenset(), "[]"),
        ((1, (2,)), "[1,[2]]"),
        (range(3), "[0,1,2]"),
        (map(str, [1]), '["1"]'),
        (collections.deque([1]), "[1]"),
        (collections.OrderedDict(b=1, a=2), '{"b":1,"a":2}'),
        ({1: "a", None: "b"}, '{"1":"a","null":"b"}'),
        ({True: "c"}, '{"true":"c"}'),
        ({1.5: 1}, '{"1.5":1}'),
        (ValueError("x"), '{"error":"ValueError: x"}'),
        (bytearray(b"ab"), "YWI="),
        ("\ud83d\ude00", "\U0001f600"),
        ("\ud800", "�"),
        ({"a": "\ud800"}, '{"a":"�"}'),
        ([float("nan"), 1], '["NaN",1]'),
    ],
    ids=lambda value: type(value).__name__,
)
def test_forms(value, text):
    """Each kind of value has its form."""
    assert to_text(value) == text


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": [0, {"b": object()}]}, "a[1].b is an object, which has no JSON form"),
        ({(1, 2): 3}, "the value has a key that is a tuple; keys are strings"),
        ({1: 1, "1": 2}, "the value has two keys that are both '1' in JSON"),
        (Point, "the value is a type, which has no JSON form"),
        (print, "the value is a builtin_function_or_method, which has no JSON form"),
        (threading.Lock(), "the value is a lock, which has no JSON form"),
        (10**5000, "the value cannot be written as JSON: Exceeds the limit"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_refusals(value, message):
    """A value without a form is refused with its place and kind, never its content."""
    with pytest.raises(NoJsonFormError) as caught:
        to_text(value)
    assert str(caught.value).startswith(message)


def test_cycles():
    """A value that contains itself is refused; one that contains a part twice is not."""
    cycle = {"a": []}
    cycle["a"].append(cycle)
    with pytest.raises(NoJsonFormError, match=r"a\[0\] contains itself"):
        to_text(cycle)
    part = [1]
    assert to_text([part, part]) == "[[1],[1]]"


@pytest.mark.parametrize("wrap", [lambda v: [v], lambda v: {"a": v}, lambda v: (v,)])
def test_depth(wrap):
    """A value that nests 100,000 deep is refused, also where the recursion limit was raised."""
    deep = 1
    for _ in range(100_000):
        deep = wrap(deep)
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000_000)
    try:
        with pytest.raises(NoJsonFormError, match="nested deeper than 200 levels"):
            to_text(deep)
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.parametrize(
    "value",
    [bytes(30_000_000), ["x" * 20_000_000] * 100, {"a": ["y" * 1_000_000] * 60}],
    ids=["bytes", "shared strings", "nested"],
)
def test_size_is_charged_before_copying(value):
    """A result of gigabytes of JSON is refused before any of it is built."""
    tracemalloc.start()
    try:
        with pytest.raises(NoJsonFormError, match="larger than the limit of 32,000,000 characters"):
            to_text(value)
        assert tracemalloc.get_traced_memory()[1] < 2_000_000
    finally:
        tracemalloc.stop()


def test_registered_kind():
    """Another package can teach the form of its own kinds, subclasses included."""

    class Symbol:
        def __init__(self, name):
            self.name = name

    class Special(Symbol):
        pass

    register(Symbol, lambda symbol: {"symbol": symbol.name})
    assert to_text([Symbol("a"), Special("b")]) == '[{"symbol":"a"},{"symbol":"b"}]'


texts = st.text(st.characters(codec="utf-8"))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner) | st.dictionaries(texts, inner),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None)
@given(json_values)
def test_plain_values_round_trip(value):
    """What consists of JSON kinds is written so that JSON reads it back."""
    assert is_plain(value)
    text = to_text(value)
    text.encode()
    assert (text if isinstance(value, str) else json.loads(text)) == value


@settings(max_examples=150, deadline=None)
@given(
    st.recursive(st.binary() | st.sets(st.integers()) | st.dates() | st.floats() | st.decimals(), st.lists)
)
def test_converted_values_are_plain(value):
    """Every converted value consists of JSON kinds, so JSON can always hold it."""
    assert is_plain(to_jsonable(value))
    json.dumps(to_jsonable(value), allow_nan=False)


def test_truncate():
    """A cut text keeps head and tail, and the marker counts what is missing."""
    assert truncate("abc", 3) == "abc"
    assert truncate("a" * 90 + "b" * 30, 40) == "a" * 30 + "\n… [80 of 120 characters omitted] …\n" + "b" * 10
    assert truncate("abcdef", 2).startswith("ab")
