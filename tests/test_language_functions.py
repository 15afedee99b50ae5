"""Functions: parameters and their defaults, closures, hoisting, metadata."""

import pytest
from support import error, fails, output, value


def test_forms_of_functions():
    """Named, anonymous and block functions; the last expression or return gives the value."""
    assert value("(fn f [] 1 2) (f)") == 2
    assert value("(fn f []) (f)") is None
    assert value("((fn [a b] (a + b)) 1 2)") == 3
    assert value('(fn f [a] (if (a > 1) (return "big")) "small") [(f 1) (f 2)]') == ["small", "big"]
    assert value("(fn $ns/f [x] x) ($ns/f 3)") == 3
    assert callable(value("(fn f [] 1)"))


def test_functions_are_usable_before_their_definition():
    """Named functions of a module and of a body are there from the start of it."""
    assert output("(println (f 2)) (fn f [x] (g x)) (fn g [x] (x * 2))") == "4\n"
    assert fails("(fn f [] (var r (g)) (fn g [] 7) r) (f)") == "g is not defined"
    assert (
        value(
            "(fn f [n] (fn ev [n] (if (n == 0) true else (od (n - 1)))) (fn od [n] (if (n == 0) false else (ev (n - 1)))) (ev n)) (f 7)"
        )
        is False
    )


def test_inner_functions_stay_inside():
    """A named function of a function is no name of the module, and two of them do not meet."""
    assert value("(fn a [] (fn h [] 1) (h)) (fn b [] (fn h [] 2) (h)) [(a) (b) (a)]") == [1, 2, 1]
    assert fails("(fn a [] (fn h [] 1) (h)) (a) (h)") == "h is not defined"
    assert value("(fn a [] (fn h [] 1)) ((a))") == 1


def test_defaults_are_evaluated_at_each_call():
    """A default sees the parameters before it, and a new array each time."""
    assert value("(fn f [a b = (a + 1) c = (b * 2)] [a b c]) [(f 1) (f 1 5) (f 1 5 0)]") == [
        [1, 2, 4],
        [1, 5, 10],
        [1, 5, 0],
    ]
    assert value("(fn f [x log = []] (log .push x) log) (f 1) (f 2)") == [2]
    assert value("(fn f [^a = 1 ^b = (a + 1)] [a b]) [(f) (f ^a 5) (f ^b 0)]") == [[1, 2], [5, 6], [1, 0]]
    assert value("(var n 0) (fn next [] (n += 1)) (fn f [id = (next)] id) [(f) (f 9) (f)]") == [1, 9, 2]
    assert value("(fn f [a = nil] a) (f)") is None
    assert value("(fn f [a = (try (throw 1) catch * 5)] a) (f)") == 5
    assert value("(fn f [a = 1 b] [a b]) (f 5 6)") == [5, 6]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(var t 5) (fn f [t = t] t) [(f) (f 1)]", [5, 1]),
        ("(var t 5) (fn f [^t = t] t) [(f) (f ^t 1)]", [5, 1]),
        ("(var t 5) (fn f [a = t t = 1] [a t]) (f)", [5, 1]),
        ("(var t 5) (fn f [a = (fn [] t) ^t = 1] [(a) t]) (f)", [5, 1]),
        ("(fn f [len = (len [1 2])] len) (f)", 2),
        ("(fn g [t] (fn f [t = (t + 1)] (t += 1) t) [(f) t]) (g 5)", [7, 5]),
        ("(fn g [t] (fn f [^t: Int = (t + 1)] t) [(f) (f ^t 1) t]) (g 5)", [6, 1, 5]),
        ("(fn g [^t = 2] (fn f [a = [t...] ^t = 1] [a t]) (f)) (g ^t [8 9])", [[8, 9], 1]),
        ("(var t 5) (class A (ctor [^t = t] (/t = t)) (method m [t = t] [/t t])) ((new A ^t 3) .m)", [3, 5]),
        ("(var t 2) (fn f* [t = t] (yield t)) ((f*) .next)", 2),
    ],
)
def test_a_default_sees_what_is_outside(text, expected):
    """A parameter that is not there yet, such as its own, does not hide what has the same name."""
    assert value(text) == expected


