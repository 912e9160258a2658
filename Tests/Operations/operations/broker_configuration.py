# SPDX-License-Identifier: Apache-2.0
"""The configuration of a broker for the development provider, before a check adds to it."""

import base64
import secrets
from typing import Any

from kit import certificates
from kit.certificates import Certificates

# There is no listener: the code is read from the redirect.
REDIRECT_URI = "https://app.example/callback"
_PROVIDER_SECRET = "secret-of-the-development-provider"


def auth(public_url: str, provider_port: int, app_secret: str) -> dict[str, Any]:
    """Returns the keys below `auth`."""
    return {
        "public-url": public_url,
        "sealing-keys": [base64.b64encode(secrets.token_bytes(32)).decode()],
        "signing-keys": certificates.signing_key("ES256"),
        "providers": ["development"],
        "provider": {
            "development": {
                "issuer": f"http://localhost:{provider_port}",
                "insecure-loopback-issuer": True,
                "client-id": "broker",
                "client-secret": _PROVIDER_SECRET,
                "scopes": ["openid", "email", "profile"],
            }
        },
        "apps": ["web"],
        "app": {
            "web": {
                "redirect-uris": [REDIRECT_URI],
                "client-secret": app_secret,
                "id-token-algorithm": "ES256",
            }
        },
    }


def server(port: int, operations_port: int, files: Certificates | None) -> dict[str, Any]:
    """Returns the keys below `server`; without files it is plain HTTP."""
    keys: dict[str, Any] = {"port": port, "operations": {"port": operations_port}}
    if files is not None:
        keys["tls"] = {"certificate-chain": str(files.certificate), "private-key": str(files.private_key)}
    return keys
