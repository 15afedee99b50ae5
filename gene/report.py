"""How an error that nobody caught is shown: for people, or as the one line of Gene data of the reference."""

from __future__ import annotations

import sys

from gene.compiler.errors import GeneCompileError
from gene.errors import GeneError, GeneSyntaxError, LimitError
from gene.excerpts import excerpt
from gene.runtime.exceptions import GeneException, has_message
from gene.runtime.failures import is_gene_frame, place_of, translate
from gene.runtime.text import escape
from gene.sources import forms_around, is_definition
from gene.trace import Call, calls, innermost

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from gene.data.source import Span

SHOWN_CALLS: Final = 6
"""How many calls are shown at each end of a long chain: what fits on a screen together with the error."""

_DEFINITIONS: Final = "(fn", "(method", "(ctor"
"""How the definition of a function starts."""


def report(error: Exception, error_format: str = "text") -> int:
    """Report an uncaught error, and return the exit status 1.

    Args:
        error: What an interpreter raised, or the OSError that kept it from reading a file.
        error_format: "text" for people, on standard error; "gene" for the reference's report on standard
            output, behind what the program printed.
    """
    if error.__cause__.__class__ is BrokenPipeError:
        raise error.__cause__
    sys.stdout.flush()
    if error_format == "gene":
        sys.stdout.write(f"Error: {gene_text(error)}\n")
    else:
        sys.stderr.write(text(error) + "\n")
    return 1


# ---------------------------------------------------------------------------------------------- for people


def text(error: Exception) -> str:
    """An error in several lines: what and where, the source, the calls, what led to it, and a hint.

    Args:
        error: What an interpreter raised, or the OSError that kept it from reading a file.
    """
    if isinstance(error, GeneException):
        return "\n".join(_exception(error))
    if isinstance(error, LimitError):
        return "\n".join(_stopped(error))
    if isinstance(error, GeneError):
        return "\n".join(_refusal(error))
    return f"Error: {_unreadable(error)}"


def _refusal(error: GeneError) -> Iterator[str]:
    """A text that cannot be read or compiled."""
    yield f"{'syntax' if isinstance(error, GeneSyntaxError) else 'compile'} error: {error.message}"
    if error.span is not None:
        yield from _place(error.span)
    for what, span in getattr(error, "related", ()):
        yield f"{what}:"
        yield from _place(span)
    if error.hint:
        yield f"hint: {error.hint}"


def _stopped(error: LimitError) -> Iterator[str]:
    """A program that has spent what it was given."""
    yield f"error[GENE.LIMIT.{error.limit.upper()}]: {error.message}"
    chain = calls(error)
    if chain:
        yield from _call_place(chain[0])
        yield from _calls(chain)


def _place(span: Span) -> Iterator[str]:
    yield f"  --> {span!r}"
    yield from excerpt(span)


def _exception(error: GeneException) -> Iterator[str]:
    """Something that a program threw or that failed in it."""
    from gene.hints import hint

    chain = _blamed(calls(error))
    message = str(error)
    yield f"error[{code_of(error, message)}]: {_class_prefix(error)}{message}"
    if chain:
        yield from _call_place(chain[0])
        yield from _first_thrown(error)
        yield from _calls(chain)
    yield from _python_place(error)
    yield from _earlier(error)
    found = hint(error, message)
    if found:
        yield f"hint: {found}"


def _blamed(chain: list[Call]) -> list[Call]:
    """The calls without a function that refused its arguments: the mistake is where it is called."""
    span = chain[0].span if len(chain) > 1 and chain[0].kind == "function" else None
    return chain[1:] if span is not None and span.source.text.startswith(_DEFINITIONS, span.start) else chain


def _call_place(call: Call) -> Iterator[str]:
    if call.span is not None:
        yield from _place(call.span)
    else:
        yield f"  --> {call.file}:{call.line}:{call.column}"


def _class_prefix(error: GeneException) -> str:
    """The name of the error's class where a program defined it, and the message does not consist of it."""
    info = type(error).__gene__
    return f"{info.name}: " if has_message(error) and not info.native else ""


def _first_thrown(error: GeneException) -> Iterator[str]:
    """Where an exception was thrown that was caught and thrown again."""
    place = place_of(error)
    if type(error.location) is str and place is not None and error.location != ":".join(map(str, place)):
        yield f"  first thrown at {error.location}"


def _calls(chain: list[Call]) -> Iterator[str]:
    """The chain of calls, the innermost first; the middle of a long one is left out."""
    if len(chain) == 1:
        return
    yield "calls, the innermost first:"
    if len(chain) <= 2 * SHOWN_CALLS + 1:
        yield from map(_call, chain)
        return
    yield from map(_call, chain[:SHOWN_CALLS])
    yield _left_out(chain[SHOWN_CALLS:-SHOWN_CALLS])
    yield from map(_call, chain[-SHOWN_CALLS:])


