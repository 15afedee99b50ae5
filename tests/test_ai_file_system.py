"""The file tools: what they read and write, and that nothing leads them out of their root."""

from __future__ import annotations

import base64
import os
import shutil
import socket
import stat
import threading
import time

import pytest

from ai_tools import confined
from ai_tools.errors import ExecutionFailedError, InvalidArgumentsError, PermissionDeniedError
from ai_tools.file_system import ReadFileTool, WriteFileTool
from ai_tools.interface import ExecutableTool
from ai_tools.registry import ToolRegistry

SECRET = "the secret outside"


class Place:
    """A root with a file, beside a file that must stay out of reach, and the tools as models call them."""

    def __init__(self, base):
        self.root = base / "root"
        self.root.mkdir()
        self.outside = base / "outside"
        self.outside.mkdir()
        self.secret = self.outside / "secret.txt"
        self.secret.write_text(SECRET)
        (self.root / "a.txt").write_text("inside")
        self.registry = ToolRegistry([ReadFileTool(self.root), WriteFileTool(self.root)])

    def read(self, path, **more):
        return self.registry.call("read_file", {"path": path, **more})

    def write(self, path, content="new"):
        return self.registry.call("write_file", {"path": path, "content": content})

    def leftovers(self):
        return [str(path) for path in self.root.rglob(".tmp-*")]


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


@pytest.mark.scenario("E27")
def test_read(place):
    """A file is read with its line ends as they are."""
    (place.root / "lines.txt").write_bytes("ä\r\nö\n".encode())
    assert place.read("lines.txt").value == "ä\r\nö\n"
    assert ReadFileTool(place.root).execute({"path": "a.txt"}) == "inside"


@pytest.mark.scenario("E27")
@pytest.mark.parametrize(
    ("encoding", "data"), [("latin-1", b"\xe4"), ("utf-16", "ä".encode("utf-16")), ("UTF-8", "ä".encode())]
)
def test_read_encoding(place, encoding, data):
    """The encoding argument says how the bytes are decoded."""
    (place.root / "x").write_bytes(data)
    assert place.read("x", encoding=encoding).text == "ä"


def test_read_base64(place):
    """A binary file is read as base64."""
    (place.root / "x.png").write_bytes(bytes(range(256)))
    assert base64.b64decode(place.read("x.png", encoding="base64").text) == bytes(range(256))


def test_read_wrong_encoding(place):
    """Bytes that are not of the encoding are reported with their place, and a way out."""
    (place.root / "x.png").write_bytes(b"ab\xff")
    assert place.read("x.png").text == (
        "Error executing read_file: 'x.png' is not utf-8 text at byte 2; "
        "give its encoding, or base64 for a binary file"
    )


@pytest.mark.parametrize(
    "encoding", ["no-such", "rot13", "zlib", "hex", "undefined", "a\0b", "x" * 5000, "../utf_8"]
)
def test_unknown_encoding(place, encoding):
    """What is no text encoding is refused by name, codecs that transform bytes included."""
    error = place.read("a.txt", encoding=encoding).error
    assert isinstance(error, ExecutionFailedError)
    assert "is no text encoding" in error.message


@pytest.mark.scenario("E28")
def test_write(place):
    """Content is written, a message says so, and reading gives it back."""
    result = place.write("b.txt", "grün\r\n")
    assert result.text == "Wrote 7 bytes to b.txt"
    assert (place.root / "b.txt").read_bytes() == "grün\r\n".encode()
    assert place.read("b.txt").text == "grün\r\n"


@pytest.mark.scenario("E28")
def test_write_replaces_and_creates_parents(place):
    """A file is replaced as a whole, and missing directories are created."""
    place.write("a.txt", "x")
    assert (place.root / "a.txt").read_text() == "x"
    place.write("new/deep/c.txt", "y")
    assert (place.root / "new/deep/c.txt").read_text() == "y"
    assert place.leftovers() == []


def test_both_are_executable_tools(place):
    """Both satisfy the interface and name themselves in their schema."""
    for tool in (ReadFileTool(place.root), WriteFileTool(place.root)):
        assert isinstance(tool, ExecutableTool)
        assert place.registry.get(tool.name).get_schema()["function"]["name"] == tool.name


