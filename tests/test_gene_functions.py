"""Tools of Gene functions: the signature becomes the schema, checked arguments become a call."""

from __future__ import annotations

import json

import pytest
from support import fails, value

from ai_tools.errors import AlreadyExistsError, InvalidArgumentsError, InvalidDefinitionError
from ai_tools.formats import catalog
from ai_tools.registry import ToolRegistry
from ai_tools.types import ExecutionContext
from gene.interpreter import Interpreter

WORD_COUNT = """
(fn word_count
  ^intent "Count the words of a text"
  ^params {^text "The text" ^min {^description "Letters a word has at least" ^minimum 1}}
  ^examples [[["a bc"] 2]]
  [text: String min: Int = 1]
  (var words ((text .split " ") .filter (fn [word] ((word .length) >= min))))
  (words .length))
"""


def defined(text, function="f", **options):
    """The tool that Python makes of a function of a Gene program, and its registry."""
    interpreter = Interpreter()
    interpreter.eval(text)
    registry = ToolRegistry()
    return registry.register(interpreter.get(function), **options), registry


def schema_of(parameter, before=""):
    """The schema of the one parameter of a function."""
    tool, _ = defined(f"{before} (fn f [{parameter}] 1)")
    return next(iter(tool.parameters["properties"].values()))


def echoed(parameters, args):
    """What a function that returns its parameters gets of a call's arguments."""
    names = list(defined(f"(fn f [{parameters}] 1)")[0].parameters["properties"])
    _, registry = defined(f"(fn f [{parameters}] [{' '.join(names)}])")
    return registry.call("f", args).raise_for_error().value


class TestDefinition:
    """What a model is told of a function."""

    def test_everything_comes_from_the_function(self):
        """Name, ^intent, declared types, ^params and defaults make the definition; ^examples stay with it."""
        tool, _ = defined(WORD_COUNT, "word_count")
        assert (tool.name, tool.description) == ("word_count", "Count the words of a text")
        assert tool.parameters == {
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "The text"},
                "min": {
                    "type": "integer",
                    "description": "Letters a word has at least",
                    "minimum": 1,
                    "default": 1,
                },
            },
            "additionalProperties": False,
            "required": ["text"],
        }
        assert tool.definition.annotations == {"examples": [[["a bc"], 2]]}

    @pytest.mark.parametrize(
        ("declared", "schema"),
        [
            ("Int", {"type": "integer"}),
            ("Float", {"type": "number"}),
            ("String", {"type": "string"}),
            ("Bool", {"type": "boolean"}),
            ("Array", {"type": "array"}),
            ("Map", {"type": "object"}),
            ("Any", {}),
            ("Symbol", {"type": "string"}),
            ("Date", {"type": "string", "format": "date"}),
            ("(Array Int)", {"type": "array", "items": {"type": "integer"}}),
            ("(Map String Float)", {"type": "object", "additionalProperties": {"type": "number"}}),
            ("(Int | Nil)", {"type": ["integer", "null"]}),
            ("(Int | String)", {"type": ["integer", "string"]}),
            (
                "((Array Int) | String)",
                {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "string"}]},
            ),
            ("Color", {"type": "string", "enum": ["red", "green"]}),
            ("Id", {"type": ["integer", "string"]}),
        ],
    )
    def test_declared_types_become_json_schema(self, declared, schema):
        """Kinds, containers, unions, and a program's own enums and aliases have a schema."""
        before = "(enum Color red green) (type Id (Int | String))"
        assert schema_of(f"x: {declared}", before) == schema

    @pytest.mark.parametrize(
        ("parameter", "schema"),
        [
            ("x", {}),
            ('x = "a"', {"type": "string", "default": "a"}),
            ("x = 2", {"type": "number", "default": 2}),
            ("x = true", {"type": "boolean", "default": True}),
            ("x = nil", {}),
            ("x = [1 2]", {}),
            ("^x: Int = 3", {"type": "integer", "default": 3}),
            ("x...", {"type": "array"}),
        ],
    )
    def test_a_default_says_the_type_where_none_is_declared(self, parameter, schema):
        """Constants are shown as defaults; other expressions are evaluated by the function."""
        assert schema_of(parameter) == schema

    @pytest.mark.parametrize(
        ("parameters", "required"),
        [
            ("a b: Int", ["a", "b"]),
            ("a b = 1", ["a"]),
            ("a: (Int | Nil) b: Int", ["b"]),
            ("^a ^b = 1 ^c: (Int | Nil)", ["a"]),
            ("a rest... z", ["a", "z"]),
        ],
    )
    def test_what_can_be_left_out_is_not_required(self, parameters, required):
        """A default, a type that allows Nil and a rest parameter make an argument optional."""
        tool, _ = defined(f"(fn f [{parameters}] 1)")
        assert tool.parameters["required"] == required

    def test_other_keywords_are_allowed_where_the_function_collects_them(self):
        """``^rest...`` opens the schema; otherwise names that are no parameters are refused."""
        assert defined("(fn f [a ^rest...] 1)")[0].parameters["additionalProperties"] is True
        _, registry = defined("(fn f [a] 1)")
        assert "is not a parameter" in registry.call("f", {"a": 1, "b": 2}).text

    def test_python_may_replace_name_and_description(self):
        """The options of `register` hold for Gene functions too."""
        tool, registry = defined(
            WORD_COUNT, "word_count", name="wc", description="Counts", timeout=3, tags=["text"], strict=True
        )
        assert (tool.name, tool.description, tool.timeout) == ("wc", "Counts", 3.0)
        assert (tool.definition.tags, tool.definition.strict) == (("text",), True)
        assert registry.call("wc", {"text": "a b"}).value == 2

    @pytest.mark.parametrize("provider", catalog.FORMATS)
    def test_every_provider_takes_the_definition(self, provider):
        """The definition of a function is exported like any other."""
        _, registry = defined(WORD_COUNT, "word_count")
        exported = catalog.get(provider).export(registry.definitions(), strict=True)
        assert "word_count" in json.dumps(exported)


