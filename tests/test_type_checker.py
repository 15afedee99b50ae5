"""The static checks of types: what is refused, what is warned of, and what is let be."""

from __future__ import annotations

import subprocess
import sys

import pytest
from gene_command import environment, gene

from gene import GeneCompileError, Interpreter
from gene.compiler.compile import compile_forms
from gene.data.source import Source
from gene.errors import GeneError
from gene.options import Options
from gene.reader import read_all


def warned(text, *, interactive=False, **options):
    """What the compiler warns of, without running anything: places and messages."""
    source = Source(text, "t.gene")
    _, warnings = compile_forms(read_all(source), source, interactive=interactive, options=Options(**options))
    return [f"{warning.span.line}:{warning.span.column} {warning.message}" for warning in warnings]


def messages(text, **options):
    """The same without the places, and without the words that all of them start with."""
    return [each.partition(" ")[2].removeprefix("Type error: ") for each in warned(text, **options)]


def refused(text):
    """The message of a program that is not compiled."""
    with pytest.raises(GeneCompileError) as failed:
        Interpreter().run_text(text, "t.gene")
    return str(failed.value)


# -- what is refused -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("(fn f [a] a) (f 1 2)", "too many positional arguments in call (expected 1, got 2)"),
        (
            "(fn f [a ^k = 1] a) (fn g [] (f 1 2 ^k 3))",
            "too many positional arguments in call (expected 1, got 2)",
        ),
        (
            "(fn g [] (fn h [a b = 1] a) (h 1 2 3))",
            "too many positional arguments in call (expected 2, got 3)",
        ),
        ("(class A) (var a (new A)) (a .zz 1)", "unknown method zz on A"),
        ("(class A) (fn f [] (let a (new A)) (a .zz ^k 1))", "unknown method zz on A"),
        ("(class A) (fn f [] (var a: A (new A)) (a .zz 1))", "unknown method zz on A"),
        ("(class A (method m [] 1)) (class B < A) (var b (new B)) (b .zz 1)", "unknown method zz on B"),
        ("(object one (method m [] 1)) (one .zz 1)", "unknown method zz on one"),
        (
            "(interface I (method m []) (method n [])) (class A implements [I] (method m [] 1))",
            "class A does not implement method n required by interface I",
        ),
        (
            "(class A implements [I]) (interface I (method m []))",
            "class A does not implement method m required by interface I",
        ),
        (
            "(interface I (method m [])) (class A (method n [] 1)) (class B < A implements [I])",
            "class B does not implement method m required by interface I",
        ),
        (
            "(interface I (field f Int)) (class A implements [I] (method m [] 1))",
            "class A does not declare field f required by interface I",
        ),
        ("(enum E a b a)", "duplicate variant a in enum E"),
        ("(enum E ^values [a b a])", "duplicate variant a in enum E"),
        ("(enum E (R w w))", "duplicate field w in E/R"),
    ],
)
def test_what_cannot_be_right(program, message):
    """It is refused before anything runs."""
    assert refused(program) == f"Type error: {message}"


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("(let a 1) (a = 2)", "Cannot reassign 'let' binding 'a'"),
        ("(class A (ctor [] 1) (ctor [] 2))", "Class 'A' already has a constructor"),
        ("(class A (method m! [] 1))", "a method's name cannot end in !: m!"),
        ("(fn f [a a] a)", "the parameter a is there twice"),
    ],
)
def test_what_is_no_program(program, message):
    """This is refused whether types are checked or not."""
    assert refused(program) == message
    with pytest.raises(GeneError):
        Interpreter(type_check=False).run_text(program)


