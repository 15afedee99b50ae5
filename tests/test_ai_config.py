"""Tools from configuration: what is registered, what is refused, and what the log says."""

from __future__ import annotations

import json
import logging
import sys
import textwrap
from pathlib import Path

import pytest

from ai_tools import config_files
from ai_tools.config import load_into, load_registry
from ai_tools.config_files import ConfigError, MissingExtraError, UnknownFormatError
from ai_tools.file_system import ReadFileTool
from ai_tools.registry import ToolRegistry

DATA = Path(__file__).parent / "data" / "config"
HTTP = "HTTP tools not yet supported (coming in v2)"
MOCK = {"type": "mock", "mock_response": {"answer": 42}}
NAMED = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def definition(name="x", **changes):
    """Return a right definition with some members changed; those changed to ... are left out."""
    made = {
        "name": name,
        "description": "Does something.",
        "type": "function",
        "handler": "x",
        "parameters": {"type": "object", "properties": {}},
        "implementation": MOCK,
        **changes,
    }
    return {key: value for key, value in made.items() if value is not ...}


def find_customer(args):
    return {"id": 1, "name": args["name"]}


class Files:
    """Writes configuration files and loads them."""

    def __init__(self, directory):
        self.directory = directory

    def write(self, content, name="tools.json"):
        path = self.directory / name
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    def load(self, content, name="tools.json", **options):
        """Return the registry, and the errors without the file's directory."""
        registry = ToolRegistry()
        report = load_into(registry, self.write(content, name), **options)
        return registry, [str(error).replace(f"{self.directory}/", "") for error in report.errors]


@pytest.fixture
def files(tmp_path):
    return Files(tmp_path)


# Whole files


@pytest.mark.scenario("C01")
def test_tools_of_every_kind():
    """All tools of a file are registered, enabled, and can be called."""
    registry = load_registry(DATA / "tools.toml", services={"crm.find": find_customer})
    assert registry.names() == ("get_stock_price", "get_current_weather", "find_customer", "word_count")
    assert registry.names(enabled_only=True) == registry.names()
    assert registry.call("get_stock_price", {"symbol": "ACME"}).value["price"] == 12.5
    assert registry.call("get_current_weather", {"location": "Rome"}).value["condition"] == "Sunny"
    assert registry.call("find_customer", {"name": "Ann"}).value == {"id": 1, "name": "Ann"}
    assert registry.call("word_count", {"text": "a b c"}).value == {"words": 3, "title": "<A B C>"}


@pytest.mark.scenario("C01")
@pytest.mark.parametrize("file", ["mocks.json", "mocks.yaml", "mocks.gene"])
def test_same_tools_in_every_format(file):
    """The same definitions in JSON, YAML and Gene make the same tools."""
    registry, expected = load_registry(DATA / file), load_registry(DATA / "mocks.json")
    assert [tool.definition for tool in registry] == [tool.definition for tool in expected]
    assert registry.call("list_files").value == ["a.txt", {"name": "b", "size": 1}, [], True]


@pytest.mark.scenario("C01")
def test_invalid_tools_are_logged_and_skipped(files, caplog):
    """What is wrong is logged as an error with file and place; the others are registered all the same."""
    path = files.write([definition("a"), definition("b", parameters={"type": "array"}), 7, definition("c")])
    with caplog.at_level(logging.INFO):
        registry = load_registry(path)
    assert registry.names() == ("a", "c")
    assert [(record.levelname, record.name, record.getMessage()) for record in caplog.records] == [
        (
            "ERROR",
            "ai_tools.config",
            f'{path}: tools[1] "b": parameters.type must be "object", not \'array\'',
        ),
        ("ERROR", "ai_tools.config", f"{path}: tools[2]: must be an object, not int"),
    ]


@pytest.mark.scenario("C02")
def test_duplicate_in_one_file(files):
    """The second tool of a name is an error, and the first stays."""
    registry, errors = files.load([definition("x", description="First."), definition("y"), definition("x")])
    assert registry.names() == ("x", "y")
    assert registry.get("x").description == "First."
    assert errors == ['tools.json: tools[2] "x": tools[0] "x" has this name already']


