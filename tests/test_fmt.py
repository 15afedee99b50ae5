"""``gene fmt``: one layout, the same data, every comment, and nothing half-written."""

import os
import stat
from pathlib import Path

import pytest
from form_shapes import shapes
from gene_command import gene
from hypothesis import given, settings
from hypothesis import strategies as st
from test_conformance import ALL_PROGRAMS
from test_reader_fuzz import PROGRAM, TEXTS, mutated_programs

from gene.errors import GeneSyntaxError
from gene.formatter import format_text
from gene.formatter.tokens import comments, tokens
from gene.formatter.tree import WIDTH

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").rglob("*.gene"))


def is_gene(text):
    """Whether a text can be read."""
    try:
        shapes(text)
    except GeneSyntaxError:
        return False
    return True


READABLE = [program.text for program in ALL_PROGRAMS if is_gene(program.text)]


def comments_of(text):
    """The comments of a text, without the blanks at their ends."""
    found, position = [], 0
    for _name, start, end in tokens(text):
        found += [match[0].rstrip() for match in comments(text, position, start)]
        position = end
    return found


def check(text):
    """A layout reads as the same data, has the same comments, and is its own layout."""
    formatted = format_text(text)
    assert shapes(formatted) == shapes(text)
    assert comments_of(formatted) == comments_of(text)
    assert format_text(formatted) == formatted


@st.composite
def spaced_programs(draw):
    """Programs with other white space and comments between their tokens."""
    text = draw(st.sampled_from([*READABLE, PROGRAM, *(path.read_text("utf-8") for path in EXAMPLES)]))
    if draw(st.booleans()):
        text = f"[{{^k (fn f [a] {text}\n)}}]"
    spaces = st.sampled_from(
        [" ", " ", "\n", "\n\n\n", "\n  ", ",", "\r\n", " # c\n", "\n# own\n", " #< b ># ", "\n#< b\n c >#\n"]
    )
    made, position = [], 0
    for _name, start, end in tokens(text):
        space = text[position:start]
        change = space and "#" not in space and draw(st.integers(0, 3)) == 0
        made += [draw(spaces) if change else space, text[start:end]]
        position = end
    return "".join(made)


# ------------------------------------------------------------------------------------------- what holds always


@pytest.mark.parametrize("program", ALL_PROGRAMS, ids=lambda program: program.id)
def test_the_layout_of_a_program_reads_as_the_program(program):
    """All 290 programs keep their data, and their layout is canonical; two of them are no Gene."""
    if program.text in READABLE:
        check(program.text)
    else:
        with pytest.raises(GeneSyntaxError):
            format_text(program.text)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_are_in_canonical_layout(path):
    """What this project shows of Gene is laid out as ``gene fmt`` would."""
    text = path.read_text(encoding="utf-8")
    assert format_text(text) == text


@given(spaced_programs())
@settings(deadline=None, max_examples=300)
def test_white_space_and_comments_anywhere(text):
    """However a program is spaced and commented, its layout holds."""
    if is_gene(text):
        check(text)


@given(st.one_of(TEXTS, mutated_programs()))
@settings(deadline=None, max_examples=300)
def test_any_text_that_can_be_read(text):
    """Whatever the reader takes, the formatter takes."""
    if is_gene(text):
        check(text)


@given(
    st.recursive(
        st.sampled_from(["x", '"text"', "12"]), lambda inner: st.lists(inner, max_size=9), max_leaves=60
    )
)
@settings(deadline=None)
def test_no_line_is_too_long_that_could_be_broken(datum):
    """Short literals never need a line of more than 100 characters, unless the nesting itself takes them."""

    def text(part):
        return part if isinstance(part, str) else f"[{' '.join(map(text, part))}]"

    def depth(part):
        return 0 if isinstance(part, str) else 1 + max(map(depth, part), default=0)

    if depth(datum) < 20:
        assert all(len(line) <= WIDTH for line in format_text(text(datum)).splitlines())


@pytest.mark.parametrize("opening", ["(", "[", "{^k ", "`", "%", "#@f ", "(do\n", "[# c\n"])
def test_data_nested_deeper_than_the_stack(opening):
    """20,000 levels are no problem."""
    closing = {"(": ")", "[": "]", "{": "}"}.get(opening[0], "")
    text = opening * 20_000 + "x" + closing * 20_000
    formatted = format_text(text)
    assert "".join(formatted.split()) == "".join(text.split())
    assert format_text(formatted) == formatted


