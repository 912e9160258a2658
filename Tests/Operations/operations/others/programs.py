# SPDX-License-Identifier: Apache-2.0
"""Programs of Debian packages."""

import shutil
import subprocess
from collections.abc import Sequence

from operations.check import Failed, LeftOut


def need(program: str, package: str) -> str:
    """Returns the path of a program; raises if its package is not installed."""
    path = shutil.which(program)
    if path is None:
        raise LeftOut(f"{program} of the package {package} is not installed")
    return path


def version(package: str) -> str:
    """Returns the name and the version of an installed Debian package."""
    run = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
    return f"{package} {run.stdout or 'of unknown version'}"


def output(arguments: Sequence[str], given: str | None = None, seconds: float = 60) -> str:
    """Runs a program to its end and returns what it wrote; raises if its exit status is not 0."""
    try:
        run = subprocess.run(
            list(arguments), input=given or "", capture_output=True, text=True, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        raise Failed(f"{arguments[0]} took more than {seconds:g} s") from None
    if run.returncode != 0:
        raise Failed(f"{arguments[0]}: status {run.returncode}: {(run.stdout + run.stderr)[-2000:]}")
    return run.stdout + run.stderr