@pytest.mark.scenario("C02")
def test_duplicate_of_a_registered_tool(files):
    """A tool that the registry has already stays; the definition is an error."""
    registry = ToolRegistry()
    first = registry.add("x", "First.", None, lambda _args: 1)
    report = load_into(registry, files.write([definition("x"), definition("y")]))
    assert registry.get("x") is first
    assert report.registered == ("y",)
    assert "Tool already exists: 'x'" in report.errors[0].reason


def test_invalid_first_leaves_the_name(files):
    """A definition that is refused does not take its name away from a right one."""
    registry, errors = files.load([definition("x", type="tool"), definition("x", description="Right.")])
    assert registry.get("x").description == "Right."
    assert len(errors) == 1


@pytest.mark.scenario("C04")
@pytest.mark.scenario("C05")
@pytest.mark.scenario("C06")
def test_lookup_and_listing(files):
    """Configured tools are found by name, None stands for an unknown one, and all are listed in order."""
    registry, _ = files.load({"tools": [definition(name) for name in "cab"]})
    assert registry.get("a").definition.name == "a"
    assert registry.get("nope") is None
    assert [tool.name for tool in registry.definitions()] == ["c", "a", "b"]


@pytest.mark.scenario("C10")
def test_allowed_tools(files):
    """A filter keeps the named tools in the order of the file; names that are not there are ignored."""
    registry, _ = files.load([definition(name) for name in "cabd"])
    schemas = registry.get_enabled_schemas(allowed_tools=["b", "c", "nope"])
    assert [schema["function"]["name"] for schema in schemas] == ["c", "b"]
    assert registry.get_enabled_schemas(allowed_tools=[]) == []


# Definitions


@pytest.mark.scenario("C12")
@pytest.mark.parametrize("member", ["name", "description", "type", "handler", "parameters", "implementation"])
@pytest.mark.parametrize("value", [..., None])
def test_missing_member(files, member, value):
    """A definition without one of the six members, or with null for it, is refused by its name."""
    registry, errors = files.load([definition(**{member: value})])
    assert len(registry) == 0
    assert errors[0].endswith(f": lacks {member}")


@pytest.mark.scenario("C12")
def test_all_missing_members_are_named(files):
    """One error names all that is missing."""
    _, errors = files.load([{"name": "x", "implementation": MOCK}])
    assert errors == ['tools.json: tools[0] "x": lacks description, type, handler, parameters']


@pytest.mark.scenario("C03")
@pytest.mark.scenario("C12")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": 7}, "tools[0]: name must be a string, not 7"),
        ({"name": "  "}, "name must not be blank"),
        ({"name": "x" * 600}, "name must have at most 512 printable characters"),
        ({"description": ""}, "description must not be blank"),
        ({"description": ["a"]}, "description must be a string, not ['a']"),
        ({"type": "tool"}, 'type must be "function", not "tool"'),
        ({"handler": {}}, "handler must be a string, not {}"),
        ({"handler": ""}, "handler must not be blank"),
        ({"parameters": []}, "parameters must be a JSON Schema object, not []"),
        ({"parameters": {}}, 'parameters.type must be "object", not None'),
        ({"parameters": {"type": "string"}}, "parameters.type must be \"object\", not 'string'"),
        (
            {"parameters": {"type": "object", "properties": {"a": {"type": "text"}}}},
            "parameters.properties.a.type",
        ),
        ({"parameters": {"type": "object", "required": "a"}}, "parameters.required"),
        ({"parameters": {"type": "object", "$ref": "http://127.0.0.1/x"}}, "references are never fetched"),
        ({"implementation": "mock"}, "implementation must be an object with a \"type\", not 'mock'"),
        (
            {"implementation": {}},
            'implementation.type must be one of "mock", "builtin", "internal", "gene", not None',
        ),
        ({"implementation": {"type": "python"}}, "not 'python'"),
        ({"implementation": {"type": ["mock"]}}, "not ['mock']"),
        ({"strict": 1}, "strict must be true or false, not 1"),
        ({"tags": ["a", 1]}, "tags must be strings"),
        ({"timeout": 0}, "timeout must be a number of seconds above 0, not 0"),
        ({"timeout": True}, "timeout must be"),
        ({"max_result": 1.5}, "max_result must be"),
    ],
)
def test_wrong_member(files, change, message):
    """A member of the wrong kind is refused with what would be right; the rest of the file is used."""
    registry, errors = files.load([definition(**change), definition("good")])
    assert registry.names() == ("good",)
    assert len(errors) == 1
    assert message in errors[0]