def test_large_files_take_time_in_proportion():
    """A file of 5,000 forms is laid out in seconds."""
    text = "(fn f [a b] (if (a < b) {^x [a b]} else (g a b))) # comment\n" * 5_000
    assert format_text(text) == text


# ------------------------------------------------------------------------------------------------ the layout

LAYOUTS = {
    "spread values": ("(f  (g)...   [1]... x ...)", "(f (g)... [1]... x ...)"),
    "groups of an import": (
        '(import a/[b  c] d/[e]  from "m")\n(f x/ [1] /[2])',
        '(import a/[b c] d/[e] from "m")\n(f x/ [1] / [2])',
    ),
    "short forms stay on a line": ("(  f   a\t[1,2,3]  {^k  1 , ^j 2} )", "(f a [1 2 3] {^k 1 ^j 2})"),
    "a call of names and literals is joined": ("(println\n  1\n  2)", "(println 1 2)"),
    "top-level forms get lines": ("(a) (b) 1 2\n3", "(a)\n(b)\n1 2\n3"),
    "spellings": (
        r"""(f 0xAB_CD +7 1e3 1. "\u00e9" "a
 b" '\n' #/a\/b/i 09:30 ^^k ^!j ^a^b 1)""",
        r"""(f 0xAB_CD +7 1e3 1. "\u00e9" "a
 b" '\n' #/a\/b/i 09:30 ^^k ^!j ^a^b 1)""",
    ),
    "interpolated strings are not touched": ('(f #"a  #{ (g   x) }  b")', '(f #"a  #{ (g   x) }  b")'),
    "functions": ("(fn f [a\n b] -> Int\n(g a)   (h b))", "(fn f [a\n       b] -> Int\n  (g a)\n  (h b))"),
    "heads with properties": (
        '(fn f\n^intent "i"\n[a]\na)',
        '(fn f\n  ^intent "i"\n  [a]\n  a)',
    ),
    "if": (
        "(if a\n b c\n elif not d then\n e else\n(f))",
        "(if a\n  b\n  c\nelif not d then\n  e\nelse\n  (f))",
    ),
    "try": (
        "(try (a)\n catch * (b) (c)\n  finally (d))",
        "(try\n  (a)\ncatch *\n  (b)\n  (c)\nfinally\n  (d))",
    ),
    "case with short arms": (
        '(case x\nwhen 1 "a"\n      when (E/V y) y\nelse "b")',
        '(case x\n  when 1 "a"\n  when (E/V y) y\n  else "b")',
    ),
    "case with bodies": (
        "(case x\n when 1\n (a)\n (b)\n else (c))",
        "(case x\nwhen 1\n  (a)\n  (b)\nelse\n  (c))",
    ),
    "loops": (
        "(for ^name l i x in xs\n (while a\n (b)))",
        "(for ^name l i x in xs\n  (while a\n    (b)))",
    ),
    "classes": (
        "(class A < B implements [I]\n ^fields {^x Int}\n (ctor [x] (/x = x))\n\n (method m []\n x))",
        "(class A < B implements [I]\n  ^fields {^x Int}\n  (ctor [x] (/x = x))\n\n  (method m []\n    x))",
    ),
    "the author's lines of a call": (
        '(register "name"\n      ^a 1 ^b 2\n (fn [x]\n x))',
        '(register "name"\n  ^a 1 ^b 2\n  (fn [x]\n    x))',
    ),
    "maps between lines of brackets": (
        "(f {\n^a 1\n   ^b {\n^c 2}})",
        "(f {\n  ^a 1\n  ^b {\n    ^c 2\n  }\n})",
    ),
    "maps below their first entry": ("(f {^a 1\n^b [1\n2]})", "(f {^a 1\n    ^b [1\n        2]})"),
    "aligned values": (
        "{\n^a    1 # one\n^long 2\n ^b    3\n\n^c 4}",
        "{\n  ^a    1 # one\n  ^long 2\n  ^b    3\n\n  ^c 4\n}",
    ),
    "chains": ("(s .trim;\n.split   \",\";.join '-')", "(s .trim;\n  .split \",\"; .join '-')"),
    "decorators": ("#@memo\n   (fn f [x]\nx)\n#@a #@b c", "#@memo\n(fn f [x]\n  x)\n#@a #@b c"),
    "quotes": ("` (a  %  b %_ c % d)", "`(a % b %_c % d)"),
    "blank lines": ("\n\n(a)\n\n\n\n(do\n\n b\n\n\n c\n\n)\n\n\n", "(a)\n\n(do\n  b\n\n  c)"),
    "a symbol that a blank would make a comment": ("(#`a # b\n)", "(#, `a # b\n)"),
    "line ends": ("(do\r\n  a\r\n  b)\r\n", "(do\n  a\n  b)"),
    "a byte order mark": ("\ufeff(a   b)", "\ufeff(a b)"),
    "a symbol that looks like the mark": ("\n\ufeffa", "\ufeff\ufeffa"),
    "nothing": ("  \n ", ""),
}


