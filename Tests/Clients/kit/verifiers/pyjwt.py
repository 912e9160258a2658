# SPDX-License-Identifier: Apache-2.0
"""PyJWT with the JWK set that the issuer's metadata name."""

from collections.abc import Mapping
from typing import Any

import jwt
import requests

from kit.trial import Refused
from kit.verifier import Publication, Verifier, VerifierTrial

# Before 2.8 it is no error of the library's own.
_NO_KEYS: type[Exception] = getattr(jwt, "PyJWKClientConnectionError", OSError)


class DiscoveringPyJWT(Verifier):
    """`decode` with a key of `PyJWKClient`, and with the algorithms of the metadata."""

    def __init__(self, publication: Publication) -> None:
        url = f"{publication.issuer}/.well-known/openid-configuration"
        response = requests.get(url, timeout=10)
        response.raise_for_status()
        metadata = response.json()
        if metadata["issuer"] != publication.issuer:
            raise RuntimeError(f"the metadata are those of {metadata['issuer']}")
        self._publication = publication
        self._algorithms = metadata["id_token_signing_alg_values_supported"]
        self._keys = jwt.PyJWKClient(metadata["jwks_uri"])

    def verify(self, token: str) -> Mapping[str, Any]:
        try:
            return jwt.decode(
                token,
                self._keys.get_signing_key_from_jwt(token).key,
                algorithms=self._algorithms,
                audience=self._publication.project_id,
                issuer=self._publication.issuer,
                options={"require": ["aud", "exp", "iat", "iss", "sub"]},
            )
        except _NO_KEYS:
            raise
        except jwt.PyJWTError as error:
            raise Refused from error


def _trial(algorithm: str) -> VerifierTrial:
    return VerifierTrial(
        verifier="PyJWT, PyJWKClient",
        distribution="PyJWT",
        algorithm=algorithm,
        settings="`jwks_uri` and `algorithms` of the metadata; `audience`; `issuer`; `require`",
        start=DiscoveringPyJWT,
    )


TRIALS = [_trial("ES256"), _trial("RS256")]
