"""The registry: what is there, in what order, for whom."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading

import pytest
from ai_support import LOCATION, Echo, Greeter, registry_of, weather

from ai_tools.errors import AlreadyExistsError, InvalidDefinitionError, NotFoundError
from ai_tools.registry import ToolRegistry
from ai_tools.types import ToolDefinition


@pytest.mark.scenario("T01")
@pytest.mark.parametrize("member", ["name", "description", "parameters", "execute"])
def test_missing_member(member):
    """A class that lacks one of the four members cannot be registered, and the error names it."""
    members = {
        "name": "x",
        "description": "d",
        "parameters": {"type": "object"},
        "execute": lambda self, a: a,
    }
    del members[member]
    registry = ToolRegistry()
    with pytest.raises(InvalidDefinitionError, match=f"'{member}'"):
        registry.register(type("Broken", (), members)())
    assert len(registry) == 0


def test_class_in_place_of_instance():
    """A class handed in instead of an instance is refused with a hint."""
    with pytest.raises(InvalidDefinitionError, match="instance"):
        ToolRegistry().register(Greeter)


@pytest.mark.scenario("T03")
@pytest.mark.scenario("E04")
@pytest.mark.scenario("E05")
@pytest.mark.scenario("E35")
def test_register_get_contains_unregister():
    """A registered tool is enabled, can be looked up, is contained, and is gone after it was removed."""
    registry = ToolRegistry()
    registry.register(Echo())
    assert registry.get("echo").description == "Returns its arguments."
    assert registry.contains("echo")
    assert "echo" in registry
    assert registry.is_enabled("echo")
    registry.unregister("echo")
    assert registry.get("echo") is None
    assert not registry.contains("echo")


@pytest.mark.scenario("E06")
def test_unregister_unknown():
    """Removing a tool that is not there does nothing."""
    registry = registry_of(weather)
    registry.unregister("nope")
    assert registry.names() == ("weather",)


@pytest.mark.scenario("T04")
@pytest.mark.scenario("B03")
@pytest.mark.scenario("C02")
def test_duplicate():
    """A taken name is refused with a free one suggested, and the first tool stays."""
    registry = ToolRegistry()
    first = registry.add("weather", "First.", None, weather)
    registry.add("weather_v2", "Second.", None, weather)
    with pytest.raises(AlreadyExistsError, match="Tool already exists: 'weather'") as caught:
        registry.add("weather", "Third.", None, weather)
    assert caught.value.suggestion == "weather_alt"
    registry.add(caught.value.suggestion, "Third.", None, weather)
    with pytest.raises(AlreadyExistsError) as caught:
        registry.add("weather", "Fourth.", None, weather)
    registry.add(caught.value.suggestion, "Fourth.", None, weather)
    assert registry.get("weather") is first


@pytest.mark.scenario("T05")
@pytest.mark.scenario("B02")
@pytest.mark.scenario("C06")
def test_listing():
    """Every tool is listed with name, description and schema, in the order of registration."""
    registry = ToolRegistry()
    registry.register(Greeter())
    registry.register(Echo())
    registry.add("weather", "Weather.", LOCATION, weather)
    registry.disable("echo")
    listed = registry.list()
    assert [d.name for d in listed] == ["greet", "echo", "weather"]
    assert [d.description for d in listed] == ["Greets.", "Returns its arguments.", "Weather."]
    assert all(d.parameters["type"] == "object" for d in listed)
    assert [tool.name for tool in registry] == ["greet", "echo", "weather"]
    assert [d.name for d in registry.definitions()] == ["greet", "weather"]


@pytest.mark.scenario("C04")
@pytest.mark.scenario("B01")
def test_lookup_by_name():
    """A tool made of name, description, parameters and function is stored and found by its name."""
    registry = ToolRegistry()
    registry.add("get_weather", "Weather.", LOCATION, weather)
    tool = registry.get("get_weather")
    assert isinstance(tool.definition, ToolDefinition)
    assert tool.parameters["required"] == ["location"]
    assert registry.call("get_weather", {"location": "Paris"}).value["condition"] == "sunny"


@pytest.mark.scenario("C05")
def test_lookup_of_unknown():
    """Looking up a name that is not registered gives None and raises nothing."""
    assert ToolRegistry().get("nope") is None


@pytest.mark.scenario("E07")
@pytest.mark.scenario("E08")
@pytest.mark.scenario("E09")
def test_enable_disable():
    """A disabled tool stays registered but is not exported, until it is enabled again, in its old place."""
    registry = ToolRegistry([Greeter(), Echo()])
    registry.disable("greet")
    assert [s["function"]["name"] for s in registry.get_enabled_schemas()] == ["echo"]
    assert registry.contains("greet")
    registry.enable("greet")
    assert [s["function"]["name"] for s in registry.get_enabled_schemas()] == ["greet", "echo"]


@pytest.mark.parametrize("switch", ["enable", "disable"])
def test_switch_unknown(switch):
    """Switching a name that does not exist is an error that names the nearest one."""
    with pytest.raises(NotFoundError, match="Did you mean 'weather'"):
        getattr(registry_of(weather), switch)("wether")


@pytest.mark.scenario("E01")
@pytest.mark.scenario("T07")
def test_function_format():
    """An export is the OpenAI function format, not strict unless asked for."""
    registry = ToolRegistry()
    registry.add("weather", "Weather.", LOCATION, weather)
    registry.add("strict", "Strict.", None, weather, strict=True)
    plain, strict = registry.get_enabled_schemas()
    assert plain == {
        "type": "function",
        "function": {
            "name": "weather",
            "description": "Weather.",
            "parameters": {
                "type": "object",
                "properties": {
                    "location": {"type": "string", "description": "City and state"},
                    "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
                },
                "required": ["location"],
            },
            "strict": False,
        },
    }
    assert strict["function"]["strict"] is True
    assert registry.get("weather").get_schema() == plain


@pytest.mark.scenario("E02")
def test_tool_executes():
    """A tool object does its work on arguments."""
    assert Greeter().execute({"who": "Ann"}) == "Hello, Ann!"
    assert ToolRegistry().register(Greeter()).execute({"who": "Ann"}) == "Hello, Ann!"


@pytest.mark.scenario("E03")
def test_schema_name_must_match():
    """A tool whose schema has another name than the tool is refused."""
    greeter = Greeter()
    greeter.name = "salute"
    with pytest.raises(InvalidDefinitionError, match="'greet'; the names must be equal"):
        ToolRegistry().register(greeter)
    assert Greeter().get_schema()["function"]["name"] == Greeter.name


@pytest.mark.scenario("T08")
def test_cached_definitions():
    """Exports are built once, and anew after register, unregister, enable and disable."""
    registry = registry_of(weather)
    built = []

    def build(definitions):
        built.append([d.name for d in definitions])
        return built[-1]

    def export():
        return registry.cached("mine", build)

    assert export() is export()
    for change in (
        lambda: registry.register(Echo()),
        lambda: registry.disable("echo"),
        lambda: registry.enable("echo"),
        lambda: registry.unregister("echo"),
    ):
        change()
        assert export() is export()
    assert built == [["weather"], ["weather", "echo"], ["weather"], ["weather", "echo"], ["weather"]]


def test_export_is_the_callers_list():
    """Changing a returned list does not change what the next caller gets."""
    registry = registry_of(weather)
    registry.get_enabled_schemas().clear()
    assert len(registry.get_enabled_schemas()) == 1


@pytest.mark.scenario("C10")
def test_allowed_tools():
    """Only allowed tools are returned, in their original order; unknown names do not matter."""
    registry = ToolRegistry()
    for name in ("a", "b", "c", "d"):
        registry.add(name, name, None, weather)
    assert [d.name for d in registry.definitions(["d", "b", "zz"])] == ["b", "d"]
    assert [s["function"]["name"] for s in registry.get_enabled_schemas(["d", "b"])] == ["b", "d"]
    assert registry.filter(["c", "a"]).names() == ("a", "c")
    assert registry.filter(lambda tool: tool.name > "b").names() == ("c", "d")


def test_filter_is_independent():
    """A filtered registry keeps what is disabled, and later changes stay apart."""
    registry = registry_of(weather)
    registry.disable("weather")
    part = registry.filter(["weather"])
    registry.unregister("weather")
    assert part.contains("weather")
    assert not part.is_enabled("weather")


def test_merge_with_prefix():
    """Two servers' tools of one name live side by side under prefixes."""  # complaint 19
    first, second = registry_of(weather), registry_of(weather)
    second.disable("weather")
    both = ToolRegistry()
    both.merge(first, "a_")
    both.merge(second, "b_")
    assert both.names() == ("a_weather", "b_weather")
    assert both.names(enabled_only=True) == ("a_weather",)
    assert both.get("a_weather").get_schema()["function"]["name"] == "a_weather"


