"""Typed errors: what they carry, and that they survive a process border."""

from __future__ import annotations

import pickle

import pytest

from ai_tools.errors import (
    AlreadyExistsError,
    CallCancelledError,
    ExecutionFailedError,
    InvalidArgumentsError,
    InvalidDefinitionError,
    NotAvailableError,
    NotFoundError,
    PermissionDeniedError,
    SerializationError,
    ToolError,
    ToolTimeoutError,
)

ALL = [
    InvalidArgumentsError("t", "a.b", "must be a string"),
    ExecutionFailedError("t", "broke"),
    PermissionDeniedError("t"),
    NotFoundError("t", "u"),
    ToolTimeoutError("t", 2.5),
    AlreadyExistsError("t", "t_v2"),
    InvalidDefinitionError("no", tool="t", path="x"),
    SerializationError("t", "is a Socket", "a[0]"),
    NotAvailableError("t"),
    CallCancelledError("t"),
]


@pytest.mark.parametrize("error", ALL, ids=lambda error: type(error).__name__)
def test_survives_pickling(error):
    """An error crosses to another process with its class, text and fields."""
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert str(copy) == str(error)
    assert copy.__dict__ == error.__dict__


@pytest.mark.parametrize("error", ALL, ids=lambda error: type(error).__name__)
def test_names_its_tool(error):
    """Every error carries the tool, and all share one base class."""
    assert isinstance(error, ToolError)
    assert error.tool_name == "t"


@pytest.mark.scenario("T11")
@pytest.mark.parametrize("name", ["", "  ", "\t\n"])
def test_blank_name(name):
    """A tool without a usable name is called <unnamed>."""
    assert ExecutionFailedError(name, "x").tool_name == "<unnamed>"


@pytest.mark.scenario("T11")
def test_recoverability():
    """A model may try again after wrong arguments, a failure, a timeout or a wrong name; not after the others."""
    recoverable = {type(error) for error in ALL if error.is_recoverable}
    assert recoverable == {InvalidArgumentsError, ExecutionFailedError, NotFoundError, ToolTimeoutError}


def test_fields():
    """The typed fields say what went wrong: field and reason, error, threshold, suggestion."""
    assert (ALL[0].field, ALL[0].reason) == ("a.b", "must be a string")
    assert ALL[1].error == "broke"
    assert ALL[4].threshold == 2.5
    assert ALL[5].suggestion == "t_v2"
    assert "2.5 s" in str(ALL[4])


@pytest.mark.parametrize(
    ("kind", "builtin"),
    [
        (InvalidArgumentsError, ValueError),
        (NotFoundError, LookupError),
        (ToolTimeoutError, TimeoutError),
        (PermissionDeniedError, PermissionError),
        (AlreadyExistsError, ValueError),
    ],
)
def test_builtin_bases(kind, builtin):
    """A caller who catches the builtin kind catches the tool's error too."""
    assert issubclass(kind, builtin)


def test_long_name_is_cut():
    """A made-up name of a million letters does not flood the message."""
    assert len(str(NotFoundError("x" * 1_000_000))) < 200
