# SPDX-License-Identifier: Apache-2.0
"""What a client is told about the broker, as an operator would tell it."""

from dataclasses import dataclass
from typing import Any

import requests


@dataclass(frozen=True)
class Registration:
    """The issuer and the client's registration there."""

    issuer: str
    client_id: str
    client_secret: str | None
    redirect_uri: str

    @property
    def metadata_url(self) -> str:
        """The URL of the issuer's metadata (OpenID Connect Discovery 1.0 section 4)."""
        return f"{self.issuer}/.well-known/openid-configuration"

    def metadata(self) -> dict[str, Any]:
        """Fetches the metadata, for a client that does not do so itself."""
        response = requests.get(self.metadata_url, timeout=10)
        response.raise_for_status()
        metadata: dict[str, Any] = response.json()
        return metadata

    @property
    def secret(self) -> str:
        """The client secret of a client that has one."""
        if self.client_secret is None:
            raise ValueError(f"{self.client_id} has no secret")
        return self.client_secret
