"""Enums, Result, Option and ``(expr ?)``."""

from __future__ import annotations

import pytest
from support import fails, output, run, value

from gene.runtime.exceptions import GeneException
from gene.runtime.text import inspect


def shown(text):
    """The value of a program as the REPL shows it."""
    return inspect(value(text))


SHAPE = "(enum Shape (Circle r) (Rect w: Int h: Int) Dot)"


# -- variants --------------------------------------------------------------------------------------------


def test_variants_without_fields():
    """They are values; each equals itself only."""
    text = "(enum Color red green) (enum Other red)"
    assert value(
        f"{text} [(Color/red == Color/red) (Color/red == Color/green) (Color/red == Other/red)]"
    ) == [True, False, False]
    assert shown(f"{text} [Color/red (Color/red) Color Color/nope]") == "[Color/red Color/red Color void]"
    assert value("(enum S ^values [ready done]) [(S/ready == S/ready) (S/ready == S/done)]") == [True, False]


def test_variants_with_fields():
    """By position or by name; equal where their fields are."""
    assert value(f"{SHAPE} ((Shape/Rect ^h 4 ^w 3) == (Shape/Rect 3 4))") is True
    assert value(
        f"{SHAPE} [((Shape/Circle [1]) == (Shape/Circle [1])) ((Shape/Circle 1) == (Shape/Circle 2))]"
    ) == [True, False]


def test_fields_are_read_by_method():
    """A path does not find them, and nothing assigns them."""
    assert shown(f"{SHAPE} (var r (Shape/Rect 3 4)) [(r .w) r/.h r/w]") == "[3 4 void]"
    assert fails(f"{SHAPE} (var c (Shape/Circle 1)) (c .w)") == "Method w not found on VkEnum"
    assert (
        fails(f"{SHAPE} (var c (Shape/Circle 1)) (c/r = 2)") == "Cannot set member on value of type: VkEnum"
    )


def test_printing():
    """Strings inside are quoted, everywhere."""
    text = f'{SHAPE} (var c (Shape/Circle "s"))'
    assert run(f'{text} (println c [c] #"#{{c}}" (c .to_s) Shape/Dot Shape)')[1] == (
        '(Shape/Circle "s") [(Shape/Circle "s")] (Shape/Circle "s") (Shape/Circle "s") Shape/Dot Shape\n'
    )


def test_types_of_enums():
    """The enum's name; ``is`` and annotations accept it."""
    text = f"{SHAPE} (fn f [s: Shape] s)"
    assert value(
        f"{text} [(typeof Shape/Dot) (Shape/Dot is Shape) (1 is Shape) ((f Shape/Dot) == Shape/Dot)]"
    ) == ["Shape", True, False, True]
    assert fails(f"{text} (f 1)") == "Type error [GENE_TYPE_MISMATCH]: expected Shape, got Int in s"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("(Shape/Rect 3)", "Variant Shape/Rect expects 2 arguments (w, h), got 1"),
        ("(Shape/Rect 1 2 3)", "Variant Shape/Rect expects 2 arguments (w, h), got 3"),
        ("(Shape/Dot 1)", "Variant Shape/Dot expects 0 arguments (), got 1"),
        ("(Shape/Rect ^w 3)", "Variant Shape/Rect missing keyword argument(s): h; expected fields: w, h"),
        (
            "(Shape/Rect ^w 3 ^h 4 ^d 5)",
            "Variant Shape/Rect got unknown keyword argument(s): d; expected fields: w, h",
        ),
        ("(Shape/Rect 3 ^h 4)", "Variant Shape/Rect cannot mix positional and keyword arguments"),
        (
            '(Shape/Rect "s" 4)',
            "Type error [GENE_TYPE_MISMATCH]: expected Int, got String in field Shape/Rect.w",
        ),
        ("(Shape 1)", "IkUnifiedCall1 requires a callable, got VkEnum"),
        ("((Shape/Circle 1) 2)", "IkUnifiedCall1 requires a callable, got VkEnum"),
        ("(Shape/Nope 1)", "IkUnifiedCall1 requires a callable, got VkVoid"),
    ],
)
def test_wrong_calls(call, message):
    """Each names the variant and its fields."""
    assert fails(f"{SHAPE} {call}") == message


def test_typed_fields():
    """They are checked and converted as parameters are; types may come later, and may be the enum itself."""
    assert value(f"{SHAPE} ((Shape/Rect 3 nil) .h)") is None
    assert shown("(enum E (A x: Float)) (E/A 1)") == "(E/A 1.0)"
    assert (
        shown("(enum List (Cons head tail: List) End) (List/Cons 1 (List/Cons 2 List/End))")
        == "(List/Cons 1 (List/Cons 2 List/End))"
    )
    assert fails("(enum List (Cons head tail: List) End) (List/Cons 1 2)") == (
        "Type error [GENE_TYPE_MISMATCH]: expected List, got Int in field List/Cons.tail"
    )
    assert shown("(enum E (A x: Later)) (class Later) (E/A nil)") == "(E/A nil)"


def test_generic_enums():
    """Names of types after the enum's name stand for any type; applied, they are checked by the enum."""
    assert (
        shown('(enum Box:T (Full v: T) Empty) [(Box/Full 3) (Box/Full "x") Box/Empty]')
        == '[(Box/Full 3) (Box/Full "x") Box/Empty]'
    )
    assert shown("(enum Box:T (Full v: T)) (fn f [b: (Box Int)] b) (f (Box/Full 1))") == "(Box/Full 1)"
    assert "expected Box, got Int" in fails("(enum Box:T (Full v: T)) (fn f [b: (Box Int)] b) (f 1)")


