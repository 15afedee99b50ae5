"""Interfaces and adapters."""

from __future__ import annotations

import pytest
from support import fails, output, value

SHAPE = "(interface Shape (method area []))"


def test_classes_implement_interfaces():
    """One or several; then they are of the interface's type, and so are their children."""
    text = f"{SHAPE} (interface Named (method name []) (field label String))"
    classes = '(class Sq implements [Shape Named] (ctor [/s]) (method area [] (/s * /s)) (method name [] "sq")) (class Sub < Sq)'
    assert value(
        f"{text} {classes} (var s (new Sq 3)) [(s is Shape) (s is Named) ((new Sub) is Shape) (1 is Shape)]"
    ) == [
        True,
        True,
        True,
        False,
    ]
    assert value(f"{SHAPE} (class A implements Shape (method area [] 2)) ((new A) is Shape)") is True


def test_interfaces_are_implemented_in_the_class():
    """``implement`` in a class body groups the methods that an interface asks for."""
    text = f"{SHAPE} (class A (ctor [/s]) (implement Shape (method area [] (.squared))) (method squared [] (/s * /s)))"
    assert value(f"{text} [((new A 3) .area) ((new A 1) is Shape)]") == [9, True]


def test_interfaces_may_stand_behind():
    """Definitions of a file are made after what they name."""
    text = f"(class A implements [Shape] (method area [] 1)) (implement Shape for B (method area [] 2)) (class B) {SHAPE}"
    assert output(f"{text} (println ((new A) .area) ((Shape (new B)) .area))") == "1 2\n"


def test_interfaces_have_names():
    """As classes do."""
    assert value(f"{SHAPE} [(Shape .name) (typeof Shape)]") == ["Shape", "Interface"]


def test_missing_methods_are_refused():
    """Before the program runs, or, where a parent may have them, when the class is made."""
    message = "Type error: class C does not implement method area required by interface Shape"
    assert fails(f'(println "ran") {SHAPE} (class C implements [Shape])') == message
    assert fails(f"{SHAPE} (class P) (class C < P implements [Shape])") == message
    assert (
        value(f"{SHAPE} (class P (method area [] 1)) (class C < P implements [Shape]) ((new C) is Shape)")
        is True
    )


def test_interfaces_are_types():
    """Of parameters, whatever the order of the definitions."""
    text = f"(fn f [x: Shape] (x .area)) {SHAPE} (class A implements [Shape] (method area [] 5))"
    assert value(f"{text} (f (new A))") == 5
    assert fails(f"{text} (f 3)") == "Type error [GENE_TYPE_MISMATCH]: expected Shape, got Int in x"


def test_adapters():
    """``implement`` outside of the class; calling the interface wraps an object, ``/inner`` is the object."""
    text = f"{SHAPE} (class Sq (ctor [/s])) (implement Shape for Sq (method area [] (/inner/s * /inner/s)) (method twice [] ((.area) * 2)))"
    assert value(
        f"{text} (var a (Shape (new Sq 3))) [(a .area) (a .twice) a/inner/s (a is Shape) ((new Sq 1) is Shape)]"
    ) == [
        9,
        18,
        3,
        True,
        False,
    ]


def test_adapters_have_methods_of_their_own():
    """Those of the object are reached through ``/inner``."""
    text = f"{SHAPE} (class Sq (method side [] 2)) (implement Shape for Sq (method area [] ((/inner .side) * 2)))"
    assert value(f"{text} (var a (Shape (new Sq))) (a .area)") == 4
    assert fails(f"{text} (var a (Shape (new Sq))) (a .side)") == "Method side not found on instance"


def test_adapters_of_built_in_kinds():
    """Strings, numbers, arrays: anything with a class."""
    text = '(interface Greets (method hi [])) (implement Greets for String (method hi [] ($ "hi " /inner)))'
    assert value(f'{text} ((Greets "bob") .hi)') == "hi bob"
    assert (
        value(f"{SHAPE} (implement Shape for Array (method area [] (/inner .size))) ((Shape [1 2]) .area)")
        == 2
    )


def test_adapters_serve_children():
    """The nearest class that has an adapter counts."""
    text = f"{SHAPE} (class A) (class B < A) (implement Shape for A (method area [] 1))"
    assert value(f"{text} ((Shape (new B)) .area)") == 1
    assert value(f"{text} (implement Shape for B (method area [] 2)) ((Shape (new B)) .area)") == 2


def test_constructors_of_adapters():
    """They get what the interface was called with, the object first."""
    text = f"{SHAPE} (implement Shape for Int (ctor [object k = 1] (/k = (object * k))) (method area [] /k))"
    assert value(f"{text} [((Shape 4) .area) ((Shape 4 10) .area)]") == [4, 40]


def test_what_implements_needs_no_adapter():
    """The interface gives such an object back as it is, adapters too."""
    text = f"{SHAPE} (class A implements [Shape] (method area [] 1)) (implement Shape for Int (method area [] /inner))"
    assert value(f"{text} (var a (new A)) (var i (Shape 5)) [((Shape a) == a) ((Shape i) == i)]") == [
        True,
        True,
    ]


def test_objects_without_adapter_are_refused():
    """Naming both sides."""
    assert fails(f"{SHAPE} (Shape 5)") == "Int does not implement Shape, and no adapter is defined"
    assert (
        fails(f"{SHAPE} (class A) (Shape (new A))") == "A does not implement Shape, and no adapter is defined"
    )


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("(interface)", "interface needs a name"),
        ("(interface I (method m))", "interface I: a method needs a parameter list"),
        ("(interface I (foo m))", "interface I: a method or a field is expected"),
        ("(class C implements [5])", "implements expects interfaces, got VkInt"),
        (
            f"{SHAPE} (implement Shape for 5 (method area [] 1))",
            "implement expects a class after for, got VkInt",
        ),
        ("(implement 5 for Int (method m [] 1))", "implement expects an interface, got VkInt"),
        (f"{SHAPE} (implement Shape Int)", "implement: expected an interface, for, and a class"),
        (f"{SHAPE} (Shape)", "Shape requires a value to see as a Shape"),
        (f"{SHAPE} (class A (implement))", "implement: expected an interface"),
        (f"{SHAPE} (class A (implement Shape 5))", "class A: methods of the interface are expected"),
        (
            f"{SHAPE} (class A (implement Shape))",
            "Type error: class A does not implement method area required by interface Shape",
        ),
        (
            f"{SHAPE} (class A) (implement Shape for A (method m [] 1))",
            "Type error: class A does not implement method area required by interface Shape",
        ),
    ],
)
def test_mistakes(program, message):
    """Each says what is expected."""
    assert fails(program) == message
