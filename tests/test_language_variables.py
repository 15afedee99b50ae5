"""Variables: declaration, assignment, targets, and every awkward name."""

import pytest
from support import fails, output, run, value


def test_var_and_assignment_give_the_value():
    """Declarations and assignments are expressions."""
    assert value("(var x 5)") == 5
    assert value("(let x 6)") == 6
    assert value("(var x)") is None
    assert value("(var x 1) [(x = 2) x (x += 3) x (x -= 1) (x *= 4) (x /= 2) (x %= 5)]") == [
        2, 2, 5, 5, 4, 16, 8.0, 3.0,
    ]  # fmt: skip


def test_an_undeclared_name_becomes_one_of_the_module():
    """Assigning an unknown name from any function makes a module variable."""
    assert value("(fn f [] (y = 7)) (f) y") == 7
    assert fails("(fn f [] (y += 7)) (f)") == "y is not defined"
    assert fails("(y += 1)") == "y is not defined"


def test_module_variables_are_nil_before_their_statement():
    """A function may mention a variable of the module that gets its value later."""
    assert output("(fn f [] x) (println (f)) (var x 5) (println (f))") == "nil\n5\n"


@pytest.mark.parametrize(
    "text",
    [
        "(let x 5) (x = 6)",
        "(let x 5) (x += 6)",
        "(fn f [] (let x 5) (x = 6))",
        "(fn f [] (let x 5) (fn [] (x = 6)))",
        '(println "ran") (fn f [] (x = 6)) (let x 5)',
    ],
)
def test_let_cannot_be_assigned(text):
    """Assigning what let declares is an error before anything runs."""
    with pytest.raises(Exception, match="Cannot reassign 'let' binding 'x'"):
        output(text)


def test_hoisted_functions_see_let():
    """A function that stands before a let of the module reads it."""
    assert output("(fn f [] x) (let x 5) (println (f))") == "5\n"


def test_assignment_to_paths():
    """Maps, arrays, namespaces and computed keys can be assigned; missing steps are errors."""
    assert value('(var m {^a {^b 1}}) (var k "c") (m/a/b = 2) (m/<k> = 3) (m/a/b += 5) m') == {
        "a": {"b": 7},
        "c": 3,
    }
    assert value("(var a [1 2]) (var i 1) (a/0 = 5) (a/<i> = 6) (a/0 += 1) a") == [6, 6]
    assert value("($ns/x = 3) x") == 3
    assert value("(var m {}) (m/x = (m/y = 4)) m") == {"y": 4, "x": 4}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(var n nil) (n/x = 1)", "Cannot set member 'x' on nil (namespace or object doesn't exist)"),
        ("(var n nil) (n/x += 1)", "Cannot set member 'x' on nil (namespace or object doesn't exist)"),
        ("(var n 5) (n/x = 1)", "Cannot set member on value of type: VkInt"),
        ("(var m {}) (m/a/b = 1)", "Cannot set member on value of type: VkVoid"),
        ("(var a [1 2]) (a/2 = 1)", "Array index out of bounds: 2 (len=2)"),
        ("(var a [1 2]) (a/-1 = 1)", "Array index out of bounds: -1 (len=2)"),
        ("(var m {}) (m/zz += 1)", "key not found: zz"),
        ("(zz/a = 1)", "zz is not defined"),
        ("(var self 1)", "self cannot be declared"),
        ("(var x = 1)", "a declaration has no = before its value"),
        ("(var x: Int = 1)", "a declaration has no = before its value"),
        ("(fn f [] (let x = 1))", "a declaration has no = before its value"),
    ],
)
def test_assignments_that_fail(text, message):
    """Targets that cannot be assigned say why."""
    assert fails(text) == message


NAMES = [
    "None", "True", "False", "__debug__", "__builtins__", "__name__", "__file__", "__class__", "list", "type",
    "print", "class-of", "lambda", "def", "import-it", "global", "nonlocal", "yield?", "await", "async-1",
    "ok?", "set!", "do-it", "*x*", "a:b", "<=x", "x.y", "é", "名前", "a#b", "it's", "a&b", "x@y", "~",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_any_name_is_a_variable(name):
    """Names of Python and names full of punctuation are variables, parameters, functions and properties."""
    assert value(f"(var {name} 5) ({name} = ({name} + 1)) {name}") == 6
    assert value(f"(fn f [{name}] (var g (fn [] ({name} += 1) {name})) (g) {name}) (f 1)") == 2
    assert value(f"(fn f [^{name}] {name}) (f ^{name} 3)") == 3
    assert value(f"(for {name} in [1] (var {name} 2)) (fn f [] (for {name} in [7] (return {name}))) (f)") == 7


def test_special_words_are_names_when_they_are_no_heads():
    """Words such as type, fn and if may name parameters and variables."""
    assert value("(fn f [type fn if class for] [type fn if class for]) (f 1 2 3 4 5)") == [1, 2, 3, 4, 5]
    assert value("(var type 5) (type + 1)") == 6
    assert value("(fn f [in] (in * 2)) (f 4)") == 8


def test_names_of_the_compiler_cannot_be_spelled():
    """No spelling of a name reaches what compiled code uses itself."""
    for name in (r"\%gene", r"\%type", r"$\%gene", r"\%ns", r"\%source1"):
        assert "is not defined" in fails(name)
    for text in (r"$ns/\%gene", "$ns/__builtins__", r"$ns/\%ns"):
        assert repr(value(text)) == "void"
    assert value('[($ns .get "__builtins__") ($ns .get "%ns") ($ns .keys)]') == [None, None, []]


def test_destructuring():
    """A pattern takes arrays, genes and maps apart; the form itself gives nil."""
    assert value("(var [a b] [1 2]) [a b]") == [1, 2]
    assert value("(var [a rest...] [1 2 3]) [a rest]") == [1, [2, 3]]
    assert value("(fn f [p] (var [a _ b] p) [a b]) (f [1 2 3])") == [1, 3]
    assert value("(var [a b] [1 2])") is None
    assert fails("(var [a b] [1])") == "Destructuring pattern mismatch: Expected 2 arguments, got 1"
    assert run("(var x {^k 4}) (var {^k n} x) n")[0] == 4


def test_process_globals():
    """A name with a dollar sign is one for all modules, and every global function has such a name."""
    assert value("(var $count 1) ($count = ($count + 1)) (fn f [] $count) (f)") == 2
    assert value('($len "abc")') == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(var $ns/x 1) (fn f [x] [x $ns/x /x]) (f 2)", [2, 1, 1]),
        ("(fn init [log] ($ns/log = (log + 1)) [log $ns/log]) [(init 1) log]", [[1, 2], 2]),
        ("(fn f [x] ($ns/x += x) x) ($ns/x = 10) [(f 5) x]", [5, 15]),
        ("(fn f [x] (fn [] ($ns/x = (x + 1)) [x $ns/x])) [((f 5)) x]", [[5, 6], 6]),
        ("(fn f [g] (fn $ns/g [] 1) g) [(f 5) (g)]", [5, 1]),
        ("(fn f [] (x = 1) (var x 2) x) [(f) x]", [2, 1]),
        ("(fn f [] (fn g [] (x = 1)) (var x 2) (g) x) [(f) x]", [2, 1]),
    ],
)
def test_members_of_the_namespace_and_locals_of_one_name(text, expected):
    """$ns/x is the module's x, also where a parameter or a local variable is called x."""
    assert value(text) == expected
