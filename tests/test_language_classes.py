"""Classes: instances, constructors, inheritance, missing methods, singletons, exception classes."""

from __future__ import annotations

import pytest
from support import error, fails, output, run, value, warnings

from gene.interpreter import Interpreter
from gene.runtime.exceptions import GeneException, TypeException
from gene.runtime.text import inspect
from gene.stdlib.capabilities import ALL


def shown(text):
    """The value of a program as the REPL shows it."""
    return inspect(value(text))


# -- instances and properties ----------------------------------------------------------------------------


def test_constructors_set_properties():
    """``/x`` as a parameter assigns the property, and is a variable of the constructor too."""
    text = "(class P (ctor [/x /y = 0 scale] (/x = (x * scale)))) (var p (new P 3 4 10)) [p/x p/y]"
    assert value(text) == [30, 4]
    assert value("(class P (ctor [/x /y = 7])) (var p (new P 3)) [p/x p/y]") == [3, 7]


def test_constructors_take_all_kinds_of_parameters():
    """Defaults, rest, keywords and types."""
    text = "(class P (ctor [a: Int b = 2 rest... ^k = 3] (/all = [a b rest k])))"
    assert value(f"{text} (var p (new P 1)) (var q (new P 1 5 6 7 ^k 8)) [p/all q/all]") == [
        [1, 2, [], 3],
        [1, 5, [6, 7], 8],
    ]
    assert "expected Int, got String in a" in fails(f'{text} (new P "s")')
    assert fails("(class P (ctor [/x])) (new P)") == "Expected 2 arguments, got 1"


def test_the_value_of_a_constructor_is_dropped():
    """``new`` gives the instance, also when the constructor returns early."""
    assert shown(
        "(class P (ctor [x] (if (x > 0) (return 5)) (/y = 1))) (var p (new P 1)) (var q (new P 0)) [p/y q/y]"
    ) == ("[void 1]")


def test_without_a_constructor_arguments_are_ignored():
    """The instance is bare."""
    assert shown("(class A) (var a (new A 1 2 ^k 3)) a/x") == "void"


def test_properties_come_and_go_by_assignment():
    """Any instance can have any property; paths lead through them."""
    assert value("(class A) (var a (new A)) (a/z = 5) (a/z += 1) a/z") == 6
    assert value("(class A (ctor [/m])) (var a (new A {^k [1 2]})) (a/m/k/0 = 9) (a/m/n = 2) a/m") == {
        "k": [9, 2],
        "n": 2,
    }
    assert value('(class A) (var a (new A)) (var k "key") (a/<k> = 1) a/key') == 1


def test_calling_a_class_makes_a_bare_instance():
    """The constructor does not run; a method ``init`` gets the arguments."""
    assert shown("(class A (ctor [x] (/x = x))) (var a (A 3)) a/x") == "void"
    assert value("(class A (method init [x ^k] (/x = [x k]))) (var a (A 3 ^k 4)) a/x") == [3, 4]


def test_field_declarations_do_not_check():
    """``field`` and ``^fields`` say what an object has; assignment is free."""
    assert value(
        '(class A ^fields {^y String} (field x Int)) (var a (new A)) (a/x = "s") (a/y = 1) [a/x a/y]'
    ) == ["s", 1]


def test_two_constructors_are_refused():
    """A class has one."""
    assert fails("(class X (ctor [] 1) (ctor [] 2))") == "Class 'X' already has a constructor"


# -- methods ---------------------------------------------------------------------------------------------


def test_methods():
    """They see self, its properties, and call its other methods."""
    text = """
        (class C (ctor [/n])
          (method add [x] (/n = (/n + x)) self)
          (method get [] /n)
          (method both [] [(.get) (self .get) self/n]))
        (var c (new C 1))
        [((c .add 2) .get) c/.get (c .both)]
    """
    assert value(text) == [3, 3, [3, 3, 3]]


def test_methods_take_all_kinds_of_parameters():
    """Self counts among the arguments in messages."""
    text = "(class A (method m [a b = 2 rest... ^k = 1] [a b rest k])) (var a (new A))"
    assert value(f"{text} [(a .m 1) (a .m 1 2 3 ^k 4)]") == [[1, 2, [], 1], [1, 2, [3], 4]]
    assert fails(f"{text} (a .m)") == "Expected 2 arguments, got 1"
    assert (
        fails("(class A (method m [a] a)) (fn f [o] (o .m 1 2)) (f (new A))") == "Expected 2 arguments, got 3"
    )
    assert "expected Int, got String in return value of m" in fails(
        '(class A (method m [] -> Int "s")) ((new A) .m)'
    )


