"""How uncaught errors are shown: place, calls, cause, hint."""

import re

import pytest

from gene import GeneException, GeneSyntaxError, Interpreter
from gene.compiler.errors import GeneCompileError
from gene.data.kinds import KINDS
from gene.data.source import Source, Span
from gene.hints import _SYNONYMS, HINTS
from gene.report import gene_text, report, text
from gene.stdlib.capabilities import ALL
from gene.trace import calls


def failure(code, gene=None):
    """The error that a piece of code ends with."""
    with pytest.raises(GeneException) as raised:
        (gene or Interpreter(capabilities=ALL)).eval(code, "t.gene")
    return raised.value


def refusal(code):
    """The error that keeps a piece of code from running."""
    with pytest.raises((GeneSyntaxError, GeneCompileError)) as raised:
        Interpreter().run_text(code, "t.gene")
    return raised.value


def hint(code):
    """The hint in the report of an error, or None."""
    found = re.search(r"^hint: (.*)", text(failure(code)), re.MULTILINE)
    return found and found[1]


def test_exceptions_of_programs_show_what_they_have():
    """The class and the message; the class alone without one; a property called hint if it is a text."""
    code = "(class E < Exception (ctor [/message /hint])) (throw (new E %s))"
    shown = text(failure(code % '"m" "try again"'))
    assert shown.startswith("error[GENE.RUNTIME.ERROR]: E: m\n")
    assert shown.endswith("hint: try again")
    shown = text(failure(code % "nil {^a 1}"))
    assert shown.startswith("error[GENE.RUNTIME.ERROR]: E\n")
    assert "hint:" not in shown


def test_a_report_shows_code_message_place_source_and_calls():
    """The innermost call comes first, and columns count characters."""
    error = failure('(fn f [é] (println "ü" missing é))\n(fn g [x] (f x) 1)\n(g 1)')
    assert text(error) == (
        "error[GENE.SCOPE.UNDEFINED_VAR]: missing is not defined\n"
        "  --> t.gene:1:24\n"
        '  (fn f [é] (println "ü" missing é))\n'
        "                         ^^^^^^^\n"
        "calls, the innermost first:\n"
        "  in f at t.gene:1:24\n"
        "  in g at t.gene:2:11\n"
        "  in the top level at t.gene:3:1"
    )


def test_an_error_at_the_top_level_has_no_chain_of_calls():
    """One place says it all."""
    assert text(failure('(throw "boom")')) == (
        'error[GENE.RUNTIME.ERROR]: boom\n  --> t.gene:1:1\n  (throw "boom")\n  ^^^^^^^^^^^^^^'
    )


def test_methods_blocks_and_functions_without_names_are_named_as_in_the_program():
    """No name that the compiler made up is shown."""
    error = failure(
        '(class A (method go [y] ([1] .map (fn [z] (self .deep z)))) (method deep [z] (throw "x")))\n'
        "(fn outer [] (var inner (fn [q] ((new A) .go q))) (if true (do (var w 1) (inner w))))\n(outer)"
    )
    shown = [line.split(" at ")[0].strip() for line in text(error).splitlines() if line.startswith("  in ")]
    assert shown == ["in deep", "in a function", "in go", "in inner", "in outer", "in the top level"]
    assert [call.name for call in calls(error)] == ["deep", "", "go", "inner", "outer", ""]


def test_generators_asynchronous_functions_and_constructors_are_named():
    """They run in Python functions of their own; what makes an instance is no call of the program."""
    error = failure(
        "(class A (ctor [x] (/x = (each x)))) (fn each [x] (for y in (gen* x) y))\n"
        "(fn gen* [x] (yield 1) (yield (await (later x)))) (fn later ^^async [x] (x + 1))\n"
        '(new A "s")'
    )
    assert [call.name for call in calls(error)] == ["later", "gen*", "each", "ctor", ""]


def test_a_long_recursion_is_shortened():
    """The ends of the chain are shown, and who calls whom in between."""
    shown = text(failure("(fn a [n] (1 + (b n)))\n(fn b [n] (1 + (a n)))\n(a 1)"))
    assert re.search(r"^  … [\d,]{7} more calls of (a and b|b and a) …$", shown, re.MULTILINE)
    assert shown.startswith("error[GENE.VM.STACK_OVERFLOW]")
    assert len(shown.splitlines()) < 25


