# SPDX-License-Identifier: Apache-2.0
"""firebase-admin with all its own checks. Only the URL of the certificates is replaced, for which it has no option."""

from collections.abc import Mapping
from typing import Any

import firebase_admin
from firebase_admin import _token_gen, auth
from google.auth.credentials import AnonymousCredentials

from kit.trial import Refused
from kit.verifier import Publication, Verifier, VerifierTrial


class FirebaseAdmin(Verifier):
    """`auth.verify_id_token`, which requests only the certificates."""

    def __init__(self, publication: Publication) -> None:
        _token_gen.ID_TOKEN_CERT_URI = publication.certificates_url
        self._app = firebase_admin.initialize_app(
            AnonymousCredentials(),  # type: ignore[no-untyped-call]
            {"projectId": publication.project_id},
        )

    def verify(self, token: str) -> Mapping[str, Any]:
        try:
            claims: Mapping[str, Any] = auth.verify_id_token(token, self._app)
        except auth.InvalidIdTokenError as error:
            raise Refused from error
        return claims


TRIALS = [
    VerifierTrial(
        verifier="firebase-admin, `auth.verify_id_token`",
        distribution="firebase-admin",
        algorithm="RS256",
        settings="`projectId`; `firebase_admin._token_gen.ID_TOKEN_CERT_URI`",
        start=FirebaseAdmin,
        has_firebase_issuer=True,
    )
]
