# SPDX-License-Identifier: Apache-2.0
"""A file of made-up users, in the form of `accounts:batchGet`."""

import json
from pathlib import Path

ISSUER = "oidc.acme=https://login.acme.example"
_CREATED = 1_500_000_000_000


def make(file: Path, count: int) -> None:
    """Writes users, each with an identity of Google, three of ten with another one too, and one of ten with claims.

    They are in the order of their uids, as Firebase lists them (firebase-admin-node#404); emails and subjects are in none.
    """
    with file.open("w") as out:
        out.write('{"kind":"identitytoolkit#DownloadAccountResponse","users":[')
        for position, number in enumerate(sorted(range(count), key=_uid)):
            out.write(",\n" if position else "\n")
            out.write(json.dumps(_user(number), separators=(",", ":")))
        out.write("\n]}\n")


def _uid(number: int) -> str:
    # As long as those of Firebase.
    return f"{number * 0x9E3779B97F4A7C15 % 2**64:016x}{number:012d}"


def _user(number: int) -> dict[str, object]:
    uid = _uid(number)
    email, name, photo = f"user-{number}@example.org", f"User {number}", f"https://photos.example.org/{uid}.png"
    identities = [
        {
            "providerId": "google.com",
            "rawId": f"{number:021d}",
            "federatedId": f"{number:021d}",
            "email": email,
            "displayName": name,
            "photoUrl": photo,
        }
    ]
    if number % 10 < 3:
        identities.append({"providerId": "oidc.acme", "rawId": f"acme-{number}", "email": email})
    user: dict[str, object] = {
        "localId": uid,
        "email": email,
        "emailVerified": True,
        "displayName": name,
        "photoUrl": photo,
        "createdAt": str(_CREATED + number),
        "lastLoginAt": str(_CREATED + 2 * number),
        "lastRefreshAt": "2026-01-01T00:00:00Z",
        "providerUserInfo": identities,
    }
    if number % 10 == 0:
        user["customAttributes"] = '{"role":"reader"}'
    return user
