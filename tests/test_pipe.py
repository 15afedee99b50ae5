"""``gene pipe``: code for each line of standard input."""

import json
import subprocess
import sys

import pytest
from gene_command import environment, gene


def test_results_are_printed_line_by_line():
    """The code sees each line without its end, whatever that is; strings are printed raw."""
    done = gene("pipe", "($line .to_upper)", text="ab\n\r\nçd\r\nlast")
    assert (done.stdout, done.stderr, done.returncode) == ("AB\n\nÇD\nLAST\n", "", 0)


def test_nil_prints_nothing_and_all_else_does():
    """Only nil is left out: false, void and empty strings are results."""
    code = '(case $line when "n" nil when "f" false when "v" {}/x else [$line 1.0])'.replace("{}/x", "void")
    assert gene("pipe", code, text="n\nf\nv\na\n").stdout == "false\nvoid\n[a 1.0]\n"


def test_quoted_strings():
    """``--quote-str`` prints results as literals."""
    assert gene("pipe", "--quote-str", '($line .split ",")', text='a,"b"\n').stdout == '["a" "\\"b\\""]\n'
    assert gene("pipe", "--quote-str", "$line", text="x\ty\n").stdout == '"x\\ty"\n'


def test_filter_prints_the_lines_whose_result_is_truthy():
    """Lines are printed as they are; nil, false and void drop them, 0 does not."""
    code = '(case $line when "a" true when "b" false when "c" 0 when "d" nil else void)'
    assert gene("pipe", "--filter", code, text="a\nb\nc\nd\ne\n").stdout == "a\nc\n"


def test_code_may_have_several_forms_variables_and_definitions():
    """Arguments are joined with blanks; what is defined is there for the line."""
    done = gene("pipe", "(fn twice [s] (s .append s))", "(var x (twice $line))", "(x .append x)", text="ab\n")
    assert done.stdout == "abababab\n"


def test_members_are_kept_between_lines_and_variables_are_not():
    """What the code assigns to a member of the module is there for the next line."""
    code = '(if ($line == "1") ($ns/sum = 0)) (var n 0) (n += 1) ($ns/sum += ($line .to_i)) [$ns/sum n]'
    assert gene("pipe", code, text="1\n2\n4\n").stdout == "[1 1]\n[3 1]\n[7 1]\n"


def test_modules_can_be_imported(tmp_path):
    """The code imports from files in the working directory."""
    (tmp_path / "words.gene").write_text(
        '(println "loaded") (fn shout [s] (s .append "!"))', encoding="utf-8"
    )
    done = gene("pipe", '(import shout from "words") (shout $line)', text="a\nb\n", cwd=tmp_path)
    assert done.stdout == "loaded\na!\nb!\n"


def test_an_error_ends_it_with_the_number_of_the_line():
    """What was printed stays; the error is JSON behind the number of the line."""
    done = gene("pipe", "($line .to_i)", text="1\n2\nx\n4\n")
    assert (done.stdout, done.returncode) == ("1\n2\n", 1)
    place, _, detail = done.stderr.partition(": ")
    assert place == "Error at line 3"
    assert json.loads(detail)["message"] == "to_i requires a numeric string"
    assert json.loads(detail)["code"] == "GENE.RUNTIME.ERROR"


def test_an_undefined_name_is_an_error_of_the_first_line():
    """Its code is that of the language's report; without input nothing runs."""
    done = gene("pipe", "(nope $line)", text="a\n")
    assert done.stderr.startswith('Error at line 1: {"code":"GENE.SCOPE.UNDEFINED_VAR"')
    assert gene("pipe", "(nope $line)", text="").returncode == 0


def test_a_line_that_is_not_utf_8_is_an_error():
    """The line is named; those before it are done."""
    done = subprocess.run(
        [sys.executable, "-m", "gene", "pipe", "$line"],
        input=b"a\n\xff\n",
        capture_output=True,
        env=environment(),
        check=False,
    )
    assert (done.stdout, done.returncode) == (b"a\n", 1)
    assert done.stderr.startswith(b'Error at line 2: {"code":"GENE.RUNTIME.ERROR"')
    assert b"not UTF-8" in done.stderr


@pytest.mark.parametrize("code", ["(f", ")", "(if)"])
def test_code_that_is_wrong_is_refused_before_any_line(code):
    """Errors of syntax and of compilation are reported as everywhere, at their place in CODE."""
    done = gene("pipe", code, text="a\n")
    assert (done.stdout, done.returncode) == ("", 1)
    assert "--> <pipe>:1:1" in done.stderr


def test_usage():
    """Code is needed, and options are known."""
    assert gene("pipe").stderr == "Error: gene pipe needs CODE, such as '($line .to_upper)'\n"
    assert gene("pipe", "--fliter", "x").stderr == "Error: Unknown option: --fliter\n"
    assert gene("pipe", "--filter", "--quote-str", "x").returncode == 1


def test_results_come_while_the_input_is_open():
    """Each result is there before the next line is sent, which an endless input needs."""
    with subprocess.Popen(
        [sys.executable, "-m", "gene", "pipe", "($line .to_upper)"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    ) as process:
        for word in (b"one", b"two"):
            process.stdin.write(word + b"\n")
            process.stdin.flush()
            assert process.stdout.readline() == word.upper() + b"\n"
        process.stdin.close()
        assert process.wait(timeout=30) == 0


def test_a_reader_that_has_seen_enough_ends_it_quietly():
    """A closed pipe is no error of the program."""
    done = subprocess.run(
        f"yes | {sys.executable} -m gene pipe '$line' | head -n 1",
        shell=True,
        capture_output=True,
        env=environment(),
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr) == (b"y\n", b"")


def test_packages_are_declared_once(tmp_path):
    """What the code declares with ``$dep`` it can import from."""
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "package.gene").write_text("^name words")
    (tmp_path / "w" / "index.gene").write_text("(fn loud [s] (s .to_upper))")
    code = '(import loud of "words") ($dep "words" "w") (loud $line)'
    done = gene("pipe", code, text="a\nb\n", cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("A\nB\n", "")