def test_options(files):
    """The options of a registration can stand in a definition."""
    options = {
        "strict": True,
        "tags": ["a"],
        "annotations": {"readOnlyHint": True},
        "returns": {"type": "object"},
        "timeout": 2.5,
        "max_result": 10,
        "sequential": True,
    }
    registry, errors = files.load([definition(**options)])
    tool = registry.get("x")
    assert errors == []
    assert (tool.timeout, tool.max_result, tool.sequential) == (2.5, 10, True)
    assert (tool.definition.strict, tool.definition.tags) == (True, ("a",))
    assert tool.definition.annotations == {"readOnlyHint": True}
    assert tool.definition.returns == {"type": "object"}


def test_misspelt_members_are_warned_of(files, caplog):
    """Members that mean nothing do not stop a tool, but the log names them."""
    wrong = definition(descripton="x", implementation={**MOCK, "delay": 1})
    with caplog.at_level(logging.WARNING):
        registry = load_registry(files.write({"tools": [wrong], "version": 1}))
    assert registry.names() == ("x",)
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 3
    for part, record in zip(
        ("'version'", "'descripton'", "'implementation.delay'"), caplog.records, strict=True
    ):
        assert part in record.getMessage()


# Implementations


@pytest.mark.scenario("C13")
@pytest.mark.parametrize(
    "response", [None, True, 0, -1.5, "", "text", [], [1, [None]], {}, {"a": {"b": [1]}}]
)
def test_mock(files, response):
    """A mock answers with its response, which is any JSON value."""
    registry, errors = files.load([definition(implementation={"type": "mock", "mock_response": response})])
    result = registry.call("x")
    assert errors == []
    assert result.value == response
    assert type(result.value) is type(response)
    assert result.text == (
        response if isinstance(response, str) else json.dumps(response, separators=(",", ":"))
    )


@pytest.mark.scenario("C13")
def test_mock_without_response(files):
    """A mock needs its response."""
    registry, errors = files.load([definition(implementation={"type": "mock"})])
    assert len(registry) == 0
    assert "implementation.mock_response is missing" in errors[0]


def test_mock_answers_are_copies(files):
    """What a caller does to an answer does not change the next one."""
    registry, _ = files.load([definition()])
    registry.call("x").value["answer"] = 0
    assert registry.call("x").value == {"answer": 42}


def test_mock_validates_arguments(files):
    """Mock tools check their arguments like real ones."""
    registry, _ = files.load([definition(parameters=NAMED)])
    assert registry.call("x", {"name": "a"}).value == {"answer": 42}
    assert registry.call("x", {}).is_error


def test_mock_in_a_worker_process(files):
    """An isolated mock can be sent to its worker process."""
    registry, errors = files.load([definition(isolated=True)])
    assert errors == []
    assert registry.call("x").value == {"answer": 42}


@pytest.mark.scenario("C14")
def test_builtin(files, tmp_path):
    """A builtin tool calls the function, or the tool object, that is registered under its handler's name."""
    (tmp_path / "a.txt").write_text("inside")
    builtins = {"shout": lambda args: args["name"].upper(), "read": ReadFileTool(tmp_path)}
    path = {"type": "object", "properties": {"path": {"type": "string"}}}
    registry, errors = files.load(
        [
            definition("shout", parameters=NAMED, implementation={"type": "builtin", "handler": "shout"}),
            definition("read", parameters=path, implementation={"type": "builtin", "handler": "read"}),
        ],
        builtins=builtins,
    )
    assert errors == []
    assert registry.execute("shout", {"name": "ann"}) == "ANN"
    assert registry.execute("read", {"path": "a.txt"}) == "inside"