def test_arguments_are_validated(place):
    """A call without a path, or with an argument that does not exist, reaches no file."""
    assert isinstance(place.registry.call("read_file", {}).error, InvalidArgumentsError)
    assert isinstance(place.registry.call("read_file", {"path": 7}).error, InvalidArgumentsError)
    assert isinstance(place.registry.call("write_file", {"path": "a.txt"}).error, InvalidArgumentsError)
    assert isinstance(
        place.registry.call("read_file", {"path": "a.txt", "x": 1}).error, InvalidArgumentsError
    )
    assert (place.root / "a.txt").read_text() == "inside"


def test_root_must_exist(tmp_path):
    """A root that is no directory is refused when the tool is made."""
    with pytest.raises(NotADirectoryError, match=r"no-such' is not a directory"):
        ReadFileTool(tmp_path / "no-such")


# Getting out

OUTSIDE = [
    "../outside/secret.txt",
    "sub/../../outside/secret.txt",
    "./.././outside/secret.txt",
    "..//outside//secret.txt",
    "sub/../sub/../../outside/secret.txt",
    "/etc/passwd",
    "//etc/passwd",
    "/dev/zero",
    "/proc/self/environ",
    "..",
    "link.txt",
    "dir/secret.txt",
    "chain/secret.txt",
    "up/outside/secret.txt",
    "sub/up2/outside/secret.txt",
]


@pytest.fixture
def trapped(place):
    """The root with links that lead out of it, of every kind."""
    (place.root / "sub").mkdir()
    (place.root / "link.txt").symlink_to(place.secret)
    (place.root / "dir").symlink_to(place.outside)
    (place.root / "chain").symlink_to("dir")
    (place.root / "up").symlink_to("..")
    (place.root / "sub" / "up2").symlink_to("../..")
    return place


@pytest.mark.parametrize("path", [*OUTSIDE, "{secret}", "{root}/../outside/secret.txt"])
def test_nothing_outside_is_read_or_written(trapped, path):
    """No path leads out: not by dots, not as an absolute one, not through links."""
    path = path.format(secret=trapped.secret, root=trapped.root)
    for result in (trapped.read(path), trapped.write(path)):
        assert isinstance(result.error, PermissionDeniedError)
        assert "leads outside the root directory" in result.text
        assert SECRET not in result.text
    assert trapped.secret.read_text() == SECRET
    assert sorted(os.listdir(trapped.outside)) == ["secret.txt"]
    assert trapped.leftovers() == []


def test_parents_are_not_created_outside(trapped):
    """A write through a link that leads out creates no directory there."""
    trapped.write("dir/new/x.txt")
    assert os.listdir(trapped.outside) == ["secret.txt"]


def test_root_prefix_is_not_the_root(place):
    """A sibling whose name begins like the root's is outside."""
    sibling = place.root.with_name("root-two")
    sibling.mkdir()
    (sibling / "x").write_text(SECRET)
    assert isinstance(place.read(f"{sibling}/x").error, PermissionDeniedError)


def test_links_and_dots_inside(place):
    """Links and dots that stay inside work, absolute paths into the root too."""
    (place.root / "sub").mkdir()
    (place.root / "sub" / "b.txt").write_text("b")
    (place.root / "rel").symlink_to("sub")
    (place.root / "abs").symlink_to(place.root / "sub")
    (place.root / "file").symlink_to("sub/../a.txt")
    for path in ("sub/../a.txt", "./a.txt", "sub//../a.txt", "file", "rel/../a.txt", f"{place.root}/a.txt"):
        assert place.read(path).text == "inside", path
    assert place.read("rel/b.txt").text == place.read("abs/b.txt").text == "b"
    place.write("file", "through the link")
    assert (place.root / "a.txt").read_text() == "through the link"
    assert (place.root / "file").is_symlink()


def test_root_that_is_a_link(place, tmp_path):
    """A root given through a link takes absolute paths by both of its names."""
    (tmp_path / "alias").symlink_to(place.root)
    tool = ReadFileTool(tmp_path / "alias")
    assert tool.execute({"path": f"{tmp_path}/alias/a.txt"}) == "inside"
    assert tool.execute({"path": f"{place.root}/a.txt"}) == "inside"


def test_circle_of_links(place):
    """Links in a circle end with an error."""
    (place.root / "x").symlink_to("y")
    (place.root / "y").symlink_to("x")
    assert "links in a circle" in place.read("x").text
    assert "links in a circle" in place.write("x/z").text