def test_an_error_in_a_handler_tells_what_was_handled():
    """The earlier error stays visible with its place."""
    shown = text(failure('(try (throw "first")\ncatch * (throw "second"))'))
    assert shown.startswith("error[GENE.RUNTIME.ERROR]: second\n  --> t.gene:2:9\n")
    assert shown.endswith("while handling an earlier error:\n  first at t.gene:1:6")


def test_an_error_of_python_in_a_handler_tells_what_was_handled():
    """It makes no difference which of the two errors Python found."""
    shown = text(failure('(try (nope)\ncatch * (1 + "x"))'))
    assert "while handling an earlier error:\n  nope is not defined at t.gene:1:7" in shown
    shown = text(failure('(try (throw "first")\ncatch * (nope2))'))
    assert "while handling an earlier error:\n  first at t.gene:1:6" in shown


def test_an_error_thrown_again_tells_where_it_came_from():
    """The first place is not lost."""
    shown = text(failure('(try (throw "a")\ncatch * (throw $ex))'))
    assert "  --> t.gene:2:9\n" in shown
    assert "  first thrown at t.gene:1:6" in shown
    assert "earlier error" not in shown


def test_the_place_in_python_code_is_shown():
    """Where a function of the host fails, its file and line help more than the place of the call alone."""

    def host(_value):
        raise ValueError("bad")

    gene = Interpreter()
    gene.define("host", host)
    shown = text(failure("(host 1)", gene))
    line = host.__code__.co_firstlineno + 1
    assert shown.startswith("error[GENE.RUNTIME.ERROR]: ValueError: bad\n  --> t.gene:1:1\n")
    assert f"raised by Python code: host at {__file__}:{line}" in shown


def test_classes_of_the_program_are_named():
    """An exception class says what kind of error it is."""
    shown = text(failure("(class Lost < Exception (ctor [m] (/message = m)))\n(throw (new Lost `key))"))
    assert shown.startswith("error[GENE.RUNTIME.ERROR]: Lost: key\n")


def test_wrong_arguments_are_blamed_on_the_call():
    """The place is that of the call, not of the function's definition."""
    error = failure("(fn f [a b] a)\n(var g f)\n(g 1)")
    assert "  --> t.gene:3:1\n  (g 1)\n" in text(error)
    error = failure("(class A (method m [a b] a))\n((new A) .m 1)")
    assert "  --> t.gene:2:1\n" in text(error)


def test_pieces_of_one_name_show_their_own_lines():
    """Text evaluated earlier under the same name is not mixed up with what came later."""
    gene = Interpreter()
    gene.eval("(fn f [x]\n  (x + nope))", "<eval>")
    gene.eval("(fn g [x]\n  (f x) 1)", "<eval>")
    with pytest.raises(GeneException) as raised:
        gene.eval("(g\n 1)", "<eval>")
    assert [call.span.source.line(call.line) for call in calls(raised.value)] == [
        "  (x + nope))",
        "  (f x) 1)",
        "(g",
    ]


def test_errors_of_syntax_show_all_places():
    """The opening bracket is shown besides the place where things went wrong."""
    shown = text(refusal("(f [1 2)"))
    assert shown == (
        "syntax error: Unmatched delimiter: ) at t.gene:1:8\n"
        "  --> t.gene:1:8\n  (f [1 2)\n         ^\n"
        "[ opened here:\n  --> t.gene:1:4\n  (f [1 2)\n     ^\n"
        "hint: close [ with ] first"
    )


def test_errors_of_compiling_show_their_place():
    """The form that cannot be compiled is underlined."""
    assert text(refusal("(fn one [a] a)\n(one 1 2)")).startswith(
        "compile error: Type error: too many positional arguments in call (expected 1, got 2)\n"
        "  --> t.gene:2:1\n  (one 1 2)\n  ^^^^^^^^^"
    )


