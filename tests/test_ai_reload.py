"""Reloading of configured tools: in one step, without losing calls, and never for the worse."""

from __future__ import annotations

import json
import logging
import os
import threading
import time

import pytest

from ai_tools.registry import ToolRegistry
from ai_tools.reload import ConfigWatcher


def mock(name, answer, **changes):
    return {
        "name": name,
        "description": f"Answers {answer}.",
        "type": "function",
        "handler": name,
        "parameters": {"type": "object", "properties": {}},
        "implementation": {"type": "mock", "mock_response": answer},
        **changes,
    }


def gene(name, file):
    return mock(name, 0, implementation={"type": "gene", "file": file, "handler": name})


class Config:
    """A configuration file that changes, and the registry it is loaded into."""

    def __init__(self, directory):
        self.directory = directory
        self.path = directory / "tools.json"
        self.registry = ToolRegistry()

    def write(self, *tools):
        self.text(json.dumps(tools))

    def text(self, text, name="tools.json"):
        """Replace a file as editors do, so that its inode changes, however coarse the clock of the disk is."""
        temporary = self.directory / "temporary"
        temporary.write_text(text)
        os.replace(temporary, self.directory / name)

    def watcher(self, **options):
        return ConfigWatcher(self.path, self.registry, **options)


@pytest.fixture
def config(tmp_path):
    return Config(tmp_path)


def test_loads_when_made(config):
    """Making a watcher loads the tools; a look without a change does nothing."""
    config.write(mock("a", 1), mock("b", 2))
    watcher = config.watcher()
    assert watcher.report.registered == ("a", "b")
    assert config.registry.names() == ("a", "b")
    assert watcher.check() is None


def test_changed_added_removed(config):
    """Changed tools are replaced in place, new ones come last, removed ones go, the same ones stay the same."""
    config.write(mock("a", 1), mock("b", 2), mock("c", 3), mock("d", 4))
    watcher = config.watcher()
    same = config.registry.get("c")
    config.write(mock("e", 5), mock("d", 4), mock("c", 3), mock("a", "new"))
    report = watcher.check()
    assert report.registered == ("e", "a")
    assert report.removed == ("b",)
    assert report.errors == ()
    assert config.registry.names() == ("a", "c", "d", "e")
    assert config.registry.get("c") is same
    assert config.registry.execute("a") == "new"
    assert config.registry.get_enabled_schemas()[0]["function"]["description"] == "Answers new."
    assert watcher.check() is None


def test_reload_without_a_change(config):
    """A forced reload of the same file keeps every tool."""
    config.write(mock("a", 1))
    watcher = config.watcher()
    tool = config.registry.get("a")
    assert watcher.reload().registered == ()
    assert config.registry.get("a") is tool


@pytest.mark.parametrize("change", ["changed", "removed"])
def test_running_calls_finish_with_the_old_handler(config, change):
    """A call that runs while its tool is replaced or removed gets its result from the handler it began with."""
    entered, leave = threading.Event(), threading.Event()

    def slow(_args):
        entered.set()
        assert leave.wait(10)
        return "old"

    config.write(mock("a", 0, implementation={"type": "builtin", "handler": "slow"}))
    watcher = config.watcher(builtins={"slow": slow})
    results = []
    thread = threading.Thread(target=lambda: results.append(config.registry.call("a")))
    thread.start()
    assert entered.wait(10)
    config.write(*([mock("a", "new")] if change == "changed" else []))
    watcher.check()
    after = config.registry.execute("a")
    leave.set()
    thread.join()
    assert results[0].value == "old"
    assert after == ("new" if change == "changed" else "Tool 'a' not found.")


def test_one_step(config):
    """Readers see all tools of one version, never a mixture."""
    versions = [[mock(f"t{i}", version) for i in range(20)] for version in ("one", "two")]
    config.write(*versions[0])
    watcher = config.watcher()
    seen, done = set(), threading.Event()

    def look():
        while not done.is_set():
            seen.add(tuple({definition.description for definition in config.registry.definitions()}))

    reader = threading.Thread(target=look)
    reader.start()
    for i in range(100):
        config.write(*versions[(i + 1) % 2])
        assert len(watcher.check().registered) == 20
    done.set()
    reader.join()
    assert seen == {("Answers one.",), ("Answers two.",)}


def test_disabled_tools_stay_disabled(config):
    """A tool that the program has disabled is still disabled after its definition has changed."""
    config.write(mock("a", 1), mock("b", 2))
    watcher = config.watcher()
    config.registry.disable("a")
    config.registry.disable("b")
    config.write(mock("a", 3))
    watcher.check()
    assert not config.registry.is_enabled("a")
    config.write(mock("a", 3), mock("b", 2))
    watcher.check()
    assert config.registry.is_enabled("b")


@pytest.mark.parametrize(
    "text", ["[", "", "{}", '[{"name": "a"', "\ud800".encode("utf-8", "surrogatepass").decode("latin-1")]
)
def test_broken_file_changes_nothing(config, caplog, text):
    """While a file cannot be read its tools stay as they are, with one line in the log, until it is mended."""
    config.write(mock("a", 1), mock("b", 2))
    watcher = config.watcher()
    config.text(text)
    with caplog.at_level(logging.ERROR):
        report = watcher.check()
        assert watcher.check() is None
    assert len(report.errors) == len(caplog.records) == 1
    assert config.registry.names() == ("a", "b")
    assert config.registry.call("a").value == 1
    config.write(mock("b", 3))
    assert watcher.check().removed == ("a",)
    assert config.registry.call("b").value == 3


