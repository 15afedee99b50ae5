"""Reading on in results that were too long for the model.

A registry cuts long results. An agent that passes its results through `ResultReader.keep`, and registers the
reader as a tool, lets the model fetch the parts that were left out.
"""

from __future__ import annotations

import threading
from typing import Any

from ai_tools.batch import new_id
from ai_tools.errors import InvalidArgumentsError
from ai_tools.types import ToolResult

CAPACITY = 20_000_000
"""Characters of cut results that are kept; the oldest go first."""

LENGTH = 20_000
"""Characters that one reading returns at most."""


class ResultReader:
    """A tool that returns parts of long results.

    Args:
        capacity: Characters that are kept in all; the latest result is kept whatever its size.
    """

    name = "read_result"
    description = "Read a part of an earlier tool result that was cut because it is long."
    parameters: dict[str, Any] = {  # noqa: RUF012 - a constant; registries copy it
        "type": "object",
        "properties": {
            "result_id": {"type": "string", "description": "The id that the cut result names."},
            "offset": {"type": "integer", "minimum": 0, "description": "First character to read, from 0."},
            "length": {"type": "integer", "minimum": 1, "maximum": LENGTH, "default": LENGTH},
        },
        "required": ["result_id", "offset"],
        "additionalProperties": False,
    }

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._texts: dict[str, str] = {}
        self._lock = threading.Lock()

    def keep(self, result: ToolResult) -> ToolResult:
        """Return a result whose text says how to read on, if it was cut; any other result as it is."""
        if not result.is_truncated:
            return result
        result_id = result.call_id or new_id()
        with self._lock:
            self._texts.pop(result_id, None)
            self._texts[result_id] = result.full_text
            while len(self._texts) > 1 and sum(map(len, self._texts.values())) > self._capacity:
                del self._texts[next(iter(self._texts))]
        size = len(result.full_text)
        hint = f"\n[Read the rest with {self.name}: result_id {result_id!r}, {size} characters.]"
        return ToolResult(
            result.value,
            result.text + hint,
            result.error,
            result.call_id,
            result.name,
            result.duration,
            result.full_text,
        )

    def execute(self, args: dict[str, Any]) -> str:
        """Return the part of a kept result that ``offset`` and ``length`` name.

        Raises:
            InvalidArgumentsError: No result of this id is kept, or it ends before the offset.
        """
        text = self._texts.get(args["result_id"])
        if text is None:
            known = ", ".join(map(repr, self._texts)) or "none"
            raise InvalidArgumentsError(self.name, "result_id", f"is not kept; kept are: {known}")
        offset = int(args["offset"])
        if offset >= len(text):
            raise InvalidArgumentsError(
                self.name, "offset", f"must be below {len(text)}, the result's length"
            )
        return text[offset : offset + int(args.get("length", LENGTH))]
