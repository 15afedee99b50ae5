"""Errors of syntax: what was wrong, where, and what would be right.

The texts of the messages are those of the Gene language where it has some. The parser calls
:func:`unreadable` where no token can start, and :func:`unexpected` for a token that cannot stand where it is;
the other functions make the errors that are found while a token or a rule is turned into data.
"""

from __future__ import annotations

from gene.data.source import Source, Span
from gene.errors import GeneSyntaxError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Final

_BRACKETS: Final = {
    "array_open": ("[", "]"),
    "map_open": ("{", "}"),
    "hash_map_open": ("{{", "}}"),
    "gene_new": ("(", ")"),
    "gene_headed": ("(", ")"),
    "gene_first_properties": ("(", ")"),
    "gene_properties": ("(", ")"),
    "gene_rest": ("(", ")"),
    "HOLE": ("#{", "}"),
    "TRIPLE_HOLE": ("#{", "}"),
}
"""Opening and closing bracket of each open form on the parser's stack."""

_PREFIXES: Final = {"QUOTE": "`", "UNQUOTE": "%", "UNQUOTE_DISCARD": "%_", "DECORATOR": "#@"}


def malformed(source: Source, start: int, end: int, message: str, hint: str | None = None) -> GeneSyntaxError:
    """A token that is wrong in itself."""
    return GeneSyntaxError(message, Span(source, start, end), hint)


def _incomplete(source: Source, start: int, width: int, message: str, hint: str) -> GeneSyntaxError:
    return GeneSyntaxError(message, Span(source, start, start + width), hint, incomplete=True)


def bad_key(caret: tuple[str, int, Source]) -> GeneSyntaxError:
    """``^`` without a name."""
    text, start, source = caret
    hint = "a property is ^name value, ^^name (true), ^!name (nil), or ^outer^inner value"
    return malformed(source, start, start + 1 + len(text), f"Expect key at {start} but found ^{text}", hint)


def repeated_key(source: Source, start: int, key: str) -> GeneSyntaxError:
    """A key that stands twice in one map or gene."""
    message = f"Bad input at {start} (conflict with property shortcut found earlier.)"
    return malformed(
        source, start, start + 1 + len(key), message, f"the key {key} is already there; remove one"
    )


def odd_hash_map(source: Source, start: int, end: int) -> GeneSyntaxError:
    """A hash map whose last key has no value."""
    return malformed(source, start, end, "Expect value for the last key of the hash map", "{{key value …}}")


def single_brace(source: Source, end: int) -> GeneSyntaxError:
    """A single brace where a hash map ends."""
    brace = Span(source, end - 1, end)
    return GeneSyntaxError(f"Unmatched delimiter: }} at {brace!r}", brace, "a hash map ends with }}")


# -------------------------------------------------------------------------------- where no token can start


def unreadable(source: Source, position: int, stack: Sequence[tuple[str, Any]]) -> GeneSyntaxError:
    """The error for text that is no token.

    Args:
        source: The text.
        position: Where the last token ended.
        stack: What has been read but not completed, from the outside in: symbol of the grammar, and value.
    """
    if stack and stack[-1][0].endswith("string_open"):
        return _in_string(source, position, stack[-1][1].start)
    import re

    from gene.reader.tables import SPACE

    space = re.compile(SPACE).match(source.text, position)
    start = space.end() if space else position
    if len(stack) > 1 and stack[-1][0] == "datum" and stack[-2][0].endswith("HOLE"):
        return _bad_hole(Span(source, start, start + 1), stack)  # it closes the string around, most likely
    for prefix, fault in _UNREADABLE:
        if source.text.startswith(prefix, start):
            return fault(source, start)
    message = f"Control character U+{ord(source.text[start]):04X}"
    return malformed(source, start, start + 1, message, "control characters may stand in strings only")


def _in_string(source: Source, position: int, start: int) -> GeneSyntaxError:
    if source.text.startswith("#<", position):
        return _unterminated_comment(source, position)
    return _unterminated_string(source, start)


def _unterminated_string(source: Source, start: int) -> GeneSyntaxError:
    opening = source.text[start : start + 4].lstrip("#")
    quote = '"""' if opening.startswith('"""') else '"'
    width = len(quote) + source.text.startswith("#", start)
    hint = f"the string that starts here has no closing {quote}"
    return _incomplete(source, start, width, "read_string failure: ErrQuoteExpected", hint)


def _unterminated_comment(source: Source, start: int) -> GeneSyntaxError:
    hint = "a block comment ends with >#"
    return _incomplete(source, start, 2, "EOF while reading block comment", hint)


def _bad_regex(source: Source, start: int) -> GeneSyntaxError:
    import re

    hint = "#/pattern/ or #/pattern/replacement/, on one line, with the flags i and m"
    match = re.compile(r"#/(?:[^/\\\r\n]|\\[^\r\n])*/(\w+)").match(source.text, start)
    if match and match[1].strip("im"):
        return malformed(source, match.start(1), match.end(), f"Unknown flags: {match[1]}", hint)
    place = Span(source, start, start + 2)
    on_last_line = re.compile(r"[\r\n]").search(source.text, start) is None
    return GeneSyntaxError("Unterminated regular expression", place, hint, incomplete=on_last_line)


def _bad_char(source: Source, start: int) -> GeneSyntaxError:
    import re

    hint = "a character is one character in single quotes, such as 'a' or '\\n'; text takes double quotes"
    beginning = re.compile(r"'(?:[^'\\]|\\u?[0-9A-Fa-f]{0,4}(?:\\u?[0-9A-Fa-f]{0,4})?|\\.)?\Z", re.DOTALL)
    incomplete = beginning.match(source.text, start) is not None
    return GeneSyntaxError("Malformed character", Span(source, start, start + 1), hint, incomplete=incomplete)


