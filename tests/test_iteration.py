"""Iteration over every kind of value."""

import pytest

from gene.data.atoms import NOT_FOUND, VOID, Symbol
from gene.data.forms import Gene
from gene.runtime.classes import ClassInfo, GeneClass, Instance
from gene.runtime.exceptions import ArgumentException, GeneException, TypeException
from gene.runtime.hashed import HashMap, HashSet
from gene.runtime.iteration import Generator, Iterator, iterate, iterate_pairs
from gene.runtime.methods import send
from gene.runtime.ranges import Range


def instance(name, **methods):
    info = ClassInfo(name)
    info.methods.update(methods)
    return GeneClass(name, (Instance,), {}, info=info)()


def countdown(count, **more):
    def step(self):
        if self.left <= 0:
            return NOT_FOUND
        self.left -= 1
        return self.left + 1

    made = instance("Countdown", iter=lambda self: self, next=step, **more)
    made.left = count
    return made


@pytest.mark.parametrize(
    ("value", "pairs"),
    [
        ([], []),
        (["a", "b"], [(0, "a"), (1, "b")]),
        ({"k": 1, "j": 2}, [("k", 1), ("j", 2)]),
        (HashMap([1], "x", 2, "y"), [([1], "x"), (2, "y")]),
        (HashSet("p", "q"), [(0, "p"), (1, "q")]),
        (Range(1, 3), [(0, 1), (1, 2), (2, 3)]),
        (None, []),
        (("host", "tuple"), [(0, "host"), (1, "tuple")]),
    ],
)
def test_what_a_loop_runs_over(value, pairs):
    """Each kind gives its items, with keys or indices; the methods of its iterator give the same."""
    assert list(iterate(value)) == [item for _, item in pairs]
    assert list(iterate_pairs(value)) == pairs
    if value is not None and type(value) is not tuple:
        iterator = send(value, "iter")
        found = []
        while send(iterator, "has_next"):
            found.append(send(iterator, "next_pair"))
        assert found == [[key, item] for key, item in pairs]
        assert send(iterator, "next") is NOT_FOUND
        assert send(iterator, "next_pair") is NOT_FOUND
        assert [*iterate(send(value, "iter"))] == [item for _, item in pairs]


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        ("text", GeneException, "Method iter not found on VkString"),
        (Gene(Symbol("f")), GeneException, "Method iter not found on VkGene"),
        (Symbol("s"), GeneException, "Method iter not found on VkSymbol"),
        (len, GeneException, "Method iter not found on VkFunction"),
        (5, TypeException, "Unified method call not supported for VkInt"),
        (5.0, TypeException, "Unified method call not supported for VkFloat"),
        (True, TypeException, "Unified method call not supported for VkBool"),
        (VOID, TypeException, "Unified method call not supported for VkVoid"),
        (object(), GeneException, "Method iter not found on VkForeign"),
        (list, GeneException, "Method iter not found on VkForeign"),
        (instance("Plain"), GeneException, "Method iter not found on instance"),
        (instance("Half", iter=lambda self: self), GeneException, "Method next not found on instance"),
        (instance("Odd", iter=lambda _self: 5), TypeException, "Unified method call not supported for VkInt"),
    ],
)
def test_what_cannot_be_iterated_says_so(value, error, message):
    """The error is that of a missing method, with and without keys."""
    for way in (iterate, iterate_pairs):
        with pytest.raises(GeneException) as caught:
            list(way(value))
        assert (type(caught.value), str(caught.value)) == (error, message)


def test_arrays_are_iterated_live():
    """Elements pushed during the loop are visited."""
    array = [1, 2]
    seen = []
    for item in iterate(array):
        seen.append(item)
        if item == 1:
            array.append(3)
    assert seen == [1, 2, 3]
    seen.clear()
    for pair in iterate_pairs(array):
        seen.append(pair)
        if pair[0] == 0:
            array.append(4)
    assert seen == [(0, 1), (1, 2), (2, 3), (3, 4)]


