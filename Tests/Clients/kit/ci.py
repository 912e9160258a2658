# SPDX-License-Identifier: Apache-2.0
"""The libraries of npm, and those that Debian has for its Python, in the order of the tables."""

from kit.clients import authlib_refresh, npm
from kit.trial import Trial
from kit.verifier import VerifierTrial
from kit.verifiers import jose, pyjwt

CLIENTS: list[Trial] = [*npm.TRIALS, *authlib_refresh.TRIALS]

VERIFIERS: list[VerifierTrial] = [*jose.TRIALS, *pyjwt.TRIALS]
