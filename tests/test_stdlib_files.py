"""Files, directories and paths, on a real file system."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gene.runtime.exceptions import ArgumentException, GeneException, IOException
from gene.runtime.methods import send
from gene.stdlib import directories, files, paths


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_write_then_read(home):
    """What is written is read back; writing gives nil and replaces what was there."""
    assert files.write("ref_demo.txt", "line1\nline2\n") is None
    assert files.read("ref_demo.txt") == "line1\nline2\n"
    files.write("ref_demo.txt", "é😀\r\n\0")
    assert (home / "ref_demo.txt").read_bytes() == "é😀\r\n\0".encode()
    assert files.read("ref_demo.txt") == "é😀\r\n\0"


def test_append(home):
    """Appending makes the file or adds to it."""
    files.append("a", "1\n")
    files.append("a", "2\n")
    assert files.read("a") == "1\n2\n"


def test_exists_and_delete(home):
    """A file exists until it is deleted; a directory is no file; deleting twice is no error."""
    files.write("f", "")
    (home / "d").mkdir()
    assert (files.exists("f"), files.exists("d"), files.exists("nope")) == (True, False, False)
    assert (files.delete("f"), files.delete("f"), files.exists("f")) == (True, False, False)


def test_lines(home):
    """Lines come without their ends, whether or not the last one has one."""
    files.write("l", "line1\nline2\r\n\nlast")
    assert files.read_lines("l") == ["line1", "line2", "", "last"]
    files.write("l", "a\n")
    assert files.read_lines("l") == ["a"]
    files.write("l", "")
    assert files.read_lines("l") == []


@given(st.text(st.sampled_from("ab\n\r\x0b\u2028é"), max_size=30))
def test_three_ways_to_lines_agree(text):
    """read_lines, each_line and a reader see the same lines."""
    path = Path(os.environ.get("TMPDIR", "/tmp")) / f"gene-lines-{os.getpid()}"
    try:
        files.write(str(path), text)
        seen: list[str] = []
        files.each_line(str(path), seen.append)
        reader = files.reader(str(path))
        read = list(iter(lambda: send(reader, "read_line"), None))
        send(reader, "close")
        assert files.read_lines(str(path)) == seen == read
    finally:
        path.unlink()


def test_each_line_lets_errors_through(home):
    """An error of the callback stops the reading and arrives unchanged."""
    files.write("l", "1\n2\n")

    def fail(line):
        raise GeneException(f"bad {line}")

    with pytest.raises(GeneException, match=r"^bad 1$"):
        files.each_line("l", fail)
    with pytest.raises(GeneException, match=r"File/each_line callback must be a function, got VkInt"):
        files.each_line("l", 5)
    with pytest.raises(GeneException, match=r"File/each_line callback must be a function, got nothing"):
        files.each_line("l")


def test_reader(home):
    """A reader gives line after line, then nil; closing twice does no harm, reading after it is an error."""
    files.write("ref_reader.txt", "l1\nl2\nrest\n")
    reader = files.reader("ref_reader.txt")
    assert (send(reader, "read_line"), send(reader, "read_line")) == ("l1", "l2")
    assert (send(reader, "read"), send(reader, "read_line"), send(reader, "read")) == ("rest\n", None, "")
    send(reader, "close")
    send(reader, "close")
    with pytest.raises(IOException, match=r"Failed to read file 'ref_reader.txt': .*closed file"):
        send(reader, "read_line")


def test_unreadable_files(home):
    """The documented messages, with the system's reason as a hint; a directory and a null are no files."""
    with pytest.raises(IOException) as caught:
        files.read("ref_absent.txt")
    assert caught.value.message == "Failed to read file 'ref_absent.txt': cannot open: ref_absent.txt"
    assert caught.value.hint == "No such file or directory"
    for function in (files.read, files.read_lines, files.reader, lambda path: files.each_line(path, print)):
        with pytest.raises(IOException, match=r"Failed to read file '\.': cannot open: \."):
            function(".")
    with pytest.raises(IOException, match=r"Failed to read file 'a\0b': embedded null"):
        files.read("a\0b")


def test_unwritable_files(home):
    """A place that cannot be written to is named; nothing is made."""
    for function in (files.write, files.append):
        with pytest.raises(IOException, match=r"^Failed to write file 'no/f': cannot open: no/f$"):
            function("no/f", "x")
    with pytest.raises(IOException, match=r"Failed to delete file '\.': "):
        files.delete(".")