@pytest.mark.parametrize(
    "program",
    [
        "(fn f [a rest...] a) (f 1 2 3)",
        "(fn f [] 1) (f 1 2)",
        "(var xs []) (fn f [a] a) (f 1 xs...)",
        "(fn f [a] a) (f = (fn [a b] b)) (f 1 2)",
        "(class A (on_method_missing [name args...] name)) (var a (new A)) (a .zz 1)",
        "(class A) (var a (new A)) (a = {}) (a .get `k)",
        "(class A < Exception) (var a (new A)) (try (a .zz 1) catch * 1)",
        "(class A) (var a (new A)) (a/zz = 1) (a .zz)",
        "(class A) (var a (new A)) (a .is A)",
        "(interface I (method m [])) (class A (method m [] 1)) (class B < A implements [I])",
        "(interface I (field f) (field g)) (class A ^fields {^g Int} implements [I] (ctor [/f]))",
        "(interface I (field f)) (class A (field f Int)) (class B < A implements [I])",
        "(interface I (method m [])) (fn f [a] a) (fn m! [x] x) (m! (do (f 1 2) (class A implements [I])))",
    ],
)
def test_what_may_be_right(program):
    """What the source does not settle is left to the run."""
    Interpreter().run_text(program)


def test_an_unknown_parent_may_have_what_is_missing(tmp_path):
    """A class that was imported is not known."""
    (tmp_path / "m.gene").write_text("(class A (method m [x] x))")
    (tmp_path / "t.gene").write_text(
        '(import A from "m") (interface I (method m [])) (class B < A implements [I]) (var b (new B)) (var $ns/x (b .m 1))'
    )
    assert Interpreter(capabilities=["files"]).run(tmp_path / "t.gene").get("x") == 1


# -- what is warned of -----------------------------------------------------------------------------------


def test_arguments_of_known_functions():
    """By position, by name, behind a default; the place is that of the argument or of the call."""
    assert warned('(fn f [x: Int] x)\n(fn g []\n  (f "s"))') == [
        "3:3 Type error: expected Int, got String in argument x of f"
    ]
    assert warned("(fn f [x: Int] x)\n(var a true)\n(f a)") == [
        "3:4 Type error: expected Int, got Bool in argument x of f"
    ]
    assert messages('(fn f [a b: Int = 2 ^k: (Int | String)] a) (f 1 "s" ^k [])') == [
        "expected Int, got String in argument b of f",
        "expected (Int | String), got Array in argument ^k of f",
    ]
    assert messages("(fn f [a: Int rest...: Int] a) (f [] [])") == [
        "expected Int, got Array in argument a of f"
    ]
    assert messages("(fn f [] (fn h [x: Int] x) (h true))") == ["expected Int, got Bool in argument x of h"]
    assert messages("((fn [x: Int] x) {})") == ["expected Int, got Map in argument x of fn"]


def test_arguments_behind_spreads_are_not_known():
    """Those before them are."""
    assert messages("(var xs []) (fn f [a: Int b: Int] a) (f true xs... true) (f xs... true)") == [
        "expected Int, got Bool in argument a of f"
    ]


def test_constructors_and_methods():
    """Where the class is known: by new, by a declared type, as self, as the parent."""
    assert messages('(class P (ctor [/x: Int ^k: Int = 1])) (new P "s" ^k "t")') == [
        "expected Int, got String in argument x of new P",
        "expected Int, got String in argument ^k of new P",
    ]
    known = "(class P (method m [a: Int] a))"
    expected = ["expected Int, got String in argument a of m"]
    assert messages(f'{known} (var p (new P)) (p .m "s")') == expected
    assert messages(f'{known} ((new P) .m "s")') == expected
    assert messages(f'{known} (fn f [p: P] (p .m "s"))') == expected
    assert messages(f'{known} (class Q < P) (fn f [q: Q] (q .m "s"))') == expected
    assert messages('(class P (method m [a: Int] a) (method n [] (.m "s")))') == expected
    assert messages(f'{known} (class Q < P (method m [a] (super .m "s")))') == [
        "expected Int, got String in argument a of super .m"
    ]
    assert messages('(class P (ctor [/x: Int])) (class Q < P (ctor [] (super .ctor "s")))') == [
        "expected Int, got String in argument x of super .ctor"
    ]