@pytest.mark.scenario("C15")
def test_internal(files):
    """An internal tool calls the service that the host has registered, an asynchronous one too."""

    async def find(args):
        return {"found": args["name"]}

    tools = [definition(parameters=NAMED, implementation={"type": "internal", "handler": "crm.find"})]
    registry, errors = files.load(tools, services={"crm.find": find})
    assert errors == []
    assert registry.call("x", {"name": "Ann"}).value == {"found": "Ann"}


@pytest.mark.scenario("C14")
@pytest.mark.scenario("C15")
@pytest.mark.parametrize(
    ("kind", "what"), [("builtin", "builtin function"), ("internal", "internal service")]
)
def test_handler_is_checked(files, kind, what):
    """Without a handler, with an unknown one, or with one that is not callable, the tool is refused."""
    wrong = [
        {"type": kind},
        {"type": kind, "handler": ""},
        {"type": kind, "handler": "no"},
        {"type": kind, "handler": "n"},
    ]
    tools = [definition(f"x{i}", implementation=implementation) for i, implementation in enumerate(wrong)]
    registry, errors = files.load(tools, builtins={"n": 7}, services={"n": 7})
    assert len(registry) == 0
    assert f'implementation.handler must be a string for type "{kind}", not None' in errors[0]
    assert f"implementation.handler must be a string for type \"{kind}\", not ''" in errors[1]
    assert f'implementation.handler: no {what} "no" is registered; there are: ' in errors[2]
    assert f'implementation.handler: the {what} "n" is not callable: 7' in errors[3]


def test_services_are_no_builtins(files):
    """A builtin tool cannot reach a service by its name, nor the other way round."""
    crossed = [
        definition("a", implementation={"type": "builtin", "handler": "s"}),
        definition("b", implementation={"type": "internal", "handler": "f"}),
        definition("c", implementation={"type": "internal", "handler": "get_current_weather"}),
    ]
    registry, errors = files.load(crossed, builtins={"f": find_customer}, services={"s": find_customer})
    assert len(registry) == 0
    assert len(errors) == 3


@pytest.mark.scenario("C16")
@pytest.mark.parametrize(
    "tool",
    [
        definition(implementation={"type": "http", "url": "http://127.0.0.1/"}),
        {"name": "x", "implementation": {"type": "http"}},
    ],
)
def test_http(files, tool):
    """HTTP tools are refused with this very error, whatever else is right or wrong with them."""
    registry = ToolRegistry()
    report = load_into(registry, files.write([tool, definition("y")]))
    assert registry.names() == ("y",)
    assert [error.reason for error in report.errors] == [HTTP]
    assert report.errors[0].tool == "x"


# Gene


def gene_tool(handler, file="functions.gene", name="x"):
    return definition(name, implementation={"type": "gene", "file": file, "handler": handler})


def test_gene_errors_reach_the_model(files):
    """A Gene function that throws makes an error result with its message."""
    registry, errors = files.load([gene_tool("broken", str(DATA / "text.gene"), "broken")])
    assert errors == []
    assert registry.execute("broken", {"text": "abc"}) == "Error executing broken: no words in abc"


def test_gene_capabilities(files, tmp_path):
    """Gene programs may do what the host grants, and nothing else."""
    (tmp_path / "secret").write_text("s3cret")
    files.write("(fn read [args] (gene/io/read args/path))", "functions.gene")
    args = {"path": str(tmp_path / "secret")}
    registry, _ = files.load([gene_tool("read")])
    refused = registry.call("x", args)
    assert "needs the capability 'files'" in refused.text
    assert "s3cret" not in refused.text
    registry, _ = files.load([gene_tool("read")], capabilities={"files"})
    assert registry.execute("x", args) == "s3cret"


