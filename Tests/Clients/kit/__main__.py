# SPDX-License-Identifier: Apache-2.0
"""Tries clients and verifiers, those that CI has or those of PyPI, and compares the results with the report."""

import argparse
import logging
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from kit import executables, table
from kit.attempts import Attempts, in_own_process
from kit.certificates import Certificates
from kit.installation import running, temporary_files
from kit.row import AdministrationRow, Row
from kit.table import Table
from kit.verifier import VerifierRow
from kit.versions import commit

_FOLDER = Path(__file__).resolve().parent.parent
_FILE = _FOLDER.parent.parent / "Documentation/Reports/Clients.md"
_DATE_COLUMN = "run by hand"
_CLIENT_COLUMNS = ["client", "version", "kind", "sends", "ID token", "what had to be set", "result"]
_ADMINISTRATION_COLUMNS = ["admin SDK", "version", "what had to be set", "result"]
_PROVIDER_COLUMNS = ["provider", "version", "keys of the provider", "result"]
_VERIFIER_COLUMNS = ["verifier", "version", "ID token", "`iss`", "what had to be set", "result"]


def main() -> int:
    """Returns the exit status: 0 if every result is the expected one."""
    parser = argparse.ArgumentParser(prog="kit", description=__doc__)
    parser.add_argument("executable", type=Path, help="the oidc-broker executable")
    parser.add_argument("--pypi", action="store_true", help="test the clients of PyPI, and record the day and the commit")
    parser.add_argument("--update", action="store_true", help="write the tables into the report")
    only = "test the clients of this module of kit/clients alone, and print their rows"
    parser.add_argument("--only", metavar="CLIENT", action="append", help=only)
    arguments = parser.parse_args()
    if arguments.only and arguments.update:
        parser.error("--update needs all rows, --only tests some of them")
    executable = arguments.executable.resolve()
    with temporary_files() as (directory, certificates):
        _trust(certificates)
        # What the libraries log may hold codes and tokens.
        logging.captureWarnings(True)
        logging.disable()
        clients = _try_clients(executable, certificates, directory, arguments.pypi, arguments.only)
        verifiers = Attempts[VerifierRow]()
        administrations = Attempts[AdministrationRow]()
        providers = Attempts[Any]()
        if not arguments.only:
            _try_verifiers(verifiers, executable, certificates, directory, arguments.pypi)
            if arguments.pypi:
                _try_providers(providers, executable, certificates, directory)
                _try_administrations(administrations, executable, certificates, directory)
    failures = clients.failures + verifiers.failures + providers.failures + administrations.failures
    subjects = {row.sub for row in clients.rows if row.sub is not None}
    if len(subjects) > 1:
        failures.append(f"the same user has {len(subjects)} subjects")
    tables = []
    if arguments.only:
        for row in clients.rows:
            print(table.line([*row.cells, commit()]))
    elif arguments.pypi:
        tables = [
            _by_hand("clients of PyPI", _CLIENT_COLUMNS, clients),
            _by_hand("verifiers of PyPI", _VERIFIER_COLUMNS, verifiers),
            _by_hand("providers of PyPI", _PROVIDER_COLUMNS, providers),
            _by_hand("admin SDKs of PyPI", _ADMINISTRATION_COLUMNS, administrations),
        ]
    else:
        tables = [
            Table("clients", _CLIENT_COLUMNS, [row.cells for row in clients.rows]),
            Table("verifiers", _VERIFIER_COLUMNS, [row.cells for row in verifiers.rows]),
        ]
    if not failures and arguments.update:
        for each in tables:
            each.write(_FILE)
    elif not failures:
        differences = [line for each in tables for line in each.differences(_FILE)]
        failures = [f"Documentation/Reports/Clients.md differs: {line}" for line in differences]
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    return 1 if failures else 0


def _by_hand(subject: str, columns: list[str], attempts: Attempts[Any]) -> Table:
    """Returns a table whose rows name the tested commit, since CI does not make them."""
    rows = [[*row.cells, commit()] for row in attempts.rows]
    return Table(subject, [*columns, _DATE_COLUMN], rows, "Tests/Clients/run --pypi")


def _trust(certificates: Certificates) -> None:
    """Makes every TLS client that is imported from now on trust the authority."""
    for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"):
        os.environ[name] = str(certificates.authority)
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "localhost,127.0.0.1"


# Some of the libraries read the trusted authorities when they are imported, so these functions import them.


def _try_clients(
    executable: Path, certificates: Certificates, directory: Path, is_pypi: bool, only: list[str] | None
) -> Attempts[Row]:
    from kit import ci, modules, pypi, verifications
    from kit.examination import examine

    trials = modules.client_trials(only or (pypi.CLIENTS if is_pypi else ci.CLIENTS))
    programs = [] if is_pypi or only else executables.find(_FOLDER)
    apps = [trial.app for trial in trials] + [app for each in programs for app in each.apps]
    accounts = verifications.accounts_with("RS256", has_firebase_issuer=False)
    attempts = Attempts[Row]()
    with running(executable, certificates, apps, directory, accounts) as installation:
        examinations: list[tuple[str, Callable[[], Row]]] = [
            (trial.app.name, partial(in_own_process, partial(examine, trial, installation)))
            for trial in trials
        ]
        examinations += [(each.path.stem, partial(each.examine, installation)) for each in programs]
        attempts.make(examinations)
        if attempts.failures:
            print(f"-- the log of the broker\n{installation.log_file.read_text()}")
    return attempts


def _try_verifiers(
    attempts: Attempts[VerifierRow], executable: Path, certificates: Certificates, directory: Path, is_pypi: bool
) -> None:
    from kit import ci, modules, pypi, verifications

    trials = modules.verifier_trials(pypi.VERIFIERS if is_pypi else ci.VERIFIERS)
    verifications.make(attempts, trials, executable, certificates, directory)


def _try_providers(attempts: Attempts[Any], executable: Path, certificates: Certificates, directory: Path) -> None:
    from kit import provider_sign_ins

    provider_sign_ins.make(attempts, executable, certificates, directory)


def _try_administrations(
    attempts: Attempts[AdministrationRow], executable: Path, certificates: Certificates, directory: Path
) -> None:
    from kit import administrations

    administrations.make(attempts, executable, certificates, directory)


if __name__ == "__main__":
    sys.exit(main())
