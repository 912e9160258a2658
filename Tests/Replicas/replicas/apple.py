# SPDX-License-Identifier: Apache-2.0
"""What stands for Apple: it signs credentials of native apps, and refuses codes as it is told.

The brokers are configured for Apple itself, and reach this through a proxy. Only in the namespaces of the run is its
authority trusted.
"""

import base64
import hashlib
import json
import os
import re
import secrets
import ssl
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from kit import certificates

HOST = "appleid.apple.com"
BUNDLE_ID = "com.example.app"
_ISSUER = f"https://{HOST}"
# A SHA-256 hash as PKCS #1 signs it (RFC 8017 section 9.2).
_HASH_INFO = bytes.fromhex("3031300d060960864801650304020105000420")


@dataclass(frozen=True)
class Credential:
    """What an app gets on the device of a user, as it presents it to the broker."""

    form: Mapping[str, str]


class Apple:
    """Apple's keys, its metadata and its token endpoint."""

    def __init__(self, directory: Path) -> None:
        files = certificates.make(directory, [f"DNS:{HOST}"])
        self.authority = files.authority
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(files.certificate, files.private_key)
        self._key = _Key(certificates.signing_key("RS256"))

    def credential(self, person: str, has_code: bool) -> Credential:
        """Signs a user in within the app; a code that comes along cannot be exchanged."""
        raw_nonce, now = secrets.token_urlsafe(16), int(time.time())
        claims = {
            "iss": _ISSUER,
            "aud": BUNDLE_ID,
            "iat": now,
            "exp": now + 86_400,
            "auth_time": now,
            "sub": person,
            "nonce": hashlib.sha256(raw_nonce.encode()).hexdigest(),
            "nonce_supported": True,
        }
        form = {"raw_nonce": raw_nonce}
        if has_code:
            form["authorization_code"] = secrets.token_urlsafe(24)
            half = hashlib.sha256(form["authorization_code"].encode()).digest()[:16]
            claims["c_hash"] = _base64url(half)
        return Credential(form | {"id_token": self._key.sign(claims)})

    def respond(self, target: str, body: bytes) -> tuple[int, bytes]:
        """Returns status and JSON of the response to a request."""
        path = target.partition("?")[0]
        if path == "/.well-known/openid-configuration":
            return 200, json.dumps(_metadata()).encode()
        if path == "/auth/keys":
            return 200, json.dumps({"keys": [self._key.public]}).encode()
        is_exchange = path == "/auth/token" and "code" in parse_qs(body.decode(errors="replace"))
        return (400, b'{"error":"invalid_grant"}') if is_exchange else (404, b"{}")


class _Key:
    """A key for RS256. Python has no RSA of its own, and nothing else here needs a package."""

    def __init__(self, pem: str) -> None:
        shown = subprocess.run(
            ["openssl", "rsa", "-noout", "-text"],
            input=pem,
            env=os.environ | {"OPENSSL_CONF": os.devnull},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        self._modulus = _number(shown, "modulus")
        self._primes = [_number(shown, f"prime{each}") for each in (1, 2)]
        self._exponents = [_number(shown, f"exponent{each}") for each in (1, 2)]
        self._coefficient = _number(shown, "coefficient")
        self._length = (self._modulus.bit_length() + 7) // 8
        self.public = {
            "kty": "RSA",
            "kid": "checker",
            "use": "sig",
            "alg": "RS256",
            "n": _base64url(self._modulus.to_bytes(self._length)),
            "e": "AQAB",
        }

    def sign(self, claims: Mapping[str, Any]) -> str:
        """Returns a JSON Web Token."""
        header = {"alg": "RS256", "kid": self.public["kid"]}
        text = ".".join(_base64url(json.dumps(each).encode()) for each in (header, claims))
        info = _HASH_INFO + hashlib.sha256(text.encode()).digest()
        padded = b"\0\1" + b"\xff" * (self._length - len(info) - 3) + b"\0" + info
        return f"{text}.{_base64url(self._power(int.from_bytes(padded)).to_bytes(self._length))}"

    def _power(self, number: int) -> int:
        """The private operation by the two primes, in a quarter of the time (RFC 8017 section 5.1.2)."""
        one, two = (
            pow(number, exponent, prime)
            for exponent, prime in zip(self._exponents, self._primes, strict=True)
        )
        return two + self._primes[1] * ((one - two) * self._coefficient % self._primes[0])


def _number(shown: str, name: str) -> int:
    found = re.search(rf"^{name}:\n((?:\s+[0-9a-f:]+\n)+)", shown, re.MULTILINE)
    if found is None:
        raise ValueError(f"openssl shows no {name}")
    return int(re.sub(r"[\s:]", "", found.group(1)), 16)


def _metadata() -> dict[str, Any]:
    return {
        "issuer": _ISSUER,
        "authorization_endpoint": f"{_ISSUER}/auth/authorize",
        "token_endpoint": f"{_ISSUER}/auth/token",
        "revocation_endpoint": f"{_ISSUER}/auth/revoke",
        "jwks_uri": f"{_ISSUER}/auth/keys",
        "response_types_supported": ["code"],
        "response_modes_supported": ["query", "fragment", "form_post"],
        "subject_types_supported": ["pairwise"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "scopes_supported": ["openid", "email", "name"],
        "token_endpoint_auth_methods_supported": ["client_secret_post"],
    }


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
