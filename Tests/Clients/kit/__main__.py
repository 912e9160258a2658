# SPDX-License-Identifier: Apache-2.0
"""Tries every client and compares the table of the results with CLIENTS.md."""

import argparse
import logging
import multiprocessing
import os
import sys
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path

from kit import executables, table
from kit.certificates import Certificates
from kit.installation import running, temporary_files
from kit.row import Row

_FOLDER = Path(__file__).resolve().parent.parent
_FILE = _FOLDER.parent.parent / "CLIENTS.md"
_SECONDS_TO_EXAMINE = 60


def main() -> int:
    """Returns the exit status: 0 if every result is the expected one."""
    parser = argparse.ArgumentParser(prog="kit", description=__doc__)
    parser.add_argument("executable", type=Path, help="the oidc-broker executable")
    parser.add_argument("--update", action="store_true", help="write the table into CLIENTS.md")
    arguments = parser.parse_args()
    with temporary_files() as (directory, certificates):
        _trust(certificates)
        rows, failures = _examine_all(arguments.executable.resolve(), certificates, directory)
    subjects = {row.sub for row in rows if row.sub is not None}
    if len(subjects) > 1:
        failures.append(f"the same person has {len(subjects)} subjects")
    if not failures and arguments.update:
        table.write(_FILE, rows)
    elif not failures:
        failures = [f"CLIENTS.md differs: {line}" for line in table.differences(_FILE, rows)]
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    return 1 if failures else 0


def _trust(certificates: Certificates) -> None:
    """Makes every TLS client that is imported from now on trust the authority."""
    for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"):
        os.environ[name] = str(certificates.authority)
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "localhost,127.0.0.1"


def _examine_all(
    executable: Path, certificates: Certificates, directory: Path
) -> tuple[list[Row], list[str]]:
    """Returns the rows of all clients, and what failed."""
    # What the libraries log may hold codes and tokens.
    logging.captureWarnings(True)
    logging.disable()
    # Some of the libraries read the trusted authorities when they are imported.
    from kit.clients import TRIALS
    from kit.examination import examine

    programs = executables.find(_FOLDER)
    apps = [trial.app for trial in TRIALS] + [app for each in programs for app in each.apps]
    rows: list[Row] = []
    failures: list[str] = []
    with running(executable, certificates, apps, directory) as installation:
        examinations: list[tuple[str, Callable[[], Row]]] = [
            (trial.app.name, partial(_in_own_process, partial(examine, trial, installation)))
            for trial in TRIALS
        ]
        examinations += [(each.path.stem, partial(each.examine, installation)) for each in programs]
        for name, examination in examinations:
            begin = time.monotonic()
            try:
                row = examination()
            except Exception as error:
                failures.append(f"{name}\n{''.join(traceback.format_exception(error))}")
            else:
                rows.append(row)
                print(f"{row.client}: {row.result} ({time.monotonic() - begin:.1f} s)", flush=True)
        if failures:
            print(f"-- the log of the broker\n{installation.log_file.read_text()}")
    return rows, failures


def _in_own_process(examination: Callable[[], Row]) -> Row:
    """Runs an examination in a process of its own, since frameworks have settings for a process."""
    with multiprocessing.get_context("fork").Pool(1) as pool:
        return pool.apply_async(examination).get(_SECONDS_TO_EXAMINE)


if __name__ == "__main__":
    sys.exit(main())
