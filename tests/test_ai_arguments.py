"""Reading argument texts: the one object that a model meant, or a reason."""

from __future__ import annotations

import contextlib
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ai_tools.arguments import read
from ai_tools.errors import InvalidArgumentsError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        (" \n", {}),
        ("null", {}),
        (None, {}),
        ("{}", {}),
        (' {"a": [1, {"b": null}]} ', {"a": [1, {"b": None}]}),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ('{"a": "' + "[{" * 5_000 + '"}', {"a": "[{" * 5_000}),
        ('{"a": "\\"[["}', {"a": '"[['}),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_accepted(text, value):
    """Objects and nothing are accepted; of repeated keys the last counts; brackets in strings are no nesting."""
    assert read(text, "f") == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a"', "the text is not valid JSON: it ends too early, after '{\"a\"'"),
        ('{"a": "b', "it ends too early"),
        ('{"a": 1} done', "Extra data at character 9, near '{\"a\": 1} done'"),
        ("{a: 1}", "Expecting property name enclosed in double quotes at character 1"),
        ("[1]", "must be a JSON object, not an array"),
        ("true", "must be a JSON object, not a boolean"),
        ('{"a": Infinity}', "Infinity is not a JSON number"),
        ("[" * 201 + "]" * 201, "the text is nested deeper than 200 levels"),
        ('{"a": ' + "9" * 5_000 + "}", "Exceeds the limit"),
        (" " * 16_000_001, "the text has 16,000,001 characters; at most 16,000,000 are allowed"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_refused(text, reason):
    """What is not one JSON object is refused with the place and the fault."""
    with pytest.raises(InvalidArgumentsError) as caught:
        read(text, "f")
    assert reason in caught.value.reason


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from('{}[]",:\\ab1 \n\x00\ud800é'), max_size=60) | st.text(max_size=300))
def test_any_text(text):
    """Any text at all is an object or a typed error."""
    with contextlib.suppress(InvalidArgumentsError):
        assert isinstance(read(text, "f"), dict)


@pytest.mark.parametrize(
    "text", ['"' * 1_000_001, '"\\' * 500_000, "[" * 200 + '"' + "\\" * 1_000_000, "[]" * 500_000]
)
def test_depth_is_found_in_linear_time(text):
    """Looking at the nesting of a long hostile text takes no more than linear time."""
    start = time.monotonic()
    with pytest.raises(InvalidArgumentsError):
        read(text, "f")
    assert time.monotonic() - start < 3
