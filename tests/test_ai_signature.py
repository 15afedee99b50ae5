"""Tools from Python functions: the schema that a signature gives, and the values that the function gets."""

from __future__ import annotations

import dataclasses
import enum
import functools
import uuid
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, NewType, NotRequired, Optional, TypedDict

import attrs
import pytest

from ai_tools.errors import InvalidArgumentsError, InvalidDefinitionError
from ai_tools.making import of_function
from ai_tools.registry import ToolRegistry
from ai_tools.types import ExecutionContext, ToolContext


class Unit(enum.Enum):
    METRE = "m"
    MILE = "mi"


@dataclasses.dataclass
class Node:
    name: str
    children: list[Node] = dataclasses.field(default_factory=list)


@attrs.define
class Place:
    lat: float
    label: str | None = None


class Options(TypedDict):
    limit: int
    sort: NotRequired[str]


class Pair(NamedTuple):
    left: int
    right: int = 0


UserId = NewType("UserId", int)


def schema_of(annotation: Any) -> dict[str, Any]:
    """Return the schema of a parameter with an annotation."""

    def f(a):
        return a

    f.__annotations__ = {"a": annotation}
    return of_function(f).parameters["properties"]["a"]


def value_of(annotation: Any, value: Any) -> Any:
    """Return what a function gets for a JSON value."""

    def f(a):
        return [a]

    f.__annotations__ = {"a": annotation}
    registry = ToolRegistry([f])
    return registry.call("f", {"a": value}).raise_for_error().value[0]


def test_whole_definition():
    """Name, description, types, defaults, requirements and parameter texts come from the function."""

    def search(query: str, limit: int = 10, *, tags: list[str] | None = None) -> list[str]:
        """Search the catalogue.

        Looks at titles only.

        Args:
            query: What to look for;
                words are joined by AND.
            limit (int): At most so many.

        Returns:
            Titles.
        """
        return [query] * limit

    definition = ToolRegistry([search]).definitions()[0]
    assert definition.name == "search"
    assert definition.description == "Search the catalogue.\n\nLooks at titles only."
    assert definition.parameters == {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What to look for; words are joined by AND."},
            "limit": {"type": "integer", "description": "At most so many.", "default": 10},
            "tags": {
                "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}],
                "default": None,
            },
        },
        "additionalProperties": False,
        "required": ["query"],
    }
    assert definition.returns == {"type": "array", "items": {"type": "string"}}


@pytest.mark.parametrize(
    "text",
    [
        "Do.\n\nParameters\n----------\na : int\n    The a.\n\nReturns\n-------\nint",
        "Do.\n\n:param a: The a.\n:returns: nothing",
        "Do.\n\n:param int a: The\n    a.",
        "Do.\n\nArgs:\n    a: The a.",
    ],
)
def test_docstring_styles(text):
    """NumPy, Sphinx and Google docstrings are read."""

    def f(a: int) -> None:
        pass

    f.__doc__ = text
    definition = of_function(f).definition
    assert definition.description == "Do."
    assert definition.parameters["properties"]["a"]["description"] == "The a."