class TestCalls:
    """How checked arguments reach the parameters."""

    def test_arguments_are_spread_onto_parameters(self):
        """The function gets values in its own parameters, not one map."""
        _, registry = defined(WORD_COUNT, "word_count")
        assert registry.call("word_count", {"text": "a bc def", "min": 2}).value == 2
        assert registry.call("word_count", '{"min": 3, "text": "a bc def"}').value == 1

    @pytest.mark.parametrize(
        ("parameters", "args", "got"),
        [
            ("a b", {"b": 2, "a": 1}, [1, 2]),
            ("a = 1 b = 2", {"b": 5}, [1, 5]),
            ("a b = [a a] c = 3", {"a": 1, "c": 4}, [1, [1, 1], 4]),
            ("a = nil b = 2", {}, [None, 2]),
            ("a: (Int | Nil) b", {"b": 2}, [None, 2]),
            ("a rest...", {"a": 1, "rest": [2, 3]}, [1, [2, 3]]),
            ("a rest...", {"a": 1}, [1, []]),
            ("a rest... z", {"a": 1, "z": 9, "rest": [2]}, [1, [2], 9]),
            ("a: Int", {"a": 7.0}, [7]),
            ("a: Float", {"a": 7}, [7.0]),
            ("a: (Int | Nil)", {"a": 7.0}, [7]),
            ("a: (Int | Float)", {"a": 7.0}, [7.0]),
            ("a: (Array Int)", {"a": [7.0]}, [[7]]),
        ],
    )
    def test_what_is_left_out_gets_its_default(self, parameters, args, got):
        """Positions that are skipped get their default, an optional one nil, numbers their declared kind."""
        made = echoed(parameters, args)
        assert made == got
        assert repr(made) == repr(got)  # 7 is not 7.0

    def test_keyword_parameters_are_passed_by_name(self):
        """Keywords, their defaults, nil for an optional one, and those that a function collects."""
        _, registry = defined("(fn f [a ^k ^mode = 1 ^n: (Int | Nil) ^other...] [a k mode n other])")
        assert registry.call("f", {"a": 1, "k": 2}).value == [1, 2, 1, None, {}]
        assert registry.call("f", {"a": 1, "k": 2, "n": 4, "x y": 5}).value == [1, 2, 1, 4, {"x y": 5}]

    def test_names_of_the_compiler_cannot_be_reached(self):
        """A collected keyword cannot set a hidden parameter of compiled code, nor the context."""
        _, registry = defined(
            "(fn f [n ^context ^other...] (if (n > 0) (f (n - 1) ^context nil) else other))"
        )
        for name in ("%t", "%caller", "context"):
            result = registry.call("f", {"n": 1, name: 1})
            assert isinstance(result.error, InvalidArgumentsError)
            assert f"{name}: is not a parameter" in result.text
        assert registry.call("f", {"n": 0, "None": 1}).value == {"None": 1}

    def test_enums_symbols_and_dates_arrive_as_such(self):
        """A value that JSON writes as text is what the declared type says."""
        before = "(enum Color red green)"
        program = "(fn f [c: Color d: (Date | Nil) s: Symbol] [(c == Color/green) d/.year (s == `x)])"
        _, registry = defined(f"{before} {program}")
        assert registry.call("f", {"c": "green", "d": "2024-02-03", "s": "x"}).value == [True, 2024, True]
        assert 'c: must be one of "red", "green"' in registry.call("f", {"c": "blue", "s": "x"}).text

    def test_text_that_is_no_date_is_a_wrong_argument(self):
        """What the schema lets through and the type refuses is reported with the field."""
        _, registry = defined("(fn f [d: Date] d)")
        result = registry.call("f", {"d": "2024-02-30"})
        assert isinstance(result.error, InvalidArgumentsError)
        assert result.error.field == "d"

    def test_a_number_beyond_64_bits_is_a_wrong_argument(self):
        """An Int has 64 bits; a larger one does not reach the function."""
        _, registry = defined("(fn f [n: Int] n)")
        assert "n: must be an Int, of 64 bits" in registry.call("f", {"n": 2**63}).text
        assert registry.call("f", {"n": 2**63 - 1}).value == 2**63 - 1

    def test_asynchronous_functions_and_generators_are_finished(self):
        """A future is awaited, a generator's items are collected."""
        assert defined("(fn f ^^async [x] (x + 1))")[1].call("f", {"x": 1}).value == 2
        assert defined("(fn f ^^generator [n] (yield n) (yield (n + 1)))")[1].call("f", {"n": 1}).value == [
            1,
            2,
        ]

    def test_a_failure_says_it_in_genes_words(self):
        """What the function throws is the error that the model reads."""
        _, registry = defined('(fn f [x] (throw "no luck"))')
        assert registry.call("f", {"x": 1}).text == "Error executing f: no luck"

    def test_many_calls_at_once(self):
        """A function is as safe from several threads as any tool."""
        from ai_tools.types import ToolCall

        _, registry = defined("(fn f [n: Int m = (+ n 1)] (n + m))")
        results = registry.call_all([ToolCall(None, "f", {"n": n}) for n in range(50)], parallel=8)
        assert [result.value for result in results] == [2 * n + 1 for n in range(50)]


