"""Generated programs: they give what the rules say, and nothing but Gene's own errors comes out of them."""

from __future__ import annotations

import contextlib
import io
import os
import re
import signal
import sys
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from reference import Failure, Leave, State, evaluate, identical, literal, text
from test_conformance import ALL_PROGRAMS

from gene.errors import GeneError
from gene.interpreter import Interpreter

CHECKED = settings(
    derandomize="CI" in os.environ,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


class TooLong(BaseException):
    """A generated program runs on and on."""


@contextlib.contextmanager
def limited(seconds: float) -> Any:
    """Give up on programs that do not end; they prove nothing."""

    def stop(*_args: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGALRM, stop)
    depth = sys.getrecursionlimit()
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        sys.setrecursionlimit(depth)


def is_leak(error: GeneError) -> bool:
    """Whether an error is one of Python's in disguise, from a place that did not foresee it."""
    cause = error.__cause__
    if not isinstance(cause, Exception) or isinstance(cause, GeneError | OSError):
        return False
    message = str(error)
    return message.endswith(str(cause)) or "cannot access" in message


def survives(program: str) -> None:
    """Compile and run a program; only Gene's own errors may come out."""
    with limited(0.5), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            Interpreter(recursion_limit=None).run_text(program, "t.gene")
        except GeneError as error:
            if is_leak(error):
                raise AssertionError(f"{error!r} from {error.__cause__!r}") from error
            error.render()
        except TooLong:
            assume(False)


# -- expressions against the reference evaluator -----------------------------------------------------------

INTS = [0, 1, -1, 2, 3, 7, -7, 64, 10**9, 3037000500, 2**62, 2**63 - 2, 2**63 - 1, -(2**63), -(2**63) + 1]
FLOATS = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -2.5,
    3.0,
    1e16,
    1e308,
    5e-324,
    float("inf"),
    float("-inf"),
    float("nan"),
]
VALUES = st.sampled_from([*INTS, *INTS, *FLOATS, True, False, None, "", "a", "1"])
NAMES = ["local", "given", "global", "item", "counter", "outer", "None"]
LITERALS = VALUES.map(lambda value: ("literal", value))
VARIABLES = st.sampled_from(NAMES).map(lambda name: ("variable", name))
LEAVES = st.one_of(LITERALS, VARIABLES, VARIABLES, VARIABLES)
OPERATORS = st.sampled_from(
    ["+", "-", "*", "/", "%", "+", "-", "*", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "&|&", "++"]
)
COMPARISONS = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])


@st.composite
def expressions(draw: Any, depth: int = 4, loop: str = "", handler: bool = False) -> Any:
    """An expression; ``loop`` says what may leave the loop around it, ``handler`` whether $ex is there."""
    if depth == 0:
        return draw(LEAVES)

    def some(**changed: Any) -> Any:
        return draw(expressions(depth - 1, **{"loop": loop, "handler": handler, **changed}))

    def several(low: int = 1, **changed: Any) -> list[Any]:
        return [some(**changed) for _ in range(draw(st.integers(low, 3)))]

    kinds = ["leaf", "infix", "infix", "infix", "chain", "set", "update", "not", "negate", "if", "do"]
    kinds += ["array", "called", "repeat", "loop", "try", "try", "throw", "return"]
    kinds += ["break"] if loop else []
    kinds += ["continue"] if loop == "repeat" else []
    kinds += ["message"] if handler else []
    match kind := draw(st.sampled_from(kinds)):
        case "leaf":
            return draw(LEAVES)
        case "infix":
            return (kind, some(), [(draw(OPERATORS), some()) for _ in range(draw(st.integers(1, 3)))])
        case "chain":
            return ("infix", some(), [(draw(COMPARISONS), some()) for _ in range(draw(st.integers(2, 3)))])
        case "set":
            return (kind, draw(st.sampled_from(NAMES)), some())
        case "update":
            return (kind, draw(st.sampled_from("+-*/%")), draw(st.sampled_from(NAMES)), some())
        case "not" | "negate" | "return":
            return (kind, some())
        case "if":
            return (kind, some(), some(), some())
        case "do" | "array":
            return (kind, several())
        case "called":
            return (kind, some(loop="", handler=handler))
        case "repeat":
            return (kind, draw(st.integers(0, 3)), several(loop="repeat"))
        case "loop":
            return (kind, several(loop="loop"), some(loop="loop"))
        case "throw":
            return (kind, draw(st.sampled_from(["one", "two"])))
        case "try":
            caught = some(handler=True) if draw(st.booleans()) else None
            last = some(loop="") if caught is None or draw(st.booleans()) else None
            return (kind, some(), caught, last)
        case _:
            return (kind,)


