# SPDX-License-Identifier: Apache-2.0
"""The versions of libraries, with where they come from unless that is PyPI."""

import sys
from importlib.metadata import version

from kit import node


def installed(distribution: str) -> str:
    """Returns the version of a library of Python, or of a package of npm whose name begins with `npm:`."""
    if distribution.startswith("npm:"):
        return f"npm {node.version(distribution.removeprefix('npm:'))}"
    found = version(distribution)
    # The system's Python has Debian's libraries.
    return f"Debian {found}" if sys.prefix == sys.base_prefix else found
