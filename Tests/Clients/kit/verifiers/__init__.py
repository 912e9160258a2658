# SPDX-License-Identifier: Apache-2.0
"""The verifiers, one file each, in the order of the table."""

from kit.verifier import VerifierTrial
from kit.verifiers import firebase_admin, google_auth, pyjwt

TRIALS: list[VerifierTrial] = [*google_auth.TRIALS, *pyjwt.TRIALS, *firebase_admin.TRIALS]
