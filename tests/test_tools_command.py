"""``gene tools``: processes of their own, real files, pipes and exit statuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from gene_command import environment, gene

from ai_tools.commands.arguments import read_pairs

CONFIG = Path(__file__).parent / "data" / "config"

FUNCTIONS = """
(println "loading")
(fn helper [x] x)
(fn word_count ^intent "Count the words of a text.\\nSecond line." ^params {^text "The text"}
  [text: String min: Int = 1]
  (var words ((text .split " ") .filter (fn [word] ((word .length) >= min))))
  (words .length))
(fn inc [n: Int] (n + 1))
(fn fail [n: Int] (throw "no luck"))
(fn spin [n: Int] (while true (n += 1)))
(fn noisy ^intent "Prints" [] (println "from the tool") "done")
(fn listing ^intent "Lists a directory" [path: String] (File/read path))
"""
REGISTRIES = """
(var first (ai/tools/registry ^timeout 7))
(var second (ai/tools/registry))
(fn f [args] args)
(first .register "a.b" ^description "One" ^parameters [{^name "x" ^type "integer" ^required true}] ^handler f)
(second .register "two" ^description "Two" ^handler f; .register "off" ^description "Off" ^handler f)
(second .disable "off")
"""
PYTHON = '''
"""Tools in Python."""
from helpers import LIMIT
from json import dumps

print("imported")

def add(a: int, b: int = 1) -> int:
    """Add numbers."""
    return min(a + b, LIMIT)

def _hidden(a: int) -> int:
    """Not offered."""

def undocumented(a, b):
    return a

def main() -> None:
    pass
'''


@pytest.fixture
def directory(tmp_path):
    """A directory with one target of each kind."""
    (tmp_path / "functions.gene").write_text(FUNCTIONS, encoding="utf-8")
    (tmp_path / "registries.gene").write_text(REGISTRIES, encoding="utf-8")
    (tmp_path / "adder.py").write_text(PYTHON, encoding="utf-8")
    (tmp_path / "helpers.py").write_text("LIMIT = 100\n", encoding="utf-8")
    return tmp_path


def tools(directory, *arguments, **options):
    """Run ``gene tools`` in the directory."""
    return gene("tools", *arguments, cwd=directory, **options)


def names(done):
    """The names in the output of ``list --json``."""
    return [tool["name"] for tool in json.loads(done.stdout)]


class TestTargets:
    """Where tools are found."""

    def test_the_described_functions_of_a_program(self, directory):
        """Functions with ^intent or declared types are tools; what the program prints is no output."""
        done = tools(directory, "list", "functions.gene", "--json")
        assert names(done) == ["word_count", "inc", "fail", "spin", "noisy", "listing"]
        assert (done.returncode, done.stderr) == (0, "loading\n")

    def test_the_registries_of_a_program(self, directory):
        """All registries that a program defines are looked at, their functions are not."""
        assert names(tools(directory, "list", "registries.gene", "--json")) == ["a.b", "two", "off"]
        assert names(tools(directory, "list", "registries.gene:second", "--json")) == ["two", "off"]
        assert names(tools(directory, "list", "functions.gene:helper", "--json")) == ["helper"]

    def test_exported_functions_only(self, directory):
        """A program with an export form offers what that names; imported functions are not its own."""
        (directory / "exports.gene").write_text(
            "(export one) (fn one [n: Int] n) (fn two [n: Int] n)", encoding="utf-8"
        )
        (directory / "imports.gene").write_text(
            '(import one from "exports") (fn own [n: Int] (one n))', encoding="utf-8"
        )
        assert names(tools(directory, "list", "exports.gene", "--json")) == ["one"]
        assert names(tools(directory, "list", "imports.gene", "--json")) == ["own"]

    @pytest.mark.parametrize("file", ["mocks.json", "mocks.yaml", "mocks.gene"])
    def test_configurations(self, file):
        """Every format of configuration is a target; a ``.gene`` file that holds data is one."""
        assert names(tools(CONFIG, "list", file, "--json"))[:2] == ["ping", "list_files"]

    def test_services_of_a_configuration_can_be_looked_at_but_not_called(self):
        """A tool whose service only the real program has is listed; calling it says why it cannot be."""
        done = tools(CONFIG, "list", "tools.toml", "--json")
        assert names(done) == ["get_stock_price", "get_current_weather", "find_customer", "word_count"]
        assert (
            tools(CONFIG, "call", "tools.toml", "word_count", "text=a b c").stdout
            == '{"words":3,"title":"<A B C>"}\n'
        )
        done = tools(CONFIG, "call", "tools.toml", "find_customer", "name=x")
        assert (done.returncode, done.stdout) == (1, "")
        assert "the service 'crm.find' belongs to the program that loads this configuration" in done.stderr

    @pytest.mark.parametrize("target", ["adder.py", "adder"])
    def test_a_python_module(self, directory, target):
        """A file or a dotted name: its documented functions, not what it imports, hides or leaves bare."""
        done = tools(directory, "list", target, "--json")
        assert (names(done), done.stderr) == (["add"], "imported\n")
        assert tools(directory, "call", target, "add", "a=2", "b=3").stdout == "5\n"

    def test_the_registry_of_a_python_module(self, directory):
        """A module's registry goes before its functions."""
        (directory / "module.py").write_text(
            "from ai_tools.registry import ToolRegistry\n"
            "registry = ToolRegistry()\n"
            "@registry.tool(name='doubled')\n"
            "def double(x: int):\n    'Double it.'\n    return 2 * x\n"
            "def other(x: int):\n    'No tool.'\n",
            encoding="utf-8",
        )
        assert names(tools(directory, "list", "module.py", "--json")) == ["doubled"]
        assert tools(directory, "call", "module", "doubled", "x=4").stdout == "8\n"

    @pytest.mark.parametrize(
        ("target", "message"),
        [
            ("nope.gene", "error: there is no file nope.gene"),
            ("nope.py", "error: there is no file nope.py"),
            ("no_such_module_at_all", "cannot be loaded: ModuleNotFoundError"),
            (".", "error: there is no file ."),
            ("text.md", "text.md is no kind of file that has tools; a target is a .gene program"),
            ("broken.gene", "syntax error:"),
            ("throws.gene", "no tools today"),
            ("throws.py", "cannot be loaded: ZeroDivisionError: division by zero ("),
            ("syntax.py", "cannot be loaded: SyntaxError"),
            ("leaves.py", "ended the program (exit status 3) while it was loaded"),
            ("broken.json", "broken.json: cannot be read"),
            ("empty.gene", "empty.gene has no tools: neither a registry with tools nor functions"),
            ("functions.gene:nope", "functions.gene has no 'nope'; it has: helper, word_count"),
            ("broken.json:x", "is a configuration, which has no name 'x' to choose"),
            ("twice.gene", "'t' is in several registries; choose one: twice.gene:a or twice.gene:b"),
        ],
    )
    def test_a_target_that_cannot_be_looked_at(self, directory, target, message):
        """The message says what is wrong and what would be right; the status is 1 and nothing is printed."""
        for name, text in {
            "text.md": "# no",
            "broken.gene": "(fn f [",
            "throws.gene": '(throw "no tools today")',
            "throws.py": "x = 1\ny = 1 / 0\n",
            "syntax.py": "def f(:\n",
            "leaves.py": "import sys\nsys.exit(3)\n",
            "broken.json": "[{",
            "empty.gene": "(var x 1)",
            "twice.gene": """(fn f [args] 1) (var a (ai/tools/registry)) (var b (ai/tools/registry))
                (a .register "t" ^description "" ^handler f) (b .register "t" ^description "" ^handler f)""",
        }.items():
            (directory / name).write_text(text, encoding="utf-8")
        done = tools(directory, "list", target)
        assert message in done.stderr
        assert (done.returncode, done.stdout) == (1, "")
        assert "Traceback" not in done.stderr

    def test_what_cannot_be_a_tool_is_reported(self, directory):
        """The others are listed; the status is 1, because something is missing."""
        (directory / "part.gene").write_text(
            '(class P) (fn good [n: Int] n) (fn bad ^intent "Bad" [p: P] p)', encoding="utf-8"
        )
        done = tools(directory, "list", "part.gene")
        assert (done.returncode, done.stdout) == (1, "good(n: integer)\n")
        assert "error: part.gene: bad: Invalid tool 'bad': parameter 'p': the type P" in done.stderr

    def test_definitions_that_are_not_right_are_reported(self, directory):
        """A configuration's faults are shown with their place, unknown members as warnings."""
        entry = {
            "name": "ok",
            "description": "d",
            "type": "function",
            "handler": "h",
            "parameters": {"type": "object"},
            "implementation": {"type": "mock", "mock_response": 1},
            "extra": 1,
        }
        (directory / "c.json").write_text(json.dumps([entry, {"name": "bad"}]), encoding="utf-8")
        done = tools(directory, "lint", "c.json", "--format", "openai")
        assert done.returncode == 1
        assert "warning: c.json: tools[0] \"ok\": the member 'extra' means nothing here" in done.stderr
        assert "error: c.json: tools[1]" in done.stderr


