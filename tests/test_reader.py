"""What text denotes: section by section of the language's lexical syntax."""

from __future__ import annotations

import contextlib
import gc
import math
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from form_shapes import shape, shapes

from gene.data.atoms import NOT_FOUND, VOID, Char, PathSymbol, Symbol
from gene.data.forms import INTERPOLATION, NO_PROPS, Gene, HashMapForm, MapForm, SpreadKey
from gene.data.octets import Octets
from gene.data.regex import Regex
from gene.data.source import Source
from gene.data.temporal import Date, DateTime, Time
from gene.errors import GeneSyntaxError
from gene.reader import read_all, read_one


def symbol(name):
    return ("symbol", name)


def gene(head, *children, **props):
    return ("gene", False, head, list(props.items()), list(children))


A, B, C, D, E, F = map(symbol, "abcdef")
ONE, TWO, THREE = ("int", "1"), ("int", "2"), ("int", "3")
TRUE, FALSE, NIL = ("bool", "True"), ("bool", "False"), ("NoneType", "None")


class TestTokens:
    @pytest.mark.parametrize("space", [" ", "\t", "\r", "\n", "\r\n", ",", ", ,\n"])
    def test_white_space(self, space):
        """Blank, tab, CR, LF and comma separate data everywhere."""
        assert shapes(f"{space}[1{space}2]{space}a{space}") == [("array", False, [ONE, TWO]), A]

    @pytest.mark.parametrize("terminator", ['"x"', "`x", "%x", "(x)", "[x]", "{^x 1}"])
    def test_terminators(self, terminator):
        """Quotes, quoting signs and opening brackets end a token without white space."""
        assert shapes(f"(a{terminator} 1{terminator})") == shapes(f"(a {terminator} 1 {terminator})")

    @pytest.mark.parametrize(
        "token",
        [
            "part#7",
            "it's",
            "a^b",
            "a@b",
            "a:b",
            "<=",
            "->",
            "|",
            "&&",
            "ok?",
            "set!",
            ".trim",
            "*x*",
            "$env",
            "~",
            "a=b",
            "x...",
            ":name",
            "do-it",
            "naïve",
            "变量",
            "🙂",
            "..",
            "=",
            "+",
            "-",
            "++",
            "+=",
            "-x",
            ".5",
            "-.5",
            "#note",
            "_",
            "nil?",
            "trueish",
            "a\u00a0b",
            "\u2028",
            "a\ufeff",
            "%",
            "%=",
            "@",
            "!",
        ],
    )
    def test_symbols(self, token):
        """Whatever is no other token is a symbol: signs, letters and any character beyond ASCII."""
        assert shapes(f"[{token} {token}]") == [("array", False, [symbol(token)] * 2)]

    @pytest.mark.parametrize(
        ("text", "value"),
        [("nil", None), ("void", VOID), ("true", True), ("false", False), ("not_found", NOT_FOUND)],
    )
    def test_keywords(self, text, value):
        """Five words denote values, when the token is exactly that."""
        assert read_one(text) is value
        assert shapes(f"\\{text} {text}x") == [symbol(text), symbol(text + "x")]

    @pytest.mark.parametrize(
        ("text", "name"),
        [
            (r"a\ b", "a b"),
            (r"a\/b", "a/b"),
            (r"\(", "("),
            (r"a\\b", r"a\b"),
            (r"\1", "1"),
            ("a\\\nb", "a\nb"),
            (r"\%x\"", '%x"'),
            (r"\^a", "^a"),
            (r"\#\(", "#("),
            (r"\'", "'"),
        ],
    )
    def test_escapes(self, text, name):
        """A backslash in a token takes the next character literally."""
        assert shapes(text) == [symbol(name)]

    @pytest.mark.parametrize("text", ["% ", "%)", "%]", "%;", "%\n", "%"])
    def test_percent_operator(self, text):
        """The sign % before white space, a closing bracket or the end is the operator, not an unquote."""
        assert shape(read_one(text)) == symbol("%")

    def test_percent_assignment(self):
        """The token %= is a symbol."""
        assert shapes("(a %= 2)") == [gene(A, symbol("%="), TWO)]

    def test_byte_order_mark(self):
        """A byte order mark at the start is no part of the program."""
        assert shapes("\ufeffa") == [A]
        assert read_all("\ufeff") == []


