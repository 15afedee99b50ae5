"""Tool names that a provider accepts, and the way back to the registered names.

A registry allows names that a provider refuses, such as ``math.factorial``. Each illegal character is written
as a word or as its code point between dashes (``math-dot-factorial``), which can be read back without a
table, depends on nothing but the name itself and so never changes when tools are added. A name that is too
long even so ends in a digest; finding its way back takes the definitions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ai_tools.errors import InvalidDefinitionError, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ai_tools.types import ToolDefinition

_WORDS = {".": "dot", "/": "slash", ":": "colon", " ": "space"}
_CHARACTERS = {word: character for character, word in _WORDS.items()}
_ESCAPE = re.compile(r"-(dot|slash|colon|space|x[0-9a-f]{1,6})-")
_DIGEST_LENGTH = 10  # 40 bits: a clash within 1,000 names has odds of one in two million, and is reported


def _escape(match: re.Match[str]) -> str:
    character = match.group()
    return f"-{_WORDS.get(character) or f'x{ord(character):x}'}-"


def _unescape(match: re.Match[str]) -> str:
    code = match.group(1)
    if code in _CHARACTERS:
        return _CHARACTERS[code]
    number = int(code[1:], 16)
    return chr(number) if number <= 0x10FFFF else match.group()


class NameRule:
    """What one provider accepts as a name.

    Args:
        characters: The inside of a regular expression's character class; "" where every name is accepted.
        limit: The greatest length in characters.
        first: The class of the first character, where it is narrower.
    """

    __slots__ = ("_escapes", "_illegal", "_illegal_or_dash", "_legal", "limit")

    def __init__(self, characters: str = "", limit: int = 64, first: str = "") -> None:
        self.limit = limit
        self._escapes = bool(characters)
        pattern = rf"[{first or characters}][{characters}]{{0,{limit - 1}}}" if characters else r"[\s\S]*"
        self._legal = re.compile(pattern)
        self._illegal = re.compile(f"[^{characters}]" if characters else r"(?!)")
        self._illegal_or_dash = re.compile(f"[^{characters}]|-" if characters else r"(?!)")

    def accepts(self, name: str) -> bool:
        """Whether the provider takes this name as it is."""
        return self._legal.fullmatch(name) is not None

    def encode(self, name: str) -> str:
        """Return the name to send: the same wherever possible, always the same for the same name."""
        if self.accepts(name) and self.decode(name) == name:
            return name
        for illegal in (self._illegal, self._illegal_or_dash):
            wire = illegal.sub(_escape, name)
            if self.accepts(wire) and self.decode(wire) == name:
                return wire
        return self._digest(name)

    def decode(self, wire: str) -> str:
        """Return the name that `wire` stands for; a name with a digest stays as it is."""
        return _ESCAPE.sub(_unescape, wire) if self._escapes and "-" in wire else wire

    def _digest(self, name: str) -> str:
        import hashlib

        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_LENGTH]
        stem = self._illegal.sub("_", name) or "tool"
        if not self.accepts(stem[0]):
            stem = f"_{stem}"
        return f"{stem[: self.limit - _DIGEST_LENGTH - 1]}-{digest}"

    def restore(self, wire: str, known: Mapping[str, ToolDefinition] | None) -> str:
        """Return the registered name that a model means with `wire`.

        Args:
            wire: The name in the model's call.
            known: The tools by registered name, or None where they are not at hand.
        """
        name = self.decode(wire)
        if known is None or name in known:
            return name
        if wire in known:  # the model, or an export of someone else's, used the registered name itself
            return wire
        return next((other for other in known if self.encode(other) == wire), name)


def with_wire_names(
    definitions: Iterable[ToolDefinition], rule: NameRule
) -> list[tuple[str, ToolDefinition]]:
    """Pair every definition with the name to send.

    Raises:
        InvalidDefinitionError: Two tools have the same name, or would be sent under the same one.
    """
    pairs = [(rule.encode(definition.name), definition) for definition in definitions]
    taken: dict[str, str] = {}
    for wire, definition in pairs:
        if wire in taken:
            raise InvalidDefinitionError(
                f"The tools {shorten(taken[wire])} and {shorten(definition.name)} would both be sent as "
                f"{wire!r}. Rename one of them.",
                tool=definition.name,
                path="name",
            )
        taken[wire] = definition.name
    return pairs
