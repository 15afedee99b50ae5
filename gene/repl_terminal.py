"""The REPL's reader for a terminal, made with prompt_toolkit (the extra ``repl``)."""

from __future__ import annotations

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import Completer, Completion
from prompt_toolkit.filters import completion_is_selected
from prompt_toolkit.history import FileHistory, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings

from gene.completion import complete
from gene.repl import CONTINUATION, incomplete
from gene.repl_plain import history_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from prompt_toolkit.document import Document
    from prompt_toolkit.key_binding import KeyPressEvent
    from prompt_toolkit.lexers import Lexer

    from gene.interpreter import Interpreter


def reader(gene: Interpreter) -> Callable[[str], str]:
    """What asks for an input of one or several lines."""
    session: PromptSession[str] = PromptSession(
        history=_history(),
        completer=GeneCompleter(gene),
        complete_while_typing=False,
        key_bindings=_bindings(),
        lexer=_lexer(),
        multiline=True,
        prompt_continuation=CONTINUATION,
    )
    return session.prompt


class GeneCompleter(Completer):
    """Completes names, methods and members of namespaces."""

    def __init__(self, gene: Interpreter) -> None:
        self._gene = gene

    def get_completions(self, document: Document, complete_event: Any) -> Iterator[Completion]:  # noqa: ARG002 - prompt_toolkit's signature
        """The candidates for what stands before the cursor."""
        before = document.text_before_cursor
        start, candidates = complete(self._gene, before)
        for candidate in candidates:
            yield Completion(candidate, start_position=start - len(before))


def _history() -> FileHistory | InMemoryHistory:
    try:
        return FileHistory(history_file("history"))
    except OSError:
        return InMemoryHistory()  # a home that cannot be written to


def _bindings() -> KeyBindings:
    """Enter ends the input once its brackets balance; Alt-Enter always starts a new line."""
    bindings = KeyBindings()

    @bindings.add("enter", filter=~completion_is_selected)
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if incomplete(buffer.text):
            buffer.insert_text("\n")
        else:
            buffer.validate_and_handle()

    @bindings.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return bindings


def _lexer() -> Lexer | None:
    """Colours, if pygments is there."""
    try:
        from prompt_toolkit.lexers import PygmentsLexer

        from gene.highlight import GeneLexer
    except ImportError:
        return None
    return PygmentsLexer(GeneLexer)
