"""The methods of numbers, genes, functions, classes, namespaces, bytes, dates, regexes, nil and void; type tests."""

import math

import pytest

from gene.data import kinds, temporal
from gene.data.atoms import NOT_FOUND, VOID, Char, Symbol
from gene.data.forms import Gene
from gene.data.octets import Octets
from gene.data.regex import REGEX, Regex
from gene.data.temporal import DATE
from gene.runtime.classes import ClassInfo, GeneClass, Instance, construct
from gene.runtime.exceptions import ArgumentException, GeneException, RuntimeException, TypeException
from gene.runtime.methods import send
from gene.runtime.namespaces import NAMESPACE, Namespace
from gene.runtime.ranges import RANGE, Range
from gene.runtime.text import display, to_s
from gene.runtime.typetests import Union, class_of, is_instance, type_name

Point = GeneClass("Point", (Instance,), {}, info=ClassInfo("Point"))
Pixel = GeneClass("Pixel", (Point,), {}, info=ClassInfo("Pixel"))


@pytest.mark.parametrize(
    ("value", "method", "args", "result"),
    [
        (7, "to_i", (), 7),
        (7, "to_f", (), 7.0),
        (7, "to_s", (), "7"),
        (2.9, "to_i", (), 2),
        (-2.9, "to_i", (), -2),
        (2.5, "to_f", (), 2.5),
        (2.0, "to_s", (), "2.0"),
        (True, "to_s", (), "true"),
        (Symbol("s"), "to_s", (), "s"),
        (Char("c"), "to_s", (), "'c'"),
        (None, "to_s", (), ""),
        (VOID, "to_s", (), "void"),
        (None, "empty?", (), True),
        (None, "empty", (), True),
        (None, "not_empty?", (), False),
        (VOID, "empty?", (), True),
        (VOID, "empty", (), True),
        (VOID, "not_empty?", (), False),
        (None, "anything", (1, 2), None),
        (None, "to", (kinds.INT,), None),
        (2, "to", (kinds.FLOAT,), 2.0),
        (2, "to", ("Float",), 2.0),
        (2.0, "to", (kinds.INT,), 2),
        ("s", "to", (kinds.STRING,), "s"),
        (1, "is", (kinds.INT,), True),
        (None, "is", (kinds.NIL,), True),
        (VOID, "is", (kinds.NIL,), False),
        (1, "class", (), kinds.INT),
        (None, "class", (), kinds.NIL),
        ([], "class", (), kinds.ARRAY),
        (Point(), "class", (), Point),
        (Point, "class", (), kinds.CLASS),
        (Range(1, 2), "to_s", (), "1..2"),
        (Octets(b"\xde\xad"), "size", (), 2),
        (Octets(b"\xde\xad"), "get", (0,), Octets(b"\xde")),
        (Octets(b"\xde\xad"), "get", (2,), None),
        (Octets(b"\xde\xad"), "get", (-1,), None),
        (Octets(b"\xde\xad"), "to_array", (), [222, 173]),
        (Octets(b"\xde\xad"), "to_s", (), "0#dead"),
        (b"\xde", "to_s", (), "0#de"),
    ],
)
def test_what_methods_answer(value, method, args, result):
    """Each method answers what the language says, of the kind that it says."""
    answer = send(value, method, *args)
    assert answer == result
    assert type(answer) is type(result)


@pytest.mark.parametrize(
    ("value", "method", "args", "error", "message"),
    [
        (math.inf, "to_i", (), RuntimeException, "Integer overflow in conversion of inf"),
        (math.nan, "to_i", (), RuntimeException, "Integer overflow in conversion of nan"),
        (2.0**63, "to_i", (), RuntimeException, "Integer overflow in conversion of 9.223372036854776e+18"),
        (1e300, "to", (kinds.INT,), RuntimeException, "Integer overflow in conversion of 1e+300"),
        ("1", "to", (kinds.INT,), TypeException, "Type error: cannot convert String to Int"),
        (1, "to", (kinds.STRING,), TypeException, "Type error: cannot convert Int to String"),
        (Point(), "to", (kinds.INT,), TypeException, "Type error: cannot convert Point to Int"),
        (True, "to", (kinds.INT,), TypeException, "Type error: cannot convert Bool to Int"),
        (1, "to", (), TypeException, "to requires a type"),
        (1, "is", (), TypeException, "is requires a type value on the right side"),
        (1, "is", (5,), TypeException, "is requires a type value on the right side"),
        (5, "nope", (), TypeException, "Unified method call not supported for VkInt"),
        (5.0, "abs", (), TypeException, "Unified method call not supported for VkFloat"),
        (True, "nope", (), TypeException, "Unified method call not supported for VkBool"),
        (VOID, "trim", (), TypeException, "Unified method call not supported for VkVoid"),
        (
            temporal.parse("2024-02-03"),
            "hour",
            (),
            TypeException,
            "Unified method call not supported for VkDate",
        ),
        (kinds.INT, "nope", (), TypeException, "Unified method call not supported for VkClass"),
        (Point, "nope", (), TypeException, "Unified method call not supported for VkClass"),
        (Symbol("s"), "nope", (), GeneException, "Method nope not found on VkSymbol"),
        (len, "nope", (), GeneException, "Method nope not found on VkFunction"),
        (Regex("a"), "nope", (), GeneException, "Method nope not found on VkRegex"),
        (Gene(), "iter", (), GeneException, "Method iter not found on VkGene"),
        (Point(), "nope", (), GeneException, "Method nope not found on instance"),
    ],
)
def test_wrong_calls_are_named(value, method, args, error, message):
    """Missing methods and impossible conversions have the documented messages."""
    with pytest.raises(GeneException) as caught:
        send(value, method, *args)
    assert (type(caught.value), str(caught.value)) == (error, message)


