"""The text of a program: what every piece of syntax denotes once the program runs."""

import pytest
from support import error, fails, output, value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1,2,,3]", [1, 2, 3]),
        ("0xFF", 255),
        ("0XAB_CD", 43981),
        ("+7", 7),
        ("-9223372036854775808", -(2**63)),
        ("1.", 1.0),
        ("2e3", 2000.0),
        ("5e-3", 0.005),
        ('"a\\tb\\u00e9\\q\\0"', "a\tbéq0"),
        ('"\\ud83d\\ude00"', "😀"),
        ('"""one "two" three"""', 'one "two" three'),
        ("{^a 1 ^^b ^!c}", {"a": 1, "b": True, "c": None}),
        ("{^a^b^c 1}", {"a": {"b": {"c": 1}}}),
        ("{^a^^b ^c^!d}", {"a": {"b": True}, "c": {"d": False}}),
        ("{^a/b 1 ^two-words 2}", {"a/b": 1, "two-words": 2}),
        ("(do (var m {^a 1}) {^... m ^b 2})", {"a": 1, "b": 2}),
        ("{^a(1 + 1)}", {"a": 2}),
        ("(5)", 5),
        ("()", None),
    ],
)
def test_literals_denote_values(text, expected):
    """Literals of every spelling give their values, of the right kind."""
    made = value(text)
    assert made == expected
    assert type(made) is type(expected)


def test_comments_end_where_they_end():
    """Line and block comments are skipped; a # that is directly followed by text is a symbol."""
    assert value("#! shebang\n## two\n# one\n(+ 1 #< inner\n text ># 2) # end") == 3
    assert fails("#note") == "#note is not defined"


def test_triple_quoted_text_keeps_one_newline_at_each_end():
    """Blanks beside the outer newlines are dropped, the newlines stay."""
    assert value('"""   \n  two\n   """') == "\n  two\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('#"n=#{n}"', "n=3"),
        ('#"#{ n }!"', "3!"),
        ('#"#(n + 1)"', "4"),
        ('#"#[n "a"]"', '[3 "a"]'),
        ('#"a#<gone>#b"', "ab"),
        ('#"#{(s .trim)}"', "x"),
        ('#"#{s/.trim}"', "x"),
        ('#"#{#"<#{n}>"}"', "<3>"),
        ('#"#{"lit"}"', "lit"),
        ('#"{\\"k\\": \\"#{n}\\"}"', '{"k": "3"}'),
        ('#"#tag #{n}#x"', "#tag 3#x"),
        ('#"#{nil} #{void} #{m/none}"', "nil void void"),
        ('#"""a "#{n}" b"""', 'a "3" b'),
    ],
)
def test_interpolation(text, expected):
    """Pieces of interpolated strings are evaluated and printed as interpolation prints."""
    assert value(f'(var n 3) (var s " x ") (var m {{}}) {text}') == expected


def test_interpolation_takes_one_datum():
    """An operator needs parentheses inside of #{}: without them the reader says what it found."""
    failed = error('(var n 3) #"#{n + 1}"')
    assert str(failed) == "Expect } at 16 but found +"


def test_chains_of_calls_with_semicolons():
    """What stands before a semicolon is the head of what follows."""
    assert value('(" a,b " .trim; .split ","; .join "-")') == "a-b"


def test_an_operator_needs_blanks():
    """A minus directly before a digit belongs to the number, and x-y is a name."""
    assert value("(var x-y 4) x-y") == 4
    assert fails("(var n 5) (n -1)").startswith("IkUnifiedCall1 requires a callable")
    assert "Date" in fails("(5-3)")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("(a", "EOF while reading list"),
        ("(a))", "Unmatched delimiter"),
        ('"abc', "ErrQuoteExpected"),
        ("(f ^a 1 2 ^b 3)", "properties found in wrong place"),
        ("{^a 1 ^a 2}", "Bad input"),
        ("{^a ^b 1}", "Expect value for a"),
        ("99999999999999999999", "Parsed integer outside of valid range"),
        ("(1; 2", "EOF"),
    ],
)
def test_faults_of_syntax_stop_everything(text, part):
    """A fault of syntax is an error before anything runs."""
    failed = error('(println "ran")\n' + text)
    assert part in str(failed)
    assert failed.span is not None
    assert failed.span.line == 2


def test_positions_survive_newlines_and_wide_text():
    """Places of errors are right behind empty lines, other statements and text of several bytes."""
    assert output('\n"ü"\n(try\n  (do "u" (throw "a")) catch * (println $ex/location))') == "t.gene:4:11\n"