@pytest.mark.parametrize("way", [iterate, iterate_pairs, lambda value: iterate(send(value, "iter"))])
@pytest.mark.parametrize(
    ("make", "change"),
    [
        (lambda: {"a": 1, "b": 2}, lambda value, n: value.update({f"k{n}": n})),
        (lambda: {"a": 1, "b": 2}, lambda value, _n: value.clear()),
        (lambda: HashMap("a", 1, "b", 2), lambda value, n: value.set(n, n)),
        (lambda: HashSet(1, 2), lambda value, n: value.add(f"k{n}")),
    ],
)
def test_a_map_may_change_during_its_loop(way, make, change):
    """The loop runs over what was there when it started."""
    value = make()
    count = 0
    for _ in way(value):
        count += 1
        change(value, count)
    assert count == 2


def test_objects_with_iter_and_next_are_iterated():
    """Items come from next until not_found; indices count them, or next_pair gives keys."""
    assert list(iterate(countdown(3))) == [3, 2, 1]
    assert list(iterate_pairs(countdown(2))) == [(0, 2), (1, 1)]
    pairs = iter([["k", 1], NOT_FOUND])
    assert list(iterate_pairs(countdown(2, next_pair=lambda _self: next(pairs)))) == [("k", 1)]


def test_iter_may_give_a_collection():
    """What iter returns is iterated in turn."""
    assert list(iterate(instance("Bag", iter=lambda _self: [1, 2]))) == [1, 2]
    assert list(iterate_pairs(instance("Bag", iter=lambda _self: {"k": 1}))) == [("k", 1)]


def test_a_generator_runs_on_demand():
    """has_next runs the body up to the next yield, next goes on from there."""
    log = []

    def body():
        log.append("start")
        yield "a"
        log.append("more")
        yield "b"

    generator = Generator(body())
    assert log == []
    assert send(generator, "next") == "a"
    assert send(generator, "has_next") is True
    assert log == ["start", "more"]
    assert send(generator, "has_next") is True
    assert list(iterate(generator)) == ["b"]
    assert send(generator, "has_next") is False
    assert send(generator, "next") is NOT_FOUND
    assert list(iterate_pairs(Generator(body()))) == [(0, "a"), (1, "b")]
    assert send(generator, "iter") is generator


def test_an_error_in_a_generator_passes_through():
    """The caller of next gets the exception of the body."""
    generator = Generator(1 // zero for zero in [0])
    with pytest.raises(ZeroDivisionError):
        send(generator, "next")


def test_an_iterator_is_a_python_iterator():
    """Looking ahead loses nothing."""
    iterator = Iterator(enumerate("ab"))
    assert iterator.has_next()
    assert [*iterator] == ["a", "b"]


@pytest.mark.parametrize(
    ("bounds", "items"),
    [
        ((0, 3), [0, 1, 2, 3]),
        ((3, 0), []),
        ((3, 1, -1), [3, 2, 1]),
        ((0, 10, 5), [0, 5, 10]),
        ((0, 9, 5), [0, 5]),
        ((1, 3, -1), []),
        ((2, 2), [2]),
        ((-1, 1), [-1, 0, 1]),
        ((0.0, 1, 0.5), [0.0, 0.5, 1.0]),
        ((1, 0, -0.5), [1, 0.5, 0.0]),
    ],
)
def test_ranges_include_both_ends(bounds, items):
    """A range counts up or down and is empty when its step leads away from the end."""
    assert list(Range(*bounds)) == list(iterate(Range(*bounds))) == items


@pytest.mark.parametrize(
    ("bounds", "error", "message"),
    [
        (("a", 3), TypeException, "Range start must be a number, got VkString"),
        ((1, None), TypeException, "Range end must be a number, got VkNil"),
        ((1, 2, True), TypeException, "Range step must be a number, got VkBool"),
        ((1, 2, 0), ArgumentException, "Range step must not be zero"),
        ((1, float("inf")), ArgumentException, "Range end must be finite, got inf"),
        ((float("nan"), 1), ArgumentException, "Range start must be finite, got nan"),
    ],
)
def test_bad_bounds_are_refused(bounds, error, message):
    """A range that could not be iterated is not made."""
    with pytest.raises(error, match=message):
        Range(*bounds)
