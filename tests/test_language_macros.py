"""Macros: functions that are handed code, and evaluate it where it was written."""

from __future__ import annotations

import pytest
from support import error, fails, output, value, warnings

from gene.runtime.text import inspect


def shown(text):
    """The value of a program as the REPL shows it."""
    return inspect(value(text))


# -- arguments -------------------------------------------------------------------------------------------


def test_a_macro_gets_its_arguments_as_data():
    """Symbols, paths, forms, collections and literals arrive unevaluated."""
    assert shown('(fn m! [xs...] xs) (m! x a/b (f 1) [y] {^k z} "s" 1 `q ys...)') == (
        '[x a/b (f 1) [y] {^k z} "s" 1 `q ys...]'
    )


def test_keyword_arguments_are_data_too():
    """Also the flags, and what is left for a keyword rest."""
    assert shown("(fn m! [a ^k = 3] [a k]) [(m! x ^k (1 + 2)) (m! x)]") == "[[x (1 + 2)] [x 3]]"
    assert shown("(fn m! [^opts...] opts) (m! ^a (1 + 1) ^^b ^!c)") == "{^a (1 + 1) ^b true ^c nil}"


def test_wrong_counts_are_reported_as_for_any_function():
    """A macro checks its arguments like a function."""
    assert fails("(fn m! [a b] a) (m! x)") == "Expected 2 arguments, got 1"
    assert fails("(fn m! [a ^k] a) (m! x)") == "Missing keyword argument: k"
    assert fails("(fn m! [a] a) (m! x ^z 1)") == "Unexpected keyword argument: z"


@pytest.mark.parametrize(
    "datum", ["(select * from t where)", "(if)", "(var)", "(a =)", "(break)", "(import x)", "(yield 1)", "%x"]
)
def test_arguments_need_not_be_code(datum):
    """What a macro only looks at may be any data: it has its own language."""
    assert shown(f"(fn m! [x] x) (m! {datum})") == datum


def test_data_that_is_no_code_fails_when_it_is_evaluated():
    """Then, and not before."""
    assert fails("(fn m! [x] ($caller_eval x)) (m! (if))") == "if: missing condition"


def test_what_looks_wrong_in_an_argument_is_no_mistake():
    """A call with too many arguments may mean something else to the macro."""
    assert output("(fn f [a] a) (fn m! [x] x) (println (m! (f 1 2)))") == "(f 1 2)\n"


def test_the_name_at_the_call_decides():
    """Through a name without ``!`` the arguments are evaluated; a name with ``!`` may hold any function."""
    assert value("(fn m! [x] x) (var n m!) (n (1 + 2))") == 3
    assert value("(fn m! [x] x) ([4] .map m!)") == [4]
    assert value("(var f! (fn [x] x)) (f! (1 + 2))") == 3
    assert value("(fn g [f!] (f! (1 + 2))) (g (fn [x ^k = 1] (x + k)))") == 4
    assert fails("(var f! 5) (f! 1)").startswith("IkUnifiedCall")


def test_spreads_in_calls_of_macros():
    """To a macro a spread is data too, but for a map, which has no place there; what is no macro gets the items."""
    assert shown("(fn m! [xs...] xs) (var ys [1]) (m! ys... (f)...)") == "[ys... (f) ...]"
    message = "^... in the call of a macro spreads nothing: its arguments are data"
    assert fails("(fn m! [^k = 1] k) (m! ^... {^k 2})") == message
    plain = "(var f! (fn [xs... ^k = 0 ^o...] [xs k o])) (var ys [1 2]) (var m {^k 5 ^z 6})"
    assert value(f"{plain} (f! ys... (1 + 2) ys/.reverse... ^... m)") == [[1, 2, 3, 2, 1], 5, {"z": 6}]


def test_a_macro_may_be_a_member():
    """A path that ends in ``!`` calls a macro of a namespace or a map."""
    assert shown("(ns /n (fn /m! [x] x)) (n/m! (f 1))") == "(f 1)"


def test_methods_are_no_macros():
    """A method's name cannot end in ``!``."""
    assert fails("(class A (method m! [] 1))") == "a method's name cannot end in !: m!"


# -- evaluating at the caller ----------------------------------------------------------------------------


def test_caller_eval_sees_the_variables_of_the_caller():
    """Not those of the macro, and not those of the module where the caller has its own."""
    assert value(
        "(var x 1) (fn m! [e] (var x 2) ($caller_eval e)) (fn f [] (var x 3) (m! x)) [(m! x) (f)]"
    ) == [1, 3]