def test_gene_file_is_run_once(files):
    """Tools of one file share its state, and the file is relative to the configuration."""
    files.write("(var n 0)\n(fn next [args] (n = (n + 1)) n)\n(fn last [args] n)", "functions.gene")
    registry, errors = files.load([gene_tool("next", name="next"), gene_tool("last", name="last")])
    assert errors == []
    registry.call("next")
    registry.call("next")
    assert registry.call("last").value == 2


@pytest.mark.parametrize(
    ("program", "handler", "message"),
    [
        (None, "f", "implementation.file: there is no file"),
        ("(fn f [args] 1", "f", "functions.gene: line 1: "),
        ('(throw "at load")', "f", "at load"),
        ("(fn f [args] 1)\n(var g 7)", "h", "it defines no function 'h'; there are: f"),
        ("(fn f [args] 1)\n(var g 7)", "g", "it defines no function 'g'; there are: f"),
        ("", "f", "there are: none"),
        ("(fn f [args] 1)", "", "implementation.handler must be a string"),
    ],
)
def test_gene_program_is_checked(files, program, handler, message):
    """A program that is missing, does not run, or lacks the function is an error of its tool alone."""
    if program is not None:
        files.write(program, "functions.gene")
    registry, errors = files.load([gene_tool(handler), definition("good")])
    assert registry.names() == ("good",)
    assert len(errors) == 1
    assert message in errors[0]