def in_function(body: str, values: dict[str, Any]) -> str:
    """A program whose variables are what variables can be: globals, parameters, locals, of loops, captured."""
    at = {name: literal(value) for name, value in values.items()}
    return f"""
(var global {at["global"]})
(fn around [outer]
  (fn f [given None]
    (var local {at["local"]})
    (for item in [{at["item"]}]
      (for counter in ({at["counter"]} .. {at["counter"]})
        (return [{body} {" ".join(NAMES)}]))))
  (f {at["given"]} {at["None"]}))
(around {at["outer"]})
"""


def at_top(body: str, values: dict[str, Any]) -> str:
    """The same expression at the top level."""
    return "".join(f"(var {name} {literal(value)})" for name, value in values.items()) + (
        f"[{body} {' '.join(NAMES)}]"
    )


def _expected(e: Any, values: dict[str, Any]) -> Any:
    state = State(dict(values))
    try:
        made = evaluate(e, state)
    except Leave as leave:
        return leave.value
    except Failure as failure:
        return failure
    return [made, *[state.variables[name] for name in NAMES]]


def _actual(program: str) -> Any:
    try:
        return Interpreter(recursion_limit=None).eval(program, "t.gene")
    except GeneError as error:
        return error


@settings(CHECKED, max_examples=250)
@given(
    expression=expressions(),
    values=st.fixed_dictionaries(dict.fromkeys(NAMES, VALUES)),
    counter=st.sampled_from(INTS[:-4]),
    place=st.sampled_from([in_function, at_top]),
)
def test_expressions_give_what_the_rules_say(
    expression: Any, values: dict[str, Any], counter: int, place: Any
) -> None:
    """Any expression gives the value, the error and the assignments of the reference evaluator."""
    values["counter"] = counter
    program = place(text(expression), values)
    try:
        with limited(5):
            expected, actual = _expected(expression, values), _actual(program)
    except TooLong:
        assume(False)
    if isinstance(expected, Failure):
        assert isinstance(actual, GeneError), (program, actual, expected)
        assert str(actual) == str(expected), program
    else:
        assert not isinstance(actual, GeneError), (program, actual, expected)
        assert identical(actual, expected), (program, actual, expected)


