"""Deep copies of messages."""

from __future__ import annotations

import pytest

from gene.data.forms import Gene
from gene.data.frozen import FrozenArray, FrozenMap
from gene.interpreter import Interpreter
from gene.runtime.copying import copied
from gene.runtime.equality import equal
from gene.runtime.exceptions import GeneException
from gene.runtime.freezing import freeze
from gene.runtime.hashed import HashMap, HashSet
from gene.runtime.text import inspect


def evaluated(text):
    return Interpreter().eval(text)


@pytest.mark.parametrize(
    "item", [1, 2.5, "text", True, None, len, freeze([1, {"a": [2]}]), GeneException("x")]
)
def test_what_does_not_change_is_shared(item):
    """Atoms, functions, exceptions and what is frozen all the way down are not copied."""
    assert copied(item) is item


@pytest.mark.parametrize(
    "text",
    [
        "[1 [2 {^a [3]}]]",
        "{^a {^b [1]}}",
        "(new HashMap [1] {^a 2})",
        "(new HashSet [1] [2 [3]])",
        "`(f ^k [1] 2 (g 3))",
        "(Ok [1 2])",
        "`{{1 [2]}}",
        "[Color/red (Shape/Rect [1] 2)]",
    ],
)
def test_data_is_copied_all_the_way_down(text):
    """The copy prints the same, and no container that can change is in both."""
    value = evaluated(f"(enum Color red) (enum Shape (Rect w h)) {text}")
    made = copied(value)
    assert type(made) is type(value)
    assert inspect(made) == inspect(value)
    assert not mutable_ids(made) & mutable_ids(value)


def mutable_ids(value):
    found, todo = set(), [value]
    while todo:
        item = todo.pop()
        if isinstance(item, list | dict | Gene | HashMap | HashSet):
            found.add(id(item))
        if isinstance(item, list):
            todo += item
        elif isinstance(item, dict):
            todo += item.values()
        elif isinstance(item, Gene):
            todo += [*item.props.values(), *item.children]
        elif isinstance(item, HashMap | HashSet):
            todo += item.gene_contents()
        elif hasattr(item, "values"):
            todo += item.values
    return found


def test_frozen_parts_are_shared_and_shallow_ones_copied():
    """What is frozen but holds something that is not is copied, and stays frozen."""
    deep, inner = freeze([1, [2]]), [3]
    made = copied([deep, FrozenArray([inner]), FrozenMap({"k": inner})])
    assert made[0] is deep
    assert type(made[1]) is FrozenArray
    assert type(made[2]) is FrozenMap
    assert made[1][0] == [3]
    assert made[1][0] is not inner
    assert made[1][0] is made[2]["k"]


def test_what_is_shared_inside_stays_shared():
    """Two references to one array lead to one copy; data that contains itself is copied with its circle."""
    inner = [1]
    made = copied({"a": inner, "b": inner})
    assert made["a"] is made["b"]
    circle = [1]
    circle.append({"self": circle})
    made = copied(circle)
    assert made is not circle
    assert made[1]["self"] is made


def test_sets_find_what_is_in_them():
    """The elements of a copied set are found, even if they are met elsewhere first."""
    element = [1, [2]]
    for message in ([HashSet(element), element], [element, HashSet(element)], [HashMap(element, 1), element]):
        made = copied(message)
        hashed = next(each for each in made if not isinstance(each, list))
        assert [1, [2]] in hashed
        assert equal(made, message)


def test_instances_are_copied_with_their_properties():
    """An instance of a Gene class becomes another one of that class; its constructor does not run."""
    made = evaluated(
        "(class P (ctor [x] (/x = x) (/frozen = true)) (method sum [] (/x/0 + /x/1))) (new P [1 2])"
    )
    other = copied([made])[0]
    assert type(other) is type(made)
    assert other is not made
    assert other.x == [1, 2]
    assert other.x is not made.x


def test_depth_and_size():
    """Data nested 200,000 deep is copied, from any thread's stack."""
    value = []
    for _ in range(200_000):
        value = [value]
    made, depth = copied(value), 0
    assert made is not value
    while made:
        made, depth = made[0], depth + 1
    assert depth == 200_000
    while value:  # take both apart: freeing a list this deep is Python's affair, but slow
        value = value.pop()


def test_frozen_genes_and_quoted_code():
    """A frozen gene keeps its kind; quoted code as such is shared."""
    frozen = freeze(Gene("f", {"k": [1]}, [[2]]))
    assert copied([frozen])[0] is frozen
    quoted = evaluated("``(a b)")
    assert copied([quoted])[0] is quoted
