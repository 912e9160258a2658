# SPDX-License-Identifier: Apache-2.0
"""The versions of libraries, with their source unless it is PyPI, and of the tested broker."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from kit import node


def installed(distribution: str) -> str:
    """Returns the version of a library of Python, or of a package of npm whose name begins with `npm:`."""
    if distribution.startswith("npm:"):
        return f"npm {node.version(distribution.removeprefix('npm:'))}"
    found = version(distribution)
    # The system's Python has Debian's libraries.
    return f"Debian {found}" if sys.prefix == sys.base_prefix else found


def commit() -> str:
    """Returns the day and the tested commit, in the form of the tables of runs by hand."""
    # Regardless of the owner of the clone.
    command = ["git", "-c", "safe.directory=*", "log", "-1", "--format=%cs at %h"]
    return subprocess.check_output(command, cwd=Path(__file__).parent, text=True).strip()
