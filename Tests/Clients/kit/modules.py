# SPDX-License-Identifier: Apache-2.0
"""The trials of the modules in `clients/` and `verifiers/`, imported when they are needed."""

from collections.abc import Sequence
from importlib import import_module

from kit.trial import Trial
from kit.verifier import VerifierTrial


def client_trials(names: Sequence[str]) -> list[Trial]:
    """Returns the trials of clients, module by module."""
    return [trial for name in names for trial in import_module(f"kit.clients.{name}").TRIALS]


def verifier_trials(names: Sequence[str]) -> list[VerifierTrial]:
    """Returns the trials of verifiers, module by module."""
    return [trial for name in names for trial in import_module(f"kit.verifiers.{name}").TRIALS]
