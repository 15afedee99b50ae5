"""Selectors: paths as values, with steps that lead to many things, and ``$set``."""

from __future__ import annotations

import pytest
from support import fails, output, value

from gene.runtime.text import inspect

DATA = '(var m {^users [{^name "ann" ^tags ["a" "b"]} {^name "bob" ^age 7}] ^n nil})'


def shown(text):
    """The value of a program as the REPL shows it."""
    return inspect(value(text))


@pytest.mark.parametrize(
    "expression",
    [
        "(@users/0/name m)",
        "(m .@users/0/name)",
        '((@ "users" 0 "name") m)',
        "((@ `users 0 `name) m)",
        '(m ./ "users" ./ 0 ./ "name")',
        "(m ./ `users ./ 0 ./ `name)",
        '(var k "name") (m ./ "users" ./ 0 ./ k)',
        "(m ./ @users/0/name)",
        "(var s @users/0/name) (s m)",
        "(var i 0) (@users/<i>/name m)",
        '(var k "users") (var q {^k "name"}) (@<k>/0/<q/k> m)',
        "(@users/-2/name m)",
        "(@users/!/0/!/name/! m)",
        "m/users/0/name",
    ],
)
def test_ways_to_select(expression):
    """All of them lead to the same."""
    assert value(f"{DATA} {expression}") == "ann"


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("@users/*/name", '["ann" "bob"]'),
        ("@users/*/age", "[7]"),
        ("@users/*/nope", "[]"),
        ("@users/*/tags/*", '["a" "b"]'),
        ("@users/0/*", '["ann" ["a" "b"]]'),
        ("@**/name", '["ann" "bob"]'),
        ("@users/0/tags/.size", "2"),
        ("@users/*/name/.to_upper", '["ANN" "BOB"]'),
        ("@users/0/zz/zz", "void"),
        ("@n/zz", "nil"),
        ("@n/*", "[]"),
        ("@zz/*", "[]"),
    ],
)
def test_steps(selector, expected):
    """``*`` goes to each item, ``**`` to everything below, ``.method`` calls; what is missing is left out."""
    tags = "" if selector != "@users/*/tags/*" else "(m/users .del 1)"
    assert shown(f"{DATA} {tags} ({selector} m)") == expected


def test_everything_below():
    """``**`` starts with the value itself, outer things first, and ends in data that contains itself."""
    assert shown("(var m {^a [1 {^b 2}]}) (@** m)") == "[{^a [1 {^b 2}]} [1 {^b 2}] 1 {^b 2} 2]"
    assert value("(var a [1]) (a .push a) (len (@** a))") == 2


def test_steps_that_transform():
    """``:name`` calls the function of that name; in ``(@ …)`` any function is a step."""
    assert value(f"{DATA} (fn up [s] (s .to_upper)) [(@users/0/name/:up m) (@users/*/name/:up m)]") == [
        "ANN",
        ["ANN", "BOB"],
    ]
    assert value(f'{DATA} ((@ "users" "*" "name" (fn [s] ($ s "!"))) m)') == ["ann!", "bob!"]
    assert value("(fn f [suffix] (fn add [s] ($ s suffix)) (@name/:add {^name 1})) (f 2)") == "12"


def test_strict_steps():
    """``!`` fails where nothing is; in many it fails for each one."""
    assert fails(f"{DATA} (@zz/! m)") == "Selector did not match (VOID)"
    assert fails(f"{DATA} (@n/! m)") == "Selector matched but value is nil"
    assert fails(f"{DATA} m/zz/!/more") == "Selector did not match (VOID)"
    assert value("(@a/!/b {^a {^b 1}})") == 1
    assert fails("(@*/x/! [{^x 1} {}])") == "Selector did not match (VOID)"
    assert fails("(@*/x/! [{^x 1} {^x nil}])") == "Selector matched but value is nil"
    assert value("(@*/x/!/y [{^x {^y 1}} {^x {}}])") == [1]