def test_merge_is_all_or_nothing():
    """A merge that meets a taken name changes nothing."""
    mine = registry_of(weather)
    other = ToolRegistry([Echo(), {"name": "weather", "description": "w", "handler": weather}])
    with pytest.raises(AlreadyExistsError):
        mine.merge(other)
    assert mine.names() == ("weather",)


def test_register_all_is_all_or_nothing():
    """One bad tool among several keeps all of them out."""
    registry = ToolRegistry()
    with pytest.raises(InvalidDefinitionError):
        registry.register_all([Echo(), {"name": "x"}])
    assert len(registry) == 0


@pytest.mark.scenario("C03")
@pytest.mark.parametrize(
    ("tool", "message"),
    [
        ({"description": "d", "handler": weather}, "lacks 'name'"),
        ({"name": "x", "handler": weather}, "lacks 'description'"),
        ({"name": "x", "description": "d"}, "lacks 'handler'"),
        ({"name": " ", "description": "d", "handler": weather}, "blank"),
        ({"name": 7, "description": "d", "handler": weather}, "must be a string"),
        ({"name": "x", "description": 7, "handler": weather}, "description must be a string"),
        ({"name": "x", "description": "d", "handler": 7}, "handler must be callable"),
        ({"name": "x", "description": "d", "handler": weather, "color": 1}, "unknown entries: color"),
        ({"name": "x", "description": "d", "handler": weather, "parameters": "s"}, "parameters must be"),
        (
            {"name": "x", "description": "d", "handler": weather, "parameters": {"type": "array"}},
            r"parameters.type: must be \"object\", not 'array'",
        ),
        ({"name": "x", "description": "d", "handler": weather, "timeout": 0}, "timeout must be"),
        ({"name": "x\n", "description": "d", "handler": weather}, "printable"),
    ],
)
def test_definition_is_validated(tool, message):
    """A definition without name, description or a schema of an object is refused, and the error says why."""
    with pytest.raises(InvalidDefinitionError, match=message):
        ToolRegistry().register(tool)


