"""What programs rely on: the shapes that tools are written in, and the facts that surprise."""

from __future__ import annotations

import json
import re

import pytest
from gene_command import gene
from support import fails, output, value

from gene.interpreter import Interpreter
from gene.stdlib.capabilities import ALL

TOOL = """
(import CONFIG from "settings")
(var log (new genex/logging/Logger $ns))

(fn $ns/register_word_count_tool [register_tool log root]
  (register_tool "word_count"
    "Count words of a text file below the root directory"
    {^type "object"
     ^properties {^path {^type "string" ^description "relative path"}
                  ^min  {^type "integer"}}
     ^required ["path"]}
    (fn [args]
      (var rel ((args/path || "") .to_s))
      (if rel/.empty? (return {^error "Missing path"}))
      (if ((rel .starts_with "/") || (rel .include? ".."))
        (return {^error "Path must stay below the root"}))
      (var smallest (args .get "min" 1))
      (try
        (var text (gene/io/read #"#{root}/#{rel}"))
        (var words ((text .split #/\\s+/) .filter (fn [w] (w/.length >= smallest))))
        (log .info #"word_count #{rel}: #{words/.size}")
        {^path rel ^count words/.size}
      catch *
        {^error #"Cannot read: #{$ex/message}"}))))

(var TOOLS {})
(fn register [name description schema handler]
  (TOOLS .set name {^description description ^schema schema ^handler handler}))
(register_word_count_tool register log CONFIG/root)

(fn call [name args]
  (var tool TOOLS/<name>)
  (if_not tool (return {^error #"no tool #{name}"}))
  (tool/handler args))

(fn shown [v]
  (if ((v is Map) || (v is Array)) v/.to_json else ((v || "") .to_s)))

(for args in [{^path "a.txt"} {^path "a.txt" ^min 3} {} {^path "../a"} {^path "none"}]
  (println (shown (call "word_count" args))))
(println (shown (call "other" {})) (shown nil) (shown 5))
"""


def test_a_tool_as_tool_programs_write_it(tmp_path):
    """Imports, a logger, registration, a schema, defaults, early returns, files, errors as results."""
    (tmp_path / "a.txt").write_text("to be or not\nto be äöü")
    (tmp_path / "settings.gene").write_text(f'(var $ns/CONFIG {{^root "{tmp_path}"}})')
    (tmp_path / "main.gene").write_text(TOOL)
    done = gene("run", str(tmp_path / "main.gene"))
    assert done.returncode == 0, done.stderr
    *results, last = done.stdout.splitlines()
    assert [json.loads(each) for each in results] == [
        {"path": "a.txt", "count": 7},
        {"path": "a.txt", "count": 2},
        {"error": "Missing path"},
        {"error": "Path must stay below the root"},
        {"error": f"Cannot read: Failed to read file '{tmp_path}/none': cannot open: {tmp_path}/none"},
    ]
    assert last == '{"error":"no tool other"}  5'
    line = r"T00 INFO  \d\d-\d\d-\d\d \w{3} \d\d:\d\d:\d\d\.\d{3} main word_count a\.txt: "
    first, second = done.stderr.splitlines()
    assert re.fullmatch(line + "7", first)
    assert re.fullmatch(line + "2", second)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('(fn f [r] (if_not r/ok (return {^error (r/error || "failed")})) 1) [(f {}) (f {^ok true})]',
         [{"error": "failed"}, 1]),
        ('(var parts []) (parts .push "a") (parts .push "b") (parts .join "\\n")', "a\nb"),
        ('(var s "abcdef") (var n 3) (s .substr 0 (n - 1))', "abc"),
        ("(var start gene/now/.call/.to_i) (var took (gene/now/.call/.to_i - start)) (0 <= took < 60000)", True),
        ("""(var r (system/shell #"cd '#{"/"}' && pwd 2>&1")) (if (r/exit_code != 0) "failed" else (r/output .trim))""",
         "/"),
        ("(var n 0) (var i 0) (var xs [1 2 3]) (while (i < xs/.size) (n += xs/<i>) (i += 1)) n", 6),
        ("(var m {}) (var n 0) (for item in (m/items || []) (n += 1)) n", 0),
    ],
)  # fmt: skip
def test_idioms(text, expected):
    """Result maps, accumulation, truncation, timing, shell, loops with a default."""
    assert value(text) == expected


