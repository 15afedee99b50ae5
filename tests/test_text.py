"""How values print."""

import enum
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gene.data.atoms import NOT_FOUND, VOID, Char, PathSymbol, Symbol
from gene.data.forms import ArrayForm, Gene, Quote, Unquote
from gene.data.frozen import FrozenArray, FrozenMap
from gene.data.kinds import STRING
from gene.reader import read_one
from gene.runtime.classes import ClassInfo, GeneClass, Instance
from gene.runtime.equality import equal
from gene.runtime.hashed import FrozenHashMap, FrozenHashSet, HashMap, HashSet
from gene.runtime.iteration import Generator
from gene.runtime.namespaces import Namespace
from gene.runtime.ranges import Range
from gene.runtime.text import display, format_float, inspect, interpolate, to_s

Point = GeneClass("Point", (Instance,), {}, info=ClassInfo("Point"))
GENE_FUNCTION = eval("lambda x: x", {"__builtins__": {"%gene": 1}})


@pytest.mark.parametrize(
    ("value", "shown", "text", "inside", "inspected"),
    [
        (None, "nil", "", "nil", "nil"),
        (VOID, "void", "void", "void", "void"),
        (NOT_FOUND, "not_found", "not_found", "not_found", "not_found"),
        (True, "true", "true", "true", "true"),
        (False, "false", "false", "false", "false"),
        (7, "7", "7", "7", "7"),
        (5.0, "5.0", "5.0", "5.0", "5.0"),
        ('a"b', 'a"b', 'a"b', 'a"b', '"a\\"b"'),
        (Char("q"), "q", "'q'", "q", "'q'"),
        (Char("'"), "'", "'''", "'", "'\\''"),
        (Char("\n"), "\n", "'\n'", "\n", "'\\n'"),
        (Symbol("sym"), "sym", "sym", "sym", "sym"),
        (PathSymbol(("a", "b")), "a/b", "a/b", "a/b", "a/b"),
        (["a", 1, None], "[a 1 nil]", '["a" 1 nil]', '["a" 1 nil]', '["a" 1 nil]'),
        (['"'], '["]', '["""]', '["""]', '["\\""]'),
        ([Char("c")], "[c]", "['c']", "['c']", "['c']"),
        ([], "[]", "[]", "[]", "[]"),
        ({}, "{}", "{}", "{}", "{}"),
        ({"k": "v", "j": [1]}, "{^k v ^j [1]}", '{^k "v" ^j [1]}', '{^k "v" ^j [1]}', '{^k "v" ^j [1]}'),
        (
            HashMap("k", 1, [2], "x"),
            "{{k 1 [2] x}}",
            '{{"k" 1 [2] "x"}}',
            '{{"k" 1 [2] "x"}}',
            '{{"k" 1 [2] "x"}}',
        ),
        (HashMap(), "{{}}", "{{}}", "{{}}", "{{}}"),
        (HashSet(1, "a"), "(HashSet 1 a)", '(HashSet 1 "a")', '(HashSet 1 "a")', '(HashSet 1 "a")'),
        (FrozenArray([1]), "#[1]", "#[1]", "#[1]", "#[1]"),
        (FrozenMap({"k": 1}), "#{^k 1}", "#{^k 1}", "#{^k 1}", "#{^k 1}"),
        (FrozenHashMap(1, 2), "#{{1 2}}", "#{{1 2}}", "#{{1 2}}", "#{{1 2}}"),
        (FrozenHashSet(1), "#(HashSet 1)", "#(HashSet 1)", "#(HashSet 1)", "#(HashSet 1)"),
        (Gene(), "(nil)", "(nil)", "(nil)", "(nil)"),
        (Gene(Symbol("f"), frozen=True), "#(f)", "#(f)", "#(f)", "#(f)"),
        (Range(0, 3), "0..3", "0..3", "0..3", "0..3"),
        (Range(1, 9, 4), "1..9 step 4", "1..9 step 4", "1..9 step 4", "1..9 step 4"),
        (GENE_FUNCTION, "VkFunction", "VkFunction", "VkFunction", "VkFunction"),
        (len, "VkNativeFn", "VkNativeFn", "VkNativeFn", "VkNativeFn"),
        (display, "VkNativeFn", "VkNativeFn", "VkNativeFn", "VkNativeFn"),
        (STRING, "VkClass", "VkClass", "VkClass", "VkClass"),
        (Point, "VkClass", "VkClass", "VkClass", "VkClass"),
        (Point.__new__(Point), "VkInstance", "VkInstance", "VkInstance", "VkInstance"),
        (Namespace("n"), "VkNamespace", "VkNamespace", "VkNamespace", "VkNamespace"),
        (Generator(()), "VkGenerator", "VkGenerator", "VkGenerator", "VkGenerator"),
        (object(), "VkForeign", "VkForeign", "VkForeign", "VkForeign"),
    ],
)
def test_each_kind_prints_in_four_ways(value, shown, text, inside, inspected):
    """println, to_s, interpolation and the REPL show each kind as the language table says."""
    assert (display(value), to_s(value), interpolate(value), inspect(value)) == (
        shown,
        text,
        inside,
        inspected,
    )