def test_closures_in_methods_see_self():
    """Whatever is assigned later."""
    assert value("(class A (method m [] (var f (fn [] /v)) (/v = 4) (f))) ((new A) .m)") == 4
    assert value("(class A (ctor [/n]) (method m [xs] (xs .map (x -> (x * /n))))) ((new A 3) .m [1 2])") == [
        3,
        6,
    ]


def test_a_property_answers_where_no_method_does():
    """Without arguments; a path never finds a method."""
    assert value("(class A (ctor [/size])) (var a (new A 3)) [a/size (a .size) a/.size]") == [3, 3, 3]
    assert value("(class A (ctor [/size]) (method size [] 99)) (var a (new A 3)) [a/size (a .size)]") == [
        3,
        99,
    ]
    assert shown("(class A (method m [] 1)) (var a (new A)) a/m") == "void"
    assert (
        fails("(class A (ctor [/x])) (fn f [o] (o .x 1)) (f (new A 2))") == "Method x not found on instance"
    )


def test_missing_methods():
    """Of instances and of classes themselves."""
    assert fails("(class A) ((new A) .nope)") == "Method nope not found on instance"
    assert fails("(class A (method m [] 1)) (A .m)") == "Unified method call not supported for VkClass"


def test_unknown_methods_of_known_classes_are_refused():
    """Before the program runs, where the class of a variable is certain."""
    interpreter = Interpreter(capabilities=ALL)
    with pytest.raises(Exception, match="Type error: unknown method zz on A"):
        interpreter.run_text('(println "ran") (class A) (var a (new A)) (a .zz 1)', "t.gene")


def test_on_method_missing():
    """It gets the name as a String, and whatever the call passes; children inherit it."""
    text = "(class A (method known [] 1) (on_method_missing [name args... ^opts...] [name args opts])) (class B < A)"
    assert value(f"{text} (var b (new B)) [(b .foo 1 2 ^k 3) (b .bar) (b .known)]") == [
        ["foo", [1, 2], {"k": 3}],
        ["bar", [], {}],
        1,
    ]
    assert value(
        "(class A (ctor [/x]) (on_method_missing [name] name)) (var a (new A 5)) [(a .x) (a .y)]"
    ) == [5, "y"]


def test_callable_instances():
    """A class with a method ``call`` makes functions."""
    text = "(class Adder (ctor [/n]) (method call [x ^k = 0] (x + (/n + k)))) (var a (new Adder 5))"
    assert value(f"{text} [(a 1) (a 1 ^k 10) ([1 2] .map a) (a .call 2)]") == [6, 16, [6, 7], 7]
    assert value(f"{text} (class Sub < Adder) (var s (new Sub)) (s/n = 1) (s 1)") == 2
    assert fails("(class A) (var a (new A)) (a 1)") == "IkUnifiedCall1 requires a callable, got VkInstance"


def test_instances_are_no_operands():
    """Operators but ``==`` have no methods; messages call an instance what they call it everywhere."""
    two = "(class A) (var a (new A))"
    assert fails(f"{two} (a + a)") == "Cannot add values of type: VkInstance"
    assert fails(f"{two} (a < a)") == "Cannot compare VkInstance < VkInstance"
    assert fails(f"{two} (for x in a x)") == "Method iter not found on instance"


def test_to_s_is_called_only_by_name():
    """Printing never runs code of the program."""
    text = '(class A (method to_s [] "I am A")) (var a (new A))'
    assert run(f'{text} (println a [a] (a .to_s) #"#{{a}}" ($ a))')[1] == (
        "VkInstance [VkInstance] I am A VkInstance VkInstance\n"
    )


# -- equality --------------------------------------------------------------------------------------------

POINT = '(class P (ctor [/x]) (method "==" [o] ((o is P) && (/x == o/x)))) (var a (new P 1)) (var b (new P 1)) (var c (new P 2))'


def test_instances_are_equal_by_identity():
    """Unless their class says otherwise."""
    assert value("(class A) (var a (new A)) [(a == a) (a == (new A)) (a != (new A))]") == [True, False, True]


def test_classes_define_equality():
    """The method ``"=="`` decides, also inside of collections, in ``case``, and in searches."""
    assert value(f"{POINT} [(a == b) (a != b) (a == c) (a == 1) (1 == a) (a == nil)]") == [
        True,
        False,
        False,
        False,
        False,
        False,
    ]
    assert value(
        f"{POINT} [([a] == [b]) ({{^k a}} == {{^k b}}) ([c b] .contains a) ([c b] .index_of a)]"
    ) == [True, True, True, 1]
    assert value(f'{POINT} (case a when c "c" when b "b")') == "b"
    assert value(f"{POINT} (class Q < P) (var q (new Q)) (q/x = 1) (q == a)") is True