def _call(call: Call) -> str:
    name = call.name or ("a function" if call.kind == "function" else "the top level")
    return f"  in {name} at {call.file}:{call.line}:{call.column}"


def _left_out(chain: list[Call]) -> str:
    names = dict.fromkeys(call.name or "functions without a name" for call in chain)
    of = f" of {' and '.join(names)}" if len(names) <= 3 else ""
    return f"  … {len(chain):,} more calls{of} …"


def _python_place(error: GeneException) -> Iterator[str]:
    """Where Python code of others raised the error."""
    entry = innermost(error)
    if entry is None or is_gene_frame(entry.tb_frame):
        return
    module = entry.tb_frame.f_globals.get("__name__", "")
    if module.partition(".")[0] != "gene":
        code = entry.tb_frame.f_code
        yield f"raised by Python code: {code.co_name} at {code.co_filename}:{entry.tb_lineno}"


def _earlier(error: GeneException) -> Iterator[str]:
    """The errors that were being handled when this one came up."""
    seen = {id(error)}
    earlier = _previous(error)
    while earlier is not None and id(earlier) not in seen:
        seen.add(id(earlier))
        where = next(iter(calls(earlier)), None)
        yield "while handling an earlier error:"
        yield f"  {earlier}" + (f" at {where.file}:{where.line}:{where.column}" if where else "")
        earlier = _previous(earlier)


def _previous(error: GeneException) -> GeneException | None:
    """The error that was being handled when this one came up."""
    origin: BaseException = error
    if error.__cause__ is not None and translate(error.__cause__) is error:
        origin = error.__cause__  # Python's own exception, of which this one is the translation
    before = origin.__cause__ or (None if origin.__suppress_context__ else origin.__context__)
    if not isinstance(before, Exception):
        return None
    found = before if isinstance(before, GeneException) else translate(before)
    return None if found is error else found


def _unreadable(error: Exception) -> str:
    """A program that cannot be read."""
    if isinstance(error, FileNotFoundError):
        return f"File not found: {error.filename}"
    if isinstance(error, OSError):
        return f"Cannot read {error.filename}: {error.strerror}"
    return f"Cannot read the program: {error}"


# ------------------------------------------------------------------------------ as the reference reports it


def gene_text(error: Exception) -> str:
    """An error in one line, as the reference implementation prints it behind ``Error:``.

    An uncaught exception is a map; what cannot be read or compiled has a plain message.
    """
    if isinstance(error, GeneException):
        message = str(error)
        code = code_of(error, message)
        file, line, column = _form_place(error)
        return (
            f'{{^message {escape(message)} ^code "{code}" ^severity "error" ^stage "runtime"'
            f" ^span {{^file {escape(file)} ^line {line} ^column {column}}}"
            ' ^hints [] ^repair_tags ["runtime"]}'
        )
    if isinstance(error, GeneCompileError) and error.span is not None and _in_function(error.span):
        return f"{error.span!r}: {error.message}"
    return error.message if isinstance(error, GeneError) else _unreadable(error)


def code_of(error: GeneException, message: str) -> str:
    """The code of an error: its own, or one that goes by its message."""
    if isinstance(error.code, str) and error.code.startswith("GENE."):
        return error.code
    for part, code in _CODES:
        if part in message:
            return code
    return "GENE.RUNTIME.ERROR"


_CODES: Final = (
    ("is not defined", "GENE.SCOPE.UNDEFINED_VAR"),
    ("method not found", "GENE.OOP.METHOD_NOT_FOUND"),
    ("no method", "GENE.OOP.METHOD_NOT_FOUND"),
    ("Modulo by zero", "GENE.ARITH.DIV_ZERO"),
)
"""Which code a message means, in the reference's order."""


_AT_NAMES: Final = (" is not defined", " not found in namespace")
"""How messages end whose place is a name; the reference gives that of the form around it."""


def _form_place(error: GeneException) -> tuple[str, int, int]:
    """File, line and column of the form under evaluation; for a name that of the form around it."""
    innermost = next(iter(calls(error)), None)
    if innermost is None:
        return "", 0, 0
    span = innermost.span
    if span is None or not str(error).endswith(_AT_NAMES):
        return innermost.file, innermost.line, innermost.column
    forms = forms_around(span.source, span.start, span.end)
    around = forms[-1][1] if forms else span
    return around.file, around.line, around.column


def _in_function(span: Span) -> bool:
    return any(is_definition(form) for form, _ in forms_around(span.source, span.start, span.end))
