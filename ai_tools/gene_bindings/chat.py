"""The members of ``ai`` for conversations, agents, providers and streams."""

from __future__ import annotations

from typing import Any

from ai_tools.gene_bindings import agents, conversations, providers, streaming
from ai_tools.gene_bindings.chat_errors import CONVERSATION_CLASSES
from ai_tools.gene_bindings.chat_kinds import MESSAGE
from gene.runtime.namespaces import Namespace


def members(granted: frozenset[str]) -> dict[str, Any]:
    """Return the members, as far as a program's capabilities allow what they do.

    Args:
        granted: The capabilities.
    """
    network, files = "network" in granted, "files" in granted
    conversation = {"new": conversations.new, "load": conversations.load, "Message": MESSAGE}
    return {
        "conversation": Namespace("ai/conversation", {**conversation, **CONVERSATION_CLASSES}),
        "agent": agents.namespace(network=network, files=files),
        "providers": providers.namespace(network=network),
        "stream_chat": agents.stream_chat_with,
        "streaming": Namespace("ai/streaming", {"sse_writer": streaming.sse_writer}),
    }
