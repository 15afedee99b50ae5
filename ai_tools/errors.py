"""The typed errors of tools. ``str(error)`` is the text that a model reads.

A base class and one class per way to fail, each also a subclass of the builtin that callers would catch
anyway.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

UNNAMED = "<unnamed>"


class ToolError(Exception):
    """Anything that went wrong with a tool.

    Args:
        message: What was wrong and what would be right, for the model.
        tool: The name of the tool concerned.

    Attributes:
        code: A stable word for programs.
        is_recoverable: Whether the model may try again with a better call.
    """

    code = "tool_error"
    is_recoverable = False

    def __init__(self, message: str, *, tool: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.tool = tool

    @property
    def tool_name(self) -> str:
        """The tool's name, or ``<unnamed>`` where it is empty or blank."""
        return self.tool if isinstance(self.tool, str) and self.tool.strip() else UNNAMED

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        # Subclasses take other arguments than Exception.args; errors cross processes as class and state.
        return _rebuild, (type(self), self.args, self.__dict__)


def _rebuild(kind: type[ToolError], args: tuple[Any, ...], state: dict[str, Any]) -> ToolError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


class InvalidDefinitionError(ToolError, ValueError):
    """A tool cannot be registered as it is; the message names the member or the place in the schema."""

    code = "invalid_definition"

    def __init__(self, message: str, *, tool: str = "", path: str = "") -> None:
        super().__init__(message, tool=tool)
        self.path = path


class AlreadyExistsError(ToolError, ValueError):
    """A second tool takes a name that is in use. `suggestion` is a free name."""

    code = "already_exists"

    def __init__(self, tool: str, suggestion: str) -> None:
        super().__init__(
            f"Tool already exists: {tool!r}. Choose another name, such as {suggestion!r}.", tool=tool
        )
        self.suggestion = suggestion


class NotFoundError(ToolError, LookupError):
    """A call names a tool that is not registered. `suggestion` is the nearest name, if one is near."""

    code = "not_found"
    is_recoverable = True

    def __init__(self, tool: str, suggestion: str | None = None) -> None:
        hint = f" Did you mean {suggestion!r}?" if suggestion else ""
        super().__init__(f"Tool {shorten(tool)} not found.{hint}", tool=tool)
        self.suggestion = suggestion


class NotAvailableError(ToolError, LookupError):
    """A call names a tool that is registered but disabled or not allowed here."""

    code = "not_available"

    def __init__(self, tool: str) -> None:
        super().__init__(f"Tool {shorten(tool)} is not available.", tool=tool)


class InvalidArgumentsError(ToolError, ValueError):
    """The arguments break the tool's schema. The tool was not called.

    Args:
        tool: The tool's name.
        field: Path of the (first) wrong argument, such as ``items[0].name``; "" for the arguments as a whole.
        reason: What is wrong with it and what would be right.
        problems: All ``(field, reason)`` pairs, the first one included.
    """

    code = "invalid_arguments"
    is_recoverable = True

    def __init__(
        self, tool: str, field: str, reason: str, problems: Sequence[tuple[str, str]] | None = None
    ) -> None:
        self.field = field
        self.reason = reason
        self.problems = tuple(problems or ((field, reason),))
        text = "; ".join(f"{where}: {why}" if where else why for where, why in self.problems)
        super().__init__(f"Invalid arguments for tool {shorten(tool)}: {text}", tool=tool)


class ExecutionFailedError(ToolError, RuntimeError):
    """The tool raised. The exception is the ``__cause__`` where it happened in this process."""

    code = "execution_failed"
    is_recoverable = True

    def __init__(self, tool: str, error: str) -> None:
        super().__init__(f"Error executing {tool}: {error}", tool=tool)
        self.error = error


class ToolTimeoutError(ToolError, TimeoutError):
    """The tool ran longer than `threshold` seconds.

    Attributes:
        ended: Whether its work was really ended; False where a blocking call could only be abandoned.
    """

    code = "timeout"
    is_recoverable = True

    def __init__(self, tool: str, threshold: float, *, ended: bool = True) -> None:
        rest = "" if ended else " (it could not be interrupted and still runs in the background)"
        super().__init__(f"Error executing {tool}: timed out after {threshold:g} s{rest}", tool=tool)
        self.threshold = threshold
        self.ended = ended


class PermissionDeniedError(ToolError, PermissionError):
    """The tool refuses to do this, for a reason that another try does not change."""

    code = "permission_denied"

    def __init__(self, tool: str, reason: str = "permission denied") -> None:
        super().__init__(f"Error executing {tool}: {reason}", tool=tool)
        self.reason = reason


class SerializationError(ToolError, TypeError):
    """The tool's result has no JSON form, or is larger than allowed. `path` is the place of the fault."""

    code = "serialization_error"

    def __init__(self, tool: str, reason: str, path: str = "") -> None:
        place = f" at {path}" if path else ""
        super().__init__(f"Error executing {tool}: the result{place} {reason}", tool=tool)
        self.reason = reason
        self.path = path


class CallCancelledError(ToolError):
    """The call was cancelled before the tool had finished."""

    code = "cancelled"

    def __init__(self, tool: str) -> None:
        super().__init__(f"Error executing {tool}: the call was cancelled", tool=tool)


def shorten(name: object, limit: int = 80) -> str:
    """Return a name's repr, cut so that a model's made-up name cannot flood a message."""
    text = repr(name[: limit + 1] if isinstance(name, str) else type(name).__name__)
    return text if len(text) <= limit else text[:limit] + "…"
