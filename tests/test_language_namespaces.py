"""Namespaces, members of the module, and names that start with a dollar sign."""

from __future__ import annotations

import pytest
from support import fails, output, value

from gene.interpreter import Interpreter
from gene.runtime.text import inspect
from gene.stdlib.capabilities import ALL


def shown(text):
    """The value of a program as the REPL shows it."""
    return inspect(value(text))


# -- members ---------------------------------------------------------------------------------------------


def test_members_are_written_with_a_slash():
    """``/x`` and ``$ns/x`` in the body are members; plain definitions are private."""
    text = "(ns /util (fn /f [] 1) (var /v 2) (var $ns/w 3) (var hidden 4) (fn secret [] 5))"
    assert shown(f"{text} [(util/f) util/v util/w util/hidden util/secret]") == "[1 2 3 void void]"
    assert value(f"{text} [(typeof util) (util .name)]") == ["VkNamespace", "util"]


def test_the_slash_of_the_name_is_optional_at_the_top():
    """``(ns Name …)`` and ``(ns /Name …)`` are the same there."""
    assert value("(ns a (var /x 1)) (ns /b (var /x 2)) [a/x b/x]") == [1, 2]


def test_the_body_knows_its_members_by_name():
    """Plain names in the body mean members, for reading and assigning."""
    assert value("(ns /n (var /x 1) (fn /inc [] (x = (x + 1)) x)) (n/inc) (n/inc) n/x") == 3
    assert value("(ns /n (var /x 1) (fn /inc [] (/x += 1) x) (fn /get [] $ns/x)) (n/inc) (n/get)") == 2


def test_members_can_be_used_before_their_definition():
    """Functions of a body call each other in any order, and classes make instances in theirs."""
    assert value('(ns /n (fn /f [] (g)) (fn /g [] "g")) (n/f)') == "g"
    assert (
        value(
            "(ns /n (fn /even [k] (if (k == 0) true else (odd (k - 1)))) (fn /odd [k] (if (k == 0) false else (even (k - 1))))) (n/even 10)"
        )
        is True
    )
    assert value('(ns /n (class /C (fn /make [] (new C)) (method m [] "m"))) ((n/C/make) .m)') == "m"


def test_private_names_are_shared_by_the_body():
    """A plain variable of the body is a variable of its functions."""
    assert value("(ns /n (var x 1) (fn /get [] x) (fn /set [v] (x = v))) (n/set 5) (n/get)") == 5


def test_a_namespace_can_be_opened_again():
    """The second body adds to it, and knows what the first defined."""
    assert value("(ns /n (var /x 1)) (ns /n (var /y (x + 1)) (fn /f [] [x y])) (n/f)") == [1, 2]


def test_members_from_outside():
    """``(fn N/f …)``, ``(class N/C …)``, ``(var N/x …)`` and assignments add members."""
    assert value(
        "(ns /n) (fn n/f [] 1) (class n/C (method m [] 2)) (var n/x 3) (n/y = 4) [(n/f) ((new n/C) .m) n/x n/y]"
    ) == [1, 2, 3, 4]
    assert value("(ns /n (var /x 1)) (n/x += 4) n/x") == 5
    assert value("(fn f [] (ns local) (fn local/g [] 1) (local/g)) (f)") == 1
    assert value("(class C) (fn C/make [] (new C)) ((C/make) is C)") is True


@pytest.mark.parametrize(
    "form",
    [
        "(fn nope/f [] 1)",
        "(class nope/C)",
        "(enum nope/E a)",
        "(interface nope/I)",
        "(type nope/T Int)",
        "(object nope/o)",
        "(ns /nope/inner)",
        "(ns nope/inner)",
        "(fn nope/inner/f [] 1)",
    ],
)
def test_definitions_need_their_namespace(form):
    """A member is added only to what is there."""
    assert fails(form) == "Namespace nope not found"


def test_functions_from_outside_know_the_module():
    """They stand outside of the body, so its members have no plain names there."""
    text = "(var x 1) (ns /n (var /x 2) (fn /inside [] x)) (fn n/outside [] x)"
    assert value(f"{text} [(n/inside) (n/outside)]") == [2, 1]


@pytest.mark.parametrize("form", ["(ns)", "(ns 5)", '(ns "n")', "(ns /)", "(ns [n])"])
def test_namespaces_have_names(form):
    """Anything else is refused."""
    assert fails(form) == "ns needs a name"


def test_nested_namespaces():
    """By nesting, or by a path; inner bodies know the members of outer ones, and may hide them."""
    assert value("(ns /a (ns /b (var /x 1))) a/b/x") == 1
    assert value("(ns /a) (ns /a/b (var /x 1)) (ns a/b (var /y 2)) [a/b/x a/b/y]") == [1, 2]
    assert value("(ns /a (var /x 1) (var /y 1) (ns /b (var /y 2) (fn /f [] [x y]))) (a/b/f)") == [1, 2]
    assert value('(ns /a (ns /b (fn /f [] (g))) (fn /g [] "later")) (a/b/f)') == "later"


