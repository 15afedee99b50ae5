"""The bridge: ``ai/tools`` in Gene programs is the registry of this package.

This is the only package here that imports `gene`. It holds no state of its own: a registry that a Gene
program makes is a `ToolRegistry` like any other, and one that Python made answers to Gene's methods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ai_tools.gene_bindings.errors import CLASSES
from gene.runtime.namespaces import Namespace

if TYPE_CHECKING:
    from gene.interpreter import Interpreter

_HERE = "ai_tools.gene_bindings."
_LOADERS = {
    "registry": _HERE + "methods:make_registry",
    "parse_tool_calls": _HERE + "messages:parse_tool_calls",
    "format_results": _HERE + "messages:format_results",
    "assistant_message": _HERE + "messages:assistant_message",
    "ToolRegistry": _HERE + "kinds:REGISTRY",
    "Tool": _HERE + "kinds:TOOL",
    "ToolCall": _HERE + "kinds:TOOL_CALL",
    "ToolResult": _HERE + "kinds:TOOL_RESULT",
}


def namespace(interpreter: Interpreter) -> Namespace:  # noqa: ARG001 - what plugins are called with
    """Return what a Gene program reaches as ``ai``: the namespace ``ai/tools``. It needs no capability."""
    return Namespace("ai", {"tools": Namespace("ai/tools", CLASSES, loaders=_LOADERS)})