def test_a_conversion_that_loses_a_fraction_warns(capsys):
    """The warning goes to standard error."""
    assert send(2.9, "to", kinds.INT) == 2
    assert send(2.0, "to", kinds.INT) == 2
    assert capsys.readouterr() == ("", "Warning: 2.9 converted to Int loses its fraction\n")


@pytest.mark.parametrize(
    ("value", "of", "answer"),
    [
        ({}, kinds.MAP, True),
        ([], kinds.ARRAY, True),
        ("", kinds.STRING, True),
        (1, kinds.INT, True),
        (True, kinds.INT, False),
        (1.0, kinds.FLOAT, True),
        (1, kinds.FLOAT, False),
        (True, kinds.BOOL, True),
        (None, kinds.NIL, True),
        (Symbol("s"), kinds.SYMBOL, True),
        (Gene(), kinds.GENE, True),
        (len, kinds.FUNCTION, True),
        (Range(0, 1), RANGE, True),
        (Regex("a"), REGEX, True),
        (b"", kinds.BYTES, True),
        (Octets(b""), kinds.BYTES, True),
        (temporal.parse("2024-02-03"), DATE, True),
        (Namespace("n"), NAMESPACE, True),
        (Point, kinds.CLASS, True),
        (kinds.INT, kinds.CLASS, True),
        (Point(), Point, True),
        (Pixel(), Point, True),
        (Point(), Pixel, False),
        (Pixel(), Instance, True),
        (Pixel(), kinds.OBJECT, True),
        (1, Point, False),
        (GeneException("m"), GeneException, True),
        (TypeException("m"), GeneException, True),
        (1, Union(kinds.INT, kinds.STRING), True),
        ("s", Union(kinds.INT, kinds.STRING), True),
        (None, Union(kinds.INT, kinds.STRING), False),
        (1, "Int", True),
        ("x", "Int", False),
        (Regex("a"), "Regexp", True),
        (Pixel(), "Point", True),
        (TypeException("m"), "Exception", True),
        (1, "Nope", False),
    ],
)
def test_is(value, of, answer):
    """Kinds, classes with their subclasses, unions and names test a value."""
    assert is_instance(value, of) is answer


@pytest.mark.parametrize("of", [None, 5, VOID, [], len, object(), NOT_FOUND])
def test_is_needs_a_type(of):
    """Anything else on the right side is an error."""
    with pytest.raises(TypeException, match="is requires a type value on the right side"):
        is_instance(1, of)


def test_types_have_names():
    """A union shows its members; an instance is named by its class."""
    assert repr(Union(kinds.INT, Point)) == "(Int | Point)"
    assert [type_name(value) for value in (1, None, Point(), TypeException())] == [
        "Int",
        "Nil",
        "Point",
        "TypeException",
    ]
    assert class_of(Point()) is Point


def test_genes_have_a_type_properties_and_children():
    """Each part can be read, missing ones are nil."""
    gene = Gene(Symbol("img"), {"src": "a"}, ["one", [2]])
    assert send(gene, "type") == send(gene, "genetype") == Symbol("img")
    assert send(gene, "props") == {"src": "a"}
    assert send(gene, "children") == ["one", [2]]
    assert send(gene, "get", Symbol("src")) == "a"
    assert send(gene, "get", "nope") is None
    assert send(gene, "get", "nope", 0) == 0
    assert send(gene, "has", "src") is True
    assert send(gene, "has", "nope") is False
    assert send(gene, "get_child", 1) == [2]
    assert send(gene, "get_child", 9) is None
    assert send(gene, "has_child", 1) is True
    assert send(gene, "has_child", 2) is False
    assert send(gene, "contains", [2]) is True
    assert send(gene, "contains", 2) is False
    assert send(gene, "immutable?") is False