class TestContext:
    """The hidden parameter ``^context``."""

    PROGRAM = "(fn f [a ^context] [a context/channel context/chat_id context/system_prompt])"

    @pytest.mark.scenario("T18")
    def test_a_function_gets_the_execution_context(self):
        """Channel and id of the conversation reach the function; outside of one they are nil."""
        tool, registry = defined(self.PROGRAM)
        assert list(tool.parameters["properties"]) == ["a"]
        result = registry.call("f", {"a": 1}, context=ExecutionContext("telegram", "42"))
        assert result.value == [1, "telegram", "42", None]
        assert registry.call("f", {"a": 1}).value == [1, None, None, None]

    def test_a_model_cannot_set_it(self):
        """The schema does not know the parameter, so an argument of that name is refused."""
        _, registry = defined(self.PROGRAM)
        assert "context" in registry.call("f", {"a": 1, "context": {"chat_id": "x"}}).text
        assert registry.call("f", {"a": 1, "context": {}}).is_error

    def test_the_state_of_the_agent_is_the_current_one(self):
        """What a function reads of the agent is what holds at that moment."""

        class Agent:
            system_prompt = "first"
            session_context = "about"
            session_context_file_path = "s.md"

        _, registry = defined("(fn f [^context] [context/system_prompt context/session_context])")
        context = ExecutionContext(agent=Agent())
        assert registry.call("f", context=context).value == ["first", "about"]
        context.agent.system_prompt = "second"
        assert registry.call("f", context=context).value == ["second", "about"]

    def test_it_prints(self):
        """A context in Gene shows where it is from."""
        _, registry = defined("(fn f [^context] (context .to_s))")
        text = registry.call("f", context=ExecutionContext("cli", None)).value
        assert text == '(ExecutionContext ^channel "cli")'


