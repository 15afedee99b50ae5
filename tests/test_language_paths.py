"""Paths: what each kind of segment reads."""

import pytest
from support import fails, value, warnings

DATA = '(var m {^a {^b [10 20 {^c 5}]} ^name "n" ^"0" 7}) (var a [1 2 3]) (var s "str") (var n nil) (var k "a") (var i 1) (var g `(f ^p 1 x y))'
DATA = DATA.replace('^"0" 7', "")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("m/a/b/0", 10),
        ("m/a/b/-1/c", 5),
        ("m/a/b/9", "void"),
        ("m/zz", "void"),
        ("m/zz/y/x", "void"),
        ("n/a/b", None),
        ("s/length", "void"),
        ("s/0", "void"),
        ("s/.length", 3),
        ("m/name/.to_upper/.length", 1),
        ("m/zz/.empty?", True),
        ("n/.trim", None),
        ("m/<k>/b/1", 20),
        ("a/<i>", 2),
        ("a/i", 2),
        ("m/<m/name>", "void"),
        ("g/p", 1),
        ("g/0", "x"),
        ("g/5", "void"),
        ("a/1", 2),
        ("a/foo", "void"),
        ("5", 5),
    ],
)
def test_reading_paths(path, expected):
    """Keys, indices, methods and computed segments; what is missing is void, and nil stays nil."""
    made = value(f"{DATA} {path}")
    assert (made if made is None or isinstance(made, int) else repr(made)) == expected


def test_a_visible_variable_indexes_arrays_only():
    """The last plain segment of a path is a key; only for an array a variable of that name counts."""
    assert value('(fn f [m] (var name "x") m/a/name) (f {^a {^name 1 ^x 2}})') == 1
    assert value("(fn f [rows] (var i 1) [rows/i rows/0/i]) (f [[1 2] [3 4]])") == [[3, 4], 2]
    assert repr(value('(var name "x") (var m {^x 1}) m/name')) in ("void", "1")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("zz/a", "zz is not defined"),
        ("(var m {}) (m/a .trim)", "Unified method call not supported for VkVoid"),
        ("(var m {}) m/a/!", "Selector did not match (VOID)"),
        ("(var m {^a nil}) m/a/!", "Selector matched but value is nil"),
        ("(var m {}) (var k nil) m/<k>", "Dynamic selector segment cannot be nil"),
        ("(var m {}) (var k []) m/<k>", "Invalid property type: VkArray"),
    ],
)
def test_paths_that_fail(text, message):
    """Heads that are not defined, strict segments and keys that are none."""
    assert fails(text) == message


@pytest.mark.parametrize("key", ["²", "--1", "-", "1" * 30, "%x", "__class__", "__dict__"])
def test_strange_keys_are_only_keys(key):
    """No spelling of a segment or a key does more than name an entry."""
    assert repr(value(f'(var m {{^a 1}}) (var a [1]) (var k "{key}") [m/<k> a/<k>]')) == "[void, void]"
    if "%" not in key:
        assert repr(value(f"(var m {{}}) (var f (fn [])) [m/{key} f/{key}]")) == "[void, void]"


def test_missing_and_nil():
    """A missing entry is void and not nil; get gives nil or the default; || gives a default."""
    assert value('(var m {^n nil}) [(m/k == nil) (m/k != nil) (m/k == void) ((m .get "k") == nil) (m .get "k" 5) (m .get "n" 5) (m/k || "d") (if m/k 1 else 2)]') == [
        False, True, True, True, 5, None, "d", 2,
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["(fn f [] {^a 1}) [(f)/a]", "[{^a 1}/a]", "[[1]/0]", '["s"/.size]'])
def test_a_path_behind_a_bracket_is_warned_of(text):
    """It is a form of its own, though it looks like a step from the value before it."""
    (warning,) = warnings(text)
    step = warning.split()[0]
    assert warning == f"{step} is a form of its own: a path starts from a name, as in (var x (...)) x{step}"


@pytest.mark.parametrize("text", ["(var m {^a 1}) [m/a]", "(class A (method m [] [1 /x (m) /y]))", "[1 /x]"])
def test_other_paths_are_not_warned_of(text):
    """A blank says that two forms are meant."""
    assert warnings(text) == []