def test_genes_change_in_place():
    """Methods that change answer the gene, those that remove answer what was removed."""
    gene = Gene(Symbol("box"))
    assert send(gene, "set", "h", 2) is gene
    assert send(gene, "add_child", "b") is gene
    assert send(gene, "ins_child", 0, "a") is gene
    assert send(gene, "set_child", -1, "c") is gene
    assert send(gene, "set_genetype", Symbol("bag")) is gene
    assert display(gene) == '(bag ^h 2 "a" "c")'
    assert send(gene, "del", "h") == 2
    assert send(gene, "del", "h") is None
    assert send(gene, "del_child", 0) == "a"
    assert send(gene, "del_child", 5) is None
    assert display(gene) == '(bag "c")'
    send(gene, "props")["new"] = 1
    send(gene, "children").append(1)
    assert display(gene) == '(bag ^new 1 "c" 1)'
    assert display(Gene(Symbol("other"))) == "(other)"


@pytest.mark.parametrize(
    ("method", "args", "message"),
    [
        ("set", ("k",), "Gene.set requires key and value"),
        ("get", (), "Gene.get requires a key"),
        ("get", (5,), "Gene.get key must be a string or symbol"),
        ("set_child", (3, 1), "set_child index out of bounds"),
        ("set_child", (0,), "Gene.set_child requires index and value"),
        ("ins_child", (3, 1), "ins_child index out of bounds"),
        ("ins_child", (0,), "Gene.ins_child requires index and value"),
        ("add_child", (), "Gene.add_child requires a value"),
        ("set_genetype", (), "Gene.set_genetype requires a value"),
        ("get_child", ("0",), "Gene.get_child index must be an Int, got VkString"),
    ],
)
def test_wrong_calls_of_genes_are_named(method, args, message):
    """What is missing or of the wrong kind is named."""
    with pytest.raises(GeneException) as caught:
        send(Gene(Symbol("g"), None, [1]), method, *args)
    assert str(caught.value) == message


def test_functions_are_called_and_described():
    """call passes everything on; intent and examples are nil unless the definition states them."""

    def add(a, b, *, c=0):
        return a + b + c

    assert send(add, "call", 1, 2, c=3) == 6
    assert send(len, "call", "ab") == 2
    assert send(add, "intent") is None
    add.gene_intent = "adds"
    add.gene_examples = [[1, 2]]
    assert send(add, "intent") == "adds"
    assert send(add, "examples") == [[1, 2]]


def test_classes_have_a_name_and_a_parent():
    """Kinds and user classes answer alike."""
    assert send(Pixel, "name") == "Pixel"
    assert send(Pixel, "parent") is Point
    assert send(send(Point, "parent"), "name") == "Object"
    assert send(Instance, "parent") is None
    assert send(kinds.STRING, "name") == "String"
    assert send(kinds.STRING, "parent") is None
    assert send(TypeException, "name") == "TypeException"
    assert send(send(TypeException, "parent"), "name") == "Exception"


def test_namespaces_answer_like_maps():
    """Members that are loaded on demand count; a handler answers for missing ones."""
    space = Namespace("space", {"x": 1}, loaders={"pi": "math:pi"})
    assert send(space, "name") == "space"
    assert send(space, "size") == 2
    assert send(space, "keys") == ["x", "pi"]
    assert send(space, "values") == [1, math.pi]
    assert send(space, "pairs") == [["x", 1], ["pi", math.pi]]
    assert send(space, "has", "pi") is True
    assert send(space, "has", "zz") is False
    assert send(space, "get", "zz") is None
    assert send(space, "get", "zz", 0) == 0
    assert send(space, "set", "y", 2) is space
    assert send(space, "get", "y") == 2
    assert send(space, "map", lambda name, _value: name) == {"x": "x", "pi": "pi", "y": "y"}
    assert send(space, "filter", lambda _name, value: value == 1) == {"x": 1}
    assert send(space, "reduce", 0, lambda acc, _name, value: acc + value) == 3 + math.pi
    seen = []
    assert send(space, "each", lambda name, value: seen.append((name, value))) is space
    assert seen == [("x", 1), ("pi", math.pi), ("y", 2)]
    assert send(space, "del", "x") == 1
    assert send(space, "del", "x") is None
    assert send(space, "on_member_missing", lambda name: name * 2) is space
    assert send(space, "get", "ab") == "abab"
    assert send(space, "not_empty?") is True
    assert send(send(space, "clear"), "empty?") is True


