# SPDX-License-Identifier: Apache-2.0
"""The libraries of npm, and those that Debian has for its Python, in the order of the tables."""

from kit.clients import openid_client
from kit.trial import Trial
from kit.verifier import VerifierTrial
from kit.verifiers import jose, pyjwt

CLIENTS: list[Trial] = [*openid_client.TRIALS]

VERIFIERS: list[VerifierTrial] = [*jose.TRIALS, *pyjwt.TRIALS]
