"""Quoting: data written as code is, genes, and templates that ``$render`` fills."""

from __future__ import annotations

import sys
import time

import pytest
from support import fails, output, run, value

from gene.data.atoms import PathSymbol, Symbol
from gene.data.forms import Gene
from gene.interpreter import Interpreter
from gene.runtime.text import inspect, to_s


def shown(text):
    """The value of a program as the REPL shows it."""
    return inspect(value(text))


# -- quoting ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "datum",
    [
        "(f ^a 1 2 x)",
        "[1 x (f)]",
        "{^k x}",
        "{{1 x}}",
        "#[1 x]",
        "#{^k x}",
        "#(f 1)",
        "'c'",
        '"s"',
        "1.5",
        "2024-01-01",
        "#/x/i",
        "0#dead",
        "a/b/0",
        "nil",
        "void",
        "`q",
        "(a %b %_c)",
        "(f ^... m)",
        "(f xs...)",
        "(((a b) c d) e)",
    ],
)
def test_quoted_data_is_what_is_written(datum):
    """Nothing in quoted data is evaluated, and it prints as it is written."""
    assert shown(f"`{datum}") == datum


def test_quoted_names_are_symbols():
    """A name is a Symbol, a path a ComplexSymbol, and a colon belongs to the name."""
    assert value("`x") == Symbol("x")
    assert value("`a/b") == PathSymbol(("a", "b"))
    assert value("[(typeof `x) (typeof `a/b) (typeof `:name)]") == ["Symbol", "ComplexSymbol", "Symbol"]


def test_quoted_literals_are_the_literals():
    """Quoting a number or a string changes nothing."""
    assert value('[`1 `"s" `nil `true]') == [1, "s", None, True]


def test_quoted_data_is_new_at_each_evaluation():
    """A function that returns quoted data returns data of its own each time."""
    assert value("(fn f [] `[1]) (var a (f)) (a .push 2) (f)") == [1]


def test_a_form_with_a_quoted_head_is_data():
    """Children and properties are evaluated, the head is not: a template for genes."""
    assert shown("(var x 2) (`div ^k (x + 1) (x * 2) `y)") == "(div ^k 3 4 y)"
    assert shown("(var x 2) (`(f 1) x)") == "((f 1) 2)"
    assert shown("(_ 1 (1 + 1))") == "(_ 1 2)"


def test_a_quoted_head_calls_nothing():
    """A method or an operator after quoted data is a child; a variable that holds the data has methods."""
    assert fails("(`(f 1) .to_s)") == ".to_s is not defined"
    assert fails("(`a == `b)") == "== is not defined"
    assert value("(var g `(f 1)) (g .to_s)") == "(f 1)"
    assert value("(var a `x) (a == `x)") is True


def test_a_frozen_form_is_data_with_an_evaluated_head():
    """``#(…)`` without a quote evaluates its head too."""
    assert shown("(var f 5) #(f (1 + 1))") == "#(5 2)"
    assert fails("#(nowhere 1)") == "nowhere is not defined"


# -- genes -----------------------------------------------------------------------------------------------


def test_parts_of_a_gene():
    """Type, properties and children by method; missing ones are nil."""
    gene = "(var g `(f ^a 1 ^b 2 10 20))"
    assert value(f"{gene} [(g .type) (g .genetype)]") == [Symbol("f"), Symbol("f")]
    assert value(f"{gene} [(g .props) (g .children)]") == [{"a": 1, "b": 2}, [10, 20]]
    assert value(f'{gene} [(g .get "a") (g .get `b) (g .get "z") (g .get "z" 0) (g .has "a")]') == [
        1,
        2,
        None,
        0,
        True,
    ]
    assert value(f"{gene} [(g .get_child 0) (g .get_child 9) (g .has_child 1) (g .contains 20)]") == [
        10,
        None,
        True,
        True,
    ]
    assert value(f"{gene} (len g)") == 2


def test_parts_of_a_gene_by_path():
    """Properties by name and children by index, also from the end; missing ones are void."""
    assert shown("(var g `(f ^a 1 10 20)) [g/a g/0 g/-1 g/zz g/9]") == "[1 10 20 void void]"


def test_genes_change():
    """Every part of a gene can be changed, by method and by path."""
    assert (
        shown(
            """(var g `(f 1))
            (g .set "k" 5) (g .add_child 2) (g .ins_child 0 0) (g .set_child 0 9) (g .del_child 1)
            (g .set_genetype `h) (g .del "k") (g/x = 1) (g/0 = 7) g"""
        )
        == "(h ^x 1 7 2)"
    )