def test_missing_file_changes_nothing(config, caplog):
    """A file that is gone is logged once; when it is back it is read again."""
    config.write(mock("a", 1))
    watcher = config.watcher()
    config.path.unlink()
    with caplog.at_level(logging.ERROR):
        report = watcher.check()
        assert watcher.check() is None
    assert "cannot be opened: No such file or directory; the tools stay as they are" in str(report.errors[0])
    assert config.registry.call("a").value == 1
    config.write(mock("a", 2))
    watcher.check()
    assert config.registry.call("a").value == 2


def test_missing_file_at_the_start(config):
    """A watcher of a file that is not there cannot be made."""
    with pytest.raises(FileNotFoundError):
        config.watcher()


def test_broken_definition_keeps_its_tool(config):
    """A definition that is no longer right keeps the old tool; the rest of the file becomes effective."""
    config.write(mock("a", 1), mock("b", 2))
    watcher = config.watcher()
    config.write(mock("a", 3, type="tool"), mock("b", 4))
    report = watcher.check()
    assert [error.tool for error in report.errors] == ["a"]
    assert config.registry.call("a").value == 1
    assert config.registry.call("b").value == 4
    config.write(mock("a", 5), mock("b", 4))
    assert watcher.check().registered == ("a",)
    assert config.registry.call("a").value == 5


def test_tools_of_the_program_are_left_alone(config):
    """Tools that the program registered, replaced or removed are neither overwritten, removed nor brought back."""
    config.registry.add("mine", "Mine.", None, lambda _args: "mine")
    config.write(mock("mine", 1), mock("replaced", 2), mock("removed", 3))
    watcher = config.watcher()
    assert [error.tool for error in watcher.report.errors] == ["mine"]
    config.registry.unregister("replaced")
    config.registry.add("replaced", "Mine.", None, lambda _args: "mine")
    config.registry.unregister("removed")
    config.write(mock("replaced", "changed"), mock("removed", 3))
    assert [error.tool for error in watcher.check().errors] == ["replaced"]
    assert config.registry.names() == ("mine", "replaced")
    config.write()
    watcher.check()
    assert config.registry.execute("mine") == config.registry.execute("replaced") == "mine"


def test_gene_program(config):
    """A changed Gene program is run again, one that has not changed keeps its state."""
    config.text("(var n 0)\n(fn count [args] (n = (n + 1)) n)", "count.gene")
    config.text("(fn answer [args] 1)", "answer.gene")
    config.write(gene("count", "count.gene"), gene("answer", "answer.gene"))
    watcher = config.watcher()
    assert config.registry.call("count").value == 1
    config.text('(fn answer [args] "a")', "answer.gene")
    assert watcher.check().registered == ("answer",)
    assert config.registry.call("answer").value == "a"
    assert config.registry.call("count").value == 2
    assert watcher.check() is None


def test_imported_gene_program(config):
    """A change of a file that a Gene program imports counts as a change of the program."""
    config.text("(fn helper [] 1)", "helper.gene")
    config.text('(import helper from "helper")\n(fn f [args] (helper))', "f.gene")
    config.write(gene("f", "f.gene"))
    watcher = config.watcher()
    assert config.registry.call("f").value == 1
    config.text("(fn helper [] 1000)", "helper.gene")
    assert watcher.check().registered == ("f",)
    assert config.registry.call("f").value == 1000


def test_broken_gene_program(config):
    """A program that no longer runs leaves its tool as it was, and is looked at again when it changes."""
    config.text("(fn f [args] 1)", "f.gene")
    config.write(gene("f", "f.gene"))
    watcher = config.watcher()
    config.text("(fn f [args] ", "f.gene")
    assert len(watcher.check().errors) == 1
    assert watcher.check() is None
    assert config.registry.call("f").value == 1
    config.text("(fn f [args] 22222)", "f.gene")
    assert watcher.check().registered == ("f",)
    assert config.registry.call("f").value == 22222


def test_thread(config):
    """A started watcher sees changes by itself, survives a broken file, and ends when it is stopped."""
    config.write(mock("a", 1))
    with config.watcher(interval=0.01) as watcher:
        config.text("[")
        wait_until(lambda: watcher.report.errors)
        config.write(mock("a", 2))
        wait_until(lambda: config.registry.call("a").value == 2)
    assert "ai_tools.reload" not in {thread.name for thread in threading.enumerate()}
    config.write(mock("a", 3))
    time.sleep(0.05)
    assert config.registry.call("a").value == 2
    watcher.start()
    wait_until(lambda: config.registry.call("a").value == 3)
    watcher.stop()
    watcher.stop()


def wait_until(condition, seconds=10.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_looks_are_cheap(config):
    """A look at an unchanged file costs less than a millisecond."""
    config.write(mock("a", 1))
    watcher = config.watcher()
    started = time.perf_counter()
    for _ in range(100):
        watcher.check()
    assert time.perf_counter() - started < 0.1
