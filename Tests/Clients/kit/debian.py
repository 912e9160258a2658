# SPDX-License-Identifier: Apache-2.0
"""The libraries that Debian has for its Python, in the order of the tables."""

from kit.verifier import VerifierTrial
from kit.verifiers import pyjwt

VERIFIERS: list[VerifierTrial] = [*pyjwt.TRIALS]