@pytest.mark.parametrize(
    ("method", "args", "message"),
    [
        ("set", ("x",), "Namespace.set requires key and value"),
        ("get", (5,), "Namespace.get key must be a string or symbol"),
        ("reduce", (5,), "Namespace.reduce requires an initial value and a reducer function"),
        ("each", (5,), "each callback must be a function, got VkInt"),
        ("on_member_missing", (5,), "on_member_missing callback must be a function, got VkInt"),
    ],
)
def test_wrong_calls_of_namespaces_are_named(method, args, message):
    """What is missing or of the wrong kind is named."""
    with pytest.raises(GeneException) as caught:
        send(Namespace("n"), method, *args)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("literal", "method", "result"),
    [
        ("2023-11-05", "year", 2023),
        ("2023-11-05", "month", 11),
        ("2023-11-05", "day", 5),
        ("09:30", "hour", 9),
        ("09:30", "minute", 30),
        ("09:30:15.25", "second", 15),
        ("09:30:15.25", "microsecond", 250000),
        ("2023-11-05T09:30:15Z", "year", 2023),
        ("2023-11-05T09:30:15Z", "minute", 30),
        ("2023-11-05T09:30:15Z", "timezone", "UTC"),
        ("2023-11-05T09:30:15Z", "offset", 0),
        ("2023-11-05T09:30", "timezone", None),
        ("2023-11-05T09:30", "offset", None),
        ("2023-11-05T09:30+05:30", "offset", 330),
        ("2023-11-05T09:30+05:30[Asia/Kolkata]", "timezone", "Asia/Kolkata"),
        ("1970-01-01T00:00:01Z", "to_i", 1000),
        ("1970-01-01T01:00:01.9+01:00", "to_i", 1000),
        ("2023-11-05", "to_s", "2023-11-05"),
        ("2023-11-05T09:30:15Z", "to_s", "2023-11-05T09:30:15Z"),
    ],
)
def test_dates_and_times_have_parts(literal, method, result):
    """Dates have days, times have clocks, date-times both with offset, zone and milliseconds."""
    assert send(temporal.parse(literal), method) == result


def test_dates_are_equal_by_value():
    """Dates with the same value compare equal and are the same key."""
    assert send([temporal.parse("2023-01-01")], "contains", temporal.parse("2023-01-01")) is True
    assert send([temporal.parse("2023-01-01")], "contains", temporal.parse("2023-01-02")) is False
    assert send([Octets(b"a")], "contains", b"a") is True


@pytest.mark.parametrize(
    ("regex", "method", "args", "result"),
    [
        (Regex("o+"), "match?", ("foo",), True),
        (Regex("o+"), "match", ("x",), None),
        (Regex("o+"), "find", ("foo",), "oo"),
        (Regex("o+"), "find_all", ("foo oo",), ["oo", "oo"]),
        (Regex("o+"), "scan", ("foo oo",), ["oo", "oo"]),
        (Regex("o+"), "split", ("afoob",), ["af", "b"]),
        (Regex("o+"), "split", ("aobob", 2), ["a", "bob"]),
        (Regex("o+"), "replace", ("foo oo", "0"), "f0 oo"),
        (Regex("o+"), "sub", ("foo oo", "0"), "f0 oo"),
        (Regex("o+"), "replace_all", ("foo oo", "0"), "f0 0"),
        (Regex("o+"), "gsub", ("foo oo", "0"), "f0 0"),
        (Regex("o+", "", "0"), "replace_all", ("foo oo",), "f0 0"),
        (Regex("o+", "", "0"), "process", ("foo oo",), "f0 oo"),
    ],
)
def test_regexes_take_the_subject_first(regex, method, args, result):
    """The methods of strings exist on regular expressions too; a literal may carry its replacement."""
    assert send(regex, method, *args) == result


def test_regexes_are_made_and_printed():
    """new takes the pattern and the flags as keywords; a match says where it is."""
    regex = construct(REGEX, "AbC", i=True)
    assert to_s(regex) == "#/AbC/i"
    assert send(regex, "process", "xabc").start == 1
    assert to_s(construct(REGEX, "a", i=True, m=True)) == "#/a/im"
    with pytest.raises(ArgumentException, match="Regexp requires a pattern string, got VkInt"):
        construct(REGEX, 5)
    with pytest.raises(ArgumentException, match=r"Invalid regular expression #/\(/: missing \)"):
        construct(REGEX, "(")
    with pytest.raises(ArgumentException, match="Regexp requires a string to search, got VkInt"):
        send(regex, "find", 5)
    with pytest.raises(ArgumentException, match=r"Regexp\.replace requires target and replacement"):
        send(regex, "replace", "abc")


def test_arrays_and_maps_write_themselves_as_json():
    """to_json exists on these two kinds only."""
    assert send([1, {"k": "v"}, None], "to_json") == '[1,{"k":"v"},null]'
    assert send({"e": []}, "to_json") == '{"e":[]}'
