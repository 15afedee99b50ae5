"""What a tool class has to offer to be registered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from ai_tools.types import ChatTool


@runtime_checkable
class ExecutableTool(Protocol):
    """A tool: its schema and its work in one object, safe to share between threads.

    `execute` may be an ordinary or a coroutine function. A class may offer ``get_schema() -> ChatTool`` in
    place of `description` and `parameters`; the function name in that schema must equal `name`. Either form
    is registered with ``registry.register(tool)``, and a missing member is named in the error.
    """

    @property
    def name(self) -> str:
        """The tool's unique name."""

    @property
    def description(self) -> str:
        """What the tool does, for the model."""

    @property
    def parameters(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""

    def execute(self, args: dict[str, Any]) -> Any:
        """Do the work with validated arguments; return any value that has a JSON form."""


class SchemaTool(Protocol):
    """The other form of a tool class: it brings its own schema."""

    @property
    def name(self) -> str:
        """The tool's unique name."""

    def get_schema(self) -> ChatTool:
        """Return the tool in the OpenAI function format."""

    def execute(self, args: dict[str, Any]) -> Any:
        """Do the work with validated arguments."""
