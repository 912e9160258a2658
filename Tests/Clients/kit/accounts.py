# SPDX-License-Identifier: Apache-2.0
"""The accounts in the broker's configuration, and the native app that uses them."""

from dataclasses import dataclass, field
from pathlib import Path

# Also the name of an app of the broker, so that the ID tokens of both kinds have the same audience.
PROJECT_ID = "people"
NATIVE_CLIENT = "com.example.people"
API_KEY = "key-of-the-native-app"
# The bearer token of the admin operations.
ADMIN_TOKEN = "admin-token-of-the-client-kit-0123456789"


@dataclass(frozen=True)
class Accounts:
    """Accounts whose ID tokens have a certain signature algorithm and issuer.

    `signing_key` and `other_key` are PEM texts of private keys. The first one signs and both are published, as while
    keys are changed. `cookie_key` signs session cookies. `issuer` is None for the accounts' own.
    """

    algorithm: str
    signing_key: str = field(repr=False)
    other_key: str = field(repr=False)
    cookie_key: str = field(repr=False)
    issuer: str | None = None

    def keys(self, directory: Path) -> dict[str, object]:
        """The keys of the configuration below `auth`, with a database in a directory."""
        accounts = {
            "project-id": PROJECT_ID,
            "database": f"sqlite:{directory / 'accounts.sqlite'}",
            "signing-keys": self.signing_key + self.other_key,
            "session-cookie-keys": self.cookie_key,
        }
        if self.issuer is not None:
            accounts["issuer"] = self.issuer
        app = {"kind": "ios", "api-key": API_KEY, "native-audiences": [f"development:{NATIVE_CLIENT}"]}
        return {"accounts": accounts, "sdk-apps": ["phone"], "sdk-app": {"phone": app}}