def test_text_that_is_no_text(home):
    """Bytes that are no UTF-8 and lone surrogates are errors that say where; an existing file stays."""
    (home / "b").write_bytes(b"ab\xff")
    with pytest.raises(IOException, match=r"Failed to read file 'b': not UTF-8 text \(byte 2\)"):
        files.read("b")
    with pytest.raises(IOException, match=r"Failed to write file 'b': character 1 is a lone surrogate"):
        files.write("b", "x\ud800")
    assert (home / "b").read_bytes() == b"ab\xff"


@pytest.mark.parametrize(
    "name", ["read", "write", "append", "exists", "delete", "read_lines", "each_line", "reader"]
)
@pytest.mark.parametrize("args", [(), (None, "x"), (5,), (["p"],)])
def test_paths_are_strings(name, args):
    """Every function refuses a path that is no String."""
    with pytest.raises(ArgumentException, match=rf"^File/{name} requires a string path$"):
        getattr(files, name)(*args[: 1 if name not in ("write", "append") else 2])


def test_content_is_a_string(home):
    """Only Strings can be written, and the file is not touched otherwise."""
    for args in (("f",), ("f", 5), ("f", None)):
        with pytest.raises(ArgumentException, match=r"^File/write requires string content$"):
            files.write(*args)
    with pytest.raises(ArgumentException, match=r"^File/append requires string content$"):
        files.append("f", ["x"])
    assert not (home / "f").exists()


def test_directories(home):
    """Directories are made with their parents, listed with their path, removed with their content."""
    assert directories.create("ref_dir/sub") is None
    directories.create("ref_dir/sub")
    files.write("ref_dir/a", "")
    assert directories.exists("ref_dir/sub")
    assert not directories.exists("ref_dir/a")
    assert directories.entries("ref_dir") == ["ref_dir/a", "ref_dir/sub"]
    assert directories.entries("ref_dir/") == ["ref_dir/a", "ref_dir/sub"]
    assert directories.delete("ref_dir") is True
    assert directories.delete("ref_dir") is False
    assert not directories.exists("ref_dir")


def test_directory_errors(home):
    """What fails is named with the system's reason."""
    files.write("f", "")
    with pytest.raises(IOException, match=r"^Failed to create directory 'f/x': Not a directory$"):
        directories.create("f/x")
    with pytest.raises(IOException, match=r"^Failed to create directory 'f': File exists$"):
        directories.create("f")
    with pytest.raises(IOException, match=r"^Failed to read directory 'nope': No such file or directory$"):
        directories.entries("nope")
    with pytest.raises(IOException, match=r"^Failed to delete directory 'f': Not a directory$"):
        directories.delete("f")
    with pytest.raises(IOException, match=r"null character"):
        directories.create("a\0b")
    for name, function in (
        ("exists", directories.exists),
        ("create", directories.create),
        ("delete", directories.delete),
        ("list", directories.entries),
    ):
        with pytest.raises(ArgumentException, match=rf"^Dir/{name} requires a string path$"):
            function(None)


def test_deleting_follows_no_links(home):
    """Removing a directory leaves alone what links inside of it point to."""
    (home / "keep").mkdir()
    files.write("keep/f", "x")
    directories.create("d")
    os.symlink(home / "keep", home / "d" / "link")
    directories.delete("d")
    assert files.read("keep/f") == "x"


def test_path_helpers(home):
    """The documented results."""
    assert paths.join("a", "b.txt") == "a/b.txt"
    assert paths.basename("x/y.txt") == "y.txt"
    assert paths.dirname("x/y.txt") == "x"
    assert paths.extension("x/y.txt") == ".txt"
    assert (paths.extension("x/.rc"), paths.extension("a.tar.gz"), paths.extension("x")) == ("", ".gz", "")
    assert paths.absolute("a/../b") == str(home / "b")
    assert paths.absolute("/x/./y") == "/x/y"


def test_join_stays_inside():
    """A later part that starts with a slash does not leave the parts before it."""
    assert paths.join("root", "/etc/passwd") == "root/etc/passwd"
    assert paths.join("/root", "a", "", "b") == "/root/a/b"
    assert paths.join("a/", "b") == "a/b"
    assert paths.join("a") == "a"


def test_path_arguments():
    """Parts that are no Strings are refused by name, and so is nothing at all."""
    with pytest.raises(ArgumentException, match=r"path_join requires at least one path"):
        paths.join()
    with pytest.raises(ArgumentException, match=r"path_join requires a string path"):
        paths.join("a", None)
    for name, function in (
        ("path_abs", paths.absolute),
        ("path_basename", paths.basename),
        ("path_dirname", paths.dirname),
        ("path_ext", paths.extension),
    ):
        with pytest.raises(ArgumentException, match=rf"^{name} requires a string path$"):
            function()
