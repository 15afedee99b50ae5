"""``gene deser``: serialized data, shown as Gene text or JSON."""

import json

from gene_command import gene

from gene.stdlib.serdes import values_of

DATA = r"""{^n "\n" ^list [2.5 nil s 'c' (f ^k 1 x) {{1 2}} #[3] 2024-02-03 0#dead]}"""


def test_data_is_printed_as_text_that_reads_back():
    """What is printed is the data again."""
    done = gene("deser", text=DATA)
    assert (done.stdout, done.stderr, done.returncode) == (DATA + "\n", "", 0)


def test_what_serialize_wrote(tmp_path):
    """A file of ``write_tree`` is shown; long data is laid out over lines."""
    program = f'(gene/serdes/write_tree "t.tree" {{^rows [1 2] ^a "{"x" * 90}"}})'
    assert gene("eval", program, cwd=tmp_path).returncode == 0
    assert gene("deser", "t.tree", cwd=tmp_path).stdout == f'{{\n  ^rows [1 2]\n  ^a "{"x" * 90}"\n}}\n'


def test_json_is_a_line_for_each_datum():
    """Whatever JSON has no form for is a string of its text."""
    done = gene("deser", "--json", "-", text=DATA + "\n7")
    first, second = done.stdout.splitlines()
    assert second == "7"
    assert json.loads(first) == {
        "n": "\n",
        "list": [
            2.5,
            None,
            "s",
            "'c'",
            "(f ^k 1 x)",
            "{{1 2}}",
            [3],
            "2024-02-03",
            "0#dead",
        ],
    }


def test_no_code_runs():
    """A call is data."""
    assert gene("deser", text='(println "hi") x').stdout == '(println "hi")\nx\n'


def test_text_that_is_wrong_prints_nothing_but_the_error():
    """The place is shown, and nothing of the data before it."""
    done = gene("deser", text="[1]\n[2")
    assert (done.stdout, done.returncode) == ("", 1)
    assert done.stderr.startswith("syntax error: EOF while reading list ] <stdin> 2\n  --> <stdin>:2:1\n")


def test_files_that_cannot_be_read(tmp_path):
    """The file is named."""
    assert gene("deser", "nope", cwd=tmp_path).stderr == "Error: File not found: nope\n"
    assert gene("deser", "a", "b").stderr == "Error: gene deser reads one FILE, or standard input\n"


def test_nothing_prints_nothing():
    """No data is no error."""
    done = gene("deser", text=" # only a comment\n")
    assert (done.stdout, done.returncode) == ("", 0)


def test_values_are_data():
    """Arrays and maps are those of programs."""
    (value,) = values_of("{^a [1 #{^b 2}]}", "t")
    assert value == {"a": [1, {"b": 2}]}
    assert type(value) is dict
    assert type(value["a"]) is list
