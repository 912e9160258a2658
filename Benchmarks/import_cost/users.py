# SPDX-License-Identifier: Apache-2.0
"""A file of made-up users, in the form of `accounts:batchGet`."""

import json
from pathlib import Path

ISSUER = "oidc.acme=https://login.acme.example"
_CREATED = 1_500_000_000_000


def make(file: Path, count: int) -> None:
    """Writes users, each with an identity of Google, three of ten with another one too, and one of ten with claims.

    They are in the order of their uids, as Firebase lists them (firebase-admin-node#404); emails and subjects are in none.
    Nothing is kept of them: a command that is started later would begin with the memory of this process.
    """
    with file.open("w") as out:
        out.write('{"kind":"identitytoolkit#DownloadAccountResponse","users":[')
        for position in range(count):
            # Each number once, unless 3 divides the count.
            number = position * 3**18 % count
            # As long as those of Firebase.
            uid = f"{position * 2**64 // count:016x}{number:012d}"
            out.write(",\n" if position else "\n")
            out.write(json.dumps(_user(number, uid), separators=(",", ":")))
        out.write("\n]}\n")


def _user(number: int, uid: str) -> dict[str, object]:
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