def test_caller_eval_assigns_variables_of_the_caller():
    """Of a function, of a block, of a closure, and of the module."""
    increment = "(fn inc! [v] ($caller_eval ($render `(%v += 1))))"
    assert value(f"{increment} (fn f [] (var k 1) (inc! k) k) (f)") == 2
    assert value(f"{increment} (var k 1) (inc! k) k") == 2
    assert value(f"{increment} (fn f [] (var m {{^n 1}}) (inc! m/n) m/n) (f)") == 2
    closures = "(var fs []) (for i in [1 2] (var t i) (inc! t) (fs .push (fn [] (inc! t) t)))"
    assert value(f"{increment} (fn f [] {closures} (fs .map (fn [g] [(g) (g)]))) (f)") == [[3, 4], [4, 5]]


def test_swap():
    """The classic: two variables of the caller change places."""
    text = """
        (fn swap! [a b]
          (var kept ($caller_eval a))
          ($caller_eval ($render `(%a = %b)))
          ($caller_eval ($render `(%b = %kept))))
        (fn f [] (var p 1) (var q 2) (swap! p q) [p q])
        (f)
    """
    assert value(text) == [2, 1]


def test_each_evaluation_evaluates():
    """An argument is evaluated as often as the macro wants: never, once or more."""
    assert value("(fn never! [e] 1) (var n 0) (never! (n += 1)) n") == 0
    assert value("(fn twice! [e] ($caller_eval e) ($caller_eval e)) (var n 0) (twice! (n += 1)) n") == 2


def test_control_structures():
    """Macros make new control structures, also in loops of their own."""
    unless = """
        (fn unless! [condition body...]
          (if_not ($caller_eval condition) (var last nil) (for form in body (last = ($caller_eval form))) last))
    """
    assert value(f"{unless} (var a 1) [(unless! (a == 2) (a = 7) (a + 1)) a (unless! (a == 7) 1)]") == [
        8,
        7,
        None,
    ]
    loop = "(fn while! [c body] (while ($caller_eval c) ($caller_eval body)))"
    assert value(f"{loop} (fn f [] (var i 0) (while! (i < 3) (i += 1)) i) (f)") == 3


def test_a_changed_argument_is_evaluated_as_it_is():
    """A macro may change the code that it was given before it evaluates it."""
    assert value("(fn m! [e] (e .set_child 1 10) ($caller_eval e)) (var x 5) (m! (x + 1))") == 15
    assert value("(fn m! [e] (e/0 = `-) ($caller_eval e)) (var x 5) (m! (x + 1))") == 4
    assert value("(fn m! [e] (e/0 .push 3) ($caller_eval e)) (m! (len [1 2]))") == 3


def test_macros_call_macros():
    """The inner macro is given the name that the outer one wrote; that name means data."""
    inner = "(fn inner! [e] [e ($caller_eval e)])"
    assert shown(f"{inner} (fn outer! [e] (inner! e)) (outer! (z + 1))") == "[e (z + 1)]"
    assert (
        value(
            "(fn inner! [e] ($caller_eval e)) (fn outer! [e] (var v (inner! ($caller_eval e))) (v * 2)) (var z 3) (outer! z)"
        )
        == 6
    )


def test_recursive_macros():
    """A macro may call itself, in its own scope."""
    text = (
        "(fn fact! [n] (var v ($caller_eval n)) (if (v <= 1) 1 else (v * (fact! (v - 1))))) (fact! (2 + 3))"
    )
    assert value(text) == 120


def test_closures_of_macros_keep_the_caller():
    """A function that a macro returns still evaluates where the macro was called."""
    assert (
        value(
            "(fn later! [e] (fn [] ($caller_eval e))) (fn f [] (var q 1) (var g (later! (q += 1))) (g) (g) q) (f)"
        )
        == 3
    )


def test_macros_in_methods():
    """Arguments see self and its properties, written out or rendered."""
    text = """
        (fn m! [e] ($caller_eval e))
        (fn read! [name] ($caller_eval ($parse #"/#{name}")))
        (class C (ctor [/p]) (method a [x] (m! (x + /p))) (method b [] (read! p)) (method c [] (m! (/p = 9)) /p))
        (var c (new C 3))
        [(c .a 4) (c .b) (c .c)]
    """
    assert value(text) == [7, 3, 9]


def test_a_declaration_at_the_caller_does_not_survive():
    """It belongs to the code that is evaluated, in functions and at the top level alike."""
    declare = "(fn m! [] ($caller_eval `(var zz 1)))"
    assert fails(f"{declare} (m!) zz") == "zz is not defined"
    assert fails(f"{declare} (fn f [] (m!) zz) (f)") == "zz is not defined"
    assert fails(f"{declare} (fn f [x] (m!) zz) (f 1)") == "zz is not defined"


def test_leaving_leaves_the_evaluated_code():
    """``return`` ends the code that is evaluated, not the function that called the macro."""
    assert value("(fn m! [e] [($caller_eval e)]) (fn f [] (m! (return 5))) (f)") == [5]


