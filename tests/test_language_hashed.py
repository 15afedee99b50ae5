"""Hash maps and hash sets as the language has them: literals, keys of any kind, loops, equality."""

from __future__ import annotations

from enum import IntEnum, StrEnum

import pytest
from support import fails, output, value

from gene.runtime.hashed import HashMap, HashSet
from gene.runtime.text import inspect


def shown(text):
    """The value of a program as the REPL shows it."""
    return inspect(value(text))


def test_literals():
    """Keys and values alternate, and all of them are evaluated; the order stays."""
    assert shown('(var x 1) {{x (x + 1) "two" [x]}}') == '{{1 2 "two" [1]}}'
    assert shown("{{}}") == "{{}}"
    assert shown("#{{1 2}}") == "#{{1 2}}"
    assert fails("{{1 2 3}}") == "Expect value for the last key of the hash map"
    assert value("[(typeof {{}}) ({{}} is HashMap) (typeof (new HashSet))]") == ["HashMap", True, "HashSet"]


def test_kinds_of_keys():
    """Every value is a key; those that ``==`` tells apart are different keys."""
    text = "(var h {{nil 1 1.0 2 1 3 true 4 `s 5 \"s\" 6 [1] 7 {^a 1} 8 'c' 9 2024-01-01 10}})"
    keys = "[nil 1.0 1 true `s \"s\" [1] {^a 1} 'c' 2024-01-01]"
    assert value(f"{text} ({keys} .map (fn [k] (h .get k)))") == list(range(1, 11))


def test_instances_as_keys():
    """By identity, unless the class defines ``==``."""
    assert value(
        "(class P (ctor [/x])) (var p (new P 1)) (var h {{p 1}}) [(h .get p) (h .get (new P 1))]"
    ) == [1, None]
    equal = '(class P (ctor [/x]) (method "==" [o] ((o is P) && (/x == o/x))))'
    assert value(f"{equal} (var h {{{{(new P 1) 1}}}}) [(h .get (new P 1)) (h .get (new P 2))]") == [1, None]
    assert value(f"{equal} (var s (new HashSet (new P 1) (new P 1))) (s .size)") == 1


def test_enums_as_keys():
    """Variants by what they carry."""
    assert value(
        "(enum E a (b v)) (var h {{E/a 1 (E/b 2) 3}}) [(h .get E/a) (h .get (E/b 2)) (h .get (E/b 9))]"
    ) == [1, 3, None]


def test_methods_of_hash_maps():
    """Reading gives nil or a default for missing keys; changing gives the map or what was removed."""
    assert shown(
        '(var h {{1 "one"}}) [(h .get 1) (h .get 9) (h .get 9 0) (h .has 1) (h .contains 9) (h .size)]'
    ) == ('["one" nil 0 true false 1]')
    assert shown(
        "(var h {{1 2}}) [(h .set 3 4) (h .del 1) (h .delete 9) (h .keys) (h .values) (h .pairs)]"
    ) == ("[{{3 4}} 2 nil [3] [4] [[3 4]]]")
    assert value("(var h {{1 2}}) (h .clear) (h .empty?)") is True


def test_methods_of_hash_sets():
    """Sets have no duplicates, keep their order, and are combined by methods."""
    assert shown("(var s (new HashSet 1 2 2)) (s .add 3) [s (s .has 2) (s .size) (s .to_array)]") == (
        "[(HashSet 1 2 3) true 3 [1 2 3]]"
    )
    assert (
        shown(
            "(var a (new HashSet 1 2)) (var b (new HashSet 2 3)) [(a .union b) (a .intersect b) (a .diff b) (a .subset? b)]"
        )
        == "[(HashSet 1 2 3) (HashSet 2) (HashSet 1) false]"
    )


def test_loops():
    """One name gets the values of a map or the items of a set, two names keys with values."""
    assert output("(for v in {{1 2 3 4}} (println v))") == "2\n4\n"
    assert output("(for k v in {{1 2 3 4}} (println k v))") == "1 2\n3 4\n"
    assert output("(for x in (new HashSet 5 6) (println x))") == "5\n6\n"
    assert value("(var s (new HashSet 1 2)) [s... 3]") == [1, 2, 3]


