"""The parser: text to forms, in one pass and without recursion.

The tables are those of lark's LALR automaton for ``gene.lark``, and the loop below is all that runs on them.
As the grammar needs no lookahead, a state alone decides which tokens can come next. So each state has its
scanner, and the text of an interpolated string is never taken for code. A symbol that has been read, a
terminal or the result of a rule, leads to one of four operations:

- FOLD: the form on top of the stack takes it in, and the state stays as it is;
- SHIFT: it goes onto the stack, and the state is another;
- REDUCE: it completes a rule, whose result is the next symbol;
- ACCEPT: the text has been read.

lark's own loop, fed with ready tokens, takes more than twice as long as all of this, scanning included;
and importing lark takes as long as reading 100 KB.
"""

from __future__ import annotations

import re

from gene.data.forms import ArrayForm
from gene.data.source import Span
from gene.reader import actions, faults
from gene.reader.tables import ENTRIES, ROWS, SCANNERS, STARTS, STATES
from gene.reader.terminals import TERMINALS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Final

    from gene.data.source import Source

FOLD: Final = 0
SHIFT: Final = 1
REDUCE: Final = 2


def _entry(entry: tuple[int, Any, int, int] | None) -> Any:
    if entry is None or not isinstance(entry[1], str):
        return entry
    operation, name, length, symbol = entry
    return operation, getattr(actions, name), length - 1, symbol


def _scanner(number: int) -> Callable[[str, int], re.Match[str] | None]:
    """The scanner with a number, compiled when its first token is looked for."""

    def compile_and_match(text: str, position: int) -> re.Match[str] | None:
        match = re.compile(SCANNERS[number][0]).match
        for state, (_name, scanner) in enumerate(STATES):
            if scanner == number:
                _MATCH[state] = match
        return match(text, position)

    return compile_and_match


_ENTRIES: Final = [_entry(entry) for entry in ENTRIES]
_ROWS: Final = [[_ENTRIES[number] for number in row] for row in ROWS]
_MAKERS: Final[list[list[Any]]] = [
    [None, *(TERMINALS[name] for name in names)] for _pattern, names in SCANNERS
]
_MAKE: Final = [_MAKERS[scanner] for _name, scanner in STATES]
_MATCH: Final = [_scanner(scanner) for _name, scanner in STATES]


def parse(source: Source, start: str) -> Any:
    """Reads a text.

    Args:
        source: The text.
        start: ``"program"`` for all data of the text, as an array form; ``"first"`` for the first one alone.

    Returns:
        What the rule ``start`` of the grammar denotes.

    Raises:
        GeneSyntaxError: The text is not Gene.
    """
    match_at, make, rows = _MATCH, _MAKE, _ROWS  # locals are faster
    text = source.text
    position = 1 if text.startswith("\ufeff") else 0
    state = STARTS[start]
    states = [state]
    values: list[Any] = [_program(source)] if start == "program" else []  # the empty beginning counts as read
    while True:
        match = match_at[state](text, position)
        if match is None:
            raise faults.unreadable(source, position, _stack(states, values))
        symbol: Any = match.lastindex
        token = match[symbol]
        position = match.end()
        value = make[state][symbol](source, token, position - len(token), position)
        while True:
            entry = rows[state][symbol]
            if entry is None:
                terminal = SCANNERS[STATES[state][1]][1][symbol - 1]
                span = Span(source, position - len(token), position)
                raise faults.unexpected(span, terminal, _stack(states, values))
            operation, action, length, symbol = entry
            if operation == FOLD:
                action(values[-1], value)
                break
            if operation == SHIFT:
                states.append(action)
                values.append(value)
                state = action
                break
            if operation != REDUCE:
                return values[-1] if values else value
            if length:
                value = action(*values[-length:], value, position)
                del values[-length:], states[-length:]
                state = states[-1]
            else:
                value = action(value, position)


def _program(source: Source) -> ArrayForm:
    program = ArrayForm()
    program.source, program.start, program.end, program.frozen = source, 0, len(source.text), False
    return program


def _stack(states: list[int], values: list[Any]) -> list[tuple[str, Any]]:
    """What has been read but not completed, from the outside in: the symbol of the grammar, and its value."""
    return [(STATES[state][0], value) for state, value in zip(states[-len(values) :], values, strict=False)]