@pytest.mark.parametrize(("text", "expected"), LAYOUTS.values(), ids=LAYOUTS.keys())
def test_layout(text, expected):
    """Each rule of the layout, on a text that breaks it."""
    check(text)
    assert format_text(text) == (expected + "\n" if expected else "")


COMMENTS = {
    "above, behind and below": (
        "# top\n\n# more\n(a) # behind\n#< block >#\n(b)\n# end",
        "# top\n\n# more\n(a) # behind\n#< block >#\n(b)\n# end",
    ),
    "all kinds": ("#!/usr/bin/env gene\n## two\n#\n(a)", "#!/usr/bin/env gene\n## two\n#\n(a)"),
    "aligned ones": ("(a)      # 1\n(long a) # 2", "(a)      # 1\n(long a) # 2"),
    "in a body": ("(do # why\n# what\na\n b  # how\n)", "(do # why\n  # what\n  a\n  b  # how\n)"),
    "blanks at their ends": ("# a  \n(b) # c\t", "# a\n(b) # c"),
    "inside of a line": ("(f   #< x >#   a)", "(f #< x ># a)"),
    "over several lines": ("(do\n#< a\n     b >#\nc)", "(do\n  #< a\n     b >#\n  c)"),
    "between key and value": ("{^a # why\n1}", "{^a # why\n  1}"),
    "behind a quote": ("(f `# why\n x)", "(f `# why\n  x)"),
    "before else": (
        "(if a\n  b # yes\n  # otherwise\nelse # no\n  c)",
        "(if a\n  b # yes\n  # otherwise\nelse # no\n  c)",
    ),
    "a comment keeps its call broken": ("(f a # 1\nb)", "(f a # 1\n  b)"),
    "in arrays": ("[ # c\n1 # one\n2]", "[ # c\n  1 # one\n  2\n]"),
    "what looks like one": ("(f #note #<a># a#b)", "(f #note #<a># a#b)"),
}


@pytest.mark.parametrize(("text", "expected"), COMMENTS.values(), ids=COMMENTS.keys())
def test_comments(text, expected):
    """Comments keep their text and their place."""
    check(text)
    assert format_text(text) == expected + "\n"


LONG = {
    "a call gets a line for each argument": (
        f"(f a (g {'b' * 40}) (h {'c' * 50}))",
        f"(f a\n  (g {'b' * 40})\n  (h {'c' * 50}))",
    ),
    "operators begin lines": (
        f"(aaa || {'b' * 50} || {'c' * 50})",
        f"(aaa\n  || {'b' * 50}\n  || {'c' * 50})",
    ),
    "a map at the end of a call": (
        f'(registry .register {{^name "{"n" * 40}" ^description "{"d" * 40}"}})',
        f'(registry .register {{\n  ^name "{"n" * 40}"\n  ^description "{"d" * 40}"\n}})',
    ),
    "a function at the end of a call": (
        f"(xs .map (fn [x] (f {'a' * 50} {'b' * 40})))",
        f"(xs .map (fn [x]\n  (f {'a' * 50} {'b' * 40})))",
    ),
    "an array of short things is filled": (
        f"[{' '.join(['1234'] * 30)}]",
        f"[\n  {' '.join(['1234'] * 19)}\n  {' '.join(['1234'] * 11)}\n]",
    ),
    "a hash map keeps its pairs": (
        f'{{{{1 "{"a" * 50}" 2 "{"b" * 50}"}}}}',
        f'{{{{\n  1 "{"a" * 50}"\n  2 "{"b" * 50}"\n}}}}',
    ),
    "a string that fits nowhere stays": (f'(throw "{"m" * 120}")', f'(throw "{"m" * 120}")'),
}


@pytest.mark.parametrize(("text", "expected"), LONG.values(), ids=LONG.keys())
def test_long_forms(text, expected):
    """What does not fit on a line is broken where it reads best."""
    check(text)
    assert format_text(text) == expected + "\n"


