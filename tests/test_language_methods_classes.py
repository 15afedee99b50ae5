"""Methods and classes: self, properties, inheritance, lookup, and their errors."""

import pytest
from support import fails, run, value

POINT = """
(class Point
  (ctor [/x /y = 0])
  (method sum [] (/x + /y))
  (method add [o] (new Point (/x + o/x) (/y + o/y)))
  (method move [d] (/x += d) self)
  (method each_twice [xs] (xs .map (fn [v] (v * /x))))
  (fn /origin [] (new Point 0 0))
  (var /count 3))
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("((new Point 1 2) .sum)", 3),
        ("((new Point 1) .sum)", 1),
        ("(var p (new Point 1 2)) p/.sum", 3),
        ("(var p (new Point 1 2)) [p/x p/y]", [1, 2]),
        ("(((new Point 1 2) .add (new Point 3 4)) .sum)", 10),
        ("((new Point 1 2) .move 5; .sum)", 8),
        ("((new Point 3 0) .each_twice [1 2])", [3, 6]),
        ("((Point/origin) .sum)", 0),
        ("Point/count", 3),
        ("(var p (new Point 1)) (p/x = 9) (p/z = 4) [p/x p/z (p .x)]", [9, 4, 9]),
        ("(((new Point 1) .class) .name)", "Point"),
        ("((new Point 1) is Point)", True),
        ("(typeof (new Point 1))", "Point"),
        ('((new Point 1) . "sum")', 1),
        ('(var m "sum") ((new Point 4) . m)', 4),
        ("(var p (new Point 1)) [(p == p) (p == (new Point 1))]", [True, False]),
    ],
)
def test_instances(text, expected):
    """Constructors, properties, methods, members of the class."""
    assert value(f"{POINT} {text}") == expected


def test_inheritance():
    """Methods are inherited, constructors are not; super reaches the parent's."""
    program = """
    (class A (ctor [/x]) (method hi [] "A") (method who [] (.hi)))
    (class B < A (ctor [x] (super .ctor (x * 2))) (method hi [] ($ "B" (super .hi))))
    (class C < A)
    """
    assert value(f"{program} (var b (new B 2)) [b/x (b .hi) (b .who) (b is A)]") == [4, "BA", "BA", True]
    assert repr(value(f"{program} (var c (new C 5)) [c/x (c .hi)]")) == "[void, 'A']"
    assert (
        value("(class A (method m [] 1)) (class B < A (method m [] ((fn [] (super .m))))) ((new B) .m)") == 1
    )


def test_closures_in_methods_keep_self():
    """An inner function sees the self of the method around it."""
    assert (
        value("(class A (ctor [/n]) (method f [] (fn [x] (/n += x) /n))) (var g ((new A 1) .f)) (g 2) (g 3)")
        == 6
    )
    assert value(
        "(class A (ctor [/n]) (method fs [] (var r []) (for x in [1 2] (r .push (fn [] (x + /n)))) (r .map (fn [f] (f))))) ((new A 10) .fs)"
    ) == [11, 12]


def test_lookup_of_methods():
    """Own method, inherited method, property, on_method_missing, in this order."""
    assert value("(class A (on_method_missing [name args...] [name args])) ((new A) .foo 1 2)") == [
        "foo",
        [1, 2],
    ]
    assert value("(class A (ctor [/x]) (method y [] 2)) (var a (new A 1)) [(a .x) (a .y)]") == [1, 2]
    assert value('(class A (ctor [/x]) (method "==" [o] (/x == o/x))) ((new A 1) == (new A 1))') is True


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('("a" .nope)', "Method nope not found on VkString"),
        ("([] .nope)", "Method nope not found on VkArray"),
        ("({} .nope)", "Method nope not found on VkMap"),
        ("({^f 1} .f)", "Method f not found on VkMap"),
        ("((fn []) .nope)", "Method nope not found on VkFunction"),
        ("(5 .nope)", "Unified method call not supported for VkInt"),
        ("(5.0 .nope)", "Unified method call not supported for VkFloat"),
        ("(true .nope)", "Unified method call not supported for VkBool"),
        ("(void .nope)", "Unified method call not supported for VkVoid"),
        ("(class A) ((new A) .nope 1)", "Method nope not found on instance"),
        ("(class A (method m [x] x)) ((new A) .m)", "Expected 2 arguments, got 1"),
        ("(class A (method m [x] x)) ((new A) .m 1 2)", "Expected 2 arguments, got 3"),
        ("(new void)", "new requires a class, got VkVoid"),
        ("(new 5)", "new requires a class, got VkInt"),
        ("(new Int 5)", "new makes no Int: its values are literals, or results of functions"),
        ("(class A (ctor []) (ctor []))", "Class 'A' already has a constructor"),
        ("(class A (method m! [] 1))", "a method's name cannot end in !: m!"),
        ("(super .m)", "super is used outside of a method"),
    ],
)
def test_methods_that_fail(text, message):
    """Messages of methods that are not there, by kind, and of classes that mean nothing."""
    assert fails(text) == message


def test_nil_answers_every_method():
    """nil gives nil for any method, whatever the arguments."""
    assert value("(var n nil) [(n .anything 1 2) n/.x (n .to_s) (n .empty?)]") == [None, None, "", True]


def test_self_outside_of_methods_is_nil():
    """There is no self outside of methods."""
    assert value("(fn f [] self) [(f) self]") == [None, None]


def test_printing_never_calls_methods():
    """println and interpolation do not call a to_s that a class defines."""
    assert run('(class A (method to_s [] "mine")) (var a (new A)) (println a #"#{a}" (a .to_s))')[1] == (
        "VkInstance VkInstance mine\n"
    )


def test_names_of_python_are_ordinary_properties():
    """Properties may be called as attributes of Python objects are."""
    program = "(class A (ctor [] (/__class__ = 5) (/__dict__ = 6) (/args = 7)) (method m [] [/__class__ /__dict__ /args /__init__]))"
    assert repr(value(f"{program} ((new A) .m)")) == "[5, 6, 7, void]"
    assert value(f"{program} (var a (new A)) [a/__class__ a/__dict__]") == [5, 6]
