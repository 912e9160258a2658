# SPDX-License-Identifier: Apache-2.0
"""jose of npm, in Node.js, with the JWK set that the issuer's metadata name."""

from collections.abc import Mapping
from typing import Any

from kit.node import NodeModule
from kit.verifier import Publication, Verifier, VerifierTrial


class Jose(Verifier):
    """`jwtVerify` with a key of `createRemoteJWKSet`, and with the algorithms of the metadata."""

    def __init__(self, publication: Publication) -> None:
        settings: dict[str, object] = {"issuer": publication.issuer, "audience": publication.project_id}
        self._module = NodeModule("jose", settings)

    def verify(self, token: str) -> Mapping[str, Any]:
        claims: Mapping[str, Any] = self._module.call("verify", token)
        return claims


def _trial(algorithm: str) -> VerifierTrial:
    return VerifierTrial(
        verifier="jose, `createRemoteJWKSet`",
        distribution="npm:jose",
        algorithm=algorithm,
        settings="`jwks_uri` and `algorithms` of the metadata; `audience`; `issuer`; `requiredClaims`; `maxTokenAge`",
        start=Jose,
    )


TRIALS = [_trial("ES256"), _trial("RS256")]