class TestComments:
    @pytest.mark.parametrize(
        "text", ["# a", "## a", "#! a", "#", "#\n", "#\r\n", "# a\n", "# (", '# "', "# é\r"]
    )
    def test_line_comments(self, text):
        """A # before a blank, another #, a ! or the end of the line starts a comment."""
        assert read_all(text) == []
        assert shapes(f"1 {text}\n2") == [ONE, TWO]

    def test_sharp_before_tab_is_a_symbol(self):
        """A # before a tab is a symbol, and so is one that nothing follows in brackets."""
        assert shapes("#\t1") == [symbol("#"), ONE]
        assert shapes("[#]") == [("array", False, [symbol("#")])]

    @pytest.mark.parametrize(
        "comment", ["#< a >#", "#<>#", "#<\n\n>#", "#< #< >#", "#< >>#>#", "#< # >#", "#<(>#", "#<x>>>#>#"]
    )
    def test_block_comments(self, comment):
        """A block comment ends at the first ># that no > precedes; it does not nest."""
        assert shapes(f"[1 {comment}2]") == [("array", False, [ONE, TWO])]
        assert read_all(comment) == []

    def test_shebang(self):
        """A program may start with a shebang line."""
        assert shapes("#!/usr/bin/env gene\n1") == [ONE]


class TestNumbers:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("42", 42),
            ("-7", -7),
            ("+7", 7),
            ("0", 0),
            ("-0", 0),
            ("007", 7),
            ("0xFF", 255),
            ("0XAB_CD", 0xABCD),
            ("0x7fffffffffffffff", 2**63 - 1),
            ("9223372036854775807", 2**63 - 1),
            ("0x" + "0" * 30 + "1", 1),
            ("-9223372036854775808", -(2**63)),
            ("0" * 5000 + "1", 1),
            ("0x_1_", 1),
        ],
    )
    def test_ints(self, text, value):
        """Integers are decimal with a sign, or hexadecimal without one, and have 64 bits."""
        assert shapes(f"[{text}]") == [("array", False, [("int", str(value))])]

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("1.5", 1.5),
            ("1.", 1.0),
            ("2e3", 2000.0),
            ("5e-3", 0.005),
            ("-1.5E+2", -150.0),
            ("+0.0", 0.0),
            ("1.e2", 100.0),
        ],
    )
    def test_floats(self, text, value):
        """A float has a point or an exponent."""
        assert shapes(f"({text})") == [gene(("float", repr(value)))]

    def test_minus_zero(self):
        """The sign of a floating zero is kept."""
        assert math.copysign(1, read_one("-0.0")) == -1

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("0!1010", b"\x0a"),
            ("0#dead", b"\xde\xad"),
            ("0*AQI=", b"\x01\x02"),
            ("0#abc", b"\x0a\xbc"),
            ("0!1~11", b"\1\3"),
            ("0#a~b", b"\x0a\x0b"),
            ("0!111100001010", b"\x0f\x0a"),
            ("0#", b""),
            ("0*AQI", b"\1\2"),
            ("0*+/+/", b"\xfb\xff\xbf"),
        ],
    )
    def test_bytes(self, text, value):
        """Bytes come from bits, hexadecimal digits or base64; short groups get zeros on the left."""
        datum = read_one(f"[{text}]")[0]
        assert isinstance(datum, Octets)
        assert datum == value


class TestTemporal:
    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("2024-02-03", Date),
            ("09:30", Time),
            ("09:30:15", Time),
            ("09:30:15.25", Time),
            ("09:30Z", Time),
            ("09:30+05:30", Time),
            ("09:30[Europe/Paris]", Time),
            ("09:30:15.25-05:30[America/New_York]", Time),
            ("2024-02-03T09:30", DateTime),
            ("2024-02-03T09:30:15.123456789", DateTime),
            ("2024-02-03T09:30Z[UTC]", DateTime),
            ("2024-02-03T09:30:00+01:00[Europe/Paris]", DateTime),
        ],
    )
    def test_literals_print_as_written(self, text, kind):
        """Dates, times and date-times are literals, and print as they are written."""
        (datum,) = read_one(f"[{text}]")
        assert type(datum) is kind
        assert str(datum) == text