def test_schema_is_copied():
    """What the caller does to a schema after registration changes nothing."""
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    registry = ToolRegistry()
    registry.add("x", "d", schema, weather)
    schema["properties"]["a"]["type"] = "integer"
    assert registry.get("x").parameters["properties"]["a"]["type"] == "string"


@pytest.mark.scenario("T15")
def test_shared_handle():
    """Every owner of the registry sees the same tools at once."""
    registry = ToolRegistry()
    owners = [{"tools": registry}, {"tools": registry}]
    owners[0]["tools"].register(Echo())
    assert owners[1]["tools"].names() == ("echo",)


@pytest.mark.scenario("T14")
def test_thirty_two_threads():
    """Threads that register, list, call and unregister at once lose nothing and see no half-made state."""
    # complaint 21
    registry = registry_of(weather)
    start = threading.Barrier(32)
    faults = []

    def use(number):
        start.wait()
        try:
            for i in range(12):
                name = f"t{number}_{i}"
                registry.add(name, "d", None, lambda args, name=name: name)
                assert registry.call(name, "{}").text == name
                listed = [s["function"]["name"] for s in registry.get_enabled_schemas()]
                assert listed[0] == "weather"
                assert len(listed) == len(set(listed))
                if i % 2:
                    registry.unregister(name)
                else:
                    registry.disable(name)
                    registry.enable(name)
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=use, args=(number,)) for number in range(32)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    expected = {"weather"} | {f"t{n}_{i}" for n in range(32) for i in range(0, 12, 2)}
    assert set(registry.names()) == set(registry.names(enabled_only=True)) == expected