@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        (str, {"type": "string"}),
        (bool, {"type": "boolean"}),
        (Any, {}),
        (None, {"type": "null"}),
        (Optional[int], {"anyOf": [{"type": "integer"}, {"type": "null"}]}),  # noqa: UP045 - users write both
        (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal["a", 1], {"enum": ["a", 1]}),
        (Unit, {"type": "string", "enum": ["m", "mi"]}),
        (list, {"type": "array"}),
        (Sequence[int], {"type": "array", "items": {"type": "integer"}}),
        (set[str], {"type": "array", "items": {"type": "string"}, "uniqueItems": True}),
        (dict, {"type": "object"}),
        (Mapping[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (
            tuple[int, str],
            {
                "type": "array",
                "prefixItems": [{"type": "integer"}, {"type": "string"}],
                "minItems": 2,
                "maxItems": 2,
            },
        ),
        (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
        (datetime, {"type": "string", "format": "date-time"}),
        (uuid.UUID, {"type": "string", "format": "uuid"}),
        (Path, {"type": "string"}),
        (bytes, {"type": "string", "contentEncoding": "base64"}),
        (UserId, {"type": "integer"}),
        (Annotated[int, "How many"], {"type": "integer", "description": "How many"}),
        (Annotated[int, {"minimum": 1}], {"type": "integer", "minimum": 1}),
        ("list[int]", {"type": "array", "items": {"type": "integer"}}),
        (
            Options,
            {
                "type": "object",
                "properties": {"limit": {"type": "integer"}, "sort": {"type": "string"}},
                "additionalProperties": False,
                "required": ["limit"],
            },
        ),
    ],
    ids=str,
)
def test_schemas(annotation, schema):
    """Each type has its JSON Schema."""
    assert schema_of(annotation) == schema


@pytest.mark.parametrize(
    ("annotation", "given", "value"),
    [
        (int, 7.0, 7),
        (float, 7, 7.0),
        (Unit, "mi", Unit.MILE),
        (date, "2026-01-02", date(2026, 1, 2)),
        (Decimal, 1.5, Decimal("1.5")),
        (set[int], [1, 2], {1, 2}),
        (tuple[int, str], [1, "a"], (1, "a")),
        (bytes, "YWI=", b"ab"),
        (Place, {"lat": 1}, Place(1.0)),
        (Pair, {"left": 1}, Pair(1)),
        (dict[str, Unit], {"a": "m"}, {"a": Unit.METRE}),
        (list[Place], [{"lat": 2, "label": "x"}], [Place(2.0, "x")]),
        (Place | Unit, "m", Unit.METRE),
        (Place | None, None, None),
        (Node, {"name": "a", "children": [{"name": "b"}]}, Node("a", [Node("b")])),
        (Options, {"limit": 1}, {"limit": 1}),
    ],
    ids=str,
)
def test_values(annotation, given, value):
    """The function gets values of the types it asks for."""

    def f(a):
        assert a == value
        assert type(a) is type(value)
        return "right"

    f.__annotations__ = {"a": annotation}
    assert ToolRegistry([f]).call("f", {"a": given}).raise_for_error().text == "right"


def test_value_that_its_type_refuses():
    """A value that obeys the schema but not the type is an argument error with its field."""

    def f(day: date) -> None:
        pass

    error = ToolRegistry([f]).call("f", {"day": "tomorrow"}).error
    assert isinstance(error, InvalidArgumentsError)
    assert error.field == "day"
    assert "tomorrow" in error.reason


def test_error_inside_the_function_is_not_an_argument_error():
    """A ValueError of the function's own work stays an execution error."""

    def f(day: date) -> None:
        raise ValueError("closed")

    assert ToolRegistry([f]).execute("f", {"day": "2026-01-02"}) == "Error executing f: closed"


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda a: a, "has no name of its own"),
        (print, r"parameter \*args"),
    ],
)
def test_functions_that_cannot_be_tools(function, message):
    """A function without a name, or with parameters that a model cannot give, is refused."""
    with pytest.raises(InvalidDefinitionError, match=message):
        ToolRegistry().register(function)


@pytest.mark.parametrize("annotation", [object.__subclasses__, "Missing", dict[int, str], type(iter([]))])
def test_types_that_have_no_form(annotation):
    """A parameter whose type has no JSON form is refused, and the error names it."""
    with pytest.raises(InvalidDefinitionError, match="parameter 'a'"):
        schema_of(annotation)


def test_defaults_are_the_functions():
    """A parameter that is left out takes the function's default."""

    def f(a: int, b: list[int] = [1]) -> Any:  # noqa: B006
        return [a, b]

    assert ToolRegistry([f]).call("f", {"a": 1}).value == [1, [1]]


def test_positional_only_and_free_parameters():
    """Positional-only parameters and **kwargs work."""

    def f(a: int, /, b: int = 2, **rest: int) -> Any:
        return [a, b, rest]

    registry = ToolRegistry([f])
    assert registry.call("f", {"a": 1, "c": 3}).value == [1, 2, {"c": 3}]
    assert registry.call("f", {"a": 1, "c": "x"}).error.field == "c"


def test_methods_partials_and_objects():
    """Bound methods, partials and callable objects are tools too."""

    class Adder:
        def __init__(self, base: int) -> None:
            self.base = base

        def add(self, number: int) -> int:
            return self.base + number

        async def __call__(self, number: int) -> int:
            return self.base + number

    def power(base: int, exponent: int) -> int:
        return base**exponent

    registry = ToolRegistry([Adder(1).add])
    registry.register(functools.partial(power, exponent=2), name="square")
    registry.register(Adder(10), name="ten")
    assert registry.call("add", {"number": 2}).value == 3
    assert registry.call("square", {"base": 3}).value == 9
    assert registry.call("ten", {"number": 1}).value == 11


@pytest.mark.scenario("T18")
def test_context_is_hidden():
    """Parameters for the context are filled in and never in the schema, however they are annotated."""

    def f(a: int, where: ExecutionContext | None = None, agent: Optional[ToolContext] = None) -> Any:  # noqa: UP045 - users write both
        return [a, where.chat_id, agent]

    registry = ToolRegistry([f])
    assert list(registry.get("f").parameters["properties"]) == ["a"]
    assert registry.call("f", {"a": 1}, context=ExecutionContext("c", "7")).value == [1, "7", None]


def test_pydantic_model():
    """A pydantic model as a parameter gives its schema, and the function gets an instance."""
    pydantic = pytest.importorskip("pydantic")

    class Query(pydantic.BaseModel):
        text: str
        limit: int = pydantic.Field(5, ge=1)

    def f(query: Query) -> Any:
        return query

    registry = ToolRegistry()
    f.__annotations__["query"] = Query
    registry.register(f)
    assert registry.call("f", {"query": {"text": "x"}}).text == '{"text":"x","limit":5}'
    assert registry.call("f", {"query": {"text": "x", "limit": 0}}).error.field == "query.limit"