class TestStrings:
    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ('""', ""),
            ('"a"', "a"),
            ('"a\nb"', "a\nb"),
            ('"a\r\nb"', "a\r\nb"),
            (r'"\b\f\n\r\t"', "\b\f\n\r\t"),
            (r'"\q\0\""', 'q0"'),
            (r'"\\n"', r"\n"),
            (r'"\u00e9"', "é"),
            (r'"\ud83d\ude00"', "😀"),
            (r'"\uFFFF"', "\uffff"),
            ('"\x00\x1b"', "\x00\x1b"),
            ('"# no comment #< #{x}"', "# no comment #< #{x}"),
            ('"\ud800"', "\ud800"),
            ('"\\\n"', "\n"),
            ('";%"', ";%"),
        ],
    )
    def test_strings(self, text, value):
        """Strings take line breaks, control characters and escapes."""
        assert (
            read_all(f"{text}{text}") == [value, value] if value else read_all(f"{text} {text}") == ["", ""]
        )

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ('"""a"""', "a"),
            ('""""""', ""),
            ('"""a "b" ""c"""', 'a "b" ""c'),
            (r'"""\"""\n"""', '"""\n'),
            ('"""\\""""', '"'),
            ('"""\n  two\n"""', "\n  two\n"),
            ('"""  \n  two\n   """', "\n  two\n"),
            ('"""  two  """', "  two  "),
            ('""" \t\r\n x"""', "\r\n x"),
            ('"""\n   """', "\n"),
            ('"""   \n   """', "\n"),
            ('"""a\\n  """', "a\n  "),
        ],
    )
    def test_triple_quotes(self, text, value):
        """Blanks before the first and after the last line break go, the line breaks stay."""
        assert read_all(text) == [value]

    @pytest.mark.parametrize(
        ("text", "value"),
        [
            ("'a'", "a"),
            (r"'\n'", "\n"),
            (r"'\''", "'"),
            (r"'\\'", "\\"),
            ("'é'", "é"),
            ("'😀'", "😀"),
            (r"'\u00e9'", "é"),
            (r"'\ud83d\ude00'", "😀"),
            ("')'", ")"),
            ("'\"'", '"'),
            ("' '", " "),
            ("'#'", "#"),
            (r"'\q'", "q"),
        ],
    )
    def test_characters(self, text, value):
        """A character is any one character of Unicode, or an escape."""
        assert read_all(f"[{text} {text}]") == [[Char(value), Char(value)]]


def parts(text):
    (form,) = read_all(text)
    assert form.type == Symbol(INTERPOLATION)
    assert form.props is NO_PROPS
    return [child if type(child) is str else shape(child) for child in form.children]


class TestInterpolation:
    @pytest.mark.parametrize("quotes", ['"', '"""'])
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("", []),
            ("text", ["text"]),
            ("a #{b} c", ["a ", B, " c"]),
            ("#{ b }#{c}", [B, C]),
            ("#{(a + b)}", [gene(A, symbol("+"), B)]),
            ("#(a b)!", [gene(A, B), "!"]),
            ("#[a 1]", [("array", False, [A, ONE])]),
            ("#{^k 1}", [("map", False, [("k", ONE)])]),
            ("#{ ^k 1}", [("map", False, [("k", ONE)])]),
            ("#{{^k 1}}", [("map", False, [("k", ONE)])]),
            ("#{{{1 2}}}", [("hash map", False, [ONE, TWO])]),
            ("#{#{^k 1}}", [("map", True, [("k", ONE)])]),
            ("#{a/b/.c}", [("path", "a", "b", ".c")]),
            ("#{nil}", [NIL]),
            ("#{`a}", [("quote", A)]),
            ("a #< b >>#>#c", ["a ", "c"]),
            ("#", ["#"]),
            ("#tag", ["#tag"]),
            ("#{a}#b", [A, "#b"]),
            ("100# # #! ##", ["100# # #! ##"]),
            (r"\#{a}", ["#{a}"]),
            (r"{\"k\": \"#{v}\"}", ['{"k": "', symbol("v"), '"}']),
            (r"\\#{a}", ["\\", A]),
            (r"\n\u00e9", ["\né"]),
            ("a\nb", ["a\nb"]),
            (", a ,", [", a ,"]),
            ("}])", ["}])"]),
        ],
    )  # fmt: skip
    def test_parts(self, quotes, text, expected):
        """Text and embedded data alternate, in strings with one quote and with three."""
        assert parts(f"#{quotes}{text}{quotes}") == expected

    def test_strings_in_strings(self):
        """What is embedded may hold strings and further interpolated strings."""
        assert parts('#"a #{(f "b}" #"c #{d} }")} e"') == [
            "a ",
            gene(F, ("str", "'b}'"), gene(symbol(INTERPOLATION), ("str", "'c '"), D, ("str", "' }'"))),
            " e",
        ]
        assert parts('#"#{"lit"}"') == ["lit"]

    def test_quotes_in_triple_quotes(self):
        """Single quotes are text between triple quotes."""
        assert parts('#"""a "b" #{c} ""d"""') == ['a "b" ', C, ' ""d']

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ('#"""\n a #{b}\n"""', ["\n a ", B, "\n"]),
            ('#"""  \n#{b}\n\t """', ["\n", B, "\n"]),
            ('#"""  #{b}  """', ["  ", B, "  "]),
            ('#"""  \n  """', ["\n"]),
            ('#"""#{b}\n  """', [B, "\n"]),
            ('#"""  """', ["  "]),
            ('#""" \r\n#{b}"""', ["\r\n", B]),
        ],
    )
    def test_blanks_in_triple_quotes(self, text, expected):
        """Interpolated triple-quoted strings drop the same blanks as others."""
        assert parts(text) == expected

    def test_comment_in_a_hole(self):
        """White space and comments may stand around the datum."""
        assert parts('#"#{ #< x ># a # y\n }"') == [A]


