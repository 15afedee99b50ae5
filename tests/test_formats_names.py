"""Names that providers accept, and the way back."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tool_samples import real_definitions

from ai_tools.errors import InvalidDefinitionError
from ai_tools.formats.names import NameRule, with_wire_names
from ai_tools.types import ToolDefinition

OPENAI = NameRule("a-zA-Z0-9_-", 64)
GEMINI = NameRule(r"a-zA-Z0-9_.:\-", 128, first="a-zA-Z_")


@pytest.mark.parametrize(
    ("name", "wire"),
    [
        ("get_weather", "get_weather"),
        ("get-weather", "get-weather"),
        ("math.factorial", "math-dot-factorial"),
        ("fs/read file", "fs-slash-read-space-file"),
        ("a:b", "a-colon-b"),
        ("café", "caf-xe9-"),
        ("server--tool", "server--tool"),
        ("a-b.c", "a-b-dot-c"),
        ("math-dot-x", "math-x2d-dot-x2d-x"),
        ("🌦", "-x1f326-"),
    ],
)
def test_encoding_is_readable_and_reversible(name, wire):
    """Legal names stay, illegal characters become words, and decoding gives the name back."""
    assert OPENAI.encode(name) == wire
    assert OPENAI.decode(wire) == name


@given(st.text(max_size=90))
def test_every_name_becomes_legal_and_comes_back(name):
    """Any text is sent as a legal name and restored, given the definitions."""
    for rule in (OPENAI, GEMINI):
        wire = rule.encode(name)
        assert rule.accepts(wire)
        assert rule.restore(wire, {name: ToolDefinition(name)}) == name


@given(st.text(alphabet="a-.x2ed", max_size=12), st.text(alphabet="a-.x2ed", max_size=12))
def test_two_names_never_share_a_wire_name(one, other):
    """Names made of the escape's own characters do not collide."""
    assert (OPENAI.encode(one) == OPENAI.encode(other)) == (one == other)


def test_real_names_come_back_without_definitions():
    """All names of the real data are legal on the wire, distinct, and decoded without a table."""
    names = [definition.name for definition in real_definitions()]
    wires = [OPENAI.encode(name) for name in names]
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", wire) for wire in wires)
    assert len(set(wires)) == len(names) == 423
    assert [OPENAI.decode(wire) for wire in wires] == names


def test_a_long_name_ends_in_a_digest_and_needs_the_definitions():
    """A name over the limit is cut to a stable, distinct name."""
    one, other = ("server." + "x" * 80 + end for end in "ab")
    assert len(OPENAI.encode(one)) == 64
    assert OPENAI.encode(one) != OPENAI.encode(other)
    known = {one: ToolDefinition(one), other: ToolDefinition(other)}
    assert OPENAI.restore(OPENAI.encode(other), known) == other


def test_a_registered_name_used_as_it_is_is_understood():
    """A model that writes the registered name itself means that tool."""
    known = {"a-dot-b": ToolDefinition("a-dot-b"), "math.sin": ToolDefinition("math.sin")}
    assert OPENAI.restore("math.sin", known) == "math.sin"
    assert OPENAI.restore("a-dot-b", known) == "a-dot-b"
    assert OPENAI.restore("made_up", known) == "made_up"


def test_adding_tools_changes_no_name():
    """The wire name depends on the name alone."""
    alone = with_wire_names([ToolDefinition("a.b")], OPENAI)[0][0]
    among = with_wire_names([ToolDefinition("a_b"), ToolDefinition("a-b"), ToolDefinition("a.b")], OPENAI)
    assert among[2][0] == alone


def test_the_first_character_has_its_own_rule():
    """Gemini's names do not begin with a digit."""
    wire = GEMINI.encode("7zip")
    assert GEMINI.accepts(wire)
    assert GEMINI.encode("a.b:c") == "a.b:c"


def test_two_tools_of_one_name_are_refused():
    """A collision is an error that names the tools, never a silent overwrite."""
    taken = OPENAI.encode("x" * 70)
    with pytest.raises(InvalidDefinitionError, match=f"would both be sent as '{taken}'"):
        with_wire_names([ToolDefinition("x" * 70), ToolDefinition(taken)], OPENAI)
