"""The bridge between Gene and the tool registry: methods, values, errors, limits, and both sides at once."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import traceback
from pathlib import Path

import pytest
from support import error, fails, output, run, value

from ai_tools.errors import (
    ExecutionFailedError,
    InvalidArgumentsError,
    NotFoundError,
    PermissionDeniedError,
    ToolTimeoutError,
)
from ai_tools.registry import ToolRegistry
from ai_tools.types import ToolCall, ToolResult
from gene.interpreter import Interpreter

DATA = Path(__file__).parent / "data" / "tool-calls.jsonl"

GREET = """
(var registry (ai/tools/registry))
(registry .register {
  ^name "greet"
  ^description "Greet someone"
  ^parameters [
    {^name "who" ^type "string" ^required true}
    {^name "times" ^type "integer" ^default 1}
  ]
  ^handler (fn [args] args)
})
"""


def after_greet(text):
    """The value of a program that begins with a registry of one tool."""
    return value(GREET + text)


def handled(handler, call='(registry .call "t")'):
    """What a program gets from a tool that has this handler."""
    return value(
        f'(var registry (ai/tools/registry)) (registry .register "t" ^description "A tool" ^handler {handler}) {call}'
    )


class TestRegistering:
    """`.register` and the definitions that it takes."""

    @pytest.mark.parametrize(
        "form",
        [
            '{^name "t" ^description "A tool" ^parameters [] ^handler f}',
            '"t" ^description "A tool" ^handler f',
            '^name "t" ^description "A tool" ^handler f',
            '"t" "A tool" {^type "object" ^properties {}} f',
            '{^name "t" ^description "A tool"} ^handler f',
        ],
    )
    def test_a_definition_may_be_written_in_several_forms(self, form):
        """A map, properties of the call, four arguments in order, or a map with properties on top."""
        program = (
            f'(var r (ai/tools/registry)) (fn f [args] 7) (r .register {form}) [(r .list) (r .execute "t")]'
        )
        assert value(program) == [["t"], 7]

    def test_registrations_can_be_chained(self):
        """`.register` returns the registry."""
        program = """
        (var r (ai/tools/registry))
        (fn f [args] 1)
        (r .register "a" ^description "A" ^handler f; .register "b" ^description "B" ^handler f; .list)
        """
        assert value(program) == ["a", "b"]

    def test_parameters_may_be_a_whole_json_schema(self):
        """A map of parameters is taken as it is."""
        schema = """{^type "object" ^properties {^n {^type "integer" ^minimum 1}} ^required ["n"]
                     ^additionalProperties false}"""
        program = f"""
        (var r (ai/tools/registry))
        (r .register {{^name "t" ^description "A tool" ^parameters {schema} ^handler (fn [args] args/n)}})
        """
        assert value(program + '(r .execute "t" {^n 3})') == 3
        assert fails(program + '(r .execute "t" {^n 0})').endswith("n: must be at least 1, not 0")
        assert "is not a parameter" in fails(program + '(r .execute "t" {^n 1 ^m 2})')

    def test_the_short_form_takes_the_keywords_of_json_schema(self):
        """Descriptions, enums, items and nested properties become the schema that a model is told."""
        program = """
        (var r (ai/tools/registry))
        (r .register {^name "t" ^description "A tool" ^handler (fn [args] args)
          ^parameters [
            {^name "mode" ^type "string" ^description "How" ^enum ["fast" "slow"] ^default "fast"}
            {^name "tags" ^type "array" ^items {^type "string"}}
            {^name "place" ^type "object" ^required true
             ^properties [{^name "city" ^type "string" ^required true} {^name "zip" ^type "string"}]}]})
        (r .get "t" ./ "parameters")
        """
        program = program.replace('(r .get "t" ./ "parameters")', '(var t (r .get "t")) t/parameters')
        assert value(program) == {
            "type": "object",
            "properties": {
                "mode": {"type": "string", "description": "How", "enum": ["fast", "slow"], "default": "fast"},
                "tags": {"type": "array", "items": {"type": "string"}},
                "place": {
                    "type": "object",
                    "properties": {"city": {"type": "string"}, "zip": {"type": "string"}},
                    "required": ["city"],
                },
            },
            "required": ["place"],
        }

    @pytest.mark.parametrize(
        "absent", ["", "^!required", "^required nil", "^required false", "^required cfg/nope"]
    )
    def test_a_parameter_is_optional_unless_it_is_required(self, absent):
        """False, nil, void and no entry at all say the same."""
        program = f"""
        (var cfg {{}})
        (var r (ai/tools/registry))
        (r .register {{^name "t" ^description "A tool" ^parameters [{{^name "x" ^type "string" {absent}}}]
                      ^handler (fn [args] "ran")}})
        (r .execute "t" {{}})
        """
        assert value(program) == "ran"

    def test_symbols_and_void_in_a_definition_read_as_meant(self):
        """A symbol stands for its name; an entry that is void counts as not written."""
        program = """
        (var cfg {})
        (var r (ai/tools/registry))
        (r .register {^name `t ^description "A tool" ^timeout cfg/timeout ^handler (fn [args] 1)
                      ^parameters [{^name `x ^type `string ^enum [`a `b]}]})
        (r .definitions)
        """
        assert value(program)[0]["parameters"]["properties"] == {"x": {"type": "string", "enum": ["a", "b"]}}

    def test_a_definition_is_copied(self):
        """What the program does to its map afterwards does not change the tool."""
        program = """
        (var parameters {^type "object" ^properties {^x {^type "string"}}})
        (var r (ai/tools/registry))
        (r .register {^name "t" ^description "A tool" ^parameters parameters ^handler (fn [args] 1)})
        (parameters/properties/x/type = "integer")
        (var exported (r .to_openai_format))
        (exported/0/function/parameters/type = "array")
        (r .definitions)
        """
        assert value(program)[0]["parameters"] == {"type": "object", "properties": {"x": {"type": "string"}}}

    @pytest.mark.parametrize(
        ("form", "message"),
        [
            ('{^description "d" ^handler f}', "Invalid tool: lacks 'name'"),
            ('{^name "t" ^handler f}', "Invalid tool 't': lacks 'description'"),
            ('{^name "t" ^description "d"}', "Invalid tool 't': lacks 'handler'"),
            ('{^name "t" ^description "d" ^handler m/nope}', "Invalid tool 't': lacks 'handler'"),
            (
                '{^name "t" ^description "d" ^handler 5}',
                "Invalid tool 't': handler must be a function, got VkInt",
            ),
            (
                '{^name "t" ^description "d" ^handler f ^colour 1}',
                "Invalid tool 't': has unknown entries: colour",
            ),
            (
                '{^name "" ^description "d" ^handler f}',
                "Invalid tool: name must be a string that is not blank",
            ),
            (
                '{^name "t" ^description "d" ^handler f ^timeout -1}',
                "timeout must be a number of seconds above 0",
            ),
            (
                '{^name "t" ^description "d" ^handler f ^parameters [{^name "n" ^type "integer" ^default "x"}]}',
                "Invalid tool 't': parameter 'n': default must be an integer, not \"x\"",
            ),
            (
                '{^name "t" ^description "d" ^handler f ^parameters {^type "object" ^properties {^a {^type "strin"}}}}',
                "strin",
            ),
            (
                "",
                "ToolRegistry.register requires a Map with name, description, parameters and handler, or a function, got nothing",
            ),
            (
                "5",
                "ToolRegistry.register requires a Map with name, description, parameters and handler, or a function, got VkInt",
            ),
        ],
    )
    def test_a_bad_definition_is_refused(self, form, message):
        """The message names the tool, the place of the fault and what would be right; nothing is registered."""
        program = (
            f"(var m {{}}) (fn f [args] 1) (var r (ai/tools/registry)) (try (r .register {form}) catch * "
        )
        text, names = value(f"{program} [$ex/message (r .list)])")
        assert message in text
        assert names == []

    def test_a_definition_that_contains_itself_is_refused(self):
        """Cyclic data is found, not followed for ever."""
        program = """
        (var p {^type "object"})
        (p/properties = {^x p})
        (var r (ai/tools/registry))
        (r .register {^name "t" ^description "d" ^parameters p ^handler (fn [args] 1)})
        """
        assert "nested deeper than" in fails(program)

    def test_a_name_cannot_be_taken_twice(self):
        """The second tool is refused, and a free name is proposed."""
        program = """
        (try (registry .register "greet" ^description "d" ^handler (fn [args] 2))
        catch ai/tools/AlreadyExistsError [$ex/message $ex/suggestion (registry .size)])
        """
        message, suggestion, size = after_greet(program)
        assert (suggestion, size) == ("greet_v2", 1)
        assert message == "Tool already exists: 'greet'. Choose another name, such as 'greet_v2'."

    def test_the_error_leads_to_the_line_of_the_registration(self):
        """The place of the error is the form that registers the tool."""
        program = '(var r (ai/tools/registry))\n(try\n  (r .register {^name "t"})\ncatch * $ex/location)'
        assert value(program) == "t.gene:3:3"

    def test_an_instance_with_a_method_call_is_a_handler(self):
        """Whatever Gene can call serves as a handler."""
        handler = "(new Adder 2)"
        program = """
        (class Adder (ctor [/n]) (method call [args] (/n + args/x)))
        (var r (ai/tools/registry))
        (r .register {^name "t" ^description "d" ^parameters [{^name "x" ^type "integer"}] ^handler HANDLER})
        (r .execute "t" {^x 40})
        """
        assert value(program.replace("HANDLER", handler)) == 42
        assert "handler must be a function, got VkInstance" in fails(
            "(class C) " + program.replace("HANDLER", "(new C)")
        )


class TestLookingUp:
    """What a registry tells about its tools."""

    def test_tools_can_be_found_removed_and_switched_off(self):
        """`.contains`, `.get`, `.disable`, `.enable`, `.enabled?`, `.unregister`, `.size`."""
        program = """
        (var seen [])
        (seen .push [(registry .contains "greet") (registry .contains "x") (registry .get "x")])
        (registry .disable "greet")
        (seen .push [(registry .enabled? "greet") (registry .list) (registry .definitions)])
        (registry .enable "greet")
        (seen .push [(registry .enabled? "greet") ((registry .definitions) .size)])
        (registry .unregister "greet")
        (registry .unregister "greet")
        (seen .push [(registry .size) (registry .list)])
        seen
        """
        assert after_greet(program) == [[True, False, None], [False, ["greet"], []], [True, 1], [0, []]]

    @pytest.mark.parametrize("method", ["get", "contains", "enable", "disable", "unregister", "enabled?"])
    def test_a_name_is_asked_for(self, method):
        """Without a name, or with something else, the message says what is missing."""
        wanted = f"ToolRegistry.{method} requires a tool's name, got"
        assert fails(GREET + f"(registry .{method})") == f"{wanted} nothing"
        assert fails(GREET + f"(registry .{method} 5)") == f"{wanted} VkInt"

    def test_a_disabled_tool_is_not_run(self):
        """Its calls raise NotAvailableError until it is enabled again."""
        program = """
        (registry .disable "greet")
        (try (registry .execute "greet" {^who "you"}) catch ai/tools/NotAvailableError $ex/message)
        """
        assert after_greet(program) == "Tool 'greet' is not available."

    def test_a_registry_can_take_in_another(self):
        """`.merge` adds all tools, under a prefix if there is one."""
        program = """
        (var all (ai/tools/registry))
        (all .merge registry; .merge registry ^prefix "my_")
        [(all .list) (all .execute "my_greet" {^who "a"})]
        """
        assert after_greet(program) == [["greet", "my_greet"], {"who": "a", "times": 1}]
        assert fails(GREET + "(registry .merge 5)") == "ToolRegistry.merge requires a ToolRegistry, got VkInt"

    def test_tools_in_the_formats_of_other_providers(self):
        """`.to_format` knows every wire format."""
        program = '[(registry .to_format "anthropic") (registry .to_format "mcp") (registry .to_format "openai" ^^strict)]'
        anthropic, mcp, strict = after_greet(program)
        assert anthropic[0]["input_schema"]["required"] == ["who"]
        assert mcp[0]["inputSchema"]["required"] == ["who"]
        assert strict[0]["function"]["strict"] is True

    def test_an_unknown_format_is_refused_with_the_known_ones(self):
        """The error lists what there is."""
        text = fails(GREET + '(registry .to_format "acme")')
        assert text.startswith("The provider 'acme' is not supported. Supported are: anthropic, ")
        assert after_greet(
            '(try (registry .to_format "acme") catch ai/tools/UnknownProviderError ($ex/known .contains "openai"))'
        )

    def test_how_the_values_print(self):
        """Registries, tools, calls and results print what they are, strings quoted."""
        program = r"""
        (println registry)
        (println (registry .get "greet"))
        (var calls (ai/tools/parse_tool_calls {^role "assistant" ^tool_calls [
          {^id "c1" ^function {^name "greet" ^arguments "{\"who\": \"you\"}"}}
          {^id "c2" ^function {^name "greet" ^arguments "{"}}]}))
        (for c in calls (println c))
        (for r in (registry .execute_all calls) (println r))
        (println #"#{registry} #{calls/0}")
        """
        assert output(GREET + program).splitlines() == [
            "<ToolRegistry of 1 tools>",
            '(Tool ^name "greet" ^description "Greet someone" ^parameters {^type "object" ^properties {^who {^type "string"} ^times {^type "integer" ^default 1}} ^required ["who"]})',
            '(ToolCall ^id "c1" ^name "greet" ^arguments {^who "you"})',
            """(ToolCall ^id "c2" ^name "greet" ^error "the text is not valid JSON: it ends too early, after '{'")""",
            '(ToolResult ^id "c1" ^name "greet" ^value {^who "you" ^times 1})',
            """(ToolResult ^id "c2" ^name "greet" ^error "Invalid arguments for tool 'greet': the text is not valid JSON: it ends too early, after '{'")""",
            '<ToolRegistry of 1 tools> (ToolCall ^id "c1" ^name "greet" ^arguments {^who "you"})',
        ]

    def test_the_kinds_can_be_tested_for_and_made(self):
        """The kinds are members of the namespace; `new` makes registries and calls."""
        program = """
        (var r (new ai/tools/ToolRegistry ^timeout 2))
        (var c (new ai/tools/ToolCall "greet" {^who "you"} ^id "c9"))
        [(r is ai/tools/ToolRegistry) (c is ai/tools/ToolCall) (c is ai/tools/ToolResult) (typeof c) c/id c/arguments]
        """
        assert value(program) == [True, True, False, "ToolCall", "c9", {"who": "you"}]

    def test_no_path_leads_to_pythons_attributes(self):
        """A member that is not one of the documented ones is void, whatever Python has under that name."""
        program = """
        (var c (new ai/tools/ToolCall "greet"))
        (var t (registry .get "greet"))
        [c/__class__ c/__slots__ c/gene_kind t/invoke t/validator t/definition registry/_state registry/timeout]
        """
        assert all(str(each) == "void" for each in after_greet(program))

    def test_members_cannot_be_assigned(self):
        """Calls and results are read only."""
        assert "Cannot set member" in fails('(var c (new ai/tools/ToolCall "t")) (c/name = "x")')


class TestExecuting:
    """`.execute` and `.call`."""

    def test_defaults_are_filled_in(self):
        """A parameter with a default that a call leaves out has it; one that is given stays."""
        assert after_greet('(registry .execute "greet" {^who "a"})') == {"who": "a", "times": 1}
        assert after_greet('(registry .execute "greet" {^who "a" ^times 3})') == {"who": "a", "times": 3}

    def test_defaults_are_filled_in_below(self):
        """Defaults of nested objects and of objects in arrays are filled in, where the objects are given."""
        program = """
        (var r (ai/tools/registry))
        (r .register {^name "t" ^description "d" ^handler (fn [args] args)
          ^parameters {^type "object" ^properties {
            ^box {^type "object" ^properties {^size {^type "integer" ^default 3}}}
            ^rows {^type "array" ^items {^type "object" ^properties {^n {^type "array" ^default []}}}}}}})
        [(r .execute "t" {}) (r .execute "t" {^box {} ^rows [{} {^n [1]}]})]
        """
        assert value(program) == [{}, {"box": {"size": 3}, "rows": [{"n": []}, {"n": [1]}]}]

    def test_a_default_is_fresh_for_every_call(self):
        """A handler that changes a default does not change the next call's."""
        program = """
        (var r (ai/tools/registry))
        (r .register {^name "t" ^description "d" ^parameters [{^name "xs" ^type "array" ^default []}]
          ^handler (fn [args] (args/xs .push 1) args/xs)})
        [(r .execute "t" {}) (r .execute "t" {})]
        """
        assert value(program) == [[1], [1]]

    def test_a_default_that_breaks_its_schema_is_not_used(self):
        """Schemas found in the field have such defaults; a handler never gets what a model may not send."""
        program = """
        (var r (ai/tools/registry))
        (r .register {^name "t" ^description "d" ^handler (fn [args] args)
          ^parameters {^type "object" ^properties {
            ^bad {^type "boolean" ^default "false"} ^good {^type "boolean" ^default false}}}})
        (r .execute "t" {})
        """
        assert value(program) == {"good": False}

    def test_the_callers_map_is_not_changed(self):
        """Filling in defaults copies the arguments."""
        assert after_greet('(var args {^who "a"}) (registry .execute "greet" args) args') == {"who": "a"}

    @pytest.mark.parametrize("args", ['"{\\"who\\": \\"a\\"}"', '{^who "a" ^times cfg/nope}', '#{^who "a"}'])
    def test_arguments_may_be_json_text_and_have_gaps(self, args):
        """JSON text and frozen maps are taken as well; entries that are void were not given."""
        assert after_greet(f'(var cfg {{}}) (registry .execute "greet" {args})') == {"who": "a", "times": 1}

    @pytest.mark.parametrize("nothing", ["", "nil", "{}", "cfg/nope", '""'])
    def test_no_arguments_may_be_written_in_several_ways(self, nothing):
        """Nothing, nil, void, an empty map and an empty text are no arguments."""
        assert handled("(fn [args] args)", f'(var cfg {{}}) (registry .execute "t" {nothing})') == {}

    def test_wrong_arguments_are_all_named(self):
        """The message lists every fault; the first field is a property of the exception."""
        program = '(try (registry .execute "greet" {^times "x"}) catch ai/tools/InvalidArgumentsError [$ex/message $ex/field])'
        message, field = after_greet(program)
        assert 'times: must be an integer, not "x"' in message
        assert "who: is required (a string)" in message
        assert field in {"times", "who"}

    @pytest.mark.parametrize("wrong", ["[1]", "5", "`x"])
    def test_arguments_that_are_no_map_are_refused(self, wrong):
        """The message says what arguments are."""
        assert "must be a JSON object" in fails(GREET + f'(registry .execute "greet" {wrong})')

    def test_a_call_needs_a_name(self):
        """The message says what is missing."""
        assert (
            fails(GREET + "(registry .execute)") == "a call requires a tool's name or a ToolCall, got nothing"
        )
        assert fails(GREET + "(registry .call 5)") == "a call requires a tool's name or a ToolCall, got VkInt"

    def test_errors_are_gene_exceptions_with_the_typed_error_as_cause(self):
        """Python sees Gene's exception with its place, and the registry's error behind it."""
        failed = error(GREET + '(registry .execute "gret" {})')
        assert isinstance(failed.__cause__, NotFoundError)
        assert str(failed) == "Tool 'gret' not found. Did you mean 'greet'?"

    def test_one_class_catches_all(self):
        """ToolError is the class above the others."""
        assert after_greet('(try (registry .execute "x") catch ai/tools/ToolError $ex/code)') == "not_found"

    def test_call_gives_the_whole_result(self):
        """`.call` never raises for what a model does wrong; the result says everything by path."""
        program = """
        (var good (registry .call "greet" {^who "a"}))
        (var bad (registry .call "nope"))
        [good/ok good/value good/text good/error good/code good/name (good/duration < 1)
         bad/ok bad/value bad/text bad/error bad/code bad/nope]
        """
        *seen, nope = after_greet(program)
        assert seen == [
            *[True, {"who": "a", "times": 1}, '{"who":"a","times":1}', None, None, "greet", True],
            *[False, None, "Tool 'nope' not found.", "Tool 'nope' not found.", "not_found"],
        ]
        assert str(nope) == "void"

    def test_a_parsed_call_can_be_executed_by_itself(self):
        """`.execute` and `.call` take a ToolCall in place of name and arguments."""
        program = '(var c (new ai/tools/ToolCall "greet" {^who "a"} ^id "7")) (var r (registry .call c)) [(registry .execute c) r/id]'
        assert after_greet(program) == [{"who": "a", "times": 1}, "7"]


class TestHandlers:
    """What handlers may return and throw."""

    @pytest.mark.parametrize(
        ("gene", "text"),
        [
            ("nil", "null"),
            ("args/nope", "void"),
            ("`sym", "sym"),
            ("`a/b", "a/b"),
            ("'c'", "'c'"),
            ("(0 .. 3)", "0..3"),
            ("2024-02-03", "2024-02-03"),
            ("2024-02-03T09:30Z", "2024-02-03T09:30Z"),
            ('`(f ^k "v" 1)', '(f ^k "v" 1)'),
            ('{{1 "one"}}', '{{1 "one"}}'),
            ("#/x+/i", "#/x+/i"),
            ("0#dead", "3q0="),
            ("1.0", "1.0"),
            ("[`a args/nope {^x (1 .. 2)}]", '["a","void",{"x":"1..2"}]'),
            ("#[1 #{^a 2}]", '[1,{"a":2}]'),
            ("(new Point 1 2)", '{"x":1,"y":2}'),
            ("[(new Point 1 [(new Point 3 4)])]", '[{"x":1,"y":[{"x":3,"y":4}]}]'),
            ("(async 5)", "5"),
            ("([1 2] .iter)", "[1,2]"),
        ],
    )
    def test_every_kind_of_data_has_a_text_for_the_model(self, gene, text):
        """Values reach the program unconverted, and the model in the JSON forms that Gene has for them."""
        program = f"""
        (class Point (ctor [/x /y]))
        (var registry (ai/tools/registry))
        (registry .register "t" ^description "A tool" ^handler (fn [args] {gene}))
        (registry .call "t")
        """
        result = value(program)
        assert result.error is None
        assert result.text == text

    def test_values_are_not_converted(self):
        """`.execute` gives the very object that the handler returned."""
        assert handled("(fn [args] (1 .. 2))", '(typeof (registry .execute "t"))') == "VkRange"
        assert handled("(fn [args] xs)", '(var xs [1]) ((registry .execute "t") .push 2) xs') == [1, 2]

    def test_what_has_no_form_is_an_error_with_its_place(self):
        """A function in a result would tell a model nothing."""
        program = '(registry .execute "t")'
        assert handled("(fn [args] {^a [println]})", program)["error"].startswith("the result at a[0] is a ")

    def test_a_tool_may_return_the_result_of_another(self):
        """A nested result counts as its value, a failed one as a map with the error."""
        program = (
            GREET
            + """
        (registry .register "outer" ^description "d" ^handler (fn [args]
          [(registry .call "greet" {^who "a"}) (registry .call "greet")]))
        (registry .call "outer")
        """
        )
        assert json.loads(value(program).text) == [
            {"who": "a", "times": 1},
            {"error": "Invalid arguments for tool 'greet': who: is required (a string)"},
        ]

    @pytest.mark.parametrize(
        ("body", "message"),
        [
            ('(throw "boom")', "boom"),
            ("(throw {^code 1})", "{^code 1}"),
            ("(nope)", "nope is not defined"),
            ("(args/x 1)", "IkUnifiedCall1 requires a callable, got VkVoid"),
            ('("a" + 1)', "Cannot add values of type: VkString"),
            ('("a" .nope)', "Method nope not found on VkString"),
            ("(fn f [n] (1 + (f n))) (f 1)", "Stack overflow: the recursion is too deep"),
        ],
    )
    def test_errors_say_it_in_genes_words(self, body, message):
        """The error of the result is the message that the program itself would have caught."""
        program = '(var r (registry .call "t" {} ^timeout 30)) [r/ok r/error r/code r/text]'
        assert handled(f"(fn [args] {body})", program) == [
            False,
            message,
            "execution_failed",
            f"Error executing t: {message}",
        ]

    def test_the_traceback_leads_to_the_gene_code(self):
        """Python keeps the whole chain of calls, with the lines of the Gene file."""
        result = handled('(fn [args]\n (var x 1)\n (throw "boom"))')
        assert isinstance(result.error, ExecutionFailedError)
        shown = "".join(traceback.format_exception(result.error.__cause__))
        assert 'File "t.gene", line 3' in shown

    def test_runaway_recursion_leaves_no_frames_behind(self):
        """The traceback of a stack overflow is cut, so that the result does not hold on to every frame."""
        result = handled("(fn [args] (forever 1))", '(fn forever [n] (1 + (forever n))) (registry .call "t")')
        cause = result.error.__cause__
        assert len(traceback.extract_tb(cause.__traceback__)) < 1100
        assert len(traceback.extract_tb(cause.__cause__.__traceback__)) < 1100

    def test_tools_that_call_each_other_without_end_are_stopped(self):
        """Endless recursion through the registry is an error like any other, and the next call works."""
        program = """
        (var n 0)
        (registry .register "ping" ^description "d" ^handler (fn [args] (n += 1) (registry .execute "pong")))
        (registry .register "pong" ^description "d" ^handler (fn [args] (registry .execute "ping")))
        [(registry .execute "ping") n (registry .execute "greet" {^who "a"})]
        """
        failed, count, greeted = after_greet(program)
        assert failed["error"] == "tools call each other more than 100 levels deep"
        assert (count, greeted["who"]) == (50, "a")

    def test_a_missing_capability_is_a_permission_error(self):
        """A handler that may not do something fails with the name of what was not granted."""
        gene = Interpreter()
        gene.eval(
            '(var r (ai/tools/registry)) (r .register "t" ^description "d" ^handler (fn [args] (system/shell "ls")))'
        )
        result = gene.get("r").call("t")
        assert isinstance(result.error, PermissionDeniedError)
        assert "needs the capability 'shell'" in result.text

    def test_the_errors_of_python_functions_keep_their_type(self):
        """A PermissionError or a typed error of a host's function that a handler calls passes unchanged."""
        gene = Interpreter()

        def refuse():
            raise PermissionError("not today")

        gene.define("refuse", refuse)
        gene.eval(
            '(var r (ai/tools/registry)) (r .register "t" ^description "d" ^handler (fn [args] (refuse)))'
        )
        assert gene.eval('(r .execute "t")') == {
            "error": "not today",
            "code": "permission_denied",
            "tool": "t",
        }

    def test_python_functions_are_handlers(self):
        """Ordinary and asynchronous functions of the host serve as handlers, with defaults filled in."""

        async def later(args):
            return args["n"] + 1

        gene = Interpreter()
        gene.define("sooner", lambda args: args["n"] + 1)
        gene.define("later", later)
        gene.eval("""
        (var r (ai/tools/registry))
        (for name handler in {^sooner sooner ^later later}
          (r .register name ^description "d" ^handler handler
             ^parameters [{^name "n" ^type "integer" ^default 41}]))
        """)
        assert gene.eval('[(r .execute "sooner") (r .execute "later") (r .execute "later" {^n 1})]') == [
            42,
            42,
            2,
        ]


class TestLimits:
    """The registry's limits hold for Gene handlers."""

    @pytest.mark.parametrize(
        "body",
        [
            "(while true)",
            "(loop (try (while true) catch * 1))",
            "(loop (try (while true) catch err 1 finally 2))",
            "(loop ([1 2 3] .each (fn [x] (try (x + 1) catch * nil))))",
            "(fn f [n] (f (n + 1))) (f 0)",
            "(sleep 5000)",
        ],
    )
    @pytest.mark.parametrize("where", ["the main thread", "another thread"])
    def test_a_handler_that_takes_too_long_is_ended(self, body, where):
        """A spinning handler is interrupted, and no `catch *` of it can swallow that."""
        registry = handled(f"(fn [args] {body})", "registry")
        results = []

        def call():
            results.append(registry.call("t", timeout=0.15))

        if where == "the main thread":
            call()
        else:
            thread = threading.Thread(target=call)
            thread.start()
            thread.join()
        assert isinstance(results[0].error, ToolTimeoutError)
        assert results[0].duration < 2

    def test_limits_are_set_from_gene(self):
        """A registry, a tool and a call can each have a timeout; a result is cut to the registry's size."""
        program = """
        (var r (ai/tools/registry ^timeout 0.1 ^max_result 60))
        (r .register "spin" ^description "d" ^handler (fn [args] (while true)))
        (r .register "slow" ^description "d" ^timeout 0.2 ^handler (fn [args] (while true)))
        (r .register "long" ^description "d" ^handler (fn [args] ("abc" .replace_all "b" ("x" .append (r .list) (r .list) (r .list) (r .list) (r .list)))))
        (var long (r .call "long"))
        (var times (["spin" "slow"] .map (fn [name] (var e (r .execute name)) e/error)))
        (var once (r .call "slow" {} ^timeout 0.05))
        [times once/error (long/text .contains "omitted") (long/full_text/.size > 60)]
        """
        assert value(program) == [
            ["timed out after 0.1 s", "timed out after 0.2 s"],
            "timed out after 0.05 s",
            True,
            True,
        ]

    def test_the_program_goes_on_after_a_timeout(self):
        """A timeout is an error result like any other; the program and the registry stay usable."""
        program = """
        (registry .register "spin" ^description "d" ^timeout 0.1 ^handler (fn [args] (while true)))
        (var calls ["spin" "greet" "spin" "greet"])
        ((registry .execute_all (calls .map (fn [name] {^name name ^arguments {^who "a"}}))) .map (fn [r] r/code))
        """
        assert after_greet(program) == ["timeout", None, "timeout", None]

    @pytest.mark.parametrize("where", ["the main thread", "another thread"])
    def test_handlers_recurse_as_deeply_as_the_language_does(self, where):
        """A handler can nest 100,000 calls, wherever it runs."""
        registry = handled(
            "(fn [args] (deep 100000))",
            "(fn deep [n] (if (n == 0) 0 else (1 + (deep (n - 1))))) registry",
        )
        results = []
        thread = threading.Thread(target=lambda: results.append(registry.call("t")))
        if where == "the main thread":
            thread.run()
        else:
            thread.start()
            thread.join()
        assert results[0].value == 100000


class TestMessages:
    """Calls out of a model's messages, results back into them."""

    ANTHROPIC = """
    (var message {^role "assistant" ^content [
      {^type "text" ^text "Let me see."}
      {^type "tool_use" ^id "toolu_1" ^name "greet" ^input {^who "you"}}
      {^type "tool_use" ^id "toolu_2" ^name "nope" ^input {}}]})
    """

    def test_other_formats(self):
        """`^format` names the wire format, on the way in and on the way out."""
        program = (
            self.ANTHROPIC
            + """
        (var calls (ai/tools/parse_tool_calls message ^format "anthropic"))
        (ai/tools/format_results (registry .execute_all calls) ^format "anthropic")
        """
        )
        (message,) = after_greet(program)
        assert message["role"] == "user"
        assert [(part["tool_use_id"], part.get("is_error", False)) for part in message["content"]] == [
            ("toolu_1", False),
            ("toolu_2", True),
        ]

    @pytest.mark.parametrize(
        "name", ["openai", "openai_responses", "anthropic", "gemini", "ollama", "backboard"]
    )
    def test_a_whole_exchange_in_every_format(self, name):
        """What `assistant_message` writes for calls, `parse_tool_calls` reads back, and results can be sent."""
        program = f"""
        (var made [(new ai/tools/ToolCall "greet" {{^who "you"}} ^id "c1")])
        (var message (ai/tools/assistant_message made ^format "{name}" ^text "Well."))
        (var calls (ai/tools/parse_tool_calls message ^format "{name}" ^tools registry))
        (var results (registry .execute_all calls))
        (var sent (ai/tools/format_results results ^format "{name}" ^calls calls))
        [calls/0/name calls/0/arguments results/0/value sent/.size]
        """
        assert after_greet(program) == ["greet", {"who": "you"}, {"who": "you", "times": 1}, 1]

    def test_names_that_a_provider_refuses_are_mapped_there_and_back(self):
        """With `^tools` a name that was changed on export is the registered one again."""
        program = """
        (var r (ai/tools/registry))
        (r .register "math.add" ^description "d" ^handler (fn [args] 3))
        (var offered (r .to_openai_format))
        (var name offered/0/function/name)
        (var calls (ai/tools/parse_tool_calls ^tools r
          {^role "assistant" ^tool_calls [{^id "1" ^function {^name name ^arguments "{}"}}]}))
        (var results (r .execute_all calls))
        [(name .contains ".") calls/0/name results/0/value]
        """
        assert value(program) == [False, "math.add", 3]

    def test_a_message_without_calls_has_none(self):
        """A plain answer gives an empty array."""
        assert value('(ai/tools/parse_tool_calls {^role "assistant" ^content "Hello"})') == []

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ('"{\\"who\\": "', "not valid JSON"),
            ('"[1]"', "must be a JSON object, not an array"),
            ('"nonsense"', "not valid JSON"),
            ("5", "must be a JSON object"),
        ],
    )
    def test_a_call_with_broken_arguments_is_answered(self, arguments, message):
        """It parses to a call with an error, and executes to an error for the model under its id."""
        program = f"""
        (var calls (ai/tools/parse_tool_calls {{^role "assistant" ^tool_calls [
          {{^id "c1" ^type "function" ^function {{^name "greet" ^arguments {arguments}}}}}]}}))
        (var results (registry .execute_all calls))
        [calls/0/error calls/0/arguments (ai/tools/format_results results)]
        """
        text, parsed, sent = after_greet(program)
        assert message in text
        assert parsed is None
        assert sent[0]["tool_call_id"] == "c1"
        assert message in sent[0]["content"]

    @pytest.mark.parametrize(
        ("call", "message"),
        [
            ("(ai/tools/parse_tool_calls)", "requires an assistant message, a Map or JSON text, got nothing"),
            ("(ai/tools/parse_tool_calls 5)", "requires an assistant message, a Map or JSON text, got VkInt"),
            ('(ai/tools/parse_tool_calls "{")', "The text is not JSON"),
            ("(ai/tools/parse_tool_calls {^a 1})", "Expected an OpenAI assistant message or response"),
            ('(ai/tools/parse_tool_calls {^error {^message "quota"}})', "answered with an error: quota"),
            ('(ai/tools/parse_tool_calls {} ^format "acme")', "The provider 'acme' is not supported"),
            ("(ai/tools/parse_tool_calls {} ^tools 5)", "^tools must be a ToolRegistry, got VkInt"),
            ("(ai/tools/format_results)", "requires ToolResults, as execute_all returns them, got nothing"),
            (
                "(ai/tools/format_results [{^a 1}])",
                "requires ToolResults, as execute_all returns them, got VkMap at index 0",
            ),
            (
                "(ai/tools/assistant_message [5])",
                "requires ToolCalls, as parse_tool_calls returns them, got VkInt at",
            ),
            (
                "((ai/tools/registry) .execute_all)",
                "requires ToolCalls, as parse_tool_calls returns them, got nothing",
            ),
            (
                "((ai/tools/registry) .execute_all [5])",
                "execute_all requires ToolCalls, got VkInt at index 0",
            ),
            (
                "((ai/tools/registry) .execute_all [{^id 1}])",
                "requires ToolCalls, got a Map without a name at index 0",
            ),
            ("((ai/tools/registry) .nope)", "Method nope not found on VkToolRegistry"),
            ("(ai/tools/registry 5)", "Expected 0 arguments, got 1"),
            ("(ai/tools/registry ^colour 5)", "Unexpected keyword argument: colour"),
            (
                '(ai/tools/registry ^timeout "soon")',
                "timeout must be a number of seconds above 0, not 'soon'",
            ),
        ],
    )
    def test_wrong_use_is_explained(self, call, message):
        """The message says what was expected and what came."""
        assert message in fails(call)

    def test_calls_written_by_hand(self):
        """`execute_all` takes maps as well; ids that are missing are made up, and no two are alike."""
        program = """
        ((registry .execute_all [{^name "greet" ^arguments {^who "a"}}
                                 {^name "greet" ^arguments "{\\"who\\": \\"b\\"}"}
                                 {^name "greet"}])
         .map (fn [r] [r/id r/text]))
        """
        results = after_greet(program)
        assert len({call_id for call_id, _ in results}) == 3
        assert [text for _, text in results] == [
            '{"who":"a","times":1}',
            '{"who":"b","times":1}',
            "Invalid arguments for tool 'greet': who: is required (a string)",
        ]

    def test_calls_may_run_in_parallel(self):
        """`^parallel` runs several at once and keeps the order of the results."""
        program = """
        (var r (ai/tools/registry))
        (r .register "wait" ^description "d" ^parameters [{^name "ms" ^type "integer"}]
          ^handler (fn [args] (sleep args/ms) args/ms))
        (var calls ([150 10 150 10] .map (fn [ms] {^name "wait" ^arguments {^ms ms}})))
        (var start (time/now_us))
        (var results ((r .execute_all calls ^parallel 4) .map (fn [r] r/value)))
        [results ((time/now_us) - start)]
        """
        results, microseconds = value(program)
        assert results == [150, 10, 150, 10]
        assert microseconds < 300_000


