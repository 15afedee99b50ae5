"""Frozen literals, ``freeze``, and what is shared by reference."""

from __future__ import annotations

import pytest
from support import fails, value

from gene.runtime.text import inspect


def shown(text):
    """The value of a program as the REPL shows it."""
    return inspect(value(text))


def test_collections_are_shared():
    """Assigning, passing and storing a collection never copies it."""
    assert value("(var a [1]) (var b a) (b .push 2) a") == [1, 2]
    assert value("(fn f [m] (m/k = 1)) (var m {}) (f m) m") == {"k": 1}
    assert value("(var a [1]) (var m {^a a}) (m/a .push 2) a") == [1, 2]


def test_strings_do_not_change():
    """Every method returns a new string."""
    assert value('(var s "ab") (s .to_upper) (s .append "c") s') == "ab"


@pytest.mark.parametrize("literal", ["#[1 2]", "#{^a 1}", "#{{1 2}}", "#[]", "#{}"])
def test_frozen_literals_print_as_written(literal):
    """Also in containers."""
    assert shown(literal) == literal
    assert shown(f"[{literal}]") == f"[{literal}]"


def test_frozen_collections_equal_others():
    """They are of the same kind and equal where their contents are; copies of them are not frozen."""
    assert value("[(#[1] == [1]) (#{^a 1} == {^a 1}) (#[1] is Array) (#{} is Map) (typeof #[1])]") == [
        True,
        True,
        True,
        True,
        "Array",
    ]
    assert value("(var xs #[1 2]) (var ys (xs .map (fn [x] x))) (ys .push 3) ys") == [1, 2, 3]
    assert value("(var m #{^a 1}) {^... m ^b 2}") == {"a": 1, "b": 2}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("(var f #[1]) (f .push 2)", "Cannot append to sealed array"),
        ("(var f #[1]) (f .append 2)", "Cannot append to sealed array"),
        ("(var f #[1]) (f/0 = 2)", "Cannot set item on sealed array"),
        ("(var f #[1]) (f/0 += 2)", "Cannot set item on sealed array"),
        ("(var f #[1]) (f .set 0 2)", "Cannot set item on sealed array"),
        ("(var f #[1]) (f .pop)", "Cannot remove from sealed array"),
        ("(var f #[1]) (f .del 0)", "Cannot remove from sealed array"),
        ("(var f #[1]) (f .clear)", "Cannot clear sealed array"),
        ("(var f #{^a 1}) (f/a = 2)", "Cannot set item on sealed map"),
        ("(var f #{^a 1}) (f/b = 2)", "Cannot set item on sealed map"),
        ("(var f #{^a 1}) (f/a += 2)", "Cannot set item on sealed map"),
        ('(var f #{^a 1}) (f .set "a" 2)', "Cannot set item on sealed map"),
        ("(var f #{^a 1}) (f .merge {^b 1})", "Cannot set item on sealed map"),
        ('(var f #{^a 1}) (f .del "a")', "Cannot remove from sealed map"),
        ("(var f #{^a 1}) (f .clear)", "Cannot clear sealed map"),
        ("(var f #{{1 2}}) (f .set 1 3)", "Cannot set item on sealed hash map"),
        ("(var f `#(f 1)) (f .add_child 2)", "Cannot set item on sealed gene"),
    ],
)
def test_frozen_collections_refuse_changes(change, message):
    """By methods and by assignment."""
    assert fails(change) == message


def test_data_that_is_read_stays_frozen():
    """Quoted, parsed, rendered or evaluated."""
    data = "[#[1] #{^a 1} #{{1 2}} #(f 1)]"
    assert shown(f"`{data}") == data
    assert shown(f'($parse "{data}")') == data
    assert shown('(var t ($parse "[#[%x] #{^a %x} #{{%x %x}} #(f %x)]")) (var x 1) ($render t)') == (
        "[#[1] #{^a 1} #{{1 1}} #(f 1)]"
    )


def test_a_refused_change_changes_nothing():
    """What was frozen is as it was."""
    assert shown("(var f #[1 2]) (try (f .push 3) catch * nil) (try (f/0 = 9) catch * nil) f") == "#[1 2]"


def test_literals_are_frozen_at_their_top():
    """What they contain can change; ``freeze`` goes all the way down."""
    assert shown("(var f #{^a {^b 1}}) (f/a/b = 2) f") == "#{^a {^b 2}}"
    assert fails("(var f (freeze {^a {^b 1}})) (f/a/b = 2)") == "Cannot set item on sealed map"


def test_freeze_copies():
    """The original can still change, and the copy does not follow."""
    assert shown("(var m {^a [1]}) (var f (freeze m)) (m/a .push 2) [m f]") == "[{^a [1 2]} #{^a #[1]}]"


def test_freeze_covers_all_data():
    """Arrays, maps, hash maps, hash sets and genes; what cannot change is returned as it is."""
    assert shown("(freeze [1 {^a [2]} {{1 [2]}} `(f [1] ^k {^x 1})])") == (
        "#[1 #{^a #[2]} #{{1 #[2]}} #(f ^k #{^x 1} #[1])]"
    )
    assert shown('[(freeze 1) (freeze "s") (freeze nil) (freeze `x) (freeze 2024-01-01)]') == (
        '[1 "s" nil x 2024-01-01]'
    )


def test_instances_cannot_be_frozen():
    """An object has behaviour that a frozen copy could not keep."""
    assert fails("(class A) (freeze [(new A)])") == "Cannot freeze A: only data can be frozen"


def test_immutable_can_be_asked():
    """``immutable?`` of arrays, maps and genes."""
    assert value(
        "(var g `#(f)) [(#[1] .immutable?) ([1] .immutable?) (#{} .immutable?) ({} .immutable?) (g .immutable?)]"
    ) == [
        True,
        False,
        True,
        False,
        True,
    ]