# ------------------------------------------------------------------------------------------------- the command


@pytest.fixture
def folder(tmp_path):
    """A directory with a file in canonical layout and one that is not."""
    (tmp_path / "good.gene").write_text("(a b)\n", encoding="utf-8")
    (tmp_path / "bad.gene").write_text("(a   é)\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("command", ["fmt", "format"])
def test_files_are_rewritten_in_silence(folder, command):
    """The files have their canonical layout, and nothing is printed."""
    done = gene(command, "good.gene", "bad.gene", cwd=folder)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)
    assert (folder / "bad.gene").read_text(encoding="utf-8") == "(a é)\n"
    assert sorted(os.listdir(folder)) == ["bad.gene", "good.gene"]


def test_check_names_files_and_changes_nothing(folder):
    """Each file that is not canonical is named; the exit status is 1."""
    done = gene("fmt", "--check", "good.gene", "bad.gene", cwd=folder)
    assert done.stderr == "Error: File is not canonically formatted: bad.gene\n"
    assert (done.stdout, done.returncode) == ("", 1)
    assert (folder / "bad.gene").read_text(encoding="utf-8") == "(a   é)\n"


def test_check_says_that_all_is_well(folder):
    """When nothing is to be done, it says so and ends with 0."""
    done = gene("fmt", "--check", "good.gene", cwd=folder)
    assert (done.stdout, done.stderr, done.returncode) == ("All files are canonically formatted\n", "", 0)


def test_a_dash_is_standard_input():
    """Standard input goes to standard output."""
    assert gene("fmt", "-", text="(a   b)").stdout == "(a b)\n"
    done = gene("fmt", "--check", "-", text="(a   b)")
    assert (done.stderr, done.returncode) == ("Error: File is not canonically formatted: -\n", 1)


def test_files_with_errors_are_reported_and_left_alone(folder):
    """A file that cannot be read is reported as ``gene run`` reports it; the other files are done."""
    (folder / "broken.gene").write_text("(a   b", encoding="utf-8")
    (folder / "latin.gene").write_bytes(b"(a   \xe9)")
    done = gene("fmt", "broken.gene", "latin.gene", "missing.gene", "bad.gene", cwd=folder)
    assert done.returncode == 1
    assert done.stderr.startswith(
        "syntax error: EOF while reading list ) broken.gene 1\n  --> broken.gene:1:1\n"
    )
    assert "the file is not UTF-8" in done.stderr
    assert done.stderr.endswith("Error: File not found: missing.gene\n")
    assert gene("run", "broken.gene", cwd=folder).stderr in done.stderr
    assert (folder / "broken.gene").read_text(encoding="utf-8") == "(a   b"
    assert (folder / "bad.gene").read_text(encoding="utf-8") == "(a é)\n"


def test_modes_and_links_are_kept(folder):
    """A rewritten file has the mode it had, and a link stays a link to it."""
    (folder / "bad.gene").chmod(0o750)
    (folder / "link.gene").symlink_to("bad.gene")
    assert gene("fmt", "link.gene", cwd=folder).returncode == 0
    assert (folder / "link.gene").is_symlink()
    assert (folder / "bad.gene").read_text(encoding="utf-8") == "(a é)\n"
    assert stat.S_IMODE((folder / "bad.gene").stat().st_mode) == 0o750


def test_a_canonical_file_is_not_written(folder):
    """Its time stays, so that nothing is built anew."""
    os.utime(folder / "good.gene", (1, 1))
    gene("fmt", "good.gene", cwd=folder)
    assert (folder / "good.gene").stat().st_mtime == 1


def test_no_files_and_unknown_options_are_refused(folder):
    """The command says what it needs."""
    assert gene("fmt").stderr == "Error: gene fmt needs FILES, or - for standard input\n"
    assert gene("fmt", "--chekc", "good.gene", cwd=folder).stderr == "Error: Unknown option: --chekc\n"
    done = gene("fmt", ".", cwd=folder)
    assert (done.stderr, done.returncode) == ("Error: Cannot read .: Is a directory\n", 1)


def test_entries_without_braces_stay_beside_their_keys():
    """As in the description of a package, which is a map without its braces."""
    text = '# mine\n^name "app"\n^dependencies [\n  ($dep "words" "^1.2" ^path "../words")\n]\n^keys {^a 1}\n'
    assert format_text(text) == text
    assert format_text('^name   "app" ^main "src"\n') == '^name "app" ^main "src"\n'