def test_reading_lines_to_the_end():
    """A loop over the input ends when there is no more of it."""
    code = (
        "(var n 0) (loop (var line (readline)) (if_not line (break)) (n += 1) (println n line)) (println n)"
    )
    assert gene("eval", code, text="a\n\nb").stdout == "1 a\n2 \n3 b\n3\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('("abc" .split "")', ["abc"]),
        ('("hELLO" .capitalize)', "Hello"),
        ("(0.1 + 0.2)", 0.30000000000000004),
        ("([10 9 100] .sort)", [10, 100, 9]),
        ("(var xs [1]) [(xs .push 5) (xs .append 6) (xs .set 0 0) (xs .del 0)]", [2, [5, 6], [5, 6], 0]),
        ("({^a 1} .map (fn [k v] [k v]))", {"a": ["a", 1]}),
        ("(var m {^a 1}) (m .merge {^b 2}) m", {"a": 1, "b": 2}),
        ('(var m {}) (m .set `a 1) (m .set "a" 2) [m (m .keys)]', [{"a": 2}, ["a"]]),
        ("(var m {^z 1 ^a 2}) (m .set `k 3) (m .keys)", ["z", "a", "k"]),
        ('([1] .get 5 "d")', None),
        ("(var m {^f (fn [x] (x + 1))}) (m/f 1)", 2),
        ('(var s "abc") [(typeof s/length) s/.length]', ["VkVoid", 3]),
        ('(var r (system/shell "echo out; echo err >&2; exit 3")) [r/exit_code r/output]', [3, "out\nerr\n"]),
    ],
)  # fmt: skip
def test_surprising_facts(text, expected):
    """Each holds as it is documented."""
    assert value(text) == expected


def test_printing_surprises():
    """Containers hide quotes, nil has two texts, and a method to_s is never called by itself."""
    assert output('(println ["a b" "c"])') == "[a b c]\n"
    assert (
        output('(var xs ["a \\" b"]) (println (xs .to_s) ($ xs) #"#{xs}")')
        == '["a " b"] ["a " b"] ["a " b"]\n'
    )
    assert output('(println #"#{nil}" ($ nil) ([nil] .join) ("x" .append nil) (nil .to_s))') == "nil   x \n"
    text = '(class A (method to_s [] "me")) (var a (new A)) (println a #"#{a}" ($ a) (a .to_s))'
    assert output(text) == "VkInstance VkInstance VkInstance me\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('("a" + "b")', "Cannot add values of type: VkString"),
        ('("a" * 2)', "Cannot multiply values of type: VkString"),
        ('("a" < "b")', "Cannot compare VkString < VkString"),
        ('(for c in "ab" c)', "Method iter not found on VkString"),
        ("({^a 1} .length)", "Method length not found on VkMap"),
        ("([1] .include? 1)", "Method include? not found on VkArray"),
        ('("a" .to_json)', "Method to_json not found on VkString"),
        ("({^f (fn [x] x)} .f 1)", "Method f not found on VkMap"),
    ],
)
def test_what_there_is_not(text, message):
    """What other languages have, and Gene has not, is an error that names it."""
    assert fails(text) == message


def test_arguments_lose_their_dashes(tmp_path):
    """``$args`` is what the reference implementation hands over."""
    (tmp_path / "a.gene").write_text("(println $args $args/.size)")
    done = gene("run", str(tmp_path / "a.gene"), "--flag", "--k=v", "--", "x")
    assert done.stdout == "[flag k v  x] 5\n"


def test_the_environment_is_that_of_the_start(monkeypatch):
    """``$env`` does not follow set_env, get_env does."""
    monkeypatch.setenv("GENE_TEST_VARIABLE", "old")
    interpreter = Interpreter(capabilities=ALL)
    code = '(set_env "GENE_TEST_VARIABLE" "new") [$env/GENE_TEST_VARIABLE (get_env "GENE_TEST_VARIABLE")]'
    assert interpreter.eval(code) == ["old", "new"]
