"""The strict mode that both of OpenAI's formats share.

Source: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas.
"""

from __future__ import annotations

from typing import Any

from ai_tools.formats.schemas import flatten_root
from ai_tools.formats.strict import StrictRules, strict_schema

STRICT = StrictRules(
    (
        "pattern",
        "multipleOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minItems",
        "maxItems",
    ),
    all_required=True,
    recursion=True,
)


def strict_or_plain(parameters: dict[str, Any], *, strict: bool) -> tuple[dict[str, Any], bool]:
    """Return the schema to send and whether it is the strict one."""
    rewritten = strict_schema(parameters, STRICT)[0] if strict else None
    return (flatten_root(parameters), False) if rewritten is None else (rewritten, True)
