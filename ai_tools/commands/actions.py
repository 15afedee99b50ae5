"""What ``gene tools`` does with the tools that it has loaded: a function for each action."""

from __future__ import annotations

import json
import os
import stat
import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

from ai_tools.commands.arguments import read_pairs
from ai_tools.commands.targets import with_hint
from ai_tools.documentation import type_of
from ai_tools.errors import InvalidDefinitionError
from ai_tools.lint import REFUSED, Finding, lint_all
from ai_tools.lint import lint as lint_one

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from ai_tools.commands.targets import Target
    from ai_tools.registry import ToolRegistry
    from ai_tools.tool import Tool
    from ai_tools.types import ToolDefinition


class ActionError(Exception):
    """An action failed; the message says why."""


class UsageError(Exception):
    """The command line means nothing."""


def list_tools(target: Target, options: Namespace) -> int:
    """Print a line for each tool and its parameters, and one of its description."""
    registry = target.registry
    if options.json:
        _print_json([_summary(tool, registry) for tool in registry])
        return bool(target.problems)
    for tool in registry:
        state = "" if registry.is_enabled(tool.name) else "  [disabled]"
        _print(f"{tool.name}({', '.join(_parameters(tool.parameters))}){state}")
        if line := tool.description.strip().partition("\n")[0]:
            _print(f"    {line}")
    return bool(target.problems)


def _summary(tool: Tool, registry: ToolRegistry) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        "enabled": registry.is_enabled(tool.name),
    }


def _parameters(schema: dict[str, Any]) -> Iterator[str]:
    """Yield each parameter with its type; a question mark or a default says that it may be left out."""
    required = schema.get("required") or ()
    for name, part in (schema.get("properties") or {}).items():
        known = part if isinstance(part, dict) else {}
        optional = "" if name in required or "default" in known else "?"
        default = f" = {_compact(known['default'])}" if "default" in known else ""
        yield f"{name}{optional}: {type_of(known)}{default}"


def show(target: Target, options: Namespace) -> int:
    """Print all that is known of one tool, and what providers would refuse, drop or change."""
    from ai_tools.formats.catalog import FORMATS

    registry = target.registry
    tool = _get(registry, options.name)
    findings = [each for provider in FORMATS for each in lint_one(tool.definition, provider)]
    summary = _summary(tool, registry)
    parameters = summary.pop("parameters")
    details = {
        **summary,
        "timeout": tool.timeout or registry.timeout,
        "strict": tool.definition.strict,
        "tags": list(tool.definition.tags),
        "annotations": tool.definition.annotations,
        "parameters": parameters,
        "returns": tool.definition.returns,
    }
    if options.json:
        _print_json({**details, "findings": [_finding(each) for each in findings]})
        return 0
    _print_details(details)
    _print("findings" if findings else "findings: none")
    for each in findings:
        _print(f"  {each.provider}: {each.path}: {each.severity}: {each.message}")
    return 0


def _print_details(details: dict[str, Any]) -> None:
    for key, value in details.items():
        if isinstance(value, dict) and value:
            text = json.dumps(value, indent=2, ensure_ascii=False, default=str)
            _print(f"{key}\n  " + text.replace("\n", "\n  "))
        elif isinstance(value, list) and value:
            _print(f"{key}: {', '.join(value)}")
        elif value not in ([], {}, None):
            text = (
                _compact(value) if isinstance(value, bool) else f"{value:g}" if _is_number(value) else value
            )
            _print(f"{key}: " + text.strip().replace("\n", "\n  "))


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float))


def export(target: Target, options: Namespace) -> int:
    """Print the enabled tools as a provider takes them, as a JSON array."""
    from ai_tools.formats.catalog import get

    try:
        exported = get(options.format).export(_chosen(target.registry, options), strict=options.strict)
    except InvalidDefinitionError as error:
        raise ActionError(str(error)) from error
    _print_json(exported)
    return bool(target.problems)


def call(target: Target, options: Namespace) -> int:
    """Call a tool; print the text of its result, or that of its error to standard error."""
    tool = _get(target.registry, options.name)
    given = _given(tool, options)
    with redirect_stdout(sys.stderr):
        result = target.registry.call(tool.name, given, timeout=options.timeout)
    error = result.error
    if options.json:
        made = {"ok": error is None, "text": result.text, "duration": round(result.duration, 6)}
        _print_json(
            made if error is None else {**made, "code": error.code, "recoverable": error.is_recoverable}
        )
    elif error is None:
        _print(result.text)
    else:
        sys.stderr.write(with_hint(str(error)) + "\n")
    return int(error is not None)


def _given(tool: Tool, options: Namespace) -> Any:
    """Return the arguments of a call: pairs, ``--args``, or JSON from standard input."""
    if options.pairs and options.args is not None:
        raise UsageError("give the arguments as name=value or with --args, not both")
    if options.pairs:
        try:
            return read_pairs(options.pairs, tool.parameters)
        except ValueError as error:
            raise UsageError(str(error)) from error
    if options.args == "-" or (options.args is None and tool.parameters.get("properties") and _is_piped()):
        return sys.stdin.buffer.read().decode("utf-8-sig", "replace")
    return options.args


def _is_piped() -> bool:
    """Whether a file or another program's output is on standard input."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError, AttributeError):  # there is no standard input
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)


def lint(target: Target, options: Namespace) -> int:
    """Print what providers would refuse, drop or change; the status is 1 if something would be refused."""
    from ai_tools.formats.catalog import FORMATS

    providers: Sequence[str] = options.format or FORMATS
    definitions = _chosen(target.registry, options)
    found = [each for name in providers for each in lint_all(definitions, name, strict=options.strict)]
    if options.json:
        _print_json([_finding(each) for each in found])
    else:
        for each in found:
            _print(str(each))
        checked = f"{len(definitions)} tool{'s' * (len(definitions) != 1)} checked for {', '.join(providers)}"
        _print(f"{checked}: {_tally(found)}")
    return bool(target.problems) or any(each.severity == REFUSED for each in found)


def _tally(found: list[Finding]) -> str:
    severities = [each.severity for each in found]
    counts = [f"{severities.count(each)} {each}" for each in dict.fromkeys(severities)]
    return ", ".join(counts) or "nothing to report"


def _finding(finding: Finding) -> dict[str, str]:
    return {name: getattr(finding, name) for name in ("provider", "tool", "path", "severity", "message")}


def _chosen(registry: ToolRegistry, options: Namespace) -> tuple[ToolDefinition, ...]:
    """Return the definitions of the enabled tools, or of those that ``--tool`` names."""
    for name in options.tool or ():
        _get(registry, name)
    return registry.definitions(options.tool, enabled_only=not options.tool)


def _get(registry: ToolRegistry, name: str) -> Tool:
    tool = registry.get(name)
    if tool is not None:
        return tool
    names = ", ".join(registry.names()) or "none"
    raise ActionError(f"{registry.call(name).text} There are: {names}")


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")


def _print_json(value: Any) -> None:
    _print(json.dumps(value, indent=2, ensure_ascii=False, default=str))


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