def test_the_parts_of_a_gene_are_shared():
    """Changing the children or the properties of a gene changes the gene."""
    assert shown("(var g `(f)) (g/.children .push 1) (g/.props .set `k 2) g") == "(f ^k 2 1)"


def test_frozen_genes_do_not_change():
    """Every change of a frozen gene fails, also of what its methods give out."""
    assert fails('(var g `#(f 1)) (g .set "k" 1)') == "Cannot set item on sealed gene"
    assert fails("(var g `#(f 1)) (g/0 = 1)") == "Cannot set item on sealed gene"
    assert fails("(var g `#(f 1)) (g/.children .push 1)") == "Cannot append to sealed array"
    assert value("(var g `#(f 1)) (var h `(f 1)) [(g .immutable?) (h .immutable?)]") == [True, False]


def test_genes_are_equal_by_identity():
    """Two genes that look alike are two genes."""
    assert value("(var a `(f 1)) (var b `(f 1)) [(a == b) (a == a)]") == [False, True]


def test_genes_do_not_iterate():
    """A loop takes the children, not the gene."""
    assert fails("(for x in `(f 1) x)") == "Method iter not found on VkGene"
    assert output("(var g `(f 1 2)) (for x in g/.children (println x))") == "1\n2\n"


# -- reading ---------------------------------------------------------------------------------------------


def test_parse_reads_the_first_datum():
    """``$parse`` and ``gene/parse`` give the first datum of a text as data."""
    assert shown('[($parse "(a b) c") (gene/parse "[1 2]")]') == "[(a b) [1 2]]"


def test_parse_reports_what_cannot_be_read():
    """Text that cannot be read is a ParseException that a program can catch."""
    assert value('(try ($parse "(a ^k 1") catch ParseException "bad")') == "bad"
    assert fails('($parse " ")') == "EOF: there is no datum to read"


# -- templates -------------------------------------------------------------------------------------------


def test_a_plain_quote_keeps_unquotes():
    """Only ``$render`` looks at unquotes; anywhere else they stay as they are."""
    assert shown("(var x 1) `(a %x)") == "(a %x)"
    assert value("(var g `(a `b %c)) [(typeof g/0) (typeof g/1)]") == ["VkQuote", "VkUnquote"]
    assert fails("(var x 1) {^k %x}") == "an unquote has a meaning only inside of $render"


def test_render_fills_in_values():
    """Unquotes are replaced in heads, properties, children, arrays, maps and hash maps, at any depth."""
    assert (
        shown("(var x 1) ($render `(f ^a %x ^b {^c %(x + 1)} [%x #[%x]] {{%x %x}}))")
        == "(f ^a 1 ^b {^c 2} [1 #[1]] {{1 1}})"
    )
    assert shown("(var h `println) ($render `(%h 1))") == "(println 1)"
    assert shown("(var x 1) ($render `#(f %x))") == "#(f 1)"
    assert shown("(var x 1) ($render `%x)") == "1"


def test_render_inserts_data_as_it_is():
    """A value is inserted, not evaluated again, and not copied."""
    assert shown("(var x `(g y)) ($render `(f %x))") == "(f (g y))"
    assert value("(var xs [1]) (var made ($render `(f %xs))) (xs .push 2) made/0") == [1, 2]


def test_render_splices():
    """``%xs...`` inserts the items of an array, ``^... %m`` the entries of a map."""
    assert shown("(var xs [1 2]) ($render `(f 0 %xs... 3 [%xs...]))") == "(f 0 1 2 3 [1 2])"
    assert shown("(var m {^a 1}) ($render `(f ^b 2 ^... %m {^... %m}))") == "(f ^b 2 ^a 1 {^a 1})"
    assert shown("(var xs nil) ($render `(f %xs...))") == "(f)"


def test_render_splices_any_value():
    """``%(f)...`` inserts the items of what the expression gives, written out or in a variable."""
    assert shown("(var xs [1 2]) ($render `(f %(xs .reverse)... 3))") == "(f 2 1 3)"
    assert shown("(var xs [1 2]) (var t `[0 %(xs .reverse)... 3]) ($render t)") == "[0 2 1 3]"
    assert shown("($render `(f xs ... %_y))") == "(f xs ...)"
    assert shown("(var t `[%_y ...]) [($render t) ($render `[%_y ...])]") == "[[...] [...]]"