def test_a_class_below_may_have_another_method():
    """A declared type admits its instances, an instance of a class of the source is of no other."""
    text = '(class P (method m [a: Int] a)) (class Q < P (method m [a: String] a)) (fn f [p: P] (p .m "s"))'
    assert messages(text) == []
    assert messages(f'{text} ((new P) .m "s")') == ["expected Int, got String in argument a of m"]


def test_results():
    """The last value, in each branch, and what return gives."""
    expected = ["expected Int, got String in return value of f"]
    assert messages('(fn f [] -> Int "s")') == expected
    assert messages('(fn f [a] -> Int (if a "s" else 1))') == expected
    assert messages('(fn f [a] -> Int (for x in a (if x (return "s"))) 1)') == expected
    assert messages('(fn f [a] -> Int (try (a) catch * "s"))') == expected
    assert messages('(fn f ^^async [] -> Int "s")') == expected
    assert messages('(class A (method f [] -> Int "s"))') == expected
    assert messages('(fn f [] -> Int ((fn [] (return "s"))) 1)') == []
    assert messages('(fn f* [] -> Int (yield "s"))') == []


def test_variables():
    """At the declaration and at each assignment, also those of the module, which nothing checks later."""
    assert messages('(var x: Int "s")') == ["expected Int, got String in variable x"]
    assert messages('(var x: Int) (fn f [] (x = "s"))') == ["expected Int, got String in variable x"]
    assert messages('(fn f [] (let x: Int "s"))') == ["expected Int, got String in variable x"]
    assert messages("(fn f [y: Int] (y = []))") == ["expected Int, got Array in variable y"]
    assert messages('(fn f [x: Int = "s"] x)') == ["expected Int, got String in the default of x"]


def test_fields():
    """Of classes, which nothing checks later, and of enums; they may be declared above."""
    text = "(class A ^fields {^y String} (field x Int) (ctor [/x: {0}] (/y = {1})))"
    assert messages(text.replace("{0}", "Int").replace("{1}", "nil")) == []
    assert messages(text.replace("{0}", "String").replace("{1}", "7")) == [
        "expected Int, got String in field x of A",
        "expected String, got Int in field y of A",
    ]
    assert messages('(class A (field x: Int)) (class B < A) (var b (new B)) (b/x = "s")') == [
        "expected Int, got String in field x of B"
    ]
    assert messages('(enum E (R w: Int h)) (E/R "s" "t") (E/R ^h 1 ^w "s")') == [
        "expected Int, got String in field E/R.w",
        "expected Int, got String in field E/R.w",
    ]


def test_what_values_are_known():
    """Literals, variables assigned once, declared names, results, instances, variants."""
    text = "(class A ^fields {^n Int} (method m [] -> Float 1)) (enum E a (R w)) (fn g [] -> Map nil) (fn f [x: String] x) "
    for value, type_ in [
        ("1", "Int"),
        ("(1 + 2.5)", "Float"),
        ("(1 < 2)", "Bool"),
        ("void", "Void"),
        ("`s", "Symbol"),
        ("`(f 1)", "Gene"),
        ("'c'", "Char"),
        ("#/x/", "Regexp"),
        ("#[1]", "Array"),
        ("{{1 2}}", "HashMap"),
        ("(1 .. 2)", "Range"),
        ("f", "Function"),
        ("(x -> x)", "Function"),
        ("A", "Class"),
        ("(new A)", "A"),
        ("((new A) .m)", "Float"),
        ("E/a", "E"),
        ("(E/R 1)", "E"),
        ("(Ok 1)", "Result"),
        ("None", "Option"),
        ("(async 1)", "Future"),
        ("(g)", "Map"),
        ("(if (g) 1 else [])", "(Array | Int)"),
        ("(do 1 [])", "Array"),
    ]:
        assert messages(f"{text} (f {value})") == [f"expected String, got {type_} in argument x of f"]
        assert messages(f"{text} (fn h [] (var v {value}) (f v))") == [
            f"expected String, got {type_} in argument x of f"
        ]
    assert messages(f"{text} (fn h [v: A] (f v/n))") == ["expected String, got Int in argument x of f"]