class TestCapabilities:
    """A program that is only looked at may do nothing but compute."""

    def test_a_program_that_wants_more_while_it_is_loaded(self, directory):
        """The refusal names the capability and the option that grants it."""
        (directory / "secret.txt").write_text("s3cret", encoding="utf-8")
        (directory / "reads.gene").write_text(
            '(var text (File/read "secret.txt")) (fn get ^intent "Get" [] text)', encoding="utf-8"
        )
        done = tools(directory, "list", "reads.gene")
        assert (done.returncode, done.stdout) == (1, "")
        assert "needs the capability 'files'" in done.stderr
        assert "hint: if you trust it, allow this with --allow files" in done.stderr
        assert "Interpreter(" not in done.stderr
        assert tools(directory, "call", "reads.gene", "get", "--allow", "files,shell").stdout == "s3cret\n"
        assert tools(directory, "call", "reads.gene", "get", "--allow=all").stdout == "s3cret\n"

    def test_a_refusal_that_the_program_catches(self, directory):
        """A program that goes on without what it was refused may offer less: that is said."""
        (directory / "tries.gene").write_text(
            '(var n (try (File/read "x") catch * 0)) (fn get ^intent "Get" [] n)', encoding="utf-8"
        )
        done = tools(directory, "list", "tries.gene")
        assert (done.returncode, done.stdout) == (0, "get()\n    Get\n")
        assert "warning: tries.gene was refused File" in done.stderr
        assert "allow this with --allow files" in done.stderr

    def test_a_tool_that_wants_more_when_it_is_called(self, directory):
        """The call is refused in the same words."""
        done = tools(directory, "call", "functions.gene", "listing", "path=functions.gene")
        assert (done.returncode, done.stdout) == (1, "")
        assert "needs the capability 'files'" in done.stderr
        assert "hint: if you trust it, allow this with --allow files" in done.stderr

    def test_an_unknown_capability_is_a_usage_error(self, directory):
        """The message lists those that there are."""
        done = tools(directory, "list", "functions.gene", "--allow", "file")
        assert done.returncode == 2
        assert "unknown capability 'file'; known are environment, exit, files" in done.stderr