def test_a_recursive_enum():
    """A tree, and a function over it."""
    text = """
        (enum Tree (Leaf v: Int) (Node l: Tree r: Tree))
        (fn sum [t: Tree] -> Int
          (case t when (Tree/Leaf v) v when (Tree/Node l r) ((sum l) + (sum r))))
        (sum (Tree/Node (Tree/Leaf 1) (Tree/Node (Tree/Leaf 2) (Tree/Leaf 3))))
    """
    assert value(text) == 6


def test_variants_are_functions():
    """Those with fields can be passed on."""
    assert shown(f"{SHAPE} ([1 2] .map Shape/Circle)") == "[(Shape/Circle 1) (Shape/Circle 2)]"
    assert output(f"{SHAPE} (println (Shape/Rect 1 2) (typeof Shape/Rect))") == "(Shape/Rect 1 2) Function\n"


def test_enums_anywhere():
    """In functions, in namespaces, before their definition in a file."""
    assert shown("(fn f [] (enum L a (b v)) [L/a (L/b 2)]) (f)") == "[L/a (L/b 2)]"
    assert shown("(ns /n (enum /E a (B v)) (fn /f [] (E/B 1))) [n/E/a (n/f)]") == "[E/a (E/B 1)]"
    assert output("(println E/a) (enum E a)") == "E/a\n"


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("(enum 5)", "enum needs a name"),
        ("(enum E 5)", "enum E: a variant is a name or (Name field …)"),
        ("(enum E a a)", "Type error: duplicate variant a in enum E"),
        ("(enum E (A ^x Int))", "a variant's fields are names without ^"),
        ("(enum E (A 5))", "a field is a name, or a name and its type"),
        ("(enum E ^values 5)", "enum E: ^values is an array of names"),
    ],
)
def test_mistakes(program, message):
    """Are refused before the program runs."""
    assert fails(program) == message


# -- Result and Option -----------------------------------------------------------------------------------


def test_result_and_option():
    """``Ok Err Some None`` are global, and print with their enum."""
    assert shown('[(Ok 1) (Err "e") (Some nil) None (None)]') == (
        '[(Result/Ok 1) (Result/Err "e") (Option/Some nil) Option/None Option/None]'
    )
    assert value(
        "[(typeof (Ok 1)) (typeof None) ((Ok 1) is Result) (None is Option) ((Ok 1) .value) ((Err 2) .error)]"
    ) == [
        "Result",
        "Option",
        True,
        True,
        1,
        2,
    ]
    assert (
        shown("(fn f [r: (Result Int String)] r) (fn g [o: (Option Int)] o) [(f (Ok 1)) (g None)]")
        == "[(Result/Ok 1) Option/None]"
    )


def test_unwrap():
    """``(x ?)`` goes on with what Ok and Some carry, returns Err and None, and passes anything else."""
    text = "(fn f [x] (var v (x ?)) (Ok (v + 1)))"
    assert shown(f'{text} [(f (Ok 1)) (f (Some 4)) (f 5) (f (Err "bad")) (f None)]') == (
        '[(Result/Ok 2) (Result/Ok 5) (Result/Ok 6) (Result/Err "bad") Option/None]'
    )


def test_unwrap_in_every_position():
    """In arguments, conditions, loops, ``try`` and calls of calls."""
    assert shown('(fn g [] (Err "x")) (fn f [] (println ((g) ?)) 5) (f)') == '(Result/Err "x")'
    assert shown(
        "(fn f [xs] (var s 0) (for x in xs (s += (x ?))) (Ok s)) [(f [(Ok 1) (Ok 2)]) (f [(Ok 1) (Err 9)])]"
    ) == ("[(Result/Ok 3) (Result/Err 9)]")
    assert run('(fn f [] (try ((Err 1) ?) finally (println "fin"))) (f)')[1] == "fin\n"
    assert value("(fn f [m] (if (m/a ?) 1 else 2)) (f {^a (Ok 1)})") == 1


def test_unwrap_outside_of_functions():
    """A file has no caller that could get the value, so it is an error there; evaluated text is worth it."""
    text = '(println "a") (for x in [(Ok 1) (Err "no")] (println (x ?))) (println "b")'
    with pytest.raises(GeneException, match=r'^\? outside of a function: \(Result/Err "no"\)$') as failed:
        output(text)
    assert inspect(failed.value.cause) == '(Result/Err "no")'
    assert output("(println (try (None ?) catch * $ex/cause)) (println ((Some 1) ?))") == "Option/None\n1\n"
    assert shown("(Ok 1) ((Err 2) ?) 3") == "(Result/Err 2)"


def test_unwrap_leaves_the_innermost_function():
    """In a callback that is the callback."""
    assert shown("(fn f [xs] (xs .map (fn [x] (x ?)))) (f [(Ok 1) (Err 2)])") == "[1 (Result/Err 2)]"
    assert (
        shown("(fn f ^post [(result is Result)] [x] (x ?) (Ok 1)) [(f (Err 1)) (f (Ok 2))]")
        == "[(Result/Err 1) (Result/Ok 1)]"
    )
