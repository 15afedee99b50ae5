"""Turns ``gene.lark`` into the tables that the reader runs on: ``python -m gene.reader.generate``.

lark does the work: it parses the grammar, composes the terminals, and computes and checks the LALR automaton.
What it computes is written down as a Python module, because importing lark and building the automaton takes
longer than everything else that a small script does.

The automaton also gets smaller. As the grammar needs no lookahead, what follows a shift is known beforehand,
so that a state and a symbol select one of the four operations of :mod:`gene.reader.parser`, and symbols that
only rename another one are gone.
"""

from __future__ import annotations

import hashlib
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lark import Lark
from lark.exceptions import GrammarError
from lark.parsers.lalr_analysis import Shift

if TYPE_CHECKING:
    from lark.grammar import Rule

GRAMMAR = Path(str(files("gene.grammar"))) / "gene.lark"
TABLES = Path(__file__).with_name("tables.py")
STARTS = ("program", "first")
END = "$END"
FOLD, SHIFT, REDUCE, ACCEPT = range(4)

Entry = tuple[int, Any, int, Any]
"""Operation, its argument (a state, or the name of a function), and length and symbol of the rule."""


class Automaton:
    """The LALR automaton of a grammar, reduced to four operations.

    Raises:
        lark.exceptions.GrammarError: The grammar is wrong or ambiguous, or breaks one of its conventions.
    """

    def __init__(self, grammar: str) -> None:
        lark = Lark(grammar, parser="lalr", lexer="contextual", start=list(STARTS))
        table = lark.parser.parser._parse_table  # noqa: SLF001 - no public view of it exists
        ignored = set(lark.ignore_tokens)
        self.patterns = {str(t.name): t.pattern.to_regexp() for t in lark.terminals}
        self.space = "|".join(self.patterns[name] for name in ignored)
        self.comment = pattern_of(lark, "_COMMENT")
        self.terminals = [
            str(t.name) for t in sorted(lark.terminals, key=lambda t: -t.priority) if t.name not in ignored
        ]
        self.ends = set(table.end_states.values())
        self.shifts: dict[int, dict[str, int]] = {}
        self.reductions: dict[int, Rule] = {}
        for state, row in table.states.items():
            self._split(state, row)
        self.rows: dict[int, dict[str, Entry]] = {}
        self.names: dict[int, str] = {}
        self.starts = [self._start(table.start_states[name], name) for name in STARTS]

    def _split(self, state: int, row: dict[str, tuple[Any, Any]]) -> None:
        """Notes what a state does: it either shifts, or reduces whatever comes next."""
        shifts = {str(symbol): arg for symbol, (action, arg) in row.items() if action is Shift}
        rules = {arg for action, arg in row.values() if action is not Shift}
        if len(rules) > 1 or (rules and any(map(is_terminal, shifts))):
            raise GrammarError(f"Needs lookahead: {sorted(map(str, rules))} or {sorted(shifts)}")
        self.shifts[state] = shifts
        if rules:
            self.reductions[state] = rules.pop()

    def _start(self, state: int, name: str) -> int:
        """The state in which reading starts: an empty beginning counts as read."""
        if state in self.reductions:
            state = self.shifts[state][name]
        self._reach(state, name)
        return state

    def _reach(self, state: int, name: str) -> None:
        if state in self.rows:
            return
        self.names[state] = name
        self.rows[state] = row = {symbol: self._entry(state, symbol) for symbol in sorted(self.shifts[state])}
        if state in self.ends:
            row[END] = (ACCEPT, None, 0, None)
        for operation, target, _length, symbol in row.values():
            if operation == SHIFT:
                self._reach(target, symbol)

    def _entry(self, state: int, symbol: str) -> Entry:
        """What a state does with a symbol, once it has been read."""
        target = self.shifts[state][symbol]
        rule = self.reductions.get(target)
        while rule is not None and len(rule.expansion) == 1 and rule.alias is None:
            symbol = str(rule.origin.name)
            target = self.shifts[state][symbol]
            rule = self.reductions.get(target)
        if target in self.ends:
            return (ACCEPT, None, 0, None)
        if rule is None:
            return (SHIFT, target, 0, symbol)
        if rule.alias is None:
            raise GrammarError(f"Needs the name of a function: {rule}")
        folds = len(rule.expansion) == 2 and rule.expansion[0] == rule.origin
        return (FOLD if folds else REDUCE, str(rule.alias), len(rule.expansion), str(rule.origin.name))


