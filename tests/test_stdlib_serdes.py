"""Data as Gene text and as tagged JSON, both ways; gene/parse; the clock's dates."""

from __future__ import annotations

import json as python_json
import time
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gene.data import temporal
from gene.data.atoms import NOT_FOUND, VOID, Char, PathSymbol, Symbol
from gene.data.forms import Gene, Quote
from gene.data.frozen import FrozenArray, FrozenMap
from gene.data.octets import Octets
from gene.data.regex import Regex
from gene.runtime.exceptions import (
    ArgumentException,
    GeneException,
    IOException,
    ParseException,
    TypeException,
)
from gene.runtime.hashed import HashMap, HashSet
from gene.runtime.methods import send
from gene.runtime.ranges import Range
from gene.runtime.text import inspect
from gene.stdlib import clock, json_tags, serdes

ATOMS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.sampled_from(
        [VOID, NOT_FOUND, Symbol("a-b?"), PathSymbol(("a", "b")), Char("q"), Char("\n"), Char("'")]
    )
    | st.sampled_from(
        [
            temporal.parse("2024-02-03"),
            temporal.parse("09:30:15.25Z"),
            temporal.parse("2024-02-03T09:30+05:30"),
        ]
    )
    | st.binary().map(Octets)
)
KEYS = st.text(st.sampled_from("abc-é_1"), min_size=1)
DATA = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner)
        | st.dictionaries(KEYS, inner)
        | st.lists(st.tuples(inner, inner), max_size=2).map(
            lambda items: HashMap(*[part for pair in items for part in pair])
        )
        | st.builds(
            lambda props, children: Gene(Symbol("f"), props, children),
            st.dictionaries(KEYS, inner),
            st.lists(inner),
        )
    ),
    max_leaves=12,
)


def same(a, b):
    """Whether two values are the same data; genes are compared by their text, since they equal by identity."""
    return inspect(a) == inspect(b) and type(a) is type(b)


@given(DATA)
@settings(max_examples=150, deadline=None)
def test_gene_text_round_trip(value):
    """Every kind of data survives being written as Gene text."""
    assert same(serdes.deserialize(serdes.serialize(value)), value)


@given(DATA)
@settings(max_examples=150, deadline=None)
def test_json_round_trip(value):
    """Every kind of data survives being written as tagged JSON, and the text is JSON for everyone."""
    text = json_tags.serialize(value)
    python_json.loads(text)
    assert same(json_tags.deserialize(text), value)


def test_json_tags():
    """What JSON has a form for is plain; the rest carries the tag, as does text that looks like it."""
    value = [1, "x", None, {"k": Symbol("s")}, "#GENE#x", VOID, Char("c"), Gene(Symbol("f"), {"p": "v"}, [1])]
    text = json_tags.serialize(value)
    assert text == (
        '[1,"x",null,{"k":"#GENE#s"},"#GENE#\\"#GENE#x\\"","#GENE#void","#GENE#\'c\'","#GENE#(f ^p \\"v\\" 1)"]'
    )
    assert same(json_tags.deserialize(text), value)


def test_regular_expressions_and_frozen_data():
    """Regular expressions keep pattern and flags, frozen collections stay frozen in Gene text."""
    back = serdes.deserialize(
        serdes.serialize([Regex(r"\d+/x", "i"), FrozenArray([1]), FrozenMap({"a": [1]})])
    )
    assert (back[0].pattern, back[0].flags) == (r"\d+/x", "i")
    assert type(back[1]) is FrozenArray
    assert type(back[2]) is FrozenMap
    assert type(back[2]["a"]) is list


@pytest.mark.parametrize(
    ("value", "tag"),
    [
        (len, "VkFunction"),
        (Range(0, 1), "VkRange"),
        (HashSet(1), "VkHashSet"),
        (GeneException("x"), "VkInstance"),
    ],
)
def test_what_is_no_data_is_refused(value, tag):
    """Values that would not come back are errors, at any depth."""
    for around in (value, [{"a": value}], Gene(Symbol("f"), None, [value]), HashMap("k", value)):
        for write in (serdes.serialize, json_tags.serialize):
            with pytest.raises(TypeException, match=rf"Cannot serialize {tag}: only data can be read back"):
                write(around)


