"""Base64."""

from __future__ import annotations

from binascii import Error, a2b_base64, b2a_base64

from gene.runtime.exceptions import ArgumentException
from gene.stdlib.arguments import MISSING

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from typing import Any, Final

_STANDARD: Final = {ord("-"): "+", ord("_"): "/", **dict.fromkeys(map(ord, " \t\r\n"))}


def base64(text: Any = MISSING) -> str:
    """``(base64 text)``: the Base64 form of Bytes, or of a String's UTF-8 bytes."""
    if not isinstance(text, (str, bytes)):
        raise ArgumentException("base64 requires a string or bytes")
    try:
        return b2a_base64(text if isinstance(text, bytes) else text.encode(), newline=False).decode()
    except UnicodeEncodeError as error:
        raise ArgumentException(
            f"base64 requires text that UTF-8 can express: character {error.start} is a lone surrogate"
        ) from None


def base64_decode(text: Any = MISSING) -> str:
    """``(base64_decode text)``: the String that a Base64 text stands for.

    White space is skipped, the alphabet of URLs (``-`` and ``_``) is understood, padding may be missing.

    Raises:
        ArgumentException: No Base64, or what it stands for is not UTF-8 text.
    """
    if type(text) is not str:
        raise ArgumentException("base64_decode requires a string")
    digits = text.translate(_STANDARD).rstrip("=")
    try:
        return a2b_base64(digits + "=" * (-len(digits) % 4), strict_mode=True).decode()
    except UnicodeDecodeError as error:
        raise ArgumentException(
            f"base64_decode requires Base64 of UTF-8 text; byte {error.start} is none"
        ) from None
    except (Error, ValueError):  # ValueError: characters that are not even ASCII
        raise ArgumentException("base64_decode requires Base64 text") from None