class TestListAndShow:
    """What people read."""

    def test_list_shows_parameters_and_the_first_line(self, directory):
        """A tool is a line of its parameters and one of its description."""
        done = tools(directory, "list", "functions.gene:word_count")
        assert done.stdout == ("word_count(text: string, min: integer = 1)\n    Count the words of a text.\n")

    def test_list_marks_what_is_disabled(self, directory):
        """Disabled tools are listed too, and say so."""
        assert "off()  [disabled]\n    Off\n" in tools(directory, "list", "registries.gene").stdout
        assert [
            each["enabled"]
            for each in json.loads(tools(directory, "list", "registries.gene", "--json").stdout)
        ] == [True, True, False]

    def test_show_has_everything(self, directory):
        """The whole definition, its limits and what providers would change."""
        text = tools(directory, "show", "registries.gene:first", "a.b").stdout
        assert text.startswith("name: a.b\ndescription: One\nenabled: true\ntimeout: 7\n")
        assert '"type": "integer"' in text
        assert "  openai: name: changed: is sent as 'a-dot-b', and mapped back in calls" in text
        data = json.loads(tools(directory, "show", "registries.gene:first", "a.b", "--json").stdout)
        assert data["parameters"]["required"] == ["x"]
        assert {"provider": "openai", "tool": "a.b", "path": "name", "severity": "changed"}.items() <= next(
            each for each in data["findings"] if each["provider"] == "openai"
        ).items()

    def test_show_of_a_name_that_is_not_there(self, directory):
        """The nearest name and all names are given."""
        done = tools(directory, "show", "functions.gene", "word_cuont")
        assert (done.returncode, done.stdout) == (1, "")
        assert (
            "Tool 'word_cuont' not found. Did you mean 'word_count'? There are: word_count, inc"
            in done.stderr
        )


