"""The providers by name. A provider's module is imported when it is first asked for, and no other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ai_tools.providers.protocol import Provider

_CLASSES = {
    "anthropic": "AnthropicProvider",
    "backboard": "BackboardProvider",
    "gemini": "GeminiProvider",
    "ollama": "OllamaProvider",
    "openai": "OpenAIProvider",
}

PROVIDERS = tuple(_CLASSES)
"""The names of all providers; each is a module of this package."""


class UnknownProviderError(LookupError):
    """There is no provider of this name. `known` are the names there are."""

    def __init__(self, name: object) -> None:
        super().__init__(f"There is no provider {name!r}. Known are: {', '.join(PROVIDERS)}.")
        self.name = name
        self.known = PROVIDERS


def make_provider(name: str, model: str | None = None, **options: Any) -> Provider:
    """Return a provider.

    Args:
        name: One of `PROVIDERS`; case does not matter.
        model: The model to ask where a request names none.
        **options: The options of the provider's class: `api_key`, `base_url`, `timeout`, `retry`, ….

    Raises:
        UnknownProviderError: There is none of this name.
        TypeError: The provider has no such option; the message names those it has.
        AuthenticationError: It needs a key, and there is none.
        MissingExtraError: Its SDK is not installed.
    """
    from importlib import import_module

    key = name.lower() if isinstance(name, str) else name
    if key not in _CLASSES:
        raise UnknownProviderError(name)
    kind = getattr(import_module(f"ai_tools.providers.{key}"), _CLASSES[key])
    _check(key, kind, options)
    return kind(model, **options)  # type: ignore[no-any-return]  # the table says so


def _check(name: str, kind: Any, options: dict[str, Any]) -> None:
    import inspect

    known = list(inspect.signature(kind).parameters)[1:]
    if wrong := sorted(options.keys() - set(known)):
        raise TypeError(
            f"The provider {name!r} has no option {', '.join(wrong)}. It has: model, {', '.join(known)}."
        )
