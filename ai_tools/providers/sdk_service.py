"""What the providers share whose SDK has one client class, made of a key and an address."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar

from ai_tools.providers import keys, sdk
from ai_tools.providers.http import checked
from ai_tools.providers.service import DEFAULT_TIMEOUT, ModelService

if TYPE_CHECKING:
    from ai_tools.providers.retry import RetryPolicy


class SdkService(ModelService):
    """A model service that is reached through the client class of its official SDK.

    Subclasses say which class that is, and the address of the service; the key and another address are in
    the environment variables that the SDK itself knows, ``NAME_API_KEY`` and ``NAME_BASE_URL``.
    """

    client_class: ClassVar[str]
    default_url: ClassVar[str]

    def __init__(
        self,
        model: str | None = None,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        client: Any = None,
        strict: bool = False,
        timeout: float = DEFAULT_TIMEOUT,
        retry: RetryPolicy | None = None,
    ) -> None:
        super().__init__(model, timeout=timeout, retry=retry)
        self._strict = strict
        if client is not None:
            self.base_url = str(client.base_url)
            self._client = client.with_options(max_retries=0)
            return
        package, prefix = sdk.load(self.name, self.name), self.name.upper()
        self.base_url = checked(base_url or os.environ.get(f"{prefix}_BASE_URL") or self.default_url)
        own_host = base_url is None or self.base_url == self.default_url
        self._key = keys.find(self.name, api_key, (f"{prefix}_API_KEY",), own_host=own_host)
        self._client = getattr(package, self.client_class)(
            api_key=self._key.value or "none",
            base_url=self.base_url,
            max_retries=0,
            http_client=sdk.http_client(),
        )

    def close(self) -> None:
        """Give back connections."""
        self._client.close()