def last_backslash(source: Source, start: int) -> GeneSyntaxError:
    """A backslash that nothing follows."""
    hint = "a backslash takes the next character literally"
    return _incomplete(source, start, 1, "EOF after a backslash", hint)


_UNREADABLE: Final = (
    ('"', _unterminated_string),
    ("#<", _unterminated_comment),
    ("#/", _bad_regex),
    ("'", _bad_char),
    ("\\", last_backslash),
)


# ------------------------------------------------------------------------- tokens that cannot stand there


def unexpected(found: Span, terminal: str, stack: Sequence[tuple[str, Any]]) -> GeneSyntaxError:
    """The error for a token that cannot stand where it is.

    Args:
        found: The place of the token.
        terminal: Its name in the grammar.
        stack: What has been read but not completed, from the outside in: symbol of the grammar, and value.
    """
    name: str = stack[-1][0] if stack else ""
    value: Any = stack[-1][1] if stack else None
    # A datum is on the stack only between `#{` or `#@` and what else these need.
    name = stack[-2][0] if name == "datum" else name
    if terminal == "$END":
        return _end(found, stack)
    if name in ("KEY", "KEY_PATH", "SPREAD"):
        return _no_value(found.source, value)
    if name in _PREFIXES:
        return _no_datum(found, _PREFIXES[name])
    if name.endswith("HOLE"):
        return _bad_hole(found, stack)
    if name == "RBRACE":
        return single_brace(found.source, value)
    if terminal in ("RPAR", "RBRACKET", "RBRACE"):
        return _unmatched(found, stack)
    if terminal == "SEMICOLON":
        return _fault(
            found, "Unexpected ;", "; chains calls inside of ( ); comments start with # and a blank"
        )
    return _misplaced(found, name)


def _fault(place: Span, message: str, hint: str | None = None) -> GeneSyntaxError:
    return GeneSyntaxError(message, place, hint)


def _text(place: Span) -> str:
    return place.source.text[place.start : place.end]


def _misplaced(found: Span, name: str) -> GeneSyntaxError:
    """A property where a gene has no more of them, or a datum where a map wants a key."""
    if name == "gene_rest":
        message = f"properties found in wrong place while reading list ) {found.file} {found.line}"
        return _fault(found, message, "the properties of ( ) stand together, in one group")
    message = f"Expect key at {found.start} but found {_text(found)}"
    return _fault(found, message, "every entry of a map starts with ^, as in {^name value}")


def _no_value(source: Source, caret: tuple[str, int, Source]) -> GeneSyntaxError:
    key, start, _source = caret
    hint = f"^{key} takes a value"
    if key != "..." and "^" not in key:
        hint += f"; ^^{key} is short for ^{key} true, ^!{key} for ^{key} nil"
    return malformed(source, start, start + 1 + len(key), f"Expect value for {key}", hint)


def _no_datum(found: Span, prefix: str) -> GeneSyntaxError:
    return _fault(found, f"Expect a datum but found {_text(found)}", _needs(prefix))


def _needs(prefix: str) -> str:
    return f"{prefix} takes {'two data' if prefix == '#@' else 'a datum'}"


def _bad_hole(found: Span, stack: Sequence[tuple[str, Any]]) -> GeneSyntaxError:
    start = next(value for name, value in reversed(stack) if name.endswith("HOLE"))
    if stack[-1][0].endswith("HOLE"):
        return _fault(
            found, f"Expect a datum but found {_text(found)}", "#{ } takes one datum; \\#{ is plain text"
        )
    place = Span(found.source, start, start + 2)
    message = f"Expect }} at {found.start} but found {_text(found)}"
    hint = "#{ } takes one datum; put an expression in parentheses, as in #{(a + b)}"
    return GeneSyntaxError(message, found, hint, related=(("the interpolation starts here", place),))


def _innermost(source: Source, stack: Sequence[tuple[str, Any]]) -> tuple[Span, str] | None:
    """The last bracket that is open, and what closes it."""
    for name, value in reversed(stack):
        if name in _BRACKETS:
            opening, closing = _BRACKETS[name]
            start = value if isinstance(value, int) else value.start
            start += source.text.startswith("#", start) and not opening.startswith("#")
            return Span(source, start, start + len(opening)), closing
    return None


def _unmatched(found: Span, stack: Sequence[tuple[str, Any]]) -> GeneSyntaxError:
    bracket = _text(found)
    message = f"Unmatched delimiter: {bracket} at {found!r}"
    innermost = _innermost(found.source, stack)
    if innermost is None:
        return _fault(found, message, f"nothing is open that {bracket} could close")
    place, closing = innermost
    hint = f"close {_text(place)} with {closing} first"
    return GeneSyntaxError(message, found, hint, related=((f"{_text(place)} opened here", place),))


def _end(end: Span, stack: Sequence[tuple[str, Any]]) -> GeneSyntaxError:
    source = end.source
    innermost = _innermost(source, stack)
    if innermost is not None:
        place, closing = innermost
        message = f"EOF while reading list {closing} {end.file} {end.line}"
        hint = f"the {_text(place)} that opens here has no {closing}"
        return GeneSyntaxError(message, place, hint, incomplete=True)
    prefix = next((item for item in reversed(stack) if item[0] in _PREFIXES), None)
    if prefix is None:
        return GeneSyntaxError("EOF: there is no datum to read", end, incomplete=True)
    name, form = prefix
    text = _PREFIXES[name]
    return _incomplete(
        source, form.start, len(text), f"EOF while reading the datum after {text}", _needs(text)
    )
