"""Enums: types of a fixed set of variants, some of which carry values; Result and Option among them."""

from __future__ import annotations

from gene.data.atoms import VOID
from gene.data.kinds import Kind, kind_of
from gene.runtime.calls import not_callable
from gene.runtime.checks import coerce
from gene.runtime.equality import equal
from gene.runtime.exceptions import ArgumentException, GeneException, TypeException
from gene.runtime.paths import READERS
from gene.runtime.text import display

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Final

    Types = Callable[[], tuple[Any, ...]]


class EnumValue:
    """A value of an enum: a variant and what it carries. Each enum has a subclass of its own.

    Attributes:
        variant: The variant.
        values: The values of its fields, in order.
    """

    __slots__ = ("values", "variant")

    def __init__(self, variant: Variant, values: tuple[Any, ...] = ()) -> None:
        self.variant = variant
        self.values = values

    def __call__(self, *args: Any) -> EnumValue:
        """``(Shape/Dot)`` is ``Shape/Dot``."""
        if self.variant.fields:
            raise not_callable("VkEnum", len(args))
        if args:
            raise ArgumentException(f"Variant {self.variant.path} expects 0 arguments (), got {len(args)}")
        return self

    def gene_parts(self) -> Any:
        """How the value prints: ``Color/red``, ``(Shape/Rect 3 4)``."""
        if not self.variant.fields:
            return self.variant.path, [], "", True
        return f"({self.variant.path}", [(" ", value) for value in self.values], ")", True

    def gene_pairs(self, other: EnumValue) -> Any:
        """Values of one variant are equal where their fields are."""
        if self.variant is not other.variant:
            return None
        return zip(self.values, other.values, strict=True)


