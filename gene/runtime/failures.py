"""From Python's exceptions to Gene's: what a ``catch`` sees, what the host is told.

Compiled code leaves some checks to Python: calling what is not callable, an unknown name, too many
arguments, a recursion without end. What Python raises then is put into Gene's words here, once someone
looks at it. Nothing is lost: the Python exception stays as the cause of the Gene one.
"""

from __future__ import annotations

import sys
from itertools import islice

from gene.data.atoms import VOID
from gene.data.kinds import KINDS, Kind, kind_of
from gene.data.names import gene_name
from gene.errors import GeneError, LimitError
from gene.runtime.calls import missing_keyword, not_callable
from gene.runtime.classes import GeneClass
from gene.runtime.exceptions import (
    ArgumentException,
    GeneException,
    IOException,
    RuntimeException,
    TypeException,
)
from gene.runtime.text import display
from gene.runtime.typetests import type_text

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType, TracebackType
    from typing import Any

    from gene.data.source import Source


class UndefinedName(GeneException):
    """A name that nothing defines."""

    gene_name = "Exception"


def exception(value: Any) -> BaseException:
    """What ``(throw value)`` raises: an exception itself, anything else in a new exception."""
    if isinstance(value, GeneException):
        value.__traceback__ = None
        return value
    if isinstance(value, BaseException):
        return value
    if type(value) is str:
        return GeneException(value)
    return GeneException(display(value), cause=value)


def caught(error: Exception) -> GeneException:
    """The Gene exception that a ``catch`` sees for whatever was raised; a limit is for nobody to catch."""
    if isinstance(error, LimitError):
        raise error
    made = error if isinstance(error, GeneException) else translate(error)
    if made.location is VOID:
        made.location = _location(error)
    return made


def explained(error: Exception) -> Exception:
    """What the host is told: errors of the language as they are, anything else as a Gene exception."""
    if isinstance(error, LimitError):
        place = _location(error)
        error.location = None if place is VOID else place
    refused = isinstance(error, GeneError) and not isinstance(error, GeneException)
    return error if refused else caught(error)


_LOCATIONS: dict[tuple[int, int], tuple[CodeType, Any]] = {}
"""The locations of instructions that raised, by the identity of their code, which is kept along."""

_LOCATIONS_KEPT = 1000


def _location(error: BaseException) -> Any:
    """``file:line:column`` of the Gene form that raised an exception; void if no Gene code did."""
    last, each = None, error.__traceback__
    while each is not None:
        if "%gene" in each.tb_frame.f_builtins:
            last = each
        each = each.tb_next
    if last is None:
        return VOID
    code, instruction = last.tb_frame.f_code, last.tb_lasti
    known = _LOCATIONS.get((id(code), instruction))
    if known is not None:
        return known[1]
    place = place_at(last.tb_frame, instruction)
    location = VOID if place is None else "{}:{}:{}".format(*place)
    if len(_LOCATIONS) >= _LOCATIONS_KEPT:
        _LOCATIONS.clear()
    _LOCATIONS[id(code), instruction] = code, location
    return location


def exception_class(pattern: Any) -> GeneClass:
    """What a ``catch`` names, which must be a class of exceptions."""
    if isinstance(pattern, GeneClass) and GeneException in pattern.__mro__:
        return pattern
    named = isinstance(pattern, GeneClass | Kind)
    what = f"and {type_text(pattern)} is none" if named else f"got {kind_of(pattern).tag}"
    raise TypeException(f"catch requires an exception class, {what}")


def current_exception() -> Any:
    """``$ex``: the exception that is being handled, nil when there is none."""
    error = sys.exc_info()[1]
    return caught(error) if isinstance(error, Exception) else None


def translate(error: BaseException) -> GeneException:
    """The Gene exception for one of Python's, the same one each time."""
    known = error.__dict__.get("gene_exception") if hasattr(error, "__dict__") else None
    if known is not None:
        return known  # type: ignore[no-any-return]
    made = _translate(error)
    made.__cause__ = error
    made.__traceback__ = error.__traceback__
    if hasattr(error, "__dict__"):
        error.__dict__["gene_exception"] = made
    return made


def _translate(error: BaseException) -> GeneException:
    if isinstance(error, NameError):
        quoted = str(error).split("'")
        name = gene_name(error.name or quoted[min(1, len(quoted) - 1)])  # local ones are only in the text
        return UndefinedName(f"{name} is not defined")
    if isinstance(error, GeneError):  # of code that the program itself evaluated
        return GeneException(str(error), hint=error.hint)
    if isinstance(error, RecursionError):
        return RuntimeException("Stack overflow: the recursion is too deep", code="GENE.VM.STACK_OVERFLOW")
    if isinstance(error, MemoryError):
        return RuntimeException("Out of memory")
    if isinstance(error, TypeError):
        return _type_error(error)
    if isinstance(error, OSError):
        return IOException(str(error))
    text = str(error)
    if isinstance(error, ValueError) and text == "generator already executing":
        return RuntimeException("A generator cannot ask itself for a value while it makes one")
    return GeneException(f"{type(error).__name__}: {text}" if text else type(error).__name__)