KINDS = {
    "Int": "1",
    "Float": "1.5",
    "Bool": "true",
    "String": '"s"',
    "Symbol": "`s",
    "Char": "'c'",
    "Array": "[]",
    "Map": "{}",
    "HashMap": "{{}}",
    "Gene": "`(f)",
    "Range": "(1 .. 2)",
    "Regexp": "#/x/",
    "Bytes": "0#00",
    "Function": "(x -> x)",
    "Class": "A",
    "Future": "(async 1)",
    "Generator": "(g* 1)",
    "Result": "(Ok 1)",
    "Option": "None",
    "A": "(new A)",
    "B": "(new B)",
    "I": "(new C)",
    "E": "E/a",
    "Nil": "nil",
    "Any": "(new B)",
    "Exception": "(new X)",
    "(A | Int)": "(E/R 1)",
    "(String | Nil)": "void",
    "T": "2",
    "Other": "#[1]",
}


def mismatch(message):
    """What a message says of types: ``Int, got String``."""
    return message.partition("expected ")[2].partition(" in ")[0]


@pytest.mark.parametrize("type_", KINDS)
def test_warnings_foretell_what_happens(type_):
    """For every type and value: the compiler warns exactly where the call fails, in the same words."""
    calls = "\n".join(f"(results .push (try (f {value}) catch * $ex/message))" for value in KINDS.values())
    text = (
        "(class A) (class B < A) (interface I) (class C implements [I]) (class X < Exception) (enum E a (R w))"
        f"(fn g* [] -> Int (yield 1)) (type T (Int | Map)) (type Other T) (fn f [x: {type_}] 1) (var $ns/results [])\n{calls}"
    )
    results = Interpreter(type_check=False).run_text(text).get("results")
    foretold = {each.partition(":")[0]: each for each in warned(text)}
    for line, (value, result) in enumerate(zip(KINDS.values(), results, strict=True), 2):
        said = foretold.get(str(line))
        if said is not None:
            assert mismatch(said) == mismatch(result)
        elif value != "(new X)":  # its class has a parent that the source does not tell about
            assert result == 1, value


# -- what is let be --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "program",
    [
        "(fn f [x: Int] x) (f nil)",  # nil passes everything
        "(fn f [x: Float] x) (f 1)",  # converted
        "(fn f [x: Int] x) (f 1.5)",  # cut, with a warning when it happens
        "(fn f [x: Int] x) (fn g [y] (f y))",
        "(fn f [x: Int] x) (fn g [y: (Int | String)] (f y))",
        "(fn f [x: Int] x) (fn g [] (var y 1) (y = (h)) (f y)) (fn h [] (readline))",
        '(fn f [x: Int] x) (fn g [c] (var y 1) (if c (y = "s")) (f y))',
        "(fn f [x: Int] x) (fn g [m] (f m/a) (f (m .get 1)) (f (len m)))",
        '(fn f [x: Int] x) (f = (fn [x: String] x)) (f "s")',
        "(fn id:T [x: T] -> T x) [(id 1) (id [])]",
        "(class Box:T (field v T) (ctor [/v: T])) [(new Box 1) (new Box [])]",
        "(class A) (class B < A) (fn f [b: B] b) (fn g [a: A] (f a))",  # it may be a B
        "(class A) (class B < A) (fn f [a: A] a) (f (new B))",
        "(interface I) (class A) (class B < A implements [I]) (fn f [i: I] i) (fn g [a: A] (f a))",
        "(interface I) (class A implements [I]) (fn f [a: A] a) (fn g [i: I] (f i))",
        "(fn f [x: Nope] x) (f 1)",  # not known here
        '(fn f [x: (Array Int)] x) (f ["s"])',  # elements are not looked at
        "(fn f [x: Any] -> Any x) (f 1)",
        "(type T Any) (fn f [x: T] x) (f 1)",
        '(fn f [] -> Int (if true 1 else (throw "s")))',
        "(fn f [] -> Int (while true 1))",
        "(fn f [x: Int] x) (var v v) (f v)",
        "(fn f! [x: Int] x) (f! y)",
        '(fn f [x: Int] x) (fn m! [x] x) (m! (f "s"))',  # data, which may never run
    ],
)
def test_what_is_not_certain(program):
    """Nothing is said where a run may succeed."""
    assert messages(program) == []