def test_same_name_registered_at_once():
    """Of many threads that take one name, exactly one succeeds."""
    registry = ToolRegistry()
    outcomes = []

    def take():
        try:
            registry.add("one", "d", None, weather)
            outcomes.append("registered")
        except AlreadyExistsError:
            outcomes.append("refused")

    threads = [threading.Thread(target=take) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["refused"] * 15 + ["registered"]


def test_order_is_stable():
    """The order of exports is that of registration, whatever happens in between."""  # complaint 20
    registry = ToolRegistry()
    names = [f"tool{i}" for i in range(50)]
    for name in names:
        registry.add(name, "d", None, weather)
    for name in names[::3]:
        registry.disable(name)
    for name in reversed(names[::3]):
        registry.enable(name)
    assert [s["function"]["name"] for s in registry.get_enabled_schemas()] == names


@pytest.mark.scenario("E30")
@pytest.mark.scenario("E31")
def test_modules_are_separate():
    """Interface, types and registry are modules of their own; the registry loads no tool and nothing heavy."""
    program = (
        "import sys, ai_tools\n"
        "assert not [n for n in vars(ai_tools) if not n.startswith('_')], vars(ai_tools)\n"
        "from ai_tools.interface import ExecutableTool\n"
        "from ai_tools.types import ToolContext\n"
        "before = set(sys.modules)\n"
        "from ai_tools.registry import ToolRegistry\n"
        "print(sorted(m for m in set(sys.modules) - before))\n"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(eval(ran.stdout))
    heavy = {
        "asyncio",
        "inspect",
        "jsonschema",
        "jsonschema_rs",
        "attrs",
        "attr",
        "logging",
        "dataclasses",
        "gene",
    }
    assert not loaded & heavy
    tools = {"ai_tools.file_system", "ai_tools.session_context", "ai_tools.weather", "ai_tools.factory"}
    assert not loaded & tools


def test_decorator():
    """A decorated function is registered and stays an ordinary function."""
    registry = ToolRegistry()

    @registry.tool(timeout=5)
    def double(number: int) -> int:
        """Double a number."""
        return 2 * number

    assert double(4) == 8
    assert registry.call("double", '{"number": 4}').value == 8
    assert registry.get("double").timeout == 5


@pytest.mark.parametrize("call", [None, 7, {"name": "weather"}])
def test_call_takes_name_or_call(call):
    """Anything but a name or a ToolCall is a mistake of the program, and raises."""
    with pytest.raises(TypeError, match="a tool's name or a ToolCall"):
        registry_of(weather).call(call)
    with pytest.raises(TypeError, match="a tool's name or a ToolCall"):
        asyncio.run(registry_of(weather).acall(call))


def test_several_changes_in_one_step():
    """What edits the tools is seen whole or not at all; an error leaves everything as it was."""
    registry = ToolRegistry([Echo(), Greeter()])
    registry.disable("echo")
    state = registry.names()

    def fail(tools):
        tools.clear()
        raise KeyError("no")

    with pytest.raises(KeyError):
        registry.edit(fail)
    assert registry.names() == state
    registry.edit(lambda tools: tools.pop("echo"))
    registry.register(Echo())
    assert registry.is_enabled("echo")  # what is gone is not remembered as disabled
