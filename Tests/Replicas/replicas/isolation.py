# SPDX-License-Identifier: Apache-2.0
"""Namespaces of the whole run, so that nothing it starts outlives it, and nothing it listens on is seen elsewhere."""

import ctypes
import os
import signal
import subprocess
from pathlib import Path

CLONE_NEWNS = 0x00020000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
_PR_SET_PDEATHSIG = 1
# Where Debian's programs find the authorities that they trust.
_AUTHORITIES = "/etc/ssl/certs"
_libc = ctypes.CDLL(None, use_errno=True)


def unshare(flags: int) -> None:
    """Gives the calling thread namespaces of its own; raises `OSError` if the kernel refuses them."""
    _check(_libc.unshare(flags))


def set_network(descriptor: int) -> None:
    """Moves the calling thread into a network namespace."""
    _check(_libc.setns(descriptor, CLONE_NEWNET))


def isolate() -> bool:
    """Goes on in a child that is the first process of new namespaces, and whose end ends everything in them.

    Returns whether the kernel permits it. The parent passes signals on, and ends as the child does.
    """
    try:
        unshare(CLONE_NEWNET | CLONE_NEWPID | CLONE_NEWNS)
    except OSError:
        return False
    child = os.fork()
    if child != 0:
        _follow(child)
    _check(_libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL))
    # Ctrl-C reaches the parent alone, which passes it on.
    os.setsid()
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    subprocess.run(["mount", "-t", "proc", "proc", "/proc"], check=True)
    return True


def trust(authority: Path, directory: Path) -> None:
    """Has the programs of the run trust one authority, and no other. No program beyond its namespaces does."""
    (directory / "ca-certificates.crt").write_bytes(authority.read_bytes())
    subprocess.run(["mount", "--bind", str(directory), _AUTHORITIES], check=True)


def _follow(child: int) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: os.kill(child, number))
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)


def _check(result: int) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
