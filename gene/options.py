"""How code is compiled: what a program's host chooses."""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would double the time that a small script takes to start
if TYPE_CHECKING:
    from collections.abc import Mapping


class Options:
    """The options of the compiler.

    Attributes:
        type_check: Whether it looks for mistakes of types: what cannot be right is refused, what is most
            likely wrong is warned of.
        strict_nil: Whether the code has declared types checked also where the value is nil.
        metered: Whether the code takes a step at each function's start and each turn of a loop
            (:mod:`gene.runtime.metering`).
        environment: The environment variables that ``comptime`` may read; None when it may not.
    """

    __slots__ = ("environment", "metered", "strict_nil", "type_check")

    def __init__(
        self,
        *,
        type_check: bool = True,
        strict_nil: bool = False,
        metered: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.type_check = type_check
        self.strict_nil = strict_nil
        self.metered = metered
        self.environment = environment

    @property
    def variant(self) -> str:
        """What tells the cached code from that of other options; "" for the usual ones."""
        flags = {"-unchecked": not self.type_check, "-strict": self.strict_nil, "-metered": self.metered}
        return "".join([name for name, given in flags.items() if given])


USUAL = Options()
"""What holds where nobody chooses."""
