"""The special words: one table from the word to the function that gives its form a meaning."""

from __future__ import annotations

from gene.compiler.specials import (
    bindings,
    choices,
    classes,
    enums,
    errors,
    evaluation,
    functions,
    interception,
    loops,
    modules,
    namespaces,
    values,
)

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable

    from gene.compiler.analyzer import Analyzer
    from gene.compiler.nodes import Node
    from gene.data.forms import Gene

    Handler = Callable[[Analyzer, Gene], Node]

_HANDLERS: dict[str, Handler] = {
    **bindings.HANDLERS,
    **choices.HANDLERS,
    **classes.HANDLERS,
    **enums.HANDLERS,
    **errors.HANDLERS,
    **evaluation.HANDLERS,
    **functions.HANDLERS,
    **interception.HANDLERS,
    **loops.HANDLERS,
    **modules.HANDLERS,
    **namespaces.HANDLERS,
    **values.HANDLERS,
}


def handler(word: str) -> Handler | None:
    """The function that analyses forms with this head; None for a word that is not special."""
    return _HANDLERS.get(word)
