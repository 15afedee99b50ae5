"""The tool that saves the session context: where, what, and always the current state."""

from __future__ import annotations

import os

import pytest

from ai_tools.errors import ExecutionFailedError, InvalidArgumentsError
from ai_tools.registry import ToolRegistry
from ai_tools.session_context import SaveSessionContextTool


class State:
    """An agent's state with the properties of a ToolContext."""

    system_prompt = "You are helpful."

    def __init__(self, path, context="We talk about Gene."):
        self.session_context = context
        self.session_context_file_path = str(path)


@pytest.mark.scenario("E29")
@pytest.mark.scenario("E14")
@pytest.mark.scenario("E34")
def test_saves_the_context(tmp_path):
    """The session context is written to the configured file, and the message names file and reason."""
    path = tmp_path / "context.md"
    text = SaveSessionContextTool(State(path, "Größe: 1\n")).execute({"reason": "lunch"})
    assert path.read_bytes() == "Größe: 1\n".encode()
    assert text == f"Session context saved to {path}. Reason: lunch"


@pytest.mark.scenario("E15")
def test_state_is_read_at_each_call(tmp_path):
    """A changed context and a changed file are used by the next call."""
    state = State(tmp_path / "one.md", "first")
    registry = ToolRegistry([SaveSessionContextTool(state)])
    registry.execute("save_session_context", {"reason": "x"})
    state.session_context = "second"
    state.session_context_file_path = str(tmp_path / "two.md")
    registry.execute("save_session_context", {"reason": "x"})
    assert (tmp_path / "one.md").read_text() == "first"
    assert (tmp_path / "two.md").read_text() == "second"


def test_creates_directories_and_follows_links(tmp_path):
    """Missing directories are created, and a link at the path is written through, not replaced."""
    SaveSessionContextTool(State(tmp_path / "a" / "b" / "c.md")).execute({"reason": "x"})
    assert (tmp_path / "a/b/c.md").read_text() == "We talk about Gene."
    (tmp_path / "link.md").symlink_to("a/b/c.md")
    SaveSessionContextTool(State(tmp_path / "link.md", "new")).execute({"reason": "x"})
    assert (tmp_path / "a/b/c.md").read_text() == "new"
    assert (tmp_path / "link.md").is_symlink()


def test_relative_path(tmp_path, monkeypatch):
    """A relative path is relative to the current directory."""
    monkeypatch.chdir(tmp_path)
    SaveSessionContextTool(State("context.md")).execute({"reason": "x"})
    assert (tmp_path / "context.md").exists()


def test_no_path():
    """A context without a file is an error that says so."""
    result = ToolRegistry([SaveSessionContextTool(State(""))]).call("save_session_context", {"reason": "x"})
    assert isinstance(result.error, ExecutionFailedError)
    assert "no file is configured for the session context" in result.text


def test_path_that_is_a_directory(tmp_path):
    """A directory at the path is an error, and nothing is left behind."""
    result = ToolRegistry([SaveSessionContextTool(State(tmp_path))]).call(
        "save_session_context", {"reason": "x"}
    )
    assert "is a directory, not a file" in result.text
    assert os.listdir(tmp_path) == []


def test_directory_that_cannot_be_created(tmp_path):
    """A file where a directory would have to be is an error that names the configured path."""
    (tmp_path / "a").write_text("")
    registry = ToolRegistry([SaveSessionContextTool(State(tmp_path / "a" / "b" / "c.md"))])
    result = registry.call("save_session_context", {"reason": "x"})
    assert "c.md': Not a directory" in result.text


def test_reason_is_required(tmp_path):
    """A call without a reason is refused, and nothing is written."""
    result = ToolRegistry([SaveSessionContextTool(State(tmp_path / "x"))]).call("save_session_context", {})
    assert isinstance(result.error, InvalidArgumentsError)
    assert "reason" in result.text
    assert not (tmp_path / "x").exists()
