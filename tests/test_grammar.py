"""The grammar, the tables that are made from it, and lark's own parser as a judge of both."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from form_shapes import shape, sub_forms
from lark import Lark
from lark.exceptions import GrammarError

from gene.data.forms import span_of
from gene.reader import actions, generate, parser, read_all, tables
from gene.reader.terminals import TERMINALS

GRAMMAR = generate.GRAMMAR.read_text(encoding="utf-8")

PROGRAM = r'''
#! every rule of the grammar
() (a) (a b ^c 1 ^d^e 2 ^^f ^!g ^... h ^...i j) (^a 1) (^a 1 ^b 2 c d) (a ^b 1) (a; b; ^c 1; d ^e 2 f; g) (;)
[] [a ^b ^^c ^d^e ^... ^...f 1.5 -2 0xFF "g" "\n" 'h' #/i/ #/j/k/ 2024-02-03] {} {^a {^b 1}} {{}} {{a 1 ^b {^c 2}}}
#(a) #[b] #{^c 1} #{{d 2}} `a `^a %b %_c #@d e #@(f) #@g [h] % %= nil a/b/<c/d> \nil
#"" #"a" #"a #{b} #(c d) #[e] #{^f 1} #{{^g 2}} #< h ># i" #"#{#"#{a}"}"
#"""""" #"""a "b" #{c} #(d) #[e] #{^f 1} #<g>#""" """a"""
09:30 0#dead
'''


class Judge:
    """lark's own LALR parser, fed with the tokens that the reader finds, and calling the same functions."""

    folds = frozenset(entry[1] for entry in tables.ENTRIES if entry and entry[0] == generate.FOLD)

    def __init__(self):
        self.end = 0
        self.lark = Lark(GRAMMAR, parser="lalr", start=["program"], transformer=self)

    def __getattr__(self, name):
        if name.startswith("_") or name.isupper():
            raise AttributeError(name)
        if name == "new_program":
            return lambda _children: []
        function = getattr(actions, name, None)
        return (lambda children: children[0]) if function is None else self.calling(name, function)

    def calling(self, name, function):
        def call(children):
            values = [child.value if isinstance(child, Fed) else child for child in children]
            if name not in self.folds:
                return function(*values, self.end)
            function(*values)
            return values[0]

        return call

    def judge(self, tokens):
        """The data that lark makes of tokens, which are lists of terminal, source, token, start and end."""
        feeding = self.lark.parse_interactive(start="program")
        for terminal, source, token, start, end in tokens:
            feeding.feed_token(Fed(terminal, TERMINALS[terminal](source, token, start, end)))
            self.end = end
        return [value.value if isinstance(value, Fed) else value for value in feeding.feed_eof()]


class Fed:
    """A token for lark."""

    def __init__(self, terminal, value):
        self.type = terminal
        self.value = value


def tokens_of(text, monkeypatch):
    """What the reader takes a text to consist of."""
    found = []

    def recording(terminal, make):
        def record(*arguments):
            found.append((terminal, *arguments))
            return make(*arguments)

        return record

    with monkeypatch.context() as patch:
        makers = [
            [None, *(recording(name, make) for name, make in zip(names, making[1:], strict=True))]
            for (_pattern, names), making in zip(tables.SCANNERS, parser._MAKERS, strict=True)
        ]
        patch.setattr(parser, "_MAKE", [makers[scanner] for _name, scanner in tables.STATES])
        read_all(text)
    return found[:-1]


def places(forms):
    return [repr(span_of(inner)) for form in forms for inner in sub_forms(form)]


def test_lark_agrees(monkeypatch):
    """lark's own loop on its own tables makes the same data of the same tokens."""
    tokens = tokens_of(PROGRAM, monkeypatch)
    assert {terminal for terminal, *_ in tokens} | {"$END"} == set(TERMINALS)
    ours, theirs = read_all(PROGRAM), Judge().judge(tokens)
    assert [shape(form) for form in ours] == [shape(form) for form in theirs]
    assert places(ours) == places(theirs)


def test_tables_are_those_of_the_grammar():
    """The tables in the package are what the generator makes of the grammar now."""
    assert generate.generate(GRAMMAR) == generate.TABLES.read_text(encoding="utf-8")
    assert generate.fingerprint(GRAMMAR) == tables.GRAMMAR


def test_generating_is_deterministic():
    """The tables do not depend on the seed of Python's hashes."""
    code = "from gene.reader import generate as g; print(g.generate(g.GRAMMAR.read_text(encoding='utf-8')))"
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        for seed in "12"
    ]
    assert runs[0].stdout == runs[1].stdout


def test_every_terminal_and_rule_has_its_function():
    """The grammar and the functions behind it speak of the same names."""
    assert {name for _pattern, names in tables.SCANNERS for name in names} == set(TERMINALS)
    assert all(hasattr(actions, entry[1]) for entry in tables.ENTRIES if entry and isinstance(entry[1], str))


def test_scanners():
    """Code and both kinds of interpolated strings have a scanner each, which share no terminal."""
    names = [set(names) for _pattern, names in tables.SCANNERS]
    assert ["NAME" in names[0], "TEXT" in names[1], "TRIPLE_TEXT" in names[2]] == [True] * 3
    assert sum(map(len, names)) == len(set.union(*names))


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("program: A | A B -> two\nfirst: A", "Needs lookahead"),
        ("program: A B\nfirst: A", "Needs the name of a function"),
        ("program: pair | other\npair: A -> x\nother: A -> y\nfirst: A", "Reduce/Reduce"),
    ],
)
def test_conventions(rules, message):
    """A grammar that breaks the conventions is refused."""
    with pytest.raises(GrammarError, match=message):
        generate.generate(f'{rules}\nA: "a"\nB: "b"\nSPACE: " "\n%ignore SPACE\n')


def test_main(tmp_path, monkeypatch):
    """Running the generator writes the tables."""
    monkeypatch.setattr(generate, "TABLES", tmp_path / "tables.py")
    generate.main()
    assert (tmp_path / "tables.py").read_text(encoding="utf-8").startswith('"""The tables of')
