"""The formatter: Gene text in the one layout that all Gene text gets.

:mod:`gene.formatter.tokens` finds the tokens with the reader's own patterns, :mod:`gene.formatter.tree` makes
a tree of them that has the comments and the author's line breaks, :mod:`gene.formatter.bodies` knows the
forms with a body and :mod:`gene.formatter.grouping` what goes together;
:mod:`gene.formatter.layout` prints the tree.

What is written stays as it is written: the spelling of every string, number and symbol, every comment, and
the blank lines between forms (at most one). What changes is the white space around it:

- A form that the author wrote on one line stays on one line if that has at most 100 characters.
- A form that the author broke, or that is too long, is laid out by its kind. A form with a body, such as
  ``fn``, ``if`` or ``try``, has its head on the first line, its body below, indented by two, and words such
  as ``else`` and ``catch`` at its own indentation; a ``case`` whose arms are one line each is indented as a
  whole. Others keep the author's lines; what is too long even so gets a line for each of its parts. A call of
  nothing but names and literals is joined.
- Indentation counts from the start of the line on which a form begins. The entries of an array or map stand
  below the first one where that follows the bracket, else between lines that have the brackets.
- Values of entries that the author aligned stay aligned, and so do comments behind code.
- Commas, which are white space, go, and so do carriage returns outside of strings.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from gene.data.source import Source


def format_text(source: Source | str, name: str = "<string>") -> str:
    """A text in canonical layout.

    Args:
        source: The text, or a source that has a name already.
        name: What to call the text in errors.

    Returns:
        Text that reads as the same data, has the same comments, and is its own canonical layout.

    Raises:
        GeneSyntaxError: The text is not Gene.
    """
    from gene.data.source import Source
    from gene.formatter.layout import layout
    from gene.formatter.tokens import spellings
    from gene.formatter.tree import parse
    from gene.reader import read_all

    if isinstance(source, str):
        source = Source(source, name)
    read_all(source)
    text = source.text
    formatted = layout(parse(text), text)
    if spellings(formatted) != spellings(text):
        raise AssertionError(f"the layout of {source.name} would not read as the text did")
    return formatted