def test_render_keeps_spreads_that_are_data():
    """A spread without an unquote is code, and stays."""
    assert shown("(var x 1) ($render `(f ^... m xs... %x))") == "(f ^... m xs... 1)"


def test_render_drops_discarded_unquotes():
    """``%_x`` leaves no child and no property, and is not evaluated."""
    assert shown('($render `(f ^a %_(nowhere) 1 %_(throw "no") 2 [%_x]))') == "(f 1 2 [])"


def test_render_leaves_inner_quotes_alone():
    """What is quoted inside of a template is data of the template."""
    assert shown("(var x 1) ($render `(f %x `(g %x)))") == "(f 1 `(g %x))"


def test_render_of_a_template_in_a_variable():
    """A template that is not written out sees the variables of the place of ``$render``."""
    templates = "(f ^a %x ^... %m [%x %xs...] {^k %x} {{1 %x}} #[%x] %_y)"
    program = f"(var t `{templates}) (fn f [x m xs] ($render t)) (f 5 {{^z 6}} [7 8])"
    assert shown(program) == "(f ^a 5 ^z 6 [5 7 8] {^k 5} {{1 5}} #[5])"


def test_render_copies():
    """The template stays as it was, however often it is rendered."""
    assert shown(
        "(var t `(f [1] %x)) (var x 2) (var a ($render t)) (a/0 .push 9) (var b ($render t)) [a b t]"
    ) == ("[(f [1 9] 2) (f [1] 2) (f [1] %x)]")


def test_render_and_eval_stand_anywhere():
    """Both are ordinary arguments."""
    assert run("(var n 3) (println (eval ($render `(%n + 1))) ($render `[%n]))")[1] == "4 [3]\n"


def test_render_wants_one_template():
    """Anything else is refused before the program runs."""
    assert fails("($render)") == "$render needs one template"
    assert fails("($render `a `b)") == "$render needs one template"


def test_render_of_unknown_names_fails():
    """An unquoted name must mean something."""
    assert fails("($render `(f %nowhere))") == "nowhere is not defined"
    assert fails("(var t `(f %nowhere)) ($render t)") == "nowhere is not defined"


def test_render_in_loops_and_closures():
    """A template sees the variables of the turn and of the functions around."""
    assert shown("(var out []) (for i in [1 2] (out .push ($render `(f %i)))) out") == "[(f 1) (f 2)]"
    assert shown("(fn make [a] (fn [b] ($render `(%a %b)))) ((make 1) 2)") == "(1 2)"


def test_built_genes_run_as_programs():
    """Code that a program builds from parts evaluates like code that is written."""
    text = """
        (fn add_all [xs] (var g (`+)) (for x in xs (g .add_child x)) g)
        (var form (add_all [1 2 3]))
        [(form .to_s) (eval form)]
    """
    assert value(text) == ["(+ 1 2 3)", 6]


def test_a_gene_for_the_host():
    """Quoted data reaches Python as Gene, Symbol and the built-in collections."""
    made = value("`(f ^k [1] x)")
    assert type(made) is Gene
    assert (made.type, made.props, made.children) == (Symbol("f"), {"k": [1]}, [Symbol("x")])


@pytest.mark.parametrize(
    ("around", "depth"), [("`{}", 1000), ("(eval `(do `{}))", 1000), ("(fn m! [x] x) (m! {})", 100)]
)
def test_deep_data_is_compiled_in_time(around, depth):
    """Thousands of levels take a fraction of a second, and nothing is lost.

    What a macro is handed may be code too, and Python 3.12 does not nest that as deep as others.
    """
    deep = "(a ^k [" * depth + "1" + "])" * depth
    started = time.process_time()
    assert to_s(value(around.format(deep))) == deep
    assert time.process_time() - started < 3


def test_deep_data_is_cached_with_its_file(tmp_path, monkeypatch):
    """Python can keep what was compiled of it."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    deep = "[" * 3000 + "1" + "]" * 3000
    script = tmp_path / "deep.gene"
    script.write_text(f"(var data `{deep})", encoding="utf-8")
    for _ in range(2):
        assert to_s(Interpreter().run(script).get("data")) == deep
    assert list(tmp_path.glob("__pycache__/*.pyc"))
