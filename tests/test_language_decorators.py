"""Decorators: ``#@f datum`` reads as ``(f datum)``."""

from __future__ import annotations

from support import fails, output, value

from gene.runtime.text import inspect

TWICE = "(fn twice [f] (fn [x] (f (f x))))"


def test_a_decorator_is_a_call():
    """Of the datum after ``#@`` with the datum after that."""
    assert inspect(value("`[#@f x #@(f 1) x #@a #@b x]")) == "[(f x) ((f 1) x) (a (b x))]"
    assert output("#@println 5") == "5\n"
    assert value("(fn f [x] [x]) [#@f 1 #@f 2]") == [[1], [2]]


def test_functions_are_decorated_where_they_are_made():
    """The value of the decorated form is what the decorator returns."""
    assert value(f"{TWICE} (var g #@twice (fn [x] (x + 1))) (g 1)") == 3
    assert (
        value("(fn scaled [n] (fn [f] (fn [x] (n * (f x))))) (var g #@(scaled 10) (fn [x] (x + 1))) (g 1)")
        == 20
    )


def test_decorators_apply_from_the_inside():
    """The one next to the function first."""
    tags = '(fn a [f] (fn [x] ($ "a" (f x)))) (fn b [f] (fn [x] ($ "b" (f x))))'
    assert value(f'{tags} (var g #@a #@b (fn [x] x)) (g "x")') == "abx"


def test_a_decorator_may_keep_the_function():
    """Such as to register it: the name stays that of the function itself."""
    text = '(var handlers []) (fn register [f] (handlers .push f) f) #@register (fn go [] "went")'
    assert value(f"{text} (var h handlers/0) [(go) (h)]") == ["went", "went"]


def test_a_name_keeps_the_function_itself():
    """What a decorator returns for a named function is the value of the form, not of the name."""
    assert value(f"{TWICE} #@twice (fn g [x] (x + 1)) (g 1)") == 2


def test_a_decorator_needs_two_data():
    """A function and what it is applied to."""
    assert fails("#@f") == "EOF while reading the datum after #@"


def test_members_of_classes_have_no_decorators():
    """A class body holds definitions."""
    assert fails("(class A #@f (method m [] 1))") == "class A: f is no member of a class"