@pytest.mark.parametrize(
    "path",
    [
        "．．/outside/secret.txt",
        "..\\outside\\secret.txt",
        "%2e%2e/outside/secret.txt",
        "..∕outside∕secret.txt",
        "‥/outside/secret.txt",
        "~/secret.txt",
        "$HOME/x",
        "file:///etc/passwd",
    ],
)
def test_unicode_and_other_spellings(place, path):
    """Characters that only look like dots, slashes or variables are parts of names."""
    assert isinstance(place.read(path).error, ExecutionFailedError)
    assert "does not exist" in place.read(path).text
    assert not place.write(path).is_error
    assert place.read(path).text == "new"
    assert place.secret.read_text() == SECRET


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("", "the path is empty"),
        ("a\0b", "holds a control character"),
        ("a.txt\0.png", "holds a control character"),
        ("a\nb", "holds a control character"),
        ("a\x7f", "holds a control character"),
        ("a\ud800b", "half a surrogate pair"),
        ("a\udcff", "half a surrogate pair"),
        ("x" * 5000, "5,000 characters; at most 4,096"),
        ("x" * 300, "File name too long"),
        ("d/" * 300 + "x", "more than 200 steps"),
        ("sub/", "names a directory"),
        (".", "is a directory"),
        ("a.txt/b", "'a.txt' is not a directory"),
    ],
)
def test_path_that_names_no_file(place, path, message):
    """A path that can name no file is refused by both tools, and leaves nothing behind."""
    for result in (place.read(path), place.write(path)):
        assert result.is_error
        if "d/d" not in path or result.name == "write_file":
            assert message in result.text
    assert os.listdir(place.root) == ["a.txt"]


def test_missing_file(place):
    """A file or a directory that is missing is named as the caller named it."""
    assert place.read("b.txt").text == "Error executing read_file: 'b.txt' does not exist"
    assert "no directory 'sub'" in place.read("sub/b.txt").text


