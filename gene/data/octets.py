"""Bytes as Gene data."""

from __future__ import annotations

from gene.data.atoms import BIT_TYPES

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Self


class Octets(bytes):
    """Python's bytes that print as Gene writes them: ``0#dead``."""

    __slots__ = ()

    @classmethod
    def parse(cls, literal: str) -> Self:
        """Reads a literal.

        Args:
            literal: ``0!`` and bits, ``0#`` and hexadecimal digits, or ``0*`` and base64; ``~`` separates
                groups. A group of bits or digits that does not fill its bytes gets zeros on the left.

        Raises:
            ValueError: The literal is malformed; the text says how.
        """
        groups = [group for group in literal[2:].split("~") if group]
        try:
            return cls(b"".join(map(_DECODERS[literal[:2]], groups)))
        except (KeyError, ValueError):
            raise ValueError(f"Malformed bytes: {literal}") from None

    def bitwise(self, name: str, other: Octets) -> Octets:
        """The operation that ``int`` calls ``name``, bit by bit; the shorter one gets zeros on the left."""
        made = getattr(int, name)(int.from_bytes(self, "big"), int.from_bytes(other, "big"))
        return Octets(made.to_bytes(max(len(self), len(other)), "big"))

    def complement(self) -> Octets:
        """All bits turned."""
        return Octets(bytes(255 - byte for byte in self))

    def shift(self, direction: str, amount: int) -> Octets:
        """All bits moved "left" or "right"; those that leave are lost, and zeros follow."""
        bits, number = 8 * len(self), int.from_bytes(self, "big")
        distance = min(amount, bits) if direction == "left" else max(-amount, -bits)
        moved = number << distance if distance >= 0 else number >> -distance
        return Octets((moved & ((1 << bits) - 1)).to_bytes(len(self), "big"))

    def __repr__(self) -> str:
        return f"0#{self.hex()}"

    __str__ = __repr__


def _from_bits(bits: str) -> bytes:
    if bits.strip("01"):
        raise ValueError(bits)
    return int(bits, 2).to_bytes((len(bits) + 7) // 8, "big")


def _from_hex(digits: str) -> bytes:
    return bytes.fromhex("0" * (len(digits) % 2) + digits)


def _from_base64(text: str) -> bytes:
    from binascii import a2b_base64

    return a2b_base64(text + "=" * (-len(text) % 4), strict_mode=True)


BIT_TYPES.add(Octets)
_DECODERS = {"0!": _from_bits, "0#": _from_hex, "0*": _from_base64}
