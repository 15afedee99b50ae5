"""The default registry: the three built-in tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.file_system import ReadFileTool, WriteFileTool
from ai_tools.registry import ToolRegistry
from ai_tools.session_context import SaveSessionContextTool

if TYPE_CHECKING:
    import os

    from ai_tools.types import ToolContext


def create_default_tool_registry(
    context: ToolContext, *, root: str | os.PathLike[str] = ".", **options: Any
) -> ToolRegistry:
    """Return a new registry with ``read_file``, ``write_file`` and ``save_session_context``, all enabled.

    Args:
        context: The agent's state, read whenever the session context is saved.
        root: The directory that the file tools are confined to; by default the current one at this moment.
        **options: `timeout` and `max_result` of `ToolRegistry`.

    Raises:
        NotADirectoryError: The root is none.
    """
    tools = (ReadFileTool(root), WriteFileTool(root), SaveSessionContextTool(context))
    return ToolRegistry(tools, **options)
