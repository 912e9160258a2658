# SPDX-License-Identifier: Apache-2.0
"""google-auth with the certificates of the accounts."""

from collections.abc import Mapping
from typing import Any

from google.auth.exceptions import InvalidValue, MalformedError
from google.auth.transport.requests import Request
from google.oauth2 import id_token

from kit.trial import Refused
from kit.verifier import Publication, Verifier, VerifierTrial


class GoogleAuth(Verifier):
    """`verify_token`, which compares the audience and leaves the other claims to the app."""

    def __init__(self, publication: Publication) -> None:
        self._publication = publication

    def verify(self, token: str) -> Mapping[str, Any]:
        try:
            claims: Mapping[str, Any] = id_token.verify_token(
                token,
                Request(),
                audience=self._publication.project_id,
                certs_url=self._publication.certificates_url,
            )
        except (InvalidValue, MalformedError) as error:
            raise Refused from error
        return claims


def _trial(algorithm: str) -> VerifierTrial:
    return VerifierTrial(
        verifier="google-auth",
        distribution="google-auth",
        algorithm=algorithm,
        settings="`audience`; `certs_url`",
        start=GoogleAuth,
        accepts=frozenset({"another issuer", "no subject"}),
    )


TRIALS = [_trial("ES256"), _trial("RS256")]