class TestBothSides:
    """One registry, used from Gene and from Python."""

    def test_a_gene_registry_is_pythons(self):
        """What Gene makes is a ToolRegistry, and calls of its tools from Python are like any other."""
        registry = after_greet("registry")
        assert type(registry) is ToolRegistry
        assert registry.execute("greet", {"who": "a"}) == '{"who":"a","times":1}'
        assert isinstance(registry.call("greet", {}).error, InvalidArgumentsError)

    def test_a_python_registry_answers_to_gene(self):
        """A registry that Python defines is the same object in Gene, its own tools included."""
        registry = ToolRegistry()

        @registry.tool
        def add(a: int, b: int = 2) -> int:
            """Add two numbers."""
            return a + b

        gene = Interpreter()
        gene.define("registry", registry)
        gene.eval(
            '(registry .register "neg" ^description "d" ^parameters [{^name "n" ^type "integer"}] ^handler (fn [args] (- args/n)))'
        )
        assert gene.eval('[(registry .execute "add" {^a 1}) (registry .list)]') == [3, ["add", "neg"]]
        assert registry.call("neg", {"n": 5}).value == -5
        assert gene.get("registry") is registry

    @pytest.mark.parametrize("text", ["(registry .size)", "(println registry)", "call/name", "result/text"])
    def test_values_of_python_need_no_mention_of_ai(self, text):
        """Registries, calls and results are known to Gene even where the program never loads `ai`."""
        program = (
            "from ai_tools.registry import ToolRegistry\n"
            "from ai_tools.types import ToolCall, ToolResult\n"
            "from gene.interpreter import Interpreter\n"
            "gene = Interpreter()\n"
            "gene.define('registry', ToolRegistry())\n"
            "gene.define('call', ToolCall('1', 'name'))\n"
            "gene.define('result', ToolResult(1, 'name'))\n"
            f"print(gene.eval({text!r}))\n"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert done.stdout.split()[0] in {"0", "<ToolRegistry", "name"}

    def test_a_python_tool_object_can_be_registered_from_gene(self):
        """`.register` takes what Python's takes: objects, functions, tools of another registry."""

        class Upper:
            name = "upper"
            description = "Capitals"

            def __init__(self):
                self.parameters = {"type": "object", "properties": {"text": {"type": "string"}}}

            def execute(self, args):
                return args["text"].upper()

        def double(n: int) -> int:
            """Twice a number."""
            return 2 * n

        gene = Interpreter()
        gene.define("upper", Upper())
        gene.define("double", double)
        gene.eval('(var r (ai/tools/registry)) (r .register upper; .register double ^name "twice")')
        gene.eval('(var other (ai/tools/registry)) (other .register (r .get "twice"))')
        assert gene.eval('[(r .execute "upper" {^text "a"}) (r .execute "twice" {^n 4}) (other .list)]') == [
            "A",
            8,
            ["twice"],
        ]

    def test_two_interpreters_have_registries_of_their_own(self):
        """Nothing is shared but what the host shares."""
        first, second = Interpreter(), Interpreter()
        first.eval(GREET)
        second.eval("(var registry (ai/tools/registry))")
        assert (len(first.get("registry")), len(second.get("registry"))) == (1, 0)

    def test_no_capability_is_needed(self):
        """`ai/tools` works in an interpreter that grants nothing."""
        assert (
            Interpreter(capabilities=()).eval(GREET + '(registry .execute "greet" {^who "a"})')["who"] == "a"
        )

    def test_names_can_be_imported(self):
        """`(import ai/tools/registry)` brings a member into the module."""
        program = """
        (import ai/tools/registry)
        (import ai/tools/parse_tool_calls ai/tools/NotFoundError)
        (var r (registry))
        (println (parse_tool_calls {^role "assistant"}) (try (r .execute "x") catch NotFoundError "not there"))
        """
        assert output(program) == "[] not there\n"

    def test_results_of_python_read_by_path(self):
        """Calls and results that Python made have the members that Gene documents."""
        gene = Interpreter()
        gene.define("call", ToolCall("c1", "t", raw_arguments='{"a": 1}'))
        gene.define("result", ToolResult(1, "1", ToolTimeoutError("t", 2), "c1", "t"))
        assert gene.eval("[call/id call/arguments call/raw_arguments]") == ["c1", None, '{"a": 1}']
        assert gene.eval("[result/id result/ok result/error result/code]") == [
            "c1",
            False,
            "timed out after 2 s",
            "timeout",
        ]


def test_the_recorded_calls_are_replayed_from_gene():
    """Of 940 real calls through Gene, 939 succeed as they were made, and the one that breaks its schema fails."""
    program = """
    (fn replay [conversation]
      (var r (ai/tools/registry))
      (for tool in conversation/tools
        (r .register tool ^handler (fn [args] args)))
      (var calls (ai/tools/parse_tool_calls conversation/message ^tools r))
      (var results (r .execute_all calls))
      [results (ai/tools/format_results results)])
    (fn [line] (replay (gene/json/parse line)))
    """
    replay, refused, succeeded = value(program), [], 0
    for line in DATA.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        results, messages = replay(line)
        assert [message["tool_call_id"] for message in messages] == [
            call["id"] for call in case["message"]["tool_calls"]
        ]
        for call, result in zip(case["calls"], results, strict=True):
            if result.error is None:
                succeeded += 1
                assert result.name == call["name"]
                assert {name: result.value[name] for name in call["arguments"]} == call["arguments"]
            else:
                refused.append((case["id"], result.text))
    assert succeeded == 939
    assert refused == [
        (
            "simple_python_200",
            "Invalid arguments for tool 'calculate_emissions': fuel_efficiency: is required (a number)",
        )
    ]


def test_a_program_can_define_and_call_tools_of_tools():
    """Tools may call each other through the registry; an exception of the inner call is the outer's error."""
    program = """
    (registry .register "twice" ^description "d" ^parameters [{^name "who" ^type "string"}]
      ^handler (fn [args] [(registry .execute "greet" args) (registry .execute "greet" args)]))
    [(registry .execute "twice" {^who "a"}) (registry .execute "twice" {})]
    """
    good, bad = after_greet(program)
    assert good == [{"who": "a", "times": 1}] * 2
    assert bad["error"] == "Invalid arguments for tool 'greet': who: is required (a string)"


def test_printing_stays_where_the_handler_prints():
    """A handler's output goes where the program's goes."""
    made, printed = run(
        GREET
        + '(registry .register "say" ^description "d" ^handler (fn [args] (println "hi"))) (registry .execute "say")'
    )
    assert (made, printed) == (None, "hi\n")
