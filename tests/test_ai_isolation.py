"""Isolated tools: their own process, killed when late, replaced when it dies."""

from __future__ import annotations

import asyncio
import os
import time

import ai_support
import pytest

from ai_tools.errors import ExecutionFailedError, InvalidDefinitionError, ToolTimeoutError
from ai_tools.registry import ToolRegistry


@pytest.fixture(scope="module")
def registry():
    """Isolated tools whose functions another process can import."""
    names = ("process_id", "block_for_ever", "kill_own_process", "raise_value_error")
    return ai_support.registry_of(*(getattr(ai_support, name) for name in names), isolated=True)


def test_runs_in_another_process(registry):
    """An isolated tool runs in another process, which later calls use again."""
    first = registry.call("process_id", timeout=20)
    assert first.value != os.getpid()
    assert first.text == str(first.value)
    assert registry.call("process_id", timeout=20).value == first.value


@pytest.mark.parametrize("path", ["call", "acall"])
def test_late_process_is_killed(registry, path):
    """C code that nothing interrupts is ended with its process, in time."""
    pid = registry.call("process_id", timeout=20).value
    start = time.monotonic()
    if path == "call":
        result = registry.call("block_for_ever", timeout=0.5)
    else:
        result = asyncio.run(registry.acall("block_for_ever", timeout=0.5))
    assert time.monotonic() - start < 3
    assert isinstance(result.error, ToolTimeoutError)
    assert result.error.ended
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert registry.call("process_id", timeout=20).value != pid


def test_crash_is_an_error(registry):
    """A tool that takes its process down is an error result, and the next call works."""
    result = registry.call("kill_own_process", timeout=20)
    assert isinstance(result.error, ExecutionFailedError)
    assert "its process died (exit code 7)" in result.text
    assert not registry.call("process_id", timeout=20).is_error


def test_exception_crosses_the_border(registry):
    """An exception in the other process reads like any tool's."""
    assert (
        registry.call("raise_value_error", timeout=20).text == "Error executing raise_value_error: bad value"
    )


@pytest.mark.parametrize("handler", [lambda args: 1, ai_support.Echo])
def test_function_that_cannot_be_imported(handler):
    """A function that another process cannot import is refused at registration, with what would be right."""
    handler = handler if handler.__name__ == "<lambda>" else (lambda args: 2)
    with pytest.raises(InvalidDefinitionError, match="top level of a module"):
        ToolRegistry().add("f", "d", None, handler, isolated=True)


def test_asynchronous_function_is_refused():
    """An isolated tool is an ordinary function."""

    async def f(args):
        return 1

    with pytest.raises(InvalidDefinitionError, match="ordinary function"):
        ToolRegistry().add("f", "d", None, f, isolated=True)