def test_a_default_does_not_see_later_parameters():
    """Nor itself."""
    assert fails("(fn f [a = b b = 2] a) (f)") == "b is not defined"
    assert fails("(fn f [^t = t] t) (f)") == "t is not defined"


def test_rest_parameters():
    """A rest parameter takes what is left, perhaps from the middle; its array is the function's own."""
    assert value("(fn f [a rest... z] [a rest z]) [(f 1 2) (f 1 2 3 4)]") == [[1, [], 2], [1, [2, 3], 4]]
    assert value("(fn f [a = 1 rest... y = (a + 1)] [a rest y]) [(f) (f 5) (f 5 6) (f 5 6 7)]") == [
        [1, [], 2],
        [5, [], 6],
        [5, [], 6],
        [5, [6], 7],
    ]
    assert value("(var xs [1]) (fn f [rest...] (rest .push 2) rest) [(f xs...) xs]") == [[1, 2], [1]]
    assert value('(var m {^a 1}) (fn f [^opts...] (opts .set "b" 2) opts) [(f ^... m) m]') == [
        {"a": 1, "b": 2},
        {"a": 1},
    ]
    assert value("(fn f [_ b _] b) (f 1 2 3)") == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(fn f)", "fn: a parameter list is missing"),
        ("(fn f [a a] 1)", "the parameter a is there twice"),
        ("(fn f [k ^k] 1)", "the parameter k is there twice"),
        ("(fn f [a... b...] 1)", "only one parameter can take the rest"),
        ("(fn f [5] 1)", "a parameter is a name"),
        ("(fn f [$x] 1)", "$x cannot be a parameter: names with a $ are global"),
        ("(fn f [a:] 1)", "a type is missing after a:"),
        ("(fn f [a = ] 1)", "a default is missing after ="),
        ("(fn f [first ...] 1)", "... is part of a parameter's name"),
        ("(fn f [[a b]] 1)", "a parameter is a name, not a pattern"),
        ("(fn f [/x] 1)", "a parameter /x is a property of self: it needs a method"),
        ("(fn f [self] 1)", "self cannot be declared"),
        ("(fn self [] 1)", "self cannot be declared"),
    ],
)
def test_parameter_lists_that_mean_nothing(text, message):
    """Faults of a parameter list are found before anything runs."""
    assert fails(text) == message


def test_closures_share_what_they_capture():
    """Functions of one call share its variables; those of another call have others."""
    counter = "(fn make [] (var n 0) [(fn [] (n += 1)) (fn [] n)])"
    assert value(f"{counter} (var a (make)) (var b (make)) (a/0) (a/0) (b/0) [(a/1) (b/1)]") == [2, 1]
    assert value("(fn f [x] (fn [] (x += 1) x)) (var g (f 1)) [(g) (g)]") == [2, 3]
    assert value("(fn f [x] (var g (fn [] (fn [] (x += 1)))) (var h (g)) (h) (h) x) (f 1)") == 3