def test_equality():
    """By contents, in any order."""
    assert value("[({{1 [2] 3 4}} == {{3 4 1 [2]}}) ({{1 2}} == {{1 3}}) ({{1 2}} == #{{1 2}})]") == [
        True,
        False,
        True,
    ]
    assert value("[((new HashSet 1 2) == (new HashSet 2 1)) ((new HashSet 1) == [1])]") == [True, False]


def test_paths_do_not_lead_into_hash_maps():
    """Keys of any kind need methods."""
    assert shown("(var h {{`a 1}}) h/a") == "void"
    assert fails("(var h {{1 2}}) (h/1 = 5)") == "Cannot set member on value of type: VkHashMap"


@pytest.mark.parametrize("change", ["(h .set 1 3)", "(h .del 1)", "(h .clear)"])
def test_frozen_hash_maps(change):
    """They refuse every change."""
    assert "sealed hash map" in fails(f"(var h #{{{{1 2}}}}) {change}")


def test_keys_of_mixed_kinds_stay_apart():
    """Numbers by kind, booleans, text, symbols, characters, nil, arrays and instances: each comes back as it was."""
    text = """
        (class Key (ctor [/id]) (method == [other] (/id == other/id)))
        (var k (new Key 1))
        (var h {{}})
        (var keys [1 1.0 true "1" `a "a" 'a' nil [1] [1.0] {^a 1} k -0.5 false 0])
        (for i key in keys (h .set key i))
        [(h .size) ((h .keys) == keys) (keys .map (fn [key] (h .get key)))
         (h .get (new Key 1)) (h .get 2 "none") (h .del 1.0) (h .has 1) (h .has 1.0) (h .size)]
    """
    assert value(text) == [15, True, [*range(15)], 11, "none", 1, True, False, 14]


def test_the_first_of_equal_keys_stays():
    """Entering an equal key changes the value only; sets keep the value that was there."""
    text = """
        (class Key (ctor [/id /note]) (method == [other] (/id == other/id)))
        (var h {{}}) (var s (new HashSet))
        (for note in ["old" "new"] (h .set (new Key 1 note) note) (s .add (new Key 1 note)))
        [((h .keys) .map (fn [k] k/note)) (h .values) ((s .to_array) .map (fn [k] k/note))]
    """
    assert value(text) == [["old"], ["new"], ["old"]]


def test_nan_as_a_key():
    """It equals nothing, so one that is computed anew finds nothing; the very same value is found."""
    text = """
        (fn nan [] ((1.0 / 0) - (1.0 / 0)))
        (var one (nan)) (var h {{}}) (h .set one "first") (h .set (nan) "second")
        [(h .size) (h .get one) (h .get (nan)) (h .values)]
    """
    assert value(text) == [2, "first", None, ["first", "second"]]


def test_keys_of_a_host_come_back_as_they_were():
    """What extends text or numbers equals these, and stays what it is where it came first."""
    level, word = IntEnum("Level", ["LOW"]).LOW, StrEnum("Word", ["YES"]).YES
    made = HashMap(level, "a", word, "b")
    made.set(1, "c")
    made.set(str(word), "d")
    assert [type(key) for key in made] == [type(level), type(word)]
    assert made.gene_items() == [(level, "c"), (word, "d")]
    assert HashMap(1, "a").get(level) == "a"
    assert level in HashSet(1)
    assert str(word) in HashSet(word)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("({{}} .get)", "HashMap.get requires a key"),
        ("({{}} .set 1)", "HashMap.set requires key and value"),
        ("({{}} .has)", "has requires an argument"),
        ("((new HashSet) .add)", "HashSet.add requires a value"),
        ("(#{{1 2}} .set 1 3)", "Cannot set item on sealed hash map"),
        ("((freeze (new HashSet 1)) .add 2)", "Cannot add to sealed hash set"),
    ],
)
def test_what_hashed_collections_refuse(call, message):
    """Missing arguments, and changes of what is frozen, whatever the kind of the key."""
    assert fails(call) == message