class TestPaths:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [("a/b", ["a", "b"]), ("/x", ["", "x"]), ("a/", ["a", ""]), ("a//b", ["a", "", "b"]), ("//", ["", "", ""]), ("a/0/-1", ["a", "0", "-1"]), ("s/.trim/.to_upper", ["s", ".trim", ".to_upper"]), ("m/<k>", ["m", "<k>"]), ("m/<a/b>/c", ["m", "<a/b>", "c"]), ("m/<a/<b/c>>/d", ["m", "<a/<b/c>>", "d"]), ("a/<b", ["a", "<b"]), ("a/<b/c", ["a", "<b", "c"]), ("a/</b>", ["a", "</b>"]), ("a/</<b/c>", ["a", "<", "<b/c>"]), ("<a>/b", ["<a>", "b"]), ("@users/*/name", ["@users", "*", "name"]), (".@users/0", [".@users", "0"]), ("a/!", ["a", "!"]), ("/a/=", ["", "a", "="]), ("$ns/a-b", ["$ns", "a-b"]), (r"a\/b/c", ["a/b", "c"]), (r"a\\/b", ["a\\", "b"]), (r"a\//b", ["a/", "b"]), (r"/\//", ["", "/", ""]), (r"a/b\ c", ["a", "b c"]), ("nil/x", ["nil", "x"]), ("a/\\", None), ("+/-", ["+", "-"]), ("<=/a", ["<=", "a"])],
    )  # fmt: skip
    def test_paths(self, text, expected):
        """A token with a slash is split there; a dynamic part keeps its brackets and slashes."""
        if expected is None:
            with pytest.raises(GeneSyntaxError):
                read_all(text)
        else:
            assert read_all(text) == [PathSymbol(tuple(expected))]

    @pytest.mark.parametrize("text", ["/", "/="])
    def test_operators(self, text):
        """Division and its assignment are symbols, not paths."""
        assert read_all(f"(a {text} b)")[0].children[0] == Symbol(text)

    def test_long_paths(self):
        """Paths with very many parts take time in proportion to their length."""
        assert len(read_one("<" + "/<" * 200_000).parts) == 200_001
        assert len(read_one("a" + "/<b>" * 100_000).parts) == 100_001


