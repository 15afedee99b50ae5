"""The Gene language: reader, compiler, runtime, and an API to embed them.

Importing the package costs next to nothing: every name below is loaded when it is first used.

    import gene

    interpreter = gene.Interpreter(capabilities={"files"})
    interpreter.define("greet", lambda name: f"Hello, {name}!")
    interpreter.eval('(fn shout [name] ((greet name) .to_upper))')
    interpreter.get("shout")("Ada")        # 'HELLO, ADA!'

``import gene.importer`` lets Python's own ``import`` find ``.gene`` files.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing typing would cost more than the whole package
if TYPE_CHECKING:
    from typing import Any

    from gene.compiler.errors import CompileWarning, GeneCompileError
    from gene.data.atoms import NOT_FOUND, VOID, Char, PathSymbol, Symbol
    from gene.data.forms import Gene
    from gene.errors import GeneError, GeneSyntaxError, LimitError
    from gene.interpreter import Interpreter
    from gene.reader import read_all, read_one
    from gene.runtime.exceptions import GeneException
    from gene.runtime.metering import Limits
    from gene.runtime.namespaces import Namespace
    from gene.runtime.text import display, inspect
    from gene.sources import getsource
    from gene.stdlib.capabilities import ALL as ALL_CAPABILITIES
    from gene.trace import calls

__version__ = "0.1.0"

__all__ = [
    "ALL_CAPABILITIES",
    "NOT_FOUND",
    "VOID",
    "Char",
    "CompileWarning",
    "Gene",
    "GeneCompileError",
    "GeneError",
    "GeneException",
    "GeneSyntaxError",
    "Interpreter",
    "LimitError",
    "Limits",
    "Namespace",
    "PathSymbol",
    "Symbol",
    "calls",
    "display",
    "getsource",
    "inspect",
    "read_all",
    "read_one",
]

_HOMES = {
    "ALL_CAPABILITIES": "gene.stdlib.capabilities:ALL",
    "NOT_FOUND": "gene.data.atoms:NOT_FOUND",
    "VOID": "gene.data.atoms:VOID",
    "Char": "gene.data.atoms:Char",
    "CompileWarning": "gene.compiler.errors:CompileWarning",
    "Gene": "gene.data.forms:Gene",
    "GeneCompileError": "gene.compiler.errors:GeneCompileError",
    "GeneError": "gene.errors:GeneError",
    "GeneException": "gene.runtime.exceptions:GeneException",
    "GeneSyntaxError": "gene.errors:GeneSyntaxError",
    "Interpreter": "gene.interpreter:Interpreter",
    "LimitError": "gene.errors:LimitError",
    "Limits": "gene.runtime.metering:Limits",
    "Namespace": "gene.runtime.namespaces:Namespace",
    "PathSymbol": "gene.data.atoms:PathSymbol",
    "Symbol": "gene.data.atoms:Symbol",
    "calls": "gene.trace:calls",
    "display": "gene.runtime.text:display",
    "getsource": "gene.sources:getsource",
    "inspect": "gene.runtime.text:inspect",
    "read_all": "gene.reader:read_all",
    "read_one": "gene.reader:read_one",
}


def __getattr__(name: str) -> Any:
    """Load a name of the embedding API on first use."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'gene' has no attribute {name!r}")
    module, _, attribute = home.partition(":")
    __import__(module)
    value = globals()[name] = getattr(sys.modules[module], attribute)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
