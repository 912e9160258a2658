# SPDX-License-Identifier: Apache-2.0
"""The ways by which firebase-admin reaches the loopback listener, and the public one, where it must not get anywhere."""

import os
from functools import partial
from pathlib import Path

import firebase_admin
from firebase_admin import _token_gen, _user_mgt
from google.auth.credentials import AnonymousCredentials
from google.oauth2.credentials import Credentials

from kit import account_tokens
from kit.accounts import ADMIN_TOKEN
from kit.administration import Administration, examine, examine_refusals, options
from kit.attempts import Attempts, in_own_process
from kit.certificates import Certificates
from kit.installation import Installation, running
from kit.row import AdministrationRow
from kit.verifications import accounts_with

_EMULATOR = "FIREBASE_AUTH_EMULATOR_HOST"


def make(
    attempts: Attempts[AdministrationRow], executable: Path, files: Certificates, directory: Path
) -> None:
    """Tries all ways at one broker, whose accounts have Firebase's issuer."""
    folder = directory / "administration"
    folder.mkdir()
    accounts = accounts_with("RS256", has_firebase_issuer=True)
    with running(executable, files, [account_tokens.app("RS256")], folder, accounts) as installation:
        # Those over the public listener come last, since they leave the account there.
        examinations = [
            (each.settings, partial(in_own_process, partial(examine, each, installation))) for each in _WAYS
        ]
        examinations += [
            (
                f"public listener, {word}",
                partial(
                    in_own_process,
                    partial(
                        examine_refusals,
                        "firebase-admin",
                        f"the public listener, with the {word} as the token",
                        partial(_over_public, token),
                        installation,
                    ),
                ),
            )
            for word, token in (("admin token", ADMIN_TOKEN), ("word `owner`", "owner"))
        ]
        attempts.make(examinations)
        if attempts.failures:
            print(f"-- the log of the broker\n{installation.log_file.read_text()}")


def _as_emulator(installation: Installation) -> firebase_admin.App:
    """Returns an app that takes the loopback listener for an emulator, as the SDK offers it."""
    os.environ[_EMULATOR] = _loopback(installation)
    return firebase_admin.initialize_app(
        AnonymousCredentials(),  # type: ignore[no-untyped-call]
        options(),
    )


def _as_emulator_with_token(installation: Installation) -> firebase_admin.App:
    """Returns an app that has the admin token in the path, behind the host of what it takes for an emulator."""
    os.environ[_EMULATOR] = f"{_loopback(installation)}/{ADMIN_TOKEN}"
    return firebase_admin.initialize_app(
        AnonymousCredentials(),  # type: ignore[no-untyped-call]
        options(),
    )


def _with_token(installation: Installation) -> firebase_admin.App:
    """Returns an app with the admin token, which verifies ID tokens with the certificates of the accounts."""
    return _at(f"http://{_loopback(installation)}", ADMIN_TOKEN, installation)


def _over_public(token: str, installation: Installation) -> firebase_admin.App:
    return _at(installation.origin, token, installation)


def _at(origin: str, token: str, installation: Installation) -> firebase_admin.App:
    """Returns an app for another origin than Google's, for which the SDK has no option."""
    _user_mgt.UserManager.ID_TOOLKIT_URL = f"{origin}/identitytoolkit.googleapis.com/v1"
    _token_gen.ID_TOKEN_CERT_URI = f"{installation.issuer}/accounts/x509"
    return firebase_admin.initialize_app(
        Credentials(token),  # type: ignore[no-untyped-call]
        options(),
    )


def _loopback(installation: Installation) -> str:
    if installation.loopback is None:
        raise ValueError("there is no loopback listener")
    return installation.loopback


_WAYS = [
    Administration(
        name="firebase-admin",
        settings="`FIREBASE_AUTH_EMULATOR_HOST`; `server.loopback.owner`",
        start=_as_emulator,
        verifies=False,
        moves=True,
    ),
    Administration(
        name="firebase-admin",
        settings="`FIREBASE_AUTH_EMULATOR_HOST` with the admin token behind the port",
        start=_as_emulator_with_token,
        verifies=False,
    ),
    Administration(
        name="firebase-admin",
        settings="the admin token as the access token of its credentials; "
        "`firebase_admin._user_mgt.UserManager.ID_TOOLKIT_URL` and `firebase_admin._token_gen.ID_TOKEN_CERT_URI`",
        start=_with_token,
        verifies=True,
    ),
]