class TestCollections:
    def test_nesting(self):
        """Arrays, maps, hash maps and genes nest."""
        assert shapes("[1 {^k [a (b {{c 2}})]}]") == [
            (
                "array",
                False,
                [ONE, ("map", False, [("k", ("array", False, [A, gene(B, ("hash map", False, [C, TWO]))]))])],
            )
        ]

    def test_empty(self):
        """Each of them may be empty; an empty gene has the type nil."""
        assert shapes("[] {} {{}} ()") == [
            ("array", False, []),
            ("map", False, []),
            ("hash map", False, []),
            gene(NIL),
        ]

    def test_frozen(self):
        """With a # in front they are frozen, at their top level only."""
        assert shapes("#[[1]] #{^a {}} #{{1 []}} #(a (b))") == [
            ("array", True, [("array", False, [ONE])]),
            ("map", True, [("a", ("map", False, []))]),
            ("hash map", True, [ONE, ("array", False, [])]),
            ("gene", True, A, [], [gene(B)]),
        ]

    def test_hash_map_in_maps(self):
        """Braces that close several collections at once are told apart."""
        assert shapes("{^a {^b {{1 {^c 2}}}}}") == [
            (
                "map",
                False,
                [("a", ("map", False, [("b", ("hash map", False, [ONE, ("map", False, [("c", TWO)])]))]))],
            )
        ]

    def test_hash_map_keys(self):
        """Keys of hash maps may be any data, and even start with a caret."""
        form = read_one('{{"one" 1 [2] 2 ^a 3}}')
        assert type(form) is HashMapForm
        assert form == ["one", 1, [2], 2, Symbol("^a"), 3]


class TestProperties:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("^a 1", [("a", ONE)]),
            ("^a 1, ^b 2", [("a", ONE), ("b", TWO)]),
            ("^^a ^b 1", [("a", TRUE), ("b", ONE)]),
            ("^!a", [("a", NIL)]),
            ("^a^b 1", [("a", ("map", False, [("b", ONE)]))]),
            ("^a^b^c 1", [("a", ("map", False, [("b", ("map", False, [("c", ONE)]))]))]),
            ("^a^^b", [("a", ("map", False, [("b", TRUE)]))]),
            ("^a^!b", [("a", ("map", False, [("b", FALSE)]))]),
            ("^^a^b", [("a", ("map", False, [("b", TRUE)]))]),
            ("^!a^b", [("a", ("map", False, [("b", FALSE)]))]),
            ("^a^^b^c ^a^b^^d", [("a", ("map", False, [("b", ("map", False, [("c", TRUE), ("d", TRUE)]))]))]),
            ("^^a^b ^^a^c", [("a", ("map", False, [("b", TRUE), ("c", TRUE)]))]),
            ("^a^b^^c", [("a", ("map", False, [("b", ("map", False, [("c", TRUE)]))]))]),
            ("^a^b 1 ^a^c 2 ^a^^d", [("a", ("map", False, [("b", ONE), ("c", TWO), ("d", TRUE)]))]),
            ("^a^b^c 1 ^a^b^d 2", [("a", ("map", False, [("b", ("map", False, [("c", ONE), ("d", TWO)]))]))]),
            ("^a(b)", [("a", gene(B))]),
            ("^a[1]", [("a", ("array", False, [ONE]))]),
            ('^a"b"', [("a", ("str", "'b'"))]),
            ("^a/b 1 ^-c 2 ^d! 3", [("a/b", ONE), ("-c", TWO), ("d!", THREE)]),
            ("^0 1 ^true 2", [("0", ONE), ("true", TWO)]),
            (r"^a\ b 1 ^c\^d 2 ^e\^^f 3", [("a b", ONE), ("c^d", TWO), ("e^", ("map", False, [("f", THREE)]))]),
            (r"^^a\ b", [("a b", TRUE)]),
            ("^... a", [("...", A)]),
            ("^...a ^...(b)", [("...", A), ("...", gene(B))]),
            ("^...a/b", [("...", ("path", "a", "b"))]),
            ("^a nil ^b void", [("a", NIL), ("b", ("Void", "void"))]),
            ("^a `b ^c %d", [("a", ("quote", B)), ("c", ("unquote", False, D))]),
            ("^.a 1 ^.. 2", [(".a", ONE), ("..", TWO)]),
        ],
    )  # fmt: skip
    def test_spellings(self, text, expected):
        """All spellings of a property mean the same in maps and in genes."""
        assert shapes(f"{{{text}}}") == [("map", False, expected)]
        assert shapes(f"(f {text})") == [("gene", False, F, expected, [])]
        assert shapes(f"({text})") == [("gene", False, NIL, expected, [])]

    @pytest.mark.parametrize("text", ["(f ^k 1 a b)", "(f a ^k 1 b)", "(f a b ^k 1)", "(^k 1 f a b)"])
    def test_place_in_genes(self, text):
        """The properties of a gene may stand anywhere, in one group."""
        assert shapes(text) == [gene(F, A, B, k=ONE)]

    def test_two_spreads(self):
        """Each spread is an entry of its own."""
        form = read_one("{^... a ^b 1 ^... c}")
        assert type(form) is MapForm
        assert [type(key) is SpreadKey for key in form] == [True, False, True]

    @pytest.mark.parametrize("text", ["^a", "^^a", "^!a", "^a^b", "^...", "^...a", "^", "^a^", "^a/b"])
    def test_ordinary_symbols(self, text):
        """Outside of maps and genes, a token that starts with a caret is a symbol."""
        expected = ("path", "^a", "b") if "/" in text else symbol(text)
        assert shapes(f"[{text} 1]") == [("array", False, [expected, ONE])]
        assert shapes(f"{text} `{text}") == [expected, ("quote", expected)]
        assert shape(read_one(text)) == expected

    def test_no_properties(self):
        """Genes without properties share one empty dict."""
        assert read_one("(f a)").props is NO_PROPS
        assert all(g.props is NO_PROPS for g in read_all("(a; b; c) #@f x"))


