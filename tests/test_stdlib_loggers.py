"""Loggers and the standard streams as values."""

from __future__ import annotations

import io
import re
import sys
import threading
from datetime import datetime

import pytest

from gene.runtime.classes import construct
from gene.runtime.exceptions import ArgumentException, GeneException, IOException
from gene.runtime.methods import send
from gene.runtime.namespaces import Namespace
from gene.stdlib import streams
from gene.stdlib.loggers import LOGGER


@pytest.fixture(autouse=True)
def default_level(monkeypatch):
    monkeypatch.delenv("GENE_LOG_LEVEL", raising=False)


def test_line_format(capsys):
    """The documented line, on standard error only, with the time of now."""
    log = construct(LOGGER, Namespace("tools/words.gene"))
    before = datetime.now().astimezone().replace(microsecond=0)
    assert send(log, "info", "word_count", ["a b", 1], None) is None
    captured = capsys.readouterr()
    assert captured.out == ""
    match = re.fullmatch(
        r"T00 INFO  (\d\d-\d\d-\d\d) (\w{3}) (\d\d:\d\d:\d\d\.\d{3}) tools/words.gene word_count \[a b 1\] nil\n",
        captured.err,
    )
    assert match
    shown = datetime.strptime(f"{match[1]} {match[3]}", "%y-%m-%d %H:%M:%S.%f").astimezone()
    assert before <= shown <= datetime.now().astimezone()
    assert match[2] == shown.strftime("%a")


def test_named_logger_and_levels(capsys):
    """A logger can be named by a String; info and above are written by default."""
    log = construct(LOGGER, "mine")
    for level in ("trace", "debug", "info", "warn", "error"):
        send(log, level, level)
    lines = capsys.readouterr().err.splitlines()
    assert [(line[:9], line.rpartition(" ")[2]) for line in lines] == [
        ("T00 INFO ", "info"),
        ("T00 WARN ", "warn"),
        ("T00 ERROR", "error"),
    ]
    assert all(" mine " in line for line in lines)


@pytest.mark.parametrize(
    ("setting", "count"), [("trace", 5), ("DEBUG", 4), ("info", 3), ("error", 1), ("off", 0), ("nonsense", 3)]
)
def test_level_from_the_environment(monkeypatch, capsys, setting, count):
    """GENE_LOG_LEVEL names the least level that is written."""
    monkeypatch.setenv("GENE_LOG_LEVEL", setting)
    log = construct(LOGGER, "x")
    for level in ("trace", "debug", "info", "warn", "error"):
        send(log, level, "m")
    assert len(capsys.readouterr().err.splitlines()) == count


def test_threads_are_numbered(capsys):
    """The main thread is T00, every other one has a number of its own."""
    log = construct(LOGGER, "x")
    thread = threading.Thread(target=lambda: [send(log, "warn", "a"), send(log, "warn", "b")])
    thread.start()
    thread.join()
    send(log, "warn", "c")
    first, second, third = (line[:3] for line in capsys.readouterr().err.splitlines())
    assert first == second
    assert first != "T00"
    assert third == "T00"


def test_logger_arguments():
    """A logger needs a namespace or a name, and has no other methods."""
    for args, got in (((), "VkNil"), ((5,), "VkInt")):
        with pytest.raises(ArgumentException, match=rf"Logger requires a namespace or a name, got {got}"):
            construct(LOGGER, *args)
    with pytest.raises(GeneException, match=r"Method log not found on VkLogger"):
        send(construct(LOGGER, "x"), "log", "info", ())


def test_logging_without_standard_error(monkeypatch):
    """Where there is no standard error, logging does nothing."""
    monkeypatch.setattr(sys, "stderr", None)
    send(construct(LOGGER, "x"), "error", "lost")


def test_reading_standard_input(monkeypatch):
    """Lines without their ends, nil at the end, the rest in one piece."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("a\r\n\nb\nrest\nmore"))
    assert [send(streams.STDIN, "read_line") for _ in range(3)] == ["a", "", "b"]
    assert send(streams.STDIN, "read") == "rest\nmore"
    assert send(streams.STDIN, "read_line") is None
    assert send(streams.STDIN, "isatty?") is False


def test_writing_to_streams(capsys):
    """``write`` and ``write_line`` show values as println does, without blanks between them."""
    assert send(streams.STDOUT, "write", "a", 1, [None]) is None
    send(streams.STDOUT, "write_line", "!")
    send(streams.STDERR, "write_line")
    send(streams.STDOUT, "flush")
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("a1[nil]!\n", "\n")


def test_streams_used_the_wrong_way(monkeypatch, tmp_path):
    """Reading what can only be written, or something closed, is an error with a name."""
    with open(tmp_path / "f", "w") as file:
        monkeypatch.setattr(sys, "stdout", file)
        with pytest.raises(IOException, match=r"Failed to read stdout: not readable"):
            send(streams.STDOUT, "read")
    with pytest.raises(IOException, match=r"Failed to write stdout: I/O operation on closed file"):
        send(streams.STDOUT, "write", "x")
    with pytest.raises(GeneException, match=r"Method close not found on VkIOHandle"):
        send(streams.STDOUT, "close")