def test_every_kind_of_definition_can_be_a_member():
    """Classes with parents, enums, interfaces, singletons, types and macros."""
    text = """
        (ns /n
          (class /A (ctor [/v]) (method m [] "a"))
          (class /B < A (ctor [v] (super .ctor v)) (method m [] ($ (super .m) "b" /v)))
          (enum /E one (two v))
          (interface /I (method m []))
          (object /only (method m [] "only"))
          (type /Text (String | Nil))
          (fn /same! [x] x))
        (fn typed [x: n/Text] x)
    """
    assert value(f'{text} [((new n/B 1) .m) ((n/E/two 5) .v) (n/only .m) (typed "t")]') == [
        "ab1",
        5,
        "only",
        "t",
    ]
    assert shown(f"{text} [n/E/one (n/same! (f 1)) n/I]") == "[E/one (f 1) I]"
    assert value(f"{text} (case (n/E/two 5) when n/E/one 1 when (n/E/two v) v)") == 5


def test_namespaces_in_functions_are_local():
    """They are values like any other."""
    assert value("(fn f [] (ns n (var /x 3)) n/x) (f)") == 3
    assert fails("(fn f [] (ns n (var /x 3))) (f) n") == "n is not defined"


def test_tail_calls_of_members():
    """They grow no stack."""
    assert value('(ns /n (fn /f [k] (if (k == 0) "done" else (f (k - 1))))) (n/f 100000)') == "done"


def test_methods_of_namespaces():
    """A namespace answers like a map of its members."""
    space = "(ns /n (var /x 1) (var /y 2))"
    assert value(f'{space} [(n .has "x") (n .has "z") (n .get "x") (n .get "z") (n .get "z" 0)]') == [
        True,
        False,
        1,
        None,
        0,
    ]
    assert value(f"{space} [(n .keys) (n .values) (n .pairs) (n .size) (n .empty?)]") == [
        ["x", "y"],
        [1, 2],
        [["x", 1], ["y", 2]],
        2,
        False,
    ]
    assert value(f"{space} [(n .map (fn [k v] (v * 2))) (n .reduce 0 (fn [s k v] (s + v)))]") == [
        {"x": 2, "y": 4},
        3,
    ]
    assert value(f'{space} (n .set "z" 3) (n .del "x") (n .each (fn [k v] nil)) [n/z (n .keys)]') == [
        3,
        ["y", "z"],
    ]
    assert value(f"{space} (n .clear) (n .size)") == 0


def test_missing_members():
    """They are void, unless a handler answers for them."""
    assert shown("(ns /n) n/x") == "void"
    assert fails("(ns /n) (n/x 1)") == "IkUnifiedCall1 requires a callable, got VkVoid"
    assert value('(ns /n) (n .on_member_missing (fn [name] ($ "no " name))) [n/foo (n .get "bar")]') == [
        "no foo",
        "no bar",
    ]


def test_imports_belong_to_the_top_level():
    """Not into namespaces."""
    assert fails('(ns /n (import x from "y"))').startswith("import is compile-time only")
    assert fails("(ns /n (export x))") == "export is possible only at the top level of a module"


# -- the namespace of the module -------------------------------------------------------------------------


def test_members_of_the_module():
    """``$ns/x``, ``/x`` and plain ``x`` are one variable at the top level."""
    assert value("(var $ns/a 1) (fn f [] ($ns/a = 2) $ns/a) [(f) a /a]") == [2, 2, 2]
    assert value("(var /b 1) (fn f [] (/b = 3) /b) [(f) b $ns/b]") == [3, 3, 3]
    assert value("(fn $ns/f [] 1) (fn /g [] 2) [(f) (g) ($ns/f)]") == [1, 2, 1]
    assert value("(var x 1) [(typeof $ns) ($ns .has `x)]") == ["VkNamespace", True]


# -- dollar names ----------------------------------------------------------------------------------------


def test_process_global_variables():
    """``$x`` is one variable for all modules."""
    assert value("(var $g 5) (fn f [] ($g = ($g + 1)) $g) [(f) $g]") == [6, 6]
    assert fails("$nope") == "$nope is not defined"


def test_global_functions_have_dollar_names():
    """Also where a variable hides the plain name."""
    assert value('(var len 5) [len ($len "abc")]') == [5, 3]


def test_arguments_and_environment():
    """``$args``, ``$program`` and ``$env``."""
    interpreter = Interpreter(capabilities=ALL, args=["a", "b"], program="prog.gene")
    assert interpreter.eval("[$args $program (typeof $env)]") == [["a", "b"], "prog.gene", "Map"]


def test_if_main():
    """Its forms run in the program that was started."""
    assert output('($if_main (println "main"))') == "main\n"
    assert output("(println ($if_main 1 2))") == "2\n"
    assert value("($if_main 1 2)") == 2


def test_tap():
    """``$tap`` gives its value after forms that see it under a name."""
    assert value("($tap [1] :xs (xs .push 2) (xs .push 3))") == [1, 2, 3]
    assert value("($tap [1] (it .push 2))") == [1, 2]
    assert value("(var it 7) ($tap 1 (it = 2)) it") == 7
