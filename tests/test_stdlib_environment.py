"""Environment variables, Base64, clocks, waiting, signals, types and debugging."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import value as evaluated

from gene.data.forms import ArrayForm
from gene.data.kinds import INT, STRING
from gene.data.octets import Octets
from gene.runtime.exceptions import ArgumentException, GeneException, RuntimeException
from gene.runtime.typetests import Union
from gene.stdlib import clock, environment, inspection, signals
from gene.stdlib.encoding import base64, base64_decode
from gene.stdlib.waiting import sleep


def test_environment(monkeypatch):
    """Variables are set, asked for, and missing ones have a default."""
    monkeypatch.delenv("GENE_REF_DEMO", raising=False)
    assert environment.set_env("GENE_REF_DEMO", "on") is None
    assert environment.get_env("GENE_REF_DEMO") == "on"
    assert environment.get_env("GENE_REF_NOPE") is None
    assert environment.get_env("GENE_REF_NOPE", "dflt") == "dflt"
    assert (environment.has_env("GENE_REF_DEMO"), environment.has_env("GENE_REF_NOPE")) == (True, False)
    assert os.environ.pop("GENE_REF_DEMO") == "on"


def test_environment_arguments():
    """Names and values are Strings that the system can hold."""
    for name, function in (
        ("get_env", environment.get_env),
        ("has_env", environment.has_env),
        ("set_env", environment.set_env),
    ):
        for args in ((), (None,), (5,)):
            with pytest.raises(ArgumentException, match=rf"{name} requires a string name"):
                function(*args)
    with pytest.raises(ArgumentException, match=r"set_env requires a string value"):
        environment.set_env("GENE_X", 5)
    for name, value in (("", "x"), ("a=b", "x"), ("a", "\0"), ("a\0", "")):
        with pytest.raises(ArgumentException, match=r"set_env requires a name without '='"):
            environment.set_env(name, value)


def test_base64_examples():
    """The documented results, both ways."""
    assert base64("gene!") == "Z2VuZSE="
    assert base64_decode("Z2VuZSE=") == "gene!"
    assert (base64(""), base64_decode("")) == ("", "")
    assert base64(Octets(b"\xff\xfe")) == "//4="


@given(st.text())
def test_base64_round_trip(text):
    """Every text comes back, also from the alphabet of URLs, without padding, and with line breaks."""
    encoded = base64(text)
    assert base64_decode(encoded) == text
    assert base64_decode(encoded.replace("+", "-").replace("/", "_").rstrip("=")) == text
    assert base64_decode("\n".join(encoded)) == text


@pytest.mark.parametrize("text", ["Z", "Z2V*", "é", "Zg==Zg==", "=", "Z2VuZSE=x"])
def test_base64_faults(text):
    """What is no Base64 is refused."""
    if text == "=":
        assert base64_decode(text) == ""
        return
    with pytest.raises(ArgumentException, match=r"base64_decode requires Base64"):
        base64_decode(text)


def test_base64_of_what_is_no_text():
    """Bytes that are no UTF-8, lone surrogates, and other kinds are refused by name."""
    with pytest.raises(
        ArgumentException, match=r"base64_decode requires Base64 of UTF-8 text; byte 0 is none"
    ):
        base64_decode("/w==")
    with pytest.raises(ArgumentException, match=r"character 0 is a lone surrogate"):
        base64("\ud800")
    for name, function in (("base64", base64), ("base64_decode", base64_decode)):
        for args in ((), (None,), (5,)):
            with pytest.raises(ArgumentException, match=rf"{name} requires a string"):
                function(*args)


def test_clock():
    """Whole seconds and microseconds since 1970, Ints both."""
    assert abs(clock.seconds() - time.time()) < 2
    assert abs(clock.microseconds() / 1e6 - time.time()) < 2
    assert type(clock.seconds()) is type(clock.microseconds()) is int


def test_sleep_counts_milliseconds_or_seconds():
    """An Int counts milliseconds, a Float seconds."""
    for duration in (120, 0.12):
        begin = time.monotonic()
        assert sleep(duration) is None
        assert 0.1 < time.monotonic() - begin < 1
    sleep(0)


@pytest.mark.parametrize(
    ("args", "got"),
    [((), "VkNil"), (("5",), "VkString"), ((True,), "VkBool"), ((-1,), "-1"), ((float("nan"),), "nan")],
)
def test_sleep_arguments(args, got):
    """Other kinds and negative numbers are refused."""
    with pytest.raises(
        ArgumentException, match=rf"sleep requires milliseconds \(Int\) or seconds \(Float\), got {got}"
    ):
        sleep(*args)


def test_sleep_can_be_ended():
    """An exception set from outside, as a time limit does it, ends even an endless sleep at once."""
    import ctypes

    class LimitReached(BaseException):
        pass

    ended = []

    def wait():
        try:
            sleep(float("inf"))
        except LimitReached:
            ended.append(time.monotonic())

    thread = threading.Thread(target=wait)
    thread.start()
    time.sleep(0.1)
    begin = time.monotonic()
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(LimitReached))
    thread.join(5)
    assert ended
    assert ended[0] - begin < 1


def test_on_signal():
    """The function is called with the signal's name."""
    old = signal.getsignal(signal.SIGINT)
    calls = []
    try:
        assert signals.on_signal("INT", calls.append) is None
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.05)
    finally:
        signal.signal(signal.SIGINT, old)
    assert calls == ["INT"]


def test_on_signal_arguments():
    """Only INT, only functions, only in the main thread."""
    with pytest.raises(ArgumentException, match=r"on_signal requires the signal INT, got TERM"):
        signals.on_signal("TERM", print)
    with pytest.raises(ArgumentException, match=r"on_signal requires the signal INT, got nothing"):
        signals.on_signal()
    with pytest.raises(GeneException, match=r"on_signal callback must be a function, got VkInt"):
        signals.on_signal("INT", 5)
    errors = []

    def register():
        try:
            signals.on_signal("INT", print)
        except RuntimeException as error:
            errors.append(error.message)

    thread = threading.Thread(target=register)
    thread.start()
    thread.join()
    assert errors == ["on_signal works in the main thread only"]


def test_debug(capsys):
    """Values are shown as the REPL shows them, on standard error; the last one comes back."""
    assert inspection.debug("a\n", ArrayForm(["x", None])) == ["x", None]
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", '"a\\n" ["x" nil]\n')
    assert inspection.debug() is None


def test_types_equivalent():
    """Types are equivalent when they admit the same values, however they are written."""
    assert inspection.types_equivalent(INT, INT)
    assert not inspection.types_equivalent(INT, STRING)
    assert inspection.types_equivalent(Union(INT, STRING), Union(STRING, Union(INT, STRING)))
    assert inspection.types_equivalent("Int", INT)
    assert not inspection.types_equivalent(Union(INT, STRING), "Int")
    assert evaluated("(types_equivalent `(Array (Int | String)) `(Array (String | Int)))")
    assert evaluated("(types_equivalent `(Int | String) (String | Int))")
    assert evaluated("(types_equivalent `(Fn [Int] -> Int) `(Fn [Int] -> Int))")
    assert not evaluated("(types_equivalent `(Array Int) `(Array Float))")
    with pytest.raises(ArgumentException, match=r"types_equivalent requires two types"):
        inspection.types_equivalent(INT)
    with pytest.raises(ArgumentException, match=r"types_equivalent requires types, got VkMap"):
        inspection.types_equivalent(INT, {})
