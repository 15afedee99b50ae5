"""Reading on in results that were cut."""

from __future__ import annotations

from ai_tools.excerpts import ResultReader
from ai_tools.registry import ToolRegistry
from ai_tools.types import ToolCall


def registry_with_reader(capacity=1_000_000):
    reader = ResultReader(capacity)
    registry = ToolRegistry([reader], max_result=100)
    registry.add("long", "d", {"type": "object"}, lambda args: args["letter"] * 1_000 + "end")
    return registry, reader


def read(registry, result_id, offset, **more):
    return registry.call("read_result", {"result_id": result_id, "offset": offset, **more})


def test_model_reads_on():
    """A cut result names its id, by which the model reads any part of it."""  # complaint 17
    registry, reader = registry_with_reader()
    result = reader.keep(registry.call(ToolCall("call_7", "long", {"letter": "x"})))
    assert "result_id 'call_7', 1003 characters" in result.text
    assert len(result.text) < 300
    assert result.is_truncated
    assert read(registry, "call_7", 998).text == "xxend"
    assert read(registry, "call_7", 0, length=3).text == "xxx"


def test_short_results_pass():
    """A result that was not cut stays the very same."""
    registry, reader = registry_with_reader()
    result = registry.call("read_result", {"result_id": "a", "offset": 0})
    assert reader.keep(result) is result


def test_wrong_readings():
    """An unknown id and an offset behind the end are refused with what would be right."""
    registry, reader = registry_with_reader()
    reader.keep(registry.call(ToolCall("a", "long", {"letter": "x"})))
    assert "result_id: is not kept; kept are: 'a'" in read(registry, "b", 0).text
    assert "offset: must be below 1003" in read(registry, "a", 5_000).text


def test_oldest_results_go_first():
    """What is kept is bounded; the latest result always stays."""
    registry, reader = registry_with_reader(capacity=2_500)
    for name in ("a", "b", "c"):
        reader.keep(registry.call(ToolCall(name, "long", {"letter": name})))
    assert read(registry, "a", 0).is_error
    assert read(registry, "b", 0, length=1).text == "b"
    assert read(registry, "c", 0, length=1).text == "c"
    registry, reader = registry_with_reader(capacity=10)
    reader.keep(registry.call(ToolCall("a", "long", {"letter": "x"})))
    assert read(registry, "a", 1_000).text == "end"
