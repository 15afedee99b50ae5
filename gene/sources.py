"""The source text of compiled functions, which Python's ``inspect`` cannot cut out: it reads only Python."""

from __future__ import annotations

from gene.data.atoms import Symbol
from gene.data.forms import Gene, span_of
from gene.data.source import Source
from gene.runtime.failures import sources_named

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import CodeType
    from typing import Any

    from gene.data.source import Span

_DEFINITIONS = frozenset({"fn", "fn!", "method", "ctor"})


def getsource(function: Callable[..., Any]) -> str:
    """The text of the form that defines a Gene function.

    Args:
        function: A function that Gene code defined.

    Returns:
        The form, from its opening to its closing parenthesis.

    Raises:
        TypeError: It is not a Gene function.
        OSError: Its source is not there any more.
    """
    from gene.runtime.text import is_gene_function

    if not is_gene_function(function):
        raise TypeError(f"a Gene function is needed, got {function!r}")
    code = function.__code__
    found = [span for source in sources(code, function.__globals__) for span in _candidates(source, code)]
    if not found:
        raise OSError(f"the source of {function!r} is not in {code.co_filename}")
    return found[0].source.text[found[0].start : found[0].end]


def sources(code: CodeType, namespace: dict[str, Any]) -> list[Source]:
    """The sources that code may have been compiled from, the latest first.

    Pieces of text that were evaluated under one name are told apart by what they define where.

    Args:
        code: The code.
        namespace: The globals that it runs with.
    """
    named = sources_named(code.co_filename, namespace)
    if len(named) < 2:
        return named or [Source(None, code.co_filename)]
    if code.co_name == "<module>":
        return named[:1]  # the top level of earlier pieces has run
    return [source for source in named if any(_candidates(source, code))]


def forms_around(source: Source, start: int, end: int) -> list[tuple[Gene, Span]]:
    """The parenthesised forms that contain a stretch of a source, the outermost first.

    Args:
        source: The source.
        start: The offset of the first character.
        end: The offset behind the last one.
    """
    from gene.errors import GeneSyntaxError
    from gene.reader import read_all

    try:
        waiting = read_all(source)
    except GeneSyntaxError:
        return []  # the file has changed since it was compiled
    found: list[tuple[Gene, Span]] = []
    while waiting:
        form = waiting.pop()
        span = span_of(form)
        if span is not None and not (span.start <= start and end <= span.end):
            continue
        if isinstance(form, Gene) and span is not None:
            found.append((form, span))
        waiting += _parts(form)
    return found


def is_definition(form: Gene) -> bool:
    """Whether a form defines a function."""
    return type(form.type) is Symbol and form.type.name in _DEFINITIONS


def offset(source: Source, line: int, column: int) -> int:
    """The character offset of a place whose column counts UTF-8 bytes, both from 1."""
    start = 0
    for _ in range(line - 1):
        start = source.text.find("\n", start) + 1
    before = source.line(line).encode("utf-8", "surrogatepass")[: column - 1]
    return start + len(before.decode("utf-8", "ignore"))


def _parts(form: Any) -> list[Any]:
    if isinstance(form, Gene):
        return [form.type, *form.props.values(), *form.children]
    if isinstance(form, dict):
        return [*form.values()]
    return form if isinstance(form, list) else [form.datum] if hasattr(form, "datum") else []


def _candidates(source: Source, code: CodeType) -> Iterator[Span]:
    """The forms that may define what a code object was compiled from, the likeliest first."""
    from gene.trace import function_name

    places = [place for place in code.co_positions() if place[2] != place[3] and None not in place]
    if not places:
        return
    stretches = [(offset(source, a, c + 1), offset(source, b, d + 1)) for a, b, c, d in places]  # type: ignore[operator, arg-type]
    start, end = min(stretches)[0], max(stretch[1] for stretch in stretches)
    name = function_name(code.co_name)
    for form, span in reversed(forms_around(source, start, end)):
        fits = is_definition(form) and span.line == code.co_firstlineno and _name(form) in ("", name)
        if fits and not _is_inner(code, span, stretches):
            yield span


def _name(form: Gene) -> str:
    if form.type.name == "ctor":
        return "ctor"
    first = form.children[0] if form.children else None
    return first.name.removesuffix(":") if isinstance(first, Symbol) else ""


def _is_inner(code: CodeType, span: Span, stretches: list[tuple[int, int]]) -> bool:
    """Whether a form is a function without a name that the code only makes: the whole body of its own."""
    makes = any(type(constant) is type(code) for constant in code.co_consts)
    return makes and not code.co_argcount and (span.start, span.end) in stretches