CLOSURES = [
    ("a for binds anew", "(for x in [1 2 3] (fs .push (fn [] x)))", [1, 2, 3]),
    ("a variable of a for", "(for x in [1 2 3] (var y (x * 2)) (fs .push (fn [] y)))", [2, 4, 6]),
    ("assigned later", "(for x in [1 2 3] (fs .push (fn [] x)) (x += 10))", [11, 12, 13]),
    ("assigned inside", "(for x in [1 2 3] (fs .push (fn [] (x += 1) x)))", [2, 3, 4]),
    ("keys", "(for i x in [7 8] (fs .push (fn [] [i x])))", [[0, 7], [1, 8]]),
    ("patterns", "(for [a b] in [[1 2] [3 4]] (fs .push (fn [] (a + b))))", [3, 7]),
    ("repeat", "(var n 0) (repeat 3 (var k n) (n += 1) (fs .push (fn [] k)))", [0, 1, 2]),
    ("a while shares", "(var i 0) (while (i < 3) (var y i) (fs .push (fn [] y)) (i += 1))", [2, 2, 2]),
    ("a loop shares", "(var i 0) (loop (var y i) (fs .push (fn [] y)) (i += 1) (if (i == 3) (break)))", [2, 2, 2]),
    ("a branch binds anew", "(var i 0) (while (i < 3) (if true (var y i) (fs .push (fn [] y))) (i += 1))", [0, 1, 2]),
    ("a while in a for", "(for x in [1 2] (var i 0) (while (i < 2) (var y (x * 10 + i)) (fs .push (fn [] y)) (i += 1)))", [11, 11, 21, 21]),
    ("nested", "(for x in [1 2] (for y in [3 4] (fs .push (fn [] (x * y)))))", [3, 4, 6, 8]),
    ("functions in functions", "(for x in [1 2] (fs .push (fn [] ((fn [] ((fn [] x)))))))", [1, 2]),
    ("shared by two", "(for x in [1 2] (var inc (fn [] (x += 1))) (inc) (fs .push (fn [] x)))", [2, 3]),
    ("recursive", "(for x in [1 2] (fn down [n] (if (n == 0) x else (down (n - 1)))) (fs .push (fn [] (down 3))))", [1, 2]),
    ("mutual", "(for x in [1 2] (fn a [n] (if (n == 0) x else (b (n - 1)))) (fn b [n] (a n)) (fs .push (fn [] (a 3))))", [1, 2]),
    ("caught", "(for x in [1 2] (try (throw ($ x)) catch e (fs .push (fn [] e/message))))", ["1", "2"]),
    ("caught as $ex", "(for x in [1 2] (try (throw ($ x)) catch * (fs .push (fn [] $ex/message))))", ["1", "2"]),
    ("skipped by an error", '(for x in ["1" "a" "3"] (try (var n (x .to_i)) catch * nil) (fs .push (fn [] n)))', [1, None, 3]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), [c[1:] for c in CLOSURES], ids=[c[0] for c in CLOSURES])
@pytest.mark.parametrize("place", ["{}", "(fn go [] {}) (go)", "(class A (method go [] {})) ((new A) .go)"])
def test_closures_in_loops(place, text, expected):
    """What functions that loops make see: this turn's variable, or the one of all turns."""
    body = f"(var fs []) {text} (fs .map (fn [f] (f)))"
    assert value(place.format(body)) == expected


def test_metadata_of_functions():
    """Properties before the parameter list describe the function."""
    assert value('(fn f ^intent "adds" [a] a) (f .intent)') == "adds"


def test_deep_expressions_and_huge_functions():
    """Nesting and length have no limit that a program meets."""
    assert value("(" * 200 + "1" + " + 1)" * 200) == 201
    many = " ".join(f"(x += {n})" for n in range(3000))
    assert value(f"(fn f [x] {many} x) (f 0)") == sum(range(3000))
    branches = "if (x == 0) 0 " + " ".join(f"elif (x == {n}) {n}" for n in range(1, 300))
    assert value(f"(fn f [x] ({branches})) (f 299)") == 299
    loops = "".join(f"(for a{n} in [{n}] " for n in range(18)) + "(return a17)" + ")" * 18
    assert value(f"(fn f [] {loops}) (f)") == 17


def test_loops_can_be_nested_only_so_deep():
    """Python's limit on nested blocks is an error of Gene, with a place and a way out."""
    failed = error("(fn f []\n" + "(for x in [1] " * 25 + ")" * 26)
    assert str(failed) == "Loops and try forms are nested too deeply: Python takes 20 inside of each other"
    assert failed.span.line == 2
    assert failed.hint == "make a function of the inner ones"


def test_a_function_in_a_local_variable_can_call_itself() -> None:
    """``(var g (fn … (g …)))`` inside of a function recurses; a name that means something already keeps it."""
    assert value("(fn f [k] (var g (fn [n] (if (n == 0) 0 else (1 + (g (n - 1)))))) (g k)) (f 5)") == 5
    wrapped = "(fn f [log] (var log2 (fn [m] (log m))) (log2 3)) (f (fn [m] (m * 2)))"
    assert value(wrapped) == 6
