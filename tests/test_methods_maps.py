"""The methods of maps, hash maps and hash sets."""

import pytest

from gene.data.atoms import PathSymbol, Symbol
from gene.runtime.classes import construct
from gene.runtime.equality import equal
from gene.runtime.exceptions import ArgumentException, GeneException
from gene.runtime.hashed import HASH_MAP, HASH_SET, FrozenHashMap, FrozenHashSet, HashMap, HashSet
from gene.runtime.methods import send
from gene.runtime.text import to_s


@pytest.mark.parametrize(
    ("method", "args", "result"),
    [
        ("get", ("a",), 1),
        ("get", (Symbol("a"),), 1),
        ("get", (PathSymbol(("x", "y")),), 3),
        ("get", ("b",), None),
        ("get", ("b", 0), 0),
        ("get", ("k", "default"), None),
        ("get", ("two words",), 2),
        ("has", ("k",), True),
        ("has", (Symbol("a"),), True),
        ("has", ("zz",), False),
        ("contains", ("a",), True),
        ("contains", ("b",), False),
        ("size", (), 4),
        ("empty?", (), False),
        ("not_empty?", (), True),
        ("keys", (), ["a", "k", "two words", "x/y"]),
        ("values", (), [1, None, 2, 3]),
        ("pairs", (), [["a", 1], ["k", None], ["two words", 2], ["x/y", 3]]),
        ("map", (lambda key, value: [key, value],), None),
        ("filter", (lambda _key, value: value and value > 1,), {"two words": 2, "x/y": 3}),
        ("reduce", (1, lambda acc, _key, value: acc + (value or 0)), 7),
        ("immutable?", (), False),
    ],
)
def test_what_methods_of_maps_answer(method, args, result):
    """Methods that only look answer what the language says; a stored nil is present."""
    entries = {"a": 1, "k": None, "two words": 2, "x/y": 3}
    answer = send(entries, method, *args)
    if method == "map":
        result = {key: [key, value] for key, value in entries.items()}
    assert answer == result
    assert type(answer) is type(result)
    assert len(entries) == 4


@pytest.mark.parametrize(
    ("method", "args", "result", "after"),
    [
        ("set", ("b", 2), "self", {"a": 1, "z": 0, "b": 2}),
        ("set", (Symbol("a"), None), "self", {"a": None, "z": 0}),
        ("del", ("a",), 1, {"z": 0}),
        ("del", ("a", "z"), 0, {}),
        ("del", ("z", "a", "no"), 1, {}),
        ("del", ("no",), None, {"a": 1, "z": 0}),
        ("merge", ({"q": 2},), "self", {"a": 1, "z": 0, "q": 2}),
        ("clear", (), "self", {}),
        ("each", (lambda _key, _value: 1,), "self", {"a": 1, "z": 0}),
    ],
)
def test_methods_that_change_the_map(method, args, result, after):
    """del answers the last value removed, the others the map itself."""
    entries = {"a": 1, "z": 0}
    answer = send(entries, method, *args)
    assert entries == after
    assert answer is entries if result == "self" else answer == result


@pytest.mark.parametrize(
    ("method", "args", "error", "message"),
    [
        ("get", (5,), GeneException, "Map.get key must be a string or symbol"),
        ("get", (), ArgumentException, "Map.get requires a key"),
        ("set", ("a",), ArgumentException, "Map.set expects key and value arguments"),
        ("set", (None, 1), GeneException, "Map.set key must be a string or symbol"),
        ("has", (5,), GeneException, "Map.has key must be a string or symbol"),
        ("contains", (5,), GeneException, "Map.contains key must be a string or symbol"),
        ("del", ("a", 5), GeneException, "Map.del key must be a string or symbol"),
        ("del", (), ArgumentException, "Map.del requires a key"),
        ("merge", ([1],), GeneException, "Map.merge argument must be a map"),
        ("merge", (), GeneException, "Map.merge argument must be a map"),
        ("reduce", (1,), ArgumentException, "Map.reduce requires an initial value and a reducer function"),
        *[
            (name, ("x",), GeneException, f"{name} callback must be a function, got VkString")
            for name in ("each", "map", "filter")
        ],
        ("length", (), GeneException, "Method length not found on VkMap"),
        ("a", (), GeneException, "Method a not found on VkMap"),
    ],
)
def test_wrong_calls_are_named(method, args, error, message):
    """What is missing or of the wrong kind is named, and nothing has changed."""
    entries = {"a": 1}
    with pytest.raises(GeneException) as caught:
        send(entries, method, *args)
    assert (type(caught.value), str(caught.value)) == (error, message)
    assert entries == {"a": 1}