class TestExport:
    """JSON for a request."""

    def test_the_default_is_openai(self, directory):
        """Standard output is JSON and nothing else, whatever the program prints."""
        exported = json.loads(tools(directory, "export", "functions.gene", "--tool", "inc").stdout)
        assert [each["function"]["name"] for each in exported] == ["inc"]
        assert exported[0]["function"]["strict"] is False

    def test_formats_and_strict_mode(self, directory):
        """A format is chosen by name; ``--strict`` asks for strict mode."""
        done = tools(directory, "export", "functions.gene", "--format", "anthropic", "--tool=inc")
        assert json.loads(done.stdout)[0]["input_schema"]["required"] == ["n"]
        done = tools(directory, "export", "functions.gene", "--strict", "--tool", "inc")
        assert json.loads(done.stdout)[0]["function"]["strict"] is True

    def test_disabled_tools_are_left_out(self, directory):
        """What the registry would not offer is not exported, unless it is named."""
        exported = json.loads(tools(directory, "export", "registries.gene").stdout)
        assert [each["function"]["name"] for each in exported] == ["a-dot-b", "two"]

    def test_an_unknown_format_is_a_usage_error(self, directory):
        """The message lists the formats."""
        done = tools(directory, "export", "functions.gene", "--format", "bard")
        assert (done.returncode, done.stdout) == (2, "")
        assert "The provider 'bard' is not supported. Supported are: anthropic, backboard" in done.stderr

    def test_it_works_in_a_pipe_that_closes_early(self, directory):
        """A reader that has seen enough is no error to report."""
        process = subprocess.Popen(
            [sys.executable, "-m", "gene", "tools", "export", "functions.gene"],
            cwd=directory,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
        process.stderr.close()
        assert process.wait(30) == 141


class TestCall:
    """A call by hand."""

    @pytest.mark.parametrize(
        ("arguments", "stdin"),
        [
            (["text=a bc", "min=2"], ""),
            (["--args", '{"text": "a bc", "min": 2}'], ""),
            (["--args", "-"], '{"text": "a bc", "min": 2}'),
            ([], '{"text": "a bc", "min": 2}'),
        ],
    )
    def test_arguments_come_in_several_ways(self, directory, arguments, stdin):
        """Pairs, JSON as an option, and JSON on standard input mean the same."""
        done = tools(directory, "call", "functions.gene", "word_count", *arguments, text=stdin)
        assert (done.stdout, done.stderr, done.returncode) == ("1\n", "loading\n", 0)

    def test_what_a_tool_prints_is_no_result(self, directory):
        """Standard output is the result's text only."""
        done = tools(directory, "call", "functions.gene", "noisy")
        assert (done.stdout, done.stderr) == ("done\n", "loading\nfrom the tool\n")

    def test_an_error_goes_to_standard_error(self, directory):
        """Wrong arguments and failures are told in the words that a model gets; the status is 1."""
        done = tools(directory, "call", "functions.gene", "inc", "n=two")
        assert (done.returncode, done.stdout) == (1, "")
        assert "Invalid arguments for tool 'inc': n: must be an integer, not \"two\"" in done.stderr
        done = tools(directory, "call", "functions.gene", "fail", "n=1")
        assert done.stderr.endswith("Error executing fail: no luck\n")
        done = tools(directory, "call", "functions.gene", "inc", "--args", "{")
        assert "the text is not valid JSON" in done.stderr

    def test_a_timeout_ends_the_tool(self, directory):
        """``--timeout`` is the limit of the call."""
        done = tools(directory, "call", "functions.gene", "spin", "n=1", "--timeout", "0.3")
        assert (done.returncode, done.stdout) == (1, "")
        assert "timed out after 0.3 s" in done.stderr

    def test_the_outcome_as_json(self, directory):
        """``--json`` tells success and failure apart for programs."""
        done = json.loads(tools(directory, "call", "functions.gene", "inc", "n=1", "--json").stdout)
        assert (done["ok"], done["text"]) == (True, "2")
        failed = tools(directory, "call", "functions.gene", "inc", "--json", "n=x")
        assert failed.returncode == 1
        assert json.loads(failed.stdout)["code"] == "invalid_arguments"

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["n"], "'n' is no argument; write name=value"),
            (["n=1", "n=2"], "the argument 'n' comes twice"),
            (["n=1", "--args", "{}"], "give the arguments as name=value or with --args, not both"),
            (["n=1", "--timeout", "0"], "a number of seconds above 0 is needed, not '0'"),
            (["n=1", "--timeuot", "1"], "unrecognized arguments"),
        ],
    )
    def test_a_command_line_that_means_nothing(self, directory, arguments, message):
        """The status is 2 and the message says what would be right."""
        done = tools(directory, "call", "functions.gene", "inc", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr

    def test_a_disabled_tool_is_not_called(self, directory):
        """It is as unavailable here as it is to a model."""
        done = tools(directory, "call", "registries.gene", "off")
        assert (done.returncode, done.stderr) == (1, "Tool 'off' is not available.\n")


class TestLint:
    """What providers do to the tools."""

    def test_findings_name_tool_path_and_severity(self, directory):
        """A change is reported and is no failure."""
        done = tools(directory, "lint", "registries.gene:first", "--format", "openai")
        assert done.stdout == (
            "openai: a.b: name: changed: is sent as 'a-dot-b', and mapped back in calls\n"
            "1 tool checked for openai: 1 changed\n"
        )
        assert done.returncode == 0

    @pytest.mark.parametrize("which", [[], ["--all"]])
    def test_all_providers_are_checked(self, directory, which):
        """Without a format, or with ``--all``, every provider has its say."""
        done = tools(directory, "lint", "functions.gene", "--tool", "inc", *which)
        checked = "anthropic, backboard, gemini, ollama, openai, openai_responses, mcp"
        assert f"1 tool checked for {checked}: 1 refused" in done.stdout
        assert "gemini: inc: description: refused: must not be empty" in done.stdout
        assert done.returncode == 1
        done = tools(directory, "lint", "functions.gene", "--format", "mcp")
        assert done.stdout == "6 tools checked for mcp: nothing to report\n"

    def test_what_would_be_refused_fails(self, directory):
        """The status is 1 if a provider would refuse a tool."""
        (directory / "long.gene").write_text(f'(fn f ^intent "{"x" * 2000}" [n: Int] n)', encoding="utf-8")
        done = tools(directory, "lint", "long.gene", "--format", "openai", "--format", "mcp", "--json")
        assert done.returncode == 1
        assert [(each["severity"], each["path"]) for each in json.loads(done.stdout)] == [
            ("refused", "description")
        ]


class TestUsage:
    """The command line itself."""

    def test_help(self):
        """Help says what a target is; without a command it is shown too, as an error."""
        done = gene("tools", "--help")
        assert (done.returncode, done.stderr) == (0, "")
        assert "a .gene program" in done.stdout
        assert gene("tools").returncode == 2
        assert "gene tools COMMAND TARGET" in gene("help").stdout

    def test_an_unknown_command_is_a_usage_error(self):
        """The message lists the commands."""
        done = gene("tools", "frobnicate", "x")
        assert done.returncode == 2
        assert "invalid choice: 'frobnicate'" in done.stderr

    def test_other_packages_can_add_commands(self, tmp_path):
        """A command is an entry point of the group ``gene.commands``."""
        info = tmp_path / "hello-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hello\nVersion: 1.0\n", encoding="utf-8")
        (info / "entry_points.txt").write_text("[gene.commands]\nsay-hello = hello:main\n", encoding="utf-8")
        (tmp_path / "hello.py").write_text(
            "def main(arguments):\n    print('hello', *arguments)\n    return 3\n", encoding="utf-8"
        )
        path = environment()["PYTHONPATH"] + ":" + str(tmp_path)
        done = gene("say-hello", "you", env={"PYTHONPATH": path})
        assert (done.stdout, done.returncode) == ("hello you\n", 3)
        assert gene("say-bye", env={"PYTHONPATH": path}).returncode == 1


