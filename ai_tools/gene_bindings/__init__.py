"""The bridge: ``ai`` in Gene programs is this package, ``ai/tools`` its registry, ``ai/agent`` its agents.

This is the only package here that imports `gene`. It holds no state of its own: a registry that a Gene
program makes is a `ToolRegistry` like any other, and one that Python made answers to Gene's methods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.gene_bindings.errors import CLASSES
from gene.data.atoms import VOID
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


_HOSTED = {"agent", "conversation", "providers", "stream_chat", "streaming"}
"""What needs the modules for conversations and agents, which programs with tools alone do not load."""


class _Ai(Namespace):
    """``ai``: ``ai/tools`` at once, the rest when a program first mentions it."""

    __slots__ = ("_granted",)

    def __init__(self, granted: frozenset[str]) -> None:
        super().__init__("ai", {"tools": Namespace("ai/tools", CLASSES, loaders=_LOADERS)})
        self._granted = granted

    def get(self, name: str, default: Any = VOID) -> Any:
        if name in _HOSTED and name not in self.members:
            from ai_tools.gene_bindings.chat import members

            self.members.update(
                {key: value for key, value in members(self._granted).items() if key not in self.members}
            )
        return super().get(name, default)

    def names(self) -> list[str]:
        return sorted({*super().names(), *_HOSTED})


def namespace(interpreter: Interpreter) -> Namespace:
    """Return what a Gene program reaches as ``ai``.

    Tools, conversations and agents need no capability. Providers that reach the network need "network"; what
    reads or writes files needs "files".
    """
    return _Ai(interpreter._capabilities)  # noqa: SLF001 - the interpreter does not say it otherwise
