# SPDX-License-Identifier: Apache-2.0
"""The versions of libraries of Python."""

import sys
from importlib.metadata import version


def installed(distribution: str) -> str:
    """Returns the version of a library, which is Debian's if this is not an environment of its own."""
    found = version(distribution)
    return f"Debian {found}" if sys.prefix == sys.base_prefix else found
