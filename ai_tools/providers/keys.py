"""Keys of model services: taken from an argument or the environment, shown nowhere."""

from __future__ import annotations

import os

from ai_tools.providers.errors import AuthenticationError


class Key:
    """A key that prints as ``***``. Only `value` gives it away."""

    __slots__ = ("value",)

    def __init__(self, value: str) -> None:
        self.value = value

    def __repr__(self) -> str:
        return "***" if self.value else "(no key)"

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a key is not to be pickled")

    def redact(self, text: str) -> str:
        """Return a text without this key; a key short enough to be a word is left alone."""
        return text.replace(self.value, "***") if len(self.value) >= 8 else text


def find(
    provider: str,
    given: str | None,
    variables: tuple[str, ...],
    *,
    own_host: bool,
    required: bool = True,
) -> Key:
    """Return the key to use.

    Args:
        provider: The provider's name, for the error.
        given: The argument; None where the caller gave none.
        variables: The environment variables to look into.
        own_host: Whether requests go to the service that the variables are for. A key from the environment
            is sent nowhere else: another host gets only the key that was given for it.
        required: Whether the service's own host takes no request without a key.

    Raises:
        AuthenticationError: There is no key, and the service needs one; or it cannot be sent in a header.
    """
    value = given
    if value is None and own_host:
        value = next((found for name in variables if (found := os.environ.get(name))), None)
    if not value:
        if own_host and required:
            raise AuthenticationError(
                f"There is no key. Set {' or '.join(variables)}, or pass api_key.", provider=provider
            )
        return Key("")
    if not (value.isascii() and value.isprintable()) or " " in value:
        raise AuthenticationError(
            "The key holds characters that no key has, such as a space or a line's end.", provider=provider
        )
    return Key(value)
