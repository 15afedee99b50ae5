"""Calls: order of evaluation, arguments of every kind, and their errors."""

import pytest
from support import fails, output, run, value

TRACE = "(var log []) (fn t [x] (log .push x) x)"


@pytest.mark.parametrize(
    ("form", "order"),
    [
        ("((t f) (t 1) (t 2))", ["f", 1, 2]),
        ("(f (t 1) (try (t 2) catch * 0) (t 3))", [1, 2, 3]),
        ("(f (t 1) (do (t 2) (t 3)) ^k (t 4))", [4, 1, 2, 3]),
        ("(f ^k (try (t 1) finally (t 2)) (t 3))", [1, 2, 3]),
        ("[(t 1) (loop (t 2) (break (t 3))) (t 4)]", [1, 2, 3, 4]),
        ("{^a (t 1) ^b (if (t 2) (t 3)) ^c (t 4)}", [1, 2, 3, 4]),
        ("((t 1) + (try (t 2) finally nil) * (t 3))", [1, 2, 3]),
        ('((t "s") .append (t "a") (try (t "b") finally nil))', ["s", "a", "b"]),
        ('#"#{(t 1)}#{(try (t 2) finally nil)}#{(t 3)}"', [1, 2, 3]),
        ("((t 1) < (t 2) < (t 3))", [1, 2, 3]),
        ("((t 1) < (try (t 2) finally nil) < (t 3))", [1, 2, 3]),
        ("((t 5) < (t 2) < (t 3))", [5, 2]),
        ("(f xs... (t 1) xs...)", [1]),
    ],
)
def test_arguments_are_evaluated_from_left_to_right(form, order):
    """Head, then properties, then arguments, once each, also where an argument needs statements."""
    program = f"{TRACE} (fn f [xs... ^k = 0] xs) (var xs [7]) {form} log"
    made = value(program)
    assert [each if isinstance(each, int | str) else "f" for each in made] == order


def test_an_argument_sees_what_those_before_it_assigned():
    """An assignment in one argument shows in the next ones and not in the earlier ones."""
    assert value("(fn f [a b c d] [a b c d]) (fn g [x] (f x (do (x = 5) x) (try (x = 6) catch * 0) x)) (g 1)") == [
        1, 5, 6, 6,
    ]  # fmt: skip
    assert value("(fn f [a ^k] [a k]) (fn g [x] [(f x ^k (x = 5)) (f (x = 6) ^k x)]) (g 1)") == [
        [5, 5],
        [6, 5],
    ]
    assert value("(fn g [x] [x (x += 1) x (x = [x]) x]) (g 1)") == [1, 2, 2, [2], [2]]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("(f 1 2)", [1, 2, [], 3, {}]),
        ("(f 1 2 3 4 ^k 5 ^z 6)", [1, 2, [3, 4], 5, {"z": 6}]),
        ("(f ^^k 1 2)", [1, 2, [], True, {}]),
        ("(f 1 ^!k 2)", [1, 2, [], None, {}]),
        ("(f xs...)", [7, 8, [9], 3, {}]),
        ("(f 0 xs... 1 xs...)", [0, 7, [8, 9, 1, 7, 8, 9], 3, {}]),
        ("(f xs... ^... m)", [7, 8, [9], 4, {"y": 1}]),
        ("(f ^... m ^z 2 1 2)", [1, 2, [], 4, {"y": 1, "z": 2}]),
        ("(f m/xs... 2)", [1, 2, [], 3, {}]),
        ("(f (xs .slice 0 2)... [1] ... (0 .. 1)...)", [7, 8, [1, 0, 1], 3, {}]),
        ("(f 1 2 ^k 5 ^... m)", [1, 2, [], 4, {"y": 1}]),
        ("(f 1 2 ^... m ^k 5 ^... {^y 2})", [1, 2, [], 5, {"y": 2}]),
    ],
)
def test_arguments_reach_their_parameters(call, expected):
    """Positional, rest, keyword, flag and spread arguments in all mixes; of equal keywords the last counts."""
    names = "(var xs [7 8 9]) (var m {^k 4 ^y 1})"
    if "m/xs" in call:
        names = "(var m {^xs [1]})"
    assert value(f"{names} (fn f [a b rest... ^k = 3 ^opts...] [a b rest k opts]) {call}") == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(fn f [a b] 1) (f)", "Expected 1 arguments, got 0"),
        ("(fn f [a b] 1) (f 1)", "Expected 2 arguments, got 1"),
        ("(fn f [a b] 1) (f 1 2 3)", "Expected 2 arguments, got 3"),
        ("(fn f [a b] 1) (var g f) (g 1 2 3)", "Expected 2 arguments, got 3"),
        ("(fn f [a b = 1] 1) (var g f) (g 1 2 3)", "Expected 2 arguments, got 3"),
        ("(fn f [a rest... z] 1) (f 1)", "Expected 2 arguments, got 1"),
        ("(fn f [a ^k = 1 rest... y z = 2] 1) (f 1)", "Expected 2 arguments, got 1"),
        ("(class A (method m [a rest... z] 1)) ((new A) .m 1)", "Expected 3 arguments, got 2"),
        ("(fn f [^k] 1) (f)", "Missing keyword argument: k"),
        ("(fn f [a ^k] 1) (f 1 ^j 2)", "Unexpected keyword argument: j"),
        ("(fn f [a] 1) (f ^a 1)", "Unexpected keyword argument: a"),
        ("(nothing 1)", "nothing is not defined"),
        ("(var x nil) (x)", "IkUnifiedCall0 requires a callable, got VkNil"),
        ("(var x 5) (x 1)", "IkUnifiedCall1 requires a callable, got VkInt"),
        ("(var x {}) (x 1 2)", "IkUnifiedCall requires a callable, got VkMap"),
        ("(var m {}) (m/f 1)", "IkUnifiedCall1 requires a callable, got VkVoid"),
        ("(var m {}) (println (m/f 1))", "IkUnifiedCall1 requires a callable, got VkVoid"),
        ('(fn f [g] (g "a")) (f "s")', "IkUnifiedCall1 requires a callable, got VkString"),
        ("(math/nope 1)", "IkUnifiedCall1 requires a callable, got VkVoid"),
        ("(len 1 2 3)", "Expected 1 arguments, got 3"),
        ("(var xs 5) (len xs...)", "... spreads an Array, got VkInt"),
        ("(var m 5) (len ^... m)", "^... spreads a Map, got VkInt"),
        ("(len ... [])", "... follows what it spreads"),
    ],
)
def test_calls_that_fail(text, message):
    """Wrong counts, wrong keywords and callees that are no functions have their messages."""
    assert fails(text) == message