class Variant:
    """A variant of an enum. One with fields is called to make a value.

    Attributes:
        enum: The enum.
        name: Its name.
        fields: The names of its fields.
        types: What gives the declared types of the fields, None for those without one.
        coerce: What checks a value against a declared type.
    """

    __slots__ = ("coerce", "enum", "fields", "name", "types")

    def __init__(self, enum: Enum, name: str, fields: tuple[str, ...], types: Types | None = None) -> None:
        self.enum = enum
        self.name = name
        self.fields = fields
        self.types = types
        self.coerce = coerce

    @property
    def path(self) -> str:
        """How the variant is written: ``Shape/Rect``."""
        return f"{self.enum.name}/{self.name}"

    def __call__(self, *args: Any, **kwargs: Any) -> EnumValue:
        """A value of this variant; fields are given by position or by name, not by both."""
        if kwargs:
            args = self._named(args, kwargs)
        elif len(args) != len(self.fields):
            names = ", ".join(self.fields)
            raise ArgumentException(
                f"Variant {self.path} expects {len(self.fields)} arguments ({names}), got {len(args)}"
            )
        if self.types is not None:
            args = self._checked(args)
        return self.enum.value_type(self, args)

    def _named(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        if args:
            raise ArgumentException(f"Variant {self.path} cannot mix positional and keyword arguments")
        expected = f"expected fields: {', '.join(self.fields)}"
        unknown = [name for name in kwargs if name not in self.fields]
        if unknown:
            names = ", ".join(unknown)
            raise ArgumentException(
                f"Variant {self.path} got unknown keyword argument(s): {names}; {expected}"
            )
        missing = [name for name in self.fields if name not in kwargs]
        if missing:
            names = ", ".join(missing)
            raise ArgumentException(f"Variant {self.path} missing keyword argument(s): {names}; {expected}")
        return tuple(kwargs[name] for name in self.fields)

    def _checked(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        assert self.types is not None
        return tuple(
            value if type_ is None else self.coerce(value, type_, f"field {self.path}.{field}")
            for value, type_, field in zip(args, self.types(), self.fields, strict=True)
        )

    def __repr__(self) -> str:
        return self.path


class Enum:
    """An enum: the value that its name has.

    Attributes:
        name: Its name.
        variants: Its variants by name.
        members: What a path finds: for each variant its only value, or the variant.
        value_type: The Python type of its values.
        kind: Their kind.
    """

    __slots__ = ("kind", "members", "name", "value_type", "variants")

    def __init__(self, name: str) -> None:
        self.name = name
        self.variants: dict[str, Variant] = {}
        self.members: dict[str, Variant | EnumValue] = {}
        self.value_type: type[EnumValue] = type(name, (EnumValue,), {"__slots__": ()})
        self.kind = Kind(name, "VkEnum", self.value_type, methods=_METHODS)

    def add(self, name: str, fields: Iterable[str] = (), types: Types | None = None) -> None:
        """Add a variant; one without fields is a value at once."""
        variant = self.variants[name] = self.members[name] = Variant(self, name, tuple(fields), types)
        if not variant.fields:
            self.members[name] = self.value_type(variant)
        self.kind.source = {
            **_METHODS,
            **{field: _field(field) for each in self.variants.values() for field in each.fields},
        }

    def gene_members(self, name: str) -> Any:
        """``Shape/Rect``: the variant, or its only value; void for a name that is none."""
        return self.members.get(name, VOID)

    def gene_accepts(self, value: Any) -> bool:
        """Whether a value is of this enum."""
        return isinstance(value, self.value_type)

    def __repr__(self) -> str:
        return self.name


def _field(name: str) -> Callable[[EnumValue], Any]:
    """The method that reads a field."""

    def read(value: EnumValue, *_ignored: Any) -> Any:
        fields = value.variant.fields
        if name in fields:
            return value.values[fields.index(name)]
        raise GeneException(f"Method {name} not found on VkEnum")

    return read


_METHODS: dict[str, Callable[..., Any]] = {}
READERS[Enum] = Enum.gene_members
ENUM: Final = Kind("Enum", "VkEnum", Enum, typeof="Enum")
VARIANT: Final = Kind("Variant", "VkEnumVariant", Variant, typeof="Function")


def make_enum(name: str, variants: tuple[tuple[str, tuple[str, ...]], ...], *types: Types | None) -> Enum:
    """``(enum name …)``.

    Args:
        name: The enum's name.
        variants: Pairs of a variant's name and the names of its fields.
        *types: For each variant a function that gives the types of its fields, or None.
    """
    made = Enum(name)
    for (variant, fields), declared in zip(variants, types, strict=True):
        made.add(variant, fields, declared)
    return made


def is_variant(value: Any, pattern: Any, count: int) -> bool:
    """Whether a value matches a pattern ``(Enum/Variant a b)`` with ``count`` fields."""
    variant = pattern.variant if isinstance(pattern, EnumValue) else pattern
    if type(variant) is not Variant:
        raise TypeException(
            f"case: a pattern with fields needs a variant of an enum, got {kind_of(pattern).tag}"
        )
    if count != len(variant.fields):
        raise ArgumentException(
            f"case: variant {variant.path} has {len(variant.fields)} fields ({', '.join(variant.fields)}),"
            f" the pattern names {count}"
        )
    return isinstance(value, EnumValue) and value.variant is variant


def matches_case(value: Any, pattern: Any) -> bool:
    """Whether a value is a pattern's, or is of the variant that the pattern is."""
    if isinstance(pattern, Variant):
        return value is pattern or (isinstance(value, EnumValue) and value.variant is pattern)
    return (value is pattern and isinstance(pattern, EnumValue)) or equal(value, pattern)


RESULT: Final = make_enum("Result", (("Ok", ("value",)), ("Err", ("error",))), None, None)
OPTION: Final = make_enum("Option", (("Some", ("value",)), ("None", ())), None, None)
OK, ERR = RESULT.variants["Ok"], RESULT.variants["Err"]
SOME, NONE = OPTION.variants["Some"], OPTION.members["None"]


def is_failure(value: Any) -> bool:
    """Whether ``(value ?)`` leaves the function: it is an Err or None."""
    return value is NONE or (isinstance(value, EnumValue) and value.variant is ERR)


def unwrap(value: Any) -> Any:
    """What ``(value ?)`` goes on with: what Ok and Some carry, anything else as it is."""
    if isinstance(value, EnumValue) and value.variant in (OK, SOME):
        return value.values[0]
    return value


def unhandled(value: EnumValue) -> GeneException:
    """What ``(value ?)`` throws at the top level of a file, which no caller gets a value from."""
    return GeneException(f"? outside of a function: {display(value)}", cause=value)
