# SPDX-License-Identifier: Apache-2.0
"""All verifiers, at brokers with the accounts that they are for."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from kit import account_tokens, certificates
from kit.accounts import PROJECT_ID, Accounts
from kit.attempts import Attempts, in_own_process
from kit.certificates import Certificates
from kit.installation import running
from kit.verification import examine
from kit.verifier import Publication, VerifierRow, VerifierTrial


def make(
    attempts: Attempts[VerifierRow],
    trials: Sequence[VerifierTrial],
    executable: Path,
    files: Certificates,
    directory: Path,
) -> None:
    """Tries the verifiers, with a broker for each kind of accounts."""
    kinds = dict.fromkeys((trial.algorithm, trial.has_firebase_issuer) for trial in trials)
    for number, (algorithm, has_firebase_issuer) in enumerate(kinds):
        folder = directory / f"accounts{number}"
        folder.mkdir()
        accounts = accounts_with(algorithm, has_firebase_issuer=has_firebase_issuer)
        apps = [account_tokens.app(algorithm)]
        with running(executable, files, apps, folder, accounts) as installation:
            tokens = account_tokens.obtain(installation, accounts)
            issuer = accounts.issuer or f"{installation.issuer}/accounts"
            publication = Publication(issuer, f"{installation.issuer}/accounts/x509")
            of_cookies = Publication(f"{issuer}/session", f"{installation.issuer}/accounts/session/x509")
            attempts.make(
                (trial.verifier, partial(in_own_process, partial(examine, trial, tokens, publication, of_cookies)))
                for trial in trials
                if (trial.algorithm, trial.has_firebase_issuer) == (algorithm, has_firebase_issuer)
            )
            if attempts.failures:
                print(f"-- the log of the broker\n{installation.log_file.read_text()}")


def accounts_with(algorithm: str, *, has_firebase_issuer: bool) -> Accounts:
    """Returns accounts with keys of this run."""
    other = "RS256" if algorithm == "ES256" else "ES256"
    return Accounts(
        algorithm=algorithm,
        signing_key=certificates.signing_key(algorithm),
        other_key=certificates.signing_key(other),
        cookie_key=certificates.signing_key(algorithm),
        issuer=f"https://securetoken.google.com/{PROJECT_ID}" if has_firebase_issuer else None,
    )
