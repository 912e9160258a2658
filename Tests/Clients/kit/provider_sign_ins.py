# SPDX-License-Identifier: Apache-2.0
"""Sign-ins of the broker at a provider that others wrote, in each way that it and the broker have."""

import base64
import json
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kit import certificates, code_flow
from kit.attempts import Attempts
from kit.certificates import Certificates
from kit.installation import listener, responds, wait
from kit.ports import free_port
from kit.server import Server
from kit.user_agent import UserAgent
from kit.versions import installed

_REDIRECT_URI = "https://app.example/callback"
_CLIENT_SECRET = secrets.token_hex(24)
# The keys of the broker's provider, by its name.
_WAYS: Mapping[str, Mapping[str, object]] = {
    "proof": {"dpop": "on"},
    "pushed": {"dpop": "on", "pushed-authorization": True},
}


@dataclass(frozen=True)
class ProviderRow:
    """A row of the table of providers."""

    version: str
    keys: Mapping[str, object]

    @property
    def cells(self) -> list[str]:
        """The cells of the row, in the order of the columns."""
        keys = ", ".join(f"`{key}: {json.dumps(value).strip(chr(34))}`" for key, value in self.keys.items())
        return ["idpyoidc", self.version, keys, "signed in"]


def make(attempts: Attempts[ProviderRow], executable: Path, files: Certificates, directory: Path) -> None:
    """Signs in through a broker at idpyoidc, in each way."""
    folder = directory / "provider"
    folder.mkdir()
    origin, issuer = (f"https://127.0.0.1:{free_port()}" for _ in range(2))
    settings_file, configuration_file = folder / "idpyoidc.json", folder / "broker.json"
    settings_file.write_text(json.dumps(_settings(origin, issuer, files)))
    configuration_file.write_text(json.dumps(_configuration(origin, issuer, files)))
    program = [sys.executable, "-m", "kit.providers.idpyoidc", str(settings_file)]
    with (
        Server("idpyoidc", program, folder) as provider,
        Server("broker", [str(executable), "serve", "--config", str(configuration_file)], folder) as broker,
    ):
        wait(provider, lambda: responds(issuer, files.authority))
        wait(broker, lambda: responds(f"{origin}/__/auth", files.authority))
        attempts.make((way, lambda way=way: _sign_in(f"{origin}/__/auth", way, files)) for way in _WAYS)
        if attempts.failures:
            print(f"-- the log of the broker\n{broker.log_file.read_text()}")


def _sign_in(issuer: str, way: str, files: Certificates) -> ProviderRow:
    browser = UserAgent(files.authority)
    token = code_flow.tokens(issuer, "app", _REDIRECT_URI, browser, {"provider": way})["id_token"]
    payload = token.split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(f"{payload}{'=' * (-len(payload) % 4)}"))
    if claims["email"] != "diana@example.com":
        raise ValueError(f"the user is {claims['email']}")
    return ProviderRow(installed("idpyoidc"), _WAYS[way])


def _settings(origin: str, issuer: str, files: Certificates) -> dict[str, object]:
    """Returns what the provider is told."""
    client = {
        "client_secret": _CLIENT_SECRET,
        "redirect_uris": [f"{origin}/__/auth/{way}" for way in _WAYS],
        "allowed_scopes": ["openid", "email", "profile"],
    }
    return {
        "issuer": issuer,
        "clients": {"broker": client},
        "certificate": str(files.certificate),
        "private_key": str(files.private_key),
    }


def _configuration(origin: str, issuer: str, files: Certificates) -> dict[str, object]:
    """Returns the configuration of the broker."""
    provider = {
        "issuer": issuer,
        "certificate-authorities": str(files.authority),
        "client-id": "broker",
        "client-secret": _CLIENT_SECRET,
        "scopes": ["openid", "email", "profile"],
    }
    auth = {
        "public-url": origin,
        "sealing-keys": [base64.b64encode(secrets.token_bytes(32)).decode()],
        "signing-keys": certificates.signing_key("ES256"),
        "providers": list(_WAYS),
        "provider": {way: provider | {"callback-path": f"/__/auth/{way}"} | keys for way, keys in _WAYS.items()},
        "apps": ["app"],
        "app": {"app": {"redirect-uris": [_REDIRECT_URI], "id-token-algorithm": "ES256"}},
    }
    return {"auth": auth, "server": listener(origin, files, None)}
