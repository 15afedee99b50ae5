"""Frozen collections and freeze."""

import copy
import pickle

import pytest

from gene.data.atoms import Symbol
from gene.data.forms import Gene
from gene.data.frozen import FrozenArray, FrozenMap
from gene.runtime.classes import ClassInfo, GeneClass, Instance
from gene.runtime.exceptions import GeneException, TypeException
from gene.runtime.freezing import freeze
from gene.runtime.hashed import FrozenHashMap, FrozenHashSet, HashMap, HashSet
from gene.runtime.methods import send
from gene.runtime.text import to_s

ARRAY = FrozenArray([1, 2])
MAP = FrozenMap({"k": 1})


@pytest.mark.parametrize(
    ("value", "method", "args", "message"),
    [
        (ARRAY, "append", (3,), "Cannot append to sealed array"),
        (ARRAY, "add", (3,), "Cannot append to sealed array"),
        (ARRAY, "push", (3,), "Cannot append to sealed array"),
        (ARRAY, "set", (0, 3), "Cannot set item on sealed array"),
        (ARRAY, "pop", (), "Cannot remove from sealed array"),
        (ARRAY, "del", (0,), "Cannot remove from sealed array"),
        (ARRAY, "clear", (), "Cannot clear sealed array"),
        (MAP, "set", ("z", 1), "Cannot set item on sealed map"),
        (MAP, "merge", ({"z": 1},), "Cannot set item on sealed map"),
        (MAP, "del", ("k",), "Cannot remove from sealed map"),
        (MAP, "clear", (), "Cannot clear sealed map"),
        (FrozenHashMap(1, 2), "set", (1, 3), "Cannot set item on sealed hash map"),
        (FrozenHashMap(1, 2), "delete", (1,), "Cannot remove from sealed hash map"),
        (FrozenHashMap(1, 2), "clear", (), "Cannot clear sealed hash map"),
        (FrozenHashSet(1), "add", (2,), "Cannot add to sealed hash set"),
        (FrozenHashSet(1), "delete", (1,), "Cannot remove from sealed hash set"),
        (FrozenHashSet(1), "clear", (), "Cannot clear sealed hash set"),
    ],
)
def test_methods_that_change_are_refused(value, method, args, message):
    """A frozen collection names what was tried, and stays as it was."""
    before = to_s(value)
    with pytest.raises(GeneException) as caught:
        send(value, method, *args)
    assert str(caught.value) == message
    assert to_s(value) == before


@pytest.mark.parametrize(
    "change",
    [
        lambda: ARRAY.append(1),
        lambda: ARRAY.extend([1]),
        lambda: ARRAY.insert(0, 1),
        lambda: ARRAY.remove(1),
        ARRAY.sort,
        ARRAY.reverse,
        lambda: ARRAY.__setitem__(0, 1),
        lambda: ARRAY.__delitem__(0),
        lambda: ARRAY.__iadd__([1]),
        lambda: ARRAY.__imul__(2),
        lambda: MAP.__setitem__("k", 2),
        lambda: MAP.__delitem__("k"),
        lambda: MAP.update(k=2),
        lambda: MAP.setdefault("z", 2),
        MAP.popitem,
        lambda: MAP.__ior__({"z": 1}),
    ],
)
def test_python_cannot_change_them_either(change):
    """Every mutating method of list and dict is refused."""
    with pytest.raises(GeneException, match="sealed"):
        change()
    assert (ARRAY, MAP) == ([1, 2], {"k": 1})


def test_methods_that_only_read_work():
    """A frozen collection answers every method of its kind; what they make is not frozen."""
    mapped = send(ARRAY, "map", lambda x: x + 1)
    assert (mapped, type(mapped)) == ([2, 3], list)
    assert type(send(ARRAY, "slice", 0)) is list
    assert send(MAP, "get", "k") == 1
    assert send(ARRAY, "immutable?") is send(MAP, "immutable?") is True
    assert send([], "immutable?") is send({}, "immutable?") is False


def test_they_can_be_copied_and_pickled():
    """A copy is frozen as well."""
    for value in (ARRAY, MAP):
        for made in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
            assert made == value
            assert type(made) is type(value)


def test_freeze_is_deep():
    """Everything inside is frozen too, and the original stays changeable."""
    source = {"list": [1, [2]], "map": {"a": {}}, "gene": Gene(Symbol("f"), {"p": [1]}, [[2]])}
    source["hash"] = HashMap([1], [2], "s", HashSet([3]))
    frozen = freeze(source)
    assert to_s(frozen) == (
        '#{^list #[1 #[2]] ^map #{^a #{}} ^gene #(f ^p #[1] #[2]) ^hash #{{#[1] #[2] "s" #(HashSet #[3])}}}'
    )
    assert frozen["hash"].get([1]) == [2]
    source["list"][1].append(3)
    assert frozen["list"] == [1, [2]]


def test_freeze_keeps_sharing_and_cycles():
    """What was one object stays one object."""
    shared = ["s"]
    array = [shared, shared]
    array.append(array)
    frozen = freeze(array)
    assert frozen[0] is frozen[1]
    assert frozen[2] is frozen


def test_freeze_tells_keys_apart_that_share_their_beginning():
    """Keys are complete before they are entered."""
    table = HashMap([*range(100), "a"], 1, [*range(100), "b"], 2)
    frozen = freeze([table, [*range(100), "a"]])
    assert len(frozen[0]) == 2
    assert frozen[0].get(frozen[1]) == 1


def test_freeze_handles_deep_data():
    """Nesting is not limited by the stack."""
    deep = []
    for _ in range(50_000):
        deep = [deep]
    assert type(freeze(deep)) is FrozenArray


def test_freeze_leaves_what_never_changes():
    """Atoms and functions are returned as they are; the gene of a frozen literal is frozen deeply."""
    for value in (1, "s", None, len, Symbol("x")):
        assert freeze(value) is value
    assert to_s(freeze(FrozenArray([[1]]))) == "#[#[1]]"


def test_freeze_refuses_what_would_stay_changeable():
    """An instance has no frozen form."""
    point = GeneClass("Point", (Instance,), {}, info=ClassInfo("Point"))()
    with pytest.raises(TypeException, match="Cannot freeze Point: only data can be frozen"):
        freeze([point])
    with pytest.raises(TypeException, match="Cannot freeze VkForeign"):
        freeze([object()])


def test_a_frozen_gene_refuses_changes():
    """Its properties and children cannot be changed, nor the collections that it hands out."""
    gene = Gene(Symbol("f"), {"k": 1}, [1], frozen=True)
    for method, args in [
        ("set", ("k", 2)),
        ("del", ("k",)),
        ("add_child", (2,)),
        ("set_child", (0, 2)),
        ("ins_child", (0, 2)),
        ("del_child", (0,)),
        ("set_genetype", (1,)),
    ]:
        with pytest.raises(GeneException, match="Cannot set item on sealed gene"):
            send(gene, method, *args)
    with pytest.raises(GeneException, match="sealed array"):
        send(gene, "children").append(1)
    with pytest.raises(GeneException, match="sealed map"):
        send(gene, "props")["z"] = 1
    assert to_s(gene) == "#(f ^k 1 1)"