# -- whole programs ----------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    [
        *(
            "x",
            "y",
            "f",
            "m",
            "xs",
            "self",
            "nil",
            "void",
            "_",
            "$ex",
            "$ns",
            "None",
            "__class__",
            "x/y",
            "m/0",
        ),
        *(
            "xs...",
            "/x",
            "m/<x>",
            "s/.size",
            "x:",
            "^k",
            "^opts...",
            "rest...",
            "a|b",
            "not_found",
            "$x",
            "ok?",
        ),
        *(
            "0",
            "1",
            "-1",
            "2.5",
            "9223372036854775807",
            '"s"',
            '""',
            "true",
            "false",
            "`q",
            "'c'",
            "#/a+/",
            "@a",
        ),
        *(
            "=",
            "+=",
            "+",
            "==",
            "<",
            "&&",
            "||",
            "is",
            "..",
            ".size",
            ".push",
            ".map",
            ".to_s",
            "->",
            "|",
            ".",
            "?",
        ),
        *(
            "in",
            "else",
            "elif",
            "when",
            "catch",
            "finally",
            "then",
            "not",
            "*",
            "from",
            "Int",
            "String",
            "Exception",
        ),
    ]
)
HEADS = st.sampled_from(
    [
        *(
            "var",
            "let",
            "fn",
            "if",
            "ifel",
            "if_not",
            "do",
            "loop",
            "while",
            "for",
            "repeat",
            "case",
            "try",
            "throw",
        ),
        *(
            "class",
            "new",
            "method",
            "ctor",
            "super",
            "import",
            "export",
            "return",
            "break",
            "continue",
            "$",
            "async",
        ),
        *(
            "await",
            "println",
            "len",
            "typeof",
            "f",
            "x",
            "range",
            "quote",
            "eval",
            "$render",
            "ns",
            "enum",
            "type",
        ),
        *(
            "yield",
            "interface",
            "object",
            "comptime",
            "unless!",
            "fn!",
            "macro!",
            "inc!",
            "+",
            "-",
            "not",
            "$if_main",
        ),
    ]
)


def forms() -> st.SearchStrategy[str]:
    """Forms of any shape: special words with children that they do and do not expect."""

    def extend(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        items = st.lists(inner, max_size=5).map(" ".join)
        properties = st.sampled_from(["", "", "^k 1 ", "^^flag ", "^from x ", "^... m "])
        return st.one_of(
            st.builds("({} {}{})".format, HEADS, properties, items),
            st.builds("({} {}{})".format, inner, properties, items),
            st.builds("(fn {} [{}] {})".format, WORDS, items, items),
            st.builds("(fn [{}] {})".format, items, items),
            st.builds("(for {} in {} {})".format, WORDS, inner, items),
            st.builds("(var {} {})".format, WORDS, inner),
            st.builds("(try {} catch {} {} finally {})".format, inner, WORDS, items, inner),
            st.builds("[{}]".format, items),
            st.builds("{{^a {} ^b {}}}".format, inner, inner),
            st.builds('#"a#{{{}}}b"'.format, inner),
            st.builds("`{}".format, inner),
        )

    return st.recursive(WORDS, extend, max_leaves=25)


@settings(CHECKED, max_examples=150)
@given(st.lists(forms(), min_size=1, max_size=4).map("\n".join))
def test_forms_of_any_shape_fail_with_errors_of_gene(program: str) -> None:
    """Whatever forms a program has, reading, compiling and running it raise nothing but Gene's errors."""
    survives(program)


TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"|[()\[\]{}]|[^\s()\[\]{}"]+')
POOL = sorted({token for program in ALL_PROGRAMS for token in TOKENS.findall(program.text)})


@st.composite
def mutations(draw: Any) -> str:
    """A verified program with some tokens dropped, doubled, exchanged or replaced by those of others."""
    tokens = TOKENS.findall(draw(st.sampled_from(ALL_PROGRAMS)).text)
    for _ in range(draw(st.integers(1, 3))):
        assume(tokens)
        at = draw(st.integers(0, len(tokens) - 1))
        match draw(st.sampled_from(["drop", "double", "replace", "replace", "swap"])):
            case "drop":
                del tokens[at]
            case "double":
                tokens.insert(at, tokens[at])
            case "replace":
                tokens[at] = draw(st.sampled_from(POOL))
            case _:
                other = draw(st.integers(0, len(tokens) - 1))
                tokens[at], tokens[other] = tokens[other], tokens[at]
    return " ".join(tokens)


@settings(CHECKED, max_examples=150)
@given(mutations())
def test_mutated_programs_fail_with_errors_of_gene(program: str) -> None:
    """A program that was right and is not any more raises nothing but Gene's errors."""
    survives(program)