def test_an_error_without_a_place_is_shown_all_the_same():
    """An exception that never passed through Gene code has a message and nothing else."""
    assert text(GeneException("lonely")) == "error[GENE.RUNTIME.ERROR]: lonely"
    assert text(GeneException()) == "error[GENE.RUNTIME.ERROR]: Exception"
    assert gene_text(GeneException("lonely")).startswith('{^message "lonely"')
    assert '^span {^file "" ^line 0 ^column 0}' in gene_text(GeneException("lonely"))


# ------------------------------------------------------------------------------------ the report as Gene data


_POSTGRES = (
    "genex/postgres is an extension of the reference implementation only: "
    "use genex/sqlite, or functions of the host, since there is no other database"
)


@pytest.mark.parametrize(
    ("code", "reported"),
    [
        ('(var x 1)\n(throw "say \\"hi\\"")', ('say \\"hi\\"', "GENE.RUNTIME.ERROR", 2, 1)),
        ("(println missing_name)", ("missing_name is not defined", "GENE.SCOPE.UNDEFINED_VAR", 1, 1)),
        ("(var x 1) (if x == 1 2)", ("== is not defined", "GENE.SCOPE.UNDEFINED_VAR", 1, 11)),
        ("nope", ("nope is not defined", "GENE.SCOPE.UNDEFINED_VAR", 1, 1)),
        ("\n (5 % 0)", ("Modulo by zero", "GENE.ARITH.DIV_ZERO", 2, 2)),
        ('(throw "no method here")', ("no method here", "GENE.OOP.METHOD_NOT_FOUND", 1, 1)),
        ("genex/postgres", (_POSTGRES, "GENE.EXT.LOAD_FAILED", 1, 1)),
        ('("s" .nope)', ("Method nope not found on VkString", "GENE.RUNTIME.ERROR", 1, 1)),
    ],
)
def test_the_report_as_one_line(code, reported):
    """An exception is reported exactly as the reference implementation reports it."""
    message, error_code, line, column = reported
    assert gene_text(failure(code)) == (
        f'{{^message "{message}" ^code "{error_code}" ^severity "error" ^stage "runtime"'
        f' ^span {{^file "t.gene" ^line {line} ^column {column}}} ^hints [] ^repair_tags ["runtime"]}}'
    )


@pytest.mark.parametrize(
    ("code", "reported"),
    [
        ("(println (1 + 2)", "EOF while reading list ) t.gene 1"),
        ("(fn one [a] a) (one 1 2)", "Type error: too many positional arguments in call (expected 1, got 2)"),
        (
            "(fn one [a] a)\n(fn f []\n  (one 1 2))",
            "t.gene:3:3: Type error: too many positional arguments in call (expected 1, got 2)",
        ),
    ],
)
def test_what_cannot_run_is_reported_without_a_map(code, reported):
    """Inside of a function the message starts with the place, as in the reference implementation."""
    assert gene_text(refusal(code)) == reported


def test_reports_go_where_they_belong(capsys):
    """Reports for people go to standard error, those of the reference to standard output."""
    error = failure('(throw "x")')
    assert report(error) == 1
    assert capsys.readouterr() == ("", text(error) + "\n")
    assert report(error, "gene") == 1
    assert capsys.readouterr() == (f"Error: {gene_text(error)}\n", "")


# -------------------------------------------------------------------------------------------------------- hints


