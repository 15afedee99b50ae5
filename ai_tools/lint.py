"""What a provider will refuse, drop or change about a tool, told before it does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ai_tools.formats import catalog
from ai_tools.formats.schemas import inline_references, is_recursive, walk
from ai_tools.types import Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ai_tools.formats.rules import Rules
    from ai_tools.types import ToolDefinition

REFUSED, DROPPED, CHANGED = "refused", "dropped", "changed"


class Finding(Record):
    """One thing about one tool.

    Attributes:
        severity: ``"refused"`` (the provider refuses the whole request), ``"dropped"`` (a part
            does not reach the model; the registry still enforces it) or ``"changed"`` (the export differs
            from the definition; calls are mapped back).
        provider: The format's name.
        tool: The tool's registered name; "" for a finding about all tools together.
        path: The place in the definition, such as ``parameters.properties.when.format``.
        message: What happens, and what would help.
    """

    __slots__ = ("message", "path", "provider", "severity", "tool")

    def __init__(self, severity: str, provider: str, tool: str, path: str, message: str) -> None:
        self.severity = severity
        self.provider = provider
        self.tool = tool
        self.path = path
        self.message = message

    def __str__(self) -> str:
        return f"{self.provider}: {self.tool}: {self.path}: {self.severity}: {self.message}"


def lint(definition: ToolDefinition, provider: str, *, strict: bool = False) -> list[Finding]:
    """Check one definition against a provider's rules.

    Args:
        definition: The tool.
        provider: A name that `ai_tools.formats.catalog.get` knows.
        strict: Check as if strict mode were asked for, whether or not the definition does.

    Returns:
        What will be refused first, then what is dropped, then what is changed.

    Raises:
        UnknownProviderError: There is no such format.
    """
    rules = catalog.get(provider).RULES
    found = [
        *_name(definition, rules),
        *_description(definition, rules),
        *_schema(definition.parameters, rules),
        *_strict(definition, rules, wanted=strict or definition.strict),
    ]
    order = (REFUSED, DROPPED, CHANGED)
    findings = [Finding(severity, provider, definition.name, *place) for severity, *place in found]
    return sorted(findings, key=lambda finding: order.index(finding.severity))


def lint_all(definitions: Iterable[ToolDefinition], provider: str, *, strict: bool = False) -> list[Finding]:
    """Check all tools of a request, one by one and together (their number, and names that would collide).

    Raises:
        UnknownProviderError: There is no such format.
    """
    definitions = list(definitions)
    rules = catalog.get(provider).RULES
    findings = [
        finding for definition in definitions for finding in lint(definition, provider, strict=strict)
    ]
    if rules.max_tools is not None and len(definitions) > rules.max_tools:
        message = f"{len(definitions)} tools are more than the {rules.max_tools} that one request may offer"
        findings.insert(0, Finding(REFUSED, provider, "", "tools", message))
    owners: dict[str, str] = {}
    for definition in definitions:
        wire = rules.names.encode(definition.name)
        if wire in owners:
            message = f"would be sent as {wire!r}, which is also the name sent for {owners[wire]!r}"
            findings.insert(0, Finding(REFUSED, provider, definition.name, "name", message))
        owners[wire] = definition.name
    return findings


_Found = tuple[str, str, str]


def _name(definition: ToolDefinition, rules: Rules) -> Iterator[_Found]:
    wire = rules.names.encode(definition.name)
    if wire != definition.name:
        yield CHANGED, "name", f"is sent as {wire!r}, and mapped back in calls"


def _description(definition: ToolDefinition, rules: Rules) -> Iterator[_Found]:
    size = len(definition.description)
    if rules.needs_description and not definition.description.strip():
        yield REFUSED, "description", "must not be empty"
    if rules.max_description is not None and size > rules.max_description:
        message = (
            f"has {size:,} characters; more than {rules.max_description:,} are refused by some deployments"
        )
        yield REFUSED, "description", message


def _schema(parameters: dict[str, Any], rules: Rules) -> Iterator[_Found]:
    try:
        json.dumps(parameters, allow_nan=False)
    except (TypeError, ValueError) as error:
        yield REFUSED, "parameters", f"is not JSON: {error}"
        return
    if rules.plain_root:
        for keyword in ("anyOf", "oneOf", "allOf", "not", "enum", "const", "if"):
            if keyword in parameters:
                yield (
                    CHANGED,
                    f"parameters.{keyword}",
                    "is not allowed at the root; the export takes it apart",
                )
    if rules.inlines and is_recursive(parameters):
        yield DROPPED, "parameters", "refers to itself (or too often); the export cuts it with a freer schema"
    sent = inline_references(parameters) if rules.inlines else parameters
    for path, part in walk(sent, "parameters"):
        yield from _part(part, path, rules)


def _part(part: dict[str, Any], path: str, rules: Rules) -> Iterator[_Found]:
    for keyword in rules.dropped.keys() & part.keys():
        yield DROPPED, f"{path}.{keyword}", rules.dropped[keyword]
    properties = part.get("properties") or {}
    if rules.properties is not None:
        for name in properties:
            if not rules.properties.accepts(name):
                message = (
                    "is no name that the provider accepts; use letters, digits and _, at most 64 of them"
                )
                yield REFUSED, f"{path}.properties.{name}", message


def _strict(definition: ToolDefinition, rules: Rules, *, wanted: bool) -> Iterator[_Found]:
    if not wanted:
        return
    if rules.strict is None:
        yield DROPPED, "strict", "there is no strict mode"
        return
    from ai_tools.formats.strict import strict_schema

    for reason in strict_schema(definition.parameters, rules.strict)[1]:
        yield CHANGED, "strict", f"is sent without strict mode: {reason}"