def test_steps_pass_over_what_is_missing():
    """Behind ``*`` no method and no function is called on nil or void."""
    assert value(
        '(fn twice [x] (x * 2)) [(@*/x/:twice [{^x 1} {} {^x nil}]) (@*/x/.trim [{^x " a "} {}])]'
    ) == [[2], ["a"]]
    assert value("(fn void_of [x] void) (fn nil_of [x] nil) [(@*/:void_of [1]) (@*/:nil_of [1])]") == [
        [],
        [None],
    ]


def test_selectors_are_functions():
    """They can be passed on."""
    assert value(f"{DATA} (m/users .map @name)") == ["ann", "bob"]
    assert value(f"{DATA} ((m/users .filter @age) .size)") == 1
    assert output("(println @users/0 @a (typeof @a/b) (@ 1 `b))") == "@(users/0) @(a) Selector @(1/b)\n"


def test_what_selectors_look_into():
    """Instances, genes and namespaces as well as arrays and maps."""
    assert value("(class P (ctor [/x])) (@x (new P 5))") == 5
    assert value("(var g `(f ^a 1 2)) [(@a g) (@0 g) (@* g)]") == [1, 2, [2]]
    assert value("(ns /n (var /x 1)) (@x n)") == 1
    assert fails("(@* 5)") == "* selects from an Array or a Map, got VkInt"


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("(var k nil) (@<k> {})", "Dynamic selector segment cannot be nil"),
        ("(var k nil) (var m {}) m/<k>", "Dynamic selector segment cannot be nil"),
        ("(var k []) (@<k> {})", "Invalid property type: VkArray"),
        ('(@ "a" nil)', "Dynamic selector segment cannot be nil"),
        ('(@ "a" [])', "Invalid property type: VkArray"),
        ("(var k nil) ({^a 1} ./ k)", "Dynamic selector segment cannot be nil"),
        ("(@a)", "Expected 1 arguments, got 0"),
        ("(@a {} {})", "Expected 1 arguments, got 2"),
        ("(@a/:nope {})", "nope is not defined"),
        ("(@a/@@ {})", "@@ is no step of a selector"),
    ],
)
def test_steps_that_mean_nothing(program, message):
    """Are errors, not misses."""
    assert fails(program) == message


# -- $set ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("(var m {^a {^b 1}}) ($set m @a/b 5) m", "{^a {^b 5}}"),
        ("(var m {}) ($set m @a 5) m", "{^a 5}"),
        ("(var m {^xs [1 {^k 2}]}) ($set m @xs/1/k 5) ($set m @xs/0 7) m", "{^xs [7 {^k 5}]}"),
        ("(var m {^xs [{^a 1} {^a 2}]}) ($set m @xs/*/a 7) m", "{^xs [{^a 7} {^a 7}]}"),
        ("(var k `a) (var m {^a 1}) ($set m @<k> 2) m", "{^a 2}"),
        ("(var g `(f ^a 1 2 3)) ($set g @a 9) ($set g @0 8) g", "(f ^a 9 8 3)"),
        ("(var m {^a 1}) ($set m @a 5)", "5"),
    ],
)
def test_set(program, expected):
    """It assigns what a selector leads to, everywhere, and its value is the value assigned."""
    assert shown(program) == expected


def test_set_of_instances():
    """Properties as by a path."""
    assert value("(class P (ctor [/x])) (var p (new P 1)) ($set p @x 9) p/x") == 9


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("($set {} @a)", "$set needs a target, a selector and a value"),
        ('($set {} "a" 1)', "$set expects a selector such as @a/b, got VkString"),
        ("(var m {^xs [1]}) ($set m @xs/5 7)", "Array index out of bounds: 5 (len=1)"),
        ("($set {} @a/b 1)", "Cannot set member on value of type: VkVoid"),
        (
            "($set {^a 1} @a/.to_s 1)",
            "$set cannot assign @(a/.to_s): its last step must be a key or an index",
        ),
        (
            "($set {^n 1} @**/n 1)",
            "$set cannot assign @(**/n): ** leads to everything, also to what has no members",
        ),
        ("($set [1] @* 1)", "$set cannot assign @(*): its last step must be a key or an index"),
    ],
)
def test_what_cannot_be_set(program, message):
    """Says so, and changes nothing."""
    assert fails(program) == message