def test_equality_with_literals():
    """The method decides there too, on either side; nil, true and false as literals are compared by identity."""
    text = '(class Money (ctor [/n]) (method "==" [o] (/n == o))) (var a (new Money 5)) (var m {^a a}) (fn f [x] (x == 5))'
    assert value(f"{text} [(a == 5) (a == 6) (m/a == 5) (f a) (a != 5) (m/a == 6.5)]") == [
        True,
        False,
        True,
        True,
        False,
        False,
    ]
    assert value(
        f'{text} (var s (new Money "s")) (var q {{^s s}}) [(s == "s") (q/s == "s") (q/s != "t")]'
    ) == [True, True, True]
    assert value(f"{text} (var five 5) [(5 == a) (five == a) ([5] == [a]) (6 == a)]") == [
        True,
        True,
        True,
        False,
    ]
    assert value(f"{text} [(a == nil) (a == true)]") == [False, False]


# -- inheritance -----------------------------------------------------------------------------------------

FAMILY = """
    (class A (ctor [/x] (/y = 1)) (method who [] "A") (method sum [] (/x + /y)))
    (class B < A (ctor [a b] (super .ctor a) (/b = b)) (method who [] ($ "B" (super .who))))
    (class C < B (ctor [] (super .ctor 10 20)) (method who [] ($ "C" (super .who))))
"""


def test_methods_are_inherited():
    """Along the whole chain; ``super`` goes one level up, from wherever the method is."""
    assert value(f"{FAMILY} (var c (new C)) [(c .who) (c .sum) c/x c/y c/b]") == ["CBA", 11, 10, 1, 20]


def test_super_skips_levels_without_the_method():
    """It finds the next one that has it."""
    assert value(
        "(class A (method m [x] [x])) (class B < A) (class C < B (method m [x] (super .m (x + 1)))) ((new C) .m 1)"
    ) == [2]
    assert (
        fails("(class A) (class B < A (method m [] (super .nope 1))) ((new B) .m)")
        == "Method nope not found on instance"
    )


def test_super_in_inner_functions():
    """Closures and contracts of a method know its class."""
    assert value(
        "(class A (method m [x] [x])) (class B < A (method m [x] ((fn [y] (super .m y)) x))) ((new B) .m 3)"
    ) == [3]
    assert (
        value(
            "(class A (method m [x] x)) (class B < A (method m ^post [(result > 0)] [x] (super .m x))) ((new B) .m 3)"
        )
        == 3
    )
    assert value("(class A (method m [^k] k)) (class B < A (method m [] (super .m ^k 5))) ((new B) .m)") == 5


def test_constructors_are_not_inherited():
    """A class without one ignores the arguments; ``super .ctor`` finds the nearest above."""
    assert shown("(class A (ctor [/x])) (class B < A) (var b (new B 5)) b/x") == "void"
    assert (
        value(
            "(class A (ctor [/x])) (class B < A) (class C < B (ctor [x] (super .ctor x))) (var c (new C 5)) c/x"
        )
        == 5
    )


def test_virtual_calls():
    """A parent's method calls the child's."""
    assert (
        value('(class A (method m [] (.n)) (method n [] "A")) (class B < A (method n [] "B")) ((new B) .m)')
        == "B"
    )


def test_questions_about_classes():
    """``is``, ``typeof``, ``.class``, ``.name``, ``.parent``."""
    assert value(
        f'{FAMILY} (var c (new C)) [(c is A) (c is C) ((new A 1) is B) (c is Object) (c is "A") (typeof c)]'
    ) == [
        True,
        True,
        False,
        True,
        True,
        "C",
    ]
    assert value(f"{FAMILY} [((C .parent) .name) (((new C) .class) .name) (C is Class) (typeof C)]") == [
        "B",
        "C",
        True,
        "Class",
    ]


def test_what_cannot_be_extended_or_made():
    """A parent and the operand of ``new`` must be classes."""
    assert fails("(class A < 5)") == "class A: the parent must be a class, got VkInt"
    assert fails("(class A < Nope)") == "Nope is not defined"
    assert fails("(class A < Array)") == "class A: the built-in class Array cannot be a parent"
    assert fails("(new 5)") == "new requires a class, got VkInt"
    assert fails("(var m {}) (new m/x)") == "new requires a class, got VkVoid"
    assert fails("(super .x)") == "super is used outside of a method"