@pytest.mark.parametrize("write", [serdes.serialize, json_tags.serialize])
def test_cycles_and_numbers_without_literal_are_refused(write):
    """Data that contains itself, nan and the infinities cannot be written."""
    cyclic = [1]
    cyclic.append({"again": cyclic})
    gene = Gene(Symbol("f"))
    gene.children.append(gene)
    for value in (cyclic, gene, [gene]):
        with pytest.raises(ArgumentException, match=r"requires data that does not contain itself"):
            write(value)
    for number in (float("nan"), float("inf")):
        with pytest.raises(ArgumentException, match=rf"requires finite numbers, got {number}"):
            write([number])
    shared = [1]
    assert write([shared, shared])
    with pytest.raises(ArgumentException, match=r"serialize requires a value"):
        write()


def test_depth():
    """Deep data is no trouble for tagged JSON."""
    value: list[object] = [Symbol("core")]
    for _ in range(20_000):
        value = [value]
    back = json_tags.deserialize(json_tags.serialize(value))
    for _ in range(20_000):
        back = back[0]
    assert back == [Symbol("core")]


def test_trees_in_files(tmp_path):
    """A value is kept in a file and read back; a failed write leaves the old value and no litter."""
    path = str(tmp_path / "tree")
    value = {"a": [1, Symbol("s")], "b": "é"}
    assert serdes.write_tree(path, value) is None
    assert serdes.read_tree(path) == value
    with pytest.raises(TypeException):
        serdes.write_tree(path, [len])
    with pytest.raises(IOException, match=r"Failed to write file '.*/no/tree': cannot open"):
        serdes.write_tree(str(tmp_path / "no" / "tree"), 1)
    (tmp_path / "directory").mkdir()
    with pytest.raises(IOException, match=r"Failed to write file"):
        serdes.write_tree(str(tmp_path / "directory"), 1)
    assert serdes.read_tree(path) == value
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["directory", "tree"]
    with pytest.raises(IOException, match=r"Failed to read file"):
        serdes.read_tree(str(tmp_path / "nope"))


def test_tree_arguments():
    """Paths are Strings, and there must be a value."""
    for name, function in (("write_tree", serdes.write_tree), ("read_tree", serdes.read_tree)):
        with pytest.raises(ArgumentException, match=rf"serdes.{name} requires a string path"):
            function(5)
    with pytest.raises(ArgumentException, match=r"serdes.write_tree requires path and value"):
        serdes.write_tree("x")


def test_parse():
    """The first datum of a text comes back as data: plain arrays and maps, genes, symbols."""
    value = serdes.parse("[1 {^a b} (f ^k 1 'c') {{1 2}} `x] ignored")
    assert type(value) is list
    assert type(value[1]) is dict
    assert type(value[3]) is HashMap
    assert type(value[4]) is Quote
    assert inspect(value) == "[1 {^a b} (f ^k 1 'c') {{1 2}} `x]"
    assert serdes.parse("a b") == Symbol("a")


@pytest.mark.parametrize("text", ["(f", "", "[1 }", "5px"])
def test_parse_faults(text):
    """What is no Gene text is an exception that a program can catch."""
    for read in (serdes.parse, serdes.deserialize):
        with pytest.raises(ParseException):
            read(text)
    with pytest.raises(ParseException):
        json_tags.deserialize(python_json.dumps(f"#GENE#{text}"))


def test_text_is_required():
    """Only Strings are read."""
    with pytest.raises(ArgumentException, match=r"^parse requires a string$"):
        serdes.parse(5)
    with pytest.raises(ArgumentException, match=r"^serdes.deserialize requires a string$"):
        serdes.deserialize(None)
    with pytest.raises(ArgumentException, match=r"^json.deserialize expects a string$"):
        json_tags.deserialize([])


def test_now():
    """``(gene/now)`` is a date-time whose ``to_i`` counts milliseconds."""
    moment = clock.now()
    assert type(moment) is temporal.DateTime
    assert abs(send(moment, "to_i") / 1000 - time.time()) < 3
    assert send(moment, "offset") is not None
    assert same(serdes.deserialize(serdes.serialize(moment)), moment)


def test_days():
    """Yesterday, today and tomorrow follow each other."""
    days = [clock.yesterday(), clock.today(), clock.tomorrow()]
    assert all(type(day) is temporal.Date for day in days)
    assert days[0] < days[1] < days[2]
    assert days[2].value - days[0].value == timedelta(days=2)
    assert abs(days[1].value - datetime.now().astimezone().date()) <= timedelta(days=1)
