"""The built-in tool that saves what a session is about."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from ai_tools.confined import explained, replace
from ai_tools.file_system import encode

if TYPE_CHECKING:
    from ai_tools.types import ToolContext


class SaveSessionContextTool:
    """Writes the session context to the file that the context names.

    Both are read at each call, so the tool always works on the agent's current state. The file is the host's
    choice; a model cannot name another one.

    Args:
        context: The agent's state.
    """

    name = "save_session_context"
    description = "Save the context of this session to its file, so that a later session can take it up."
    sequential = True  # calls of one turn mean the order in which they stand
    parameters = {  # noqa: RUF012 - never changed
        "type": "object",
        "properties": {"reason": {"type": "string", "description": "Why the context is saved now."}},
        "required": ["reason"],
        "additionalProperties": False,
    }

    def __init__(self, context: ToolContext) -> None:
        self.context = context

    def execute(self, args: dict[str, Any]) -> str:
        """Write the session context in one step, creating the directories of its file, and say so.

        Raises:
            ValueError: The context names no file.
            OSError: The file cannot be written; what it held is still there.
        """
        path = os.fspath(self.context.session_context_file_path or "")
        if not path:
            raise ValueError("no file is configured for the session context")
        write(path, encode(self.context.session_context))
        return f"Session context saved to {path}. Reason: {args['reason']}"


def write(path: str, data: bytes) -> None:
    """Write a file in one step, creating its directories. A link is followed, as for any file of the host.

    Raises:
        OSError: It cannot be written; what it held is still there.
    """
    directory, name = os.path.split(os.path.realpath(path))
    try:
        os.makedirs(directory, exist_ok=True)
        opened = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise explained(error, path) from None
    try:
        replace(opened, name, data, path)
    finally:
        os.close(opened)
