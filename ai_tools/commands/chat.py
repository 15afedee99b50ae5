"""``gene chat``: talk to a model that has the tools of a program, a configuration or a module."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from contextlib import closing, redirect_stdout
from typing import TYPE_CHECKING, Any

from ai_tools.agent import Agent
from ai_tools.agent_limits import LimitReachedError
from ai_tools.commands.targets import TargetError, load
from ai_tools.commands.terminal import Terminal, call_text, result_text
from ai_tools.commands.tools import add_allow
from ai_tools.conversation import Conversation, ConversationError
from ai_tools.providers.catalog import PROVIDERS, UnknownProviderError, make_provider
from ai_tools.providers.errors import ProviderError
from ai_tools.registry import ToolRegistry

if TYPE_CHECKING:
    from argparse import Namespace

    from ai_tools.agent_approval import Decision
    from ai_tools.agent_events import AgentEvent, Pending
    from ai_tools.providers.protocol import Provider
    from ai_tools.types import ToolCall

DESCRIPTION = """\
Talk to a model that has the tools of TARGET, as for gene tools. Every line is a message; Ctrl-C stops an
answer, and the conversation goes on; Ctrl-D, exit or quit leaves. After a failure an empty line tries again.

In a terminal you are asked before a tool runs, unless it says that it only reads (readOnlyHint). Over a pipe
nobody can be asked: tools run, unless --approve names them; then the next line is the answer.
"""
INTERRUPTED = 130
"""The exit status after Ctrl-C where a pipe is read: 128 and the number of the signal."""

_QUESTION = "    run {}? [y]es, [n]o, [a]lways, or why not: "


class ChatError(Exception):
    """The chat cannot begin; the message says why."""


def main(arguments: list[str]) -> int:
    """Run the command line behind ``gene chat`` and return the exit status."""
    options = _parser().parse_args(arguments)
    terminal = Terminal()
    try:
        registry = _tools(options, terminal)
        provider = _provider(options)
        chat = Chat(terminal, provider, registry, options)
    except (ChatError, TargetError, ProviderError, ImportError, ValueError, OSError) as error:
        terminal.error(str(error))
        return 1
    return chat.run()


def _parser() -> ArgumentParser:
    parser = ArgumentParser("gene chat", description=DESCRIPTION, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument(
        "target", metavar="TARGET", nargs="?", help="whose tools the model gets; none without"
    )
    parser.add_argument(
        "--provider",
        default="openai",
        metavar="NAME",
        help=f"{', '.join(PROVIDERS)} (default: openai), NAME:MODEL, or scripted:FILE, which plays a script",
    )
    parser.add_argument("--model", help="the model")
    parser.add_argument("--base-url", metavar="URL", help="of a server other than the provider's own")
    parser.add_argument("--system", metavar="TEXT", help="what the model is told before everything else")
    parser.add_argument(
        "--save", metavar="FILE", help="go on with the conversation in FILE, and keep it there"
    )
    parser.add_argument(
        "--approve", metavar="TOOLS", help="ask before these run: names separated by commas, all, or none"
    )
    add_allow(parser)
    return parser


def _tools(options: Namespace, terminal: Terminal) -> ToolRegistry:
    if options.target is None:
        return ToolRegistry()
    target = load(options.target, options.allow)
    for message in (*target.warnings, *target.problems):
        terminal.error(message)
    return target.registry


def _provider(options: Namespace) -> Provider:
    name, _, rest = options.provider.partition(":")
    if name == "scripted":
        return _scripted(rest)
    more = {"base_url": options.base_url} if options.base_url else {}
    try:
        return make_provider(name, options.model or rest or None, **more)
    except UnknownProviderError as error:
        raise ChatError(f"{error} Or scripted:FILE, which plays a script.") from error


def _scripted(path: str) -> Provider:
    from ai_tools.providers import scripts
    from ai_tools.providers.scripted import ScriptedProvider

    if not path:
        raise ChatError("scripted needs a script: --provider scripted:FILE")
    if not path.endswith(".gene"):
        return ScriptedProvider(scripts.read(path))
    from ai_tools.gene_bindings.config import read_file

    try:
        return ScriptedProvider(scripts.script_of(read_file(path)))
    except ValueError as error:
        raise ChatError(f"{path}: {error}") from error


class Chat:
    """One chat, from the first line to the last.

    Args:
        terminal: Where it takes place.
        provider: The model service.
        registry: The tools.
        options: The command line.

    Raises:
        ConversationError: The file of ``--save`` holds no conversation.
        OSError: It cannot be read.
        ChatError: ``--approve`` names a tool that is not there.
    """

    def __init__(
        self, terminal: Terminal, provider: Provider, registry: ToolRegistry, options: Namespace
    ) -> None:
        self._terminal = terminal
        self._registry = registry
        self._save_path: str | None = options.save
        self._asked = _asked(options.approve, registry)
        self._allowed: set[str] = set()  # tools that are always allowed from now on
        self._has_failed = False
        self._agent = Agent(
            provider,
            system_prompt=options.system,
            tools=registry,
            conversation=self._loaded(),
            settings={"model": options.model},
            approval=self._needs_approval,
            approve=self._approve,
        )

    def _loaded(self) -> Conversation:
        if self._save_path is None or not os.path.exists(self._save_path):
            return Conversation()
        conversation = Conversation.load(self._save_path)
        self._terminal.line(f"going on after {len(conversation)} messages of {self._save_path}")
        return conversation

    def run(self) -> int:
        """Take messages until there are no more, and return the exit status."""
        failures = 0
        while True:
            try:
                message = self._terminal.read()
            except KeyboardInterrupt:
                if not self._terminal.is_interactive:
                    return INTERRUPTED
                self._terminal.line("\n(Ctrl-D leaves)")
                continue
            if message is None or message.strip() in ("exit", "quit"):
                break
            if message.strip() or self._has_failed:
                self._has_failed = not self._turn(message if message.strip() else None)
                failures += self._has_failed
        return int(failures > 0 and not self._terminal.is_interactive)

    def _turn(self, message: str | None) -> bool:
        """Say something and show what comes; return whether it went well. Ctrl-C is no failure."""
        try:
            with redirect_stdout(sys.stderr), closing(self._agent.stream_chat(message)) as events:  # type: ignore[type-var]  # it is a generator
                self._terminal.wait("thinking")
                for event in events:
                    self._show(event)
        except KeyboardInterrupt:
            self._terminal.line("(stopped)")
        except (ProviderError, LimitReachedError, ConversationError) as error:
            self._terminal.error(str(error))
            return False
        finally:
            self._terminal.rest()
            self._terminal.end_line()
            saved = self._save()
        return saved

    def _show(self, event: AgentEvent) -> None:
        seen: Any = event
        if event.kind == "text":
            self._terminal.text(seen.text)
        elif event.kind == "tool_started":
            self._terminal.end_line()
            self._terminal.wait(call_text(seen.call))
        elif event.kind == "tool_finished":
            self._terminal.line(result_text(seen.call, seen.result))
            self._terminal.wait("thinking")
        elif event.kind == "answer" and seen.answer.stop_reason not in ("stop", ""):
            self._terminal.line(f"({_ENDS.get(seen.answer.stop_reason, seen.answer.stop_reason)})")

    def _save(self) -> bool:
        if self._save_path is None:
            return True
        try:
            self._agent.conversation.save(self._save_path)
        except OSError as error:
            self._terminal.error(f"the conversation cannot be saved: {error}")
            return False
        return True

    # Approval

    def _needs_approval(self, call: ToolCall) -> bool:
        if call.name in self._allowed:
            return False
        if self._asked is not None:
            return call.name in self._asked
        tool = self._registry.get(call.name)
        return self._terminal.is_interactive and not (
            tool is not None and tool.definition.annotations.get("readOnlyHint") is True
        )

    def _approve(self, pending: Pending) -> Decision:
        if pending.call.name in self._allowed:
            return True
        answer = self._terminal.ask(_QUESTION.format(call_text(pending.call)))
        if answer is None:
            return "nobody was there to allow it"
        word = answer.strip().lower()
        if word in ("a", "always"):
            self._allowed.add(pending.call.name)
        if word in ("y", "yes", "a", "always"):
            self._terminal.wait(call_text(pending.call))
            return True
        return False if word in ("", "n", "no") else answer.strip()


_ENDS = {
    "length": "cut off: the answer reached its limit of tokens",
    "refusal": "the model refuses to answer",
    "cancelled": "stopped",
    "error": "the answer ended with an error",
}


def _asked(text: str | None, registry: ToolRegistry) -> frozenset[str] | None:
    """Return the names of the tools to ask about; None to go by what the tools say of themselves."""
    if text is None:
        return None
    if text in ("all", "none"):
        return frozenset(registry.names() if text == "all" else ())
    names = frozenset(name.strip() for name in text.split(",") if name.strip())
    if unknown := sorted(names - set(registry.names())):
        there = ", ".join(registry.names()) or "none"
        raise ChatError(f"--approve: there is no tool {', '.join(unknown)}; there are: {there}")
    return names
