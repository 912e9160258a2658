# SPDX-License-Identifier: Apache-2.0
"""A verifier of the ID tokens of accounts with one set of settings, and what must come of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from kit.accounts import PROJECT_ID


@dataclass(frozen=True)
class Publication:
    """What a verifier is told about the accounts: the `iss` of their ID tokens, and where the keys are."""

    issuer: str
    certificates_url: str
    project_id: str = PROJECT_ID


class Verifier(Protocol):
    """A library that verifies ID tokens."""

    def verify(self, token: str) -> Mapping[str, Any]:
        """Returns the claims of a token; raises Refused if the library refuses it, and for nothing else."""


@dataclass(frozen=True)
class VerifierTrial:
    """A verifier for the ID tokens of accounts with an algorithm and an issuer.

    `settings` is Markdown that names what had to be set beside the project. `accepts` are the tokens to refuse that the
    library takes, since it leaves a claim to the app.
    """

    verifier: str
    distribution: str
    algorithm: str
    settings: str
    start: Callable[[Publication], Verifier]
    accepts: frozenset[str] = frozenset()
    has_firebase_issuer: bool = False


@dataclass(frozen=True)
class VerifierRow:
    """A row of the table of verifiers."""

    verifier: str
    version: str
    algorithm: str
    issuer: str
    settings: str
    result: str

    @property
    def cells(self) -> list[str]:
        """The cells of the row, in the order of the columns."""
        return [self.verifier, self.version, self.algorithm, self.issuer, self.settings, self.result]