def test_errors_pass_through():
    """What an argument throws is caught around the call, or in the macro."""
    assert value('(fn m! [e] ($caller_eval e)) (try (m! (throw "x")) catch * $ex/message)') == "x"
    assert value('(fn safe! [e] (try ($caller_eval e) catch * "caught")) (safe! (throw "x"))') == "caught"
    assert fails("(fn m! [e] ($caller_eval e)) (m! nowhere)") == "nowhere is not defined"


def test_caller_eval_outside_of_macros():
    """It needs a caller, and one datum."""
    assert fails("(fn f [] ($caller_eval `x))") == (
        "$caller_eval has a meaning only in a macro, a function whose name ends in !"
    )
    assert fails("(fn f! [] ($caller_eval))") == "$caller_eval needs one datum"


def test_macros_with_contracts():
    """Conditions see the data; the body still knows its caller."""
    checked = "(fn m! ^pre [(e is Gene)] ^post [(result > 1)] [e] ($caller_eval e))"
    assert value(f"{checked} (var x 2) (m! (x + 1))") == 3
    assert (
        fails(f"{checked} (m! 5)") == "ContractViolation: m! precondition #1 failed: (e is Gene) | args=[e=5]"
    )
    assert "postcondition #1" in fails(f"{checked} (m! (0 + 1))")


def test_let_variables_stay():
    """A macro cannot assign what the caller declared with ``let``."""
    text = "(fn m! [v] ($caller_eval ($render `(%v = 2)))) (fn f [] (let c 1) (m! c)) (f)"
    assert fails(text) == "Cannot reassign 'let' binding 'c'"


@pytest.mark.parametrize(
    "text",
    [
        "(let a 1) (fn f [] [(is! (a = 3)) (try! (a = 3)) a]) (f)",
        "(fn f [] [(is! (a = 3)) (try! (a = 3)) a]) (let a 1) (f)",
        "(fn f [] (let a 1) [(is! (a = 3)) (try! (a = 3)) a]) (f)",
    ],
)
def test_what_would_assign_a_constant_may_be_data(text):
    """Such an argument is refused when it is evaluated, not when it is given."""
    macros = "(fn is! [x] (x is Gene)) (fn try! [x] (try ($caller_eval x) catch * $ex/message)) "
    assert value(macros + text) == [True, "Cannot reassign 'let' binding 'a'", 1]


def test_warnings_of_arguments_stay():
    """Code in a macro's argument is looked at like any other."""
    assert warnings("(fn m! [e] ($caller_eval e)) (fn f [x] (m! (x || 5)))")


# -- data is made when it is looked at --------------------------------------------------------------------


def test_what_a_macro_does_to_its_data_is_not_seen_by_the_next_call():
    """Each call gets data of its own, also where it keeps and changes it."""
    program = """
        (var kept [])
        (fn keep! [form] (kept .push form) (form .add_child 9) (form/0 = `changed) form)
        (fn run [] (keep! (f (g 1) 2)))
        (run) (run)
        (kept/0/1 = 7)
        kept"""
    assert shown(program) == "[(f changed 7 9) (f changed 2 9)]"


def test_quoted_data_is_made_anew_each_time():
    """Changing what a quotation gave changes nothing for the next one, however deep the change is."""
    program = """
        (fn make [] `(a ^k [1] (b (c 2)) {^m (d 3)}))
        (var first (make))
        (first/k .push 2) (first/0/0/0 = 5) (first/1/m/0 = 6)
        [first (make)]"""
    assert shown(program) == "[(a ^k [1 2] (b (c 5)) {^m (d 6)}) (a ^k [1] (b (c 2)) {^m (d 3)})]"


def test_changed_data_is_evaluated_as_it_is_now():
    """Whether the change is in the form itself or in what it contains, and although it was not read before."""
    assert value("(fn m! [e] (e/1 = 5) ($caller_eval e)) (m! (1 + 2))") == 6
    assert value("(fn m! [e] (e/1/1 = 4) ($caller_eval e)) (m! (10 - (1 + 2)))") == 5
    assert value("(fn m! [e] (e .type) ($caller_eval e)) (var x 4) (m! (x * x))") == 16


def test_two_evaluations_of_one_datum_see_the_change_between_them():
    """What was evaluated before does not stay."""
    assert shown("(fn m! [e] [($caller_eval e) (do (e/1 = 5) ($caller_eval e))]) (m! (1 + 2))") == "[3 6]"
    assert shown("(var d `(1 + 2)) [(eval d) (do (d/1 = 5) (eval d)) (eval d)]") == "[3 6 6]"