# -- class members ---------------------------------------------------------------------------------------


def test_members_of_classes():
    """What the body writes with a slash is reached by path, also by children."""
    text = "(class A (fn /make [] (new A)) (var /count 3) (method n [] A/count)) (class B < A)"
    assert shown(f"{text} (A/count = 4) [((A/make) .n) A/count B/count A/nope]") == "[4 4 4 void]"


def test_members_of_all_kinds():
    """Whatever can be defined can be a member; it sees the class, and a function its own name."""
    text = """
        (class A (ctor [/v])
          (class /Inner (method m [] "inner"))
          (enum /Kind a b)
          (type /Id (Int | String))
          (ns /tools (fn /f [] 7))
          (let /limit: Int 4)
          (var /first (new A 1))
          (fn /fact [n] -> Int (if (n < 2) 1 else (n * (fact (n - 1))))))
        [((new A/Inner) .m) A/Kind/b (5 is A/Id) (A/tools/f) A/limit A/first/v (A/fact 5)]
    """
    assert shown(text) == '["inner" Kind/b true 7 4 1 120]'


def test_plain_definitions_in_a_body_warn():
    """They cannot be reached."""
    assert warnings("(class A (fn helper [] 1))") == [
        "a plain definition in a class body cannot be reached; write it with a leading slash"
    ]


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("(class)", "class needs a name"),
        ("(class A 5)", "class A: a member is expected"),
        ("(class A (foo 1))", "class A: foo is no member of a class"),
        ("(class A (method))", "method needs a name"),
        ("(class A (method m))", "m: a parameter list is missing"),
        ("(class A (ctor))", "ctor: a parameter list is missing"),
        ("(class A (method m [a a] 1))", "the parameter a is there twice"),
        (
            "(class A (ctor ^^async [x] (throw x)))",
            "a constructor is neither asynchronous nor a generator: nobody gets its value",
        ),
        ("(class A (field x = 5))", "class A: a field has a name and a type"),
        ("(class A (fn /make))", "fn: a parameter list is missing"),
    ],
)
def test_mistakes_in_a_body(program, message):
    """Are refused before the program runs."""
    assert fails(program) == message


def test_classes_are_hoisted():
    """In a file, a class can be used before its definition, also by other definitions."""
    assert output("(println ((new A 1) .get)) (class A (ctor [/x]) (method get [] /x))") == "1\n"


@pytest.mark.parametrize(
    ("definitions", "shown"),
    [
        ("(class A < B) (class B < C) (class C (method m [] 1)) (println ((new A) .m))", "1"),
        ("(class A < n/B) (ns /n (class /B (method m [] 2))) (println ((new A) .m))", "2"),
        ("(class A (var /x (new B (f)))) (fn f [] 3) (class B (ctor [/v])) (println A/x/v)", "3"),
        ("(object O (ctor [] (/b = (new B)))) (class B (method m [] 4)) (println (O/b .m))", "4"),
        ("(ns /n (var /x (new B))) (class B (method m [] 5)) (println (n/x .m))", "5"),
        ("(class n/A (method m [] 6)) (ns /n) (println ((new n/A) .m))", "6"),
        ("(type T (U | A)) (type U (Int | String)) (class A) (println (7 is T))", "true"),
        ("(object A (ctor [] (/x = 1)) (method m [] B)) (object B (ctor [] (/y = A/x))) (println B/y)", "1"),
    ],
)
def test_definitions_are_made_after_what_they_need(definitions, shown):
    """A parent, or what a member is made of, may stand behind."""
    assert output(definitions) == shown + "\n"


def test_classes_cannot_be_parents_of_each_other():
    """One of them is made when the other is not there yet."""
    with pytest.raises(TypeException, match="class B: the parent must be a class, got VkNil"):
        output("(class A < B) (class B < A)")


def test_local_classes():
    """A class in a function belongs to it, and its methods see the function's variables."""
    assert (
        value("(fn f [k] (class L (ctor [/v]) (method m [] (new L (/v + k)))) (((new L 1) .m) .v)) (f 5)")
        == 6
    )
    assert fails("(fn f [] (class L)) (f) (new L)") == "L is not defined"
    assert value(
        "(fn make [n] (class L (method get [] n)) L) (var A (make 1)) (var B (make 2)) [((new A) .get) ((new B) .get)]"
    ) == [1, 2]


