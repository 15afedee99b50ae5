"""The methods of arrays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gene.data.atoms import VOID, Char, Symbol
from gene.runtime.classes import ClassInfo, GeneClass, Instance
from gene.runtime.exceptions import ArgumentException, GeneException
from gene.runtime.methods import send


@pytest.mark.parametrize(
    ("array", "method", "args", "result"),
    [
        ([5, 6], "size", (), 2),
        ([5, 6], "length", (), 2),
        ([], "empty?", (), True),
        ([0], "empty?", (), False),
        ([0], "not_empty?", (), True),
        ([5, 6], "get", (1,), 6),
        ([5, 6], "get", (9,), None),
        ([5, 6], "get", (-1,), None),
        ([5, 6], "get", ("1",), None),
        ([5, 6], "get", (True,), None),
        ([5, 6], "get", (9, "default"), None),
        ([5, 6], "first", (), 5),
        ([5, 6], "last", (), 6),
        ([], "first", (), None),
        ([], "last", (), None),
        ([], "pop", (), None),
        ([1, 2], "map", (lambda n: n * n,), [1, 4]),
        ([0, "", None, False, VOID, 1], "filter", (lambda x: x,), [0, "", 1]),
        ([1, 2], "reduce", (100, lambda acc, n: acc + n), 103),
        ([], "reduce", (None, max), None),
        ([1, 2, 3], "find", (lambda n: n > 1,), 2),
        ([1], "find", (lambda n: n > 1,), None),
        ([1, 2], "any", (lambda n: n > 1,), True),
        ([1, 2], "any", (lambda n: None,), False),
        ([1, 2], "all", (lambda n: n > 1,), False),
        ([1, 2], "all", (lambda n: 0,), True),
        ([], "all", (lambda n: False,), True),
        ([1, [2]], "contains", ([2],), True),
        ([1.0, True], "contains", (1,), False),
        (["a"], "contains", ("a",), True),
        ([Symbol("a")], "contains", ("a",), False),
        ([3, 1, 2], "index_of", (2,), 2),
        ([3, 1, 2], "index_of", (8,), -1),
        ([1, "b", None, True, 2.5, ["x", Char("c")]], "join", ("|",), "1|b||true|2.5|[\"x\" 'c']"),
        (["a", "b"], "join", (), "ab"),
        ([], "join", (",",), ""),
        ([0, 1, 2, 3, 4], "slice", (1, 3), [1, 2]),
        ([0, 1, 2, 3, 4], "slice", (3,), [3, 4]),
        ([0, 1, 2, 3, 4], "slice", (-2,), [3, 4]),
        ([0, 1, 2, 3, 4], "slice", (1, -1), [1, 2, 3]),
        ([0, 1, 2, 3, 4], "slice", (9,), []),
        ([0, 1], "slice", (-9, 9), [0, 1]),
        ([3, 1, 2], "take", (2,), [3, 1]),
        ([3, 1, 2], "take", (9,), [3, 1, 2]),
        ([3, 1, 2], "take", (-1,), []),
        ([3, 1, 2], "skip", (1,), [1, 2]),
        ([3, 1, 2], "skip", (-1,), [3, 1, 2]),
        ([3, 1, 2], "reverse", (), [2, 1, 3]),
        (["k", "j"], "zip", ([1, 2, 3],), [["k", 1], ["j", 2]]),
        (["a"], "pairs", (), [[0, "a"]]),
        ([10, 9, 100], "sort", (), [10, 100, 9]),
        (["b", "a", "B"], "sort", (), ["B", "a", "b"]),
        ([None, "a", [1]], "sort", (), [[1], "a", None]),
        ([10, 9, 100], "sort", (lambda a, b: a - b,), [9, 10, 100]),
        ([1, 3, 2], "sort", (lambda a, b: a > b,), [3, 2, 1]),
        ([1, 3, 2], "sort", (lambda a, b: -1 if a > b else None,), [3, 2, 1]),
        ([0.5, 0.25, 0.75], "sort", (lambda a, b: a - b,), [0.25, 0.5, 0.75]),
        ([2], "sort", (lambda a, b: a - b,), [2]),
        ([], "sort", (lambda a, b: a - b,), []),
        ([["k", 1], [Symbol("s"), 2], ["k", 3]], "to_map", (), {"k": 3, "s": 2}),
        ([], "immutable?", (), False),
    ],
)
def test_what_methods_answer(array, method, args, result):
    """Methods that only look answer what the language says and leave the array alone."""
    before = list(array)
    answer = send(array, method, *args)
    assert answer == result
    assert type(answer) is type(result)
    assert answer is not array
    assert array == before


@pytest.mark.parametrize(
    ("method", "args", "result", "after"),
    [
        ("push", (4,), 4, [1, 2, 3, 4]),
        ("push", (4, 5), 4, [1, 2, 3, 4]),
        ("append", (4,), "self", [1, 2, 3, 4]),
        ("add", (4,), "self", [1, 2, 3, 4]),
        ("set", (0, "z"), "self", ["z", 2, 3]),
        ("set", (-1, None), "self", [1, 2, None]),
        ("pop", (), 3, [1, 2]),
        ("del", (0,), 1, [2, 3]),
        ("del", (-1,), 3, [1, 2]),
        ("del", (9,), None, [1, 2, 3]),
        ("clear", (), "self", []),
        ("each", (lambda x: None,), "self", [1, 2, 3]),
    ],
)
def test_methods_that_change_the_array(method, args, result, after):
    """push answers the length, del and pop the element, the others the array itself."""
    array = [1, 2, 3]
    answer = send(array, method, *args)
    assert array == after
    assert answer is array if result == "self" else answer == result


@pytest.mark.parametrize(
    ("method", "args", "error", "message"),
    [
        ("get", (), ArgumentException, "Array.get requires an index"),
        ("set", (0,), ArgumentException, "Array.set requires index and value"),
        ("set", (2, 0), GeneException, "set index out of bounds"),
        ("set", (-3, 0), GeneException, "set index out of bounds"),
        ("set", ("0", 0), ArgumentException, "Array.set index must be an Int, got VkString"),
        ("push", (), ArgumentException, "Array.push requires a value"),
        ("append", (1, 2), ArgumentException, "Array.append expects 1 arguments after self, got 2"),
        ("append", (), ArgumentException, "Array.append expects 1 arguments after self, got 0"),
        ("add", (1, 2), ArgumentException, "Array.add expects 1 arguments after self, got 2"),
        ("del", (), ArgumentException, "Array.del index is missing: an Int is required"),
        *[
            (name, (5,), GeneException, f"{name} callback must be a function, got VkInt")
            for name in ("map", "filter", "each", "find", "any", "all", "sort")
        ],
        ("map", (), GeneException, "map callback must be a function, got nothing"),
        ("reduce", (5,), ArgumentException, "Array.reduce requires an initial value and a reducer function"),
        ("reduce", (), ArgumentException, "Array.reduce requires an initial value and a reducer function"),
        ("reduce", (0, 5), GeneException, "reduce callback must be a function, got VkInt"),
        ("contains", (), ArgumentException, "Array.contains requires a value"),
        ("index_of", (), ArgumentException, "Array.index_of requires a value"),
        ("append", (1, 2, 3, 4), ArgumentException, "Array.append expects 1 arguments after self, got 4"),
        ("join", (5,), GeneException, "Array.join separator must be a string"),
        ("slice", (), ArgumentException, "Array.slice start is missing: an Int is required"),
        ("slice", (0, "1"), ArgumentException, "Array.slice end must be an Int, got VkString"),
        ("take", (True,), ArgumentException, "Array.take count must be an Int, got VkBool"),
        ("skip", (), ArgumentException, "Array.skip count is missing: an Int is required"),
        ("zip", (5,), ArgumentException, "Array.zip requires an array, got VkInt"),
        ("to_map", (), ArgumentException, "Array.to_map requires [key value] pairs, got 1"),
        *[
            (name, (), GeneException, f"Method {name} not found on VkArray")
            for name in ("include?", "concat", "flatten", "insert", "shift", "uniq", "sum")
        ],
    ],
)
def test_wrong_calls_are_named(method, args, error, message):
    """What is missing or of the wrong kind is named by its method, and nothing has changed."""
    array = [1, 2]
    with pytest.raises(GeneException) as caught:
        send(array, method, *args)
    assert (type(caught.value), str(caught.value)) == (error, message)
    assert array == [1, 2]


def test_keys_of_to_map_are_strings_or_symbols():
    """Another key is refused."""
    with pytest.raises(GeneException, match=r"Array\.to_map key must be a string or symbol"):
        send([[1, 2]], "to_map")


def test_a_comparator_that_throws_leaves_the_array_as_it_was():
    """Whenever it throws; sorting again works."""
    array = list(range(20, 0, -1))
    for limit in (0, 1, 30, 5):
        left = iter(range(limit))

        def compare(a, b, left=left):
            if next(left, None) is None:
                raise GeneException("enough")
            return a - b

        with pytest.raises(GeneException, match="enough"):
            send(array, "sort", compare)
        assert array == list(range(20, 0, -1))
    assert send(array, "sort", lambda a, b: a - b) == list(range(1, 21))


@pytest.mark.parametrize("method", ["map", "filter", "each", "find", "any", "all", "sort"])
def test_errors_of_callbacks_pass_through(method):
    """The caller gets the very exception that the callback raised."""
    error = GeneException("bad 1")

    def fail(*_args):
        raise error

    with pytest.raises(GeneException) as caught:
        send([1, 2], method, fail)
    assert caught.value is error


def test_an_instance_with_call_is_a_callback():
    """Whatever Gene can call can be a callback."""
    info = ClassInfo("Adder")
    info.methods["call"] = lambda self, n: n + self.by
    adder = GeneClass("Adder", (Instance,), {}, info=info)()
    adder.by = 10
    assert send([1], "map", adder) == [11]


def test_elements_pushed_during_each_are_visited():
    """each runs over the live array."""
    array = [1, 2]
    send(array, "each", lambda n: array.append(9) if n == 1 else None)
    assert array == [1, 2, 9]


def test_sorting_may_recurse():
    """A comparator may sort in turn, and may change the array that is being sorted."""
    array = [[2, 1], [1, 3]]

    def compare(a, b):
        array.clear()
        return send(a, "sort", lambda x, y: x - y)[0] - send(b, "sort", lambda x, y: x - y)[0]

    assert send(array, "sort", compare) == [[2, 1], [1, 3]]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers())))
def test_sort_is_stable_for_every_kind_of_comparator(rows):
    """Elements that compare equal keep their order, whether the comparator subtracts or compares."""
    array = [list(row) for row in rows]
    expected = sorted(array, key=lambda row: row[0])
    assert send(array, "sort", lambda a, b: a[0] - b[0]) == expected
    assert send(array, "sort", lambda a, b: a[0] < b[0]) == expected
    assert send(array, "sort", lambda a, b: -1 if a[0] < b[0] else int(a[0] > b[0])) == expected