def test_gene_is_imported_only_for_gene(files):
    """A configuration without Gene does not import the language."""
    import subprocess

    path = files.write([definition()])
    program = f"""
import sys
from ai_tools.config import load_registry
print(load_registry({str(path)!r}).names(), [m for m in sys.modules if m == "gene" or m == "yaml"])
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout == "('x',) []\n"


# Formats


@pytest.mark.scenario("C01")
@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("t.json", "", "cannot be read: Expecting value (line 1, column 1)"),
        (
            "t.json",
            '[{"name" "a"}]',
            "cannot be read: Expecting ':' delimiter (line 1, column 10)",
        ),
        ("t.json", '{"tools": [], "tools": []}', "the key 'tools' comes twice"),
        ("t.json", "[NaN]", "NaN is not a JSON number"),
        ("t.json", "[" * 200_000, "is nested too deeply"),
        ("t.yaml", "[" * 200_000, "is nested too deeply"),
        ("t.gene", "[" * 20_000, "cannot be read: "),
        ("t.toml", "[[tools]\n", "cannot be read: "),
        ("t.toml", "tools = []\ntools = []", "Cannot overwrite a value"),
        ("t.yaml", "tools: [", "(line 1, column 9)"),
        ("t.yaml", "tools: []\ntools: []", "the key 'tools' comes twice (line 1, column 1)"),
        ("t.yaml", "!!python/object/apply:os.system ['echo pwned']", "could not determine a constructor"),
        ("t.yaml", "tools: 2020-99-99", "month must be in 1..12"),
        ("t.gene", "{^tools [", "cannot be read: "),
        ("t.gene", "[] []", "it must hold one datum, an array of tools or a map with ^tools, not 2"),
        ("t.gene", "(tools)", "must hold an array of tools"),
        ("t.json", "{}", 'must hold an array of tools, or an object with such an array as "tools"'),
        ("t.json", '{"tools": {}}', "must hold an array of tools"),
        ("t.yaml", "", "must hold an array of tools"),
        ("t.toml", "", "must hold an array of tools"),
    ],
)
def test_broken_file(files, caplog, name, text, message):
    """A file that cannot be read is logged with the place, and the program starts without its tools."""
    with caplog.at_level(logging.ERROR):
        registry, errors = files.load(text, name)
    assert len(registry) == 0
    assert len(errors) == 1
    assert errors[0].startswith(f"{name}: ")
    assert message in errors[0]
    assert message in caplog.text


def test_not_utf8(tmp_path):
    """A file that is not UTF-8 is an error with the place."""
    path = tmp_path / "t.json"
    path.write_bytes(b'["\xff"]')
    assert "is not UTF-8 text: invalid start byte at byte 2" in str(load_into(ToolRegistry(), path).errors[0])


def test_byte_order_mark(files):
    """A byte order mark, as some editors write it, does not matter."""
    registry, errors = files.load("\ufeff" + json.dumps([definition()]))
    assert registry.names() == ("x",)
    assert errors == []


@pytest.mark.parametrize(
    ("name", "response", "message"),
    [
        (
            "t.toml",
            "2020-01-01",
            "implementation.mock_response is a date, which JSON has not; write it as a string",
        ),
        ("t.toml", "{ a = [1, nan] }", "implementation.mock_response.a[1] is nan, which JSON has not"),
        ("t.yaml", "{a: 2020-01-01}", "implementation.mock_response.a is a date"),
        (
            "t.yaml",
            "{on: 1}",
            "implementation.mock_response has the key True, which is no string; put it in quotes",
        ),
        ("t.yaml", "&a [*a]", "is nested deeper than 200 levels"),
        ("t.gene", "(f 1)", "implementation.mock_response is a Gene"),
    ],
)
def test_values_that_json_has_not(files, name, response, message):
    """Values that other formats have and JSON has not are refused with their place; other tools load."""
    texts = {
        "t.toml": """
            [[tools]]
            name = "x"
            description = "d"
            type = "function"
            handler = "h"
            parameters = {{ type = "object" }}
            [tools.implementation]
            type = "mock"
            mock_response = {}
            """,
        "t.yaml": """
            - name: x
              description: d
              type: function
              handler: h
              parameters: {{type: object}}
              implementation:
                type: mock
                mock_response: {}
            """,
        "t.gene": """
            [{{^name "x" ^description "d" ^type function ^handler "h" ^parameters {{^type object}}
              ^implementation {{^type mock ^mock_response {}}}}}]
            """,
    }
    registry, errors = files.load(texts[name].format(response), name)
    assert len(registry) == 0
    assert message in errors[0]


def test_yaml_references_do_not_explode(files):
    """A few lines of YAML that mean a billion values are refused quickly."""
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 10)]
    lines.append("tools: [{name: x, description: *a9}]")
    registry, errors = files.load("\n".join(lines), "t.yaml")
    assert len(registry) == 0
    assert errors == ['t.yaml: tools[0] "x": has more than 100,000 values']


def test_yaml_anchors(files):
    """References of a usual size work, and merge keys too."""
    text = """
        common: &common {description: d, type: function, handler: h, parameters: {type: object}}
        tools:
          - {<<: *common, name: a, implementation: {type: mock, mock_response: 1}}
          - {<<: *common, name: b, implementation: {type: mock, mock_response: 2}}
        """
    registry, errors = files.load(text, "t.yml")
    assert errors == []
    assert registry.call("b").value == 2


def test_missing_yaml_extra(files, monkeypatch):
    """Without PyYAML the error names the extra to install."""
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'gene-tools\[yaml\]'"):
        load_registry(files.write("tools: []", "t.yaml"))


def test_calls_that_cannot_work(files):
    """A file that is not there, and a suffix that means nothing, are the caller's errors."""
    with pytest.raises(FileNotFoundError):
        load_registry(files.directory / "no.json")
    with pytest.raises(UnknownFormatError, match=r"'\.ini' names no known format; known are \.gene, \.json"):
        load_registry(files.write("", "t.ini"))
    with pytest.raises(ConfigError, match="the suffix '' names no known format"):
        load_registry(files.directory / "no-suffix")


def test_formats_can_be_added(files, monkeypatch):
    """A program can add a format of its own."""
    monkeypatch.setitem(
        config_files.FORMATS, ".lines", lambda text, _file: [definition(n) for n in text.split()]
    )
    registry, errors = files.load("a b", "t.lines")
    assert registry.names() == ("a", "b")
    assert errors == []


def test_many_tools(files):
    """A file of a thousand tools loads, and lookups stay exact."""
    registry, errors = files.load([definition(f"tool_{i}") for i in range(1000)])
    assert errors == []
    assert len(registry) == 1000
    assert registry.get("tool_999").name == "tool_999"