class TestPairs:
    """``name=value`` by the schema."""

    @pytest.mark.parametrize(
        ("schema", "text", "value"),
        [
            ({"type": "string"}, "12", "12"),
            ({"type": "integer"}, "12", 12),
            ({"type": "integer"}, "1.5", 1.5),
            ({"type": "integer"}, "twelve", "twelve"),
            ({"type": "number"}, "1e3", 1000.0),
            ({"type": "boolean"}, "true", True),
            ({"type": "array"}, "[1, 2]", [1, 2]),
            ({"type": "object"}, '{"a": 1}', {"a": 1}),
            ({"type": ["string", "null"]}, "null", None),
            ({"type": ["string", "null"]}, "12", "12"),
            ({"type": ["string", "integer"]}, "12", 12),
            ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, "x", "x"),
            ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, "7", 7),
            ({"enum": ["1", "2"]}, "1", "1"),
            ({"enum": [1, 2]}, "1", 1),
            ({"$ref": "#/$defs/n"}, "5", 5),
            ({}, "[1]", [1]),
            ({}, "plain", "plain"),
        ],
    )
    def test_a_value_is_read_as_its_type_says(self, schema, text, value):
        """Text where a string is wanted, JSON elsewhere, text again where nothing fits."""
        parameters = {"type": "object", "properties": {"x": schema}, "$defs": {"n": {"type": "integer"}}}
        made = read_pairs([f"x={text}"], parameters)
        assert made == {"x": value}
        assert type(made["x"]) is type(value)

    def test_values_may_hold_equals_signs(self):
        """Only the first one divides."""
        assert read_pairs(["q=a=b"], {"properties": {"q": {"type": "string"}}}) == {"q": "a=b"}
