"""The registry that tool modules register themselves with when they are imported.

Programs that want tools of their own choice make a `ToolRegistry` and never touch this one.
"""

from __future__ import annotations

from ai_tools.registry import ToolRegistry

registry = ToolRegistry()
"""One for the process, empty until a module that registers tools is imported."""