def pattern_of(lark: Lark, name: str) -> str:
    """The pattern of a terminal that only serves to compose others, which lark forgets; "" without one."""
    composed, _rules, _ignored = lark.grammar.compile(list(STARTS), {name})
    return next((str(terminal.pattern.to_regexp()) for terminal in composed if terminal.name == name), "")


def is_terminal(symbol: str) -> bool:
    """Whether a symbol of the grammar is a terminal."""
    return symbol.isupper()


def group_terminals(automaton: Automaton) -> list[list[str]]:
    """The terminals of each scanner, fastest first: those that some state can take together share one.

    The scanner of programs comes first, and it alone finds the end of the text.
    """
    groups: list[set[str]] = []
    for row in automaton.rows.values():
        together = set(filter(is_terminal, row))
        meeting = [group for group in groups if group & together]
        groups = [group for group in groups if group not in meeting] + [together.union(*meeting)]
    groups.sort(key=lambda group: END not in group)
    return [[*(t for t in automaton.terminals if t in group), *({END} & group)] for group in groups if group]


def scanner_pattern(automaton: Automaton, names: list[str]) -> str:
    """One pattern with a group for each terminal. White space separates the tokens of programs only."""
    groups = "|".join(f"({automaton.patterns.get(name, chr(92) + 'Z')})" for name in names)
    return f"(?:{automaton.space})?(?:{groups})" if END in names else groups


class Numbering:
    """Numbers in place of names, as the reader wants them."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.scanners = group_terminals(automaton)
        self.states = {state: number for number, state in enumerate(automaton.rows)}
        self.symbols = {name: i for names in self.scanners for i, name in enumerate(names, 1)}
        rules = dict.fromkeys(
            symbol for row in automaton.rows.values() for symbol in row if not is_terminal(symbol)
        )
        self.symbols |= {name: i for i, name in enumerate(rules, 1 + max(map(len, self.scanners)))}
        self.entries: dict[Entry | None, int] = {None: 0}

    def scanner(self, state: int) -> int:
        """The number of the scanner that finds a state's next token."""
        row = self.automaton.rows[state]
        return next(i for i, names in enumerate(self.scanners) if not row.keys().isdisjoint(names))

    def row(self, state: int) -> bytes:
        """The number of the entry for each symbol; 0 where there is none."""
        row = bytearray(max(self.symbols.values()) + 1)
        for symbol, (operation, argument, length, result) in self.automaton.rows[state].items():
            numbered = self.states[argument] if operation == SHIFT else argument
            entry = (operation, numbered, length, self.symbols.get(result, 0) if operation == REDUCE else 0)
            row[self.symbols[symbol]] = self.entries.setdefault(entry, len(self.entries))
        return bytes(row)


def fingerprint(grammar: str) -> str:
    """What ties tables to the grammar that they were made from."""
    return hashlib.sha256(grammar.encode()).hexdigest()


def generate(grammar: str) -> str:
    """The module of tables for a grammar.

    Args:
        grammar: The text of a lark grammar.

    Returns:
        The text of a Python module.

    Raises:
        lark.exceptions.GrammarError: The grammar is wrong or ambiguous, or breaks one of its conventions.
    """
    automaton = Automaton(grammar)
    numbering = Numbering(automaton)
    rows = [numbering.row(state) for state in automaton.rows]
    values = {
        "GRAMMAR": fingerprint(grammar),
        "SPACE": automaton.space,
        "COMMENT": automaton.comment,
        "SCANNERS": [(scanner_pattern(automaton, names), names) for names in numbering.scanners],
        "STARTS": {
            name: numbering.states[state] for name, state in zip(STARTS, automaton.starts, strict=True)
        },
        "STATES": [(automaton.names[s], numbering.scanner(s)) for s in automaton.rows],
        "ENTRIES": list(numbering.entries),
        "ROWS": rows,
    }
    head = '"""The tables of ``gene.lark``: made by ``python -m gene.reader.generate``, never by hand."""\n\n'
    head += "# ruff: noqa: E501, Q000 - nobody reads it\n# fmt: off\n"
    return head + "".join(f"{name} = {_layout(value)}\n" for name, value in values.items())


def _layout(value: object) -> str:
    """A value in Python's notation; a list has a line for each of its items."""
    if not isinstance(value, list):
        return repr(value)
    return "[\n" + "".join(f"    {item!r},\n" for item in value) + "]"


def main() -> None:
    """Writes the tables anew."""
    TABLES.write_text(generate(GRAMMAR.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