def _type_error(error: TypeError) -> GeneException:
    """A call that Python refused."""
    text = str(error)
    if text.endswith("object is not callable"):
        return not_callable(_tag(text.split("'")[1]), _argument_count(error))
    if "positional argument" in text and " given" in text and " takes " in text:
        expected, _, given = text.partition(" takes ")[2].partition(" but ")
        wanted = [word for word in expected.split() if word.isdigit()]
        got = [word for word in given.split() if word.isdigit()]
        if wanted and got:
            return ArgumentException(f"Expected {wanted[-1]} arguments, got {got[0]}")
    counts = _counts(text)
    if counts is not None:
        return ArgumentException("Expected {} arguments, got {}".format(*counts))
    if "missing" in text and " required " in text:
        return _missing_argument(text)
    if "takes no keyword arguments" in text:
        return ArgumentException("Unexpected keyword argument: there can be none here")
    if "got an unexpected keyword argument" in text or "got multiple values for argument" in text:
        return ArgumentException(f"Unexpected keyword argument: {gene_name(text.split(chr(39))[1])}")
    if "got some positional-only arguments passed as keyword arguments" in text:
        names = text.rpartition(": ")[2].strip("'")
        return ArgumentException(f"Unexpected keyword argument: {names.split(',')[0]}")
    return TypeException(text)


def _missing_argument(text: str) -> GeneException:
    """What a function of the host lacks: the names of its parameters."""
    names = text.partition(": ")[2].split("'")[1::2]
    if "keyword-only" in text:
        return missing_keyword(names[0])
    return ArgumentException(f"Missing argument: {', '.join(names)}")


def _counts(text: str) -> tuple[int, int] | None:
    """How many arguments a function written in C takes and got, if that is what it complains of."""
    before, _, after = text.partition(" argument")
    given = after.replace("(", " ").split()
    if not before or not given or ("given" not in after and ", got " not in after):
        return None
    got = given[-1] if given[-1].isdigit() else given[-2]
    wanted = {"one": "1", "no": "0"}.get(before.split()[-1], before.split()[-1])
    return (int(wanted), int(got)) if wanted.isdigit() and got.isdigit() else None


def _tag(type_name: str) -> str:
    tags = {python_type.__name__: kind.tag for python_type, kind in KINDS.items()}
    if type_name in tags:
        return tags[type_name]
    return {"GeneClass": "VkClass", "Kind": "VkClass"}.get(type_name, "VkInstance")


def _argument_count(error: BaseException) -> int:
    """How many arguments the call passed that failed: its instruction says so."""
    last = None
    for last in _tracebacks(error.__traceback__):  # noqa: B007 - the last one is wanted
        pass
    if last is None:
        return -1
    import opcode

    code = last.tb_frame.f_code.co_code
    name = opcode.opname[code[last.tb_lasti]]
    return code[last.tb_lasti + 1] if name in ("CALL", "PRECALL", "CALL_KW") else -1


def _tracebacks(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def is_gene_frame(frame: FrameType) -> bool:
    """Whether a frame runs compiled Gene code."""
    return "%gene" in frame.f_builtins


def gene_frames(error: BaseException) -> list[tuple[FrameType, int]]:
    """The Gene calls that an exception passed through, the outermost first: frames and instructions."""
    return [
        (each.tb_frame, each.tb_lasti)
        for each in _tracebacks(error.__traceback__)
        if is_gene_frame(each.tb_frame)
    ]


def place_in(code: CodeType, instruction: int) -> tuple[str, int, int, int, int] | None:
    """File, first line, first column, last line and last column of an instruction.

    Lines count from 1; columns from 1, in bytes, as Python keeps them.
    """
    unknown = None, None, None, None
    line, end_line, column, end_column = next(islice(code.co_positions(), instruction // 2, None), unknown)
    if line is None or column is None:
        return None
    return code.co_filename, line, column + 1, end_line or line, (end_column or column) + 1


def place_of(error: BaseException) -> tuple[str, int, int] | None:
    """File, line and column of the Gene form that raised an exception; None if no Gene code did."""
    frames = gene_frames(error)
    return place_at(*frames[-1]) if frames else None


def place_at(frame: FrameType, instruction: int) -> tuple[str, int, int] | None:
    """File, line and column of an instruction, both from 1, the column in characters."""
    place = place_in(frame.f_code, instruction)
    if place is None:
        return None
    file, line, column = place[:3]
    texts = {source.line(line) for source in sources_named(file, frame.f_globals)} if column > 1 else set()
    if len(texts) == 1:  # else no source is known, or texts of one name differ
        before = texts.pop().encode("utf-8", "surrogatepass")[: column - 1]
        column = len(before.decode("utf-8", "ignore")) + 1
    return file, line, column


def sources_named(name: str, namespace: dict[str, Any]) -> list[Source]:
    """The sources of a name that a module was compiled from, the latest first."""
    kept = [value for key, value in namespace.items() if key.startswith("%source")]
    return [source for source in reversed(kept) if source.name == name]