class TestChains:
    @pytest.mark.parametrize(
        ("text", "same"),
        [("(a b; c d; e)", "(((a b) c d) e)"), ("(a; b)", "((a) b)"), ("(a ^k 1; b ^k 2 c)", "((a ^k 1) b ^k 2 c)"), ("(a;)", "((a))"), ("(; a)", "(() a)"), ("(a;; b)", "(((a)) b)"), ("(^k 1 a; b)", "((^k 1 a) b)"), ("(a b ^k 1 c; d)", "((a b ^k 1 c) d)"), ("[(a;b)]", "[((a) b)]"), ("(a (b; c); d)", "((a ((b) c)) d)")],
    )  # fmt: skip
    def test_fold(self, text, same):
        """With ; all that was read before becomes the head."""
        assert shapes(text) == shapes(same)

    def test_frozen_chain(self):
        """The outermost gene of a frozen chain is frozen; what it builds on is called."""
        assert shapes("#(a; b)") == [("gene", True, gene(A), [], [B])]


class TestQuotes:
    def test_quote(self):
        """A backquote quotes the next datum, whatever it is."""
        assert shapes("`a ` b `(c) ``d `1") == [
            ("quote", A), ("quote", B), ("quote", gene(C)), ("quote", ("quote", D)), ("quote", ONE)
        ]  # fmt: skip

    def test_unquote(self):
        """A percent sign unquotes the next datum, with an underscore it discards it."""
        assert shapes("(a %b %_c %(d) %_(e) %%f)") == [
            gene(A, ("unquote", False, B), ("unquote", True, C), ("unquote", False, gene(D)), ("unquote", True, gene(E)),
                 ("unquote", False, ("unquote", False, F)))
        ]  # fmt: skip

    def test_decorator(self):
        """A decorator is a call of the first datum with the second."""
        assert shapes("#@f x") == shapes("(f x)")
        assert shapes("(a #@f #@(g 1) x b)") == shapes("(a (f ((g 1) x)) b)")
        assert shapes("#@ f\n(fn g [])") == shapes("(f (fn g []))")


class TestRegexes:
    @pytest.mark.parametrize(
        ("text", "pattern", "flags", "replacement"),
        [("#/a+/", "a+", "", None), ("#/a/i", "a", "i", None), ("#/a/im", "a", "im", None), (r"#/\d\/\\\\/", r"\d/\\", "", None), ("#/a/b/", "a", "", "b"), ("#/a/b c/i", "a", "i", "b c"), ("#//", "", "", None), (r"#/(a)/\\1\/x/", "(a)", "", r"\1/x"), ('#/["(]#/', '["(]#', "", None), ("#/a//", "a", "", "")],
    )  # fmt: skip
    def test_literals(self, text, pattern, flags, replacement):
        """A literal holds a pattern, flags, and perhaps a replacement."""
        (regex,) = read_one(f"[{text}]")
        assert isinstance(regex, Regex)
        assert (regex.pattern, regex.flags, regex.replacement) == (pattern, flags, replacement)

    def test_what_cannot_be_compiled_is_refused_where_it_stands(self):
        """A malformed expression is an error of syntax with its place, not one of a later match."""
        with pytest.raises(GeneSyntaxError, match=r"Invalid regular expression #/a\(/: missing \)") as caught:
            read_one('\n(f "x" #/a(/)', "t.gene")
        assert (caught.value.span.line, caught.value.span.column) == (2, 8)

    def test_several_on_a_line(self):
        """The slashes of two literals do not mix, nor do those of a path."""
        assert [repr(form) for form in read_all("(f #/a/ #/b/ c/d #/e/i)")[0].children] == [
            "#/a/",
            "#/b/",
            "c/d",
            "#/e/i",
        ]


