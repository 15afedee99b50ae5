"""Scripts for the scripted provider as plain data."""

from __future__ import annotations

import json

import pytest

from ai_tools.providers.errors import RateLimitedError
from ai_tools.providers.protocol import Usage
from ai_tools.providers.scripted import Turn
from ai_tools.providers.scripts import ERRORS, ScriptError, read, script_of


def test_a_script_is_an_array_of_turns(tmp_path):
    """Texts, calls and objects become turns, with their errors and tokens."""
    call = {"name": "find", "arguments": {"n": 4}}
    fields = {"text": "x", "calls": [call], "chunk": 6, "delay": 0.5, "usage": {"input_tokens": 3}}
    error = {"code": "rate_limited", "message": "slow down", "status": 429, "retry_after": 2}
    path = tmp_path / "script.json"
    path.write_text(json.dumps(["Hello.", [call], fields, {"error": error}]), encoding="utf-8")
    first, second, third, fourth = read(path)
    assert first == Turn("Hello.")
    assert second == Turn(calls=[call])
    assert third == Turn("x", [call], chunk=6, delay=0.5, usage=Usage(3))
    assert isinstance(fourth.error, RateLimitedError)
    assert (str(fourth.error), fourth.error.retry_after) == ("scripted 429: slow down", 2)


def test_every_error_has_its_code():
    """The codes are those that programs read from the errors."""
    assert {code: kind.code for code, kind in ERRORS.items()} == {code: code for code in ERRORS}
    assert {"provider_error", "overloaded", "timeout", "authentication"} <= ERRORS.keys()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({}, "a script is an array of turns, not an object"),
        (["x", None], "turn 2 is a text, an array of calls or an object, not null"),
        ([{"calls": "x"}], "turn 1: calls must be an array, not a text"),
        ([[{"name": "f", "arguments": 5}]], "turn 1: call 1: arguments must be an object"),
        (
            [[{"name": "f", "args": {}}]],
            "turn 1: call 1 has unknown fields: args; there are: name, arguments, id",
        ),
        ([{"delay": -1}], "turn 1: delay must be seconds"),
        ([{"chunk": True}], "turn 1: chunk must be a number of characters"),
        ([{"text": 5}], "turn 1: text must be a text, not int"),
        ([{"error": {"code": "x"}}], "turn 1: error must be a text, or an object with message"),
        ([{"error": {"message": "x", "when": 1}}], "turn 1: error has unknown fields: when"),
        ([{"usage": {"input_tokens": -1}}], "turn 1: usage: tokens are whole numbers"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(data, message):
    """The message names the turn and the field, and says what would be right."""
    with pytest.raises(ScriptError) as failed:
        script_of(data)
    assert message in str(failed.value)


def test_a_file_that_holds_no_script(tmp_path):
    """The message names the file."""
    path = tmp_path / "script.json"
    path.write_text("[", encoding="utf-8")
    with pytest.raises(ScriptError, match=r"script\.json: it is not JSON"):
        read(path)
    path.write_text("[5]", encoding="utf-8")
    with pytest.raises(ScriptError, match=r"script\.json: turn 1 is a text"):
        read(path)