@pytest.mark.parametrize("method", ["each", "map", "filter"])
def test_a_callback_may_change_the_map(method):
    """The callback runs for what was there at the start."""
    entries = {"a": 1, "b": 2}
    seen = []

    def change(key, _value):
        seen.append(key)
        entries[key + key] = 0
        return True

    send(entries, method, change)
    assert seen == ["a", "b"]


@pytest.mark.parametrize(
    ("method", "args", "result"),
    [
        ("get", ("s",), 1),
        ("get", ([3],), "arr"),
        ("get", (2.0,), None),
        ("get", ("none", 0), 0),
        ("has", ([3],), True),
        ("contains", (3,), False),
        ("size", (), 3),
        ("empty?", (), False),
        ("not_empty?", (), True),
        ("keys", (), ["s", 2, [3]]),
        ("values", (), [1, "two", "arr"]),
        ("pairs", (), [["s", 1], [2, "two"], [[3], "arr"]]),
        ("delete", ([3],), "arr"),
        ("del", ("none",), None),
    ],
)
def test_what_methods_of_hash_maps_answer(method, args, result):
    """Keys of any kind are found by Gene's equality."""
    assert send(HashMap("s", 1, 2, "two", [3], "arr"), method, *args) == result


def test_hash_maps_change_in_place():
    """set and clear answer the map; setting an equal key keeps the first key and its place."""
    table = HashMap([1], "a", 2, "b")
    assert send(table, "set", [1], "c") is table
    assert to_s(table) == '{{[1] "c" 2 "b"}}'
    assert send(table, "delete", [1]) == "c"
    assert send(table, "clear") is table
    assert len(table) == 0


def test_sets_hold_each_value_once():
    """add answers the set, delete the value, and set operations make new sets."""
    values = construct(HASH_SET, 1, 2, 2)
    assert to_s(values) == "(HashSet 1 2)"
    assert send(values, "size") == 2
    assert send(values, "add", 5) is values
    assert send(values, "delete", 1) == 1
    assert send(values, "delete", 1) is None
    assert send(values, "to_array") == [2, 5]
    assert send(values, "has", 2) is send(values, "contains", 2) is True
    assert to_s(send(values, "union", HashSet(2, "x"))) == '(HashSet 2 5 "x")'
    assert to_s(send(values, "intersect", HashSet(2, "x"))) == "(HashSet 2)"
    assert to_s(send(values, "diff", HashSet(2, "x"))) == "(HashSet 5)"
    assert send(HashSet(2), "subset?", values) is True
    assert send(values, "subset?", HashSet(2)) is False
    assert send(values, "not_empty?") is True
    assert send(send(values, "clear"), "empty?") is True


@pytest.mark.parametrize(
    ("value", "method", "args", "message"),
    [
        (HashMap(), "get", (), "HashMap.get requires a key"),
        (HashMap(), "set", (1,), "HashMap.set requires key and value"),
        (HashMap(), "has", (), "has requires an argument"),
        (HashSet(), "delete", (), "delete requires an argument"),
        (HashSet(), "add", (), "HashSet.add requires a value"),
        (HashSet(), "union", ([1],), "HashSet.union requires a HashSet, got VkArray"),
        (HashSet(), "subset?", (), "HashSet.subset? requires a HashSet, got nothing"),
    ],
)
def test_wrong_calls_of_hashed_collections_are_named(value, method, args, message):
    """What is missing or of the wrong kind is named."""
    with pytest.raises(ArgumentException) as caught:
        send(value, method, *args)
    assert str(caught.value) == message


def test_hash_maps_are_made_of_keys_and_values_in_turn():
    """A key without a value is an error."""
    assert construct(HASH_MAP, 1, 2).get(1) == 2
    with pytest.raises(ArgumentException, match="HashMap requires a value for every key"):
        construct(HASH_MAP, 1)


def test_frozen_hashed_collections_answer_what_only_looks():
    """They equal their changeable counterparts."""
    assert send(FrozenHashMap(1, 2), "get", 1) == 2
    assert equal(send(FrozenHashSet(1), "union", HashSet(2)), HashSet(1, 2))
    assert [send(each, "immutable?") for each in (FrozenHashMap(), FrozenHashSet(), HashMap(), HashSet())] == [
        True, True, False, False,
    ]  # fmt: skip
