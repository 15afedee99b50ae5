"""What a provider refuses, drops or limits: facts that the formats export by and the lint reports by."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ai_tools.formats.names import NameRule
    from ai_tools.formats.strict import StrictRules


class Rules:
    """The rules of one provider.

    Args:
        names: What it accepts as a tool's name.
        properties: What it accepts as a parameter's name; None where it takes all.
        max_tools: Tools in one request; None where no limit is known.
        max_description: Characters of a description; None where no limit is known.
        needs_description: Whether a description has to be there.
        plain_root: Whether combinators at the root of a schema are refused (the export takes them out).
        inlines: Whether references are replaced on export.
        dropped: Keywords that do not reach the model, or are ignored, with what happens to them.
        strict: The subset of strict mode, where the provider has one.
    """

    __slots__ = (
        "dropped", "inlines", "max_description", "max_tools", "names", "needs_description", "plain_root",
        "properties", "strict",
    )  # fmt: skip

    def __init__(
        self,
        names: NameRule,
        *,
        properties: NameRule | None = None,
        max_tools: int | None = None,
        max_description: int | None = None,
        needs_description: bool = False,
        plain_root: bool = False,
        inlines: bool = False,
        dropped: Mapping[str, str] | None = None,
        strict: StrictRules | None = None,
    ) -> None:
        self.names = names
        self.properties = properties
        self.max_tools = max_tools
        self.max_description = max_description
        self.needs_description = needs_description
        self.plain_root = plain_root
        self.inlines = inlines
        self.dropped = dict(dropped or {})
        self.strict = strict