def test_a_gene_quotes_strings_even_in_println():
    """Strings and characters inside a gene are quoted, also in containers around and inside it."""
    gene = Gene(Symbol("f"), {"k": "v"}, ["c", 1, ["d", Char("e")]])
    assert display(gene) == '(f ^k "v" "c" 1 ["d" \'e\'])'
    assert display(["s", gene, "t"]) == '[s (f ^k "v" "c" 1 ["d" \'e\']) t]'


def test_quotes_and_unquotes_print_as_they_are_written():
    """A quoted datum that is data itself keeps its mark."""
    assert (
        display([Quote(Symbol("x")), Unquote(Symbol("y")), Unquote(Symbol("z"), discard=True)])
        == "[`x %y %_z]"
    )


def test_a_literal_read_as_frozen_prints_frozen():
    """An array form says itself whether it is frozen, and may not say anything."""
    form = ArrayForm([1])
    assert display(form) == "[1]"
    form.frozen = True
    assert display(form) == "#[1]"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.1, "0.1"),
        (0.1 + 0.2, "0.30000000000000004"),
        (10 / 3, "3.3333333333333335"),
        (1e16, "10000000000000000.0"),
        (-1.5e16, "-15000000000000000.0"),
        (12345678901234567.0, "12345678901234568.0"),
        (1e17, "1e+17"),
        (1e20, "1e+20"),
        (1.25e300, "1.25e+300"),
        (3e-5, "0.00003"),
        (2.5e-7, "0.00000025"),
        (-1e-7, "-0.0000001"),
        (1e-8, "1e-8"),
        (1.5e-300, "1.5e-300"),
        (123456789.125, "123456789.125"),
        (-0.0, "-0.0"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (math.nan, "nan"),
    ],
)
def test_floats_print_their_shortest_form(number, text):
    """Floats are plain while the exponent lies between -7 and 16, and never padded."""
    assert format_float(number) == text


@given(st.floats(allow_nan=False))
def test_a_printed_float_reads_back(number):
    """No digit is lost."""
    assert float(format_float(number)) == number


def test_data_that_contains_itself_prints():
    """A cycle prints as three dots in its own brackets."""
    array = [1]
    array.append({"self": array})
    gene = Gene(Symbol("g"))
    gene.children.append(gene)
    table = HashMap()
    table.set("t", table)
    assert display(array) == "[1 {^self [...]}]"
    assert display([gene, table]) == "[(g (...)) {{t {{...}}}}]"


def test_a_value_met_twice_is_no_cycle():
    """Only what stands inside itself is cut short."""
    shared = ["x"]
    assert display([shared, shared]) == "[[x] [x]]"


def test_deep_data_prints():
    """Nesting is not limited by the stack."""
    deep = "x"
    for _ in range(100_000):
        deep = [deep]
    assert to_s(deep) == "[" * 100_000 + '"x"' + "]" * 100_000


def test_a_user_defined_to_s_is_never_called():
    """Printing an instance runs no code of its class."""
    info = ClassInfo("Loud")
    info.methods["to_s"] = lambda _self: pytest.fail("called")
    loud = GeneClass("Loud", (Instance,), {}, info=info)
    assert display([loud.__new__(loud)]) == "[VkInstance]"


def test_subclasses_of_a_host_print_as_what_they_extend():
    """An enumeration member that is a string, a number or a list prints as one."""

    class Color(enum.StrEnum):
        RED = "red"

    class Level(enum.IntEnum):
        LOW = 1

    assert [display(Color.RED), to_s(Color.RED), interpolate(Color.RED), inspect(Color.RED)] == [
        "red"
    ] * 3 + ['"red"']
    assert display([Color.RED, Level.LOW]) == "[red 1]"
    assert to_s([Color.RED]) == '["red"]'


def test_a_number_of_a_host_with_too_many_digits_prints():
    """Python refuses to convert huge numbers to decimal digits; printing does not."""
    assert to_s(10**5000).startswith("0x")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("tab\t nl\n cr\r bs\b ff\f \\ \x00 \x7f", '"tab\\t nl\\n cr\\r bs\\b ff\\f \\\\ \\u0000 \\u007f"'),
        ("é😀", '"é😀"'),
        ("\ud800", '"\\ud800"'),
        (
            {"two words": 1, "a/b": 2, "!x": 3, "a^b": 4, "...": 5},
            "{^two\\ words 1 ^a/b 2 ^\\!x 3 ^a\\^b 4 ^\\... 5}",
        ),
    ],
)
def test_what_the_repl_shows_reads_back(value, text):
    """Strings and keys are escaped where the reader needs it."""
    assert inspect(value) == text


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.builds(Char, st.characters()),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text(), inner) | st.builds(Gene, inner, children=st.lists(inner))
    ),
)


@given(VALUES)
def test_printing_never_fails(value):
    """Every data prints, in every way, as a string."""
    assert {type(way(value)) for way in (display, to_s, interpolate, inspect)} == {str}


KEYS = st.text(min_size=1).filter(lambda key: not key.endswith("^"))
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
)


@given(JSON)
def test_inspected_data_reads_back(value):
    """JSON-shaped data that the REPL shows can be pasted back, whatever its strings and keys are.

    The empty key has no literal in the language; a caret at the end of a key is not read back yet.
    """
    assert equal(read_one(inspect(value)), value)