def test_singletons():
    """``object`` defines a class and its only instance, which the constructor made."""
    text = "(object Conf (field v Int) (ctor [] (/v = 3)) (method get [] /v))"
    assert value(f"{text} [(Conf .get) Conf/v (typeof Conf)]") == [3, 3, "Conf"]
    assert value('(class Base (method hi [] "hi")) (object One < Base) (One .hi)') == "hi"
    counter = "(object Counter (var /n 1) (fn /twice [x] (x * 2)) (method next [] (/n += 1) /n))"
    assert value(f"{counter} [Counter/n (Counter .next) (Counter/twice 4)]") == [1, 2, 8]


# -- exception classes -----------------------------------------------------------------------------------

ERRORS = """
    (class AppError < Exception (ctor [code message] (/code = code) (/message = message)))
    (class NotFound < AppError (ctor [what] (super .ctor 404 #"#{what} is missing") (/what = what)))
"""


def test_exceptions_carry_fields():
    """Of their own and of their parents."""
    assert value(
        f'{ERRORS} (try (throw (new NotFound "x")) catch NotFound [$ex/code $ex/message $ex/what])'
    ) == [
        404,
        "x is missing",
        "x",
    ]


def test_parents_catch():
    """The first clause that matches, a class or one of its parents; no match goes on."""
    attempt = f'{ERRORS} (fn f [] (throw (new NotFound "x")))'
    assert value(f'{attempt} (try (f) catch AppError "app" catch * "any")') == "app"
    assert value(f'{attempt} (try (f) catch RuntimeException "run" catch Exception "ex")') == "ex"
    assert (
        value(f'{attempt} (try (try (f) catch RuntimeException "inner") catch NotFound "outer")') == "outer"
    )
    assert value(f'{attempt} (try (f) catch NotFound "first" catch AppError "second")') == "first"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(object O < P (ctor [] (super .ctor) (/b = 2)) (method m [x] (super .m x))) [O/a O/b (O .m 3)]", 3),
        (
            "(fn f [] (object O < P (ctor [] (super .ctor)) (method m [x] (super .m x))) [O/a 2 (O .m 3)]) (f)",
            3,
        ),
        (
            "(ns N (object /O < P (ctor [] (super .ctor)) (method m [x] (super .m x)))) [N/O/a 2 (N/O .m 3)]",
            3,
        ),
    ],
)
def test_objects_call_what_their_parents_have(text, expected):
    """``super`` means the parent of the object's class, also in the constructor."""
    parent = "(class P (ctor [] (/a = 1)) (method m [x] [x])) "
    assert value(parent + text) == [1, 2, [expected]]


def test_objects_made_in_a_loop_keep_their_parents():
    """Each turn of a loop makes a class of its own."""
    text = """
    (fn f [parents]
      (var made [])
      (for p in parents (object O < p (method m [] (super .m))) (made .push O))
      (made .map (o -> (o .m))))
    (class A (method m [] 1)) (class B (method m [] 2))
    (f [A B])
    """
    assert value(text) == [1, 2]


def test_caught_exceptions_are_the_objects():
    """With methods, and of their class."""
    text = '(class E < Exception (method hint [] "try again")) (try (throw (new E)) catch err [(err .hint) (err is E) (err is Exception) (typeof err)])'
    assert value(text) == ["try again", True, True, "E"]


def test_uncaught_exceptions_reach_the_host():
    """As Python exceptions with their properties."""
    thrown = error(f'{ERRORS} (throw (new NotFound "x"))')
    assert isinstance(thrown, GeneException)
    assert (str(thrown), thrown.code, thrown.what) == ("x is missing", 404, "x")


def test_messages_of_exceptions():
    """``(new Exception "m")`` and ``super .ctor`` set the message."""
    assert value('(try (throw (new Exception "m")) catch * $ex/message)') == "m"
    assert (
        value(
            '(class E < Exception (ctor [m] (super .ctor m))) (try (throw (new E "m")) catch * $ex/message)'
        )
        == "m"
    )
    assert shown("(class E < Exception) (try (throw (new E)) catch * $ex/message)") == "void"


def test_what_is_no_exception_is_wrapped():
    """An instance of another class becomes the cause of an exception."""
    assert value("(class A) (var a (new A)) (try (throw a) catch * ($ex/cause == a))") is True


def test_catch_names_known_classes():
    """An unknown class is an error, and so is what is no class."""
    assert fails('(try (throw "a") catch Nope 1)') == "Nope is not defined"
    assert fails('(var X 5) (try (throw "a") catch X 1)') == "catch requires an exception class, got VkInt"