class TestRegisteringInGene:
    """`.register` and `.register_function` with functions."""

    def test_a_bare_function_is_a_tool(self):
        """`.register` takes a function, with and without options, and returns the registry."""
        program = (
            WORD_COUNT
            + """
        (var r (ai/tools/registry))
        (r .register word_count; .register word_count ^name "wc" ^description "Short")
        (r .register_function (fn [x: Int] (x + 1)) ^name "inc" ^description "Adds one")
        [(r .list) (r .execute "word_count" {^text "a b"}) (r .execute "inc" {^x 2})]
        """
        )
        assert value(program) == [["word_count", "wc", "inc"], 2, 3]

    def test_python_and_gene_define_the_same_tool(self):
        """Both ways lead to one definition."""
        interpreter = Interpreter()
        registry = interpreter.eval(WORD_COUNT + "(var r (ai/tools/registry)) (r .register word_count) r")
        tool, _ = defined(WORD_COUNT, "word_count")
        assert registry.get("word_count").definition == tool.definition
        with pytest.raises(AlreadyExistsError):
            registry.register(interpreter.get("word_count"))

    def test_functions_of_python_are_tools_too(self):
        """A Python function that the host defined is registered by its own signature."""

        def shout(text: str) -> str:
            """Write it large."""
            return text.upper()

        interpreter = Interpreter()
        interpreter.define("shout", shout)
        program = '(var r (ai/tools/registry)) (r .register shout) (r .execute "shout" {^text "a"})'
        assert interpreter.eval(program) == "A"

    @pytest.mark.parametrize(
        ("program", "message"),
        [
            ("(r .register (fn [x] x))", 'the function has no name of its own; give ^name "…"'),
            (
                "(class P) (fn f [p: P] p) (r .register f)",
                "Invalid tool 'f': parameter 'p': the type P has no JSON form; use Int, Float, String",
            ),
            (
                "(enum S (Dot) (Rect w h)) (fn f [s: S] s) (r .register f)",
                "parameter 's': the enum S has no JSON form: S/Rect carries values",
            ),
            ("(fn f [m: (Map Int String)] m) (r .register f)", "must be strings"),
            (
                '(fn f ^params {^txt "The text"} [text] text) (r .register f)',
                "^params describes 'txt'; its parameters are: text",
            ),
            ("(fn f ^params {^text 5} [text] text) (r .register f)", "^params: 'text' must be a description"),
            ('(fn f ^params "x" [text] text) (r .register f)', "^params must be a map"),
            ("(fn f ^intent 5 [text] text) (r .register f)", "description must be a string"),
            ('(fn f [] 1) (r .register f ^desc "x")', "has unknown entries: desc"),
            ("(fn f! [x] 1) (r .register f!)", "a macro cannot be a tool"),
            ("(r .register_function 5)", "ToolRegistry.register_function requires a function, got VkInt"),
            ("(r .register_function)", "ToolRegistry.register_function requires a function, got nothing"),
        ],
    )
    def test_what_cannot_be_a_tool_is_refused(self, program, message):
        """The message names the function, the parameter and what would be right."""
        assert message in fails(f"(var r (ai/tools/registry)) {program}")

    def test_a_method_is_refused(self):
        """The function of a method takes self first, which no model can give."""
        interpreter = Interpreter()
        interpreter.eval("(class P (method m [x] x))")
        method = interpreter.get("P").__gene__.methods["m"]
        with pytest.raises(InvalidDefinitionError, match="a method cannot be a tool by itself"):
            ToolRegistry().register(method)
