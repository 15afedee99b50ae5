"""Equality and hash keys."""

import datetime as dt
import enum
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gene.data.atoms import NOT_FOUND, VOID, Char, PathSymbol, Symbol
from gene.data.forms import Gene
from gene.data.frozen import FrozenArray, FrozenMap
from gene.runtime.classes import ClassInfo, GeneClass, Instance
from gene.runtime.equality import equal, hash_key
from gene.runtime.hashed import FrozenHashMap, HashMap, HashSet
from gene.runtime.ranges import Range


class Color(enum.StrEnum):
    RED = "red"


def gene_class(name, **methods):
    info = ClassInfo(name)
    info.methods.update(methods)
    return GeneClass(name, (Instance,), {}, info=info)


EQUAL = [
    (1, 1),
    (1.5, 1.5),
    (0.0, -0.0),
    ("a", "a"),
    (True, True),
    (None, None),
    (VOID, VOID),
    (NOT_FOUND, NOT_FOUND),
    (Symbol("a"), Symbol("a")),
    (PathSymbol(("a", "b")), PathSymbol(("a", "b"))),
    (Char("a"), Char("a")),
    ([1, [2, "x"]], [1, [2, "x"]]),
    ({"a": [1], "b": 2}, {"b": 2, "a": [1]}),
    ([1], FrozenArray([1])),
    ({"a": 1}, FrozenMap({"a": 1})),
    (HashMap(1, [2], "k", 3), HashMap("k", 3, 1, [2])),
    (HashMap(1, 2), FrozenHashMap(1, 2)),
    (HashSet(1, [2]), HashSet([2], 1)),
    (len, len),
    (Color.RED, "red"),
    ("red", Color.RED),
]

DIFFERENT = [
    (1, 1.0),
    (True, 1),
    (0, False),
    (1.0, True),
    ("1", 1),
    ("a", Symbol("a")),
    ("a", Char("a")),
    (Symbol("a"), PathSymbol(("a",))),
    (None, False),
    (None, VOID),
    (False, VOID),
    ([1], [1.0]),
    ([1], [1, 2]),
    ([1], (1,)),
    ([], {}),
    ({"a": 1}, {"a": 2}),
    ({"a": 1}, {"b": 1}),
    ({"a": None}, {}),
    (HashMap(1, 2), HashMap(1.0, 2)),
    (HashMap(1, 2), HashMap(1, 3)),
    (HashMap(1, 2), HashSet(1)),
    (HashSet(1), HashSet(1, 2)),
    (Gene(1), Gene(1)),
    (Range(0, 3), Range(0, 3)),
    (lambda: 1, lambda: 1),
    (math.nan, math.nan),
    (Color.RED, 1),
]


@pytest.mark.parametrize(("a", "b"), EQUAL)
def test_values_that_are_equal(a, b):
    """Kinds with a value compare by it, containers by content; equal values are the same key."""
    assert equal(a, b) is True
    assert equal(b, a) is True
    assert hash_key(a) == hash_key(b)
    assert hash(hash_key(a)) == hash(hash_key(b))


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_values_that_differ(a, b):
    """Kinds never mix, and the rest compares by identity; different values are different keys."""
    assert equal(a, b) is False
    assert equal(b, a) is False
    if a is not b:
        assert hash_key(a) != hash_key(b)


def test_identity_counts_for_genes_ranges_and_instances():
    """Each of them equals itself."""
    for value in (Gene(1), Range(0, 1), gene_class("Plain")(), len):
        assert equal(value, value)
        assert hash_key(value) == hash_key(value)


def test_instances_are_equal_as_their_class_says():
    """A method == decides, and its answer counts by truthiness; also inside containers and as keys."""
    sized = gene_class("Sized", **{"==": lambda self, other: self.size == other.size or None})
    a, b, c = sized(), sized(), sized()
    a.size, b.size, c.size = 1, 1, 2
    assert equal(a, b)
    assert not equal(a, c)
    assert equal([a], [b])
    assert hash_key(a) == hash_key(b)
    assert HashMap(a, "x").get(b) == "x"


def test_an_error_in_a_user_defined_equality_passes_through():
    """Nothing is swallowed on the way."""
    broken = gene_class("Broken", **{"==": lambda _self, _other: 1 // 0})
    with pytest.raises(ZeroDivisionError):
        equal([broken()], [broken()])


def test_containers_that_contain_themselves_compare():
    """Two cycles of the same shape are equal."""
    a, b, c = [1], [1], [1, 2]
    a.append(a)
    b.append(b)
    c.append(c)
    assert equal(a, b)
    assert not equal(a, c)
    assert hash_key(a) == hash_key(b)


def test_deep_containers_compare():
    """Nesting is not limited by the stack."""
    a = b = 1
    for _ in range(100_000):
        a, b = [a], [b]
    assert equal(a, b)
    assert hash_key(a) == hash_key(b)
    assert not equal(a, [b])


def test_dates_of_a_host_compare_by_value():
    """A host's values compare as the host defines it, but only among themselves."""
    assert equal(dt.timedelta(1), dt.timedelta(days=1))
    assert not equal(dt.timedelta(1), 1)


def test_an_unhashable_value_of_a_host_can_be_a_key():
    """What Python cannot hash is found by equality alone."""
    table = HashMap({1, 2}, "set")
    assert table.get({2, 1}) == "set"


DATA = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.floats(0, 2, width=16) | st.text("ab", max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=1), inner, max_size=3),
    max_leaves=8,
)


@given(DATA, DATA)
def test_keys_agree_with_equality(a, b):
    """Two values are the same key exactly when they are equal."""
    assert (hash_key(a) == hash_key(b)) is equal(a, b)
    if equal(a, b):
        assert hash(hash_key(a)) == hash(hash_key(b))