def test_special_files(place):
    """Directories, pipes and sockets are neither read nor replaced, and nothing blocks."""
    (place.root / "sub").mkdir()
    os.mkfifo(place.root / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        directory = os.open(place.root, os.O_RDONLY)
        try:
            server.bind(f"/proc/self/fd/{directory}/sock")
        finally:
            os.close(directory)
    started = time.monotonic()
    for path, kind in (("sub", "a directory"), ("pipe", "a pipe"), ("sock", "a socket")):
        for result in (place.read(path), place.write(path)):
            assert f"{path!r} is {kind}, not a file" in result.text
    assert time.monotonic() - started < 2
    assert stat.S_ISFIFO(os.stat(place.root / "pipe").st_mode)


def test_devices():
    """Devices are not read, even where the root is the whole tree."""
    tool = ReadFileTool("/")
    for path in ("dev/zero", "/dev/null"):
        with pytest.raises(PermissionError, match="is a device, not a file"):
            tool.execute({"path": path})


def test_size_limits(place):
    """A file or content above the limit is refused with both numbers; at the limit it is taken."""
    read, write = ReadFileTool(place.root, max_bytes=10), WriteFileTool(place.root, max_bytes=10)
    write.execute({"path": "x", "content": "ä" * 5})
    assert read.execute({"path": "x"}) == "ä" * 5
    with pytest.raises(ValueError, match="the content has 11 bytes; at most 10 can be written"):
        write.execute({"path": "x", "content": "y" * 11})
    assert read.execute({"path": "x"}) == "ä" * 5
    (place.root / "big").write_text("y" * 11)
    with pytest.raises(ValueError, match="'big' has 11 bytes; files of up to 10 can be read"):
        read.execute({"path": "big"})


def test_huge_file(place):
    """A file of a terabyte is refused at once."""
    with open(place.root / "huge", "wb") as file:
        file.truncate(10**12)
    started = time.monotonic()
    assert "1,000,000,000,000 bytes" in place.read("huge").text
    assert time.monotonic() - started < 1


def test_content_that_is_no_text(place):
    """Half a surrogate pair cannot be written; the old file stays."""
    assert "half a surrogate pair at character 1" in place.write("a.txt", "x\ud800").text
    assert (place.root / "a.txt").read_text() == "inside"


# Writing in one step


def test_failed_write_leaves_nothing(place, monkeypatch):
    """A write that fails half-way leaves the old file, no temporary file, and no new directory."""

    def fail(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(confined.os, "fsync", fail)
    assert place.write("a.txt").text == "Error executing write_file: 'a.txt': No space left on device"
    assert place.write("new/deep/a.txt").is_error
    assert (place.root / "a.txt").read_text() == "inside"
    assert os.listdir(place.root) == ["a.txt"]


def test_permissions_stay(place):
    """A replaced file keeps its permissions, a new one gets what the umask leaves."""
    os.chmod(place.root / "a.txt", 0o751)
    place.write("a.txt")
    assert stat.S_IMODE(os.stat(place.root / "a.txt").st_mode) == 0o751
    old = os.umask(0o027)
    try:
        place.write("b.txt")
    finally:
        os.umask(old)
    assert stat.S_IMODE(os.stat(place.root / "b.txt").st_mode) == 0o640


@pytest.mark.skipif(os.geteuid() == 0, reason="everything is writable for root")
def test_read_only_file(place):
    """A file without write permission is not replaced."""
    os.chmod(place.root / "a.txt", 0o444)
    assert "'a.txt' is read-only" in place.write("a.txt").text


def test_readers_see_old_or_new(place):
    """Whoever reads during writes sees one of the contents, whole."""
    contents = {letter * 200_000 for letter in "ab"} | {"inside"}
    stop = threading.Event()

    def write():
        while not stop.is_set():
            for content in sorted(contents):
                place.write("a.txt", content)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        tool = ReadFileTool(place.root)
        assert all(tool.execute({"path": "a.txt"}) in contents for _ in range(200))
    finally:
        stop.set()
        writer.join()
    assert place.leftovers() == []


def test_many_writers(place):
    """Threads that write below one missing directory all succeed."""
    results = []
    threads = [
        threading.Thread(target=lambda i=i: results.append(place.write(f"new/deep/{i}.txt", str(i))))
        for i in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [result.text for result in results if result.is_error] == []
    assert len(os.listdir(place.root / "new/deep")) == 8


class Swapper(threading.Thread):
    """Swaps a directory or file for a link and back, as fast as it can."""

    def __init__(self, inside, trap):
        super().__init__()
        self.inside, self.trap, self.away = inside, trap, inside.with_name("away")
        self.swaps = 0
        self.ends = threading.Event()

    def run(self):
        while not self.ends.is_set():
            self.move(self.inside, self.away)
            self.move(self.trap, self.inside)
            self.move(self.inside, self.trap)
            self.move(self.away, self.inside)
            self.swaps += 1

    def move(self, source, target):
        while True:
            try:
                return os.rename(source, target)
            except OSError:  # a write has created a directory there
                shutil.rmtree(target, ignore_errors=True)

    def __exit__(self, *exc):
        self.ends.set()
        self.join()

    def __enter__(self):
        self.start()
        return self


@pytest.mark.parametrize("kind", ["directory", "file"])
def test_swap_while_reading(place, kind):
    """A directory or file that is swapped for a link to the outside, again and again, never leads there."""
    inside, trap = place.root / "sub", place.root / "trap"
    if kind == "directory":
        inside.mkdir()
        (inside / "secret.txt").write_text("harmless")
        path, target = "sub/secret.txt", place.outside
    else:
        inside.write_text("harmless")
        path, target = "sub", place.secret
    trap.symlink_to(target)
    read, seen = ReadFileTool(place.root), set()
    deadline = time.monotonic() + 1.0
    with Swapper(inside, trap) as swapper:
        while time.monotonic() < deadline:
            try:
                seen.add(read.execute({"path": path}))
            except OSError as error:
                seen.add(type(error).__name__)
    assert swapper.swaps > 10
    assert {"harmless", "PermissionError"} <= seen
    assert SECRET not in seen


def test_swap_while_writing(place):
    """A write into a directory that is swapped for a link to the outside never changes anything there."""
    inside, trap = place.root / "sub", place.root / "trap"
    inside.mkdir()
    trap.symlink_to(place.outside)
    write, written, refused = WriteFileTool(place.root), 0, 0
    deadline = time.monotonic() + 1.0
    with Swapper(inside, trap) as swapper:
        while time.monotonic() < deadline:
            try:
                write.execute({"path": "sub/secret.txt", "content": "overwritten"})
                written += 1
            except OSError:
                refused += 1
    assert swapper.swaps > 10
    assert written
    assert refused
    assert place.secret.read_text() == SECRET
    assert os.listdir(place.outside) == ["secret.txt"]


def test_no_descriptor_leaks(place):
    """Calls, failed ones too, close all that they open."""
    (place.root / "up").symlink_to("..")
    before = len(os.listdir("/proc/self/fd"))
    for path in ("a.txt", "no", "no/no", "..", "up/x", "x/../../y", "a.txt/b", "d/" * 300 + "x"):
        place.read(path)
        place.write(path)
    assert len(os.listdir("/proc/self/fd")) == before
