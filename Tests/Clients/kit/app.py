# SPDX-License-Identifier: Apache-2.0
"""An app in the broker's configuration."""

import secrets
from dataclasses import dataclass, field

# The APIs for which every app may get access tokens if it asks for one, by their names.
RESOURCES = {"orders": "https://api.example/orders", "billing": "urn:example:billing"}


@dataclass(frozen=True)
class App:
    """An app, whose name is its client ID, and the keys of its configuration.

    `public_keys` is the JSON Web Key Set of a client that authenticates by `private_key_jwt`. With `repeats_assertions`
    its assertions are for the token endpoint and not for the issuer, and each is for several requests. One that `keeps_sessions` has accounts and refresh
    tokens. Each is replaced by the next one. Then `logout_uri` is where it hears that a session
    ended; None if it does not.
    """

    name: str
    redirect_uri: str
    is_public: bool = False
    algorithm: str = "RS256"
    code_binding: str = "pkce"
    public_keys: str | None = None
    repeats_assertions: bool = False
    keeps_sessions: bool = False
    logout_uri: str | None = None
    _secret: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)

    @property
    def secret(self) -> str | None:
        """The client secret; None for a public client, and for one that authenticates with a key."""
        return None if self.is_public or self.public_keys is not None else self._secret

    @property
    def kind(self) -> str:
        """The type of the client, as RFC 6749 section 2.1 calls it."""
        return "public" if self.is_public else "confidential"

    @property
    def keys(self) -> dict[str, object]:
        """The keys of the configuration below `auth.app.<name>`."""
        keys: dict[str, object] = {
            "redirect-uris": [self.redirect_uri],
            "id-token-algorithm": self.algorithm,
            "code-binding": self.code_binding,
            "resources": list(RESOURCES),
        }
        if self.keeps_sessions:
            keys |= {"accounts": True, "refresh-tokens": True, "rotate-refresh-tokens": True}
        if self.logout_uri is not None:
            keys["backchannel-logout-uri"] = self.logout_uri
        if self.secret is not None:
            keys["client-secret"] = self.secret
        if self.public_keys is not None:
            keys["client-keys"] = self.public_keys
        if self.repeats_assertions:
            keys |= {"assertion-audience": "token-endpoint", "assertion-reuse": True}
        return keys
