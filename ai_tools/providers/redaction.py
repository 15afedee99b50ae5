"""Keys out of what is recorded: known secrets, values under telling names, texts that look like keys."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

REDACTED = "[redacted]"

_NAMES = re.compile(
    r"^(x-)?(api|access|auth|secret|private)?[-_]?(key|token|secret|password|authorization)$", re.IGNORECASE
)
_VARIABLES = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$")
_LOOKS = re.compile(
    r"\b(sk|pk|rk|gsk|xai|ghp|gho|github_pat|hf|espr)[-_][A-Za-z0-9_-]{16,}"
    r"|\bAIza[A-Za-z0-9_-]{30,}"
    r"|\bBearer\s+[A-Za-z0-9._~+/-]{8,}=*"
)
_SHORTEST = 8  # characters of a variable that counts as a secret: shorter ones would be found in any text


class Redactor:
    """Takes secrets out of JSON values.

    Args:
        secrets: Texts to take out wherever they stand, beside the values of all environment variables whose
            names end in KEY, TOKEN, SECRET or PASSWORD.
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        found = {value for name, value in os.environ.items() if _VARIABLES.search(name.upper())}
        known = {text for text in found if len(text) >= _SHORTEST} | {text for text in secrets if text}
        # Longer ones first: one secret may be the beginning of another.
        self._known = sorted(known, key=len, reverse=True)

    def clean(self, value: Any) -> Any:
        """Return a copy of a JSON value without secrets."""
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, dict):
            return {self._text(key): self._field(key, item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.clean(item) for item in value]
        return value

    def _field(self, key: str, value: Any) -> Any:
        return REDACTED if isinstance(value, str) and _NAMES.match(key) else self.clean(value)

    def _text(self, text: str) -> str:
        for secret in self._known:
            text = text.replace(secret, REDACTED)
        return _LOOKS.sub(REDACTED, text)
