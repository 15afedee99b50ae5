"""Colours for Gene text: a lexer for pygments, which terminals and documentation tools take."""

from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Literal, Name, Number, Operator, Punctuation, String, Text

from gene.compiler.specials import _HANDLERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, ClassVar

_END = r"(?=[\s,;\"`%()\[\]{}]|\Z)"
_WORD = r"(?:\\.|[^\s,;\"`%()\[\]{}])+"


class GeneLexer(RegexLexer):  # type: ignore[misc]
    """The tokens of Gene; what it cannot place is plain text, never an error."""

    name = "Gene"
    aliases: ClassVar[list[str]] = ["gene"]
    filenames: ClassVar[list[str]] = ["*.gene"]
    url = "https://github.com/gene-lang/gene"
    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            (r"#<[\s\S]*?(?:>#|\Z)", Comment.Multiline),
            (r"#(?:[ !#][^\r\n]*|(?=[\r\n]|\Z))", Comment.Single),
            (r'#?"""(?:\\[\s\S]|[\s\S])*?(?:"""|\Z)', String),
            (r'#?"(?:\\[\s\S]|[^"\\])*(?:"|\Z)', String),
            (r"'(?:\\.[^']*|[^'\\])'", String.Char),
            (r"#/(?:\\.|[^/\\\r\n])+/(?:(?:\\.|[^/\\\r\n])*/)?\w*", String.Regex),
            (r"\d{4}-\d\d-\d\d[^\s,;\"`%()\[\]{}]*|\d\d:\d\d[^\s,;\"`%()\[\]{}]*", Literal.Date),
            (rf"[+-]?(?:0[xX][0-9a-fA-F_]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?){_END}", Number),
            (r"\^\.\.\.|\^[\^!]?[^\s,;\"`%()\[\]{}]+", Name.Attribute),
            (words(("nil", "void", "true", "false", "not_found"), suffix=_END), Keyword.Constant),
            (words(sorted(_HANDLERS), suffix=_END), Keyword),
            (rf"(?:[-+*/<>=!&|]+|\.\.|%=?(?=\s)){_END}", Operator),
            (rf"(\.)({_WORD})", bygroups(Operator, Name.Function)),
            (rf"\$(?:{_WORD})?", Name.Builtin),
            (_WORD, Name),
            (r"[()\[\]{};`%,]", Punctuation),
            (r"\s+", Text),
        ]
    }
