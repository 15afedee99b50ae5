"""Model services in Gene: ``(ai/providers/openai ^model "…")``, ``(ai/providers/scripted ["…" …])``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ai_tools.gene_bindings.chat_errors import PROVIDER_CLASSES, explaining
from ai_tools.gene_bindings.words import data, word
from ai_tools.providers.catalog import PROVIDERS, UnknownProviderError, make_provider
from ai_tools.providers.protocol import Provider
from ai_tools.providers.scripted import ScriptedProvider
from ai_tools.providers.scripts import script_of, turn_of
from gene.runtime.exceptions import ArgumentException
from gene.runtime.futures import Future, await_futures
from gene.runtime.namespaces import Namespace
from gene.stdlib.arguments import MISSING, tag_of
from gene.stdlib.capabilities import denied

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ai_tools.providers.protocol import Request
    from ai_tools.providers.scripted import Turn


def namespace(*, network: bool) -> Namespace:
    """Return ``ai/providers``.

    Args:
        network: Whether the program may reach the network; without it only ``scripted`` can be made.
    """
    services: dict[str, Any] = {
        name: _maker(name) if network else denied(f"ai/providers/{name}", "network") for name in PROVIDERS
    }
    return Namespace("ai/providers", {**services, "scripted": scripted, **PROVIDER_CLASSES})


def _maker(name: str) -> Callable[..., Provider]:
    def make(model: Any = None, **options: Any) -> Provider:
        chosen = None if model is None else word(model, f"ai/providers/{name}: ^model must be a String")
        return make_provider(name, chosen, **data(options))

    return explaining(make)


@explaining
def scripted(turns: Any = MISSING) -> ScriptedProvider:
    """``(ai/providers/scripted ["Hello." [{^name "find"}] …])``: a model that plays a script.

    Args:
        turns: An array of turns, each a String, an Array of calls, a Map with text, calls, error, delay,
            chunk, usage and so on (see `ai_tools.providers.scripts`), or a function of the request that
            returns one of these.

    Raises:
        ArgumentException: Something is no turn; the message says which.
    """
    if not isinstance(turns, list):
        raise ArgumentException(f"ai/providers/scripted requires an Array of turns, got {tag_of(turns)}")
    script_of([_checked(turn) for turn in turns])  # errors come now, not in the middle of a conversation
    return ScriptedProvider([_line(turn) for turn in turns])


def _checked(turn: Any) -> Any:
    return "" if callable(turn) else data(turn)


def _line(turn: Any) -> Any:
    if not callable(turn):
        return turn_of(data(turn))

    def play(request: Request) -> Turn:
        made = turn(request)
        return turn_of(data(await_futures(made) if type(made) is Future else made))

    return play


def provider_of(value: Any, *, network: bool) -> Provider:
    """Return the provider that a program names: itself, or ``"openai"`` or ``"openai:gpt-5"``.

    Raises:
        PermissionException: The program may not reach the network.
        UnknownProviderError: There is none of this name.
    """
    if isinstance(value, Provider):
        return value
    name, _, model = word(value, "an agent requires a provider or its name").partition(":")
    if name.lower() not in PROVIDERS:
        raise UnknownProviderError(name)
    if not network:
        denied(f"ai/providers/{name.lower()}", "network")()
    return make_provider(name, model or None)


def requests(provider: Provider) -> Iterator[Request] | list[Request]:
    """``(provider .requests)``: the latest requests of a scripted provider, oldest first."""
    return list(getattr(provider, "requests", ()))