def test_names_of_the_language_may_be_given_to_something_else():
    """Then they mean that."""
    assert messages("(class Range) (fn f [x: Range] x) (f (new Range))") == []
    assert messages("(class Range) (fn f [x: Range] x) (f (1 .. 2))") == [
        "expected Range, got Range in argument x of f"
    ]
    assert messages("(fn f [x: Date] x) (f 1)", interactive=True) == []  # an earlier piece may define it
    assert messages("(fn f [x: Array] x) (f 1)", interactive=True) == [
        "expected Array, got Int in argument x of f"
    ]


def test_imported_classes_are_not_known():
    """Whatever is done with them."""
    assert messages(
        '(import A f from "m") (class B < A) (fn g [a: A b: B] a) (g (new B) (new A)) (f 1) (g 1 1)'
    ) == ["expected B, got Int in argument b of g"]


# -- strict nil ------------------------------------------------------------------------------------------


def test_literal_nil_under_strict_nil():
    """It is certain to fail where a type does not name it; what may be nil is let be."""
    rule = "; strict nil mode admits nil only for Any, Nil, Option[T], or unions containing Nil"
    text = "(fn f [x: Int] x) (fn g [y: Int] (f y)) (f nil) (fn h [] -> Int nil)"
    assert messages(text) == []
    assert messages(text, strict_nil=True) == [
        f"expected Int, got Nil in argument x of f{rule}",
        f"expected Int, got Nil in return value of h{rule}",
    ]
    admitted = "(fn f [x: (Int | Nil) y: (Option Int) z: Any u: Nil] x) (f nil nil nil nil)"
    assert messages(admitted, strict_nil=True) == []
    assert messages("(fn f [c] -> Int (if c 1))", strict_nil=True) == []


# -- how it is shown and turned off ----------------------------------------------------------------------


def test_programs_without_types_are_not_looked_at():
    """The checker is not even loaded."""
    code = "import sys; from gene import Interpreter; Interpreter().run_text('(fn f [x] x) (class A (ctor [/x])) (f 1)');"
    done = subprocess.run(
        [sys.executable, "-c", f"{code} print('gene.compiler.typecheck' in sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
    )
    assert done.stdout == "False\n"


def test_gene_run_shows_the_place(tmp_path):
    """On standard error, with the line and carets, before anything runs; the program runs all the same."""
    (tmp_path / "t.gene").write_text('(fn half [n: Int] (n / 2))\n(println 1)\n(half "5")\n')
    done = gene("run", "--no-gir-cache", "t.gene", cwd=tmp_path)
    assert done.stdout == "1\n"
    assert done.stderr.startswith(
        "t.gene:3:1: warning: Type error: expected Int, got String in argument n of half\n"
        '  (half "5")\n'
        "  ^^^^^^^^^^\n"
        "error["
    )
    for option in ("--no-warnings", "--no-type-check"):
        assert "warning" not in gene("run", "--no-gir-cache", option, "t.gene", cwd=tmp_path).stderr


def test_hosts_find_warnings_on_the_interpreter():
    """For all that was compiled; evaluated data is not looked at."""
    interpreter = Interpreter()
    interpreter.eval('(fn f [x: Int] x) (fn g [] (f "s"))', "t.gene")
    assert [str(each.message) for each in interpreter.warnings] == [
        "Type error: expected Int, got String in argument x of f"
    ]
    interpreter.eval('(eval `(fn [] ((fn [x: Int] x) "s")))')
    assert len(interpreter.warnings) == 1
    quiet = Interpreter(type_check=False)
    quiet.eval('(fn f [x: Int] x) (fn g [] (f "s"))')
    assert quiet.warnings == []
