"""The default registry."""

from __future__ import annotations

import ast
import inspect

import pytest

from ai_tools import factory, registry
from ai_tools.factory import create_default_tool_registry
from ai_tools.file_system import ReadFileTool, WriteFileTool
from ai_tools.registry import ToolRegistry
from ai_tools.session_context import SaveSessionContextTool

NAMES = ("read_file", "write_file", "save_session_context")


class Agent:
    """A minimal agent whose state changes behind properties."""

    def __init__(self, path):
        self._context = "first"
        self._path = path

    @property
    def system_prompt(self):
        return ""

    @property
    def session_context(self):
        return self._context

    @property
    def session_context_file_path(self):
        return str(self._path)

    def clear_context(self):
        self._context = ""


@pytest.mark.scenario("E17")
def test_all_three_tools(tmp_path):
    """The default registry has the three built-in tools, all enabled."""
    made = create_default_tool_registry(Agent(tmp_path / "c"), root=tmp_path)
    assert isinstance(made, ToolRegistry)
    assert made.names() == made.names(enabled_only=True) == NAMES
    kinds = [type(tool.source.__self__) for tool in made]
    assert kinds == [ReadFileTool, WriteFileTool, SaveSessionContextTool]


@pytest.mark.scenario("E18")
def test_schemas(tmp_path):
    """The enabled schemas are those of the three tools."""
    schemas = create_default_tool_registry(Agent(tmp_path / "c"), root=tmp_path).get_enabled_schemas()
    assert [schema["function"]["name"] for schema in schemas] == list(NAMES)


@pytest.mark.scenario("E27")
@pytest.mark.scenario("E28")
@pytest.mark.scenario("E29")
def test_tools_work_together(tmp_path):
    """What one tool of the registry writes, another reads."""
    made = create_default_tool_registry(Agent(tmp_path / "saved.md"), root=tmp_path)
    assert (
        made.execute("write_file", {"path": "notes.txt", "content": "hello"}) == "Wrote 5 bytes to notes.txt"
    )
    assert made.execute("read_file", {"path": "notes.txt"}) == "hello"
    made.execute("save_session_context", {"reason": "done"})
    assert made.execute("read_file", {"path": "saved.md", "encoding": "utf-8"}) == "first"


@pytest.mark.scenario("E15")
def test_live_state(tmp_path):
    """After the agent has cleared its context, the cleared one is saved."""
    agent = Agent(tmp_path / "saved.md")
    made = create_default_tool_registry(agent, root=tmp_path)
    made.execute("save_session_context", {"reason": "x"})
    assert (tmp_path / "saved.md").read_text() == "first"
    agent.clear_context()
    made.execute("save_session_context", {"reason": "x"})
    assert (tmp_path / "saved.md").read_text() == ""


def test_root_is_the_current_directory(tmp_path, monkeypatch):
    """Without a root the file tools keep to the directory that is current when the registry is made."""
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.txt").write_text("a")
    monkeypatch.chdir(tmp_path)
    made = create_default_tool_registry(Agent(tmp_path / "c"))
    monkeypatch.chdir(tmp_path / "sub")
    assert made.execute("read_file", {"path": "a.txt"}) == "a"
    assert "outside" in made.execute("read_file", {"path": "../a.txt"})


def test_registries_are_independent(tmp_path):
    """Each call makes a registry of its own, with the limits it was asked for."""
    one = create_default_tool_registry(Agent(tmp_path / "c"), root=tmp_path, timeout=5)
    two = create_default_tool_registry(Agent(tmp_path / "c"), root=tmp_path)
    one.unregister("read_file")
    assert "read_file" in two
    assert (one.timeout, two.timeout) == (5, 30)


@pytest.mark.scenario("E33")
@pytest.mark.scenario("E31")
@pytest.mark.scenario("E32")
def test_modules():
    """The factory is a module of its own that knows the tools; the registry knows neither."""
    assert factory.create_default_tool_registry.__module__ == "ai_tools.factory"
    assert ReadFileTool.__module__ == WriteFileTool.__module__ == "ai_tools.file_system"
    assert SaveSessionContextTool.__module__ == "ai_tools.session_context"
    tree = ast.parse(inspect.getsource(registry))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    tools = {"ai_tools.factory", "ai_tools.file_system", "ai_tools.session_context", "ai_tools.weather"}
    assert not imported & tools