def test_a_function_without_parameters_ignores_arguments():
    """Any number of positional arguments is accepted; a keyword that it does not know is an error as always."""
    assert value("(fn f [] 1) (f 1 2 3)") == 1
    assert value("(class A (method m [] 1)) ((new A) .m 1 2)") == 1
    assert fails("(fn f [] 1) (f ^k 1)") == "Unexpected keyword argument: k"


def test_too_many_arguments_for_a_known_function_stop_the_program():
    """Nothing runs: the call cannot be right."""
    with pytest.raises(Exception, match=r"too many positional arguments in call \(expected 1, got 2\)"):
        output('(println "ran") (fn f [a] a) (f 1 2)')


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ('("a" .upper 1)', "Expected 1 arguments, got 2"),
        ('("a" .trim "a")', "Expected 1 arguments, got 2"),
        ('("a" .size 1)', "Expected 1 arguments, got 2"),
        ('("a" .size ^x 1)', "Unexpected keyword argument: there can be none here"),
        ("([1] .pop 1)", "Expected 1 arguments, got 2"),
        ("(5 .to_f 1 2)", "Expected 1 arguments, got 3"),
        ("(len)", "Missing argument: value"),
        ("(len 1 2)", "Expected 1 arguments, got 2"),
        ("(typeof)", "Missing argument: value"),
        ("(assert)", "Missing argument: condition"),
        ("(freeze)", "Missing argument: value"),
        ("(host 1)", "Missing argument: b"),
        ("(host 1 2)", "Missing keyword argument: c"),
        ("(var xs [1]) (host xs...)", "Missing argument: b"),
        ("(host ^c 1)", "Missing argument: a, b"),
        ("(host 1 2 3 ^c 1)", "Expected 2 arguments, got 3"),
        ("([1] .push ^array 5)", "Unexpected keyword argument: array"),
        ("(host 1 2 ^c 1 ^d 1)", "Unexpected keyword argument: d"),
    ],
)
def test_arguments_of_native_functions_are_counted(call, message):
    """Functions of Python say what they lack in the words of Gene; for methods the receiver counts."""
    from gene.errors import GeneError
    from gene.interpreter import Interpreter

    def host(a, b, *, c):
        return [a, b, c]

    interpreter = Interpreter()
    interpreter.define("host", host)
    with pytest.raises(GeneError) as caught:
        interpreter.eval(call)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "code",
    ["(1 + a)", "(a < 1)", "(- a)", "(len a)", "(range 1 a)", "[a...]", "(new a)", "(await a)", "(sleep a)"],
)
def test_an_instance_in_the_wrong_place_is_called_one(code):
    """Messages name the kind of an instance as the language does."""
    assert "VkInstance" in fails(f"(class A) (fn f [a] {code}) (f (new A))")


def test_callable_values():
    """Anonymous functions, computed heads, path heads, and instances with a method call."""
    assert value("((fn [x] (x * 2)) 4)") == 8
    assert value("(fn f [] (fn [x] x)) ((f) 3)") == 3
    assert value('(var m {^f (fn [x] (x + 1))}) (var k "f") [(m/f 1) (m/<k> 2) (m/f .call 4)]') == [
        2, 3, 5,
    ]  # fmt: skip
    assert value("(class A (method call [x] (x + 1))) ((new A) 4)") == 5
    assert value("((x -> (x + 1)) 4)") == 5
    assert value("((-> 7))") == 7


def test_host_functions_take_and_give_gene_functions():
    """A Python callable is called like a Gene function, and a Gene function like a Python one."""
    from gene.interpreter import Interpreter

    interpreter = Interpreter()
    interpreter.define("apply", lambda function, *args, **named: function(*args, **named))
    assert interpreter.eval("(apply (fn [a ^k = 2] [a k]) 1 ^k 3)") == [1, 3]
    assert interpreter.eval("(fn twice [f x] (f (f x))) twice")(lambda x: x + 1, 5) == 7


def test_values_that_are_not_wanted_are_still_evaluated():
    """Statements keep their effects, whatever becomes of their values."""
    assert run("(fn f [] (println 1) nil) (f) (do (f) 2) [(f)] (if (f) 1) {^a (f)} 5") == (5, "1\n" * 5)