class TestReading:
    def test_read_all(self):
        """All data of a text come in order; a text without data gives none."""
        assert read_all("1 2 (a)")[:2] == [1, 2]
        assert type(read_all("1")) is list
        assert read_all("") == read_all(" # nothing\n") == []

    def test_read_one(self):
        """The first datum comes alone, and what follows it is not even looked at."""
        assert read_one(' 1 2 ) "') == 1
        assert shape(read_one("(a b) (")) == gene(A, B)
        assert read_one(Source("nil", "x")) is None

    @pytest.mark.parametrize(
        "opening", ["(", "[", "{^a ", "{{1 ", "`", "%", "#@a ", "#[", '#"#{', "(^a ", "(a;"]
    )
    def test_deep_nesting(self, opening):
        """A hundred thousand levels of any kind need no stack of Python's."""
        closing = {"(": ")", "[": "]", "{": "}", "{{1 ": "}}", "#[": "]", '#"#{': '}"'}
        end = closing.get(opening) or closing.get(opening[0], "")
        count = 100_000
        text = opening * count + "1" + end * count
        assert len(read_all(text)) == 1

    @pytest.mark.parametrize(("end", "incomplete"), [("", True), ("]", False), (")" * 100_001, False)])
    def test_errors_in_deep_nesting(self, end, incomplete):
        """Errors are found at any depth."""
        with pytest.raises(GeneSyntaxError) as caught:
            read_all("(" * 100_000 + end)
        assert caught.value.incomplete is incomplete

    def test_threads(self):
        """Many threads read at once, each its own text."""
        wrong = []

        def work(number):
            text = f'(f{number} {{^k{number} [{number} #"a #{{x{number}}}"]}})'
            expected = shapes(text)
            wrong.extend(number for _ in range(50) if shapes(text) != expected)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []

    @pytest.mark.parametrize("text", ["(a) " * 50_000, "(a) " * 50_000 + "]"])
    def test_garbage_collector(self, text):
        """Reading a large text leaves the garbage collector as it was, even after an error."""
        for before in (gc.disable, gc.enable):
            before()
            enabled = gc.isenabled()
            with contextlib.suppress(GeneSyntaxError):
                read_all(text)
            assert gc.isenabled() is enabled

    def test_imports(self):
        """Reading needs neither lark nor the modules of literals that the text does not have."""
        code = (
            "import sys, gene.reader; assert 'gene.reader.parser' not in sys.modules, 'parser';"
            'gene.reader.read_all(\'(a "b\\\\n" 1.5 #"#{c}")\');'
            "print(*{'lark', 'typing', 'datetime', 'gene.data.regex', 'gene.data.temporal', 'gene.data.octets'} & sys.modules.keys())"
        )
        run = subprocess.run(
            [sys.executable, "-S", "-c", code],
            capture_output=True,
            text=True,
            check=False,
            env=_environment(),
        )
        assert (run.stdout, run.stderr) == ("\n", "")

    def test_gene_symbols_are_not_shared(self):
        """Every symbol of a text is an object of its own, as each has its own place."""
        first, second = read_all("a a")
        assert first == second
        assert first is not second

    def test_dense_text(self):
        """Data need no white space where a bracket or a quote ends them."""
        assert shapes('(a"b"[1](c)`d{^e 1}#"f"\'g\'h)') == shapes('(a "b" [1] (c) `d {^e 1} #"f" \'g\' h)')


def _environment():
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}


def test_gene_without_head():
    """A gene that starts with properties takes the first datum as its head."""
    form = read_one("(^a 1 b c)")
    assert isinstance(form, Gene)
    assert (form.type, form.props, form.children) == (Symbol("b"), {"a": 1}, [Symbol("c")])