_VOID = (
    "the value is void: a key, index or member that is not there;"
    " test it with (if x …), or give a default with (x || default)"
)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("(println 1 + 2)", "an operator needs parentheses of its own, as in (a + b)"),
        ("(if true == 1 2)", "an operator needs parentheses of its own, as in (a == b)"),
        ("(var n 5) (n -1)", "operators stand between blanks: (n - 1)"),
        ("(var n 5) (println (n +2.5))", "operators stand between blanks: (n + 2.5)"),
        ("#note", "a comment starts with # and a blank"),
        (
            '(println ("abc" .to_upper .trim))',
            "a method stands directly behind its receiver, ; chains: (x .trim), (x .first; .trim)",
        ),
        ("(var x .5) x", "a Float starts with a digit: 0.5"),
        ("(println .5)", "a Float starts with a digit: 0.5"),
        ("(println null)", "the absent value is nil"),
        ("(def f [x] x)", "a function is (fn name [parameters] body), a variable (var name value)"),
        ("(prntln 1)", "did you mean println or print?"),
        ("(var counter 1) (println countr)", "did you mean counter?"),
        ("(fn f [amount] (println amuont)) (f 1)", "did you mean amount?"),
        ("(fn f [x] (if x (do (var total 1) (println totl)))) (f 1)", "did you mean total?"),
        ("(println nill)", "did you mean nil?"),
        (
            "(fn f [] (g 1) (fn g [n] n)) (f)",
            "g is defined further down, or in a block that keeps it to itself; only a module's functions can be used before their definition",
        ),
        ("(whlie true 1)", "did you mean while?"),
        ("(println qqqqq)", None),
        ('("abc" .to_uper)', "did you mean .to_upper or .to_uppercase?"),
        ('("abc" .toUpperCase)', "did you mean .to_upper?"),
        ("({^a 1} .lenght)", "did you mean .size?"),
        ("(class A (method area [] 1)) ((new A) .aera 1)", "did you mean .area?"),
        ("(class A (method area [] 1)) (class B < A) ((new B) .aera 1)", "did you mean .area?"),
        ('("abc" .qqqq)', None),
        (
            "(var m {}) (m/k .trim)",
            _VOID,
        ),
        ("(gene/json/prase 1)", "gene/json has no prase; did you mean gene/json/parse?"),
        ("(genex/nope/f 1)", "genex has no nope"),
        ("(import genex/http/httpget)", "genex/http has no httpget; did you mean genex/http/http_get?"),
        (
            '(import http_get from "genex/http")',
            "what is in the library is imported without from: (import genex/http/name)",
        ),
        (
            '(import extract from "genex/ai/documents")',
            "use the namespace ai/, which has tools, models and conversations",
        ),
        ("(var m {}) (m/k 1)", "what stands first in ( ) is called, and here it is void"),
        (
            "(var x 5) (x 1)",
            "what stands first in ( ) is called; data is `(…), an array […], a method call (value .method)",
        ),
        ("(fn f [a b] a) (var g f) (g 1)", "f takes [a b]"),
        ('("a" < "b")', "only numbers and dates have an order; [a b] .sort orders strings"),
        (
            "(fn f [] (1 + (f))) (f)",
            "does every call come closer to an end? A call in tail position, or a loop, takes no stack",
        ),
    ],
)
def test_hints(code, expected):
    """A hint says what would have been right; there is none where that is not known."""
    assert hint(code) == expected


def test_an_error_s_own_hint_comes_first():
    """Whoever raises an error knows best."""
    assert text(GeneException("nope is not defined", hint="look closer")).endswith("hint: look closer")


def test_no_hint_fails_on_an_error_from_nowhere():
    """Hints look at calls and receivers; where there are none they stay silent."""
    for message in ("Method f not found on instance", "Expected 2 arguments, got 1", ""):
        assert text(GeneException(message)) == f"error[GENE.RUNTIME.ERROR]: {message}"
    assert text(GeneException("x is not defined")).endswith(": x is not defined")
    assert len(HINTS) == len(set(HINTS))


def test_synonyms_are_methods():
    """A hint never proposes a method that no kind of value has."""
    known = {name for kind in KINDS.values() for name in kind.methods} | {"to_s"}
    assert set(_SYNONYMS.values()) <= known


def test_the_source_of_a_changed_file_does_no_harm(tmp_path):
    """A file that is not there any more, or is shorter now, is reported without its line."""
    file = tmp_path / "t.gene"
    file.write_text('\n\n(fn f [] (throw "x"))\n')
    gene = Interpreter()
    module = gene.run(file)
    file.write_text("")
    with pytest.raises(GeneException) as raised:
        module.members["f"]()
    assert text(raised.value) == f"error[GENE.RUNTIME.ERROR]: x\n  --> {file}:3:10"


def test_spans_of_sources_are_shown_as_places():
    """The excerpt of a span is its line and a caret."""
    error = GeneSyntaxError("bad", Span(Source("a\nbcd", "x"), 3, 4))
    assert text(error) == "syntax error: bad\n  --> x:2:2\n  bcd\n   ^"
