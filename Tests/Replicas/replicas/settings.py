# SPDX-License-Identifier: Apache-2.0
"""The settings of the replicas, as environment variables."""

import secrets
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kit import certificates
from operations import broker_configuration

from replicas import apple
from replicas.invariants import SECONDS_TO_REPEAT
from replicas.stores import sentinel_settings

PORT = 8080
# Where a relay stands in front of it that knows what is answered to browsers.
RELAYED_PORT = 8081
OPERATIONS_PORT = 9464
# Where a replica finds the proxy through which it reaches Apple.
APPLE_PROXY = ("127.0.0.1", 3128)
NATIVE_APP, SESSION_APP = "native", "session"
# The balancer looks four times a second, so it knows before the last connection is taken.
_DRAIN_SECONDS = 2


@dataclass(frozen=True)
class Shared:
    """What all replicas have in common."""

    public_url: str
    provider_port: int
    has_apple: bool
    # Whether the replicas have accounts in their store.
    has_accounts: bool
    app_secret: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    variables: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        auth = broker_configuration.auth(self.public_url, self.provider_port, self.app_secret)
        if self.has_apple:
            _add_apple(auth)
        if self.has_accounts:
            _add_accounts(auth)
        self.variables.update(_variables("AUTH", auth))

    def of(self, address: str, balancer: str, proxy: str | None) -> dict[str, str]:
        """Returns the variables of the replica at an address, without those of its store."""
        variables = self.variables | {
            "SERVER_HOST": address,
            "SERVER_PORT": str(PORT),
            "SERVER_OPERATIONS_HOST": address,
            "SERVER_OPERATIONS_PORT": str(OPERATIONS_PORT),
            # What stands between the balancer and the replica has the replica's address.
            "SERVER_TRUSTED_PROXIES": f"{balancer},{address}",
            "SERVER_FORWARDED": "x-forwarded-for",
            "SERVER_DRAIN_DELAY_SECONDS": str(_DRAIN_SECONDS),
            # All users of a run have one address.
            "SERVER_RATE_LIMIT_BROWSER_PER_SECOND": "0",
            "SERVER_RATE_LIMIT_FAILURES_PER_SECOND": "0",
        }
        return variables | ({"AUTH_PROVIDER_DEVELOPMENT_PROXY": proxy} if proxy else {})


def _add_apple(auth: dict[str, Any]) -> None:
    """Adds Apple, and an app that presents credentials of it."""
    auth["providers"].append("apple")
    auth["provider"]["apple"] = {
        "kind": "apple",
        "team-id": "TEAM123456",
        "key-id": "KEY1234567",
        "private-key": certificates.signing_key("ES256"),
        "proxy": ":".join(str(each) for each in APPLE_PROXY),
    }
    auth["app"]["web"]["providers"] = ["development"]
    auth["apps"].append(NATIVE_APP)
    auth["app"][NATIVE_APP] = {
        "providers": ["apple"],
        "native-audiences": [f"apple.com:{apple.BUNDLE_ID}"],
        "id-token-algorithm": "ES256",
    }


def _add_accounts(auth: dict[str, Any]) -> None:
    """Adds accounts, and an app that stays signed in."""
    auth["accounts"] = {
        "project-id": "people",
        "database": "postgresql",
        "signing-keys": certificates.signing_key("ES256"),
    }
    auth["apps"].append(SESSION_APP)
    auth["app"][SESSION_APP] = auth["app"]["web"] | {
        "providers": ["development"],
        "accounts": True,
        "refresh-tokens": True,
        "rotate-refresh-tokens": True,
        "refresh-token-repetition-seconds": SECONDS_TO_REPEAT,
    }


def knows_sentinels(broker: Path) -> bool:
    """Whether the executable knows the settings with which it asks sentinels for the primary."""
    settings = {"AUTH_STORE_KIND": "valkey", **sentinel_settings(["127.0.0.1"], 1)}
    # Other keys are missing, so it fails in any case.
    checked = subprocess.run(
        [str(broker), "check-config"], env=settings, capture_output=True, text=True, check=False
    )
    return not any(f"{name} (from environment): expected a known key" in checked.stderr for name in settings)


def _variables(prefix: str, values: Mapping[str, Any]) -> dict[str, str]:
    return dict(_flattened(prefix, values))


def _flattened(prefix: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flattened(f"{prefix}_{key.upper().replace('-', '_')}", inner)
    elif isinstance(value, list):
        yield prefix, ",".join(str(each) for each in value)
    elif isinstance(value, bool):
        yield prefix, str(value).lower()
    else:
        yield prefix, str(value)
