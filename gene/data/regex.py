"""Regular expressions as Gene data.

Gene's patterns are those of PCRE (https://www.pcre.org/current/doc/html/pcre2pattern.html) and run on
Python's :mod:`re`; what the two spell differently is translated.
"""

from __future__ import annotations

from gene.data.kinds import Kind, kind_of
from gene.errors import GeneError

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    import re
    from typing import Any, Final


class Regex:
    """A regular expression. Two of them are equal only when they are the same object.

    Attributes:
        pattern: The pattern in PCRE's syntax.
        flags: Of ``i``, ignore case, and ``m``, let a dot match line breaks too.
        replacement: What takes the place of a match, when the literal says so.
    """

    __slots__ = ("_compiled", "flags", "pattern", "replacement")

    def __init__(self, pattern: str, flags: str = "", replacement: str | None = None) -> None:
        self.pattern = pattern
        self.flags = flags
        self.replacement = replacement
        self._compiled: re.Pattern[str] | None = None

    @property
    def compiled(self) -> re.Pattern[str]:
        """The pattern for Python's :mod:`re`.

        Raises:
            GeneError: The pattern is malformed, or uses what Python does not offer.
        """
        if self._compiled is None:
            import re

            flags = (re.IGNORECASE if "i" in self.flags else 0) | (re.DOTALL if "m" in self.flags else 0)
            try:
                self._compiled = re.compile(translate(self.pattern), flags)
            except (re.error, ValueError, OverflowError, RecursionError) as error:
                raise GeneError(f"Invalid regular expression {self}: {error}") from None
        return self._compiled

    def __repr__(self) -> str:
        parts = [self.pattern] if self.replacement is None else [self.pattern, self.replacement]
        return f"#/{'/'.join(_escaped(part) for part in parts)}/{self.flags}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("/", "\\/")


_CLASSES: Final = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "xdigit": "0-9a-fA-F",
    "space": r"\s",
    "blank": r" \t",
    "word": r"\w",
    "punct": r"!-/:-@\[-`{-~",
}
"""POSIX classes, which stand inside of brackets: ``[[:alpha:]]``."""

_DIFFERENT: Final = (
    r"\\Q(?P<quoted>.*?)(?:\\E|\Z)"
    r"|\\k(?:<(?P<angle>\w+)>|\{(?P<brace>\w+)\}|'(?P<quote>\w+)')"
    r"|\\x\{(?P<code>[0-9a-fA-F]{1,6})\}"
    r"|\\(?P<escape>.)"
    r"|\(\?(?:<(?P<group>\w+)>|'(?P<other>\w+)')"
    r"|\[:(?P<class>\w+):\]"
)


def translate(pattern: str) -> str:
    r"""A pattern in PCRE's syntax as Python's :mod:`re` takes it.

    Named groups and references to them, ``\Q…\E``, ``\x{…}``, ``\h``, ``\z``, ``\Z`` and POSIX classes are
    written anew; everything else stays.
    """
    import re

    return re.sub(_DIFFERENT, _translated, pattern, flags=re.DOTALL)


def _translated(match: re.Match[str]) -> str:
    import re

    kind, text = match.lastgroup, match[match.lastgroup or 0]
    if kind == "quoted":
        return re.escape(text)
    if kind in ("angle", "brace", "quote"):
        return f"(?P={text})"
    if kind == "code":
        return re.escape(chr(int(text, 16)))
    if kind in ("group", "other"):
        return f"(?P<{text}>"
    if kind == "class":
        return _CLASSES.get(text, match[0])
    return {"h": r"[ \t]", "z": r"\Z", "Z": r"(?=\n?\Z)"}.get(text, match[0])


def _construct(pattern: Any = None, *, i: Any = False, m: Any = False) -> Regex:
    """``(new Regexp ^^i ^^m "pattern")``."""
    if not isinstance(pattern, str):
        from gene.runtime.exceptions import ArgumentException

        raise ArgumentException(f"Regexp requires a pattern string, got {kind_of(pattern).tag}")
    made = Regex(pattern, ("i" if i else "") + ("m" if m else ""))
    try:
        _ = made.compiled
    except GeneError as error:
        from gene.runtime.exceptions import ArgumentException

        raise ArgumentException(error.message) from None
    return made


REGEX: Final = Kind(
    "Regexp", "VkRegex", Regex, typeof="VkRegex", methods="gene.stdlib.regexes", construct=_construct
)