def test_data_is_made_once_for_all_threads():
    """What one thread changes in data that several look at for the first time is not lost."""
    import threading

    for _ in range(50):
        form = value("`(f 1 2)")
        gate = threading.Barrier(4)

        def change(form=form, gate=gate):
            gate.wait()
            form.children.append(3)

        threads = [threading.Thread(target=change) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert form.children == [1, 2, 3, 3, 3, 3]


def test_untouched_data_can_be_copied_and_pickled():
    """Python's own machinery finds all parts."""
    import copy
    import pickle

    assert repr(copy.copy(value("`(f ^k 1 (g x))"))) == "(f ^k 1 (g x))"
    assert repr(copy.deepcopy(value("`(f ^k 1 (g x))"))) == "(f ^k 1 (g x))"
    assert repr(pickle.loads(pickle.dumps(value("`(f ^k 1 (g x))")))) == "(f ^k 1 (g x))"
    assert not hasattr(value("`(f 1)"), "nothing")


@pytest.mark.parametrize("call", ["(m! (x + 1))", "(e! (x + 1))", "(r! (x + 1))"])
def test_a_call_that_expands_the_same_way_is_compiled_once(call, monkeypatch):
    """However the macro evaluates: at the caller, a template, or code that it was handed."""
    from gene.compiler import compile as compiler

    pieces = []
    original = compiler.compile_forms
    monkeypatch.setattr(compiler, "compile_forms", lambda *a, **k: pieces.append(1) or original(*a, **k))
    program = f"""
        (fn m! [e] ($caller_eval e))
        (fn e! [e] (eval `(1 + 2)) ($caller_eval e))
        (fn r! [e] ($caller_eval ($render `(0 + %e))))
        (var x 1) (var sum 0)
        (repeat 20 (sum += {call}))
        sum"""
    assert value(program) == 40
    assert len(pieces) <= 2


# -- parameters that are only evaluated --------------------------------------------------------------------


def test_a_parameter_is_evaluated_as_often_as_the_macro_says():
    """Each time anew, with what the variables are then, also from a function inside of the macro."""
    assert value("(fn twice! [e] ($caller_eval e) ($caller_eval e)) (var x 0) (twice! (x += 1)) x") == 2
    assert value("(fn never! [e] (if false ($caller_eval e))) (var x 0) (never! (x += 1)) x") == 0
    later = "(fn later! [e] (fn [] ($caller_eval e)))"
    assert value(f"{later} (fn go [] (var x 1) (var f (later! (x * 10))) (x = 2) (f)) (go)") == 20


@pytest.mark.parametrize(
    ("macro", "call", "result"),
    [
        ("[a b] [($caller_eval b) ($caller_eval a)]", "(m! (x + 1) (x + 2))", [3, 2]),
        ("[a b] [($caller_eval a) (b .type)]", "(m! (x + 1) (5 + 2))", [2, 5]),
        ("[a rest...] [($caller_eval a) (rest .size)]", "(m! (x + 1) y z)", [2, 2]),
        ("[a ^k] [($caller_eval a) ($caller_eval k)]", "(m! (x + 1) ^k (x + 2))", [2, 3]),
        ("[a = 7] ($caller_eval a)", "[(m!) (m! x)]", [7, 1]),
        ("[a] (a = `(x + 5)) ($caller_eval a)", "(m! x)", 6),
        ("[a] (inner! a)", "(m! (x + 1))", "a"),
        ("[a] [($caller_eval a) (eval `(a .type))]", "(m! (1 + x))", [2, 1]),
        ("[a] (var f (fn [b] ($caller_eval b))) [($caller_eval a) (f `(x + 1))]", "(m! x)", [1, 2]),
    ],
)
def test_parameters_of_every_kind_are_evaluated(macro, call, result):
    """Whether the macro does other things with its data or not."""
    program = f"(fn inner! [d] d) (fn m! {macro}) (fn go [] (var x 1) {call}) (go)"
    found = value(program)
    assert (found.name if isinstance(result, str) else found) == result


def test_a_macro_that_is_called_as_a_function_has_no_caller():
    """It is told so; the name at the call, without ``!``, made it a function call."""
    message = "$caller_eval has no caller: the macro was called as a function"
    assert fails("(fn m! [x] ($caller_eval x)) ([4] .map m!)") == message
    assert fails("(fn m! [x] (println x) ($caller_eval x)) (var n m!) (n 1)") == message


def test_data_that_is_no_code_fails_only_where_it_is_evaluated():
    """Also where the macro does nothing else with it."""
    assert value("(fn m! [a b] (if false ($caller_eval a)) ($caller_eval b)) (m! (if) 3)") == 3
    assert fails("(fn m! [a b] ($caller_eval a) ($caller_eval b)) (m! (if) 3)") == "if: missing condition"


def test_errors_in_evaluated_arguments_are_reported_where_they_are_written():
    """The place is that of the argument, in the caller."""
    failed = error('(fn m! [a]\n  ($caller_eval a))\n(fn go [] (m!\n  (throw "x")))\n(go)')
    assert failed.location == "t.gene:4:3"
